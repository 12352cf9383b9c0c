// Walls: shapes, poses, motions.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

using geometry::Placed;
using geometry::ShapeKind;

/// A finite cylinder from from, to and one radius or two; an infinite one from point, axis and radius.
Placed place_cylinder(const Value& keys, bool may_be_infinite) {
    const bool infinite = may_be_infinite && (keys.has("point") || keys.has("axis"));
    const bool two = keys.has("radius_from") || keys.has("radius_to");
    if (keys.has("radius") == two) {
        throw std::invalid_argument(two ? "has radius as well as radius_from or radius_to"
                                        : "needs the key \"radius\"");
    }
    if (infinite) {
        if (keys.has("from") || keys.has("to") || two) {
            throw std::invalid_argument("is either infinite (point, axis, radius) or finite (from, to, radius)");
        }
        return geometry::make_cylinder(keys.vector_or("point", {}), keys.vector_or("axis", {0, 0, 1}),
                                       keys.number_or("radius", 0));
    }
    for (const char* name : {"from", "to"}) {
        if (!keys.has(name)) {
            throw std::invalid_argument(fmt::format("needs the key \"{}\"", name));
        }
    }
    if (two && !(keys.has("radius_from") && keys.has("radius_to"))) {
        throw std::invalid_argument("needs radius_from and radius_to together");
    }
    const double radius = keys.number_or("radius", 0);
    return geometry::make_tube(keys.vector_or("from", {}), keys.vector_or("to", {}),
                               keys.number_or("radius_from", radius), keys.number_or("radius_to", radius));
}

/// A straight wall of a plane scene: a rectangle that stands on the plane, half of it to either side.
Placed place_upright(const Vec3d& from, const Vec3d& to) {
    geometry::make_segment(from, to);  // for its checks
    constexpr double height = 1;       // m, as thick as the discs
    return geometry::make_rectangle(from - Vec3d{0, 0, height / 2}, {0, 0, height}, to - from);
}

Placed place(const std::string& kind, const Value& keys, const model::Domain& domain) {
    const Vec3d center = keys.vector_or("center", {});
    const Vec3d point = keys.vector_or("point", {});
    const bool flat = kind == "plane" || kind == "disk";
    const Vec3d normal = flat && !keys.has("normal") ? domain.up() : keys.vector_or("normal", {0, 0, 1});
    const double radius = keys.number_or("radius", 0);
    if (kind == "circle") {
        if (!domain.planar()) {
            throw std::invalid_argument("is for scenes with dimensions = 2; in space a cylinder, a disk or a ring");
        }
        return geometry::make_cylinder(center, {0, 0, 1}, radius);
    }
    if (kind == "plane") {
        return geometry::make_plane(point, normal);
    }
    if (kind == "disk") {
        return geometry::make_disk(center, normal, radius, keys.number_or("hole", 0));
    }
    if (kind == "rectangle") {
        return geometry::make_rectangle(keys.vector_or("corner", {}), keys.vector_or("edge1", {}),
                                        keys.vector_or("edge2", {}));
    }
    if (kind == "triangle") {
        const std::vector<Value>& corners = keys.list("corners");
        return geometry::make_triangle(corners.at(0).vector, corners.at(1).vector, corners.at(2).vector);
    }
    if (kind == "cylinder" || kind == "tube") {
        return place_cylinder(keys, kind == "cylinder");
    }
    if (kind == "sphere") {
        return geometry::make_sphere(center, radius);
    }
    if (kind == "ring") {
        return geometry::make_ring(center, normal, radius);
    }
    if (kind == "line") {
        return geometry::make_line(point, keys.vector_or("axis", {0, 0, 1}));
    }
    if (kind == "segment") {
        if (domain.planar()) {
            return place_upright(keys.vector_or("from", {}), keys.vector_or("to", {}));
        }
        return geometry::make_segment(keys.vector_or("from", {}), keys.vector_or("to", {}));
    }
    if (kind == "grid") {
        throw std::invalid_argument("is many walls; stages take one at a time");
    }
    return geometry::make_point(keys.vector_or("at", {}));
}

/// An endless wall must look the same in every period.
void check_periodic(const Build& build, const Value& shape, const Placed& placed) {
    const Vec3d z = placed.rotation.column(2);
    const ShapeKind kind = placed.shape.kind;
    for (int i = 0; i < 3; ++i) {
        const double along = std::abs(z[i]);
        if (!build.scene.system.domain.periodic[static_cast<std::size_t>(i)]) {
            continue;
        }
        if (kind == ShapeKind::plane && along > 1e-9) {
            build.fault(shape,
                        fmt::format("the infinite plane lies across {}, along which the domain is periodic", "xyz"[i]),
                        "a plane along the periodic axes, or a rectangle or disk");
        } else if ((kind == ShapeKind::cylinder || kind == ShapeKind::line) && along > 1e-9 && along < 1 - 1e-9) {
            build.fault(shape,
                        fmt::format("the infinite wall runs askew to {}, along which the domain is periodic", "xyz"[i]),
                        "an axis along a periodic axis or across it");
        }
    }
}

constexpr double seen_through = 0.2;  // opacity

/// A floor, and what has no area, is solid in pictures; other walls let the grains behind them be seen.
double usual_opacity(const model::Wall& wall, const Vec3d& gravity) {
    using geometry::ShapeKind;
    switch (wall.shape.kind) {
        case ShapeKind::plane:
        case ShapeKind::disk:
        case ShapeKind::rectangle:
        case ShapeKind::triangle: {
            const double along = std::abs(dot(wall.base.rotation.column(2), gravity));
            return along > 0 && along > 0.7 * norm(gravity) ? 1.0 : seen_through;
        }
        case ShapeKind::cylinder:
        case ShapeKind::tube:
        case ShapeKind::sphere:
            return seen_through;
        default:
            return 1.0;
    }
}

}  // namespace

// A grain in the plane must find the nearest point of the wall in the plane too. A shape does that if the plane is one
// of its planes of symmetry, or if it goes on along z without end.
bool check_upright(const Build& build, const Value& keys, const Placed& placed) {
    const Vec3d z = placed.rotation.column(2);
    const bool level = z.z == 0;
    const bool upright = z.x == 0 && z.y == 0;
    switch (placed.shape.kind) {
        case ShapeKind::plane:
        case ShapeKind::disk:
            if (!level) {
                build.fault(keys, "does not stand upright on the plane of the scene, which has two dimensions",
                            "a normal in the plane, two numbers");
            }
            return level;
        case ShapeKind::triangle:
        case ShapeKind::mesh:
            build.fault(keys, "cannot stand on the plane of a scene with two dimensions", "segment = { from, to }");
            return false;
        case ShapeKind::rectangle: {
            const bool stands = placed.rotation.column(0).z != 0 && level;  // what a segment is made of
            if (!stands) {
                build.fault(keys, "cannot stand on the plane of a scene with two dimensions", "segment = { from, to }");
            }
            return stands;
        }
        case ShapeKind::cylinder:
        case ShapeKind::ring:
        case ShapeKind::line:
            if (!level && !upright) {
                build.fault(keys, "runs askew to the plane of the scene, which has two dimensions",
                            "an axis or normal along z or in the plane");
            }
            return level || upright;
        default:
            return true;
    }
}

std::optional<Placed> placed_shape(Build& build, const Value& shape) {
    if (!shape.complete || shape.members.empty()) {
        return std::nullopt;
    }
    const auto& [kind, keys] = shape.members.front();
    try {
        const Placed placed = kind == "mesh" ? place_mesh(build, keys) : place(kind, keys, build.scene.system.domain);
        check_periodic(build, keys, placed);
        if (build.planar() && !check_upright(build, keys, placed)) {
            return std::nullopt;
        }
        return placed;
    } catch (const std::invalid_argument& fault) {
        build.fault(keys, fault.what());
        return std::nullopt;
    }
}

KnownWall* Build::wall(const Value& name) {
    std::vector<std::string> names;
    for (KnownWall& known : walls) {
        if (known.name == name.text && known.present) {
            return &known;
        }
        if (known.name == name.text) {
            fault(name, fmt::format("the wall \"{}\" has been removed by an earlier action", name.text));
            return nullptr;
        }
        if (known.present) {
            names.push_back(known.name);
        }
    }
    fault(name, fmt::format("there is no wall \"{}\"", name.text), "the name of a wall",
          base::nearest_name(name.text, names));
    return nullptr;
}

BuiltMotion build_motion(const Build& build, const std::vector<Value>& entries,
                         const std::optional<geometry::Placed>& placed) {
    BuiltMotion built;
    model::Motion& motion = built.motion;
    for (const Value& entry : entries) {
        if (!entry.complete) {
            continue;
        }
        if (const Value* keys = entry.find("translate")) {
            motion.translations.push_back({keys->vector_or("velocity", {}), keys->number_or("start", 0)});
        } else if (const Value* swing = entry.find("oscillate")) {
            motion.oscillations.push_back({swing->vector_or("amplitude", {}),
                                           2 * std::numbers::pi * swing->number_or("frequency", 0),
                                           swing->number_or("phase", 0), swing->number_or("start", 0)});
        } else if (const Value* spin = entry.find("spin")) {
            const Vec3d axis = spin->vector_or("axis", {0, 0, 1});
            if (norm(axis) == 0) {
                build.fault(*spin->find("axis"), "has no direction", "a vector that is not zero");
                continue;
            }
            if (build.planar() && spin->has("axis") && (axis.x != 0 || axis.y != 0)) {
                build.fault(*spin->find("axis"), "turns the wall out of the plane", "[0, 0, 1], or no axis");
                continue;
            }
            motion.spins.push_back({normalized(axis), spin->vector_or("through", {}), spin->number_or("rate", 0),
                                    spin->number_or("start", 0)});
            built.own_axes.push_back({!spin->has("axis") && !build.planar(), !spin->has("through")});
        } else if (!entry.has("keyframes")) {
            if (const auto drive = build_drive(build, entry, placed)) {
                motion.drives.push_back(*drive);
            }
        } else {
            for (const Value& frame : entry.list("keyframes")) {
                const double time = frame.number_or("time", 0);
                if (!motion.keyframes.empty() && time <= motion.keyframes.back().time) {
                    build.fault(frame, "is not later than the keyframe before it", "ascending times");
                }
                motion.keyframes.push_back(
                    {time, frame.vector_or("displacement", {}), frame.vector_or("rotation", {})});
            }
        }
    }
    if (motion.drives.size() > 1) {
        build.fault(entries.back(), "is the second of the wall's motions by forces", "one of free, hinge and servo");
    } else if (entries.size() > 1 && !motion.drives.empty() && motion.drives.front().turns) {
        build.fault(entries.back(), "is beside a hinge, whose axis stays where it is", "the hinge alone");
    }
    return built;
}

model::WallBehaviour wall_behaviour(const std::string& name) {
    return name == "sticky"      ? model::WallBehaviour::sticky
           : name == "absorbing" ? model::WallBehaviour::absorbing
                                 : model::WallBehaviour::normal;
}

std::optional<model::Wall> build_wall(Build& build, const Value& entry, bool from_start) {
    const Value* name = entry.find("name");
    bool sound = entry.complete && check_name(build, *name);
    KnownWall known;
    known.where = entry.where;
    known.from_start = from_start;
    if (name != nullptr) {
        known.name = name->text;
        for (const KnownWall& other : build.walls) {
            if (other.name == name->text) {
                build.fault(*name,
                            fmt::format("there is already a wall \"{}\", in line {}", name->text, other.where.line),
                            "another name");
                sound = false;
            }
        }
    }
    if (const Value* material = entry.find("material")) {
        known.material = build.material(*material);
        known.material_where = material->where;
    }
    check_colour(build, entry);
    if (const Value* shape = entry.find("shape")) {
        known.shape = *shape;
        known.placed = placed_shape(build, *shape);
    }
    const BuiltMotion built = build_motion(build, entry.list("motion"), known.placed);
    known.driven = !built.motion.drives.empty();
    build.walls.push_back(known);
    if (!sound || !known.placed || known.material < 0) {
        return std::nullopt;
    }
    model::Wall wall;
    wall.name = known.name;
    wall.shape = known.placed->shape;
    wall.base.position = known.placed->position;
    wall.base.rotation = known.placed->rotation;
    wall.motion = built.motion;
    model::take_own_axes(wall.base, wall.motion, built.own_axes);
    wall.pose = model::pose_at(wall.base, wall.motion, 0);
    wall.material = known.material;
    wall.behaviour = wall_behaviour(entry.text_or("behaviour", "normal"));
    wall.colour = entry.text_or("colour", "");
    wall.opacity = entry.number_or("opacity", usual_opacity(wall, build.scene.system.gravity));
    return wall;
}

void build_walls(Build& build) {
    for (const Value& entry : build.root.list("walls")) {
        for (const Value& bar : bars_of(build, entry)) {
            if (const auto wall = build_wall(build, bar, true)) {
                build.scene.system.walls.push_back(*wall);
            }
        }
    }
}

}  // namespace talus::scene
