#include "talus/render/wire.h"

#include <cmath>

namespace talus::render {
namespace {

constexpr double thickness = 0.06;  // of a sphere's radius, radius of its lines

struct Part {
    Vec3d center;
    double radius;
};

/// Three unit vectors at right angles: the first along `first`, the second as near to `second` as that allows.
struct Frame3 {
    Vec3d a, b, c;
};
Frame3 frame_along(const Vec3d& first, const Vec3d& second) {
    const Vec3d a = math::normalized(first);
    const Vec3d c = math::normalized(math::cross(a, second));
    return {a, math::cross(c, a), c};
}

/// A direction that turns with the grain and is not that of `way`: towards the other sphere that lies most across it.
Vec3d other_direction(const std::vector<Part>& parts, const Vec3d& center, const Vec3d& way) {
    Vec3d best{};
    double most = 1e-6 * math::norm2(way);
    for (const Part& part : parts) {
        const Vec3d d = part.center - center;
        const double across = math::norm(math::cross(way, d));
        if (across > most) {
            most = across;
            best = d;
        }
    }
    if (math::norm2(best) > 0) {
        return best;
    }
    return std::abs(way.z) < 0.9 * math::norm(way) ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
}

void add_grain(World& world, const Vec3d& center, const std::vector<Part>& parts, const Rgb& colour) {
    for (const Part& part : parts) {
        const double width = thickness * part.radius;
        const Vec3d way = part.center - center;
        Frame3 axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (math::norm(way) > 1e-6 * part.radius) {
            axes = frame_along(way, other_direction(parts, center, way));
            world.tubes.push_back({center, part.center, width, colour});
        }
        for (const Vec3d& axis : {axes.a, axes.b, axes.c}) {
            world.tubes.push_back({part.center, part.center + axis * part.radius, width, colour});
        }
    }
}

}  // namespace

void add_wires(World& world, const output::FrameFile& frame, const std::vector<Rgb>& colours) {
    std::vector<std::vector<Part>> parts(frame.id.size());
    const std::vector<std::size_t> rows = output::grain_rows_of_spheres(frame);
    for (std::size_t s = 0; s < rows.size(); ++s) {
        parts[rows[s]].push_back({frame.sphere_position[s], frame.sphere_radius[s]});
    }
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
        if (parts[i].empty()) {
            parts[i].push_back({frame.position[i], frame.radius[i]});
        }
        add_grain(world, frame.position[i], parts[i], colours[i]);
    }
}

}  // namespace talus::render
