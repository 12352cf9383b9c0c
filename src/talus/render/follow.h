// What a camera follows through periodic borders: one grain, or all of them together.
#pragma once

#include <map>
#include <optional>

#include "talus/output/frame.h"

namespace talus::render {

class Follower {
public:
    /// One grain by its id; none: the centre of mass of all.
    explicit Follower(std::optional<std::int64_t> grain) : grain_(grain) {}
    /// m, where it is in the next frame, within the domain. A grain that has left stays where it was last;
    /// base::InputError if it is not in the first frame.
    math::Vec3d at(const output::FrameFile& frame);

private:
    math::Vec3d middle_of(const output::FrameFile& frame);

    std::optional<std::int64_t> grain_;
    std::optional<math::Vec3d> last_;
    std::map<std::int64_t, math::Vec3d> before_;  // m, grains of the last frame
};

/// Moves grains by whole periods to where they are nearest to a place, so that what is followed has the same company
/// on both sides of a periodic border.
void gather_about(output::FrameFile& frame, const math::Vec3d& place);

}  // namespace talus::render
