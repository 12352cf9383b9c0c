// Mass properties of unions of spheres: closed forms, sections against them, turned copies, and counted points.
#include "talus/geometry/sphere_union.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "talus/base/random.h"
#include "talus/math/rotation.h"

namespace talus::geometry {
namespace {

constexpr double pi = std::numbers::pi;

double largest(const Mat3d& m) {
    double out = 0;
    for (const Vec3d& row : m.row) {
        out = std::max({out, std::abs(row.x), std::abs(row.y), std::abs(row.z)});
    }
    return out;
}

Mat3d difference(const Mat3d& a, const Mat3d& b) {
    return {{a.row[0] - b.row[0], a.row[1] - b.row[1], a.row[2] - b.row[2]}};
}

/// Balls that hang together, each next to one before it.
std::vector<Ball> random_grain(base::Random& random, int count) {
    std::vector<Ball> out = {{{0.2, -0.1, 0.4}, 1}};
    while (static_cast<int>(out.size()) < count) {
        const auto to = static_cast<std::size_t>(random.uniform(0, static_cast<double>(out.size())));
        const Vec3d way{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const Ball next{out[to].center + way * (random.uniform(0.7, 1.2) / norm(way)), random.uniform(0.5, 1)};
        out.push_back(next);
        if (grain_fault(out)) {
            out.pop_back();
        }
    }
    return out;
}

std::vector<Ball> tetrahedron() {
    std::vector<Ball> out;
    for (const Vec3d& at : {Vec3d{1, 1, 1}, Vec3d{1, -1, -1}, Vec3d{-1, 1, -1}, Vec3d{-1, -1, 1}}) {
        out.push_back({at * 0.6, 1});
    }
    return out;
}

TEST(SphereUnion, OneSphere) {
    const std::vector<Ball> one = {{{3, -2, 5}, 0.5}};
    const MassProperties p = mass_properties(one);
    EXPECT_DOUBLE_EQ(p.volume, pi / 6);
    EXPECT_EQ(p.center, (Vec3d{3, -2, 5}));
    for (const double moment : p.moment) {
        EXPECT_NEAR(moment, 0.4 * p.volume * 0.25, 1e-16);
    }
    EXPECT_DOUBLE_EQ(p.reach, 0.5);
    EXPECT_EQ(p.error, 0);
}

TEST(SphereUnion, TwoSpheresThatTouchAndTwoThatOverlap) {
    // Two balls of radius 1 a distance 1 apart share a lens of 5 pi/12.
    const std::vector<Ball> pair = {{{0, 0, 0}, 1}, {{0, 0, 1}, 1}};
    const MassProperties p = mass_properties(pair);
    EXPECT_NEAR(p.volume, 8 * pi / 3 - 5 * pi / 12, 1e-14);
    EXPECT_NEAR(p.center.z, 0.5, 1e-15);
    const std::vector<Ball> apart = {{{0, 0, 0}, 1}, {{0, 0, 2}, 1}};
    const MassProperties q = mass_properties(apart);
    EXPECT_NEAR(q.volume, 8 * pi / 3, 1e-14);
    EXPECT_NEAR(q.moment[0], 0.8 * 4 * pi / 3, 1e-14);
    EXPECT_NEAR(q.moment[2], (0.8 + 2) * 4 * pi / 3, 1e-14);
}

/// No three of the balls overlap: closed form against sections, wherever the sections are cut.
TEST(SphereUnion, AChainOfThreeByClosedFormAndBySections) {
    base::Random random(4, 2);
    for (int k = 0; k < 20; ++k) {
        const std::vector<Ball> chain = {{{0, 0, 0}, random.uniform(0.8, 1.1)},
                                         {{random.uniform(-0.3, 0.3), 0.4, random.uniform(1.2, 1.5)}, 1},
                                         {{0.2, random.uniform(0, 0.5), random.uniform(2.7, 3)}, 0.9}};
        double error = 1;
        const Moments closed = union_moments(chain, 1e-12, &error);
        EXPECT_EQ(error, 0) << "not the closed form";
        const Moments sections = moments_by_sections(chain, 1e-12, &error);
        EXPECT_LT(error, 1e-11);
        EXPECT_NEAR(sections.volume, closed.volume, 1e-10 * closed.volume);
        EXPECT_LT(norm(sections.first - closed.first), 1e-10 * norm(closed.first));
        for (std::size_t q = 0; q < 6; ++q) {
            EXPECT_NEAR(sections.second[q], closed.second[q], 1e-10 * closed.second[2]);
        }
    }
}

/// Turned, a grain is cut into quite other sections; volume and principal moments must stay, and all else must turn.
TEST(SphereUnion, ATurnedGrainIsTheSameGrain) {
    base::Random random(7, 1);
    for (const int count : {3, 4, 8, 20}) {
        const std::vector<Ball> grain = count == 4 ? tetrahedron() : random_grain(random, count);
        const MassProperties p = mass_properties(grain, 1e-11);
        EXPECT_GT(p.error, 0);
        const Mat3d turn = to_matrix(math::quaternion_from_rotation_vector({0.7, -1.1, 0.4}));
        std::vector<Ball> turned = grain;
        for (Ball& b : turned) {
            b.center = turn * b.center + Vec3d{1, 2, 3};
        }
        const MassProperties q = mass_properties(turned, 1e-11);
        EXPECT_NEAR(q.volume, p.volume, 1e-10 * p.volume) << count;
        EXPECT_LT(norm(q.center - (turn * p.center + Vec3d{1, 2, 3})), 1e-10 * p.reach);
        EXPECT_LT(largest(difference(q.inertia, turn * p.inertia * transposed(turn))), 1e-9 * p.moment[2]);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(q.moment[k], p.moment[k], 1e-9 * p.moment[2]);
        }
        EXPECT_NEAR(q.reach, p.reach, 1e-10 * p.reach);
    }
}

TEST(SphereUnion, AgreesWithCountedPoints) {
    base::Random random(9, 3);
    const std::vector<Ball> grain = random_grain(random, 8);
    const Moments m = union_moments(grain);
    constexpr int count = 2'000'000;
    constexpr double half = 4;
    double inside = 0;
    Vec3d first;
    double second = 0;
    for (int k = 0; k < count; ++k) {
        const Vec3d x{random.uniform(-half, half), random.uniform(-half, half), random.uniform(-half, half)};
        const auto holds = [&](const Ball& b) { return norm2(x - b.center) < b.radius * b.radius; };
        if (std::any_of(grain.begin(), grain.end(), holds)) {
            ++inside;
            first += x;
            second += x.x * x.y;
        }
    }
    const double cell = 8 * half * half * half / count;
    const double error = 4 * cell * std::sqrt(inside);  // four deviations
    EXPECT_NEAR(inside * cell, m.volume, error);
    EXPECT_LT(norm(first * cell - m.first), 3 * error);
    EXPECT_NEAR(second * cell, m.second[5], 4 * error);
}

TEST(SphereUnion, PrincipalAxesAreThoseOfTheInertia) {
    base::Random random(5, 5);
    for (int k = 0; k < 20; ++k) {
        const MassProperties p = mass_properties(random_grain(random, 5), 1e-6);
        const Mat3d diagonal = p.axes * p.inertia * transposed(p.axes);
        const Mat3d expected = {{{p.moment[0], 0, 0}, {0, p.moment[1], 0}, {0, 0, p.moment[2]}}};
        EXPECT_LT(largest(difference(diagonal, expected)), 1e-14 * p.moment[2]);
        EXPECT_LT(largest(difference(p.axes * transposed(p.axes), Mat3d::identity())), 1e-14);
        EXPECT_GT(dot(cross(p.axes.row[0], p.axes.row[1]), p.axes.row[2]), 0);
        EXPECT_LE(p.moment[0], p.moment[1]);
        EXPECT_LE(p.moment[1], p.moment[2]);
    }
}

TEST(SphereUnion, BadGrainsAreToldApart) {
    const auto fault = [](std::vector<Ball> balls) { return grain_fault(balls).value_or("sound"); };
    EXPECT_EQ(fault(tetrahedron()), "sound");
    EXPECT_EQ(fault({}), "there is no sphere");
    EXPECT_EQ(fault({{{0, 0, 0}, 1}, {{1, 0, 0}, 0}}), "sphere 1 has no positive radius");
    EXPECT_EQ(fault({{{0, 0, 0}, 1}, {{0.2, 0, 0}, 0.5}}), "sphere 1 lies inside sphere 0");
    EXPECT_EQ(fault({{{0, 0, 0}, 0.5}, {{0.2, 0, 0}, 1}}), "sphere 0 lies inside sphere 1");
    EXPECT_EQ(fault({{{0, 0, 0}, 1}, {{1, 0, 0}, 1}, {{9, 0, 0}, 1}}), "sphere 2 does not hang together with sphere 0");
    EXPECT_EQ(fault({{{0, 0, 0}, 1}, {{0, 0, 0}, 1}}), "sphere 1 lies inside sphere 0");
}

}  // namespace
}  // namespace talus::geometry
