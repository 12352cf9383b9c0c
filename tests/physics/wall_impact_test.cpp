// No impact on a wall at rest, at whatever angle and on whatever shape, face, edge, rim or corner, gains energy.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/elastic_impact.h"
#include "talus/geometry/nearest.h"

namespace talus::tests {
namespace {

std::vector<Shaped> shapes() {
    using namespace geometry;
    const Vec3d tilted = normalized(Vec3d{1, -2, 3});
    const Vec3d across = normalized(cross(tilted, Vec3d{1, 0, 0}));
    return {
        {"plane", make_plane({0, 0, 0}, tilted)},
        {"disk", make_disk({0, 0, 0}, tilted, 0.03)},
        {"disk with hole", make_disk({0, 0, 0}, {0, 0, 1}, 0.04, 0.02)},
        {"rectangle", make_rectangle({-0.02, -0.01, 0}, tilted * 0.05, across * 0.03)},
        {"triangle", make_triangle({-0.02, 0, 0}, {0.03, 0.01, 0}, {0, 0.02, 0.03})},
        {"cylinder", make_cylinder({0, 0, 0}, tilted, 0.03)},
        {"tube", make_tube({0, 0, -0.02}, {0, 0, 0.02}, 0.03, 0.03)},
        {"funnel", make_tube({0, 0, -0.02}, {0, 0, 0.02}, 0.02, 0.05)},
        {"cone", make_tube({0, 0, 0}, tilted * 0.05, 0, 0.04)},
        {"sphere", make_sphere({0, 0, 0}, 0.03)},
        {"ring", make_ring({0, 0, 0}, tilted, 0.02)},
        {"line", make_line({0, 0, 0}, tilted)},
        {"segment", make_segment({0, 0, 0}, tilted * 0.03)},
        {"point", make_point({0, 0, 0})},
    };
}

/// A sphere a hair away from a random place of the wall, moving towards it at any angle, spinning anyhow. False where
/// the place has no room for the sphere.
bool aim(model::System& system, const geometry::Placed& placed, base::Random& random) {
    model::Pose pose;
    pose.position = placed.position;
    pose.rotation = placed.rotation;
    const Vec3d from = placed.position + random_vector(random, 0.06);
    const geometry::Nearest near = geometry::nearest(placed.shape, pose.to_local(from));
    if (!near.acts || near.distance < 1.05 * radius) {
        return false;
    }
    const Vec3d towards = placed.rotation * near.direction;
    const Vec3d at = from + towards * (near.distance - 1.001 * radius);
    Vec3d direction = random_direction(random);
    if (dot(direction, towards) < 0) {
        direction = -direction;
    }
    if (dot(direction, towards) < 0.03) {
        return false;  // would take too long to arrive
    }
    add_sphere(system, at, radius, direction * speed, random_vector(random, speed / radius));
    return true;
}

Outcome impact(const geometry::Placed& placed, const Friction& f, double step_fraction, base::Random& random) {
    model::System system = rough_system(f);
    add_wall(system, placed);
    while (!aim(system, placed, random)) {
    }
    return bounce(system, step_fraction, 800);
}

/// Worst outcome over many impacts with several kinds of friction.
Outcome worst_impact(const geometry::Placed& placed, const std::vector<Friction>& frictions, double step_fraction,
                     int impacts) {
    base::Random random(41, 0);
    Outcome worst;
    int touched = 0;
    for (const Friction& f : frictions) {
        for (int k = 0; k < impacts; ++k) {
            const Outcome one = impact(placed, f, step_fraction, random);
            worst.merge(one);
            touched += one.touched ? 1 : 0;
        }
    }
    EXPECT_GT(10 * touched, 9 * impacts * static_cast<int>(frictions.size()));  // a few pass an edge by
    return worst;
}

TEST(WallImpact, GainsNoEnergyOnAnyShape) {
    expect_no_gain(shapes(), [](const geometry::Placed& placed, double fraction) {
        return worst_impact(placed, {{0, 0, 0}}, fraction, 200);
    });
}

TEST(WallImpact, WithFrictionGainsNoEnergyOnAnyShape) {
    // Sliding, never slipping (no damping loses what the springs do), and damped.
    const std::vector<Friction> frictions = {{0.3, 0, 1}, {0.3, 0, 0}, {1e9, 0, 1}, {0.5, 3, 0.5}};
    for (const Shaped& shape : shapes()) {
        const Outcome half = worst_impact(shape.placed, frictions, 0.5, 100);
        Outcome whole = worst_impact(shape.placed, frictions, 1.0, 40);
        whole.merge(worst_impact(shape.placed, frictions, 0.97, 40));
        expect_no_gain(shape, half, whole);
    }
}

}  // namespace
}  // namespace talus::tests
