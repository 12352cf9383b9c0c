// The names inside a run's out folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace talus::output {

inline std::filesystem::path manifest_path(const std::filesystem::path& run) {
    return run / "manifest.json";
}
inline std::filesystem::path series_path(const std::filesystem::path& run) {
    return run / "series.csv";
}
inline std::filesystem::path checkpoint_path(const std::filesystem::path& run) {
    return run / "checkpoint.h5";
}
/// Where the checkpoint before the last one is kept: `checkpoint.previous.h5`.
std::filesystem::path previous_checkpoint_path(const std::filesystem::path& checkpoint);

/// `frames/000042.h5`.
std::filesystem::path frame_path(const std::filesystem::path& run, std::int64_t index);
/// All frames of a run in order of their number. Files with other names are left alone.
std::vector<std::filesystem::path> list_frames(const std::filesystem::path& run);
/// Removes the frames from `index` on: a resumed run writes them anew.
void discard_frames_from(const std::filesystem::path& run, std::int64_t index);

}  // namespace talus::output
