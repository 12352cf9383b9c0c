#include "talus/server/fields.h"

#include <algorithm>
#include <array>

#include "talus/analysis/stress.h"

namespace talus::server {

namespace {

constexpr std::array<Field, 13> all = {{{"speed", "speed", "m/s", FieldKind::amount},
                                        {"velocity.x", "velocity.x", "m/s", FieldKind::signed_amount},
                                        {"velocity.y", "velocity.y", "m/s", FieldKind::signed_amount},
                                        {"velocity.z", "velocity.z", "m/s", FieldKind::signed_amount},
                                        {"spin", "spin", "rad/s", FieldKind::amount},
                                        {"force", "contact forces", "N", FieldKind::amount},
                                        {"stress", "pressure", "Pa", FieldKind::amount},
                                        {"coordination", "coordination", "", FieldKind::amount},
                                        {"height", "height", "m", FieldKind::amount},
                                        {"size", "diameter", "m", FieldKind::amount},
                                        {"mass", "mass", "kg", FieldKind::amount},
                                        {"material", "material", "", FieldKind::kinds},
                                        {"id", "id", "", FieldKind::amount}}};

template <class Column, class F>
std::vector<float> each(const Column& column, F f) {
    std::vector<float> out(column.size());
    for (std::size_t i = 0; i < column.size(); ++i) {
        out[i] = static_cast<float>(f(i));
    }
    return out;
}

bool is_known(const Field& field, const Known& known) {
    const std::string_view name = field.name;
    return name == "force"    ? known.load
           : name == "stress" ? known.stress
                              : name != "coordination" || known.coordination;
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

const Field* find_field(std::string_view name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Field& field) { return field.name == name; });
    return found == all.end() ? nullptr : found;
}

std::vector<float> field_values(const Field& field, const Columns& columns) {
    const std::string_view name = field.name;
    if (name == "speed") {
        return each(columns.velocity, [&](std::size_t i) { return math::norm(columns.velocity[i]); });
    }
    if (name.starts_with("velocity.")) {
        const int axis = name.back() - 'x';
        return each(columns.velocity, [&](std::size_t i) { return columns.velocity[i][axis]; });
    }
    if (name == "spin") {
        return each(columns.spin, [&](std::size_t i) { return math::norm(columns.spin[i]); });
    }
    if (name == "force") {
        return each(columns.load, [&](std::size_t i) { return columns.load[i]; });
    }
    if (name == "stress") {
        return each(columns.stress,
                    [&](std::size_t i) { return analysis::pressure(columns.stress[i], columns.dimensions); });
    }
    if (name == "coordination") {
        return each(columns.coordination, [&](std::size_t i) { return columns.coordination[i]; });
    }
    if (name == "height") {
        return each(columns.position, [&](std::size_t i) { return math::dot(columns.position[i], columns.up); });
    }
    if (name == "size") {
        return each(columns.radius, [&](std::size_t i) { return 2 * columns.radius[i]; });
    }
    if (name == "mass") {
        return each(columns.mass, [&](std::size_t i) { return columns.mass[i]; });
    }
    if (name == "material") {
        return each(columns.material, [&](std::size_t i) { return columns.material[i]; });
    }
    return each(columns.id, [&](std::size_t i) { return static_cast<double>(columns.id[i]); });
}

Json describe_fields(const Known& known) {
    Json out = Json::array();
    for (const Field& field : all) {
        if (!is_known(field, known)) {
            continue;
        }
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
        out.push_back({{"name", material.name}, {"colour", material.colour}});
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
                {"net_force", math::norm(columns.force[i]) * (columns.force_per_mass ? columns.mass[i] : 1.0)}};
    if (!columns.coordination.empty()) {
        out["contacts"] = columns.coordination[i];
    }
    if (!columns.load.empty()) {
        out["load"] = columns.load[i];
    }
    if (!columns.stress.empty()) {
        out["pressure"] = analysis::pressure(columns.stress[i], columns.dimensions);
    }
    return out;
}

}  // namespace talus::server
