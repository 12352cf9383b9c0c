// What a stage does on entry, carried out on a system and its engine.
#pragma once

#include "talus/model/plan.h"
#include "talus/model/system.h"
#include "talus/simulation/engine.h"

namespace talus::simulation {

/// Applies one action at the present instant to the scene's system. Throws base::RunError if it names a wall that is
/// not there, or if grains that it adds find no room.
void apply(const model::Action& action, scene::Scene& scene, Engine& engine);

}  // namespace talus::simulation
