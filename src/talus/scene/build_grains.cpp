// Grains: the library of shapes, in the order of their names.
#include <fmt/format.h>

#include <numbers>
#include <stdexcept>

#include "talus/base/hash.h"
#include "talus/base/random.h"
#include "talus/geometry/grain_forms.h"
#include "talus/geometry/mesh_fill.h"
#include "talus/geometry/random_grain.h"
#include "talus/scene/build.h"
#include "talus/scene/file_fill.h"

namespace talus::scene {

namespace {

using Balls = std::vector<geometry::Ball>;

/// Of an entry without faults, its member that says how the shape is made.
const Member& form_of(const Value& entry) {
    for (const Member& member : entry.members) {
        if (member.second.given && member.first != "density" && member.first != "tolerance") {
            return member;
        }
    }
    throw std::logic_error("a grain without a form passed the list of keys");
}

/// What the built-in forms make of their keys.
Balls form(const std::string& kind, const Value& keys) {
    const double radius = keys.number_or("radius", 0);
    const auto count = static_cast<int>(keys.integer_or("spheres", 0));
    if (kind == "dumbbell") {
        return geometry::dumbbell(radius, keys.number_or("distance", 1.5 * radius));
    }
    if (kind == "tetrahedron") {
        return geometry::tetrahedron(radius, keys.number_or("edge", radius));
    }
    if (kind == "cube") {
        return geometry::cube(radius, keys.number_or("edge", radius));
    }
    if (kind == "rod") {
        return geometry::rod(radius, keys.number_or("length", 0), count);
    }
    if (kind == "boomerang") {
        return geometry::boomerang(radius, keys.number_or("arm", 0), keys.number_or("angle", std::numbers::pi / 2),
                                   count);
    }
    if (kind == "shell") {
        return geometry::shell(radius, static_cast<int>(keys.integer_or("count", 60)),
                               keys.number_or("sphere_radius", 0));
    }
    Balls out;
    for (const Value& sphere : keys.items) {
        out.push_back({sphere.vector_or("at", {}), sphere.number_or("radius", 0)});
    }
    return out;
}

Balls from_csv(const Build& build, const Value& path) {
    base::Diagnostics found;
    Balls out;
    for (const Grain& sphere : read_csv((build.folder / path.text).string(), path.key, found)) {
        out.push_back({sphere.position, sphere.radius});
    }
    build.diagnostics.append(found);
    if (found.has_errors()) {
        throw std::invalid_argument(fmt::format("the file \"{}\" gives no grain", path.text));
    }
    return out;
}

Balls from_mesh(const Build& build, const Value& keys) {
    geometry::Mesh mesh = geometry::read_mesh((build.folder / keys.text_or("file", "")).string());
    for (Vec3d& point : mesh.points) {
        point *= keys.number_or("unit", 1);
    }
    const geometry::MeshFillRules rules = {.error = keys.number_or("error", 0.05),
                                           .spheres = static_cast<int>(keys.integer_or("spheres", 100))};
    const geometry::MeshFill fill = geometry::fill_mesh(mesh, rules);
    if (fill.balls.empty()) {
        throw std::invalid_argument("the mesh is too thin to be filled with spheres");
    }
    const std::string reached = fmt::format(
        "{} spheres fill the mesh: {:.2g} of its volume is misplaced, the whole is off by {:+.2g}, the "
        "surfaces are {:.3g} m apart at most",
        fill.balls.size(), fill.error, fill.volume_error, fill.distance);
    if (fill.error > rules.error) {
        build.diagnostics.warning(keys.where, keys.key, fmt::format("{}; wanted was {}", reached, rules.error));
    } else {
        build.diagnostics.note(keys.where, keys.key, reached);
    }
    return fill.balls;
}

geometry::GrainStatistics statistics(const Value& keys) {
    geometry::GrainStatistics out;
    const auto spread = [&keys](const char* name, geometry::Spread otherwise) {
        const std::vector<Value>& pair = keys.list(name);
        return pair.size() == 2 ? geometry::Spread{pair[0].number, pair[1].number} : otherwise;
    };
    out.reach = keys.number_or("radius", 1);
    if (const std::vector<Value>& pair = keys.list("spheres"); pair.size() == 2) {
        out.fewest = static_cast<int>(pair[0].integer);
        out.most = static_cast<int>(pair[1].integer);
    }
    out.size = spread("size", out.size);
    out.overlap = spread("overlap", out.overlap);
    out.elongation = spread("elongation", out.elongation);
    if (const std::string fault = geometry::statistics_fault(out); !fault.empty()) {
        throw std::invalid_argument(fault);
    }
    return out;
}

class Library {
public:
    Library(Build& build, const std::string& name, const Value& entry) : build_(build), name_(name), entry_(entry) {}

    /// The shapes of one entry; faults throw std::invalid_argument.
    void add_shapes(const std::string& kind, const Value& keys) {
        if (kind == "random") {
            const geometry::GrainStatistics wanted = statistics(keys);
            base::Hasher hasher;
            hasher.add(build_.scene.system.seed);
            hasher.add_text(name_);
            for (std::int64_t k = 0; k < keys.integer_or("variants", 20); ++k) {
                add(fmt::format("{}.{}", name_, k),
                    geometry::random_grain(wanted, hasher.value(), static_cast<std::uint64_t>(k)));
            }
        } else {
            add(name_, kind == "csv"    ? from_csv(build_, keys)
                       : kind == "mesh" ? from_mesh(build_, keys)
                                        : form(kind, keys));
        }
    }

private:
    void add(const std::string& name, const Balls& balls) {
        if (const auto fault = geometry::grain_fault(balls)) {
            throw std::invalid_argument(*fault);
        }
        model::GrainShape shape = model::make_grain_shape(name, balls, entry_.number_or("tolerance", 1e-4));
        shape.density = entry_.number_or("density", 0);
        build_.scene.system.grains.shapes.push_back(std::move(shape));
    }

    Build& build_;
    const std::string& name_;
    const Value& entry_;
};

}  // namespace

std::vector<std::int32_t> Build::grain(const Value& name) const {
    std::vector<std::string> names;
    for (const KnownGrain& known : grains) {
        if (known.name == name.text) {
            std::vector<std::int32_t> out;
            for (std::int32_t k = 0; k < known.count; ++k) {
                out.push_back(known.first + k);
            }
            return out;
        }
        names.push_back(known.name);
    }
    fault(name, fmt::format("there is no grain \"{}\"", name.text),
          names.empty() ? "a table [grains." + name.text + "]" : "the name of a [grains.…] table",
          base::nearest_name(name.text, names));
    return {};
}

void build_grains(Build& build) {
    const Value* tables = build.root.find("grains");
    if (tables == nullptr) {
        return;
    }
    std::int32_t next = 0;  // of the shapes, also where they come from a saved state
    for (const auto& [name, entry] : tables->members) {
        Value named = entry;
        named.text = name;
        check_name(build, named);
        KnownGrain known{name, next, 1, entry.has("density")};
        if (entry.complete) {
            const auto& [kind, keys] = form_of(entry);
            known.count = kind == "random" ? static_cast<std::int32_t>(keys.integer_or("variants", 20)) : 1;
            try {
                if (build.with_grains) {
                    Library(build, name, entry).add_shapes(kind, keys);
                }
            } catch (const std::invalid_argument& fault) {
                build.fault(keys, fault.what());
            }
        }
        next += known.count;
        build.grains.push_back(known);
    }
}

}  // namespace talus::scene
