// Walls that forces move, from their keys.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

/// m2; nothing where the shape has no area to speak of.
std::optional<double> area_of(const Build& build, const geometry::Placed& placed, const Vec3d& axis) {
    const geometry::Shape& shape = placed.shape;
    switch (shape.kind) {
        case geometry::ShapeKind::disk:
            return std::numbers::pi * (shape.b * shape.b - shape.a * shape.a);
        case geometry::ShapeKind::rectangle:
            return shape.a * shape.b;
        case geometry::ShapeKind::triangle:
            return 0.5 * shape.a * shape.c;
        case geometry::ShapeKind::plane: {
            const model::Domain& domain = build.scene.system.domain;
            for (int across = 0; across < 3; ++across) {
                const int u = (across + 1) % 3;
                const int v = (across + 2) % 3;
                if (std::abs(axis[across]) == 1 && domain.periodic[static_cast<std::size_t>(u)] &&
                    domain.periodic[static_cast<std::size_t>(v)]) {
                    return domain.size()[u] * domain.size()[v];
                }
            }
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

/// A unit vector; zero, with a fault, where there is none in the scene.
Vec3d axis_of(const Build& build, const Value& keys, const char* name) {
    const Vec3d given = keys.vector_or(name, {});
    if (norm(given) == 0) {
        build.fault(keys.at(name), "has no direction", "a vector that is not zero");
        return {};
    }
    return normalized(given);
}

std::optional<model::Drive> build_free(const Build& build, const Value& keys) {
    model::Drive drive;
    drive.axis = axis_of(build, keys, "along");
    drive.inertia = drive.weight = keys.number_or("mass", 1);
    drive.load = keys.number_or("load", 0);
    drive.damping = keys.number_or("damping", 0);
    drive.speed = keys.number_or("speed", 0);
    return drive;
}

std::optional<model::Drive> build_hinge(const Build& build, const Value& keys) {
    model::Drive drive;
    drive.turns = true;
    drive.axis = axis_of(build, keys, "axis");
    drive.through = keys.vector_or("through", {});
    drive.inertia = keys.number_or("inertia", 1);
    drive.load = keys.number_or("torque", 0);
    drive.damping = keys.number_or("damping", 0);
    drive.weight = keys.number_or("mass", 0);
    drive.centre = keys.vector_or("center", drive.through) - drive.through;
    drive.speed = keys.number_or("rate", 0);
    if (keys.has("center") && !(drive.weight > 0)) {
        build.fault(keys.at("center"), "says where gravity pulls, on no mass", "mass = \"2 kg\" beside it");
    }
    return drive;
}

std::optional<model::Drive> build_servo(const Build& build, const Value& keys,
                                        const std::optional<geometry::Placed>& placed) {
    model::Drive drive;
    drive.axis = axis_of(build, keys, "along");
    drive.load = keys.number_or("force", 0);
    if (const Value* pressure = keys.find("pressure")) {
        if (build.planar()) {
            build.fault(*pressure, "has no area to act on in a scene with two dimensions", "force = \"10 N\"");
            return std::nullopt;
        }
        const std::optional<double> own = placed ? area_of(build, *placed, drive.axis) : std::nullopt;
        if (!own && !keys.has("area")) {
            build.fault(*pressure, "counts for an area, and this shape has none of its own",
                        "area = \"1 m2\" beside it");
            return std::nullopt;
        }
        drive.load = pressure->number * keys.number_or("area", own.value_or(0));
    } else if (keys.has("area")) {
        build.fault(keys.at("area"), "is for a pressure; there is a force", "pressure = \"1 kPa\", or no area");
    }
    drive.damping = drive.load / keys.number_or("speed", 1);
    drive.inertia = drive.damping * keys.number_or("response", 1e-3);
    return drive;
}

}  // namespace

std::optional<model::Drive> build_drive(const Build& build, const Value& entry,
                                        const std::optional<geometry::Placed>& placed) {
    const Value* free = entry.find("free");
    const Value* hinge = entry.find("hinge");
    const Value* servo = entry.find("servo");
    const Value* keys = free != nullptr ? free : hinge != nullptr ? hinge : servo;
    if (keys == nullptr || !keys->complete) {
        return std::nullopt;
    }
    std::optional<model::Drive> drive = free != nullptr    ? build_free(build, *keys)
                                        : hinge != nullptr ? build_hinge(build, *keys)
                                                           : build_servo(build, *keys, placed);
    if (!drive || norm2(drive->axis) == 0) {
        return std::nullopt;
    }
    const Vec3d& axis = drive->axis;
    if (build.planar() && (drive->turns ? axis.x != 0 || axis.y != 0 : axis.z != 0)) {
        build.fault(keys->at(drive->turns ? "axis" : "along"), "moves the wall out of the plane",
                    drive->turns ? "[0, 0, 1]" : "a direction in the plane");
        return std::nullopt;
    }
    drive->start = keys->number_or("start", 0);
    return drive;
}

}  // namespace talus::scene
