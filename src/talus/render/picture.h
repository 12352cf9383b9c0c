// A picture: rows of pixels from the top, as linear light while it is made and as bytes of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/render/colour.h"

namespace talus::render {

struct Picture {
    int width = 0, height = 0;
    std::vector<Rgb> pixels;  // linear light

    Picture() = default;
    Picture(int w, int h, const Rgb& colour)
        : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), colour) {}
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    Rgb& at(int x, int y) { return pixels[index(x, y)]; }
    const Rgb& at(int x, int y) const { return pixels[index(x, y)]; }
    bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

/// Three bytes a pixel, sRGB.
std::vector<std::uint8_t> bytes_of(const Picture& picture);
/// A PNG file of it, without date or program: equal pictures are equal bytes.
std::vector<std::uint8_t> png_of(const Picture& picture);

}  // namespace talus::render
