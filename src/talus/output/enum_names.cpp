#include "talus/output/enum_names.h"

#include <array>
#include <utility>

namespace talus::output {
namespace {

using geometry::ShapeKind;
using model::WallBehaviour;

constexpr std::array<std::pair<ShapeKind, std::string_view>, 12> shape_names = {{
    {ShapeKind::plane, "plane"},
    {ShapeKind::disk, "disk"},
    {ShapeKind::rectangle, "rectangle"},
    {ShapeKind::triangle, "triangle"},
    {ShapeKind::cylinder, "cylinder"},
    {ShapeKind::tube, "tube"},
    {ShapeKind::sphere, "sphere"},
    {ShapeKind::ring, "ring"},
    {ShapeKind::line, "line"},
    {ShapeKind::segment, "segment"},
    {ShapeKind::point, "point"},
    {ShapeKind::mesh, "mesh"},
}};

constexpr std::array<std::pair<WallBehaviour, std::string_view>, 3> behaviour_names = {{
    {WallBehaviour::normal, "normal"},
    {WallBehaviour::sticky, "sticky"},
    {WallBehaviour::absorbing, "absorbing"},
}};

template <class Table, class Value>
std::string name_in(const Table& table, Value value) {
    for (const auto& [candidate, name] : table) {
        if (candidate == value) {
            return std::string(name);
        }
    }
    return "unknown";
}

template <class Value, class Table>
std::optional<Value> value_in(const Table& table, std::string_view name) {
    for (const auto& [value, candidate] : table) {
        if (candidate == name) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string name_of(ShapeKind kind) {
    return name_in(shape_names, kind);
}
std::optional<ShapeKind> shape_kind(std::string_view name) {
    return value_in<ShapeKind>(shape_names, name);
}
std::string name_of(WallBehaviour behaviour) {
    return name_in(behaviour_names, behaviour);
}
std::optional<WallBehaviour> wall_behaviour(std::string_view name) {
    return value_in<WallBehaviour>(behaviour_names, name);
}

}  // namespace talus::output
