// How far moving walls can have come since bodies were listed with them: lists last until one has come too far.
#pragma once

#include <span>
#include <vector>

#include "talus/model/wall.h"

namespace talus::search {

class WallWatch {
public:
    /// Walls are where they are when bodies are listed.
    void begin(std::span<const model::Wall> walls);
    /// One entry a wall: those that must be listed for every body. An unbounded wall that tilts sweeps arbitrarily far.
    const std::vector<char>& everywhere() const { return everywhere_; }
    /// m, an upper bound on how far the surface of any other wall has moved since.
    double farthest(std::span<const model::Wall> walls) const;

private:
    std::vector<model::Pose> poses_;
    std::vector<char> everywhere_;
};

/// m, an upper bound on how far the surface has moved between two poses; of unbounded walls as long as they do not
/// tilt.
double surface_shift(const model::Wall& wall, const model::Pose& from, const model::Pose& to);

/// Whether the surface of a wall never leaves its place: at rest, or round and turning about its own axis alone.
bool stays_in_place(const model::Wall& wall);

}  // namespace talus::search
