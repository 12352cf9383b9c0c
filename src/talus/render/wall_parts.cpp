#include "talus/render/wall_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
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
        out = math::normalized(at);
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

/// Where a line crosses z = 0, if it does.
std::optional<Vec3d> crossing(const Vec3d& p, const Vec3d& q) {
    return (p.z < 0) != (q.z < 0) ? std::optional(p + (q - p) * (p.z / (p.z - q.z))) : std::nullopt;
}

/// Round walls are drawn with flat pieces, which touch the true surface with their middles: a grain inside, however
/// small, does not stand out of them.
FrameWall around(const FrameWall& wall) {
    FrameWall out = wall;
    double factor = 1 / std::cos(std::numbers::pi / circle_parts);
    if (wall.shape.kind == ShapeKind::sphere) {
        factor *= factor;  // flat both ways
    }
    if (wall.shape.kind == ShapeKind::cylinder || wall.shape.kind == ShapeKind::sphere) {
        out.shape.a *= factor;
    } else if (wall.shape.kind == ShapeKind::tube) {
        out.shape.a *= factor;
        out.shape.b *= factor;
    }
    return out;
}

/// Lines and dots of one colour.
class Liner {
public:
    Liner(World& world, const Rgb& colour) : world_(world), colour_(colour) {}
    void line(const Vec3d& from, const Vec3d& to, double radius) {
        world_.tubes.push_back({from, to, radius, colour_});
    }
    /// A tube that is all ends: a ball would be as see-through as the grains.
    void dot(const Vec3d& at, double radius) {
        const Vec3d half{0.05 * radius, 0, 0};
        line(at - half, at + half, radius);
    }

private:
    World& world_;
    Rgb colour_;
};

/// Calls use(from, to) for each piece of the lines of a surface.
template <class Use>
void each_line(const output::PolyData& surface, const Use& use) {
    std::size_t begin = 0;
    for (const std::int64_t end : surface.lines.offsets) {
        for (std::size_t i = begin; i + 1 < static_cast<std::size_t>(end); ++i) {
            use(surface.points[static_cast<std::size_t>(surface.lines.connectivity[i])],
                surface.points[static_cast<std::size_t>(surface.lines.connectivity[i + 1])]);
        }
        begin = static_cast<std::size_t>(end);
    }
}

/// What a wall is in the plane z = 0: lines where its surface crosses it, dots where its edges do.
void add_section(Liner& liner, const Sheet& sheet, const output::PolyData& surface, double width) {
    for (const auto& corners : sheet.triangles) {
        std::vector<Vec3d> ends;
        for (std::size_t k = 0; k < 3; ++k) {
            if (const auto end = crossing(sheet.points[corners[k]], sheet.points[corners[(k + 1) % 3]])) {
                ends.push_back(*end);
            }
        }
        if (ends.size() == 2) {
            liner.line(ends[0], ends[1], width);
        }
    }
    each_line(surface, [&](const Vec3d& from, const Vec3d& to) {
        if (const auto at = crossing(from, to)) {
            liner.dot(*at, 1.5 * width);
        } else if (from.z == 0 && to.z == 0) {
            liner.line(from, to, width);
        }
    });
}

}  // namespace

void add_wall(World& world, const FrameWall& wall, const Look& look, const Setting& setting, bool plane) {
    output::Bounds room = setting.bounds();
    const double diagonal = setting.diagonal();
    if (plane) {  // a wall stands out of the plane on both sides
        const double depth = setting.grain_radius() > 0 ? setting.grain_radius() : 0.01 * diagonal;
        room.low.z = -depth;
        room.high.z = 1.1 * depth;
    }
    const output::PolyData surface = output::wall_surface(around(wall), room.widened(plane ? 0 : 0.01), circle_parts);
    Sheet sheet = sheet_of(wall, surface);
    sheet.colour = wall_colour(wall);
    sheet.opacity = look.wall_opacity.value_or(wall.opacity);
    Liner liner(world, sheet.colour * 0.45F);
    double width = rim_width * diagonal;
    if (plane) {
        width = std::max(0.0022 * diagonal, 0.25 * std::min(setting.grain_radius(), 0.01 * diagonal));
        add_section(liner, sheet, surface, width);
    } else {
        if (wall.shape.kind != ShapeKind::triangle && wall.shape.kind != ShapeKind::mesh) {  // inner edges say nothing
            for (const auto& [from, to] : rims_of(sheet)) {
                liner.line(from, to, width);
            }
        }
        each_line(surface, [&](const Vec3d& from, const Vec3d& to) { liner.line(from, to, 2 * width); });
    }
    for (const std::int64_t point : surface.verts.connectivity) {
        liner.dot(surface.points[static_cast<std::size_t>(point)], 3 * width);
    }
    if (!plane && !sheet.triangles.empty()) {
        world.sheets.push_back(std::move(sheet));
    }
}

}  // namespace talus::render
