// A dilute granular gas: hardly any contacts, so that what is measured is free flight and the listing of pairs.
#include "talus/base/random.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

constexpr double pitch = 0.044;  // m between the sites of the start: a solid fraction of 0.049
constexpr double jitter = 0.9 * (pitch / 2 - bench_grain::radius);  // m
constexpr double speed = 1;                                         // m/s, greatest along each axis

}  // namespace

model::System dilute_gas(std::int64_t particles, int /*threads*/) {
    model::System gas = bench_system(bench_grain::kn, {});
    gas.gravity = {};
    std::int64_t edge = 1;  // sites
    while (edge * edge * edge < particles) {
        ++edge;
    }
    gas.domain.low = {0, 0, 0};
    const double length = static_cast<double>(edge) * pitch;
    gas.domain.high = {length, length, length};
    gas.domain.periodic = {true, true, true};
    base::Random random(1999, 0);
    for (std::int64_t n = 0; n < particles; ++n) {
        const std::int64_t layer = n / (edge * edge);
        const std::int64_t row = n / edge % edge;
        Vec3d at{static_cast<double>(n % edge), static_cast<double>(row), static_cast<double>(layer)};
        Vec3d velocity;
        for (int axis = 0; axis < 3; ++axis) {
            at[axis] = (at[axis] + 0.5) * pitch + random.uniform(-jitter, jitter);
            velocity[axis] = random.uniform(-speed, speed);
        }
        gas.bodies.add_sphere(gas.counters.next_id++, at, bench_grain::radius, bench_grain::density, grain_material);
        gas.bodies.velocity.back() = velocity;
    }
    return gas;
}

}  // namespace talus::simulation
