// The oracle's walls and held grains. Each flight asks each of them for its first touch from its own beginning on: no
// cells, no bounds that put a question off, no look at who is near. Moving ones are searched in the fixed pieces of
// time of docs/hard.md, which make the time of a touch a function of the flight, to the last bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "talus/engines/hard/obstacle.h"
#include "talus/geometry/opposite.h"
#include "talus/model/motion.h"
#include "talus/model/system.h"
#include "talus/model/wall_impact.h"

namespace talus::tests {

using engines::hard::never;
using math::Vec3d;

/// A wall, or a grain that is held or stuck: then a point, asked with the sum of the radii.
struct Obstacle {
    geometry::Shape shape;
    model::Pose base;
    model::Motion motion;
    Vec3d offset;           // m, in the wall's frame, of a stuck grain
    double window = never;  // s, pieces of time of the search
    double since = 0;       // s, on the clock: before that it was not there
    bool is_wall = true;
    std::size_t index = 0;      // of the wall or the body
    bool turns_itself = false;  // a grain that is held by itself may have a spin of its own

    model::Target target() const { return {shape, base, motion, offset}; }
    model::Pose pose(double clock) const { return model::pose_at(base, motion, clock); }
};

inline Obstacle wall_obstacle(const model::System& system, std::size_t w) {
    const model::Wall& wall = system.walls[w];
    Obstacle out;
    out.shape = wall.shape;
    out.base = wall.base;
    out.motion = wall.motion;
    out.window = engines::hard::window_of(out.target());
    out.index = w;
    return out;
}

/// Body b, which rides on its wall or moves with its own velocity from `since` on.
inline Obstacle held_obstacle(const model::System& system, std::size_t b, double since) {
    const model::Bodies& bodies = system.bodies;
    Obstacle out;
    out.shape = {geometry::ShapeKind::point};
    out.since = since;
    out.is_wall = false;
    out.index = b;
    out.turns_itself = bodies.stuck_to[b] < 0;
    if (out.turns_itself) {
        out.base.position = bodies.position[b];
        if (bodies.velocity[b] != Vec3d{}) {
            out.motion.translations.push_back({bodies.velocity[b], since});
        }
    } else {
        const model::Wall& wall = system.walls[static_cast<std::size_t>(bodies.stuck_to[b])];
        out.base = wall.base;
        out.motion = wall.motion;
        out.offset = bodies.stuck_at[b];
    }
    out.window = engines::hard::window_of(out.target());
    if (!out.motion.at_rest()) {  // pieces in which it moves by half a radius
        const Vec3d at = out.base.to_world(out.offset);
        const double speed = model::material_speed(out.target(), at, 0, std::min(out.window, 1.0));
        out.window = std::min(out.window, 0.5 * bodies.radius[b] / speed);
    }
    return out;
}

/// What one flight knows of one obstacle, in s since the epoch.
struct Asked {
    double touch = never;
    double clear = -never;  // no touch before
};

/// Goes on searching for the first touch up to `horizon`. The flight has begun at `begun` (s since the epoch).
inline void ask(const Obstacle& obstacle, const geometry::Flight& flight, double begun, double epoch, double radius,
                double horizon, Asked& known) {
    const double clock = epoch + begun;
    const double first = std::max(0.0, obstacle.since - clock);
    while (known.touch == never && known.clear < horizon) {
        const bool endless = obstacle.window == never;
        const double k = std::floor(std::max(begun, known.clear) / obstacle.window + (known.clear > begun ? 0.5 : 0));
        const double end = endless ? never : (k + 1) * obstacle.window;
        double from = endless ? first : std::max(first, k * obstacle.window - begun);
        for (bool goes_on = true; goes_on;) {
            const geometry::FirstTouch found =
                model::first_touch(obstacle.target(), flight, clock, radius, from, end - begun);
            known.touch = found.touches ? begun + found.time : never;
            goes_on = !found.touches && found.time < end - begun;
            from = found.time;
        }
        known.clear = end;
    }
}

/// Where and how a sphere at `x` with velocity `v` touches the obstacle at the time `clock`.
struct TouchedAt {
    Vec3d normal;    // towards the obstacle
    double gap = 0;  // m, zero but for rounding
    Vec3d surface;   // m/s, velocity of the material there
};
inline TouchedAt touched_at(const Obstacle& obstacle, const model::Bodies& bodies, std::size_t i, double clock) {
    const Vec3d& x = bodies.position[i];
    const model::Pose pose = obstacle.pose(clock);
    if (obstacle.is_wall) {
        const Vec3d moving = math::transpose_times(pose.rotation, bodies.velocity[i] - pose.velocity_at(x));
        const geometry::Nearest n = geometry::nearest_ahead(obstacle.shape, pose.to_local(x), moving);
        const Vec3d normal = pose.rotation * n.direction;
        return {normal, n.distance - bodies.radius[i], pose.velocity_at(x + normal * n.distance)};
    }
    const std::size_t j = obstacle.index;
    const Vec3d centre = pose.to_world(obstacle.offset);
    const Vec3d d = centre - x;
    const double distance = norm(d);
    const Vec3d normal = d / distance;
    const Vec3d point = centre - normal * bodies.radius[j];
    const Vec3d own = pose.velocity + math::cross(bodies.spin[j], point - centre);
    return {normal, distance - (bodies.radius[i] + bodies.radius[j]),
            obstacle.turns_itself ? own : pose.velocity_at(point)};
}

}  // namespace talus::tests
