// Every wall shape against the minimiser: 100,000 random points a kind, edges, rims, corners and axes included.
#include "talus/geometry/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <ostream>
#include <string>

#include "minimiser.h"
#include "talus/base/random.h"
#include "unit/geometry/random_shapes.h"

namespace talus::geometry {
namespace {

using cases::random_direction;
using cases::random_shape;

constexpr int shapes_a_kind = 500;
constexpr int points_a_shape = 200;

struct Named {
    ShapeKind kind;
    const char* name;
};
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

class EveryShape : public testing::TestWithParam<Named> {};

/// One of the two ends half of the time if `at_end`, otherwise anywhere between.
double between(double low, double high, bool at_end, base::Random& random) {
    if (at_end) {
        return random.uniform() < 0.5 ? low : high;
    }
    return random.uniform(low, high);
}

/// A point of the surface; with `at_end` one of an edge, rim or corner.
Vec3d surface_point(const Shape& shape, bool at_end, base::Random& random) {
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    switch (shape.kind) {
        case ShapeKind::plane:
            return {random.uniform(-3, 3), random.uniform(-3, 3), 0};
        case ShapeKind::rectangle:
            return {between(0, shape.a, at_end, random), between(0, shape.b, at_end && random.uniform() < 0.5, random),
                    0};
        case ShapeKind::triangle: {
            const double u = between(0, 1, at_end, random);
            const double v = between(0, 1, at_end && random.uniform() < 0.5, random);
            return {shape.a * u * (1 - v) + shape.b * v, shape.c * v, 0};
        }
        default: {
            const oracle::Profile profile{shape};
            const double low = std::max(-3.0, static_cast<double>(profile.low()));
            const double high = std::min(3.0, static_cast<double>(profile.high()));
            const oracle::Vec3r x = profile.at(static_cast<oracle::Real>(between(low, high, at_end, random)),
                                               static_cast<oracle::Real>(angle));
            return {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
        }
    }
}

Vec3d random_point(const Shape& shape, base::Random& random) {
    const double small = std::pow(10.0, random.uniform(-15, 0));
    const double choice = random.uniform();
    if (choice < 0.3) {
        return {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    }
    if (choice < 0.5) {
        return surface_point(shape, false, random) + small * random_direction(random);
    }
    if (choice < 0.75) {
        return surface_point(shape, true, random) + small * random_direction(random);
    }
    if (choice < 0.85) {  // next to the axis, down to well below the limit that counts as on it
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const double rho = std::pow(10.0, random.uniform(-18, -2));
        return {rho * std::cos(angle), rho * std::sin(angle), random.uniform(-3, 3)};
    }
    if (choice < 0.9) {
        return {0, 0, random.uniform(-3, 3)};
    }
    return surface_point(shape, random.uniform() < 0.5, random);
}

std::string described(const Shape& s, const Vec3d& p) {
    std::array<char, 300> text{};
    std::snprintf(text.data(), text.size(), "a %.17g b %.17g c %.17g at (%.17g, %.17g, %.17g)", s.a, s.b, s.c, p.x, p.y,
                  p.z);
    return text.data();
}

TEST_P(EveryShape, HasTheLeastDistance) {
    base::Random random(21, static_cast<std::uint64_t>(GetParam().kind));
    double worst = 0;
    for (int i = 0; i < shapes_a_kind; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        for (int j = 0; j < points_a_shape; ++j) {
            const Vec3d p = random_point(shape, random);
            const Nearest found = nearest(shape, p);
            const auto exact = static_cast<double>(oracle::least_distance(shape, p));
            ASSERT_NEAR(found.distance, exact, 1e-12) << described(shape, p);
            worst = std::max(worst, std::abs(found.distance - exact));
        }
    }
    RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
}

TEST_P(EveryShape, HasADirectionThatLeadsToAPointOnIt) {
    base::Random random(22, static_cast<std::uint64_t>(GetParam().kind));
    for (int i = 0; i < shapes_a_kind; ++i) {
        const Shape shape = random_shape(GetParam().kind, random);
        for (int j = 0; j < points_a_shape; ++j) {
            const Vec3d p = random_point(shape, random);
            const Nearest found = nearest(shape, p);
            ASSERT_LT(norm(p + found.distance * found.direction - found.point), 1e-14) << described(shape, p);
            ASSERT_GE(found.distance, 0);
            if (!found.acts) {
                ASSERT_EQ(found.direction, Vec3d{}) << described(shape, p);
                continue;
            }
            ASSERT_NEAR(norm(found.direction), 1, 1e-15) << described(shape, p);
            if (found.feature != Feature::axis) {
                ASSERT_LT(nearest(shape, found.point).distance, 3e-14) << described(shape, p);
            }
        }
    }
}

TEST_P(EveryShape, HasTwoSides) {  // mirrored in z = 0, all but cones, segments and points of z = 0 look the same
    base::Random random(23, static_cast<std::uint64_t>(GetParam().kind));
    const ShapeKind kind = GetParam().kind;
    for (int i = 0; i < 200; ++i) {
        Shape shape = random_shape(kind, random);
        for (int j = 0; j < 20; ++j) {
            Vec3d p = random_point(shape, random);
            if (p.z == 0) {
                continue;
            }
            const Nearest above = nearest(shape, p);
            if (kind == ShapeKind::segment) {
                p.z = shape.a - p.z;
            } else {
                p.z = -p.z;
            }
            if (kind == ShapeKind::tube) {
                std::swap(shape.a, shape.b);
            }
            const Nearest below = nearest(shape, p);
            ASSERT_NEAR(above.distance, below.distance, 2e-15) << described(shape, p);
            ASSERT_EQ(above.acts, below.acts);
            if (above.distance > 1e-3 && above.feature == below.feature) {
                ASSERT_NEAR(above.direction.x, below.direction.x, 1e-12) << described(shape, p);
                ASSERT_NEAR(above.direction.z, -below.direction.z, 1e-12) << described(shape, p);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Walls, EveryShape,
                         testing::Values(Named{ShapeKind::plane, "plane"}, Named{ShapeKind::disk, "disk"},
                                         Named{ShapeKind::rectangle, "rectangle"},
                                         Named{ShapeKind::triangle, "triangle"}, Named{ShapeKind::cylinder, "cylinder"},
                                         Named{ShapeKind::tube, "tube"}, Named{ShapeKind::sphere, "sphere"},
                                         Named{ShapeKind::ring, "ring"}, Named{ShapeKind::line, "line"},
                                         Named{ShapeKind::segment, "segment"}, Named{ShapeKind::point, "point"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace talus::geometry
