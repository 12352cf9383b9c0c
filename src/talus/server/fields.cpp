#include "talus/server/fields.h"

#include <algorithm>
#include <array>

#include "talus/analysis/stress.h"

namespace talus::server {

namespace {

constexpr std::array<Field, 12> all = {{{"speed", "Speed", "m/s", FieldKind::amount},
                                        {"vx", "Velocity x", "m/s", FieldKind::signed_amount},
                                        {"vy", "Velocity y", "m/s", FieldKind::signed_amount},
                                        {"vz", "Velocity z", "m/s", FieldKind::signed_amount},
                                        {"spin", "Spin", "rad/s", FieldKind::amount},
                                        {"force", "Net force", "N", FieldKind::amount},
                                        {"pressure", "Pressure", "Pa", FieldKind::amount},
                                        {"coordination", "Contacts", "", FieldKind::amount},
                                        {"height", "Height", "m", FieldKind::amount},
                                        {"radius", "Radius", "m", FieldKind::amount},
                                        {"material", "Material", "", FieldKind::kinds},
                                        {"id", "Number", "", FieldKind::amount}}};

template <class Column, class F>
std::vector<float> each(const Column& column, F f) {
    std::vector<float> out(column.size());
    for (std::size_t i = 0; i < column.size(); ++i) {
        out[i] = static_cast<float>(f(i));
    }
    return out;
}

double force_on(const Columns& columns, std::size_t i) {
    return math::norm(columns.force[i]) * (columns.force_per_mass ? columns.mass[i] : 1.0);
}

Json to_json(const Vec3d& v) {
    return {v.x, v.y, v.z};
}

}  // namespace

Columns columns_of(const output::FrameFile& frame) {
    Columns out;
    out.id = frame.id;
    out.position = frame.position;
    out.velocity = frame.velocity;
    out.spin = frame.spin;
    out.force = frame.force;
    out.radius = frame.radius;
    out.mass = frame.mass;
    out.material = frame.material;
    out.coordination = frame.coordination;
    out.stress = frame.stress;
    out.materials = frame.materials;
    out.up = frame.domain.up();
    out.dimensions = frame.domain.dimensions;
    return out;
}

Columns columns_of(const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    Columns out;
    out.id = bodies.id;
    out.position = bodies.position;
    out.velocity = bodies.velocity;
    out.spin = bodies.spin;
    out.force = bodies.acceleration;
    out.force_per_mass = true;
    out.radius = bodies.radius;
    out.mass = bodies.mass;
    out.material = bodies.material;
    out.materials = system.materials.list;
    out.up = system.domain.up();
    out.dimensions = system.domain.dimensions;
    return out;
}

std::span<const Field> fields() {
    return all;
}

const Field* find_field(std::string_view name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Field& field) { return field.name == name; });
    return found == all.end() ? nullptr : found;
}

std::vector<float> field_values(const Field& field, const Columns& columns) {
    const std::string_view name = field.name;
    if (name == "speed") {
        return each(columns.velocity, [&](std::size_t i) { return math::norm(columns.velocity[i]); });
    }
    if (name == "vx" || name == "vy" || name == "vz") {
        const int axis = name[1] - 'x';
        return each(columns.velocity, [&](std::size_t i) { return columns.velocity[i][axis]; });
    }
    if (name == "spin") {
        return each(columns.spin, [&](std::size_t i) { return math::norm(columns.spin[i]); });
    }
    if (name == "force") {
        return each(columns.force, [&](std::size_t i) { return force_on(columns, i); });
    }
    if (name == "pressure") {
        return each(columns.stress,
                    [&](std::size_t i) { return analysis::pressure(columns.stress[i], columns.dimensions); });
    }
    if (name == "coordination") {
        return each(columns.coordination, [&](std::size_t i) { return columns.coordination[i]; });
    }
    if (name == "height") {
        return each(columns.position, [&](std::size_t i) { return math::dot(columns.position[i], columns.up); });
    }
    if (name == "radius") {
        return each(columns.radius, [&](std::size_t i) { return columns.radius[i]; });
    }
    if (name == "material") {
        return each(columns.material, [&](std::size_t i) { return columns.material[i]; });
    }
    return each(columns.id, [&](std::size_t i) { return static_cast<double>(columns.id[i]); });
}

Json describe_fields() {
    Json out = Json::array();
    for (const Field& field : all) {
        const char* kind = field.kind == FieldKind::amount          ? "amount"
                           : field.kind == FieldKind::signed_amount ? "signed"
                                                                    : "kinds";
        out.push_back({{"name", field.name}, {"label", field.label}, {"unit", field.unit}, {"kind", kind}});
    }
    return out;
}

Json describe_materials(std::span<const model::Material> materials) {
    Json out = Json::array();
    for (const model::Material& material : materials) {
        out.push_back(material.name);
    }
    return out;
}

Json describe_grain(const Columns& columns, std::size_t i) {
    const auto material = static_cast<std::size_t>(columns.material[i]);
    Json out = {{"id", columns.id[i]},
                {"material", material < columns.materials.size() ? columns.materials[material].name : ""},
                {"radius", columns.radius[i]},
                {"mass", columns.mass[i]},
                {"position", to_json(columns.position[i])},
                {"velocity", to_json(columns.velocity[i])},
                {"speed", math::norm(columns.velocity[i])},
                {"spin", to_json(columns.spin[i])},
                {"force", force_on(columns, i)}};
    if (!columns.coordination.empty()) {
        out["contacts"] = columns.coordination[i];
    }
    if (!columns.stress.empty()) {
        out["pressure"] = analysis::pressure(columns.stress[i], columns.dimensions);
    }
    return out;
}

}  // namespace talus::server
