#include "talus/engines/hard/grain_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "talus/base/diagnostics.h"
#include "talus/base/float_mode.h"
#include "talus/engines/hard/rest_rule.h"
#include "talus/math/free_rotation.h"
#include "talus/model/leaving.h"

namespace talus::engines::hard {

GrainEngine::GrainEngine(model::System& system, Options options, bool resumed)
    : system_(system), options_(std::move(options)) {
    base::pin_float_mode(1);
    if (resumed) {
        load();
    } else {
        system_.ledger.gravity_reference = model::gravity_lift(system_);
        start();
    }
}

void GrainEngine::system_changed() {
    start();
}

/// From the bodies as somebody else has left them.
void GrainEngine::start() {
    for (const model::Wall& wall : system_.walls) {
        if (wall.present && wall.behaviour == model::WallBehaviour::sticky) {
            throw base::RunError(
                fmt::format("wall {} is sticky: hard grains of several spheres cannot be held by walls", wall.name));
        }
    }
    model::Bodies& bodies = system_.bodies;
    model::Flights& flights = system_.flights;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies.flags[b] &= static_cast<std::uint8_t>(~model::at_rest);  // all may have changed
        const Vec3d inside = wrapped(system_.domain, bodies.position[b]);
        if (!bodies.is_held(b)) {
            system_.ledger.gravity_reference += bodies.mass[b] * dot(system_.gravity, inside - bodies.position[b]);
        }
        bodies.position[b] = inside;
    }
    system_.grains.resize(bodies);
    if (options_.stress) {
        system_.impulses.resize(bodies.size());
    }
    if (options_.resting) {
        flights.anchor = bodies.position;
        flights.anchor_turn = system_.grains.turn;
        flights.calm.assign(bodies.size(), system_.clock.time());
        flights.knocks.assign(bodies.size(), 0);
    }
    load();
    note_overlaps();
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (!system_.bodies.is_held(i) && is_outside(system_.domain, record_[i].position)) {
            leave(i);
        }
    }
}

void GrainEngine::load() {
    const std::size_t count = system_.bodies.size();
    start_ = system_.clock.time();
    now_ = counted_until_ = 0;
    keep_.clear();
    record_.assign(count, {});
    event_.assign(count, {});
    meeting_.assign(count, {});
    touch_.assign(count, {});
    nature_.assign(count, {});
    turning_.assign(count, Turning{});
    parts_.clear();
    flying_ = measures_.asleep = 0;
    bool held_move = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        load_body(i);
        measures_.asleep += is_asleep(i) ? 1 : 0;
        flying_ += is_fixed(i) ? 0 : 1;
        held_move = held_move || (nature_[i].inverse_mass == 0 && moves(i));
    }
    load_cells();
    walls_ = wall_views(system_);
    measures_.wall_impulse.resize(system_.walls.size());
    rests_ = grains_may_rest(system_, options_.resting, options_.slow) && !held_move;
}

void GrainEngine::load_body(std::uint32_t i) {
    const model::Bodies& bodies = system_.bodies;
    model::Grains& grains = system_.grains;
    Nature& nature = nature_[i];
    nature.sphere = grains.is_sphere(i);
    nature.inverse_mass = bodies.is_held(i) ? 0.0 : 1 / bodies.mass[i];
    nature.radius = nature.smallest = bodies.radius[i];
    nature.first = static_cast<std::uint32_t>(parts_.size());
    if (nature.sphere) {
        parts_.push_back({{}, 0, bodies.radius[i]});
    } else {
        for (const geometry::Ball& ball : grains.shapes[static_cast<std::size_t>(grains.shape[i])].balls) {
            const Vec3d arm = ball.center * bodies.radius[i];
            parts_.push_back({arm, norm(arm), ball.radius * bodies.radius[i]});
            nature.arm = std::max(nature.arm, parts_.back().length);
            nature.smallest = std::min(nature.smallest, parts_.back().radius);
        }
    }
    nature.last = static_cast<std::uint32_t>(parts_.size());
    const Vec3d moment = nature.sphere ? Vec3d{1, 1, 1} * bodies.inertia[i] : grains.moment[i];
    if (!bodies.is_turning_held(i)) {
        nature.inverse_moment = {1 / moment.x, 1 / moment.y, 1 / moment.z};
    }
    // Whoever has set the spin means the angular momentum too.
    const Vec3d& kept = grains.turning[i];
    const Vec3d meant =
        nature.sphere ? kept * nature.inverse_moment.x : math::spin_of(kept, grains.turn[i], nature.inverse_moment);
    if (meant != bodies.spin[i]) {
        grains.turning[i] = model::angular_momentum(bodies, grains, i, bodies.spin[i]);
    }
    record_[i] = {bodies.position[i], bodies.velocity[i], 0, 0, 0};
    Turning& turning = turning_[i];
    turning.turn = grains.turn[i];
    turning.axes = to_matrix(turning.turn);
    turning.momentum = grains.turning[i];
    turning.spin = bodies.spin[i];
    begin_flight(i);
}

void GrainEngine::load_cells() {
    Vec3d low{never, never, never};
    Vec3d high{-never, -never, -never};
    double largest = 0;
    for (std::uint32_t i = 0; i < size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], record_[i].position[k]);
            high[k] = std::max(high[k], record_[i].position[k]);
        }
        largest = std::max(largest, nature_[i].radius);
    }
    grid_ = size() > 0 ? Grid(system_.domain, low, high, 2 * largest, size()) : Grid();
    cells_.reset(grid_.size());
    for (std::uint32_t i = 0; i < size(); ++i) {
        record_[i].cell = grid_.cell_of(record_[i].position);
        cells_.insert(grid_.index(record_[i].cell), i);
    }
}

void GrainEngine::give_back() {
    model::Bodies& bodies = system_.bodies;
    for (std::uint32_t i = 0; i < size(); ++i) {
        bodies.position[i] = record_[i].position;
        bodies.velocity[i] = record_[i].velocity;
        bodies.spin[i] = turning_[i].spin;
        bodies.acceleration[i] = is_fixed(i) ? Vec3d{} : system_.gravity;
        system_.grains.turn[i] = turning_[i].turn;
        system_.grains.turning[i] = turning_[i].momentum;
    }
    model::place_walls(system_);
}

void GrainEngine::remove(const std::vector<char>& keep) {
    for (std::size_t b = 0; b < keep.size(); ++b) {
        if (!keep[b]) {
            model::book_removal(system_, b);
        }
    }
    compact(keep);
}

void GrainEngine::compact(const std::vector<char>& keep) {
    model::Flights& flights = system_.flights;
    model::squeeze(flights.anchor, keep);
    model::squeeze(flights.anchor_turn, keep);
    model::squeeze(flights.calm, keep);
    model::squeeze(flights.knocks, keep);
    system_.impulses.compact(keep);
    system_.bodies.compact(keep);
    system_.grains.compact(keep);
}

double GrainEngine::kinetic_energy(std::uint32_t i) const {
    return 0.5 * system_.bodies.mass[i] * norm2(record_[i].velocity) +
           0.5 * dot(turning_[i].momentum, turning_[i].spin);
}

const laws::ImpactParams& GrainEngine::params_between(std::uint32_t i, std::int32_t other_material) const {
    if (options_.impacts.size() == 1) {
        return options_.impacts[0];
    }
    const auto row = static_cast<std::size_t>(system_.bodies.material[i]) * system_.materials.size();
    return options_.impacts[row + static_cast<std::size_t>(other_material)];
}

void GrainEngine::note_overlaps() {
    for (std::uint32_t i = 0; i < size(); ++i) {
        candidates_.collect(grid_, cells_, box_around(grid_, record_[i].cell, record_[i].cell), *options_.kernels, i);
        for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
            const std::uint32_t j = candidates_.id(k);
            const Vec3d between = record_[i].position - record_[j].position + candidates_.shift(k);
            if (j <= i || norm(between) > nature_[i].radius + nature_[j].radius) {
                continue;
            }
            for (std::uint32_t p = nature_[i].first; p < nature_[i].last; ++p) {
                for (std::uint32_t q = nature_[j].first; q < nature_[j].last; ++q) {
                    const Vec3d d = between + turning_[i].axes * parts_[p].arm - turning_[j].axes * parts_[q].arm;
                    note_overlap(i, parts_[p].radius + parts_[q].radius - norm(d),
                                 std::min(parts_[p].radius, parts_[q].radius));
                }
            }
        }
    }
}

void GrainEngine::note_overlap(std::uint32_t i, double overlap, double radius) {
    const double part = overlap / radius;
    if (part > system_.counters.largest_overlap) {
        system_.counters.largest_overlap = part;
        system_.counters.largest_overlap_id = system_.bodies.id[i];
    }
}

}  // namespace talus::engines::hard
