// What tests of the soft engine for grains have beside tests/grain_systems.h.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grain_systems.h"
#include "talus/engines/grains/engine.h"
#include "talus/laws/registry.h"

namespace talus::tests {

using engines::grains::Engine;
using engines::grains::Options;
using math::Quaterniond;
using math::Vec3d;
using model::Method;

inline model::PairLaw law_of(const char* name, const laws::ParameterValues& values) {
    model::PairLaw out;
    out.law = laws::find_law(name);
    std::vector<laws::ParameterFault> faults;
    out.parameters = laws::registry()[static_cast<std::size_t>(out.law)].derive(values, faults);
    EXPECT_TRUE(faults.empty());
    return out;
}

inline model::System space(const model::PairLaw& law, double step) {
    model::System out;
    out.materials.list.push_back({"grain", 1000});
    out.materials.pair_law = {law};
    out.clock.step = step;
    return out;
}

inline model::PairLaw rough() {
    return law_of("hooke", {{"kn", 1e6},
                            {"restitution", 0.7},
                            {"kt", 2e5},
                            {"ct", 0},
                            {"friction.static", 0.5},
                            {"friction.rolling", 0.02},
                            {"friction.twisting", 0.02},
                            {"slip_memory", 1}});
}
inline model::PairLaw smooth() {
    return law_of("hertz", {{"young", 1e7}, {"poisson", 0.3}, {"restitution", 1}});
}

inline std::string name_of(const testing::TestParamInfo<Method>& tested) {
    constexpr const char* names[] = {"leapfrog", "midpoint", "rkf45", "rk23", "implicit"};
    return names[static_cast<std::size_t>(tested.param)];
}

}  // namespace talus::tests
