// Frames: the state at one instant for looking at, one HDF5 file each (layout: docs/files.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/geometry/shape.h"
#include "talus/math/mat3.h"
#include "talus/model/contact_sample.h"
#include "talus/model/domain.h"
#include "talus/model/materials.h"
#include "talus/model/system.h"

namespace talus::output {

using math::Mat3d;
using math::Vec3d;
using Stress = std::array<double, 6>;  // Pa, pressure positive: xx, yy, zz, yz, xz, xy

/// What to write. Time and step are those of the system's clock.
struct Frame {
    const model::System& system;
    std::string title;
    std::vector<model::ContactSample> contacts;  // may be empty
    std::vector<Stress> stress;                  // per grain, or empty: not stored
};

/// How many partners each grain touches, walls included; the system's pairs must be up to date.
std::vector<std::int32_t> coordination_of(const model::System& system);

/// Writes to a temporary name, then renames; base::RunError if that fails.
void write_frame(const std::filesystem::path& path, const Frame& frame);

struct FrameWall {
    std::string name;
    geometry::Shape shape;
    Vec3d position;  // m, origin of the shape's frame
    Mat3d rotation = Mat3d::identity();
    Vec3d force;   // N, received
    Vec3d torque;  // N m, about the position
    bool present = true;
    std::string colour;  // for pictures, "#rrggbb"; empty: the renderer chooses
    double opacity = 1;  // for pictures
};

/// What was read, complete in itself.
struct FrameFile {
    std::string title;
    double time = 0;  // s
    std::int64_t step = 0;
    model::Domain domain;
    std::vector<model::Material> materials;

    std::vector<std::int64_t> id;  // ascending
    std::vector<Vec3d> position;   // m
    std::vector<Vec3d> velocity;   // m/s
    std::vector<Vec3d> spin;       // rad/s
    std::vector<Vec3d> force;      // N, mass times acceleration: contacts and fields together
    std::vector<double> radius;    // m
    std::vector<double> mass;      // kg
    std::vector<std::int32_t> material;
    std::vector<std::int32_t> coordination;  // grains and walls that touch
    std::vector<Stress> stress;              // empty: not stored

    // Spheres of grains that have several; empty: each grain is one.
    std::vector<std::int64_t> sphere_grain;  // id
    std::vector<Vec3d> sphere_position;      // m
    std::vector<double> sphere_radius;       // m

    std::vector<model::ContactSample> contacts;
    std::vector<FrameWall> walls;
};

/// The row of a grain among ascending ids, if it is there.
std::optional<std::size_t> row_of(const std::vector<std::int64_t>& ids, std::int64_t id);

/// The row of the grain that each sphere belongs to; base::InputError if the frame does not hold it.
std::vector<std::size_t> grain_rows_of_spheres(const FrameFile& frame);

/// The frame with a row for every sphere in place of every grain: what a picture needs. Ids repeat.
FrameFile in_spheres(const FrameFile& frame);

/// base::InputError if the file is missing, damaged, of another kind or of a newer version.
FrameFile read_frame(const std::filesystem::path& path);

}  // namespace talus::output
