// Grains with charges and dipoles, as tests of fields need them.
#pragma once

#include <array>
#include <vector>

#include "unit/engines_grains/soft_grains.h"

namespace talus::tests {

using model::Moments;

/// A sphere of 1 cm that carries `moments`.
inline std::size_t put(model::System& system, const Vec3d& at, const Vec3d& velocity, const Moments& moments,
                       double radius = 0.01) {
    add(system, -1, at, velocity, {}, {}, radius);
    system.grains.resize(system.bodies);
    system.fields.moments.resize(system.bodies.size());
    system.fields.moments.back() = moments;
    return system.bodies.size() - 1;
}

/// A cloud in which everything acts on everything, constants and strengths of order one.
inline model::System cloud(int count, std::uint64_t seed) {
    model::System out = space(smooth(), 1e-4);
    model::Fields& fields = out.fields;
    fields.masses = fields.electric_moments = fields.magnetic_moments = true;
    fields.gravitational_constant = 0.7;
    fields.electric_constant = 1.3;
    fields.magnetic_constant = 0.9;
    base::Random random(seed, 2);
    for (int n = 0; n < count; ++n) {
        const Vec3d at = site(n, 4) * 0.6 + random_vector(random, 0.15);
        const std::size_t i = put(out, at, {}, {}, 0.1);
        out.bodies.mass[i] = random.uniform(0.5, 1.5);
        out.grains.turn[i] = quaternion_from_rotation_vector(random_vector(random, 3));
        out.fields.moments[i] = {random.uniform(-1, 1), random_vector(random, 0.5), random_vector(random, 0.5)};
    }
    return out;
}

inline model::Method method_of(model::System& system, model::Method method) {
    system.integration.method = method;
    system.integration.tolerance = 1e9;  // every frame is one step
    system.integration.shortest = 1e-12;
    system.integration.successive = false;
    return method;
}

}  // namespace talus::tests
