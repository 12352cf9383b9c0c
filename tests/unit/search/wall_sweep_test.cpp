// How far a moving wall has come: never less than the way of any of its points, and for a mesh that spins not much
// more.
#include "talus/search/wall_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "mesh_files.h"
#include "random_vector.h"
#include "talus/base/random.h"
#include "talus/geometry/make_shape.h"
#include "talus/geometry/surface.h"
#include "talus/math/rotation.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

model::Wall mesh_wall(const Vec3d& corner, const Vec3d& size) {
    Mesh mesh = box_of_triangles(size, 1);
    for (Vec3d& p : mesh.points) {
        p += corner;
    }
    geometry::Placed placed;
    placed.shape.kind = geometry::ShapeKind::mesh;
    placed.shape.surface = std::make_shared<const geometry::Surface>(std::move(mesh));
    placed.shape.a = placed.shape.surface->reach();
    return wall_of(placed);
}

/// Between two poses of the wall's frame.
double longest_way(std::span<const Vec3d> points, const model::Pose& from, const model::Pose& to) {
    double out = 0;
    for (const Vec3d& p : points) {
        out = std::max(out, norm((to.position + to.rotation * p) - (from.position + from.rotation * p)));
    }
    return out;
}

model::Pose random_pose(base::Random& random, double largest_turn, const model::Pose& about) {
    model::Pose pose = about;
    pose.position += random_vector(random, 0.1);
    pose.rotation = math::rotation_matrix(random_vector(random, largest_turn)) * about.rotation;
    return pose;
}

TEST(SurfaceShift, IsNoLessThanTheWayOfAnyPoint) {
    const std::vector<model::Wall> walls = {mesh_wall({-0.3, -0.2, 0.1}, {0.6, 0.5, 2}),
                                            mesh_wall({1, 0, -0.1}, {0.01, 3, 0.2}),
                                            wall_of(geometry::make_rectangle({0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}))};
    base::Random random(5, 0);
    for (const model::Wall& wall : walls) {
        const std::vector<Vec3d> corners = {{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0.3, 0.2, 0}};
        const auto& points = wall.shape.surface ? wall.shape.surface->mesh().points : corners;
        for (const double turn : {1e-12, 1e-7, 1e-3, 0.3, 3.0}) {
            for (int k = 0; k < 50; ++k) {
                const model::Pose from = random_pose(random, 3, wall.pose);
                const model::Pose to = random_pose(random, turn, from);
                const double way = longest_way(points, from, to);
                EXPECT_GE(search::surface_shift(wall, from, to), way * (1 - 1e-12)) << turn;
            }
        }
    }
}

TEST(SurfaceShift, OfAMeshThatTurnsAboutAnAxisOfItsOwnIsTheWayOfThePointFarthestOffIt) {
    const model::Wall wall = mesh_wall({-0.3, -0.2, 0.1}, {0.6, 0.5, 2});
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        for (const double turn : {1e-5, 0.1, 2.0}) {
            model::Pose to = wall.pose;
            to.rotation = math::rotation_matrix(axis, turn);
            const double way = longest_way(wall.shape.surface->mesh().points, wall.pose, to);
            EXPECT_NEAR(search::surface_shift(wall, wall.pose, to) / way, 1, 1e-8);
        }
    }
}

}  // namespace
}  // namespace talus::tests
