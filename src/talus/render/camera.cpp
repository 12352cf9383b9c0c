#include "talus/render/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/base/numbers.h"

namespace talus::render {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// From where one looks, towards the middle: azimuth counts from the front to the right, elevation upwards.
struct Angles {
    double azimuth, elevation;
};
constexpr std::array<std::pair<const char*, Angles>, 8> names{{{"front", {0, 0}},
                                                               {"back", {180, 0}},
                                                               {"left", {-90, 0}},
                                                               {"right", {90, 0}},
                                                               {"top", {0, 90}},
                                                               {"bottom", {0, -90}},
                                                               {"iso", {45, 35.264}},
                                                               {"quarter", {28, 16}}}};

std::optional<Angles> angles_from(const std::string& text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos) {
        return std::nullopt;
    }
    const std::optional<double> azimuth = base::number_from(text.substr(0, comma));
    const std::optional<double> elevation = base::number_from(text.substr(comma + 1));
    if (!azimuth || !elevation || std::abs(*elevation) > 90) {
        return std::nullopt;
    }
    return Angles{*azimuth, *elevation};
}

double shorter(const Window& window) {
    return std::min(window.width, window.height);
}

}  // namespace

Axes look_along(const Vec3d& forward, const Vec3d& up) {
    const Vec3d right = math::cross(forward, up);
    if (!(math::norm(right) > 1e-9 * math::norm(forward) * math::norm(up))) {
        throw base::InputError("a camera cannot look along its own upward direction");
    }
    Axes axes;
    axes.forward = math::normalized(forward);
    axes.right = math::normalized(right);
    axes.up = math::cross(axes.right, axes.forward);
    return axes;
}

Axes axes_named(const std::string& name) {
    std::optional<Angles> angles = angles_from(name);
    std::vector<std::string> known;
    for (const auto& [each, its] : names) {
        known.emplace_back(each);
        if (name == each) {
            angles = its;
        }
    }
    if (!angles) {
        const std::string near = base::nearest_name(name, known);
        throw base::InputError("no camera \"" + name + "\"" + (near.empty() ? "" : "; did you mean \"" + near + "\"?") +
                               " (front, back, left, right, top, bottom, iso, quarter, follow, or AZIMUTH,ELEVATION in "
                               "degrees)");
    }
    const double a = angles->azimuth * degree;
    const double e = angles->elevation * degree;
    const Vec3d towards_viewer{std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
    // Straight from above or below the side that was at the back is up.
    const Vec3d back{-std::sin(a), std::cos(a), 0};
    const bool upright = std::abs(angles->elevation) < 89.999;
    return look_along(-towards_viewer, upright ? Vec3d{0, 0, 1} : back * (angles->elevation > 0 ? 1.0 : -1.0));
}

Vec3d turned(const Vec3d& v, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

Vec3d Camera::in_focus(double x, double y) const {
    const double metre = pixels_per_metre();
    const double across = (x - (window.left + window.width / 2)) / metre;
    const double upward = ((window.top + window.height / 2) - y) / metre;
    return eye + axes.forward * focus + axes.right * across + axes.up * upward;
}

Ray Camera::ray(double x, double y) const {
    const Vec3d point = in_focus(x, y);
    if (parallel) {
        const Vec3d direction = math::normalized(axes.forward * focus - axes.right * shift);
        return {point - direction * focus, direction};
    }
    const Vec3d from = eye + axes.right * shift;
    return {from, math::normalized(point - from)};
}

double Camera::pixels_per_metre() const {
    return shorter(window) / 2 / half;
}

std::vector<Dot> dots_of(const World& world) {
    const auto shown = [&world](const Vec3d& at, double radius) {
        return std::all_of(world.cuts.begin(), world.cuts.end(),
                           [&](const CutPlane& cut) { return math::dot(cut.normal, at) + radius >= cut.offset; });
    };
    std::vector<Dot> dots;
    each_dot(world, [&](const Vec3d& at, double radius) {
        if (shown(at, radius)) {
            dots.push_back({at, radius});
        }
    });
    return dots;
}

Camera fitted(const std::vector<Dot>& dots, const Axes& axes, const Lens& lens, const Window& window) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    const double tangent = std::tan(lens.view_angle * degree / 2) / shorter(window);
    const std::array<double, 2> tan_half{tangent * window.width, tangent * window.height};
    // How far each of the four sides of the view has to go out, in each direction, and the range of depths.
    std::array<std::array<double, 2>, 2> side{{{none, none}, {none, none}}};
    double nearest = -none;
    double farthest = none;
    for (const Dot& dot : dots) {
        const double depth = math::dot(dot.center, axes.forward);
        nearest = std::min(nearest, depth - dot.radius);
        farthest = std::max(farthest, depth + dot.radius);
        for (std::size_t k = 0; k < 2; ++k) {
            const double at = math::dot(dot.center, k == 0 ? axes.right : axes.up);
            const double t = tan_half[k];
            const double slant = lens.parallel ? 1 : std::sqrt(1 + t * t);  // the side touches the ball
            const double behind = lens.parallel ? 0 : depth * t;
            side[k][0] = std::max(side[k][0], -at - behind + dot.radius * slant);
            side[k][1] = std::max(side[k][1], at - behind + dot.radius * slant);
        }
    }
    if (dots.empty()) {
        side = {{{1, 1}, {1, 1}}};
        nearest = -1;
        farthest = 1;
    }
    const double least = 1e-9 * (std::abs(side[0][0]) + std::abs(side[1][0]) + (farthest - nearest)) + 1e-300;
    const double middle = (nearest + farthest) / 2;
    Camera camera;
    camera.axes = axes;
    camera.window = window;
    camera.parallel = lens.parallel;
    double back = none;  // how far behind the origin's depth the eye is
    for (std::size_t k = 0; k < 2; ++k) {
        back = std::max(back, (side[k][0] + side[k][1]) / 2 / tan_half[k]);
    }
    if (lens.parallel) {
        camera.half = std::max(back * tangent * shorter(window), least);
        camera.focus = camera.half / (tangent * shorter(window)) + (farthest - nearest) / 2;
        back = camera.focus - middle;
    } else {
        back = std::max(back, -nearest + least);
        camera.focus = back + middle;
        camera.half = camera.focus * tangent * shorter(window);
    }
    camera.eye =
        axes.right * ((side[0][1] - side[0][0]) / 2) + axes.up * ((side[1][1] - side[1][0]) / 2) - axes.forward * back;
    return camera;
}

Camera placed(const Vec3d& eye, const Vec3d& target, const Vec3d& up, const Lens& lens, const Window& window) {
    if (!(math::norm(target - eye) > 0)) {
        throw base::InputError("the camera stands where it looks");
    }
    Camera camera;
    camera.axes = look_along(target - eye, up);
    camera.eye = eye;
    camera.focus = math::norm(target - eye);
    camera.half = camera.focus * std::tan(lens.view_angle * degree / 2);
    camera.parallel = lens.parallel;
    camera.window = window;
    return camera;
}

}  // namespace talus::render
