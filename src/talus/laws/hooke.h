// `law = "hooke"`: SSDEM's law with a linear normal spring.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_hooke.h"
#include "talus/laws/tangential_spring.h"

namespace talus::laws {

using Hooke = GranularLaw<NormalHooke, TangentialSpring, RollingFriction, TwistingFriction>;

}  // namespace talus::laws
