// Contact forces as lines from grain to grain, one for each pair, however many of their spheres touch.
#pragma once

#include <vector>

#include "talus/output/frame.h"

namespace talus::render {

struct ForceLine {
    math::Vec3d from, to;  // m, from the centre of a grain to that of the other, or to the wall
    double force = 0;      // N, size of the sum over their contacts
    bool to_wall = false;
};
/// In order of the grains' ids.
std::vector<ForceLine> force_lines(const output::FrameFile& frame);

/// base::InputError if grains of the frame touch but the forces between them were not stored.
void need_contacts(const output::FrameFile& frame, const std::string& path);

}  // namespace talus::render
