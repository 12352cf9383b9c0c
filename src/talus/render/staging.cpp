#include "talus/render/staging.h"

#include <algorithm>

#include "talus/base/random.h"
#include "talus/render/force_lines.h"
#include "talus/render/wall_parts.h"
#include "talus/render/wire.h"

namespace talus::render {
namespace {

using output::FrameFile;

constexpr float darkness_of_wires = 0.45F;  // thin lines on white need it

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

/// Where a tube to a wall ends, so that its round end does not come out on the other side.
Vec3d short_of(const ForceLine& line, double radius) {
    const Vec3d way = line.to - line.from;
    const double length = math::norm(way);
    return length > radius ? line.to - way * (radius / length) : line.from;
}

/// Tubes from grain to grain (or wall), half as thick as the grains where the force is the strongest of the scale.
void add_forces(World& world, const FrameFile& frame, const Look& look, const Setting& setting, const Scale& scale) {
    const double thickest = 0.5 * setting.grain_radius();
    for (const ForceLine& line : force_lines(frame)) {
        const double part = std::min(line.force / scale.range.high, 1.5);
        if (part > 0.01) {  // thinner ones could not be seen
            const double radius = thickest * part;
            world.tubes.push_back({line.from, line.to_wall ? short_of(line, radius) : line.to, radius,
                                   look.forces_coloured ? scale.at(line.force) : vivid(0.42, 0, 0)});
        }
    }
}

}  // namespace

World world_of(const FrameFile& frame, const Look& look, const Setting& setting, const Field* field,
               const Scale* field_scale, const Scale* force_scale) {
    World world;
    world.cuts = look.cuts;
    world.extent = setting.extent();
    const bool plane = frame.domain.dimensions == 2;
    if (look.ground && !plane) {
        world.ground = setting.ground(frame);
    }
    for (const output::FrameWall& wall : frame.walls) {
        if (look.shows(wall) && !(world.ground && setting.is_ground(wall))) {
            add_wall(world, wall, look, setting, plane);
        }
    }
    if (look.forces) {
        add_forces(world, frame, look, setting, *force_scale);
    }
    std::vector<Rgb> colours = grain_colours(frame, field, field_scale, look.by_material);
    world.ball_opacity = look.opacity_of_grains();
    if (look.wire) {
        if (field == nullptr && !look.by_material) {  // there is neither bar nor legend that they must agree with
            for (Rgb& colour : colours) {
                colour = colour * darkness_of_wires;
            }
        }
        add_wires(world, frame, colours);
    } else if (look.shows_grains()) {
        const std::vector<std::size_t> rows = output::grain_rows_of_spheres(frame);
        for (std::size_t s = 0; s < rows.size(); ++s) {
            world.balls.push_back({frame.sphere_position[s], frame.sphere_radius[s], colours[rows[s]]});
        }
        for (std::size_t i = 0; rows.empty() && i < frame.id.size(); ++i) {
            world.balls.push_back({frame.position[i], frame.radius[i], colours[i]});
        }
    }
    return world;
}

}  // namespace talus::render
