// Names of wall shapes and behaviours as files store them, so that a reordered enum breaks no file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "talus/geometry/shape.h"
#include "talus/model/wall.h"

namespace talus::output {

std::string name_of(geometry::ShapeKind kind);
std::optional<geometry::ShapeKind> shape_kind(std::string_view name);

std::string name_of(model::WallBehaviour behaviour);
std::optional<model::WallBehaviour> wall_behaviour(std::string_view name);

}  // namespace talus::output
