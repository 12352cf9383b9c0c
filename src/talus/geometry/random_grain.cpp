#include "talus/geometry/random_grain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "talus/base/random.h"

namespace talus::geometry {

namespace {

constexpr int candidates = 40;           // grains drawn for one with a wanted elongation
constexpr int tries = 200;               // to add one sphere
constexpr double least_part_out = 0.02;  // of a sphere's radius, that shows beyond any other
constexpr double tolerance = 1e-4;       // of the centre and the reach
constexpr double rough = 1e-3;           // the same while grains are compared

double draw(const Spread& spread, base::Random& random) {
    return random.uniform(spread.low, spread.high);
}

Vec3d draw_direction(base::Random& random) {
    while (true) {
        const Vec3d v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (norm2(v) > 0.01 && norm2(v) < 1) {
            return v;
        }
    }
}

bool shows(const Ball& ball, const std::vector<Ball>& others) {
    return std::all_of(others.begin(), others.end(), [&](const Ball& other) {
        const double least =
            std::abs(other.radius - ball.radius) + least_part_out * std::min(ball.radius, other.radius);
        return norm(other.center - ball.center) > least;
    });
}

/// A sphere that overlaps one of those there, more likely along x the larger `stretch`.
std::optional<Ball> grow(const std::vector<Ball>& grain, const GrainStatistics& wanted, double stretch,
                         base::Random& random) {
    for (int k = 0; k < tries; ++k) {
        const auto host = static_cast<std::size_t>(random.uniform() * static_cast<double>(grain.size()));
        const Ball& on = grain[host];
        Ball ball;
        ball.radius = draw(wanted.size, random);
        const double depth = 2 * std::min(on.radius, ball.radius) * draw(wanted.overlap, random);
        Vec3d way = draw_direction(random);
        way.x *= stretch;
        ball.center = on.center + normalized(way) * (on.radius + ball.radius - depth);
        if (shows(ball, grain)) {
            return ball;
        }
    }
    return std::nullopt;
}

std::vector<Ball> draw_grain(const GrainStatistics& wanted, double stretch, base::Random& random) {
    const int count = wanted.fewest + static_cast<int>(random.uniform() * (wanted.most - wanted.fewest + 1));
    std::vector<Ball> out = {{{0, 0, 0}, draw(wanted.size, random)}};
    while (static_cast<int>(out.size()) < count) {
        const std::optional<Ball> next = grow(out, wanted, stretch, random);
        if (!next) {
            throw std::invalid_argument(fmt::format("finds no room for sphere {} of {}", out.size() + 1, count));
        }
        out.push_back(*next);
    }
    return out;
}

}  // namespace

double elongation_of(const MassProperties& properties) {
    // The longest axis has the least moment of inertia; the integral of x^2 along axis k is half the trace less moment
    // k.
    const auto& m = properties.moment;
    const double half_trace = 0.5 * (m[0] + m[1] + m[2]);
    return std::sqrt((half_trace - m[0]) / (half_trace - m[1]));
}

std::string statistics_fault(const GrainStatistics& wanted) {
    if (wanted.fewest < 1 || wanted.most < wanted.fewest) {
        return fmt::format("cannot have {} to {} spheres", wanted.fewest, wanted.most);
    }
    if (!(wanted.size.low > 0 && wanted.size.low <= wanted.size.high)) {
        return "needs sizes above 0, the smaller one first";
    }
    if (!(wanted.overlap.low > 0 && wanted.overlap.low <= wanted.overlap.high && wanted.overlap.high <= 0.95)) {
        return "needs overlaps above 0 and up to 0.95, the smaller one first";
    }
    const Spread& e = wanted.elongation;
    if ((e.low != 0 || e.high != 0) && !(e.low >= 1 && e.low <= e.high)) {
        return "needs elongations of 1 or more, the smaller one first";
    }
    return "";
}

std::vector<Ball> random_grain(const GrainStatistics& wanted, std::uint64_t seed, std::uint64_t index) {
    base::Random random(seed, index);
    const double elongation = draw(wanted.elongation, random);
    std::vector<Ball> best;
    double least = 0;
    for (int k = 0; k < (elongation > 0 ? candidates : 1); ++k) {
        const double stretch = elongation > 0 ? random.uniform(1, 4 * elongation) : 1;
        std::vector<Ball> grain = draw_grain(wanted, stretch, random);
        const double off = elongation > 0 ? std::abs(elongation_of(mass_properties(grain, rough)) - elongation) : 0;
        if (k == 0 || off < least) {
            least = off;
            best = std::move(grain);
        }
    }
    const MassProperties of_best = mass_properties(best, tolerance);
    const double scale = wanted.reach / of_best.reach;
    for (Ball& ball : best) {
        ball = {(ball.center - of_best.center) * scale, ball.radius * scale};
    }
    return best;
}

}  // namespace talus::geometry
