// `law = "hertz"`: SSDEM's law with a Hertzian normal spring.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_hertz.h"
#include "talus/laws/tangential_spring.h"

namespace talus::laws {

using Hertz = GranularLaw<NormalHertz, TangentialSpring, RollingFriction, TwistingFriction>;

}  // namespace talus::laws
