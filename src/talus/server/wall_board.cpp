#include "talus/server/wall_board.h"

#include <algorithm>

#include "talus/geometry/surface.h"

namespace talus::server {

namespace {

using geometry::ShapeKind;
using output::Bounds;
using output::FrameWall;

constexpr double cosine_of_tilt = 0.998;  // 3.6 degrees: a patch of an endless wall that tilts farther is cut anew

FrameWall as_stored(const FrameWall& wall) {
    return wall;
}

FrameWall as_stored(const model::Wall& wall) {
    return {wall.name, wall.shape,   wall.pose.position, wall.pose.rotation, {},
            {},        wall.present, wall.colour,        wall.opacity};
}

const Vec3d& position_of(const FrameWall& wall) {
    return wall.position;
}
const Vec3d& position_of(const model::Wall& wall) {
    return wall.pose.position;
}
const Mat3d& rotation_of(const FrameWall& wall) {
    return wall.rotation;
}
const Mat3d& rotation_of(const model::Wall& wall) {
    return wall.pose.rotation;
}

bool is_infinite(const geometry::Shape& shape) {
    return shape.kind == ShapeKind::plane || shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::line;
}

/// The least rotation that carries one unit vector to another, which must not be its opposite.
Mat3d least_rotation(const Vec3d& from, const Vec3d& to) {
    const Vec3d v = math::cross(from, to);
    const double c = 1 / (1 + math::dot(from, to));
    return {{{1 - c * (v.y * v.y + v.z * v.z), c * v.x * v.y - v.z, c * v.x * v.z + v.y},
             {c * v.x * v.y + v.z, 1 - c * (v.x * v.x + v.z * v.z), c * v.y * v.z - v.x},
             {c * v.x * v.z - v.y, c * v.y * v.z + v.x, 1 - c * (v.x * v.x + v.y * v.y)}}};
}

/// Of a mesh; 0 for other shapes.
std::uint64_t hash_of(const geometry::Shape& shape) {
    return shape.surface ? shape.surface->hash() : 0;
}

Bounds grains_of(const Picture& picture) {
    Bounds bounds;
    if (!picture.position.empty()) {
        const auto corner = [&](const std::array<float, 3>& at) {
            return picture.origin +
                   Vec3d{static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
        };
        const auto& radii = picture.population->radius;
        const double r = radii.empty() ? 0.0 : static_cast<double>(*std::max_element(radii.begin(), radii.end()));
        bounds.add(corner(picture.box.low) - Vec3d{r, r, r});
        bounds.add(corner(picture.box.high) + Vec3d{r, r, r});
    }
    return bounds;
}

bool holds(const Bounds& outer, const Bounds& inner) {
    for (int k = 0; k < 3 && !inner.empty(); ++k) {
        if (!(inner.low[k] >= outer.low[k] && inner.high[k] <= outer.high[k])) {
            return false;
        }
    }
    return true;
}

/// Of the walls of finite size.
Bounds finite_bounds(const std::vector<FrameWall>& walls) {
    Bounds bounds;
    for (const FrameWall& wall : walls) {
        if (wall.present && !is_infinite(wall.shape)) {
            for (const Vec3d& point : output::wall_surface(wall, {}).points) {
                bounds.add(point);
            }
        }
    }
    return bounds;
}

}  // namespace

template <class Wall>
bool WallBoard::still_holds(const std::vector<Wall>& walls, const Bounds& grains) const {
    const auto same = [](const Told& told, const Wall& wall) {
        return told.shape.kind == wall.shape.kind && told.shape.a == wall.shape.a && told.shape.b == wall.shape.b &&
               told.shape.c == wall.shape.c && hash_of(told.shape) == hash_of(wall.shape) &&
               told.present == wall.present && told.colour == wall.colour && told.opacity == wall.opacity &&
               (!is_infinite(wall.shape) ||
                math::dot(told.rotation.column(2), rotation_of(wall).column(2)) > cosine_of_tilt);
    };
    const auto endless = [](const Wall& wall) { return wall.present && is_infinite(wall.shape); };
    return message_ && std::equal(told_.begin(), told_.end(), walls.begin(), walls.end(), same) &&
           (holds(bounds_, grains) || std::none_of(walls.begin(), walls.end(), endless));
}

/// Of an endless wall there is a patch by the grains, which must stay there: a floor that slides or turns in its plane
/// looks as it did, and so does a drum that is pushed along its axis.
template <class Wall>
WallPose WallBoard::pose_of(std::size_t w, const Wall& wall) const {
    const auto number = static_cast<std::uint32_t>(w);
    const Vec3d& at = position_of(wall);
    const Mat3d& turned = rotation_of(wall);
    if (!is_infinite(wall.shape)) {
        return {number, at, turned};
    }
    const Told& told = told_[w];
    const Vec3d middle = (bounds_.low + bounds_.high) * 0.5;
    const Vec3d axis = turned.column(2);
    const Vec3d axis_then = told.rotation.column(2);
    if (wall.shape.kind == ShapeKind::plane) {
        const Vec3d below = middle - axis * math::dot(axis, middle - at);
        const Vec3d below_then = middle - axis_then * math::dot(axis_then, middle - told.position);
        const Mat3d tilt = least_rotation(axis_then, axis);
        return {number, below + tilt * (told.position - below_then), tilt * told.rotation};
    }
    const double along = math::dot(axis, middle - at) - math::dot(axis_then, middle - told.position);
    return {number, at + axis * along, turned};
}

template <class Wall>
void WallBoard::show_any(const std::vector<Wall>& walls, Picture& picture) {
    const Bounds grains = grains_of(picture);
    if (!still_holds(walls, grains)) {
        std::vector<FrameWall> stored;
        told_.clear();
        for (const Wall& wall : walls) {
            stored.push_back(as_stored(wall));
            told_.push_back(
                {wall.shape, wall.present, wall.colour, wall.opacity, position_of(wall), rotation_of(wall)});
        }
        output::FrameFile nothing;
        nothing.walls = stored;
        Bounds bounds = grains;
        bounds.add(finite_bounds(stored));
        if (bounds.empty()) {
            bounds = output::visible_bounds(nothing);
        }
        bounds = bounds.widened(0.02);
        bounds_ = bounds.widened(0.15);  // a crowd that spreads a little needs no new floor
        message_ = walls_message(stored, bounds);
    }
    picture.walls = message_;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (walls[w].present &&
            (position_of(walls[w]) != told_[w].position || !(rotation_of(walls[w]) == told_[w].rotation))) {
            picture.poses.push_back(pose_of(w, walls[w]));
        }
    }
}

void WallBoard::show(const std::vector<FrameWall>& walls, Picture& picture) {
    show_any(walls, picture);
}

void WallBoard::show(const std::vector<model::Wall>& walls, Picture& picture) {
    show_any(walls, picture);
}

Message walls_message(const std::vector<FrameWall>& walls, const Bounds& bounds) {
    std::vector<float> triangles, lines, points;
    Json list = Json::array();
    Bounds seen;  // what a camera makes room for: planes and lines go on anyway, but a drum is to be seen whole
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const FrameWall& wall = walls[w];
        if (!wall.present) {
            continue;
        }
        const output::PolyData surface = output::wall_surface(wall, bounds);
        if (wall.shape.kind != ShapeKind::plane && wall.shape.kind != ShapeKind::line) {
            for (const Vec3d& point : surface.points) {
                seen.add(point);
            }
        }
        const auto add = [&](std::vector<float>& to, const output::VtkCells& cells) {
            for (const std::int64_t point : cells.connectivity) {
                const Vec3d x = math::transpose_times(wall.rotation,
                                                      surface.points[static_cast<std::size_t>(point)] - wall.position);
                to.insert(to.end(), {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
            }
            return cells.connectivity.size();
        };
        list.push_back({{"wall", w},
                        {"colour", wall.colour},
                        {"opacity", wall.opacity},
                        {"position", to_json(wall.position)},
                        {"rotation", to_json(wall.rotation)},
                        {"triangles", add(triangles, surface.polys)},
                        {"lines", add(lines, surface.lines)},
                        {"points", add(points, surface.verts)}});
    }
    MessageWriter writer;
    writer.add("triangles", triangles);
    writer.add("lines", lines);
    writer.add("points", points);
    return writer.close({{"type", "walls"},
                         {"walls", list},
                         {"low", seen.empty() ? Json() : to_json(seen.low)},
                         {"high", seen.empty() ? Json() : to_json(seen.high)}});
}

}  // namespace talus::server
