#include "talus/analysis/ball_volume.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "talus/analysis/disc_area.h"

// The volume of {x >= a, y >= b, z >= c} in the unit ball, for a, b, c >= 0, follows from the divergence theorem: a
// third of (area on the sphere - a area on x = a - b area on y = b - c area on z = c). The area on the sphere, bounded
// by arcs of small circles, follows from Gauss-Bonnet: sum of interior angles - pi (n - 2) - sum of (plane's distance
// times the arc's angle), since a circle at distance a turns by a for each radian of its arc. A negative bound is
// reflected.
namespace talus::analysis {

namespace {

using std::numbers::pi;

double arc_cosine(double x) {
    return std::acos(std::clamp(x, -1.0, 1.0));
}
double root(double x) {
    return std::sqrt(std::max(x, 0.0));
}

/// The angle of the region at the points where the circles x = a and y = b cross.
double corner_angle(double a, double b) {
    return arc_cosine(a * b / root((1 - a * a) * (1 - b * b)));
}

double beyond_one(double c) {
    return c >= 1 ? 0 : pi / 3 * (1 - c) * (1 - c) * (2 + c);
}

double beyond_two(double b, double c) {
    if (b < 0) {
        return beyond_one(c) - beyond_two(-b, c);
    }
    if (c < 0) {
        return beyond_one(b) - beyond_two(b, -c);
    }
    if (b * b + c * c >= 1) {
        return 0;
    }
    const double rho_b = root(1 - b * b);
    const double rho_c = root(1 - c * c);
    const double half_arc_b = arc_cosine(c / rho_b);
    const double half_arc_c = arc_cosine(b / rho_c);
    const double edge = root(1 - b * b - c * c);  // half the edge where the planes meet
    const double sphere = 2 * (corner_angle(b, c) - b * half_arc_b - c * half_arc_c);
    const double face_b = rho_b * rho_b * half_arc_b - c * edge;
    const double face_c = rho_c * rho_c * half_arc_c - b * edge;
    return (sphere - b * face_b - c * face_c) / 3;
}

/// On the face x = a: the angle of its arc, and its area.
struct Face {
    double arc, area;
};
Face corner_face(double a, double b, double c) {
    const double rho2 = 1 - a * a;
    const double rho = root(rho2);
    const double arc = arc_cosine(b / rho) - (pi / 2 - arc_cosine(c / rho));
    const double along_b = root(rho2 - b * b) - c;
    const double along_c = root(rho2 - c * c) - b;
    return {arc, 0.5 * (rho2 * arc - b * along_b - c * along_c)};
}

double beyond_three(double a, double b, double c) {
    if (a < 0) {
        return beyond_two(b, c) - beyond_three(-a, b, c);
    }
    if (b < 0) {
        return beyond_two(a, c) - beyond_three(a, -b, c);
    }
    if (c < 0) {
        return beyond_two(a, b) - beyond_three(a, b, -c);
    }
    if (a * a + b * b + c * c >= 1) {
        return 0;
    }
    const Face fa = corner_face(a, b, c);
    const Face fb = corner_face(b, c, a);
    const Face fc = corner_face(c, a, b);
    const double sphere =
        corner_angle(a, b) + corner_angle(b, c) + corner_angle(c, a) - pi - a * fa.arc - b * fb.arc - c * fc.arc;
    return (sphere - a * fa.area - b * fb.area - c * fc.area) / 3;
}

/// The integral of a function over [0, 1] that may begin and end like a power of 3/2: u^2 (3 - 2 u) in place of u makes
/// that smooth, and Gauss-Legendre with ten points does the rest.
template <class F>
double integral(F f) {
    constexpr std::array<double, 5> place = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                             0.8650633666889845, 0.9739065285171717};
    constexpr std::array<double, 5> weight = {0.2955242247147529, 0.2692667193099963, 0.2190863625159821,
                                              0.1494513491505806, 0.0666713443086881};
    double sum = 0;
    for (std::size_t k = 0; k < place.size(); ++k) {
        for (const double u : {0.5 - 0.5 * place[k], 0.5 + 0.5 * place[k]}) {
            sum += 0.5 * weight[k] * f(u * u * (3 - 2 * u)) * 6 * u * (1 - u);
        }
    }
    return sum;
}

}  // namespace

double ball_volume(double radius) {
    return 4.0 / 3.0 * pi * radius * radius * radius;
}

double cap_volume(double radius, double distance) {
    return radius * radius * radius * beyond_one(std::clamp(distance / radius, -1.0, 1.0));
}

double ball_in_box(double radius, const std::array<Bounds, 3>& bounds) {
    std::array<std::array<double, 2>, 3> bound{};
    for (std::size_t k = 0; k < 3; ++k) {
        bound[k] = {std::clamp(bounds[k].low / radius, -1.0, 1.0), std::clamp(bounds[k].high / radius, -1.0, 1.0)};
        if (bound[k][0] >= bound[k][1]) {
            return 0;
        }
    }
    // Between low and high = beyond low - beyond high, along each direction.
    double sum = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        const std::size_t i = corner & 1U;
        const std::size_t j = (corner >> 1U) & 1U;
        const std::size_t k = corner >> 2U;
        const double part = beyond_three(bound[0][i], bound[1][j], bound[2][k]);
        sum += (i + j + k) % 2 == 0 ? part : -part;
    }
    return radius * radius * radius * std::max(sum, 0.0);
}

double ball_in_ball(double radius, double other_radius, double distance) {
    if (distance >= radius + other_radius) {
        return 0;
    }
    if (distance <= std::abs(radius - other_radius)) {
        return ball_volume(std::min(radius, other_radius));
    }
    // Two caps that share the circle in which the spheres meet.
    const double plane = (distance * distance + radius * radius - other_radius * other_radius) / (2 * distance);
    return cap_volume(radius, plane) + cap_volume(other_radius, distance - plane);
}

double ball_in_cylinder(double radius, double cylinder_radius, double distance, const Bounds& bounds) {
    const double side = cylinder_radius / radius;
    const double off = distance / radius;
    const double low = std::clamp(bounds.low / radius, -1.0, 1.0);
    const double high = std::clamp(bounds.high / radius, -1.0, 1.0);
    if (low >= high || off - side >= 1) {
        return 0;
    }
    const double cube = radius * radius * radius;
    if (side - off >= 1) {
        return cube * (beyond_one(low) - beyond_one(high));
    }
    // Cuts across the axis are lenses between the heights at which the two circles touch, and whole circles or nothing
    // beyond: the ball's circle has the radius |side - off| at `upper` and side + off at `lower`.
    const double upper = root(1 - (side - off) * (side - off));
    const double lower = root(1 - (side + off) * (side + off));
    std::array<double, 6> ends = {low, -upper, -lower, lower, upper, high};
    double sum = 0;
    for (double& z : ends) {
        z = std::clamp(z, low, high);
    }
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        if (ends[k] == ends[k + 1]) {
            continue;
        }
        // With z = sin(t) the ball's own circles shrink smoothly to its poles.
        const double from = std::asin(ends[k]);
        const double width = std::asin(ends[k + 1]) - from;
        sum += width * integral([&](double u) {
                   const double t = from + width * u;
                   return disc_in_disc(std::cos(t), side, off) * std::cos(t);
               });
    }
    return cube * sum;
}

}  // namespace talus::analysis
