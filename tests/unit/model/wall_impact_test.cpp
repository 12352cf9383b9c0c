// Touches of moving walls against a brute-force search in time: every shape, every kind of motion, slow and fast.
#include "talus/model/wall_impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <ostream>
#include <string>

#include "talus/geometry/nearest.h"
#include "talus/math/rotation.h"
#include "unit/geometry/impact_cases.h"

namespace talus::model {
namespace {

using geometry::FirstTouch;
using geometry::Flight;
using geometry::Shape;
using geometry::ShapeKind;
namespace cases = geometry::cases;

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr int cases_a_kind = 100000;
#elif defined(__OPTIMIZE__)
constexpr int cases_a_kind = 20000;
#else
constexpr int cases_a_kind = 300;
#endif

struct Named {
    ShapeKind kind;
    const char* name;
};
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

class EveryMovingWall : public testing::TestWithParam<Named> {};

struct MovingCase {
    Shape shape;
    Pose base;
    Motion motion;
    Flight flight;
    double clock = 0;
    double radius = 0;
    double span = 0;

    double distance(double t) const {
        return geometry::nearest(shape, pose_at(base, motion, clock + t).to_local(flight.at(t))).distance;
    }
    /// Rate of the distance at `t`; negative while approaching. Zero where no single direction exists.
    double approach(double t) const {
        const Vec3d x = flight.at(t);
        const Pose pose = pose_at(base, motion, clock + t);
        const geometry::Nearest n = geometry::nearest(shape, pose.to_local(x));
        const Vec3d v = math::transpose_times(pose.rotation, flight.velocity_at(t) - pose.velocity_at(x));
        return n.feature == geometry::Feature::axis ? 0 : -dot(v, n.direction);
    }
    /// Fastest change of the distance seen, from differences; brute force needs no more than a good guess.
    double speed() const {
        double most = 0;
        for (int k = 0; k < 50; ++k) {
            const double t = span * k / 50;
            const double h = 1e-6 * span;
            most = std::max(most, std::abs(distance(t + h) - distance(t)) / h);
        }
        return most;
    }
};

/// A motion of which the grain sees a few swings or turns during `span`.
Motion random_motion(double span, double clock, base::Random& random, int choice) {
    Motion m;
    const double start = clock + span * random.uniform(-1, 0.5);
    const auto some = [&](double size) { return size * random.uniform() * cases::random_direction(random); };
    const double rate = random.uniform(-6, 6) / span;
    if (choice == 0 || choice == 4) {
        m.translations.push_back({some(2 / span), start});
        m.translations.push_back({some(1 / span), clock + span * random.uniform()});
    }
    if (choice == 1 || choice == 4) {
        m.oscillations.push_back({some(0.3), 10 * rate, random.uniform(0, 6), start});
    }
    if (choice == 2 || choice == 4) {
        m.spins.push_back({cases::random_direction(random), some(1), rate, start});
    }
    if (choice == 3) {
        m.spins.push_back({cases::random_direction(random), some(1), rate, start});
        m.spins.push_back({cases::random_direction(random), some(1), 0.5 * rate, clock + 0.3 * span});
    }
    if (choice == 5) {
        m.keyframes = {{clock + 0.1 * span, {}, {}},
                       {clock + 0.4 * span, some(0.5), some(2)},
                       {clock + 0.5 * span, some(0.5), some(2)},
                       {clock + 0.8 * span, some(1), some(3)}};
    }
    return m;
}

MovingCase random_case(ShapeKind kind, base::Random& random) {
    const cases::Case flown = cases::random_case(kind, random.uniform() < 0.5, random);
    MovingCase c{flown.shape, {}, {}, {}, random.uniform(0, 10), flown.radius, std::max(flown.span, 0.1)};
    c.span = std::min(c.span, 100.0);
    c.base.position = cases::random_point(random);
    c.base.rotation = math::frame_from_normal(cases::random_direction(random));
    c.motion = random_motion(c.span, c.clock, random, static_cast<int>(random.uniform() * 6));
    // What was aimed at the shape in its own frame is aimed at where the wall is at some time.
    const Pose then = pose_at(c.base, c.motion, c.clock + random.uniform(0, 0.5) * c.span);
    const Flight& f = flown.flight;
    c.flight = {then.to_world(f.position), then.rotation * f.velocity, then.rotation * f.acceleration};
    return c;
}

std::string described(const MovingCase& c, int number) {
    std::array<char, 300> text{};
    std::snprintf(text.data(), text.size(), "case %d, shape %.17g %.17g %.17g, radius %.17g, span %.17g", number,
                  c.shape.a, c.shape.b, c.shape.c, c.radius, c.span);
    return text.data();
}

/// `fast`: only walls that spin, up to five turns while the grain goes by.
void compare_with_search(ShapeKind kind, std::uint64_t seed, bool fast, int wanted) {
    base::Random random(seed, static_cast<std::uint64_t>(kind));
    int touches = 0;
    int undecided = 0;
    int strict = 0;
    int timed = 0;
    double worst = 0;  // |distance - s| over R + s, where the way is short
    int compared = 0;
    int drawn = 0;
    for (int i = 0; compared < wanted && drawn < 20 * wanted; ++i, ++drawn) {
        MovingCase c = random_case(kind, random);
        if (fast && c.motion.spins.empty()) {
            continue;
        }
        int samples = 100;
        if (fast || (i % 50 == 0 && !c.motion.spins.empty())) {  // many turns while the grain goes by
            c.motion.spins[0].rate *= fast ? 5 : 20;
            samples = fast ? 1000 : 4000;
        }
        const double start = c.distance(0);
        if (start < (1 - 2e-6) * c.radius) {
            continue;  // deep in the wall: drawn again
        }
        ++compared;
        const FirstTouch found = first_touch(c.shape, c.base, c.motion, c.flight, c.clock, c.radius, 0, c.span);
        undecided += !found.touches && found.time < c.span ? 1 : 0;
        const double speed = c.speed();
        const double tolerance = 2e-12 * (1 + norm(c.flight.at(c.span)));
        const auto distance = [&](double t) { return c.distance(t); };
        const double level = std::min(start, c.radius) - tolerance;
        const double before = cases::first_below(distance, 0, found.time, level, speed, samples);
        ASSERT_GE(before, found.time - 1e-9 * c.span - tolerance / speed)
            << described(c, i) << " found " << found.touches << " at " << found.time << " start " << start - c.radius;
        if (!found.touches) {
            continue;
        }
        ++touches;
        const double gap = c.distance(found.time) - c.radius;
        ASSERT_LE(gap, tolerance) << described(c, i) << " at " << found.time;
        if (start >= c.radius) {
            ASSERT_GE(gap, -tolerance) << described(c, i) << " at " << found.time;
            const double sum = cases::size_of(c.shape) + c.radius;
            const Vec3d place = pose_at(c.base, c.motion, c.clock + found.time).position;
            // The wall stands where the clock of the run says, which rounds as well.
            const double way = cases::way_until(c.flight, found.time) + norm(place) + norm(c.base.position) +
                               speed * (c.clock + found.time);
            if (way < cases::short_way * sum) {
                ++strict;
                worst = std::max(worst, std::abs(gap) / sum);
                ASSERT_LE(std::abs(gap), 1e-12 * sum) << described(c, i) << " at " << found.time;
            }
            const double later = 1e-7 * c.span;
            ASSERT_LE(c.distance(found.time + later), c.radius + tolerance + 1e-3 * speed * later)
                << described(c, i) << " at " << found.time;
            const double rate = c.approach(found.time);
            ASSERT_LE(rate, 1e-6 * speed) << described(c, i) << " at " << found.time;
            if (rate < -1e-2 * speed) {  // not grazing
                const double size = c.shape.a + std::abs(c.shape.b) + c.shape.c + c.radius;
                const double off = std::abs(gap / rate);
                ASSERT_LE(off, 1e-10 * (found.time + size / speed)) << described(c, i) << " at " << found.time;
                if (found.time * speed > 1e-2 * size) {  // a time that is not itself of the size of rounding
                    ++timed;
                    ASSERT_LE(off, 1e-10 * found.time) << described(c, i) << " at " << found.time;
                }
            }
        }
    }
    testing::Test::RecordProperty("compared", compared);
    testing::Test::RecordProperty("touches", touches);
    testing::Test::RecordProperty("strict", strict);
    testing::Test::RecordProperty("timed", timed);
    testing::Test::RecordProperty("undecided", undecided);
    testing::Test::RecordProperty("worst_in_1e-15", static_cast<int>(worst * 1e15));
    EXPECT_EQ(compared, wanted);
    EXPECT_GT(touches, wanted / 10);
    EXPECT_GT(strict, wanted / 50);
    EXPECT_GT(timed, wanted / 50);
    EXPECT_LT(undecided, wanted / 100);
}

TEST_P(EveryMovingWall, IsNeverTouchedBeforeNorElsewhere) {
    compare_with_search(GetParam().kind, 61, false, cases_a_kind);
}

TEST_P(EveryMovingWall, IsNeverTouchedBeforeNorElsewhereWhileItSpinsFast) {
    compare_with_search(GetParam().kind, 63, true, cases_a_kind / 10);
}

/// Half a minute a shape.
TEST_P(EveryMovingWall, FullIsNeverTouchedBeforeNorElsewhereWhileItSpinsFast) {
    compare_with_search(GetParam().kind, 64, true, cases_a_kind);
}

/// A sphere at an arm of a grain that turns as it flies by.
TEST_P(EveryMovingWall, IsNeverTouchedBeforeByAPartOfATurningGrain) {
    base::Random random(62, static_cast<std::uint64_t>(GetParam().kind));
    int touches = 0;
    for (int i = 0; i < cases_a_kind / 10; ++i) {
        const MovingCase c = random_case(GetParam().kind, random);
        const Vec3d arm = random.uniform(0.1, 3) * cases::random_direction(random);
        const math::Quaterniond turn = math::quaternion_from_rotation_vector(3.0 * cases::random_direction(random));
        const Vec3d inverse_moment{random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2)};
        const Vec3d l = cases::random_direction(random);
        const double slower = math::TurningArc(turn, l, inverse_moment).span() / (c.span * random.uniform(1, 5));
        const math::TurningArc arc(turn, l * slower, inverse_moment);
        const geometry::CarriedPoint point{c.flight.position - to_matrix(turn) * arm, c.flight.velocity, arc, arm};
        const auto distance = [&](double t) {
            return geometry::nearest(c.shape, pose_at(c.base, c.motion, c.clock + t).to_local(point.at(t))).distance;
        };
        const double start = distance(0);
        if (start < (1 - 2e-6) * c.radius) {
            continue;  // deep in the wall
        }
        const FirstTouch found = first_touch({c.shape, c.base, c.motion}, point, c.clock, c.radius, 0, c.span);
        double speed = 0;
        for (int k = 0; k < 50; ++k) {
            const double h = 1e-6 * c.span;
            speed = std::max(speed, std::abs(distance(c.span * k / 50 + h) - distance(c.span * k / 50)) / h);
        }
        const double tolerance = 2e-12 * (1 + norm(point.at(c.span)));
        const double level = std::min(start, c.radius) - tolerance;
        const double before = cases::first_below(distance, 0, found.time, level, speed, 100);
        ASSERT_GE(before, found.time - 1e-9 * c.span - tolerance / speed) << described(c, i);
        if (found.touches) {
            ++touches;
            ASSERT_LE(distance(found.time), c.radius + tolerance) << described(c, i);
            ASSERT_GE(distance(found.time), std::min(start, c.radius) - tolerance) << described(c, i);
        }
    }
    EXPECT_GT(touches, cases_a_kind / 100);
}

INSTANTIATE_TEST_SUITE_P(Walls, EveryMovingWall,
                         testing::Values(Named{ShapeKind::plane, "plane"}, Named{ShapeKind::disk, "disk"},
                                         Named{ShapeKind::rectangle, "rectangle"},
                                         Named{ShapeKind::triangle, "triangle"}, Named{ShapeKind::cylinder, "cylinder"},
                                         Named{ShapeKind::tube, "tube"}, Named{ShapeKind::sphere, "sphere"},
                                         Named{ShapeKind::ring, "ring"}, Named{ShapeKind::line, "line"},
                                         Named{ShapeKind::segment, "segment"}, Named{ShapeKind::point, "point"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

Wall wall_of(const Shape& shape, const Motion& motion) {
    Wall wall;
    wall.shape = shape;
    wall.motion = motion;
    return wall;
}

TEST(WallImpact, OfASwingingFloorComesWhenItReachesTheGrain) {
    Motion swing;
    swing.oscillations.push_back({{0, 0, 0.1}, 20, 0, 0});
    for (const ShapeKind kind : {ShapeKind::plane, ShapeKind::disk}) {
        const Wall floor = wall_of({kind, 0, 1}, swing);
        for (const double gap : {0.001, 0.05, 0.0999}) {
            const FirstTouch found = first_touch(floor, {{0.2, 0, 0.3 + gap}, {}, {}}, 0, 0.3, 0, 1);
            ASSERT_TRUE(found.touches);
            EXPECT_NEAR(found.time, std::asin(gap / 0.1) / 20, 1e-13);
        }
        EXPECT_FALSE(first_touch(floor, {{0.2, 0, 0.3 + 0.1001}, {}, {}}, 0, 0.3, 0, 100).touches);
    }
}

TEST(WallImpact, OfATurningPaddleComesWhenItReachesTheGrain) {
    Motion turn;
    turn.spins.push_back({{1, 0, 0}, {}, 3, 0});  // about the side along x: its far side moves from y towards z
    const Wall paddle = wall_of({ShapeKind::rectangle, 2, 1}, turn);
    const Flight rests{{1, 0, 0.8}, {}, {}};
    const FirstTouch found = first_touch(paddle, rests, 0, 0.2, 0, 10);
    ASSERT_TRUE(found.touches);
    EXPECT_NEAR(found.time, std::acos(0.2 / 0.8) / 3, 1e-13);  // distance 0.8 cos(3 t)
    // Half a turn later on the run's clock the paddle comes from the other side, later by the rest of the turn.
    const FirstTouch later = first_touch(paddle, rests, 1, 0.2, 0, 10);
    ASSERT_TRUE(later.touches);
    EXPECT_NEAR(later.time + 1, (std::acos(0.2 / 0.8) + 2 * std::numbers::pi) / 3, 1e-13);
}

TEST(WallImpact, OfAUniformlyMovingWallIsThatOfOneAtRestInItsFrame) {
    Motion lift;
    lift.translations.push_back({{0, 0, 0.5}, 2});
    const Wall floor = wall_of({ShapeKind::rectangle, 2, 2}, lift);
    // Falls at 1 m/s from 4 m above; after 2 s the floor comes up at 0.5 m/s.
    const FirstTouch found = first_touch(floor, {{1, 1, 4.25}, {0, 0, -1}, {}}, 0, 0.25, 0, HUGE_VAL);
    ASSERT_TRUE(found.touches);
    EXPECT_NEAR(found.time, 2 + 2 / 1.5, 1e-14);
    EXPECT_FALSE(first_touch(floor, {{1, 1, 4.25}, {0, 0, 1}, {}}, 0, 0.25, 0, HUGE_VAL).touches);
}

TEST(WallImpact, OfARoundWallDoesNotDependOnItsSpin) {
    base::Random random(62, 0);
    for (const ShapeKind kind : {ShapeKind::cylinder, ShapeKind::tube, ShapeKind::sphere, ShapeKind::ring,
                                 ShapeKind::disk, ShapeKind::plane}) {
        for (int i = 0; i < 200; ++i) {
            MovingCase c = random_case(kind, random);
            c.motion = {};
            const FirstTouch rest = first_touch(c.shape, c.base, c.motion, c.flight, c.clock, c.radius, 0, c.span);
            c.motion.spins.push_back({c.base.rotation.column(2), c.base.position, 1000, 0});
            const FirstTouch turns = first_touch(c.shape, c.base, c.motion, c.flight, c.clock, c.radius, 0, c.span);
            ASSERT_EQ(rest.touches, turns.touches);
            if (rest.touches) {
                ASSERT_NEAR(rest.time, turns.time, 1e-7 * c.span);  // a graze is as sharp as this
            }
        }
    }
}

TEST(WallImpact, IsFoundByAskingAgainWhereTheSearchGaveUp) {
    Motion turn;
    turn.spins.push_back({{1, 0, 0}, {}, 30, 0});
    const Wall ring = wall_of({ShapeKind::ring, 1}, turn);
    const Flight flight{{0.1, 0.2, 2}, {0, 0, -0.1}, {}};
    const FirstTouch at_once = first_touch(ring, flight, 0, 0.1, 0, 20);
    ASSERT_TRUE(at_once.touches);
    double from = 0;
    int calls = 0;
    FirstTouch found;
    while (!found.touches && from < 20) {
        found = first_touch(ring, flight, 0, 0.1, from, 20, 50);
        ASSERT_GT(found.time, from);
        from = found.time;
        ++calls;
    }
    EXPECT_GT(calls, 1);
    EXPECT_NEAR(found.time, at_once.time, 1e-12);
}

}  // namespace
}  // namespace talus::model
