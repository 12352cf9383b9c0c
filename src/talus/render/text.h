// Writing on pictures: a font of the system, drawn by FreeType without hints, so that the same text gives the same
// pixels.
#pragma once

#include <memory>
#include <string>

#include "talus/render/picture.h"

namespace talus::render {

enum class Align { left, middle, right };

class Font {
public:
    /// base::RunError if the font that was there when Talus was built is gone.
    Font();
    ~Font();
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    /// Pixels; `size` is the height of a line's letters.
    double width(const std::string& text, double size) const;
    /// Draws with the base line at `y`; `x` is the left end, the middle or the right end.
    void draw(Picture& picture, double x, double y, const std::string& text, double size, const Rgb& colour,
              Align align = Align::left) const;

private:
    struct Library;
    std::unique_ptr<Library> library_;
};

/// Covers a pixel by `share` of a colour, as eyes judge it.
void cover(Rgb& pixel, const Rgb& colour, float share);
/// A rectangle of one colour, to parts of pixels.
void fill_rectangle(Picture& picture, double left, double top, double width, double height, const Rgb& colour);

}  // namespace talus::render
