// Colours as light: linear red, green and blue of sRGB, and their way to what a file holds and to Oklab, in which equal
// distances look equal (B. Ottosson, "A perceptual color space for image processing", 2020).
#pragma once

#include <cstdint>
#include <string>

namespace talus::render {

/// Linear light, 0 to 1 on a screen.
struct Rgb {
    float r = 0, g = 0, b = 0;

    Rgb& operator+=(const Rgb& o) {
        r += o.r;
        g += o.g;
        b += o.b;
        return *this;
    }
};

inline Rgb operator+(Rgb one, const Rgb& other) {
    return one += other;
}
inline Rgb operator*(const Rgb& c, float s) {
    return {c.r * s, c.g * s, c.b * s};
}
inline Rgb mix(const Rgb& a, const Rgb& b, float part) {
    return a * (1 - part) + b * part;
}
/// What the eye makes of it (Rec. 709).
inline float luminance(const Rgb& c) {
    return 0.2126F * c.r + 0.7152F * c.g + 0.0722F * c.b;
}

/// Lightness (0 black, 1 white) and two axes of colour.
struct Oklab {
    double l = 0, a = 0, b = 0;
};
Oklab to_oklab(const Rgb& colour);
Rgb from_oklab(const Oklab& colour);
/// The colour of this lightness, chroma and hue (degrees); where a screen has none so vivid, the most vivid it has.
Rgb vivid(double lightness, double chroma, double hue);

/// What a file holds for linear light, and back (IEC 61966-2-1).
float encoded(float linear);
float decoded(float stored);
inline Rgb encoded(const Rgb& c) {
    return {encoded(c.r), encoded(c.g), encoded(c.b)};
}
inline Rgb decoded(const Rgb& c) {
    return {decoded(c.r), decoded(c.g), decoded(c.b)};
}

/// "#rrggbb"; base::InputError for anything else.
Rgb colour_from_text(const std::string& text);

}  // namespace talus::render
