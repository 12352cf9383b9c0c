#include "talus/render/colour.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

bool on_screen(const Rgb& c) {
    constexpr float slack = 1e-4F;
    return std::min({c.r, c.g, c.b}) >= -slack && std::max({c.r, c.g, c.b}) <= 1 + slack;
}

}  // namespace

Oklab to_oklab(const Rgb& colour) {
    const double r = static_cast<double>(colour.r);
    const double g = static_cast<double>(colour.g);
    const double b = static_cast<double>(colour.b);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Rgb from_oklab(const Oklab& colour) {
    const double l = std::pow(colour.l + 0.3963377774 * colour.a + 0.2158037573 * colour.b, 3);
    const double m = std::pow(colour.l - 0.1055613458 * colour.a - 0.0638541728 * colour.b, 3);
    const double s = std::pow(colour.l - 0.0894841775 * colour.a - 1.2914855480 * colour.b, 3);
    return {static_cast<float>(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            static_cast<float>(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            static_cast<float>(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Rgb vivid(double lightness, double chroma, double hue) {
    const double angle = hue * std::numbers::pi / 180;
    const auto at = [&](double c) { return from_oklab({lightness, c * std::cos(angle), c * std::sin(angle)}); };
    double low = 0;
    double high = chroma;
    if (!on_screen(at(chroma))) {
        for (int halving = 0; halving < 30; ++halving) {
            const double middle = (low + high) / 2;
            (on_screen(at(middle)) ? low : high) = middle;
        }
        chroma = low;
    }
    const Rgb c = at(chroma);
    return {std::clamp(c.r, 0.0F, 1.0F), std::clamp(c.g, 0.0F, 1.0F), std::clamp(c.b, 0.0F, 1.0F)};
}

float encoded(float linear) {
    const float c = std::clamp(linear, 0.0F, 1.0F);
    return c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1 / 2.4F) - 0.055F;
}

float decoded(float stored) {
    return stored <= 0.04045F ? stored / 12.92F : std::pow((stored + 0.055F) / 1.055F, 2.4F);
}

Rgb colour_from_text(const std::string& text) {
    std::uint32_t bits = 0;
    const char* end = text.data() + text.size();
    const bool shaped = text.size() == 7 && text[0] == '#';
    if (!shaped || std::from_chars(text.data() + 1, end, bits, 16).ptr != end) {
        throw base::InputError("\"" + text + "\" is no colour; expected \"#rrggbb\" with two hexadecimal digits each");
    }
    const auto part = [bits](unsigned shift) { return static_cast<float>((bits >> shift) & 255U) / 255.0F; };
    return decoded(Rgb{part(16), part(8), part(0)});
}

}  // namespace talus::render
