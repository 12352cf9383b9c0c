// What a picture shows, as plain data in world coordinates: balls, tubes, sheets, what is cut away, and the ground.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "talus/math/vec3.h"
#include "talus/render/colour.h"

namespace talus::render {

using math::Vec3d;

struct Ball {
    Vec3d center;       // m
    double radius = 0;  // m
    Rgb colour;
};

/// With round ends.
struct Tube {
    Vec3d from, to;     // m
    double radius = 0;  // m
    Rgb colour;
};

/// A surface of triangles without thickness.
struct Sheet {
    std::vector<Vec3d> points;   // m
    std::vector<Vec3d> normals;  // unit vectors at the points
    std::vector<std::array<std::uint32_t, 3>> triangles;
    Rgb colour;
    double opacity = 1;  // seen face on; a slanting look passes more of it
};

/// What lies at normal . x < offset is cut away; balls show flat faces there.
struct CutPlane {
    Vec3d normal;  // unit vector
    double offset = 0;
};

struct World {
    std::vector<Ball> balls;
    std::vector<Tube> tubes;
    std::vector<Sheet> sheets;
    std::vector<CutPlane> cuts;
    double ball_opacity = 1;
    std::optional<double> ground;  // m, height of a floor that shows nothing but shadows
};

/// The middle of the box that holds all of it, and the ball about that.
struct Extent {
    Vec3d center;       // m
    double radius = 0;  // m, of the ball about the centre
};
Extent extent_of(const World& world);

}  // namespace talus::render
