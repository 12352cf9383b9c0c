// Meshes filled with spheres: to the error asked for, as points counted apart from the grid tell.
#include "talus/geometry/mesh_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "low_discrepancy.h"
#include "mesh_cases.h"

namespace talus::geometry {
namespace {

/// Volume that only one of the two has, over the volume of the solid.
double misplaced(const std::vector<Ball>& balls, const Vec3d& low, const Vec3d& high,
                 const std::function<bool(const Vec3d&)>& solid) {
    int wrong = 0;
    int whole = 0;
    for (int k = 0; k < 200000; ++k) {
        const Vec3d p = even_point(k, low, high);
        whole += solid(p) ? 1 : 0;
        wrong += solid(p) != covers(balls, p) ? 1 : 0;
    }
    return static_cast<double>(wrong) / whole;
}

bool in_cube(const Vec3d& p) {
    return std::min({p.x, p.y, p.z}) >= 0 && std::max({p.x, p.y, p.z}) <= 1;
}

TEST(MeshFill, ACubeIsFilledToTheErrorAskedFor) {
    double before = 1;
    for (const double error : {0.2, 0.1, 0.05}) {
        const MeshFill fill = fill_mesh(cube_mesh(), {.error = error, .spheres = 200});
        EXPECT_LE(fill.error, error);
        EXPECT_LT(fill.balls.size(), 120U);
        EXPECT_FALSE(grain_fault(fill.balls));
        EXPECT_NEAR(misplaced(fill.balls, {-0.2, -0.2, -0.2}, {1.2, 1.2, 1.2}, in_cube), fill.error, 0.008) << error;
        EXPECT_LE(std::abs(fill.volume_error), error);
        EXPECT_LT(fill.distance, before) << "nearer with more spheres";
        before = fill.distance;
    }
}

TEST(MeshFill, TheDistanceIsThatOfTheFarthestCorner) {
    const MeshFill fill = fill_mesh(cube_mesh(), {.error = 0.05, .spheres = 1});
    ASSERT_EQ(fill.balls.size(), 1U);
    const double corner = norm(Vec3d{0.5, 0.5, 0.5}) - fill.balls[0].radius;
    EXPECT_NEAR(fill.distance, corner, 0.02);
    EXPECT_GT(fill.error, 0.3) << "one sphere is not enough, and says so";
}

TEST(MeshFill, ABallIsOneSphere) {
    const MeshFill fill = fill_mesh(ball_mesh(40), {.error = 0.05});
    ASSERT_EQ(fill.balls.size(), 1U);
    EXPECT_LT(norm(fill.balls[0].center), 1e-6);
    EXPECT_NEAR(fill.balls[0].radius, 1, 0.01);
    EXPECT_LE(fill.error, 0.02);
    EXPECT_LT(fill.distance, 0.01);
}

TEST(MeshFill, IsTheSameInWhateverPlaceAndSize) {
    const MeshFill here = fill_mesh(cube_mesh(), {.error = 0.2});
    const MeshFill there = fill_mesh(cube_mesh(4, {16, -8, 32}), {.error = 0.2});
    EXPECT_NEAR(there.error, here.error, 1e-2);
    EXPECT_NEAR(there.distance, 4 * here.distance, 0.1);
}

TEST(MeshFill, AMeshThinnerThanTheGridGetsNoSphere) {
    // A slanting sheet that passes between all points of the grid.
    Mesh plate;
    for (const double height : {0.0, 1e-4}) {
        for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0.3}, Vec3d{0, 1, 0.77}}) {
            plate.points.push_back(p + Vec3d{0, 0, height});
        }
    }
    plate.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 3}, {1, 4, 3}, {1, 2, 4}, {2, 5, 4}, {2, 0, 5}, {0, 3, 5}};
    ASSERT_FALSE(mesh_fault(plate)) << *mesh_fault(plate);
    const MeshFill fill = fill_mesh(plate, {.error = 0.1, .spheres = 5, .cells = 9});
    EXPECT_TRUE(fill.balls.empty());
    EXPECT_EQ(fill.error, 1);
}

}  // namespace
}  // namespace talus::geometry
