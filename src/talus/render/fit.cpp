#include "talus/render/fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/render/cut.h"

namespace talus::render {
namespace {

constexpr double golden_turn = std::numbers::pi * 0.76393202250021030359;  // (3 - sqrt 5) pi

Vec3d direction(int k, int count) {
    const double z = 1 - (2 * k + 1.0) / count;
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(k * golden_turn), r * std::sin(k * golden_turn), z};
}

/// Copies of the dots all round: a camera that fits them can go round.
std::vector<Dot> all_round(const std::vector<Dot>& dots, const Vec3d& pivot) {
    constexpr int places = 36;
    std::vector<Dot> out;
    for (const Dot& dot : outermost(dots)) {
        for (int k = 0; k < places; ++k) {
            out.push_back({pivot + turned(dot.center - pivot, 2 * std::numbers::pi * k / places), dot.radius});
        }
    }
    return out;
}

/// Dots turned by half a turn about the line of sight through the origin: a camera that fits these too has the origin
/// in the middle.
void add_other_side(std::vector<Dot>& dots, const Axes& axes) {
    const std::size_t count = dots.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d along = axes.forward * math::dot(dots[i].center, axes.forward);
        dots.push_back({along * 2.0 - dots[i].center, dots[i].radius});
    }
}

/// z, or y for a look straight up or down.
Vec3d usual_up(const Vec3d& forward) {
    const bool upright = std::hypot(forward.x, forward.y) <= 1e-9 * std::abs(forward.z);
    return upright ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}

Vec3d middle_of(const std::vector<Dot>& dots) {
    output::Bounds bounds;
    for (const Dot& dot : dots) {
        bounds.add(dot.center);
    }
    return bounds.empty() ? Vec3d{} : (bounds.low + bounds.high) * 0.5;
}

}  // namespace

std::vector<Dot> outermost(const std::vector<Dot>& dots) {
    constexpr int directions = 200;
    std::vector<std::size_t> chosen;
    for (int k = 0; k < directions && !dots.empty(); ++k) {
        const Vec3d way = direction(k, directions);
        const auto reach = [&](const Dot& dot) { return math::dot(dot.center, way) + dot.radius; };
        std::size_t best = 0;
        double most = reach(dots[0]);
        for (std::size_t i = 1; i < dots.size(); ++i) {
            const double here = reach(dots[i]);
            if (here > most) {
                most = here;
                best = i;
            }
        }
        chosen.push_back(best);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<Dot> out;
    for (const std::size_t i : chosen) {
        out.push_back(dots[i]);
    }
    return out;
}

Cameraman::Cameraman(const RenderOptions& options, bool plane, const std::vector<Dot>& dots, const Window& window)
    : pivot_(options.follows() ? Vec3d{} : middle_of(dots)) {
    Lens lens;
    lens.parallel = options.parallel || plane;
    lens.view_angle = options.view_angle.value_or(lens.view_angle);
    std::string name = options.camera;
    if (name.empty() || name == "follow") {
        name = plane ? "top" : "quarter";
    }
    const Axes axes = axes_named(name);
    if (options.eye.empty()) {
        std::vector<Dot> seen = options.turntable ? all_round(dots, pivot_) : dots;
        if (options.follow) {
            add_other_side(seen, axes);
        }
        first_ = fitted(seen, axes, lens, window);
        home_ = Vec3d{};
    } else {
        const Vec3d eye = triple_from_text(options.eye, "--eye");
        const Vec3d target = triple_from_text(options.target, "--target");
        const Vec3d up = options.up.empty() ? usual_up(target - eye) : triple_from_text(options.up, "--up");
        first_ = placed(eye, target, up, lens, window);
        if (options.follow) {
            home_ = target;
        }
    }
    first_.half /= options.zoom;
}

Camera Cameraman::camera(const std::optional<Vec3d>& followed, double turn) {
    Camera camera = first_;
    Vec3d pivot = pivot_;
    if (followed) {
        home_ = home_.value_or(*followed);  // all grains together are kept where they were at first
        camera.eye += *followed - *home_;
        pivot = *followed;
    }
    if (turn != 0) {
        const double angle = 2 * std::numbers::pi * turn;
        camera.eye = pivot + turned(camera.eye - pivot, angle);
        camera.axes = {turned(camera.axes.right, angle), turned(camera.axes.up, angle),
                       turned(camera.axes.forward, angle)};
    }
    return camera;
}

}  // namespace talus::render
