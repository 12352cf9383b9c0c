// Which grains and walls a step must look at. No bit of the path depends on how long a list lasts or on what it holds
// beyond need.
#include <algorithm>
#include <cmath>

#include "talus/engines/stepped/engine.h"
#include "talus/search/cell_levels.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_search.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::stepped {

namespace {

// A grain's skin lasts for about this many steps at its present speed.
constexpr double skin_steps = 40;
constexpr double fewest_steps = 4;   // of a fast one, whose skin would otherwise list too many pairs
constexpr double least_skin = 0.02;  // radii
constexpr double largest_skin = 0.4;
constexpr int sort_every = 8;           // lists; grains that are near in space are near in memory for long
constexpr double wall_allowance = 0.2;  // mean radii, how far a wall may move between two lists

}  // namespace

void Engine::sort_places() {
    const std::size_t n = record_.size();
    const search::Balls unsorted{n > 0 ? &record_.data()->position.x : nullptr, sizeof(Record) / sizeof(double), n};
    const std::vector<std::uint32_t> order = search::cell_order(unsorted, system_.domain);
    const auto sort = [&](auto& column) {
        auto sorted = column;
        for (std::size_t s = 0; s < n; ++s) {
            sorted[s] = column[order[s]];
        }
        column.swap(sorted);
    };
    sort(record_);
    sort(turning_);
    sort(body_at_);
    sort(before_);
    sort(virial_);
    lists_since_sorted_ = 0;
}

void Engine::rebuild() {
    const std::int64_t lasted = system_.clock.steps - last_rebuild_;
    last_rebuild_ = system_.clock.steps;
    skin_factor_ = std::clamp(skin_factor_ * (lasted < 20 ? 1.15 : (lasted > 80 ? 0.9 : 1.0)), 0.5, 2.0);
    const std::size_t n = record_.size();
    if (++lists_since_sorted_ >= sort_every) {
        sort_places();
    }
    const model::Bodies& bodies = system_.bodies;
    const double h = system_.clock.step;
    id_.resize(n);
    material_.resize(n);
    reference_.resize(n);
    skin_.resize(n);
    held_.clear();
    for (std::size_t s = 0; s < n; ++s) {
        const std::size_t i = body_at_[s];
        id_[s] = bodies.id[i];
        material_[s] = bodies.material[i];
        reference_[s] = record_[s].position;
        const double way = norm(record_[s].velocity) * h;
        const double r = record_[s].radius;
        const double wanted = options_.skin > 0
                                  ? 0.5 * options_.skin
                                  : skin_factor_ * std::clamp(skin_steps * way, least_skin * r, largest_skin * r);
        skin_[s] = static_cast<float>(std::max(wanted, fewest_steps * way) + correction_room * r);
        if (bodies.is_held(i)) {
            held_.push_back(static_cast<std::uint32_t>(s));
        }
    }
    std::sort(held_.begin(), held_.end(), [&](std::uint32_t a, std::uint32_t b) { return body_at_[a] < body_at_[b]; });
    search_.find({n > 0 ? &record_.data()->position.x : nullptr, sizeof(Record) / sizeof(double), n}, skin_,
                 system_.domain, options_.threads, near_);
    list_walls();
    // Threads share places by the work that these bring.
    const auto ranks = static_cast<std::size_t>(team());
    share_.assign(ranks + 1, n);
    const std::size_t all = near_.size() + n;
    for (std::size_t s = 0, rank = 0; s < n && rank < ranks; ++s) {
        while (rank < ranks && (near_.row[s] + s) * ranks >= all * rank) {
            share_[rank++] = s;
        }
    }
    share_[0] = 0;
    std::vector<char> shared(n, 0);
    for (std::size_t rank = 0; rank < ranks && ranks > 1; ++rank) {
        const auto inside = [&](std::size_t s) { return s >= share_[rank] && s < share_[rank + 1]; };
        for (std::uint32_t k = near_.row[share_[rank]]; k < near_.row[share_[rank + 1]]; ++k) {
            if (!inside(near_.partner[k])) {
                shared[near_.partner[k]] = 1;  // others may meet it too: those whose row it is in, at least
            }
        }
    }
    turns_.prepare(std::move(shared), team());
    rebuild_ = false;
    ++rebuilds_;
}

void Engine::list_walls() {
    wall_watch_.begin(system_.walls);
    std::vector<Vec3d> position(record_.size());
    std::vector<double> radius(record_.size());
    float widest = 0;
    for (std::size_t s = 0; s < record_.size(); ++s) {
        position[s] = record_[s].position;
        radius[s] = record_[s].radius;
        widest = std::max(widest, skin_[s]);
    }
    // A wall's surface comes nearer by what it moves within a step, beside what it has moved already.
    wall_pairs_ = {};
    search::rebuild_wall_pairs(wall_pairs_, {position, radius}, system_.walls, system_.domain,
                               static_cast<double>(widest) + 2 * wall_allowance * mean_radius_,
                               wall_watch_.everywhere(), options_.threads);
    wall_contact_.resize(wall_pairs_.size());
    wall_room_.resize(wall_pairs_.size());
    for (std::size_t q = 0; q < wall_pairs_.size(); ++q) {
        const double r = radius[wall_pairs_.body[q]];
        const bool stays = search::stays_in_place(system_.walls[wall_pairs_.wall[q]]);
        wall_room_[q] = stays ? wall_distance(q) - (1 + correction_room) * r : 0.0;
    }
}

bool Engine::walls_have_moved() const {
    return wall_watch_.farthest(system_.walls) >= wall_allowance * mean_radius_;
}

Engine::WallContact Engine::wall_contact(std::size_t pair) const {
    const model::Wall& wall = system_.walls[wall_pairs_.wall[pair]];
    const Record& record = record_[wall_pairs_.body[pair]];
    const geometry::Nearest near =
        search::listed_wall_point(wall, system_.domain, wall_pairs_, pair, record.position, record.radius);
    return {near.direction, near.point, near.distance, near.acts};
}

const Engine::WallContact& Engine::meet_wall(std::size_t pair) {
    const model::Wall& wall = system_.walls[wall_pairs_.wall[pair]];
    if (!search::is_mesh(wall)) {
        wall_contact_[pair] = wall_contact(pair);
    } else if (wall_pairs_.side[pair] == 0) {
        const Record& record = record_[wall_pairs_.body[pair]];
        const geometry::SurfaceContacts found = search::mesh_contacts(
            wall, system_.domain, wall_pairs_, pair, record.position,
            search::reach_within(wall, record.position, record.velocity, record.radius, system_.clock.step));
        const std::uint32_t sides = search::sides_of(wall_pairs_, static_cast<std::uint32_t>(pair),
                                                     static_cast<std::uint32_t>(wall_pairs_.size()));
        for (std::size_t s = 0; s < sides; ++s) {
            const geometry::Nearest& near = found.of[s].near;
            wall_contact_[pair + s] = {near.direction, near.point, near.distance, s < found.count && near.acts};
        }
    }
    return wall_contact_[pair];
}

double Engine::wall_distance(std::size_t pair) const {
    const model::Wall& wall = system_.walls[wall_pairs_.wall[pair]];
    return search::is_mesh(wall)
               ? search::mesh_distance(wall, system_.domain, wall_pairs_, pair - wall_pairs_.side[pair],
                                       record_[wall_pairs_.body[pair]].position)
               : wall_contact(pair).distance;
}

}  // namespace talus::engines::stepped
