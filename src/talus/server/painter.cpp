#include "talus/server/painter.h"

#include <algorithm>
#include <utility>

#include "talus/analysis/stress.h"
#include "talus/base/diagnostics.h"
#include "talus/output/wall_surface.h"
#include "talus/server/chains.h"

namespace talus::server {

namespace {

bool wants(std::span<const Request> requests, const char* field) {
    return std::any_of(requests.begin(), requests.end(), [&](const Request& r) { return r.field == field; });
}

bool wants_chains(std::span<const Request> requests) {
    return std::any_of(requests.begin(), requests.end(), [](const Request& r) { return r.chains; });
}

/// A picked grain tells all it has.
bool wants_grain(std::span<const Request> requests) {
    return std::any_of(requests.begin(), requests.end(), [](const Request& r) { return r.grain >= 0; });
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
        const auto grain = std::lower_bound(columns.id.begin(), columns.id.end(), request.grain);
        if (grain != columns.id.end() && *grain == request.grain) {
            picture.grains[request.grain] =
                describe_grain(columns, static_cast<std::size_t>(grain - columns.id.begin()));
        }
    }
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

bool same(const std::shared_ptr<const Population>& population, std::span<const std::int64_t> id) {
    return population && std::equal(population->id.begin(), population->id.end(), id.begin(), id.end());
}

}  // namespace

void Painter::place(Picture& picture, std::span<const Vec3d> spheres) {
    if (!origin_ && !spheres.empty()) {
        origin_ = middle(spheres);
    }
    picture.origin = origin_.value_or(Vec3d{});
    picture.population = population_;
    picture.position.resize(3 * spheres.size());
    float* out = picture.position.data();
    for (const Vec3d& sphere : spheres) {
        const Vec3d x = sphere - picture.origin;
        *out++ = static_cast<float>(x.x);
        *out++ = static_cast<float>(x.y);
        *out++ = static_cast<float>(x.z);
    }
    picture.box = box_of(picture.position);
}

void Painter::gather_spheres(const model::System& system, bool anew) {
    std::vector<float> radius;
    std::vector<std::uint32_t> grain_of;
    spheres_.clear();
    const model::Bodies& bodies = system.bodies;
    const auto add = [&](const Vec3d& center, double r, std::size_t i) {
        spheres_.push_back(center);
        if (anew) {
            radius.push_back(static_cast<float>(r));
            grain_of.push_back(static_cast<std::uint32_t>(i));
        }
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (system.grains.is_sphere(i)) {
            add(bodies.position[i], bodies.radius[i], i);
            continue;
        }
        const Mat3d axes = to_matrix(system.grains.turn[i]);
        for (const geometry::Ball& ball :
             system.grains.shapes[static_cast<std::size_t>(system.grains.shape[i])].balls) {
            add(bodies.position[i] + axes * ball.center * bodies.radius[i], ball.radius * bodies.radius[i], i);
        }
    }
    if (anew) {
        population_ = counted(bodies.id, [&](Population& out) {
            out.radius = std::move(radius);
            out.grain_of = std::move(grain_of);
        });
    }
}

std::shared_ptr<Picture> Painter::paint(const output::FrameFile& frame, std::span<const Request> requests) {
    const bool many = !frame.sphere_grain.empty();
    if (!same(population_, frame.id)) {
        population_ = counted(frame.id, [&](Population& out) {
            const std::vector<double>& radius = many ? frame.sphere_radius : frame.radius;
            out.radius.assign(radius.begin(), radius.end());
            for (const std::int64_t grain : frame.sphere_grain) {
                const auto row = std::lower_bound(frame.id.begin(), frame.id.end(), grain);
                if (row == frame.id.end() || *row != grain) {
                    throw base::InputError("a frame has a sphere of a grain that it does not hold");
                }
                out.grain_of.push_back(static_cast<std::uint32_t>(row - frame.id.begin()));
            }
        });
    }
    auto picture = std::make_shared<Picture>();
    picture->time = frame.time;
    picture->step = frame.step;
    place(*picture, many ? frame.sphere_position : frame.position);
    Columns columns = columns_of(frame);
    const std::vector<double> load = frame.contacts.empty() ? std::vector<double>() : loads_of(columns, frame.contacts);
    columns.load = load;
    add_fields(*picture, columns, requests);
    if (wants_chains(requests)) {
        picture->chains = chains_of(columns, frame.contacts, picture->origin);
    }
    walls_.show(frame.walls, *picture);
    return picture;
}

std::shared_ptr<Picture> Painter::paint(const model::System& system, const std::vector<model::ContactSample>& contacts,
                                        const Known& known, std::span<const Request> requests) {
    const model::Bodies& bodies = system.bodies;
    const bool many = system.grains.any();
    const bool anew = !same(population_, bodies.id);
    if (many) {
        gather_spheres(system, anew);
    } else if (anew) {
        population_ =
            counted(bodies.id, [&](Population& out) { out.radius.assign(bodies.radius.begin(), bodies.radius.end()); });
    }
    auto picture = std::make_shared<Picture>();
    picture->time = system.clock.time();
    picture->step = system.clock.steps;
    picture->identity = system.clock.steps;
    place(*picture, many ? std::span<const Vec3d>(spheres_) : std::span<const Vec3d>(bodies.position));
    Columns columns = columns_of(system);
    const bool all = wants_grain(requests);
    std::vector<std::int32_t> coordination;
    std::vector<double> load;
    std::vector<math::Tensor6> stress;
    if (known.coordination && (all || wants(requests, "coordination"))) {
        coordination = output::coordination_of(system);
        columns.coordination = coordination;
    }
    if (known.load && (all || wants(requests, "force"))) {
        load = loads_of(columns, contacts);
        columns.load = load;
    }
    if (known.stress && (all || wants(requests, "stress"))) {
        stress = analysis::grain_stress(system, contacts);
        columns.stress = stress;
    }
    add_fields(*picture, columns, requests);
    if (wants_chains(requests)) {
        picture->chains = chains_of(columns, contacts, picture->origin);
    }
    walls_.show(system.walls, *picture);
    return picture;
}

bool Painter::needs_contacts(std::span<const Request> requests) {
    return wants_chains(requests) || wants_grain(requests) || wants(requests, "coordination") ||
           wants(requests, "force") || wants(requests, "stress");
}

}  // namespace talus::server
