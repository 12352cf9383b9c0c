// The walls of a PKDGRAV wall file (HSDEM Sect. 2.1) as it gives them; docs/import.md has the format.
// format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/math/vec3.h"

namespace talus::scene {

using math::Vec3d;

/// In place of a restitution: the grains' own counts.
inline constexpr double grains_own = 99;

/// One wall with the format's own defaults; the numbers are SI once read.
struct FileWall {
    std::string type = "plane";
    Vec3d origin;                              // m
    Vec3d orient{0, 0, 1};                     // not zero
    Vec3d vertex1{1, 0, 0}, vertex2{0, 1, 0};  // m, from the origin
    Vec3d velocity;                            // m/s
    double swing = 0;                          // m, amplitude
    double swing_rate = 0;                     // rad/s
    double swing_phase = 0;                    // of a turn
    Vec3d swing_along{0, 0, 1};                // not zero
    double radius = 1, hole = 0, length = 1;   // m
    double taper = 0;                        // part of the radius that is lost towards the end that `orient` points to
    double opening = 0;                      // deg, of a shell
    double spin = 0;                         // rad/s about `orient`
    double normal_restitution = grains_own;  // 0: sticky, below: absorbing (errata 5)
    double transverse_restitution = grains_own;
    double colour = -1;  // index into the palette; below zero: not given
    double transparency = 0;
    std::string name;  // from the comment behind a lone `wall`; may be empty
    base::Location where;
};

/// What one unit of the file is; nothing: as the format has it, au and year / 2 pi times the file's own factors.
struct FileUnits {
    std::optional<double> length;  // m
    std::optional<double> time;    // s
};

/// Every fault is reported with its place; the walls are of use only if there was none.
std::vector<FileWall> read_wall_file(const std::filesystem::path& file, const FileUnits& units,
                                     base::Diagnostics& diagnostics);

}  // namespace talus::scene
