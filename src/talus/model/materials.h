// Materials by name, and for each pair of materials the contact law and its parameters.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace talus::model {

struct Material {
    std::string name;
    double density = 1000;  // kg/m3
};

/// A law's parameters as raw numbers, so that tables, checkpoints and devices copy them without knowing the law.
struct ParameterBlock {
    std::array<double, 16> value{};

    template <class Params>
    Params as() const {
        static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= sizeof(value));
        Params out;
        std::memcpy(&out, value.data(), sizeof(Params));
        return out;
    }
    template <class Params>
    static ParameterBlock from(const Params& params) {
        static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= sizeof(ParameterBlock));
        ParameterBlock block;
        std::memcpy(block.value.data(), &params, sizeof(Params));
        return block;
    }
};

struct PairLaw {
    std::int32_t law = -1;  // index into the law registry; -1: no contact between these materials was described
    ParameterBlock parameters;
};

struct Materials {
    std::vector<Material> list;
    std::vector<PairLaw> pair_law;  // list.size() squared, symmetric

    std::size_t size() const { return list.size(); }
    const PairLaw& between(std::int32_t a, std::int32_t b) const {
        return pair_law[static_cast<std::size_t>(a) * list.size() + static_cast<std::size_t>(b)];
    }
    void set(std::int32_t a, std::int32_t b, const PairLaw& law) {
        pair_law[static_cast<std::size_t>(a) * list.size() + static_cast<std::size_t>(b)] = law;
        pair_law[static_cast<std::size_t>(b) * list.size() + static_cast<std::size_t>(a)] = law;
    }
};

}  // namespace talus::model
