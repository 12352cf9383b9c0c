// The registry's entries by family, and what deriving their parameters shares. For registry.cpp alone.
#pragma once

#include <string_view>
#include <vector>

#include "talus/laws/registry.h"
#include "talus/laws/tangential_spring.h"

namespace talus::laws::entries {

/// hooke and hertz.
std::vector<LawInfo> packed();
/// poly and SOLVER's four.
std::vector<LawInfo> papers();

inline double value_or(const ParameterValues& values, std::string_view key, double otherwise) {
    const auto it = values.find(key);
    return it == values.end() ? otherwise : it->second;
}
inline bool given(const ParameterValues& values, std::string_view key) {
    return values.contains(key);
}
inline double mobility(const ParameterValues& values) {
    return value_or(values, dimensions_value, 3) == 2 ? TangentialSpring::disc_mobility
                                                      : TangentialSpring::sphere_mobility;
}
/// Pa, E* of two bodies of one material.
inline double hertz_modulus(const ParameterValues& values) {
    const double poisson = value_or(values, "poisson", 0);
    return value_or(values, "young", 0) / (2 * (1 - poisson * poisson));
}
inline void need_positive(const ParameterValues& values, std::string_view key, std::string_view expected,
                          std::vector<ParameterFault>& faults) {
    if (!(value_or(values, key, 0) > 0)) {
        faults.push_back(
            {std::string(key), given(values, key) ? "must be positive" : "is missing", std::string(expected)});
    }
}

}  // namespace talus::laws::entries
