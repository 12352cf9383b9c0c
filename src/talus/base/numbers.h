// Numbers as a person writes them into an option: the whole text is one, or there is none.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace talus::base {

template <class Number>
std::optional<Number> number_as_written(std::string_view text) {
    Number value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// A finite number: "0.5", "-1e-3".
inline std::optional<double> number_from(std::string_view text) {
    const std::optional<double> value = number_as_written<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// "12", "-1".
inline std::optional<long> whole_number_from(std::string_view text) {
    return number_as_written<long>(text);
}

}  // namespace talus::base
