#include "talus/render/world.h"

#include <algorithm>

namespace talus::render {

Extent extent_of(const output::Bounds& bounds) {
    if (bounds.empty()) {
        return {};
    }
    const double radius = std::max(0.5 * math::norm(bounds.high - bounds.low), 1e-300);
    return {(bounds.low + bounds.high) * 0.5, radius, 0.5 * radius};
}

Extent extent_of(const World& world) {
    if (world.extent) {
        return *world.extent;
    }
    output::Bounds bounds;
    each_dot(world, [&bounds](const Vec3d& at, double radius) {
        const Vec3d reach{radius, radius, radius};
        bounds.add(at - reach);
        bounds.add(at + reach);
    });
    return extent_of(bounds);
}

}  // namespace talus::render
