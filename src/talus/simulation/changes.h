// What may be changed while a run goes on, as JSON that a manifest keeps: gravity, the motion of a wall, friction.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "talus/model/plan.h"
#include "talus/model/system.h"

namespace talus::simulation {

using Json = nlohmann::json;

/// {"gravity": [x, y, z]} in m/s2; {"wall": NAME, "velocity": [x, y, z], "spin": RATE} in m/s and rad/s about the axis
/// that the wall turns about, or its own, in place of all that it did before; {"between": [MATERIAL, MATERIAL],
/// "friction": MU}. What it comes to is worked out from the system as it is. base::InputError if it is none of these or
/// cannot be.
model::Action change_action(const Json& what, const model::System& system);

/// One line for people.
std::string change_text(const Json& what);

/// What a page offers to change, with the present values.
Json changeable(const model::System& system);

}  // namespace talus::simulation
