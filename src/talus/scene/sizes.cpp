// Radii of grains drawn from the distributions a scene can name.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "talus/math/portable_log.h"
#include "talus/scene/fill.h"
#include "talus/scene/fill_deviates.h"

namespace talus::scene {

namespace {

// Beyond this many draws outside the cut, the scene asks for grains that the distribution hardly holds.
constexpr int most_redraws = 100000;

double power(double x, double y) {
    return math::exp(y * math::log(x));
}

struct Range {
    double low = 0, high = 0;  // m
};

/// Rows of a table that can be drawn at all.
Range range_of(const TableSize& s) {
    Range range;
    for (std::size_t i = 0; i < std::min(s.radius.size(), s.weight.size()); ++i) {
        if (s.weight[i] > 0) {
            range.low = range.low > 0 ? std::min(range.low, s.radius[i]) : s.radius[i];
            range.high = std::max(range.high, s.radius[i]);
        }
    }
    return range;
}

Range range_of(const FixedSize& s) {
    return {s.radius, s.radius};
}

Range range_of(const UniformSize& s) {
    return {s.low, s.high};
}

Range range_of(const PowerLawSize& s) {
    return {s.low, s.high};
}

/// The cuts given, or three deviations to either side.
Range range_of(const NormalSize& s) {
    return {s.low > 0 ? s.low : std::max(s.mean - 3 * s.deviation, s.mean / 10),
            s.high > 0 ? s.high : s.mean + 3 * s.deviation};
}

Range range_of(const LogNormalSize& s) {
    return {s.low > 0 ? s.low : s.median * math::exp(-3 * s.sigma),
            s.high > 0 ? s.high : s.median * math::exp(3 * s.sigma)};
}

template <class Draw>
double redraw(const Range& cut, Draw draw) {
    for (int i = 0; i < most_redraws; ++i) {
        const double r = draw();
        if (r >= cut.low && r <= cut.high) {
            return r;
        }
    }
    throw base::InputError(
        fmt::format("none of {} radii drawn fell between the cuts {} m and {} m", most_redraws, cut.low, cut.high));
}

double draw(const FixedSize& s, base::Random&) {
    return s.radius;
}

double draw(const UniformSize& s, base::Random& random) {
    return random.uniform(s.low, s.high);
}

double draw(const NormalSize& s, base::Random& random) {
    return redraw(range_of(s), [&] { return s.mean + s.deviation * normal_deviate(random); });
}

double draw(const LogNormalSize& s, base::Random& random) {
    return redraw(range_of(s), [&] { return s.median * math::exp(s.sigma * normal_deviate(random)); });
}

// Inverse of the cumulative number. With q = 1 - exponent it is ((1 - u) low^q + u high^q)^(1/q), written relative to
// the end that dominates so that no power overflows; the limit q -> 0 is uniform in log(radius).
double draw(const PowerLawSize& s, base::Random& random) {
    const double u = random.uniform();
    const double q = 1 - s.exponent;
    const double log_ratio = math::log(s.high / s.low);
    double r = 0;
    if (std::abs(q) * log_ratio < 1e-8) {
        r = s.low * math::exp(u * log_ratio);
    } else if (q < 0) {
        r = s.low * power((1 - u) + u * math::exp(q * log_ratio), 1 / q);
    } else {
        r = s.high * power(u + (1 - u) * math::exp(-q * log_ratio), 1 / q);
    }
    return std::clamp(r, s.low, s.high);
}

double draw(const TableSize& s, base::Random& random) {
    double total = 0;
    for (const double w : s.weight) {
        total += w;
    }
    const double pick = random.uniform() * total;
    double sum = 0;
    std::size_t last = 0;  // rounding may leave `pick` at the very top: then the last row that has a weight
    for (std::size_t i = 0; i < s.radius.size(); ++i) {
        if (s.weight[i] > 0) {
            last = i;
            sum += s.weight[i];
            if (pick < sum) {
                break;
            }
        }
    }
    return s.radius[last];
}

bool positive(double x) {
    return std::isfinite(x) && x > 0;
}
bool not_negative(double x) {
    return std::isfinite(x) && x >= 0;
}

std::string fault(const FixedSize& s) {
    return positive(s.radius) ? "" : fmt::format("the radius must be positive and finite, not {} m", s.radius);
}

std::string fault_of(const Range& range) {
    if (!positive(range.low) || !positive(range.high)) {
        return fmt::format("the smallest and the largest radius must be positive and finite, not {} m and {} m",
                           range.low, range.high);
    }
    return range.low <= range.high
               ? ""
               : fmt::format("the smallest radius, {} m, is larger than the largest, {} m", range.low, range.high);
}

/// A distribution about a middle, cut at both ends.
template <class Size>
std::string fault_of_cut(const Size& s, const char* middle_name, double middle, const char* width_name, double width) {
    if (!positive(middle) || !not_negative(width) || !not_negative(s.low) || !not_negative(s.high)) {
        return fmt::format("the {} must be positive, {} and cuts not negative, and all finite", middle_name,
                           width_name);
    }
    return fault_of(range_of(s));
}

std::string fault(const UniformSize& s) {
    return fault_of(range_of(s));
}

std::string fault(const NormalSize& s) {
    return fault_of_cut(s, "mean", s.mean, "deviation", s.deviation);
}

std::string fault(const LogNormalSize& s) {
    return fault_of_cut(s, "median", s.median, "sigma", s.sigma);
}

std::string fault(const PowerLawSize& s) {
    return std::isfinite(s.exponent) ? fault_of(range_of(s)) : "the exponent must be finite";
}

std::string fault(const TableSize& s) {
    if (s.radius.empty() || s.radius.size() != s.weight.size()) {
        return fmt::format(
            "a table needs as many weights as radii, and at least one; there are {} radii and {} weights",
            s.radius.size(), s.weight.size());
    }
    if (!std::all_of(s.radius.begin(), s.radius.end(), positive)) {
        return "every radius of a table must be positive and finite";
    }
    if (!std::all_of(s.weight.begin(), s.weight.end(), not_negative) || range_of(s).high == 0) {
        return "the weights of a table must not be negative, and one at least must be positive";
    }
    return "";
}

}  // namespace

double draw_radius(const SizeDistribution& sizes, base::Random& random) {
    return std::visit([&random](const auto& s) { return draw(s, random); }, sizes);
}

double largest_radius(const SizeDistribution& sizes) {
    return std::visit([](const auto& s) { return range_of(s).high; }, sizes);
}

double smallest_radius(const SizeDistribution& sizes) {
    return std::visit([](const auto& s) { return range_of(s).low; }, sizes);
}

std::string size_fault(const SizeDistribution& sizes) {
    return std::visit([](const auto& s) { return fault(s); }, sizes);
}

}  // namespace talus::scene
