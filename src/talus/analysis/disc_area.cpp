#include "talus/analysis/disc_area.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace talus::analysis {

namespace {

using std::numbers::pi;

double arc_cosine(double x) {
    return std::acos(std::clamp(x, -1.0, 1.0));
}
double root(double x) {
    return std::sqrt(std::max(x, 0.0));
}

/// The integral of sqrt(1 - x^2) from 0.
double under_circle(double x) {
    return 0.5 * (x * root(1 - x * x) + std::asin(std::clamp(x, -1.0, 1.0)));
}

}  // namespace

double disc_area(double radius) {
    return pi * radius * radius;
}

double disc_in_box(double radius, const Bounds& x, const Bounds& y) {
    const double x0 = std::clamp(x.low / radius, -1.0, 1.0);
    const double x1 = std::clamp(x.high / radius, -1.0, 1.0);
    const double y0 = std::clamp(y.low / radius, -1.0, 1.0);
    const double y1 = std::clamp(y.high / radius, -1.0, 1.0);
    if (x0 >= x1 || y0 >= y1) {
        return 0;
    }
    // Between these places the strip ends either at the circle or at a side, above and below.
    std::array<double, 6> ends = {x0, -root(1 - y0 * y0), root(1 - y0 * y0), -root(1 - y1 * y1), root(1 - y1 * y1), x1};
    for (double& end : ends) {
        end = std::clamp(end, x0, x1);
    }
    std::sort(ends.begin(), ends.end());
    double sum = 0;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        const double width = ends[k + 1] - ends[k];
        const double middle = 0.5 * (ends[k] + ends[k + 1]);
        const double half = root(1 - middle * middle);
        if (width <= 0 || std::min(y1, half) <= std::max(y0, -half)) {
            continue;
        }
        const double arc = under_circle(ends[k + 1]) - under_circle(ends[k]);
        sum += (y1 < half ? y1 * width : arc) - (y0 > -half ? y0 * width : -arc);
    }
    return radius * radius * sum;
}

double disc_in_disc(double radius, double other_radius, double distance) {
    if (distance >= radius + other_radius) {
        return 0;
    }
    const double smaller = std::min(radius, other_radius);
    if (distance <= std::abs(radius - other_radius)) {
        return pi * smaller * smaller;
    }
    // Two segments that share the chord; its distance from the first centre:
    const double at = (distance * distance + radius * radius - other_radius * other_radius) / (2 * distance);
    const auto segment = [](double r, double x) { return r * r * arc_cosine(x / r) - x * root(r * r - x * x); };
    return segment(radius, at) + segment(other_radius, distance - at);
}

}  // namespace talus::analysis
