// Materials by name, and for each pair of materials the contact law and its parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/laws/impact.h"
#include "talus/laws/parameter_block.h"

namespace talus::model {

struct Material {
    std::string name;
    double density = 1000;  // kg/m3
    std::string colour{};   // for pictures, "#rrggbb"; empty: the renderer chooses
};

struct PairLaw {
    std::int32_t law = -1;  // index into the law registry; -1: no force between these materials was described
    laws::ParameterBlock parameters;
    laws::ImpactParams impact{};  // of rigid grains
};

struct Materials {
    std::vector<Material> list;
    std::vector<PairLaw> pair_law;  // list.size() squared, symmetric

    std::size_t size() const { return list.size(); }
    /// Where pair_law has a pair.
    std::size_t pair(std::int32_t a, std::int32_t b) const {
        return static_cast<std::size_t>(a) * list.size() + static_cast<std::size_t>(b);
    }
    const PairLaw& between(std::int32_t a, std::int32_t b) const { return pair_law[pair(a, b)]; }
    void set(std::int32_t a, std::int32_t b, const PairLaw& law) {
        pair_law[pair(a, b)] = law;
        pair_law[pair(b, a)] = law;
    }
};

}  // namespace talus::model
