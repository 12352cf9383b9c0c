#include "talus/render/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

/// A point of a path: where on it (0 to 1), chroma and hue (degrees). Lightness is linear along the path.
struct Knot {
    double at, chroma, hue;
};
struct Path {
    const char* name;
    double from, to;  // lightness; of a two-sided one from the ends to the middle
    bool two_sided;
    std::vector<Knot> knots;
};

const std::vector<Path>& paths() {
    static const std::vector<Path> all = {
        {"dusk", 0.38, 0.93, false, {{0, 0.13, 275}, {0.3, 0.20, 320}, {0.6, 0.19, 385}, {1, 0.16, 460}}},
        {"sea", 0.38, 0.94, false, {{0, 0.13, 290}, {0.4, 0.11, 235}, {0.7, 0.14, 165}, {1, 0.17, 108}}},
        {"grey", 0.30, 0.95, false, {{0, 0, 0}, {1, 0, 0}}},
        {"balance", 0.40, 0.95, true, {{0, 0.15, 255}, {0.5, 0, 255}, {0.501, 0, 30}, {1, 0.15, 30}}},
    };
    return all;
}

/// The path at `t`, with chroma and hue between knots.
Rgb point_of(const Path& path, double t) {
    std::size_t k = 1;
    while (k + 1 < path.knots.size() && path.knots[k].at < t) {
        ++k;
    }
    const Knot& a = path.knots[k - 1];
    const Knot& b = path.knots[k];
    const double u = std::clamp((t - a.at) / (b.at - a.at), 0.0, 1.0);
    const double height = path.two_sided ? 1 - std::abs(2 * t - 1) : t;
    return vivid(path.from + (path.to - path.from) * height, a.chroma + (b.chroma - a.chroma) * u,
                 a.hue + (b.hue - a.hue) * u);
}

double apart(const Rgb& a, const Rgb& b) {
    const Oklab p = to_oklab(a);
    const Oklab q = to_oklab(b);
    return std::sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/// Colours at even distances along the part of a path from `begin` to `end`, both included.
std::vector<Rgb> even_walk(const Path& path, double begin, double end, int steps) {
    const int fine = 32 * steps;  // points on the way
    std::vector<Rgb> colour;
    std::vector<double> length;
    for (int i = 0; i <= fine; ++i) {
        colour.push_back(point_of(path, begin + (end - begin) * i / fine));
        length.push_back(i == 0 ? 0 : length.back() + apart(colour[colour.size() - 2], colour.back()));
    }
    std::vector<Rgb> out;
    std::size_t k = 0;
    for (int i = 0; i < steps; ++i) {
        while (length[k] < length.back() * i / steps) {
            ++k;
        }
        out.push_back(colour[k]);
    }
    out.push_back(colour.back());
    return out;
}

}  // namespace

ColourMap::ColourMap(const std::string& name) {
    const auto path = std::find_if(paths().begin(), paths().end(), [&](const Path& p) { return name == p.name; });
    if (path == paths().end()) {
        std::string known;
        for (const std::string& each : names()) {
            known += (known.empty() ? "" : ", ") + each;
        }
        const std::string near = base::nearest_name(name, names());
        throw base::InputError("no colour map \"" + name + "\"" +
                               (near.empty() ? "" : "; did you mean \"" + near + "\"?") + " (there are " + known + ")");
    }
    const int sides = path->two_sided ? 2 : 1;  // each by itself, so that the middle stays in the middle
    for (int side = 0; side < sides; ++side) {
        const int count = steps / sides;
        const std::vector<Rgb> part = even_walk(*path, static_cast<double>(side) / sides, (side + 1.0) / sides, count);
        std::copy(part.begin(), part.end(), table_.begin() + static_cast<std::ptrdiff_t>(side) * count);
    }
}

Rgb ColourMap::at(double part) const {
    if (std::isnan(part)) {
        return unknown_colour();
    }
    const double x = std::clamp(part, 0.0, 1.0) * steps;
    const auto k = static_cast<std::size_t>(std::min(x, steps - 1.0));
    return mix(table_[k], table_[k + 1], static_cast<float>(x - static_cast<double>(k)));
}

std::vector<std::string> ColourMap::names() {
    std::vector<std::string> out;
    for (const Path& path : paths()) {
        out.emplace_back(path.name);
    }
    return out;
}

Rgb unknown_colour() {
    return vivid(0.62, 0, 0);
}

Rgb kind_colour(std::size_t number) {
    // Golden turns keep any first few hues far apart.
    return vivid(number % 2 == 0 ? 0.74 : 0.62, 0.115, 75 + 137.508 * static_cast<double>(number));
}

}  // namespace talus::render
