#include "talus/geometry/grain_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "talus/math/portable.h"

namespace talus::geometry {

namespace {

constexpr int fewest_of_shell = 4;
constexpr int most_spheres = 10000;

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

/// How many gaps between neighbours a row of centres has that is `length` long.
int gaps(double radius, double length, int wanted) {
    if (wanted > 0) {
        return wanted;
    }
    const double needed = std::ceil(length / radius);
    if (!(needed < most_spheres)) {
        refuse(fmt::format("is so long and thin that it would need more than {} spheres", most_spheres));
    }
    return std::max(static_cast<int>(needed), 1);
}

/// Whether balls of this radius about the directions, which are `shell` from the middle, leave no hole between them. A
/// sphere is covered by caps if each two whose rims cross have their crossings inside a third one.
bool closes(const std::vector<Vec3d>& directions, double shell, double radius) {
    const double half_chord = radius / (2 * shell);
    const double cap = 1 - 2 * half_chord * half_chord;  // cosine of a cap's angle
    const auto hidden = [&](const Vec3d& point, std::size_t i, std::size_t j) {
        for (std::size_t k = 0; k < directions.size(); ++k) {
            if (k != i && k != j && dot(directions[k], point) >= cap) {
                return true;
            }
        }
        return false;
    };
    for (std::size_t i = 0; i < directions.size(); ++i) {
        bool alone = true;
        for (std::size_t j = 0; j < directions.size(); ++j) {
            const double cosine = dot(directions[i], directions[j]);
            const double along = cap / (1 + cosine);  // the crossings: along the sum of both, then across
            const double rest = 1 - along * along * (2 + 2 * cosine);
            if (j == i || !(rest > 0)) {
                continue;
            }
            alone = false;
            const Vec3d normal = cross(directions[i], directions[j]);
            const Vec3d across = normal * std::sqrt(rest / norm2(normal));
            const Vec3d middle = (directions[i] + directions[j]) * along;
            if (j > i && (!hidden(middle + across, i, j) || !hidden(middle - across, i, j))) {
                return false;
            }
        }
        if (alone) {
            return false;
        }
    }
    return true;
}

/// The smallest radius that leaves no hole.
double closing_radius(const std::vector<Vec3d>& directions, double shell) {
    double low = 0;
    double high = shell;
    while (high - low > 1e-6 * shell) {
        const double middle = 0.5 * (low + high);
        (closes(directions, shell, middle) ? high : low) = middle;
    }
    return high;
}

}  // namespace

std::vector<Vec3d> spread_directions(int count) {
    constexpr double golden_angle = std::numbers::pi * (3 - 2.23606797749978969641);
    std::vector<Vec3d> out;
    for (int k = 0; k < count; ++k) {
        const double z = 1 - (2 * k + 1) / static_cast<double>(count);
        const double around = std::sqrt((1 - z) * (1 + z));
        const math::SinCos at = math::sincos(golden_angle * k);
        out.push_back({around * at.cos, around * at.sin, z});
    }
    return out;
}

std::vector<Ball> dumbbell(double radius, double distance) {
    return {{{-0.5 * distance, 0, 0}, radius}, {{0.5 * distance, 0, 0}, radius}};
}

std::vector<Ball> tetrahedron(double radius, double edge) {
    const double half = edge / std::sqrt(8.0);  // of the cube whose every second corner is one of these
    std::vector<Ball> out;
    for (const Vec3d& corner : {Vec3d{1, 1, 1}, Vec3d{1, -1, -1}, Vec3d{-1, 1, -1}, Vec3d{-1, -1, 1}}) {
        out.push_back({corner * half, radius});
    }
    return out;
}

std::vector<Ball> cube(double radius, double edge) {
    std::vector<Ball> out;
    for (const double z : {-0.5, 0.5}) {
        for (const double y : {-0.5, 0.5}) {
            for (const double x : {-0.5, 0.5}) {
                out.push_back({Vec3d{x, y, z} * edge, radius});
            }
        }
    }
    return out;
}

std::vector<Ball> rod(double radius, double length, int count) {
    const double row = length - 2 * radius;
    if (!(row > 0)) {
        refuse("is no longer than it is thick");
    }
    if (count == 1) {
        refuse("is made of two spheres or more");
    }
    const int steps = gaps(radius, row, count - 1);
    std::vector<Ball> out;
    for (int k = 0; k <= steps; ++k) {
        out.push_back({{row * (k / static_cast<double>(steps) - 0.5), 0, 0}, radius});
    }
    return out;
}

std::vector<Ball> boomerang(double radius, double arm, double angle, int count) {
    const double row = arm - radius;
    if (!(row > 0)) {
        refuse("has arms that do not reach beyond the sphere at the bend");
    }
    if (!(angle > 0 && angle <= std::numbers::pi)) {
        refuse("has an angle that is not between 0 and 180 deg");
    }
    const int steps = gaps(radius, row, count);
    const math::SinCos half = math::sincos(0.5 * angle);
    std::vector<Ball> out = {{{0, 0, 0}, radius}};
    for (const double side : {-1.0, 1.0}) {
        for (int k = 1; k <= steps; ++k) {
            out.push_back({Vec3d{half.cos, side * half.sin, 0} * (row * k / static_cast<double>(steps)), radius});
        }
    }
    return out;
}

std::vector<Ball> shell(double radius, int count, double ball_radius) {
    if (count < fewest_of_shell || count > most_spheres) {
        refuse(fmt::format("needs {} to {} spheres, not {}", fewest_of_shell, most_spheres, count));
    }
    const std::vector<Vec3d> directions = spread_directions(count);
    if (ball_radius > 0 && !closes(directions, radius, ball_radius)) {
        refuse(fmt::format("would have holes: {} spheres close it with a radius of {:.4g} m or more", count,
                           closing_radius(directions, radius)));
    }
    const double size = ball_radius > 0 ? ball_radius : 1.1 * closing_radius(directions, radius);
    if (!(size < radius)) {
        refuse("would enclose nothing: its spheres reach the middle");
    }
    std::vector<Ball> out;
    for (const Vec3d& direction : directions) {
        out.push_back({direction * radius, size});
    }
    return out;
}

}  // namespace talus::geometry
