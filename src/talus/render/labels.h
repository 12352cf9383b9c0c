// What is written on a picture: colour bar or legend, scale bar, time, and how far a movie has come.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "talus/render/camera.h"
#include "talus/render/colour_map.h"
#include "talus/render/fields.h"
#include "talus/render/text.h"

namespace talus::render {

struct ColourBar {
    std::string label, unit;
    Range range;
    ColourMap map;
    bool below = false, above = false;  // there are values beyond the ends
};

struct Labels {
    std::optional<ColourBar> bar;
    std::vector<std::pair<std::string, Rgb>> legend;
    std::string time;                // as written; empty: none
    std::optional<double> progress;  // 0 to 1
};

/// Where in a picture of that size what is to be seen goes, so that labels (if any) do not cover it.
Window window_for(int width, int height, bool labelled, bool with_bar);

void draw_labels(Picture& picture, const Font& font, const Camera& camera, const Labels& labels, const Rgb& background);

/// 1, 2 or 5 times a power of ten, the largest not above `most`.
double round_length(double most);
/// "5 mm", "20 cm", "2 km".
std::string length_text(double metres);
/// "1.25 s", "6.0 ms": with the digits that tell times `interval` apart (0: no such thing), the same for all of them.
std::string time_text(double seconds, double interval);
/// Round numbers within a range, at most about `count` of them.
std::vector<double> ticks_of(const Range& range, int count);

}  // namespace talus::render
