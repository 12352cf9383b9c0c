// A hopper small enough for tests: it fills, settles, is shaved and discharges within a second or two of computing.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

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

/// A folder of its own that goes away with the test.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("talus_" + name + "_" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace talus::tests
