// Numbers as text that keeps every bit, NaN and infinities included: sixteen hexadecimal digits each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace talus::simulation {

std::string to_text(std::span<const double> numbers);
/// Throws base::InputError on anything to_text does not write.
std::vector<double> from_text(std::string_view text);

}  // namespace talus::simulation
