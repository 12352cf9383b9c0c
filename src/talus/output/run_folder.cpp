#include "talus/output/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace talus::output {
namespace {

/// The number of a frame file, or -1 for any other file.
std::int64_t frame_index(const std::filesystem::path& file) {
    const std::string stem = file.stem().string();
    std::int64_t index = -1;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), index);
    const bool whole = error == std::errc() && end == stem.data() + stem.size();
    return whole && index >= 0 && file.extension() == ".h5" ? index : -1;
}

std::vector<std::pair<std::int64_t, std::filesystem::path>> numbered_frames(const std::filesystem::path& run) {
    std::vector<std::pair<std::int64_t, std::filesystem::path>> frames;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(run / "frames", none)) {
        const std::int64_t index = frame_index(entry.path());
        if (index >= 0) {
            frames.emplace_back(index, entry.path());
        }
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

}  // namespace

std::filesystem::path previous_checkpoint_path(const std::filesystem::path& checkpoint) {
    std::filesystem::path previous = checkpoint;
    previous.replace_extension();
    previous += ".previous";
    previous += checkpoint.extension();
    return previous;
}

std::filesystem::path frame_path(const std::filesystem::path& run, std::int64_t index) {
    return run / "frames" / fmt::format("{:06}.h5", index);
}

std::vector<std::filesystem::path> list_frames(const std::filesystem::path& run) {
    std::vector<std::filesystem::path> paths;
    for (auto& [index, path] : numbered_frames(run)) {
        paths.push_back(std::move(path));
    }
    return paths;
}

void discard_frames_from(const std::filesystem::path& run, std::int64_t index) {
    for (const auto& [number, path] : numbered_frames(run)) {
        if (number >= index) {
            std::filesystem::remove(path);
        }
    }
}

}  // namespace talus::output
