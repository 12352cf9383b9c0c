// A small system that uses every field, for tests of files: three touching grains, one apart, walls with all motions.
#pragma once

#include <limits>
#include <vector>

#include "talus/laws/registry.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"

namespace talus::test {

using math::Vec3d;

inline model::Bodies sample_bodies() {
    model::Bodies bodies;
    bodies.add_sphere(2, {0, 0, 0.1}, 0.1, 2500, 0);
    bodies.add_sphere(3, {0.19, 0, 0.1}, 0.1, 2500, 0);
    bodies.add_sphere(7, {0.095, 0.17, 0.1}, 0.11, 2500, 1);
    bodies.add_sphere(9, {5, 5, 5}, 0.2, 2500, 0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double s = 1.0 / static_cast<double>(i + 3);  // no short decimal: exactness shows
        bodies.velocity[i] = {s, -2 * s, 3 * s};
        bodies.spin[i] = {4 * s, 5 * s, -0.0};
        bodies.acceleration[i] = {-s, s * s, -9.81};
        bodies.spin_rate[i] = {s / 7, 0, s};
    }
    bodies.flags[1] = model::rotation_held;
    bodies.stuck_to[3] = 1;
    bodies.stuck_at[3] = {1.0 / 3, 0, 0};
    return bodies;
}

inline void add_sample_contacts(model::System& system) {
    // Rows: 0-1, 0-2 (in an image), 1-2. Of wall pairs some are listed only.
    model::PairList& pairs = system.pairs;
    pairs.row = {0, 2, 3, 3, 3};
    pairs.partner = {1, 2, 2};
    pairs.image = {{0, 0, 0}, {-1, 0, 1}, {0, 0, 0}};
    pairs.history_size = 3;
    for (int k = 0; k < 9; ++k) {
        pairs.history.push_back(1.0 / (k + 7));
    }
    model::WallPairList& wall_pairs = system.wall_pairs;
    wall_pairs.row = {0, 2, 3, 4, 4};
    wall_pairs.body = {0, 0, 1, 2};
    wall_pairs.wall = {0, 1, 0, 0};
    wall_pairs.side = {0, 0, 1, 0};
    wall_pairs.touching = {1, 0, 1, 0};
    wall_pairs.normal = {{0, 0, -1}, {}, {0, 1.0 / 3, -1}, {}};
    wall_pairs.history_size = 2;
    wall_pairs.history = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
}

inline std::vector<model::Wall> sample_walls() {
    std::vector<model::Wall> walls(3);
    walls[0].name = "floor";
    walls[1].name = "drum \"ä\"";
    walls[1].shape = {geometry::ShapeKind::tube, 0.5, 0.25, 2};
    walls[1].behaviour = model::WallBehaviour::sticky;
    walls[1].motion.translations = {{{1, 2, 3}, 0.5}};
    walls[1].motion.oscillations = {{{0, 0, 0.1}, 6.28, 0.3, 0.5}, {{0.2, 0, 0}, 3.14, 0, 0}};
    walls[1].motion.spins = {{{0, 1, 0}, {0.1, 0, 0}, -3.5, 0.25}};
    walls[1].motion.keyframes = {{0, {}, {}}, {1, {0.1, 0, 0}, {0, 0, 1.5}}};
    walls[1].pose.position = {0.1, 0.2, 0.3};
    walls[1].pose.rotation = math::Mat3d::from_columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
    walls[1].pose.velocity = {1, 2, 3};
    walls[1].pose.spin = {0, -3.5, 0};
    walls[1].material = 1;
    walls[1].motion.drives = {{true, {0, 1, 0}, {0, 0, 1}, 2, 3, 4, 5, {6, 7, 8}, 9, 10, 11, 12}};
    walls[1].record = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, 13, 14, 15, 16, 17};
    walls[2].name = "gone";
    walls[2].shape = {geometry::ShapeKind::disk, 0.1, 0.4, 0};
    walls[2].present = false;
    return walls;
}

inline model::System sample_system() {
    model::System system;
    system.domain.low.x = -1;
    system.domain.high.x = 10;
    system.domain.periodic = {true, false, false};
    system.bodies = sample_bodies();
    system.walls = sample_walls();
    add_sample_contacts(system);
    model::Flights& flights = system.flights;
    flights.position = system.bodies.position;
    flights.velocity = system.bodies.velocity;
    flights.anchor = system.bodies.velocity;
    flights.calm = {0.3, 0.7, 1.0 / 7, 0.9};
    flights.knocks = {1, 0, 5, 2};
    flights.time = {0, 0.1, 1.0 / 3, 0.2};
    flights.epoch = 1.0 / 17;
    flights.now = 0.4;
    flights.collisions = 19;
    flights.held_work = 1.0 / 19;
    flights.held_energy = 0.6;
    system.flight_rules = {true, 1.0 / 23, 1.0 / 230, model::StuckMotion::parabola, false};
    system.materials.list = {{"grain", 2500}, {"steel", 7800}};
    system.materials.pair_law.resize(4);
    model::PairLaw law;
    law.law = static_cast<std::int32_t>(laws::registry().size()) - 1;
    law.parameters.value[0] = 8e4;
    law.parameters.value[15] = std::numeric_limits<double>::infinity();
    system.materials.set(0, 0, law);
    system.materials.set(0, 1, law);  // steel on steel stays undescribed
    system.gravity = {0, 0, -9.80665};
    system.clock = {3e-6, 123456789, 0.125, 1000};
    system.counters = {10, 3, 0.5, 2, 44, 0.0123, 7};
    system.ledger = {.dissipated = {0.1, 0.2, 1.0 / 3, 0.4, 0.5, -1e-310},
                     .power = {6, 7, 8, 9, 10, -1.0 / 7},
                     .stored = {0.7, 0.8},
                     .peak = {1, 2, 3, 4, 5, 1.0 / 13},
                     .held_work = 1.0 / 9,
                     .held_power = 0.9,
                     .gravity_reference = -1.0 / 11,
                     .removed = 2,
                     .injected = 3};
    system.stage = {2, true, 0.75, 0.5};
    system.seed = 0xFFFFFFFFFFFFFFF7U;
    system.impulses.virial = {{1, 2, 3, 4, 5, 6}, {}, {1.0 / 3}, {0, -7}};
    system.impulses.mark_frame(0.125);
    system.impulses.virial[1][5] = 1.0 / 23;
    system.impulses.met = {3, 5};
    return system;
}

inline std::vector<model::ContactSample> sample_contacts() {
    return {{2, 3, -1, {-10, 1, 0}, {1, 0, 0}, {0.095, 0, 0.1}, 0.01},
            {2, 7, -1, {0, -5, 0}, {0.49, 0.87, 0}, {0.047, 0.08, 0.1}, 0.015},
            {3, -1, 0, {0, 0, 25}, {0, 0, -1}, {0.19, 0, 0}, 0.001}};
}

}  // namespace talus::test
