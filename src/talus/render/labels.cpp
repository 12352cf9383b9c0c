#include "talus/render/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace talus::render {
namespace {

constexpr double bar_room = 220;  // of 1440 parts of a picture's width: kept clear for a colour bar

/// Superscript digits.
std::string raised(int exponent) {
    static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent))) {
        out += digits[static_cast<std::size_t>(digit - '0')];
    }
    return out;
}

/// A power of ten, a multiple of three, that leaves numbers of a readable size; 0 where they have it already.
int common_exponent(const Range& range) {
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    if (largest >= 0.05 && largest < 1e4) {
        return 0;
    }
    return 3 * static_cast<int>(std::floor(std::log10(largest) / 3 + 1e-9));
}

/// Draws labels; sizes follow the picture's.
class Pen {
public:
    Pen(Picture& picture, const Font& font, const Rgb& background)
        : picture_(picture),
          font_(font),
          unit_(std::min(picture.height / 1080.0, picture.width / 1440.0)),
          ink_(luminance(background) > 0.3F ? Rgb{0.012F, 0.012F, 0.015F} : Rgb{0.9F, 0.9F, 0.9F}) {}

    void colour_bar(const ColourBar& bar) const {
        const double left = picture_.width - 150 * unit_;
        const double width = 26 * unit_;
        const double top = 0.24 * picture_.height;
        const double height = 0.56 * picture_.height;
        frame(left, top, width, height);
        for (int y = static_cast<int>(top); y < top + height; ++y) {
            const double part = 1 - (y + 0.5 - top) / height;
            fill_rectangle(picture_, left, std::max<double>(y, top), width,
                           std::min<double>(y + 1, top + height) - std::max<double>(y, top), bar.map.at(part));
        }
        if (bar.above) {
            tip(left, width, top - 5 * unit_, -1, bar.map.at(1));
        }
        if (bar.below) {
            tip(left, width, top + height + 5 * unit_, 1, bar.map.at(0));
        }
        const int exponent = common_exponent(bar.range);
        const double factor = std::pow(10, -exponent);
        const std::vector<double> ticks = ticks_of(bar.range, 6);
        const double step = ticks.size() > 1 ? (ticks[1] - ticks[0]) * factor : 1;
        const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
        for (const double tick : ticks) {
            const double y = top + height * (1 - (tick - bar.range.low) / (bar.range.high - bar.range.low));
            fill_rectangle(picture_, left + width, y - unit_, 7 * unit_, 2 * unit_, ink_);
            std::string text = fmt::format("{:.{}f}", tick * factor + 0.0, decimals);
            if (text.starts_with("-")) {
                text = "−" + text.substr(1);
            }
            write(left + width + 14 * unit_, y + 0.36 * size(), text);
        }
        std::string unit = bar.unit;
        if (exponent != 0) {
            unit = "10" + raised(exponent) + (unit.empty() ? "" : " " + unit);
        }
        const double line = 1.3 * size();
        const double above = top - (bar.above ? 42 : 22) * unit_;
        const double right = picture_.width - 24 * unit_;
        if (!unit.empty()) {
            write(right, above, "(" + unit + ")", Align::right);
        }
        double y = above - (unit.empty() ? 0 : line);
        const std::vector<std::string> rows = broken(bar.label, bar_room * unit_ - (picture_.width - right));
        for (auto row = rows.rbegin(); row != rows.rend(); ++row, y -= line) {
            write(right, y, *row, Align::right);
        }
    }

    void legend(const std::vector<std::pair<std::string, Rgb>>& entries) const {
        double widest = 0;
        for (const auto& [name, colour] : entries) {
            widest = std::max(widest, font_.width(name, size()));
        }
        const double left = picture_.width - 24 * unit_ - widest;
        const double box = 0.7 * size();
        double y = 0.24 * picture_.height;
        for (const auto& [name, colour] : entries) {
            fill_rectangle(picture_, left - 12 * unit_ - box, y - box, box, box, colour);
            write(left, y, name);
            y += 1.6 * size();
        }
    }

    void scale_bar(double pixels_per_metre) const {
        const double length = round_length(0.20 * picture_.width / pixels_per_metre);
        const double width = length * pixels_per_metre;
        const double left = 40 * unit_;
        const double y = picture_.height - 44 * unit_;
        fill_rectangle(picture_, left, y, width, 4 * unit_, ink_);
        for (const double x : {left, left + width - 3 * unit_}) {
            fill_rectangle(picture_, x, y - 6 * unit_, 3 * unit_, 16 * unit_, ink_);
        }
        write(left + width / 2, y - 16 * unit_, length_text(length), Align::middle);
    }

    void time(const std::string& text) const { write(40 * unit_, 40 * unit_ + 0.75 * size(), text); }

    void progress(double part) const {
        const double height = 6 * unit_;
        fill_rectangle(picture_, 0, picture_.height - height, picture_.width, height, {0.80F, 0.80F, 0.80F});
        fill_rectangle(picture_, 0, picture_.height - height, picture_.width * part, height, {0.10F, 0.12F, 0.16F});
    }

private:
    double size() const { return std::max(30 * unit_, 9.0); }
    void write(double x, double y, const std::string& text, Align align = Align::left) const {
        font_.draw(picture_, x, y, text, size(), ink_, align);
    }
    /// Words in lines not longer than `room` where that can be.
    std::vector<std::string> broken(const std::string& text, double room) const {
        std::vector<std::string> out;
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const std::string longer = out.empty() ? word : out.back() + " " + word;
            if (!out.empty() && font_.width(longer, size()) <= room) {
                out.back() = longer;
            } else {
                out.push_back(word);
            }
        }
        return out;
    }
    void frame(double left, double top, double width, double height) const {
        const double line = std::max(1.0, 1.5 * unit_);
        fill_rectangle(picture_, left - line, top - line, width + 2 * line, height + 2 * line, ink_);
    }
    /// A pointed end of the bar: there is more in this direction.
    void tip(double left, double width, double from, int direction, const Rgb& colour) const {
        const double height = 0.7 * width;
        constexpr int slices = 24;
        for (int k = 0; k < slices; ++k) {
            const double shrink = width / 2 * (k + 0.5) / slices;
            const double begin = from + direction * height * (k + (direction < 0 ? 1 : 0)) / slices;
            fill_rectangle(picture_, left + shrink, begin, width - 2 * shrink, height / slices, colour);
        }
    }

    Picture& picture_;
    const Font& font_;
    double unit_;
    Rgb ink_;
};

}  // namespace

Window window_for(int width, int height, bool labelled, bool with_bar) {
    const double w = width;
    const double h = height;
    if (!labelled) {
        return {0.03 * w, 0.03 * h, 0.94 * w, 0.94 * h};
    }
    const double right = with_bar ? bar_room * std::min(h / 1080, w / 1440) : 0.04 * w;
    return {0.04 * w, 0.07 * h, w - 0.04 * w - right, 0.83 * h};
}

void draw_labels(Picture& picture, const Font& font, const Camera& camera, const Labels& labels,
                 const Rgb& background) {
    const Pen pen(picture, font, background);
    if (labels.bar) {
        pen.colour_bar(*labels.bar);
    } else if (!labels.legend.empty()) {
        pen.legend(labels.legend);
    }
    pen.scale_bar(camera.pixels_per_metre());
    if (!labels.time.empty()) {
        pen.time(labels.time);
    }
    if (labels.progress) {
        pen.progress(*labels.progress);
    }
}

double round_length(double most) {
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double factor : {5.0, 2.0}) {
        if (factor * power <= most) {
            return factor * power;
        }
    }
    return power;
}

std::string length_text(double metres) {
    struct Unit {
        double size;
        const char* name;
    };
    constexpr std::array<Unit, 6> units{
        {{1e3, "km"}, {1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}}};
    for (const Unit& unit : units) {
        if (metres >= 0.999 * unit.size && metres < 1e6 * unit.size) {
            return fmt::format("{:.4g} {}", metres / unit.size, unit.name);
        }
    }
    return fmt::format("{:.0e} m", metres);
}

std::string time_text(double seconds, double interval) {
    struct Unit {
        double size;
        const char* name;
    };
    constexpr std::array<Unit, 3> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}}};
    std::size_t k = 0;
    while (k + 1 < units.size() && interval > 0 && interval < 0.002 * units[k].size) {
        ++k;
    }
    const double digits = interval > 0 ? std::ceil(1 - std::log10(interval / units[k].size) - 1e-9) : 0;
    return fmt::format("{:.{}f} {}", seconds / units[k].size, static_cast<int>(std::clamp(digits, 0.0, 9.0)),
                       units[k].name);
}

std::vector<double> ticks_of(const Range& range, int count) {
    if (!range.is_wide()) {
        return {};
    }
    const double least = (range.high - range.low) / count;
    double step = round_length(least);
    while (step < 0.999 * least) {
        step = round_length(2.6 * step);  // the next of 1, 2, 5, 10
    }
    const double slack = 1e-9 * (range.high - range.low);
    const double first = std::ceil((range.low - slack) / step);
    const double last = std::floor((range.high + slack) / step);
    std::vector<double> out;
    for (int k = 0; k <= static_cast<int>(last - first); ++k) {
        out.push_back((first + k) * step);
    }
    return out;
}

}  // namespace talus::render
