#include "talus/simulation/state_text.h"

#include <bit>
#include <charconv>
#include <cstdint>

#include "talus/base/diagnostics.h"

namespace talus::simulation {

namespace {
constexpr std::size_t width = 16;
}

std::string to_text(std::span<const double> numbers) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(numbers.size() * width);
    for (const double number : numbers) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        for (unsigned shift = 64; shift > 0; shift -= 4) {
            text += digits[(bits >> (shift - 4)) & 0xFU];
        }
    }
    return text;
}

std::vector<double> from_text(std::string_view text) {
    std::vector<double> numbers;
    numbers.reserve(text.size() / width);
    for (; !text.empty(); text.remove_prefix(width)) {
        std::uint64_t bits = 0;
        if (text.size() < width ||
            std::from_chars(text.data(), text.data() + width, bits, 16).ptr != text.data() + width) {
            throw base::InputError("the saved state of a measure is damaged");
        }
        numbers.push_back(std::bit_cast<double>(bits));
    }
    return numbers;
}

}  // namespace talus::simulation
