// A hopper small enough for tests: it fills, settles, is shaved and discharges within a second or two of computing.
#pragma once

#include <filesystem>
#include <string>

#include "talus/scene/scene.h"

namespace talus::tests {

/// scenes/hopper_quick.toml with fewer grains and shorter stages. `grains` above 512 makes loops use all threads.
inline scene::Scene small_hopper(int grains, double fill_time, double flow_time) {
    const std::filesystem::path file = std::filesystem::path(TALUS_SOURCE_DIR) / "scenes/hopper_quick.toml";
    return scene::load(
        file,
        {"fill.0.count=" + std::to_string(grains), "stages.fill.until={duration=" + std::to_string(fill_time) + "}",
         "stages.shave.until={duration=0.005}", "stages.discharge.until={duration=" + std::to_string(flow_time) + "}"});
}

}  // namespace talus::tests
