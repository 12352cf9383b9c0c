#include "talus/server/painter.h"

#include <algorithm>
#include <limits>

#include "talus/analysis/stress.h"
#include "talus/geometry/surface.h"
#include "talus/output/export.h"

namespace talus::server {

namespace {

bool wants(std::span<const Request> requests, const char* field) {
    return std::any_of(requests.begin(), requests.end(), [&](const Request& r) { return r.field == field; });
}

bool wants_chains(std::span<const Request> requests) {
    return std::any_of(requests.begin(), requests.end(), [](const Request& r) { return r.chains; });
}

Vec3d middle(std::span<const Vec3d> points) {
    output::Bounds bounds;
    for (const Vec3d& point : points) {
        bounds.add(point);
    }
    return bounds.empty() ? Vec3d{} : (bounds.low + bounds.high) * 0.5;
}

void add_fields(Picture& picture, const Columns& columns, std::span<const Request> requests) {
    for (const Request& request : requests) {
        const Field* field = find_field(request.field);
        std::vector<float>& values = picture.fields[request.field];
        if (field != nullptr && values.empty()) {
            values = field_values(*field, columns);
        }
        values.resize(columns.id.size());  // what is not known is zero
        const auto grain = std::lower_bound(columns.id.begin(), columns.id.end(), request.grain);
        if (grain != columns.id.end() && *grain == request.grain) {
            picture.grains[request.grain] =
                describe_grain(columns, static_cast<std::size_t>(grain - columns.id.begin()));
        }
    }
}

std::shared_ptr<const Chains> chains_of(const output::FrameFile& frame, const Vec3d& origin) {
    const output::PolyData lines = output::contacts_as_vtk(frame);
    auto chains = std::make_shared<Chains>();
    const auto& magnitude = std::get<std::vector<double>>(lines.point_data.at(0).values);
    for (std::size_t i = 0; i < lines.points.size(); ++i) {
        const Vec3d x = lines.points[i] - origin;
        chains->ends.insert(chains->ends.end(),
                            {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
        if (i % 2 == 0) {
            chains->force.push_back(static_cast<float>(magnitude[i]));
        }
    }
    return chains;
}

/// `radii(out)` fills the radii and, for grains of many spheres, whose each sphere is.
template <class Radii>
std::shared_ptr<const Population> counted(std::span<const std::int64_t> id, Radii radii) {
    auto population = std::make_shared<Population>();
    population->id.assign(id.begin(), id.end());
    radii(*population);
    population->smallest =
        population->radius.empty() ? 0.0F : *std::min_element(population->radius.begin(), population->radius.end());
    return population;
}

/// Which walls are there and what they look like, wherever they are.
template <class Walls>
std::vector<double> shapes_of(const Walls& walls) {
    std::vector<double> out;
    for (const auto& wall : walls) {
        out.insert(out.end(), {static_cast<double>(wall.shape.kind), wall.shape.a, wall.shape.b, wall.shape.c,
                               wall.present ? 1.0 : 0.0,
                               wall.shape.surface ? static_cast<double>(wall.shape.surface->hash()) : 0.0});
    }
    return out;
}

bool same(const std::shared_ptr<const Population>& population, std::span<const std::int64_t> id) {
    return population && std::equal(population->id.begin(), population->id.end(), id.begin(), id.end());
}

}  // namespace

void Painter::place(Picture& picture, std::span<const Vec3d> spheres) {
    if (!origin_) {
        origin_ = middle(spheres);
    }
    picture.origin = *origin_;
    picture.population = population_;
    picture.position.resize(3 * spheres.size());
    float* out = picture.position.data();
    for (const Vec3d& sphere : spheres) {
        const Vec3d x = sphere - *origin_;
        *out++ = static_cast<float>(x.x);
        *out++ = static_cast<float>(x.y);
        *out++ = static_cast<float>(x.z);
    }
}

std::shared_ptr<Picture> Painter::paint(const output::FrameFile& frame, std::span<const Request> requests) {
    const output::FrameFile spheres = output::in_spheres(frame);
    if (!same(population_, frame.id)) {
        population_ = counted(frame.id, [&](Population& out) {
            out.radius.assign(spheres.radius.begin(), spheres.radius.end());
            if (!frame.sphere_grain.empty()) {
                for (const std::int64_t grain : frame.sphere_grain) {
                    const auto row = std::lower_bound(frame.id.begin(), frame.id.end(), grain);
                    out.grain_of.push_back(static_cast<std::uint32_t>(row - frame.id.begin()));
                }
            }
        });
    }
    auto picture = std::make_shared<Picture>();
    picture->time = frame.time;
    picture->step = frame.step;
    place(*picture, spheres.position);
    add_fields(*picture, columns_of(frame), requests);
    if (wants_chains(requests)) {
        picture->chains = chains_of(frame, picture->origin);
    }
    if (wall_shapes_ != shapes_of(frame.walls)) {
        wall_shapes_ = shapes_of(frame.walls);
        walls_ = walls_message(frame);
    }
    picture->walls = walls_;
    for (std::size_t w = 0; w < frame.walls.size(); ++w) {
        if (frame.walls[w].present) {
            picture->poses.push_back({static_cast<std::uint32_t>(w), frame.walls[w].position, frame.walls[w].rotation});
        }
    }
    return picture;
}

std::shared_ptr<Picture> Painter::paint(const model::System& system, const std::vector<model::ContactSample>& contacts,
                                        std::span<const Request> requests) {
    const model::Bodies& bodies = system.bodies;
    const bool many = system.grains.any();
    std::vector<Vec3d> spheres;
    std::vector<float> radius;
    std::vector<std::uint32_t> grain_of;
    if (many) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            for (const geometry::Ball& ball : model::spheres_of(bodies, system.grains, i)) {
                spheres.push_back(ball.center);
                radius.push_back(static_cast<float>(ball.radius));
                grain_of.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
    if (!same(population_, bodies.id)) {
        population_ = counted(bodies.id, [&](Population& out) {
            if (many) {
                out.radius = std::move(radius);
                out.grain_of = std::move(grain_of);
            } else {
                out.radius.assign(bodies.radius.begin(), bodies.radius.end());
            }
        });
    }
    auto picture = std::make_shared<Picture>();
    picture->time = system.clock.time();
    picture->step = system.clock.steps;
    picture->identity = system.clock.steps;
    place(*picture, many ? std::span<const Vec3d>(spheres) : std::span<const Vec3d>(bodies.position));
    Columns columns = columns_of(system);
    std::vector<std::int32_t> coordination;
    std::vector<math::Tensor6> stress;
    if (wants(requests, "coordination")) {
        coordination = output::coordination_of(system);
        columns.coordination = coordination;
    }
    if (wants(requests, "pressure") && !system.impulses.are_counted()) {
        stress = analysis::grain_stress(system, contacts);
        columns.stress = stress;
    }
    add_fields(*picture, columns, requests);
    if (wants_chains(requests)) {
        output::FrameFile frame;
        frame.id = bodies.id;
        frame.position = bodies.position;
        frame.radius = bodies.radius;
        frame.contacts = contacts;
        picture->chains = chains_of(frame, picture->origin);
    }
    if (wall_shapes_ != shapes_of(system.walls)) {
        wall_shapes_ = shapes_of(system.walls);
        output::FrameFile frame;
        frame.id = bodies.id;
        frame.position = bodies.position;
        frame.radius = bodies.radius;
        for (const model::Wall& wall : system.walls) {
            frame.walls.push_back({wall.name,
                                   wall.shape,
                                   wall.pose.position,
                                   wall.pose.rotation,
                                   {},
                                   {},
                                   wall.present,
                                   wall.colour,
                                   wall.opacity});
        }
        walls_ = walls_message(frame);
    }
    picture->walls = walls_;
    for (std::size_t w = 0; w < system.walls.size(); ++w) {
        if (system.walls[w].present && !system.walls[w].motion.at_rest()) {
            picture->poses.push_back(
                {static_cast<std::uint32_t>(w), system.walls[w].pose.position, system.walls[w].pose.rotation});
        }
    }
    return picture;
}

bool Painter::needs_contacts(std::span<const Request> requests) {
    return wants_chains(requests) || wants(requests, "coordination") || wants(requests, "pressure");
}

Message walls_message(const output::FrameFile& frame) {
    output::FrameFile things;  // without the domain, which is often much larger than what there is to see
    things.id = frame.id;
    things.position = frame.position;
    things.radius = frame.radius;
    things.walls = frame.walls;
    const output::Bounds bounds = output::visible_bounds(things).widened(0.02);
    std::vector<float> triangles, lines;
    Json walls = Json::array();
    for (std::size_t w = 0; w < frame.walls.size(); ++w) {
        const output::FrameWall& wall = frame.walls[w];
        if (!wall.present) {
            continue;
        }
        const output::PolyData surface = output::wall_surface(wall, bounds);
        const auto add = [&](std::vector<float>& to, const output::VtkCells& cells) {
            for (const std::int64_t point : cells.connectivity) {
                const Vec3d x = math::transpose_times(wall.rotation,
                                                      surface.points[static_cast<std::size_t>(point)] - wall.position);
                to.insert(to.end(), {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
            }
            return cells.connectivity.size();
        };
        Json pose = Json::array();
        for (const Vec3d& row : wall.rotation.row) {
            pose.insert(pose.end(), {row.x, row.y, row.z});
        }
        walls.push_back({{"wall", w},
                         {"name", wall.name},
                         {"position", {wall.position.x, wall.position.y, wall.position.z}},
                         {"rotation", pose},
                         {"triangles", add(triangles, surface.polys)},
                         {"lines", add(lines, surface.lines)}});
    }
    MessageWriter writer;
    writer.add("triangles", triangles);
    writer.add("lines", lines);
    return writer.close({{"type", "walls"},
                         {"walls", walls},
                         {"low", {bounds.low.x, bounds.low.y, bounds.low.z}},
                         {"high", {bounds.high.x, bounds.high.y, bounds.high.z}}});
}

}  // namespace talus::server
