#include "talus/scene/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <vector>

#include "talus/base/diagnostics.h"

namespace talus::scene {

namespace {

using base::Dimension;
using std::numbers::pi;

struct Unit {
    std::string_view symbol;
    double factor;
    Dimension dimension;
    bool prefixed = false;  // SI prefixes may stand before it
    bool turning = false;
    bool cycling = false;
};

// The gram, not the kilogram, carries the prefixes.
constexpr std::array units = {
    Unit{"m", 1, base::dimension::length, true},
    Unit{"g", 1e-3, base::dimension::mass, true},
    Unit{"s", 1, base::dimension::time, true},
    Unit{"N", 1, base::dimension::force, true},
    Unit{"Pa", 1, base::dimension::pressure, true},
    Unit{"J", 1, base::dimension::energy, true},
    Unit{"W", 1, Dimension{2, 1, -3}, true},
    Unit{"Hz", 1, base::dimension::frequency, true, false, true},
    Unit{"A", 1, Dimension{0, 0, 0, 1}, true},
    Unit{"C", 1, base::dimension::charge, true},
    Unit{"V", 1, Dimension{2, 1, -3, -1}, true},
    Unit{"T", 1, base::dimension::magnetic_field, true},
    Unit{"bar", 1e5, base::dimension::pressure, true},
    Unit{"t", 1e3, base::dimension::mass},
    Unit{"min", 60, base::dimension::time},
    Unit{"h", 3600, base::dimension::time},
    Unit{"d", 86400, base::dimension::time},
    Unit{"l", 1e-3, Dimension{3, 0, 0}},
    Unit{"g0", 9.80665, base::dimension::acceleration},
    Unit{"rad", 1, base::dimension::none, true, true},
    Unit{"deg", pi / 180, base::dimension::none, false, true},
    Unit{"°", pi / 180, base::dimension::none, false, true},
    Unit{"rev", 2 * pi, base::dimension::none, false, true},
    Unit{"rpm", 2 * pi / 60, base::dimension::frequency, false, true},
    Unit{"%", 1e-2, base::dimension::none},
    Unit{"1", 1, base::dimension::none},
};

struct Prefix {
    std::string_view symbol;
    double over, under;  // factor = over / under: powers of ten up to 1e22 are exact, their inverses are not
};
constexpr std::array prefixes = {
    Prefix{"p", 1, 1e12}, Prefix{"n", 1, 1e9}, Prefix{"u", 1, 1e6}, Prefix{"µ", 1, 1e6},
    Prefix{"μ", 1, 1e6},  Prefix{"m", 1, 1e3}, Prefix{"c", 1, 1e2}, Prefix{"d", 1, 1e1},
    Prefix{"k", 1e3, 1},  Prefix{"M", 1e6, 1}, Prefix{"G", 1e9, 1}, Prefix{"T", 1e12, 1},
};

std::optional<Unit> find_unit(std::string_view symbol) {
    for (const Unit& unit : units) {
        if (unit.symbol == symbol) {
            return unit;
        }
    }
    for (const Prefix& prefix : prefixes) {
        if (!symbol.starts_with(prefix.symbol)) {
            continue;
        }
        for (Unit unit : units) {
            if (unit.prefixed && unit.symbol == symbol.substr(prefix.symbol.size())) {
                // The gram's own 1e-3 joins the divisor, so that every factor is rounded once: mg is 1 / 1e6.
                const double under = unit.symbol == "g" ? prefix.under * 1e3 : prefix.under;
                const double factor = unit.symbol == "g" ? 1 : unit.factor;
                unit.factor = factor * prefix.over / under;
                return unit;
            }
        }
    }
    return std::nullopt;
}

std::string nearest_unit(std::string_view symbol) {
    std::vector<std::string> names;
    for (const Unit& unit : units) {
        if (unit.symbol.size() <= symbol.size() + 2 && unit.symbol != "1") {
            names.emplace_back(unit.symbol);
        }
        if (unit.prefixed) {
            for (const Prefix& prefix : prefixes) {
                names.push_back(std::string(prefix.symbol) + std::string(unit.symbol));
            }
        }
    }
    // A different case is the likeliest slip ("KG", "hz"): look for it before counting edits.
    const auto lower = [](std::string_view text) {
        std::string out(text);
        for (char& c : out) {
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        return out;
    };
    for (const std::string& name : names) {
        if (lower(name) == lower(symbol)) {
            return name;
        }
    }
    return base::nearest_name(symbol, names);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void skip_spaces(std::string_view& text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
}

bool take(std::string_view& text, std::string_view token) {
    if (!text.starts_with(token)) {
        return false;
    }
    text.remove_prefix(token.size());
    return true;
}

bool take_integer(std::string_view& text, int& value) {
    const char* begin = text.data();
    const auto [end, error] = std::from_chars(begin, begin + text.size(), value);
    if (error != std::errc{} || std::abs(value) > 9) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(end - begin));
    return true;
}

/// An exponent after a symbol: 1 if there is none. False: something that should be one is not.
bool take_exponent(std::string_view& text, int& exponent) {
    exponent = 1;
    if (take(text, "^") || take(text, "**")) {
        return take_integer(text, exponent);
    }
    const bool negative = take(text, "⁻");
    if (take(text, "²") || take(text, "³") || take(text, "¹")) {
        exponent = text.data()[-1] == '\xb2' ? 2 : (text.data()[-1] == '\xb3' ? 3 : 1);
        exponent = negative ? -exponent : exponent;
        return true;
    }
    const bool minus = text.size() > 1 && text[0] == '-' && is_digit(text[1]);
    if (!negative && (minus || (!text.empty() && is_digit(text[0])))) {
        return take_integer(text, exponent);
    }
    return !negative;
}

std::string_view take_symbol(std::string_view& text) {
    for (const std::string_view special : {"g0", "1", "%"}) {
        const std::string_view rest = text.starts_with(special) ? text.substr(special.size()) : text;
        if (rest.size() < text.size() && (rest.empty() || !is_digit(rest[0]))) {
            const std::string_view symbol = text.substr(0, special.size());
            text = rest;
            return symbol;
        }
    }
    std::size_t size = 0;
    while (size < text.size()) {
        const std::string_view rest = text.substr(size);
        if (rest.starts_with("²") || rest.starts_with("³") || rest.starts_with("¹") || rest.starts_with("⁻") ||
            rest.starts_with("·")) {
            break;
        }
        const auto c = static_cast<unsigned char>(rest[0]);
        if (!(c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) {
            break;
        }
        ++size;
    }
    const std::string_view symbol = text.substr(0, size);
    text.remove_prefix(size);
    return symbol;
}

double power(double base, int exponent) {
    double out = 1;
    for (int i = 0; i < std::abs(exponent); ++i) {
        out *= base;
    }
    return out;
}

/// Multiplies `quantity` by the unit expression `text`.
void apply_unit(std::string_view text, Quantity& quantity, QuantityFault& fault) {
    const std::string whole(text);
    double over = 1;  // numerator and denominator apart: 1 g/cm3 is 1e-3 / 1e-6, and comes out as 1000 exactly
    double under = 1;
    bool divide = take(text, "/");
    while (true) {
        skip_spaces(text);
        const std::string_view symbol = take_symbol(text);
        int exponent = 1;
        if (symbol.empty() || !take_exponent(text, exponent)) {
            fault.message = fmt::format("cannot read the unit \"{}\"", whole);
            return;
        }
        const std::optional<Unit> unit = find_unit(symbol);
        if (!unit) {
            fault.message = fmt::format("unknown unit \"{}\"", symbol);
            fault.suggestion = nearest_unit(symbol);
            return;
        }
        exponent = divide ? -exponent : exponent;
        // A unit below one enters as its inverse on the other side, where it is a whole number: 1 cm3 divides by 1e6.
        const bool inverse = unit->factor < 1 && std::round(1 / unit->factor) * unit->factor == 1;
        (inverse == (exponent > 0) ? under : over) *=
            power(inverse ? std::round(1 / unit->factor) : unit->factor, exponent);
        quantity.dimension.length += exponent * unit->dimension.length;
        quantity.dimension.mass += exponent * unit->dimension.mass;
        quantity.dimension.time += exponent * unit->dimension.time;
        quantity.dimension.current += exponent * unit->dimension.current;
        quantity.turning |= unit->turning;
        quantity.cycling |= unit->cycling;
        skip_spaces(text);
        if (text.empty()) {
            break;
        }
        divide = take(text, "/");
        if (!divide && !take(text, "*")) {
            take(text, "·");
        }
    }
    quantity.value = quantity.value * over / under;
}

}  // namespace

bool take_number(std::string_view& text, double& number) {
    const auto take_decimal = [&text](double& out) {
        std::string_view rest = text;
        if (rest.starts_with('+')) {
            rest.remove_prefix(1);
        }
        const std::string_view digits = rest.starts_with('-') ? rest.substr(1) : rest;
        if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) {
            return false;  // from_chars would take "nan" and "inf"
        }
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
        if (error != std::errc{} || !std::isfinite(out)) {
            return false;
        }
        text = rest.substr(static_cast<std::size_t>(end - rest.data()));
        return true;
    };
    skip_spaces(text);
    if (!take_decimal(number)) {
        return false;
    }
    if (text.size() > 1 && text[0] == '/' && is_digit(text[1])) {
        text.remove_prefix(1);
        double divisor = 0;
        if (!take_decimal(divisor) || divisor == 0) {
            return false;
        }
        number /= divisor;
    }
    return true;
}

Quantity parse_quantity(std::string_view text, QuantityFault& fault) {
    Quantity quantity;
    const std::string whole(text);
    if (!take_number(text, quantity.value)) {
        fault.message = fmt::format("\"{}\" does not begin with a finite number", whole);
        return quantity;
    }
    skip_spaces(text);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    if (!text.empty()) {
        apply_unit(text, quantity, fault);
    }
    if (fault.message.empty() && !std::isfinite(quantity.value)) {
        fault.message = fmt::format("\"{}\" is too large", whole);
    }
    return quantity;
}

std::string unit_text(const Dimension& dimension) {
    if (dimension == base::dimension::none) {
        return "";
    }
    const std::array<std::pair<Dimension, const char*>, 10> named = {{{base::dimension::stiffness, "N/m"},
                                                                      {base::dimension::charge, "C"},
                                                                      {base::dimension::electric_field, "V/m"},
                                                                      {base::dimension::magnetic_field, "T"},
                                                                      {base::dimension::pressure, "Pa"},
                                                                      {base::dimension::force, "N"},
                                                                      {base::dimension::energy, "J"},
                                                                      {base::dimension::frequency, "1/s"},
                                                                      {base::dimension::electric_dipole, "C m"},
                                                                      {Dimension{2, 1, -3}, "W"}}};
    for (const auto& [known, text] : named) {
        if (known == dimension) {
            return text;
        }
    }
    const std::array<std::pair<const char*, int>, 4> parts = {
        {{"kg", dimension.mass}, {"A", dimension.current}, {"m", dimension.length}, {"s", dimension.time}}};
    std::string over;
    std::string under;
    for (const auto& [symbol, exponent] : parts) {
        if (exponent == 0) {
            continue;
        }
        std::string& side = exponent > 0 ? over : under;
        side += (side.empty() ? "" : " ") + std::string(symbol);
        side += std::abs(exponent) > 1 ? std::to_string(std::abs(exponent)) : "";
    }
    for (std::size_t at = under.find(' '); at != std::string::npos; at = under.find(' ')) {
        under[at] = '/';
    }
    return (over.empty() ? "1" : over) + (under.empty() ? "" : "/" + under);
}

std::string dimension_text(const Dimension& dimension) {
    const std::array<std::pair<Dimension, const char*>, 17> named = {
        {{base::dimension::none, "a plain number"},
         {base::dimension::charge, "a charge"},
         {base::dimension::electric_field, "an electric field"},
         {base::dimension::magnetic_field, "a magnetic field"},
         {base::dimension::electric_dipole, "an electric dipole"},
         {base::dimension::magnetic_dipole, "a magnetic dipole"},
         {base::dimension::length, "a length"},
         {base::dimension::time, "a time"},
         {base::dimension::mass, "a mass"},
         {base::dimension::velocity, "a speed"},
         {base::dimension::acceleration, "an acceleration"},
         {base::dimension::frequency, "a rate"},
         {base::dimension::density, "a density"},
         {base::dimension::stiffness, "a stiffness"},
         {base::dimension::damping, "a damping"},
         {base::dimension::pressure, "a pressure"},
         {base::dimension::force, "a force"}}};
    const std::string unit = unit_text(dimension);
    for (const auto& [known, text] : named) {
        if (known == dimension) {
            return unit.empty() ? text : fmt::format("{} ({})", text, unit);
        }
    }
    return dimension == base::dimension::energy ? "an energy (J)" : fmt::format("a quantity in {}", unit);
}

}  // namespace talus::scene
