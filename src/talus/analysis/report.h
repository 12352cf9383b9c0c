// The end of a run in plain words.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "talus/analysis/energy.h"
#include "talus/analysis/measure.h"

namespace talus::analysis {

/// "13.57 ± 0.05 kg/s": the error with one digit (two if it begins with 1), the value to the same place. Without an
/// error, four digits.
std::string with_error(double value, std::optional<double> error, std::string_view unit);

/// One line a measure.
std::vector<std::string> report(std::span<const std::unique_ptr<Measure>> measures);

/// One line on the energy ledger.
std::string report(const EnergyBalance& balance);

}  // namespace talus::analysis
