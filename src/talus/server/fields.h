// What grains can be coloured by, and the numbers of a single one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "talus/math/tensor6.h"
#include "talus/model/materials.h"
#include "talus/output/frame.h"
#include "talus/server/message.h"

namespace talus::server {

using math::Vec3d;

/// The columns of grains that fields are made of, in whoever's memory they lie. Those that are empty are not known.
struct Columns {
    std::span<const std::int64_t> id;
    std::span<const Vec3d> position, velocity, spin;  // m, m/s, rad/s
    std::span<const Vec3d> force;                     // N, net, or m/s2 if `force_per_mass`
    bool force_per_mass = false;
    std::span<const double> radius, mass;  // m, kg
    std::span<const std::int32_t> material;
    std::span<const std::int32_t> coordination;
    std::span<const double> load;           // N, sum of the sizes of the forces at a grain's contacts
    std::span<const math::Tensor6> stress;  // Pa
    std::span<const model::Material> materials;
    Vec3d up{0, 0, 1};
    int dimensions = 3;
};

Columns columns_of(const output::FrameFile& frame);
/// Without coordination, loads and stress, which take work: whoever wants them adds them.
Columns columns_of(const model::System& system);

enum class FieldKind : std::uint8_t { amount, signed_amount, kinds };

/// Names, labels and meanings are those of `talus render --colour`.
struct Field {
    const char* name;
    const char* label;
    const char* unit;
    FieldKind kind;
};

/// Null: no such field.
const Field* find_field(std::string_view name);
/// A value for each grain; empty if what it takes is not known.
std::vector<float> field_values(const Field& field, const Columns& columns);

/// What contacts tell is not known of every run: hard grains have no contact forces, and frames may leave them out.
struct Known {
    bool coordination = true, load = true, stress = true;

    bool operator==(const Known&) const = default;
};

/// For a greeting: name, label, unit and kind of every field that is known.
Json describe_fields(const Known& known);
/// Name and colour of each material, in the order of what the field `material` counts.
Json describe_materials(std::span<const model::Material> materials);
/// All numbers of the grain at `index`.
Json describe_grain(const Columns& columns, std::size_t index);

}  // namespace talus::server
