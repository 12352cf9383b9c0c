// The ready systems that `talus bench` measures, one file each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "talus/model/system.h"

namespace talus::simulation {

struct BenchCase {
    std::string name;
    std::string summary;
    /// Builds and readies the case with about this many grains. Contacts have no history yet.
    model::System (*prepare)(std::int64_t particles, int threads);
};

const std::vector<BenchCase>& bench_cases();

/// Periodic x and y, flat floor, grains at rest under gravity.
model::System packed_bed(std::int64_t particles, int threads);
/// A tile of the packed bed after so many steps of settling: at most 2000 grains, 0.67 m deep, periodic in x and y.
model::System packed_tile(std::int64_t grains, std::int64_t steps, int threads);
/// A cylindrical barrel whose flat floor has a round hole. The domain is periodic along the vertical: grains that fall
/// out come back on top, so the flow is steady.
model::System flowing_hopper(std::int64_t particles, int threads);
/// A bed of grains with radii from 1 to 10 mm, their number falling with radius to the power -3.5.
model::System polydisperse_bed(std::int64_t particles, int threads);
/// A horizontal rough cylinder, half full, that turns; periodic along its axis.
model::System turning_drum(std::int64_t particles, int threads);
/// A vessel in which a mixer turns, a mesh of 992 triangles; as in scenes/mixer.toml, with the grains of the bed.
model::System turning_mixer(std::int64_t particles, int threads);
/// Grains that fly freely and collide now and then; solid fraction 0.05, periodic everywhere, no gravity.
model::System dilute_gas(std::int64_t particles, int threads);
/// A flow down an incline, periodic x and y, over a bumpy floor of held grains.
model::System flowing_chute(std::int64_t particles, int threads);

}  // namespace talus::simulation
