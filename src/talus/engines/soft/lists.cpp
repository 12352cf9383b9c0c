// When to list pairs anew, and with how much room: two levels of lists, a near list that lasts for many steps and
// within it the contacts. No bit of the path depends on any of it.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "talus/base/parallel.h"
#include "talus/engines/soft/engine.h"
#include "talus/engines/soft/steady_drift.h"
#include "talus/laws/packed_laws.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_search.h"

namespace talus::engines::soft {

namespace phases = backends::cpu;

namespace {

// A body's margin lasts for about this many steps at its present speed, its skin for several margins. A pair that has
// just parted must still be listed, so that its end is booked: margins cover the last step many times over.
constexpr double margin_steps = 200;
constexpr double fewest_steps = 32;  // of a fast body, whose margin would otherwise list too many pairs
constexpr double skin_steps = 1000;
constexpr double least_margin = 2e-3;  // of the mean radius
constexpr double largest_margin = 0.03;
constexpr double least_skin = 0.04;
constexpr double largest_skin = 0.35;
constexpr double wall_allowance = 0.2;  // how far a wall may move between two lists
// While bodies drift with their neighbourhood, contacts are listed for at least so many steps, and walls for a drift of
// so many mean radii.
constexpr double fewest_drift_steps = 16;
constexpr double drift_to_walls = 1;
constexpr double drift_reserve = 256;  // steps of drifting apart that skins are made for, if that is not too much

/// Whether any contact between grains can give a moment.
bool has_spin_friction(const model::Materials& materials) {
    return std::any_of(materials.pair_law.begin(), materials.pair_law.end(), [](const model::PairLaw& pair) {
        bool has = false;
        laws::visit_packed(pair.law, [&](auto kind) {
            using Law = decltype(kind);
            has = Law::has_moment(pair.parameters.template as<typename Law::Params>());
        });
        return has;
    });
}

/// Rounded down, so that a list never promises more than it keeps.
float shorter(double length) {
    return static_cast<float>(length * (1 - 1e-6));
}

}  // namespace

void Engine::start_anew() {
    work_.body_at.resize(system_.bodies.size());
    work_.place_of.resize(system_.bodies.size());
    for (std::uint32_t i = 0; i < work_.body_at.size(); ++i) {
        work_.body_at[i] = work_.place_of[i] = i;
    }
    phases::make_room(work_);
    phases::take_bodies(system_, work_, options_.threads);
    double sum = 0;
    for (const double r : system_.bodies.radius) {
        sum += r;
    }
    mean_radius_ = sum / std::max(1.0, static_cast<double>(system_.bodies.size()));
    work_.spin_friction = has_spin_friction(system_.materials);
    has_traps_ = std::any_of(system_.walls.begin(), system_.walls.end(), [](const model::Wall& wall) {
        return wall.present && wall.behaviour != model::WallBehaviour::normal;
    });
    has_meshes_ = std::any_of(system_.walls.begin(), system_.walls.end(), search::is_mesh);
    rebuild(Source::model);
    // Once more, so that the lists that a prune swaps with have their memory before the steps begin.
    lists_.prune(system_, work_, Source::listed, options_.threads);
    list_walls();
    stale_ = false;
}

void Engine::refresh_lists(const backends::cpu::Drift& drift) {
    ++work_.steps_drifted;
    const bool drifts = work_.drift_steps > 0;
    const bool all = options_.rebuild_every_step ||
                     wall_watch_.farthest(system_.walls) >= wall_allowance * mean_radius_ ||
                     (drifts && system_.clock.steps - last_rebuild_ >= drift_life_);
    const bool pruned_long_ago = drifts && static_cast<double>(work_.steps_drifted) >= work_.drift_steps;
    if (!all && !drift.spent && !pruned_long_ago && !lists_stale_) {
        return;
    }
    lists_stale_ = false;
    usual_prune_ += 0.2 * (static_cast<double>(work_.steps_drifted) - usual_prune_);
    if (!all && give_margins()) {
        timer_.time("prune", [&] { lists_.prune(system_, work_, Source::listed, options_.threads); });
        ++prunes_;
        return;
    }
    timer_.time("rebuild", [&] { rebuild(Source::listed); });
    timer_.time("wall lists", [&] { list_walls(); });
}

double Engine::wanted_margin(std::size_t s) const {
    const double step = norm(work_.motion[s].velocity * system_.clock.step - phases::as_doubles(work_.flow[s].drift));
    const double wanted =
        std::max(std::clamp(margin_steps * step, least_margin * mean_radius_, largest_margin * mean_radius_),
                 fewest_steps * step);
    return std::min(wanted, 0.5 * phases::absurd * work_.record[s].radius);
}

bool Engine::give_margins() {
    std::fill(work_.wall_wake.begin(), work_.wall_wake.end(), phases::Workspace::awake);  // leashes begin anew
    std::atomic<bool> enough = true;
    const auto drifted = static_cast<double>(work_.steps_drifted);
    base::parallel_for(work_.places(), options_.threads, [&](std::size_t s) {
        const auto apart = static_cast<double>(work_.apart_drift[s]);
        phases::Record& record = work_.record[s];
        const double left = static_cast<double>(work_.outer[s]) - (work_.strayed(s) + apart * drifted) * (1 + 1e-6);
        const double wanted = wanted_margin(s);
        work_.outer[s] = left > 0 ? shorter(left) : 0.0F;
        const double spare = static_cast<double>(work_.outer[s]) - apart * work_.drift_steps;
        work_.margin[s] = spare > 0 ? shorter(std::min(wanted, spare)) : 0.0F;
        record.home = record.position;
        record.leash2 = (1 - 1e-5) * static_cast<double>(work_.margin[s]) * static_cast<double>(work_.margin[s]);
        if (static_cast<double>(work_.margin[s]) < 0.25 * wanted && work_.body_at[s] != phases::Workspace::nobody) {
            enough.store(false, std::memory_order_relaxed);
        }
    });
    return enough;
}

void Engine::rebuild(Source source) {
    // Skins grow while lists do not last and shrink while they last long.
    const std::int64_t lasted = system_.clock.steps - last_rebuild_;
    last_rebuild_ = system_.clock.steps;
    if (source == Source::listed && !options_.rebuild_every_step) {
        skin_factor_ = std::clamp(skin_factor_ * (lasted < 60 ? 1.15 : (lasted > 1000 ? 0.9 : 1.0)), 0.5, 2.0);
    }
    const std::vector<std::uint32_t> old_place = phases::sort_bodies(system_, work_, options_.threads);
    const std::size_t n = work_.places();
    work_.outer.resize(n + 2);  // and those that never touch
    work_.margin.assign(n + 2, 0.0F);
    work_.steps_drifted = 0;
    choose_skins();
    give_margins();
    search_.find({&work_.record.data()->position.x, sizeof(phases::Record) / sizeof(double), n}, work_.outer,
                 system_.domain, options_.threads, work_.near);
    work_.wraps.assign(n + 2, model::Image{});
    work_.special.assign(n, 0);
    lists_.prune(system_, work_, source, options_.threads, old_place);
    ++rebuilds_;
}

void Engine::choose_skins() {
    double largest = 0;
    for (std::size_t s = 0; s < work_.places(); ++s) {
        largest = std::max(largest, work_.record[s].radius);
    }
    const SteadyDrift steady = find_steady_drift(system_, work_, mean_radius_, largest);
    work_.drift_steps = 0;
    if (steady.any) {
        // Contacts last a little longer than they did of late, unless drifting apart would use up more than straying.
        double wanted = 0;
        double apart = 0;
        for (std::size_t s = 0; s < work_.places(); ++s) {
            wanted += wanted_margin(s);
            apart += static_cast<double>(work_.apart_drift[s]);
        }
        work_.drift_steps =
            std::clamp(std::floor(std::min(wanted / apart, 1.5 * usual_prune_)), fewest_drift_steps, 1e4);
        const double in_skin = largest_skin * mean_radius_ * static_cast<double>(work_.places()) / apart;  // steps
        drift_reserve_ = std::max(2 * work_.drift_steps, std::min(drift_reserve, in_skin));
        drift_life_ =
            static_cast<std::int64_t>(std::max(4 * work_.drift_steps, drift_to_walls * mean_radius_ / steady.largest));
        if (2 * (largest + give_skins()) > steady.widest_reach) {  // it is not known how those would drift apart
            work_.drift_steps = 0;
        }
    }
    if (!(work_.drift_steps > 0)) {
        follow_as_they_are(work_);
        give_skins();
    }
}

double Engine::give_skins() {
    const double h = system_.clock.step;
    const auto skin_of = [&](std::size_t s) {
        const double step = norm(work_.motion[s].velocity * h - phases::as_doubles(work_.flow[s].drift));
        const double radius = work_.record[s].radius;
        const double skin =
            options_.skin > 0
                ? std::max(0.5 * options_.skin, fewest_steps * step)
                : std::max(skin_factor_ * std::clamp(skin_steps * step, least_skin * radius, largest_skin * radius),
                           4 * fewest_steps * step);
        return skin + static_cast<double>(work_.apart_drift[s]) * drift_reserve_;
    };
    std::mutex merge;
    double widest = 0;
    base::parallel_ranges(work_.places(), options_.threads, [&](std::size_t begin, std::size_t end) {
        double mine = 0;
        for (std::size_t s = begin; s < end; ++s) {
            const double skin = skin_of(s);
            work_.outer[s] = shorter(skin);
            work_.record[s].home = work_.record[s].position;
            mine = std::max(mine, skin);
        }
        const std::lock_guard<std::mutex> lock(merge);
        widest = std::max(widest, mine);
    });
    return widest;
}

void Engine::list_walls() {
    wall_watch_.begin(system_.walls);
    float widest = 0;
    for (std::size_t s = 0; s < work_.places(); ++s) {  // just sorted: every place has its body
        system_.bodies.position[work_.body_at[s]] = work_.record[s].position;
        const auto drift =
            static_cast<float>(work_.drift_steps > 0 ? drift_life_ : 0) * static_cast<float>(work_.flow[s].speed());
        widest = std::max(widest, (work_.outer[s] + drift) * (1 + 1e-6F));
    }
    search::rebuild_wall_pairs(system_, static_cast<double>(widest) + wall_allowance * mean_radius_,
                               wall_watch_.everywhere(), options_.threads);
    work_.wall_slot.resize(system_.wall_pairs.size());
    work_.wall_point.resize(system_.wall_pairs.size());
    work_.wall_wake.assign(system_.wall_pairs.size(), phases::Workspace::awake);
    work_.wall_travel.assign(system_.walls.size(), 0.0);
    for (const std::uint32_t body : system_.wall_pairs.body) {
        work_.special[work_.place_of[body]] |= phases::Workspace::at_walls;
    }
}

}  // namespace talus::engines::soft
