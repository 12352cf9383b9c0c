// Colour maps for numbers: paths through Oklab, walked at even speed, so that equal steps of the number look like equal
// steps of colour, and lightness alone (a grey print, any colour blindness) tells their order.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "talus/render/colour.h"

namespace talus::render {

class ColourMap {
public:
    /// By name; base::InputError with the nearest name if there is none such.
    explicit ColourMap(const std::string& name);
    /// The colour at `part` of the way, 0 to 1; beyond, that of the end. What is no number (NaN) has a grey of its own.
    Rgb at(double part) const;

    static std::vector<std::string> names();

private:
    static constexpr int steps = 256;
    std::array<Rgb, steps + 1> table_{};
};

/// Of numbers that are none.
Rgb unknown_colour();

/// Clearly different colours of one lightness, for kinds of things: the n-th.
Rgb kind_colour(std::size_t number);

}  // namespace talus::render
