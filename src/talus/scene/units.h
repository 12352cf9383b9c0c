// Numbers with units: "3 us", "1 g/cm3", "33 rpm". Everything becomes SI, with its dimension kept for checking.
#pragma once

#include <string>
#include <string_view>

#include "talus/base/dimension.h"

namespace talus::scene {

/// A number with what its unit says about it.
struct Quantity {
    double value = 0;  // SI
    base::Dimension dimension;
    bool turning = false;  // the unit counts angles (rad, deg, rev, rpm)
    bool cycling = false;  // the unit counts cycles (Hz)
};

/// Why a text is no quantity.
struct QuantityFault {
    std::string message;     // empty: no fault
    std::string suggestion;  // the nearest unit, if a unit was unknown
};

/// Parses a number followed by a unit: products by space, `*` or `·`, any number of `/`, exponents as `3`, `^3`, `^-1`
/// or `²`. The number may be a fraction, `2/7`. Without a unit it is a plain number. Never yields NaN or infinity.
Quantity parse_quantity(std::string_view text, QuantityFault& fault);

/// Reads the leading number (fractions allowed) off `text` and moves `text` behind it; false if there is none.
bool take_number(std::string_view& text, double& number);

/// "a length (m)", "an acceleration (m/s2)", "a plain number".
std::string dimension_text(const base::Dimension& dimension);
/// "m/s2"; empty for plain numbers.
std::string unit_text(const base::Dimension& dimension);

}  // namespace talus::scene
