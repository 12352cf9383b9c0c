// A law's parameters as raw numbers, so that tables, checkpoints and devices copy them without knowing the law.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>

namespace talus::laws {

struct ParameterBlock {
    std::array<double, 24> value{};

    template <class Params>
    Params as() const {
        static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= sizeof(value));
        Params out;
        std::memcpy(static_cast<void*>(&out), value.data(), sizeof(Params));
        return out;
    }
    template <class Params>
    static ParameterBlock from(const Params& params) {
        static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= sizeof(value));
        ParameterBlock block;
        std::memcpy(block.value.data(), &params, sizeof(Params));
        return block;
    }
};

}  // namespace talus::laws
