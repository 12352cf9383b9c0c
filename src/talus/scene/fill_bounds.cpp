#include "talus/scene/fill_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace talus::scene {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void clip(Bounds& b, const Vec3d& low, const Vec3d& high) {
    for (int i = 0; i < 3; ++i) {
        b.low[i] = std::max(b.low[i], low[i]);
        b.high[i] = std::min(b.high[i], high[i]);
    }
}

void clip_by(Bounds& b, const model::Box& box) {
    clip(b, box.low, box.high);
}

void clip_by(Bounds& b, const model::Ball& ball) {
    const Vec3d r{ball.radius, ball.radius, ball.radius};
    clip(b, ball.center - r, ball.center + r);
}

// The box around both end discs: a disc of radius r with unit normal n reaches r sqrt(1 - n_i^2) along axis i.
void clip_by(Bounds& b, const model::Frustum& f) {
    const Vec3d n = normalized(f.to - f.from);
    Vec3d low;
    Vec3d high;
    for (int i = 0; i < 3; ++i) {
        const double reach = std::sqrt(std::max(0.0, 1 - n[i] * n[i]));
        low[i] = std::min(f.from[i] - f.radius_from * reach, f.to[i] - f.radius_to * reach);
        high[i] = std::max(f.from[i] + f.radius_from * reach, f.to[i] + f.radius_to * reach);
    }
    clip(b, low, high);
}

// Along axis i, n . x >= offset says n_i x_i >= offset - (the most that the other two axes can give).
void clip_by(Bounds& b, const model::HalfSpace& h) {
    for (int i = 0; i < 3; ++i) {
        double rest = h.offset;
        for (int j = 0; j < 3; ++j) {
            if (j != i && h.normal[j] != 0) {
                rest -= std::max(h.normal[j] * b.low[j], h.normal[j] * b.high[j]);
            }
        }
        if (!std::isfinite(rest)) {
            continue;
        }
        if (h.normal[i] > 0) {
            b.low[i] = std::max(b.low[i], rest / h.normal[i]);
        } else if (h.normal[i] < 0) {
            b.high[i] = std::min(b.high[i], rest / h.normal[i]);
        }
    }
}

// What is left out bounds nothing.
void clip_by(Bounds&, const model::Outside&) {}

}  // namespace

bool Bounds::finite() const {
    return std::isfinite(low.x) && std::isfinite(low.y) && std::isfinite(low.z) && std::isfinite(high.x) &&
           std::isfinite(high.y) && std::isfinite(high.z);
}

model::Region without_periodic_sides(model::Region region, const model::Domain& domain) {
    for (model::RegionPart& part : region.parts) {
        if (auto* box = std::get_if<model::Box>(&part)) {
            for (int i = 0; i < 3; ++i) {
                if (domain.periodic[static_cast<std::size_t>(i)] && box->low[i] <= domain.low[i] &&
                    box->high[i] >= domain.high[i]) {
                    box->low[i] = -infinity;
                    box->high[i] = infinity;
                }
            }
        }
    }
    return region;
}

Bounds bounding_box(const model::Region& region, const model::Domain& domain) {
    Bounds b{domain.low, domain.high};
    // Half-spaces gain from what the other parts have bounded, and from one another.
    for (int pass = 0; pass < 4; ++pass) {
        for (const model::RegionPart& part : region.parts) {
            std::visit([&b](const auto& p) { clip_by(b, p); }, part);
        }
    }
    if (domain.planar() && b.low.z <= 0 && b.high.z >= 0) {
        b.low.z = b.high.z = 0;
    }
    return b;
}

std::string unbounded_axes(const Bounds& bounds) {
    std::string names;
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(bounds.low[i]) || !std::isfinite(bounds.high[i])) {
            names += (names.empty() ? "" : " and ") + std::string(1, "xyz"[i]);
        }
    }
    return names;
}

double volume_of(const model::Region& region, const Bounds& bounds, int dimensions) {
    const Vec3d size = bounds.size();
    const bool planar = dimensions == 2;
    const double all = bounds.empty() ? 0 : size.x * size.y * (planar ? 1 : size.z);
    const auto is_straight = [](const model::RegionPart& part) {
        if (const auto* h = std::get_if<model::HalfSpace>(&part)) {
            const Vec3d& n = h->normal;
            return (n.x != 0) + (n.y != 0) + (n.z != 0) == 1;
        }
        return std::holds_alternative<model::Box>(part);
    };
    if (std::all_of(region.parts.begin(), region.parts.end(), is_straight)) {
        return all;
    }
    // Midpoints an axis: a ball's volume comes out right to some 1e-4, a circle's area to some 2e-5.
    const int n = planar ? 1000 : 160;
    const int layers = planar ? 1 : n;
    long inside = 0;
    for (int k = 0; k < layers; ++k) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const Vec3d p{bounds.low.x + size.x * (i + 0.5) / n, bounds.low.y + size.y * (j + 0.5) / n,
                              planar ? 0 : bounds.low.z + size.z * (k + 0.5) / n};
                inside += region.contains(p) ? 1 : 0;
            }
        }
    }
    return all * static_cast<double>(inside) / (static_cast<double>(n) * n * layers);
}

}  // namespace talus::scene
