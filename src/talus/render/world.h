// What a picture shows, as plain data in world coordinates: balls, tubes, sheets, what is cut away, and the ground.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "talus/math/vec3.h"
#include "talus/output/wall_surface.h"
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

/// The ball that holds all there is to see, and how far light is held off within it.
struct Extent {
    Vec3d center;        // m
    double radius = 1;   // m
    double reach = 0.5;  // m: what is farther off from a surface takes no light of the sky away
};

struct World {
    std::vector<Ball> balls;
    std::vector<Tube> tubes;
    std::vector<Sheet> sheets;
    std::vector<CutPlane> cuts;
    double ball_opacity = 1;
    std::optional<double> ground;  // m, height of a floor that shows nothing but shadows
    std::optional<Extent> extent;  // the same for all pictures of a movie; empty: what this world needs
};

/// Calls visit(centre, radius) for every ball, both ends of every tube and every point of a sheet.
template <class Visit>
void each_dot(const World& world, const Visit& visit) {
    for (const Ball& ball : world.balls) {
        visit(ball.center, ball.radius);
    }
    for (const Tube& tube : world.tubes) {
        visit(tube.from, tube.radius);
        visit(tube.to, tube.radius);
    }
    for (const Sheet& sheet : world.sheets) {
        for (const Vec3d& point : sheet.points) {
            visit(point, 0.0);
        }
    }
}

/// About the middle of a box; light is held off within half the radius.
Extent extent_of(const output::Bounds& bounds);
/// The one a world has been given, or that of the box that holds all of it.
Extent extent_of(const World& world);

}  // namespace talus::render
