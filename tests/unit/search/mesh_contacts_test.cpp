// Bodies near meshes: the triangles they may reach, across borders too, and contacts that are followed from side to
// side.
#include "talus/search/mesh_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "mesh_files.h"
#include "talus/search/wall_search.h"
#include "unit/search/random_bodies.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

model::Wall mesh_wall(Mesh mesh, const Vec3d& position) {
    geometry::Placed placed;
    placed.shape.kind = geometry::ShapeKind::mesh;
    placed.shape.surface = std::make_shared<const geometry::Surface>(std::move(mesh));
    placed.shape.a = placed.shape.surface->reach();
    placed.position = position;
    return wall_of(placed);
}

class Borders : public testing::TestWithParam<std::array<bool, 3>> {};

TEST_P(Borders, WhatIsListedIsAllThatABodyCanMeetUntilItHasUsedItsSkin) {
    model::System system = random_system(4000, {1, 1, 1}, GetParam(), 0.02, 0.06, 17);
    system.walls = {mesh_wall(box_of_triangles({0.5, 0.4, 0.3}, 4), {0.7, 0.1, 0.2})};
    system.wall_pairs.history_size = 4;
    const double skin = 0.05;
    search::rebuild_wall_pairs(system, skin, {0}, 2);
    const model::WallPairList& pairs = system.wall_pairs;
    const model::Wall& wall = system.walls[0];
    std::vector<std::uint32_t> all(wall.shape.surface->faces());
    std::iota(all.begin(), all.end(), 0U);
    int met = 0;
    for (std::uint32_t i = 0; i < system.bodies.size(); ++i) {
        // Moved by nearly the skin, and back into the first period if it has left it.
        const double r = system.bodies.radius[i];
        Vec3d x = system.bodies.position[i] + Vec3d{0.7, -0.5, 0.4} * skin;
        for (int k = 0; k < 3; ++k) {
            if (GetParam()[static_cast<std::size_t>(k)]) {
                x[k] -= std::floor(x[k]);
            }
        }
        const std::uint32_t q = pairs.row[i];
        geometry::SurfaceContacts found;
        if (q < pairs.row[i + 1]) {
            EXPECT_EQ(pairs.side[q], 0);
            EXPECT_EQ(search::sides_of(pairs, q, pairs.row[i + 1]), pairs.row[i + 1] - q);
            found = search::mesh_contacts(wall, system.domain, pairs, q, x, r);
        }
        double least = r;
        geometry::SurfaceContacts expected;
        for (int n = 0; n < 27; ++n) {
            Vec3d at = x;
            const std::array<int, 3> image = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            bool allowed = true;
            for (std::size_t k = 0; k < 3; ++k) {
                allowed = allowed && (image[k] == 0 || GetParam()[k]);
                at[static_cast<int>(k)] += image[k];
            }
            const Vec3d local = wall.pose.to_local(at);
            if (allowed && wall.shape.surface->nearest(local).distance < least) {
                least = wall.shape.surface->nearest(local).distance;
                expected = wall.shape.surface->contacts(local, r, all);
            }
        }
        ASSERT_EQ(found.count, expected.count) << i;
        for (std::size_t c = 0; c < found.count; ++c) {
            EXPECT_NEAR(found.of[c].near.distance, expected.of[c].near.distance, 1e-14);
            EXPECT_NEAR(norm(found.of[c].near.direction - expected.of[c].near.direction), 0, 1e-13);
            ++met;
        }
    }
    EXPECT_GT(met, 50);
}

INSTANTIATE_TEST_SUITE_P(Domains, Borders,
                         testing::Values(std::array{false, false, false}, std::array{true, false, true},
                                         std::array{true, true, true}));

geometry::SurfaceContacts contacts_along(const std::vector<Vec3d>& normals) {
    geometry::SurfaceContacts out;
    for (const Vec3d& n : normals) {
        out.of[out.count++].near.direction = normalized(n);
    }
    return out;
}

model::WallPairList touching_along(const std::vector<Vec3d>& normals, std::size_t sides) {
    model::WallPairList pairs;
    for (std::size_t s = 0; s < sides; ++s) {
        pairs.side.push_back(static_cast<std::uint8_t>(s));
        const bool touches = s < normals.size() && norm2(normals[s]) > 0;
        pairs.touching.push_back(touches ? 1 : 0);
        pairs.normal.push_back(touches ? normalized(normals[s]) : Vec3d{});
    }
    return pairs;
}

using Sides = std::vector<int>;

Sides sides_after(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, std::size_t listed) {
    const search::MeshSides found = search::follow_sides(touching_along(before, listed), 0,
                                                         static_cast<std::uint32_t>(listed), contacts_along(after));
    Sides out(found.contact.begin(), found.contact.end());
    while (!out.empty() && out.back() < 0) {
        out.pop_back();
    }
    return out;
}

TEST(MeshSides, ContactsKeepTheirSidesWhateverTheOrderOfTheTriangles) {
    const Vec3d x{1, 0, 0.01};
    const Vec3d y{0, 1, 0.01};
    const Vec3d z{0, 0.01, 1};
    for (const std::size_t listed : {3U, 4U, 8U}) {
        EXPECT_EQ(sides_after({}, {x, y}, listed), (Sides{0, 1}));
        EXPECT_EQ(sides_after({x, y}, {y, x}, listed), (Sides{1, 0}));
        EXPECT_EQ(sides_after({x, y, z}, {z, x}, listed), (Sides{1, -1, 0}));
        // What is new takes the lowest side that is free.
        EXPECT_EQ(sides_after({x, {}, z}, {x, y, z}, listed), (Sides{0, 1, 2}));
        EXPECT_EQ(sides_after({x}, {y, x, z}, listed), (Sides{1, 0, 2}));
    }
    // Another contact where one has ended: no history is carried over.
    const search::MeshSides turned = search::follow_sides(touching_along({x}, 1), 0, 1, contacts_along({-x}));
    EXPECT_EQ(turned.contact[0], 0);
    EXPECT_TRUE(turned.anew[0]);
}

TEST(MeshSides, ListsCarryHistoriesOfAllSides) {
    model::System system = random_system(2, {1, 1, 1}, {false, false, false}, 0.1, 0.1, 1);
    system.bodies.position = {{0.09, 0.09, 0.09}, {0.5, 0.5, 0.5}};
    system.walls = {mesh_wall(box_of_triangles({1, 1, 1}, 2), {})};
    model::WallPairList& pairs = system.wall_pairs;
    pairs.history_size = 1;
    search::rebuild_wall_pairs(system, 0.01, {0}, 1);
    ASSERT_GE(pairs.size(), 3U);
    pairs.touching[2] = 1;
    pairs.normal[2] = {0, 0, -1};
    pairs.history[2] = 42;
    system.bodies.position[0] = {0.5, 0.5, 0.09};  // fewer triangles are near, yet the side stays until it ends
    search::rebuild_wall_pairs(system, 0.001, {0}, 1);
    ASSERT_GE(pairs.size(), 3U);
    EXPECT_EQ(pairs.touching[2], 1);
    EXPECT_EQ(pairs.history[2], 42);
    const auto kept = search::compact_wall_pairs(pairs, {1, 0});
    EXPECT_EQ(pairs.face_row.size(), pairs.size() + 1);
    EXPECT_EQ(pairs.face.size(), pairs.face_row.back());
    EXPECT_EQ(kept.size(), pairs.size());
}

}  // namespace
}  // namespace talus::tests
