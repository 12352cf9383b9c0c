#include "talus/render/fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/base/diagnostics.h"
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
    : pivot_(middle_of(dots)),
      follows_(options.camera == "follow" || options.follow.has_value()),
      grain_(options.follow) {
    Lens lens;
    lens.parallel = options.parallel || plane;
    lens.view_angle = options.view_angle.value_or(lens.view_angle);
    std::string name = options.camera;
    if (name.empty() || name == "follow") {
        name = plane ? "top" : "quarter";
    }
    const Axes axes = axes_named(name);
    if (options.eye.empty() != options.target.empty()) {
        throw base::InputError("a camera by numbers needs both --eye and --target");
    }
    if (options.eye.empty()) {
        first_ = fitted(options.turntable ? all_round(dots, pivot_) : dots, axes, lens, window);
    } else {
        const Vec3d up = options.up.empty() ? Vec3d{0, 0, 1} : triple_from_text(options.up, "--up");
        first_ = placed(triple_from_text(options.eye, "--eye"), triple_from_text(options.target, "--target"), up, lens,
                        window);
    }
    first_.half /= options.zoom;
}

Vec3d Cameraman::followed(const output::FrameFile& frame) {
    if (grain_) {
        const auto at = std::lower_bound(frame.id.begin(), frame.id.end(), *grain_);
        if (at != frame.id.end() && *at == *grain_) {
            last_ = frame.position[static_cast<std::size_t>(at - frame.id.begin())];
        } else if (!begun_) {
            throw base::InputError("there is no grain " + std::to_string(*grain_) + " to follow");
        }
    } else if (!frame.id.empty()) {
        Vec3d sum;
        double mass = 0;
        for (std::size_t i = 0; i < frame.id.size(); ++i) {
            sum += frame.position[i] * frame.mass[i];
            mass += frame.mass[i];
        }
        last_ = sum / mass;
    }
    return last_;
}

Camera Cameraman::camera(const output::FrameFile& frame, double turn) {
    Camera camera = first_;
    if (follows_) {
        const Vec3d at = followed(frame);
        if (!begun_) {
            begun_ = at;
        }
        // A grain is kept in the middle; all of them together are kept where they were at first.
        const Vec3d from = grain_ ? camera.eye + camera.axes.forward * camera.focus : *begun_;
        camera.eye += at - from;
    }
    if (turn != 0) {
        const double angle = 2 * std::numbers::pi * turn;
        camera.eye = pivot_ + turned(camera.eye - pivot_, angle);
        camera.axes = {turned(camera.axes.right, angle), turned(camera.axes.up, angle),
                       turned(camera.axes.forward, angle)};
    }
    return camera;
}

}  // namespace talus::render
