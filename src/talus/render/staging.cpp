#include "talus/render/look.h"

#include <algorithm>
#include <cmath>

#include "talus/base/random.h"
#include "talus/geometry/extent.h"
#include "talus/output/export.h"
#include "talus/render/wall_parts.h"
#include "talus/render/wire.h"

namespace talus::render {
namespace {

using output::FrameFile;

/// A little lighter or darker from grain to grain, always the same for the same grain.
Rgb varied(const Rgb& colour, std::int64_t id) {
    const auto number = static_cast<std::uint64_t>(id);
    const auto word = base::philox(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32U), 0, 0}, {0x7A1U, 0x5EEDU})[0];
    Oklab lab = to_oklab(colour);
    lab.l += 0.10 * (static_cast<double>(word) * 0x1.0p-32 - 0.5);
    const Rgb out = from_oklab(lab);
    return {std::clamp(out.r, 0.0F, 1.0F), std::clamp(out.g, 0.0F, 1.0F), std::clamp(out.b, 0.0F, 1.0F)};
}

std::vector<Rgb> grain_colours(const FrameFile& frame, const Field* field, const Scale* scale, bool plain) {
    std::vector<Rgb> materials;
    for (std::size_t k = 0; k < frame.materials.size(); ++k) {
        materials.push_back(material_colour(frame, k));
    }
    std::vector<Rgb> out(frame.id.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (field != nullptr) {
            out[i] = scale->at(field->values[i]);
        } else {
            const Rgb& colour = materials.at(static_cast<std::size_t>(frame.material[i]));
            out[i] = plain ? colour : varied(colour, frame.id[i]);
        }
    }
    return out;
}

/// Tubes from grain to grain (or wall), half as thick as the grains where the force is the strongest of the scale.
void add_forces(World& world, const FrameFile& frame, const Setting& setting, const Scale& scale) {
    const output::PolyData lines = output::contacts_as_vtk(frame);
    const auto& force = std::get<std::vector<double>>(lines.point_data.at(0).values);
    const double thickest = 0.5 * setting.grain_radius;
    for (std::size_t i = 0; i + 1 < lines.points.size(); i += 2) {
        const double part = std::min(force[i] / scale.range.high, 1.5);
        if (part > 0.01) {  // thinner ones could not be seen
            world.tubes.push_back({lines.points[i], lines.points[i + 1], thickest * part, scale.at(force[i])});
        }
    }
}

}  // namespace

bool shows(const Look& look, const output::FrameWall& wall) {
    return std::none_of(look.hidden_walls.begin(), look.hidden_walls.end(),
                        [&](const std::string& name) { return name == wall.name || name == "all"; });
}

void Setting::add(const FrameFile& frame, const Look& look) {
    const FrameFile spheres = output::in_spheres(frame);
    double sum = 0;
    for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
        const Vec3d r{spheres.radius[i], spheres.radius[i], spheres.radius[i]};
        grains.add(spheres.position[i] - r);
        grains.add(spheres.position[i] + r);
        sum += spheres.radius[i];
    }
    if (grain_radius == 0 && sum > 0) {
        grain_radius = sum / static_cast<double>(spheres.radius.size());
    }

    for (const output::FrameWall& wall : frame.walls) {
        if (wall.present && shows(look, wall) && std::isfinite(geometry::bounding_radius(wall.shape))) {
            for (const Vec3d& point : output::wall_surface(wall, {}).points) {
                bounds.add(point);
            }
        }
    }
    bounds.add(grains);
    if (bounds.empty()) {
        bounds = output::visible_bounds(frame);
    }
}

Rgb material_colour(const FrameFile& frame, std::size_t material) {
    const std::string& given = frame.materials.at(material).colour;
    return given.empty() ? kind_colour(material) : colour_from_text(given);
}

World world_of(const FrameFile& frame, const Look& look, const Setting& setting, const Field* field,
               const Scale* field_scale, const Scale* force_scale) {
    World world;
    world.cuts = look.cuts;
    const bool plane = frame.domain.dimensions == 2;
    if (look.ground && !plane) {
        world.ground = setting.bounds.low.z;
    }
    for (const output::FrameWall& wall : frame.walls) {
        if (world.ground && is_ground(wall, setting)) {
            world.ground = std::min(*world.ground, wall.position.z);
        } else {
            add_wall(world, wall, look, setting, plane);
        }
    }
    if (look.forces) {
        add_forces(world, frame, setting, *force_scale);
    }
    const std::vector<Rgb> colours = grain_colours(frame, field, field_scale, look.by_material);
    world.ball_opacity = look.grain_opacity.value_or(look.forces ? 0 : 1);
    if (look.wire) {
        add_wires(world, frame, colours);
    } else if (world.ball_opacity > 0) {
        const FrameFile spheres = output::in_spheres(frame);
        for (std::size_t i = 0; i < spheres.id.size(); ++i) {
            const auto row = std::lower_bound(frame.id.begin(), frame.id.end(), spheres.id[i]) - frame.id.begin();
            world.balls.push_back({spheres.position[i], spheres.radius[i], colours[static_cast<std::size_t>(row)]});
        }
    }
    return world;
}

}  // namespace talus::render
