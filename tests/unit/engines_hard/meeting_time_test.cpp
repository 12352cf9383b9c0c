// The time at which two flights meet against a brute-force search in time: 100,000 random pairs a kind, each sphere on
// its own parabola from its own time, in long double and without any formula of the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>

#include "talus/base/random.h"
#include "talus/engines/hard/flight.h"

namespace talus::engines::hard {
namespace {

using math::Vec3d;
using Real = long double;

#if defined(__OPTIMIZE__)
constexpr int cases_a_kind = 100000;
#else
constexpr int cases_a_kind = 2000;
#endif
constexpr double epsilon = std::numeric_limits<double>::epsilon();

enum class Kind { ordinary, grazing, head_on, touching, overlapping, slow, own_times };

struct Named {
    Kind kind;
    const char* name;
};
void PrintTo(const Named& named, std::ostream* out) {
    *out << named.name;
}

/// Position x (m) and velocity v (m/s) at the sphere's own time t (s).
struct Flying {
    Vec3d x, v;
    double t = 0;
};

struct Pair {
    Flying one, two;
    Vec3d shift, g;
    double sum = 0;      // m, of the radii
    double speed = 0;    // m/s, relative
    double horizon = 0;  // s, until here the search goes

    double from() const { return std::max(one.t, two.t); }
    double predicted() const {
        return meeting_time<true>(one.x, one.v, one.t, two.x, two.v, two.t, shift, g, sum * sum);
    }
    Real distance(Real t) const {
        const auto place = [&](const Flying& f, int k) {
            const Real s = t - Real(f.t);
            return Real(f.x[k]) + Real(f.v[k]) * s + Real(g[k]) / 2 * s * s;
        };
        Real square = 0;
        for (int k = 0; k < 3; ++k) {
            const Real along = place(one, k) - place(two, k) + Real(shift[k]);
            square += along * along;
        }
        return std::sqrt(square);
    }
    /// Rate of the distance, from differences; negative while approaching.
    Real rate(Real t) const {
        const Real h = 1e-4L * Real(sum / speed);
        return (distance(t + h) - distance(t - h)) / (2 * h);
    }
    /// What rounding to double may do to a distance: places and their paths, the speed over the time that is waited,
    /// the clock, and the discriminant, whose terms are as large as the square of the way to the meeting
    /// (docs/hard.md).
    double rounding(double waited) const {
        const double lag = std::abs(one.t - two.t);
        const double speeds = norm(one.v) + norm(two.v) + norm(g) * lag;
        const double places = norm(one.x) + norm(two.x) + norm(shift) + speeds * lag;
        const auto way = static_cast<double>(distance(Real(from())));
        return 4 * epsilon * (sum + places + speeds * waited + speed * (from() + waited) + way * way / sum);
    }
};

Vec3d random_direction(base::Random& random) {
    for (;;) {
        const Vec3d v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (norm(v) > 0.1 && norm(v) <= 1) {
            return normalized(v);
        }
    }
}

double power_of_ten(base::Random& random, double low, double high) {
    return std::pow(10.0, random.uniform(low, high));
}

/// Where a sphere was at its own time `t`, if it is at x with velocity v at the time `from`.
Flying back(const Vec3d& x, const Vec3d& v, const Vec3d& g, double from, double t) {
    const Real s = Real(from) - Real(t);
    Flying out;
    out.t = t;
    for (int k = 0; k < 3; ++k) {
        out.v[k] = static_cast<double>(Real(v[k]) - Real(g[k]) * s);
        out.x[k] = static_cast<double>(Real(x[k]) - Real(v[k]) * s + Real(g[k]) / 2 * s * s);
    }
    return out;
}

Pair random_pair(Kind kind, base::Random& random) {
    Pair pair;
    pair.sum = power_of_ten(random, -2, 0);
    pair.speed = kind == Kind::slow ? power_of_ten(random, -12, -5) : power_of_ten(random, -2, 1);
    const Vec3d u = random_direction(random);
    // How far ahead the two are nearest, mostly as far as neighbours in a cell are, and how near they come.
    const double ahead = pair.sum * power_of_ten(random, 0, random.uniform() < 0.9 ? 1.2 : 3);
    const Vec3d aside = normalized(cross(u, random_direction(random)));
    double miss = random.uniform(0, 2) * pair.sum;
    if (kind == Kind::grazing) {
        miss = pair.sum * (1 + power_of_ten(random, -14, 0) * (random.uniform() < 0.5 ? -1 : 1));
    } else if (kind == Kind::head_on) {
        miss = 0;
    }
    Vec3d d = miss * aside - ahead * u;
    if (kind == Kind::touching) {
        const double by = random.uniform() < 0.5 ? 0 : power_of_ten(random, -17, -13);
        d = (pair.sum * (1 + (random.uniform() < 0.5 ? by : -by))) * random_direction(random);
    } else if (kind == Kind::overlapping) {
        d = (pair.sum * (1 - power_of_ten(random, -16, -1))) * random_direction(random);
    }
    const double wait = ahead / pair.speed;
    double lag = random.uniform() < 0.3 ? 0 : random.uniform() * wait;
    if (kind == Kind::own_times) {
        lag = power_of_ten(random, 0, 2) * wait;
    } else if (kind == Kind::slow && random.uniform() < 0.7) {
        lag = 0;
    }
    const double longest = wait + lag;
    pair.g = std::min(power_of_ten(random, -3, 1), 40 / (longest * longest)) * random_direction(random);
    pair.shift = random.uniform() < 0.5 ? Vec3d{} : 10 * pair.sum * random_direction(random);
    const double common = kind == Kind::slow ? pair.speed : power_of_ten(random, -2, 1);
    const Vec3d v = random.uniform() < 0.3 ? Vec3d{} : common * random_direction(random);
    const Vec3d x = 10 * pair.sum * random_direction(random);
    const double from = (random.uniform() < 0.5 ? 10.0 : 1.0) * random.uniform() * wait + lag;
    const bool first_is_late = random.uniform() < 0.5;
    pair.one = back(x + d - pair.shift, v + pair.speed * u, pair.g, from, first_is_late ? from : from - lag);
    pair.two = back(x, v, pair.g, from, first_is_late ? from - lag : from);
    pair.horizon = from + random.uniform(0.5, 4) * wait;
    return pair;
}

/// Where the distance is least in [a, b], by golden section.
Real least(const Pair& pair, Real a, Real b) {
    constexpr Real part = 0.618033988749894848L;
    Real x1 = b - part * (b - a);
    Real x2 = a + part * (b - a);
    Real at1 = pair.distance(x1);
    Real at2 = pair.distance(x2);
    for (int round = 0; round < 50; ++round) {
        if (at1 <= at2) {
            b = x2;
            x2 = x1;
            at2 = at1;
            x1 = b - part * (b - a);
            at1 = pair.distance(x1);
        } else {
            a = x1;
            x1 = x2;
            at1 = at2;
            x2 = a + part * (b - a);
            at2 = pair.distance(x2);
        }
    }
    return (a + b) / 2;
}

/// The first time in [low, high] at which the distance lies below `level`, or `high`: samples, golden section wherever
/// one is smaller than the last and no greater than the next, and bisection.
Real first_below(const Pair& pair, Real low, Real high, Real level) {
    constexpr int samples = 60;
    const auto time = [&](int k) { return k < samples ? low + (high - low) * k / samples : high; };
    const auto bisected = [&](Real above, Real below) {
        for (int round = 0; round < 64; ++round) {
            const Real middle = (above + below) / 2;
            (pair.distance(middle) < level ? below : above) = middle;
        }
        return below;
    };
    Real last = std::numeric_limits<Real>::infinity();
    Real here = pair.distance(low);
    for (int k = 0; k <= samples; ++k) {
        if (here < level) {
            return k == 0 ? low : bisected(time(k - 1), time(k));
        }
        const Real next = k < samples ? pair.distance(time(k + 1)) : here;
        if (here < last && here <= next) {
            const Real before = time(std::max(k - 1, 0));
            const Real nearest = least(pair, before, time(std::min(k + 1, samples)));
            if (pair.distance(nearest) < level) {
                return bisected(before, nearest);
            }
        }
        last = here;
        here = next;
    }
    return high;
}

std::string described(const Pair& p, int number) {
    std::array<char, 700> text{};
    const auto& [x, v, t] = p.one;
    const auto& [y, w, s] = p.two;
    std::snprintf(text.data(), text.size(),
                  "case %d: {%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g}, %.17g; {%.17g, %.17g, %.17g}, {%.17g, %.17g, "
                  "%.17g}, %.17g; shift {%.17g, %.17g, %.17g}, g {%.17g, %.17g, %.17g}, sum %.17g",
                  number, x.x, x.y, x.z, v.x, v.y, v.z, t, y.x, y.y, y.z, w.x, w.y, w.z, s, p.shift.x, p.shift.y,
                  p.shift.z, p.g.x, p.g.y, p.g.z, p.sum);
    return text.data();
}

class EveryPair : public testing::TestWithParam<Named> {};

TEST_P(EveryPair, MeetsWhenASearchInTimeSaysSo) {
    base::Random random(81, static_cast<std::uint64_t>(GetParam().kind));
    int met = 0;
    int timed = 0;
    int at_once = 0;
    int parted = 0;
    int strict = 0;  // the distance is that of a touch to 1e-12 of the sum of radii, whatever rounds
    for (int i = 0; i < cases_a_kind; ++i) {
        const Pair pair = random_pair(GetParam().kind, random);
        const auto sum = static_cast<Real>(pair.sum);
        const auto speed = static_cast<Real>(pair.speed);
        const auto from = static_cast<Real>(pair.from());
        const auto found = static_cast<Real>(pair.predicted());
        ASSERT_GE(found, from) << described(pair, i);
        const Real until = std::min(found, Real(pair.horizon));
        const auto tolerance = static_cast<Real>(pair.rounding(static_cast<double>(until - from)));
        if (pair.distance(from) < sum - tolerance) {  // overlapping: at once or never (HSDEM Sect. 2.3)
            const Real rate = pair.rate(from);
            if (rate < -1e-6L * speed) {
                ASSERT_EQ(found, from) << described(pair, i);
                ++at_once;
            } else if (rate > 1e-6L * speed) {
                ASSERT_EQ(found, std::numeric_limits<Real>::infinity()) << described(pair, i);
                ++parted;
            }
            continue;
        }
        const Real before = first_below(pair, from, until, sum - tolerance);
        ASSERT_GE(before, until - 1e-10L * (until - from) - tolerance / speed)
            << described(pair, i) << " found " << found << " but is deeper before";
        if (!std::isfinite(found)) {
            ++parted;
            continue;
        }
        ++met;
        const auto late = static_cast<Real>(pair.rounding(static_cast<double>(found - from)));
        const Real off = std::abs(pair.distance(found) - sum);
        ASSERT_LE(off, late) << described(pair, i) << " at " << found;
        strict += off <= 1e-12L * sum ? 1 : 0;
        const Real rate = pair.rate(found);
        ASSERT_LE(rate, 1e-6L * speed) << described(pair, i) << " at " << found;
        if (rate < -1e-2L * speed) {  // not grazing
            const Real searched = first_below(pair, from, 2 * found - from + sum / speed, sum);
            ASSERT_LE(std::abs(found - searched), 1e-10L * (searched - from) + late / -rate)
                << described(pair, i) << " at " << found;
            ++timed;
        }
    }
    RecordProperty("met", met);
    RecordProperty("timed", timed);
    RecordProperty("at_once", at_once);
    RecordProperty("parted", parted);
    RecordProperty("strict", strict);
    EXPECT_GT(strict, GetParam().kind == Kind::own_times ? 0 : 9 * met / 10);
    EXPECT_GT(GetParam().kind == Kind::overlapping ? at_once : timed, cases_a_kind / 10);
    EXPECT_EQ(met + at_once == cases_a_kind, GetParam().kind == Kind::head_on) << "in all other kinds many part";
    EXPECT_GT(GetParam().kind == Kind::head_on ? met : parted, cases_a_kind / 3);
}

TEST_P(EveryPair, MeetsAtTheSameTimeWhoeverAsks) {
    base::Random random(82, static_cast<std::uint64_t>(GetParam().kind));
    for (int i = 0; i < cases_a_kind / 10; ++i) {
        Pair pair = random_pair(GetParam().kind, random);
        Pair other = pair;
        std::swap(other.one, other.two);
        other.shift = -pair.shift;
        ASSERT_EQ(pair.predicted(), other.predicted()) << described(pair, i);
        pair.g = {};
        const auto& [one, two, shift, g, sum, speed, horizon] = pair;
        ASSERT_EQ(pair.predicted(), meeting_time<false>(one.x, one.v, one.t, two.x, two.v, two.t, shift, g, sum * sum))
            << described(pair, i);
    }
}

INSTANTIATE_TEST_SUITE_P(Flights, EveryPair,
                         testing::Values(Named{Kind::ordinary, "ordinary"}, Named{Kind::grazing, "grazing"},
                                         Named{Kind::head_on, "head_on"}, Named{Kind::touching, "touching"},
                                         Named{Kind::overlapping, "overlapping"}, Named{Kind::slow, "slow"},
                                         Named{Kind::own_times, "own_times"}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace talus::engines::hard
