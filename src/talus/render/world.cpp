#include "talus/render/world.h"

#include <algorithm>
#include <cmath>

#include "talus/output/wall_surface.h"

namespace talus::render {

Extent extent_of(const World& world) {
    output::Bounds bounds;
    const auto add = [&bounds](const Vec3d& at, double radius) {
        const Vec3d reach{radius, radius, radius};
        bounds.add(at - reach);
        bounds.add(at + reach);
    };
    for (const Ball& ball : world.balls) {
        add(ball.center, ball.radius);
    }
    for (const Tube& tube : world.tubes) {
        add(tube.from, tube.radius);
        add(tube.to, tube.radius);
    }
    for (const Sheet& sheet : world.sheets) {
        for (const Vec3d& point : sheet.points) {
            bounds.add(point);
        }
    }
    if (bounds.empty()) {
        return {{}, 1};
    }
    return {(bounds.low + bounds.high) * 0.5, std::max(0.5 * math::norm(bounds.high - bounds.low), 1e-300)};
}

}  // namespace talus::render
