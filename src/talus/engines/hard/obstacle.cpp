#include "talus/engines/hard/obstacle.h"

#include <algorithm>
#include <cmath>

#include "talus/geometry/opposite.h"

namespace talus::engines::hard {

double window_of(const model::Target& target) {
    if (model::is_steady(target)) {
        return never;
    }
    double out = never;
    for (const model::Oscillation& m : target.motion.oscillations) {
        out = std::min(out, 1 / std::fabs(m.omega));
    }
    for (const model::Spin& m : target.motion.spins) {
        out = m.rate != 0 ? std::min(out, 1 / std::fabs(m.rate)) : out;
    }
    const auto& frames = target.motion.keyframes;
    for (std::size_t k = 1; k < frames.size(); ++k) {
        out = std::min(out, frames[k].time - frames[k - 1].time);
    }
    return out < never ? out : 1.0;
}

namespace {

/// Copies of an endless wall are the wall itself; of others the nearest ones are felt.
std::vector<Vec3d> wall_images(const model::Wall& wall, const model::Domain& domain) {
    using Kind = geometry::ShapeKind;
    const Kind kind = wall.shape.kind;
    const bool endless = kind == Kind::plane || kind == Kind::cylinder || kind == Kind::line;
    std::vector<Vec3d> out{Vec3d{}};
    for (int k = 0; k < 3 && !endless; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) {
            continue;
        }
        const double period = domain.high[k] - domain.low[k];
        for (std::size_t n = out.size(); n-- > 0;) {
            for (const double sign : {-1.0, 1.0}) {
                Vec3d image = out[n];
                image[k] = sign * period;
                out.push_back(image);
            }
        }
    }
    return out;
}

}  // namespace

std::vector<WallView> wall_views(const model::System& system) {
    std::vector<WallView> out;
    for (std::size_t w = 0; w < system.walls.size(); ++w) {
        const model::Wall& wall = system.walls[w];
        if (wall.present) {
            out.push_back(
                {static_cast<std::uint32_t>(w), window_of(model::Target::of(wall)), wall_images(wall, system.domain)});
        }
    }
    return out;
}

WallContact contact_with(const model::Wall& wall, const WallView& view, const Vec3d& x, const Vec3d& v, double radius) {
    WallContact out;
    double least = never;
    for (const Vec3d& image : view.images) {
        const Vec3d at = x + image;
        const Vec3d moving = math::transpose_times(wall.pose.rotation, v - wall.pose.velocity_at(at));
        const geometry::Nearest n = geometry::nearest_ahead(wall.shape, wall.pose.to_local(at), moving);
        if (std::fabs(n.distance - radius) < least) {
            least = std::fabs(n.distance - radius);
            const Vec3d normal = wall.pose.rotation * n.direction;
            out = {normal, at + normal * n.distance, n.distance, image};
        }
    }
    return out;
}

}  // namespace talus::engines::hard
