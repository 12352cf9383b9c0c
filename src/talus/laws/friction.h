// The Coulomb coefficient of a law whose other parameters stay, for those who change it while a run goes on.
#pragma once

#include <optional>

#include "talus/laws/parameter_block.h"

namespace talus::laws {

/// mu_s of the law with that index in the registry; nothing if there is no such law.
std::optional<double> friction_of(int law, const ParameterBlock& parameters);
/// The same parameters with another coefficient.
ParameterBlock with_friction(int law, const ParameterBlock& parameters, double friction);

}  // namespace talus::laws
