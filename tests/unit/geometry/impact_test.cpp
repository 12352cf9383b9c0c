// Predicted touches of every wall shape against a brute-force search in time: 100,000 random flights a kind, on lines
// and on parabolas; grazing, on the axis, from a touch and from an overlap among them.
#include "talus/geometry/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "impact_cases.h"

namespace talus::geometry {
namespace {

#if defined(__OPTIMIZE__)
constexpr int cases_a_kind = 100000;
#else
constexpr int cases_a_kind = 4000;
#endif

struct Named {
    ShapeKind kind;
    bool curved;
    const char* name;
};
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name << (named.curved ? "_parabola" : "_line");
}

class EveryWall : public testing::TestWithParam<Named> {};

/// Rate of the distance at `t`; negative while approaching. Zero where no single direction exists.
double approach(const cases::Case& c, double t) {
    const Nearest n = nearest(c.shape, c.flight.at(t));
    return n.feature == Feature::axis ? 0 : -dot(c.flight.velocity_at(t), n.direction);
}

TEST_P(EveryWall, IsNeverTouchedBeforeNorElsewhere) {
    base::Random random(41, static_cast<std::uint64_t>(GetParam().kind) * 2 + (GetParam().curved ? 1 : 0));
    int touches = 0;
    int at_once = 0;
    int strict = 0;
    int timed = 0;
    int compared = 0;
    int drawn = 0;
    while (compared < cases_a_kind && drawn < 10 * cases_a_kind) {
        const cases::Case c = cases::random_case(GetParam().kind, GetParam().curved, random);
        ++drawn;
        const FirstTouch found = first_touch(c.shape, c.flight, c.radius, 0, c.span);
        const auto distance = [&](double t) { return nearest(c.shape, c.flight.at(t)).distance; };
        const double until = found.touches ? found.time : c.span;
        ASSERT_GE(until, 0) << cases::described(c);
        ASSERT_LE(until, c.span) << cases::described(c);
        const double size = c.shape.a + std::abs(c.shape.b) + c.shape.c + c.radius;
        const double start = distance(0);
        if (start < (1 - 2e-6) * c.radius) {
            continue;  // deep in the wall: drawn again
        }
        ++compared;

        // Until then the grain is nowhere deeper in the wall than it was at the start.
        const double path = std::max(norm(c.flight.at(0)), norm(c.flight.at(until)));
        const double tolerance = 1e-12 * (c.radius + 1) + 1e-14 * path;
        const double speed = std::max(norm(c.flight.velocity), norm(c.flight.velocity_at(until)));
        const double level = std::min(start, c.radius) - tolerance;
        const double before = cases::first_below(distance, 0, until, level, speed, 150);
        ASSERT_GE(before, until - tolerance / speed)
            << cases::described(c) << " found " << found.touches << " at " << until << " but is deeper by "
            << c.radius - distance(before) << " before";
        if (!found.touches) {
            continue;
        }
        ++touches;
        at_once += found.time == 0 ? 1 : 0;
        const double gap = distance(found.time) - c.radius;
        ASSERT_LE(gap, 1e-12 * size + 1e-15 * path) << cases::described(c) << " at " << found.time;
        const double sum = cases::size_of(c.shape) + c.radius;
        const double way = cases::way_until(c.flight, found.time);
        if (start >= c.radius && way < cases::short_way * sum) {
            ++strict;
            ASSERT_LE(std::abs(gap), 1e-12 * sum) << cases::described(c) << " at " << found.time;
        } else if (start >= c.radius) {  // what positions round by
            ASSERT_LE(std::abs(gap), 1e-12 * sum + 4 * math::epsilon * way)
                << cases::described(c) << " at " << found.time;
        }
        const double rate = approach(c, found.time);
        ASSERT_LE(rate, start < c.radius ? 1e-3 * speed : 1e-6 * speed) << cases::described(c) << " at " << found.time;
        if (rate < -1e-2 * speed && start >= c.radius) {  // not grazing
            const double off = std::abs(gap / rate);
            ASSERT_LE(off, 1e-10 * (found.time + size / speed)) << cases::described(c);
            if (found.time * speed > 1e-2 * size) {  // a time that is not itself of the size of rounding
                ++timed;
                ASSERT_LE(off, 1e-10 * found.time) << cases::described(c);
            }
        }
    }
    RecordProperty("compared", compared);
    RecordProperty("touches", touches);
    RecordProperty("at_once", at_once);
    RecordProperty("strict", strict);
    RecordProperty("timed", timed);
    EXPECT_GT(timed, cases_a_kind / 20);
    EXPECT_EQ(compared, cases_a_kind);
    EXPECT_GT(strict, cases_a_kind / 20);
    EXPECT_GT(touches, cases_a_kind / 10);
    EXPECT_GT(at_once, cases_a_kind / 100);
}

TEST_P(EveryWall, IsTouchedAtOnceIfTheGrainOverlapsAndApproaches) {
    base::Random random(42, static_cast<std::uint64_t>(GetParam().kind) * 2 + (GetParam().curved ? 1 : 0));
    for (int i = 0; i < cases_a_kind / 10; ++i) {
        cases::Case c = cases::random_case(GetParam().kind, GetParam().curved, random);
        const Nearest n = nearest(c.shape, c.flight.position);
        if (n.feature == Feature::axis || n.distance < 1e-3) {
            continue;
        }
        const double rate = -dot(c.flight.velocity, n.direction);
        c.radius = n.distance * (1 + (random.uniform() < 0.5 ? 1e-13 : std::pow(10.0, random.uniform(-12, -3))));
        const FirstTouch found = first_touch(c.shape, c.flight, c.radius, 0, 10);
        if (rate < -1e-6 * norm(c.flight.velocity)) {
            ASSERT_TRUE(found.touches) << cases::described(c);
            ASSERT_EQ(found.time, 0) << cases::described(c);
        } else if (rate > 1e-6 * norm(c.flight.velocity)) {
            ASSERT_GT(found.time, 0) << cases::described(c);
        }
    }
}

TEST_P(EveryWall, IsFoundTheSameInAnEndlessSearch) {
    base::Random random(43, static_cast<std::uint64_t>(GetParam().kind) * 2 + (GetParam().curved ? 1 : 0));
    for (int i = 0; i < cases_a_kind / 10; ++i) {
        const cases::Case c = cases::random_case(GetParam().kind, GetParam().curved, random);
        const FirstTouch found = first_touch(c.shape, c.flight, c.radius, 0, c.span);
        const FirstTouch endless = first_touch(c.shape, c.flight, c.radius, 0, HUGE_VAL);
        const double speed = norm(c.flight.velocity) + norm(c.flight.acceleration) * c.span;
        ASSERT_EQ(endless.touches, std::isfinite(endless.time)) << cases::described(c);
        if (nearest(c.shape, c.flight.position).distance < c.radius) {
            continue;  // whether an overlap grows is up to rounding if it hardly does
        }
        if (found.touches) {
            ASSERT_TRUE(endless.touches) << cases::described(c);
            const double off = std::abs(endless.time - found.time);
            ASSERT_TRUE(off <= 1e-10 * found.time || off * std::abs(approach(c, found.time)) <= 1e-12)
                << cases::described(c) << " at " << found.time << " or " << endless.time;
        } else {
            const auto distance = [&](double t) { return nearest(c.shape, c.flight.at(t)).distance; };
            const double below = cases::first_below(distance, 0, c.span, c.radius * (1 - 1e-12), speed, 150);
            ASSERT_TRUE(endless.time >= c.span || below >= c.span) << cases::described(c) << " at " << endless.time;
        }
    }
}

std::string name_of(const testing::TestParamInfo<Named>& instance) {
    return std::string(instance.param.name) + (instance.param.curved ? "_parabola" : "_line");
}

constexpr auto both(ShapeKind kind, const char* name) {
    return std::array<Named, 2>{Named{kind, false, name}, Named{kind, true, name}};
}

std::vector<Named> all_walls() {
    std::vector<Named> all;
    for (const auto& pair :
         {both(ShapeKind::plane, "plane"), both(ShapeKind::disk, "disk"), both(ShapeKind::rectangle, "rectangle"),
          both(ShapeKind::triangle, "triangle"), both(ShapeKind::cylinder, "cylinder"), both(ShapeKind::tube, "tube"),
          both(ShapeKind::sphere, "sphere"), both(ShapeKind::ring, "ring"), both(ShapeKind::line, "line"),
          both(ShapeKind::segment, "segment"), both(ShapeKind::point, "point")}) {
        all.insert(all.end(), pair.begin(), pair.end());
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Walls, EveryWall, testing::ValuesIn(all_walls()), name_of);

}  // namespace
}  // namespace talus::geometry
