// Uniform fields, forces over a distance, and what grains carry to feel them; combinations that make no sense are
// refused.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

using model::Fields;
using model::Moments;
using model::UniformField;

UniformField uniform_field(const Build& build, const Value& keys) {
    UniformField out;
    if (keys.kind == Value::Kind::vector) {
        out.value = keys.vector;
        return out;
    }
    out.value = keys.vector_or("value", {});
    const Vec3d axis = keys.vector_or("axis", {0, 0, 1});
    if (norm(axis) == 0) {
        build.fault(keys.at("axis"), "has no direction", "a vector that is not zero");
        return out;
    }
    out.axis = normalized(axis);
    out.rate = keys.has("period") ? 2 * std::numbers::pi / keys.number_or("period", 1) : keys.number_or("rate", 0);
    if (!keys.complete) {
        return out;
    }
    if (out.rate == 0) {
        build.fault(keys.at("rate"), "does not turn the field", "a rate, or a list of numbers for a constant field");
    } else if (out.is_there() && norm(cross(out.axis, out.value)) <= 1e-12 * norm(out.value)) {
        build.fault(keys.at("value"), "lies along the axis, so that nothing turns", "a value across the axis");
    }
    if (build.planar() && (out.axis.x != 0 || out.axis.y != 0)) {
        build.fault(keys.at("axis"), "turns the field out of the plane", "[0, 0, 1], or no axis");
    }
    return out;
}

bool in_plane(const Vec3d& v) {
    return v.z == 0;
}
bool along_z(const Vec3d& v) {
    return v.x == 0 && v.y == 0;
}

/// A plane scene takes a magnetic field, or a magnetic dipole, that lies in the plane or stands on it.
void check_upright_or_flat(const Build& build, const Value& at, const Vec3d& v) {
    if (build.planar() && !in_plane(v) && !along_z(v)) {
        build.fault(at, "leans out of the plane of the scene", "a vector along z or in the plane");
    }
}

void build_forces(Build& build, const Value& keys) {
    Fields& fields = build.scene.system.fields;
    if (const Value* gravity = keys.find("gravity")) {
        fields.masses = gravity->kind == Value::Kind::number || gravity->boolean;
        if (gravity->kind == Value::Kind::number) {
            fields.gravitational_constant = gravity->number;
        }
    }
    fields.electric_moments = keys.boolean_or("electric", false);
    fields.magnetic_moments = keys.boolean_or("magnetic", false);
    const model::Domain& domain = build.scene.system.domain;
    if (fields.mutual() && domain.any_periodic()) {
        build.fault(keys,
                    "act over any distance; with periodic sides every grain would have endless copies that act too",
                    "no domain.periodic");
    }
}

void refuse_engine(const Build& build, const Value& at, const std::string& what) {
    if (build.engine() == "hard" || build.engine() == "stepped") {
        build.fault(at, fmt::format("{} for soft contacts; this scene has engine = \"{}\"", what, build.engine()),
                    "engine = \"soft\"");
    }
}

/// The moments that a table of keys gives, over those of `otherwise`.
Moments moments_of(const Value& keys, const Moments& otherwise) {
    return {keys.number_or("charge", otherwise.charge), keys.vector_or("electric_dipole", otherwise.electric_dipole),
            keys.vector_or("magnetic_dipole", otherwise.magnetic_dipole)};
}

/// Whether anything acts on these moments at all, and leaves grains of a plane scene in the plane.
void check_moments(const Build& build, const Value& fill, const Value& material, const Moments& moments) {
    const Fields& fields = build.scene.system.fields;
    const auto at = [&](const char* key) -> const Value& { return fill.has(key) ? fill.at(key) : material.at(key); };
    const auto refuse_idle = [&](const char* key, bool there, bool acts, const char* expected) {
        if (there && !acts) {
            build.fault(at(key), "has nothing to act on it", expected);
        }
    };
    refuse_idle("charge", moments.charge != 0,
                fields.electric.is_there() || fields.magnetic.is_there() || fields.electric_moments,
                "fields.electric, fields.magnetic or forces.electric = true");
    refuse_idle("electric_dipole", moments.electric_dipole != Vec3d{},
                fields.electric.is_there() || fields.electric_moments, "fields.electric or forces.electric = true");
    refuse_idle("magnetic_dipole", moments.magnetic_dipole != Vec3d{},
                fields.magnetic.is_there() || fields.magnetic_moments, "fields.magnetic or forces.magnetic = true");
    if (!build.planar()) {
        return;
    }
    const Vec3d& field = fields.magnetic.value;
    check_upright_or_flat(build, at("magnetic_dipole"), moments.magnetic_dipole);
    if (moments.charge != 0 && !along_z(field)) {
        build.fault(at("charge"), "would be pushed out of the plane by fields.magnetic, which is not along z",
                    "fields.magnetic = [0, 0, …]");
    }
    if (moments.magnetic_dipole != Vec3d{} && fields.magnetic.is_there() &&
        in_plane(moments.magnetic_dipole) != in_plane(field)) {
        build.fault(at("magnetic_dipole"), "would be turned out of the plane by fields.magnetic",
                    "both along z, or both in the plane");
    }
}

std::vector<const FillSpec*> all_fills(const Build& build) {
    std::vector<const FillSpec*> out;
    for (const FillSpec& fill : build.fills) {
        out.push_back(&fill);
    }
    for (const FillSpec& fill : build.scene.stage_fills) {
        out.push_back(&fill);
    }
    return out;
}

}  // namespace

void build_fields(Build& build) {
    Fields& fields = build.scene.system.fields;
    if (const Value* keys = build.root.find("fields"); keys != nullptr && build.root.has("fields")) {
        refuse_engine(build, *keys, "are");
        const auto take = [&](const char* name, UniformField& field) {
            if (const Value* value = keys->find(name)) {
                field = uniform_field(build, *value);
            }
        };
        take("electric", fields.electric);
        take("magnetic", fields.magnetic);
        take("gravity", fields.gravity);
        check_upright_or_flat(build, keys->at("magnetic"), fields.magnetic.value);
        if (build.planar() && fields.magnetic.turns() && along_z(fields.magnetic.value)) {
            build.fault(keys->at("magnetic"), "lies along the axis, so that nothing turns", "a value in the plane");
        }
    }
    if (const Value* keys = build.root.find("forces")) {
        build_forces(build, *keys);
        if (fields.mutual()) {
            refuse_engine(build, *keys, "are");
        }
    }
}

void take_moments(const Build& build, const Value& entry, FillSpec& spec) {
    bool any = false;
    for (const std::int32_t material : spec.materials) {
        Moments moments;
        if (material >= 0) {
            const Value& of_material = build.material_values[static_cast<std::size_t>(material)];
            moments = moments_of(entry, moments_of(of_material, {}));
            check_moments(build, entry, of_material, moments);
        }
        any = any || moments.any();
        spec.moments.push_back(moments);
    }
    if (!any) {
        spec.moments.clear();
    }
}

void check_fields(const Build& build) {
    const Fields& fields = build.scene.system.fields;
    const std::vector<const FillSpec*> fills = all_fills(build);
    const auto some = [&fills](const auto& holds) {
        return std::any_of(fills.begin(), fills.end(), [&holds](const FillSpec* fill) {
            return std::any_of(fill->moments.begin(), fill->moments.end(), holds);
        });
    };
    const bool charges = some([](const Moments& m) { return m.charge != 0; });
    const bool electric = charges || some([](const Moments& m) { return m.electric_dipole != Vec3d{}; });
    const bool magnets = some([](const Moments& m) { return m.magnetic_dipole != Vec3d{}; });
    const Value& of_fields = build.root.at("fields");
    const Value& of_forces = build.root.at("forces");
    const auto refuse = [&build](bool idle, const Value& at, const char* who, const char* expected) {
        if (idle) {
            build.fault(at, fmt::format("acts on nothing: no grain has {}", who), expected);
        }
    };
    const char* const electric_keys = "charge or electric_dipole in a material or a fill";
    refuse(fields.electric.is_there() && !electric, of_fields.at("electric"), "a charge or an electric dipole",
           electric_keys);
    refuse(fields.electric_moments && !electric, of_forces.at("electric"), "a charge or an electric dipole",
           electric_keys);
    refuse(fields.magnetic.is_there() && !charges && !magnets, of_fields.at("magnetic"),
           "a charge or a magnetic dipole", "charge or magnetic_dipole in a material or a fill");
    refuse(fields.magnetic_moments && !magnets, of_forces.at("magnetic"), "a magnetic dipole",
           "magnetic_dipole in a material or a fill");
    const bool lying =
        some([](const Moments& m) { return m.magnetic_dipole != Vec3d{} && in_plane(m.magnetic_dipole); });
    const bool standing = some([](const Moments& m) { return m.magnetic_dipole.z != 0; });
    if (build.planar() && fields.magnetic_moments && lying && standing) {
        build.fault(
            of_forces.at("magnetic"),
            "some magnetic dipoles lie in the plane and some stand on it: they would turn one another out of it",
            "all along z, or all in the plane");
    }
}

}  // namespace talus::scene
