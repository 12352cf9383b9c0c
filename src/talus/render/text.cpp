#include "talus/render/text.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

constexpr double fine = 64;  // FreeType counts in these parts of a pixel

/// The characters of a text in UTF-8; bytes that make no sense become question marks.
std::vector<std::uint32_t> characters_of(const std::string& text) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i++]);
        const int more = first < 0x80U ? 0 : first >= 0xF0U ? 3 : first >= 0xE0U ? 2 : first >= 0xC0U ? 1 : -1;
        std::uint32_t code = more == 0 ? first : first & (0x3FU >> static_cast<unsigned>(std::max(more, 0)));
        bool good = more >= 0;
        for (int k = 0; k < more; ++k) {
            if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
                good = false;
                break;
            }
            code = (code << 6U) | (static_cast<unsigned char>(text[i++]) & 0x3FU);
        }
        out.push_back(good ? code : U'?');
    }
    return out;
}

}  // namespace

struct Font::Library {
    FT_Library library = nullptr;
    FT_Face face = nullptr;

    Library() {
        if (FT_Init_FreeType(&library) != 0 || FT_New_Face(library, TALUS_FONT, 0, &face) != 0) {
            throw base::RunError("cannot read the font " TALUS_FONT " (Debian: fonts-dejavu-core)");
        }
    }
    ~Library() {
        FT_Done_Face(face);
        FT_Done_FreeType(library);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// Calls `each` with the pen's place for every glyph, which is then loaded; the pen's last place.
    double walk(const std::string& text, double size, const std::function<void(double)>& each) const {
        FT_Set_Char_Size(face, 0, static_cast<FT_F26Dot6>(std::lround(size * fine)), 72, 72);
        double pen = 0;
        FT_UInt before = 0;
        for (const std::uint32_t character : characters_of(text)) {
            const FT_UInt glyph = FT_Get_Char_Index(face, character);
            FT_Vector kerning{};
            if (before != 0 && FT_Get_Kerning(face, before, glyph, FT_KERNING_UNFITTED, &kerning) == 0) {
                pen += static_cast<double>(kerning.x) / fine;
            }
            if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) {
                continue;
            }
            each(pen);
            pen += static_cast<double>(face->glyph->linearHoriAdvance) / 65536;
            before = glyph;
        }
        return pen;
    }
};

Font::Font() : library_(std::make_unique<Library>()) {}
Font::~Font() = default;

double Font::width(const std::string& text, double size) const {
    return library_->walk(text, size, [](double) {});
}

void Font::draw(Picture& picture, double x, double y, const std::string& text, double size, const Rgb& colour,
                Align align) const {
    if (align != Align::left) {
        x -= width(text, size) * (align == Align::middle ? 0.5 : 1);
    }
    library_->walk(text, size, [&](double pen) {
        FT_GlyphSlot glyph = library_->face->glyph;
        const double at = std::floor(x + pen);
        FT_Outline_Translate(&glyph->outline, static_cast<FT_Pos>(std::lround((x + pen - at) * fine)),
                             static_cast<FT_Pos>(std::lround((std::floor(y) - y) * fine)));
        if (FT_Render_Glyph(glyph, FT_RENDER_MODE_NORMAL) != 0) {
            return;
        }
        const FT_Bitmap& map = glyph->bitmap;
        for (unsigned row = 0; row < map.rows; ++row) {
            for (unsigned column = 0; column < map.width; ++column) {
                const int px = static_cast<int>(at) + glyph->bitmap_left + static_cast<int>(column);
                const int py = static_cast<int>(std::floor(y)) - glyph->bitmap_top + static_cast<int>(row);
                const unsigned char value = map.buffer[row * static_cast<unsigned>(map.pitch) + column];
                if (picture.holds(px, py)) {
                    cover(picture.at(px, py), colour, static_cast<float>(value) / 255);
                }
            }
        }
    });
}

void cover(Rgb& pixel, const Rgb& colour, float share) {
    if (share > 0) {
        pixel = decoded(mix(encoded(pixel), encoded(colour), share));
    }
}

void fill_rectangle(Picture& picture, double left, double top, double width, double height, const Rgb& colour) {
    const auto part = [](double begin, double end, int pixel) {
        return static_cast<float>(std::clamp(std::min(end, pixel + 1.0) - std::max<double>(begin, pixel), 0.0, 1.0));
    };
    for (int y = static_cast<int>(std::floor(top)); y < top + height; ++y) {
        for (int x = static_cast<int>(std::floor(left)); x < left + width; ++x) {
            if (picture.holds(x, y)) {
                cover(picture.at(x, y), colour, part(left, left + width, x) * part(top, top + height, y));
            }
        }
    }
}

}  // namespace talus::render
