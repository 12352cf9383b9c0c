// The shape of a wall of a PKDGRAV wall file as a scene says it, degenerate ones included.
#pragma once

#include <string>

#include "talus/geometry/make_shape.h"
#include "talus/scene/wall_file.h"

namespace talus::scene {

/// Numbers and vectors as TOML, to fifteen digits: enough for any measured length, and 5.5 cm stays 0.055.
std::string toml_number(double value);
std::string toml_vector(const Vec3d& v);

struct ImportedShape {
    std::string text;  // the table behind `shape =`
    geometry::Placed placed;
};

/// Where the wall is at time zero. Throws std::invalid_argument with a sentence on what is wrong.
ImportedShape import_shape(const FileWall& wall);

}  // namespace talus::scene
