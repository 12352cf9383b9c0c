// Hertz's normal and Mindlin's tangential spring: the core of `law = "mindlin"`.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_hertz.h"
#include "talus/laws/tangential_mindlin.h"

namespace talus::laws {

using HertzMindlin = GranularLaw<NormalHertz, TangentialMindlin, RollingFriction, TwistingFriction>;

}  // namespace talus::laws
