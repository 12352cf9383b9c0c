// The frames of a picture or a movie, read one at a time, gathered about what the camera follows.
#pragma once

#include <optional>
#include <vector>

#include "talus/render/follow.h"
#include "talus/render/options.h"

namespace talus::render {

class ShownFrames {
public:
    /// base::InputError if there are no such frames, or several for a still picture.
    explicit ShownFrames(const RenderOptions& options);

    std::size_t size() const { return paths_.size(); }
    const std::filesystem::path& path(std::size_t number) const { return paths_[number]; }
    /// Read unless it was read last. Frames are asked for in order the first time.
    const output::FrameFile& frame(std::size_t number);
    /// m, what is followed, if anything is: known of frames that have been read.
    std::optional<math::Vec3d> followed(std::size_t number) const;
    /// All frames of the run that they belong to, up to their last one.
    std::vector<std::filesystem::path> history() const;

private:
    std::vector<std::filesystem::path> paths_;
    bool follows_;
    Follower follower_;
    std::vector<math::Vec3d> places_;
    output::FrameFile last_;
    std::optional<std::size_t> last_number_;
};

}  // namespace talus::render
