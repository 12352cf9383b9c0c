// Root isolation against brute force: when two spinning grains first touch, from closed forms of their turning and a
// dense look at the distance in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "grain_systems.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/math/free_rotation.h"

namespace talus::tests {
namespace {

using engines::hard::Collision;
using engines::hard::GrainEngine;
using engines::hard::Options;
using math::Quaterniond;

constexpr double span = 1;  // s

/// One step of the classical Runge-Kutta method for q' = w q / 2.
Quaterniond stepped(const Quaterniond& q, const Vec3d& l, const Vec3d& inverse, double h) {
    const auto rate = [&](const Quaterniond& at) {
        const Quaterniond out = Quaterniond{0, math::spin_of(l, at, inverse)} * at;
        return Quaterniond{0.5 * out.w, out.v * 0.5};
    };
    const auto along = [&](const Quaterniond& by, double part) {
        return Quaterniond{q.w + by.w * part, q.v + by.v * part};
    };
    const Quaterniond a = rate(q);
    const Quaterniond b = rate(along(a, 0.5 * h));
    const Quaterniond c = rate(along(b, 0.5 * h));
    const Quaterniond d = rate(along(c, h));
    return {q.w + (a.w + 2 * b.w + 2 * c.w + d.w) * (h / 6), q.v + (a.v + b.v * 2.0 + c.v * 2.0 + d.v) * (h / 6)};
}

/// How a body is turned at any time: dumbbells are symmetric tops, others are followed in many short steps.
std::function<Quaterniond(double)> turn_of(const model::System& system, std::size_t i) {
    const Quaterniond start = system.grains.turn[i];
    if (system.grains.is_sphere(i)) {
        return [start](double) { return start; };
    }
    const Vec3d moment = system.grains.moment[i];
    const Vec3d l = math::angular_momentum_of(system.bodies.spin[i], start, moment);
    if (system.grains.shape[i] == 1) {
        const double along = dot(to_matrix(start).column(0), l);
        const double whirl = along * (1 / moment.x - 1 / moment.y);
        return [=](double t) {
            return math::quaternion_from_rotation_vector(l * (t / moment.y)) * start *
                   math::quaternion_from_axis_angle({1, 0, 0}, whirl * t);
        };
    }
    constexpr std::size_t steps = 4000;
    constexpr double h = span / steps;
    const Vec3d inverse{1 / moment.x, 1 / moment.y, 1 / moment.z};
    std::vector<Quaterniond> at{start};
    for (std::size_t n = 0; n < steps; ++n) {
        at.push_back(stepped(at.back(), l, inverse, h));
    }
    return [=](double t) {
        const std::size_t n = std::min(static_cast<std::size_t>(t / h), steps - 1);
        return stepped(at[n], l, inverse, t - static_cast<double>(n) * h);
    };
}

/// m, the least gap between spheres of the two grains.
class Gap {
public:
    explicit Gap(const model::System& system) : system_(system), turn_{turn_of(system, 0), turn_of(system, 1)} {
        for (std::size_t i = 0; i < 2; ++i) {
            model::System still = system;
            still.bodies.position[i] = {};
            still.grains.turn[i] = {};
            balls_[i] = model::spheres_of(still.bodies, still.grains, i);
        }
    }

    double operator()(double t) const {
        const math::Mat3d axes[2] = {to_matrix(turn_[0](t)), to_matrix(turn_[1](t))};
        const auto center = [&](std::size_t i) { return system_.bodies.position[i] + system_.bodies.velocity[i] * t; };
        const Vec3d between = center(0) - center(1);
        double out = 1e300;
        for (const geometry::Ball& a : balls_[0]) {
            for (const geometry::Ball& b : balls_[1]) {
                const Vec3d d = between + axes[0] * a.center - axes[1] * b.center;
                out = std::min(out, norm(d) - a.radius - b.radius);
            }
        }
        return out;
    }

private:
    const model::System& system_;
    std::function<Quaterniond(double)> turn_[2];
    std::vector<geometry::Ball> balls_[2];
};

struct Found {
    double time = -1;  // s, of the first touch; -1: none
    double depth = 0;  // m, the least gap seen up to the touch, or in all
};

/// Looks so close together that a dip between two of them is shallower than what is compared; then refined.
Found by_brute_force(const model::System& system) {
    const Gap gap(system);
    constexpr int looks = 1000;
    const auto refined_minimum = [&](double low, double high) {
        for (int n = 0; n < 80; ++n) {
            const double a = low + 0.382 * (high - low);
            const double b = low + 0.618 * (high - low);
            (gap(a) < gap(b) ? high : low) = gap(a) < gap(b) ? b : a;
        }
        return 0.5 * (low + high);
    };
    Found out;
    out.depth = gap(0);
    double last = out.depth;
    double before = last;
    for (int n = 1; n <= looks; ++n) {
        const double t = span * n / looks;
        const double here = gap(t);
        double inside = here < 0 ? t : -1;
        if (inside < 0 && n > 1 && last <= before && last <= here && last < 0.01) {  // a dip between looks
            const double bottom = refined_minimum(t - 2 * span / looks, t);
            out.depth = std::min(out.depth, gap(bottom));
            inside = gap(bottom) < 0 ? bottom : -1;
        }
        out.depth = std::min(out.depth, here);
        if (inside >= 0) {
            double low = std::max(0.0, t - 2 * span / looks);
            double high = inside;
            for (int k = 0; k < 60; ++k) {
                const double middle = 0.5 * (low + high);
                (gap(middle) < 0 ? high : low) = middle;
            }
            out.time = high;
            return out;
        }
        before = last;
        last = here;
    }
    return out;
}

TEST(GrainMeeting, NoFirstTouchIsMissedWhateverTheSpins) {
    base::Random random(12, 1);
    int touches = 0;
    int misses = 0;
    for (int k = 0; k < 600; ++k) {
        model::System system = space({1, 1, 0}, k % 2 == 0 ? span : 0.03);
        const int first = k % 5 == 0 ? 0 : 1;
        const int second = k % 3 - 1;
        const double fast = first == 0 || second == 0 ? 5 : 25;  // rad/s
        add(system, first, {}, random_vector(random, 0.3), random_vector(random, fast), random_vector(random, 3), 0.8);
        const Vec3d away = random_vector(random, 1);
        add(system, second, away * (random.uniform(1.6, 2.4) / norm(away)), -away * random.uniform(0, 0.8),
            random_vector(random, fast), random_vector(random, 3), 0.7);
        system.grains.resize(system.bodies);
        const Gap gap(system);
        if (gap(0) < 0.01) {
            continue;
        }
        const Found expected = by_brute_force(system);
        Options options;
        options.step = system.clock.step;
        GrainEngine engine(system, options, false);
        std::vector<Collision> seen;
        engine.watch(&seen);
        engine.advance_steps(static_cast<int>(std::ceil(span / system.clock.step)));
        const double found = seen.empty() || seen[0].time > span ? -1 : seen[0].time;
        if (std::abs(expected.depth) < 1e-8 && expected.time < 0) {
            continue;  // too close to call for the oracle
        }
        if (expected.time < 0) {
            EXPECT_EQ(found, -1) << k;
            ++misses;
        } else {
            EXPECT_NEAR(found, expected.time, 1e-9) << k;
            ++touches;
        }
    }
    EXPECT_GT(touches, 80);
    EXPECT_GT(misses, 80);
}

/// The tip of a spinning rod grazes a sphere or passes it by a hair.
TEST(GrainMeeting, AGrazeIsDecidedToAMillionthOfAMillionth) {
    for (const double hair : {1e-3, 1e-6, 1e-9, 1e-11, -1e-11, -1e-9, -1e-6, -1e-3}) {
        model::System system = space({1, 1, 0}, 0.5);
        add(system, 1, {}, {}, {0, 0, 4});  // the tip moves on a circle of radius 1
        const Vec3d at = Vec3d{std::cos(1.0), std::sin(1.0), 0} * (1 + 0.3 + hair);
        add(system, -1, at, {}, {}, {}, 0.3);
        system.grains.resize(system.bodies);
        Options options;
        options.step = 0.5;
        GrainEngine engine(system, options, false);
        std::vector<Collision> seen;
        engine.watch(&seen);
        engine.advance_steps(1);
        EXPECT_EQ(seen.empty(), hair > 0) << hair;
        if (!seen.empty()) {
            // Centres on circles of 0.5 and of 1.3 + hair about the origin are 0.8 apart at this angle before the line.
            const double r = 1.3 + hair;
            const double angle = std::acos((0.25 + r * r - 0.64) / r);
            EXPECT_NEAR(seen[0].time, (1 - angle) / 4, 1e-9 + 1e-15 / std::abs(angle));
        }
    }
}

}  // namespace
}  // namespace talus::tests
