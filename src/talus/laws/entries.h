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
/// mindlin and jkr, and the general forms of hooke and hertz.
std::vector<LawInfo> extended();

/// Restitution, friction and the rest of the tangential part, as hooke and hertz have them.
std::vector<ParameterInfo> shared_parameters();
/// Elastic rolling and cohesion: what ExtendedLaw adds.
std::vector<ParameterInfo> rolling_parameters();
std::vector<ParameterInfo> cohesion_parameters();
/// Damping of the normal spring over critical; faults unless one of restitution and cn is given.
double normal_ratio(const ParameterValues& values, std::vector<ParameterFault>& faults);

inline std::vector<ParameterInfo> joined(std::vector<ParameterInfo> first, const std::vector<ParameterInfo>& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

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
