#include "talus/render/shown_frames.h"

#include <fmt/format.h>

#include "talus/base/diagnostics.h"
#include "talus/output/export.h"
#include "talus/output/run_folder.h"
#include "talus/render/frame_choice.h"

namespace talus::render {

ShownFrames::ShownFrames(const RenderOptions& options) : follows_(options.follows()), follower_(options.follow) {
    const std::string usual = options.is_movie() && !options.turntable ? "0:-1" : "-1";
    paths_ = choose_frames(output::frames_of(options.source), options.frames.empty() ? usual : options.frames);
    if (!options.is_movie() && paths_.size() > 1) {
        throw base::InputError(
            fmt::format("{}: {} frames make a movie, which ends in .mp4", options.out.string(), paths_.size()));
    }
}

const output::FrameFile& ShownFrames::frame(std::size_t number) {
    if (last_number_ != number) {
        last_number_.reset();  // until it has been read
        last_ = output::read_frame(paths_.at(number));
        if (follows_) {
            if (number == places_.size()) {
                places_.push_back(follower_.at(last_));
            }
            gather_about(last_, places_.at(number));
        }
        last_number_ = number;
    }
    return last_;
}

std::optional<math::Vec3d> ShownFrames::followed(std::size_t number) const {
    return follows_ ? std::optional(places_.at(number)) : std::nullopt;
}

std::vector<std::filesystem::path> ShownFrames::history() const {
    const auto whole = [](const std::filesystem::path& path) {
        return std::filesystem::absolute(path).lexically_normal();
    };
    const std::filesystem::path last = whole(paths_.back());
    std::vector<std::filesystem::path> out;
    for (const std::filesystem::path& path : output::list_frames(last.parent_path().parent_path())) {
        out.push_back(path);
        if (whole(path) == last) {
            return out;
        }
    }
    return paths_;  // a file that lies elsewhere
}

}  // namespace talus::render
