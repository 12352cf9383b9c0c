// Small systems of grains of many spheres, as tests of their engines need them.
#pragma once

#include <cmath>
#include <vector>

#include "random_vector.h"
#include "talus/analysis/energy.h"
#include "talus/base/random.h"
#include "talus/geometry/make_shape.h"
#include "talus/model/system.h"
#include "wall_of.h"

namespace talus::tests {

using math::Vec3d;

inline const std::vector<geometry::Ball> dumbbell = {{{-0.5, 0, 0}, 0.5}, {{0.5, 0, 0}, 0.5}};
inline const std::vector<geometry::Ball> four = {
    {{0, 0, 0}, 0.5}, {{0.6, 0, 0}, 0.4}, {{0.2, 0.6, 0.1}, 0.35}, {{0.3, 0.5, 0.5}, 0.3}};

inline model::System space(const laws::ImpactParams& rule, double step) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law.resize(1);
    out.materials.pair_law[0].impact = rule;
    out.clock.step = step;
    out.grains.shapes.push_back(model::make_grain_shape("four", four));
    out.grains.shapes.push_back(model::make_grain_shape("dumbbell", dumbbell));
    return out;
}

/// `shape` -1: a sphere.
inline void add(model::System& system, int shape, const Vec3d& at, const Vec3d& velocity, const Vec3d& spin = {},
                const Vec3d& turn = {}, double reach = 1) {
    system.bodies.add_sphere(system.counters.next_id++, at, reach, 1000, 0);
    system.bodies.velocity.back() = velocity;
    system.bodies.spin.back() = spin;
    if (shape >= 0) {
        model::shape_body(system.bodies, system.grains, system.bodies.size() - 1, shape,
                          quaternion_from_rotation_vector(turn), 1000);
    }
}

inline double mechanical(const model::System& system) {
    return analysis::measure_energies(system).mechanical();
}
inline double imbalance(const model::System& system, double initial) {
    return std::abs(analysis::energy_balance(analysis::measure_energies(system), initial).relative());
}
/// The n-th site of a cubic lattice, layer by layer.
inline Vec3d site(int n, int edge) {
    const int row = n / edge;
    const int layer = row / edge;
    return {static_cast<double>(n % edge), static_cast<double>(row % edge), static_cast<double>(layer)};
}

/// A floor that turns, walls across x, periods along y.
inline void put_in_box(model::System& system, int edge) {
    const auto w = static_cast<double>(edge);
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {0, 0, 1})));
    system.walls.push_back(wall_of(geometry::make_plane({0, 0, 0}, {1, 0, 0})));
    system.walls.push_back(wall_of(geometry::make_plane({w, 0, 0}, {1, 0, 0})));
    system.domain.low = {-1, 0, -1};
    system.domain.high = {w + 1, w, 100};
    system.domain.periodic = {false, true, false};
    model::Spin spin;
    spin.axis = {0, 0, 1};
    spin.rate = 2;
    system.walls[0].motion.spins.push_back(spin);
}

/// Grains of two shapes and spheres in a box whose floor shakes and turns, falling; a held grain in the middle.
inline model::System shaken_box(int count, double step) {
    model::System out = space({0.7, 0.1, 0.4}, step);
    out.gravity = {0, 0, -9.81};
    base::Random random(3, 1);
    const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
    for (int n = 0; n < count; ++n) {
        const Vec3d velocity = random_vector(random, 8);
        const Vec3d spin = random_vector(random, 5);
        const Vec3d turn = random_vector(random, 3);
        add(out, n % 3 - 1, site(n, edge) + Vec3d{0.5, 0.5, 0.8}, velocity, spin, turn, random.uniform(0.3, 0.49));
    }
    const auto held = static_cast<std::size_t>(count / 2);
    out.bodies.flags[held] = model::position_held | model::rotation_held;
    out.bodies.velocity[held] = {};
    out.bodies.spin[held] = {};
    put_in_box(out, edge);
    out.walls[0].motion.oscillations.push_back({{0, 0, 0.05}, 40, 0, 0});
    return out;
}

}  // namespace talus::tests
