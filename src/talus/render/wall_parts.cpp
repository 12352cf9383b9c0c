#include "talus/render/wall_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace talus::render {
namespace {

using geometry::ShapeKind;
using output::FrameWall;

constexpr int circle_parts = 240;
constexpr double rim_width = 0.0016;  // of the setting's diagonal, radius of the lines

Rgb wall_colour(const FrameWall& wall) {
    return wall.colour.empty() ? vivid(0.80, 0.015, 250) : colour_from_text(wall.colour);
}

/// The direction in which a wall faces at a point of it; which of both sides does not matter.
Vec3d facing(const FrameWall& wall, const Vec3d& point) {
    const Vec3d at = math::transpose_times(wall.rotation, point - wall.position);
    const double rho = std::hypot(at.x, at.y);
    Vec3d out{0, 0, 1};
    if (wall.shape.kind == ShapeKind::sphere) {
        out = at / wall.shape.a;
    } else if (wall.shape.kind == ShapeKind::cylinder && rho > 0) {
        out = {at.x / rho, at.y / rho, 0};
    } else if (wall.shape.kind == ShapeKind::tube && rho > 0) {
        const double rise = (wall.shape.a - wall.shape.b) / wall.shape.c;
        out = math::normalized(Vec3d{at.x / rho, at.y / rho, rise});
    }
    return wall.rotation * out;
}

/// Edges of triangles that have but one triangle: rims. Points that coincide, as of two bands of a sphere, are one.
std::vector<std::pair<Vec3d, Vec3d>> rims_of(const Sheet& sheet) {
    std::map<std::array<double, 3>, std::uint32_t> place;
    std::vector<std::uint32_t> same;
    for (const Vec3d& p : sheet.points) {
        same.push_back(place.try_emplace({p.x, p.y, p.z}, static_cast<std::uint32_t>(same.size())).first->second);
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
    for (const auto& corners : sheet.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            ++uses[std::minmax(same[corners[k]], same[corners[(k + 1) % 3]])];
        }
    }
    std::vector<std::pair<Vec3d, Vec3d>> out;
    for (const auto& [edge, count] : uses) {
        if (count == 1) {
            out.emplace_back(sheet.points[edge.first], sheet.points[edge.second]);
        }
    }
    return out;
}

Sheet sheet_of(const FrameWall& wall, const output::PolyData& surface) {
    Sheet sheet;
    sheet.points = surface.points;
    for (const Vec3d& point : sheet.points) {
        sheet.normals.push_back(facing(wall, point));
    }
    const std::vector<std::int64_t>& corner = surface.polys.connectivity;
    for (std::size_t i = 0; i + 2 < corner.size(); i += 3) {
        sheet.triangles.push_back({static_cast<std::uint32_t>(corner[i]), static_cast<std::uint32_t>(corner[i + 1]),
                                   static_cast<std::uint32_t>(corner[i + 2])});
    }
    return sheet;
}

/// The lines in which triangles cross z = 0.
void add_section(World& world, const Sheet& sheet, const Tube& pattern) {
    for (const auto& corners : sheet.triangles) {
        std::vector<Vec3d> ends;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d& p = sheet.points[corners[k]];
            const Vec3d& q = sheet.points[corners[(k + 1) % 3]];
            if ((p.z < 0) != (q.z < 0)) {
                ends.push_back(p + (q - p) * (p.z / (p.z - q.z)));
            }
        }
        if (ends.size() == 2) {
            Tube tube = pattern;
            tube.from = ends[0];
            tube.to = ends[1];
            world.tubes.push_back(tube);
        }
    }
}

}  // namespace

bool is_ground(const FrameWall& wall, const Setting& setting) {
    const Vec3d normal = wall.rotation * Vec3d{0, 0, 1};
    const double slack = 0.01 * math::norm(setting.bounds.high - setting.bounds.low);
    return wall.shape.kind == ShapeKind::plane && wall.colour.empty() && wall.opacity >= 1 &&
           std::abs(normal.z) > 1 - 1e-9 && wall.position.z <= setting.grains.low.z + slack;
}

void add_wall(World& world, const FrameWall& wall, const Look& look, const Setting& setting, bool plane) {
    const double opacity = look.wall_opacity.value_or(wall.opacity);
    if (!wall.present || !shows(look, wall) || opacity <= 0) {
        return;
    }
    output::Bounds room = setting.bounds;
    if (plane) {  // a wall stands out of the plane on both sides
        const double depth = setting.grain_radius;
        room.low.z = -depth;
        room.high.z = 1.1 * depth;
    }
    const output::PolyData surface = output::wall_surface(wall, room.widened(plane ? 0 : 0.01), circle_parts);
    const double diagonal = math::norm(setting.bounds.high - setting.bounds.low);
    Sheet sheet = sheet_of(wall, surface);
    sheet.colour = wall_colour(wall);
    sheet.opacity = opacity;
    Tube line{{}, {}, rim_width * diagonal, sheet.colour * 0.45F};
    if (plane) {
        line.radius = std::max(0.0022 * diagonal, 0.25 * std::min(setting.grain_radius, 0.01 * diagonal));
        add_section(world, sheet, line);
        return;
    }
    const auto add_line = [&](const Vec3d& from, const Vec3d& to) {
        line.from = from;
        line.to = to;
        world.tubes.push_back(line);
    };
    if (wall.shape.kind != ShapeKind::triangle && wall.shape.kind != ShapeKind::mesh) {  // inner edges say nothing
        for (const auto& [from, to] : rims_of(sheet)) {
            add_line(from, to);
        }
    }
    std::size_t begin = 0;
    line.radius = 2 * rim_width * diagonal;
    for (const std::int64_t end : surface.lines.offsets) {
        for (std::size_t i = begin; i + 1 < static_cast<std::size_t>(end); ++i) {
            add_line(surface.points[static_cast<std::size_t>(surface.lines.connectivity[i])],
                     surface.points[static_cast<std::size_t>(surface.lines.connectivity[i + 1])]);
        }
        begin = static_cast<std::size_t>(end);
    }
    for (const std::int64_t point : surface.verts.connectivity) {
        world.balls.push_back({surface.points[static_cast<std::size_t>(point)], 3 * rim_width * diagonal, line.colour});
    }
    if (!sheet.triangles.empty()) {
        world.sheets.push_back(std::move(sheet));
    }
}

}  // namespace talus::render
