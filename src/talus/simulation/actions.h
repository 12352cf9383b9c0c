// What a stage does on entry, carried out on a system and its engine.
#pragma once

#include "talus/engines/soft/engine.h"
#include "talus/model/plan.h"
#include "talus/model/system.h"

namespace talus::simulation {

/// Applies one action at the present instant. Throws base::RunError if it names a wall that is not there.
void apply(const model::Action& action, model::System& system, engines::soft::Engine& engine);

}  // namespace talus::simulation
