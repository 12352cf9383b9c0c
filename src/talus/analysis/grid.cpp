#include "talus/analysis/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/disc_area.h"
#include "talus/analysis/region_volume.h"
#include "talus/base/diagnostics.h"

namespace talus::analysis {

Grid::Grid(const model::ProfileGrid& grid, const model::Region& region, const model::Domain& domain)
    : along_(grid.along), region_(region), domain_(domain) {
    std::int64_t cells = 1;
    for (const model::GridAxis& axis : along_) {
        if (axis.bins < 1 || !(axis.high > axis.low)) {
            throw base::InputError("a profile needs at least one bin along each coordinate, and low below high");
        }
        cells *= axis.bins;
        if (cells > model::ProfileGrid::most_cells) {
            throw base::InputError(fmt::format("a profile may have {} cells at most", model::ProfileGrid::most_cells));
        }
    }
    cells_ = static_cast<std::size_t>(cells);
}

double Grid::edge(std::size_t k, int bin) const {
    const model::GridAxis& axis = along_[k];
    return bin == axis.bins ? axis.high : axis.low + bin * ((axis.high - axis.low) / axis.bins);
}

int Grid::bin_at(std::size_t k, double at) const {
    const model::GridAxis& axis = along_[k];
    const double place = std::floor((at - axis.low) / ((axis.high - axis.low) / axis.bins));
    return static_cast<int>(std::clamp(place, -1.0, static_cast<double>(axis.bins)));
}

Grid::Span Grid::span(std::size_t k, double from, double to) const {
    return {std::max(0, bin_at(k, from)), std::min(along_[k].bins - 1, bin_at(k, to))};
}

int Grid::bin(std::size_t cell, std::size_t k) const {
    for (std::size_t faster = along_.size() - 1; faster > k; --faster) {
        cell /= static_cast<std::size_t>(along_[faster].bins);
    }
    return static_cast<int>(cell % static_cast<std::size_t>(along_[k].bins));
}

std::vector<double> Grid::middle(std::size_t cell) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < along_.size(); ++k) {
        const int b = bin(cell, k);
        out.push_back(0.5 * (edge(k, b) + edge(k, b + 1)));
    }
    return out;
}

std::optional<std::size_t> Grid::cell_of(const Vec3d& x) const {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < along_.size(); ++k) {
        const int b = bin_at(k, coordinate(x, k));
        if (b < 0 || b >= along_[k].bins) {
            return std::nullopt;
        }
        cell = cell * static_cast<std::size_t>(along_[k].bins) + static_cast<std::size_t>(b);
    }
    return region_.contains(x) ? std::optional(cell) : std::nullopt;
}

void Grid::share_out(const Vec3d& center, double radius, std::vector<Share>& shares) const {
    shares.clear();
    // A ball that reaches over a periodic border comes back at the other side.
    std::array<std::array<double, 3>, 3> shifts{};
    std::array<std::size_t, 3> count = {1, 1, 1};
    for (std::size_t k = 0; k < 3; ++k) {
        const int i = static_cast<int>(k);
        if (domain_.periodic[k]) {
            if (center[i] - radius < domain_.low[i]) {
                shifts[k][count[k]++] = domain_.size()[i];
            }
            if (center[i] + radius > domain_.high[i]) {
                shifts[k][count[k]++] = -domain_.size()[i];
            }
        }
    }
    for (std::size_t i = 0; i < count[0]; ++i) {
        for (std::size_t j = 0; j < count[1]; ++j) {
            for (std::size_t k = 0; k < count[2]; ++k) {
                share_out_one(center + Vec3d{shifts[0][i], shifts[1][j], shifts[2][k]}, radius, shares);
            }
        }
    }
}

math::Mat3d Grid::basis(const Vec3d&) const {
    return math::Mat3d::identity();
}

namespace {

/// Slices along one direction, or boxes along x, y and z.
class FlatGrid final : public Grid {
public:
    FlatGrid(const model::ProfileGrid& grid, const model::Region& region, const model::Domain& domain)
        : Grid(grid, region, domain),
          directions_(grid.kind == model::ProfileGrid::Kind::slices ? std::vector<Vec3d>{math::normalized(grid.axis)}
                      : domain.planar()                             ? std::vector<Vec3d>{{1, 0, 0}, {0, 1, 0}}
                                        : std::vector<Vec3d>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        constexpr int samples = 1 << 14;  // in a box that the region cuts: there may be thousands
        const bool slices = directions_.size() == 1;
        for (std::size_t cell = 0; cell < cells(); ++cell) {
            model::Region part = region;
            for (std::size_t k = 0; k < directions_.size(); ++k) {
                part.parts.emplace_back(model::HalfSpace{directions_[k], edge(k, bin(cell, k))});
                part.parts.emplace_back(model::HalfSpace{-directions_[k], -edge(k, bin(cell, k) + 1)});
            }
            volumes_.emplace_back(part, domain, slices ? RegionVolume::samples_per_region : samples);
        }
    }

    std::vector<std::string> coordinates() const override {
        return directions_.size() == 1   ? std::vector<std::string>{"middle", "low", "high"}
               : directions_.size() == 2 ? std::vector<std::string>{"x", "y"}
                                         : std::vector<std::string>{"x", "y", "z"};
    }
    std::vector<double> place(std::size_t cell) const override {
        std::vector<double> out = middle(cell);
        if (directions_.size() == 1) {
            out.insert(out.end(), {edge(0, bin(cell, 0)), edge(0, bin(cell, 0) + 1)});
        }
        return out;
    }
    double volume(std::size_t cell) const override { return volumes_[cell].volume(); }

private:
    double coordinate(const Vec3d& x, std::size_t k) const override { return math::dot(directions_[k], x); }

    void share_out_one(const Vec3d& center, double radius, std::vector<Share>& shares) const override {
        std::array<Span, 3> spans = {Span{0, 0}, Span{0, 0}, Span{0, 0}};
        std::array<std::size_t, 3> bins = {1, 1, 1};
        for (std::size_t k = 0; k < directions_.size(); ++k) {
            const double at = coordinate(center, k);
            spans[k] = span(k, at - radius, at + radius);
            bins[k] = static_cast<std::size_t>(axis(k).bins);
        }
        for (int i = spans[0].first; i <= spans[0].last; ++i) {
            for (int j = spans[1].first; j <= spans[1].last; ++j) {
                for (int k = spans[2].first; k <= spans[2].last; ++k) {
                    const std::size_t cell =
                        (static_cast<std::size_t>(i) * bins[1] + static_cast<std::size_t>(j)) * bins[2] +
                        static_cast<std::size_t>(k);
                    const double volume = volumes_[cell].one_ball_inside(center, radius);
                    if (volume > 0) {
                        shares.push_back({cell, volume});
                    }
                }
            }
        }
    }

    std::vector<Vec3d> directions_;
    std::vector<RegionVolume> volumes_;  // the region within each cell
};

/// Rings about an axis: distance from it, and the way along it.
class RingGrid final : public Grid {
public:
    RingGrid(const model::ProfileGrid& grid, const model::Region& region, const model::Domain& domain)
        : Grid(grid, region, domain),
          origin_(grid.origin),
          axis_(math::normalized(grid.axis)),
          planar_(domain.planar()) {
        if (axis(0).low < 0 || !region.parts.empty()) {
            throw base::InputError("rings begin at the axis or outside of it, and take no region");
        }
    }

    std::vector<std::string> coordinates() const override {
        return planar_ ? std::vector<std::string>{"r"} : std::vector<std::string>{"r", "z"};
    }
    std::vector<double> place(std::size_t cell) const override {
        std::vector<double> out = middle(cell);
        out.resize(planar_ ? 1 : 2);
        return out;
    }
    double volume(std::size_t cell) const override {
        const double inner = edge(0, bin(cell, 0));
        const double outer = edge(0, bin(cell, 0) + 1);
        const double height = edge(1, bin(cell, 1) + 1) - edge(1, bin(cell, 1));
        return std::numbers::pi * (outer - inner) * (outer + inner) * height;
    }
    const char* letters() const override { return "rtz"; }
    math::Mat3d basis(const Vec3d& x) const override {
        const Vec3d arm = across(x);
        const double distance = math::norm(arm);
        // On the axis any direction across it serves.
        const Vec3d side = std::abs(axis_.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d outward = distance > 0 ? arm / distance : math::normalized(math::cross(axis_, side));
        return {{outward, math::cross(axis_, outward), axis_}};
    }

private:
    double height(const Vec3d& x) const { return math::dot(axis_, x - origin_); }
    Vec3d across(const Vec3d& x) const { return x - origin_ - axis_ * height(x); }
    double coordinate(const Vec3d& x, std::size_t k) const override {
        return k == 0 ? math::norm(across(x)) : height(x);
    }

    void share_out_one(const Vec3d& center, double radius, std::vector<Share>& shares) const override {
        const double distance = math::norm(across(center));
        const double at = height(center);
        const Span rings = span(0, distance - radius, distance + radius);
        const Span layers = span(1, at - radius, at + radius);
        for (int layer = layers.first; layer <= layers.last; ++layer) {
            const Bounds bounds{edge(1, layer) - at, edge(1, layer + 1) - at};
            const auto within = [&](int ring) {
                return planar_ ? disc_in_disc(radius, edge(0, ring), distance)
                               : ball_in_cylinder(radius, edge(0, ring), distance, bounds);
            };
            double inner = rings.first <= rings.last ? within(rings.first) : 0;
            for (int ring = rings.first; ring <= rings.last; ++ring) {
                const double outer = within(ring + 1);
                if (outer > inner) {
                    const auto row = static_cast<std::size_t>(ring) * static_cast<std::size_t>(axis(1).bins);
                    shares.push_back({row + static_cast<std::size_t>(layer), outer - inner});
                }
                inner = outer;
            }
        }
    }

    Vec3d origin_, axis_;
    bool planar_;  // one layer, 1 m thick
};

}  // namespace

std::unique_ptr<Grid> make_grid(const model::ProfileGrid& grid, const model::Region& region,
                                const model::Domain& domain) {
    const std::size_t axes = domain.planar() ? 2 : 3;
    const std::size_t wanted = grid.kind == model::ProfileGrid::Kind::slices  ? 1
                               : grid.kind == model::ProfileGrid::Kind::boxes ? axes
                                                                              : 2;
    if (grid.along.size() != wanted) {
        throw base::InputError(fmt::format("this kind of grid has {} coordinates, not {}", wanted, grid.along.size()));
    }
    if (grid.kind == model::ProfileGrid::Kind::rings) {
        return std::make_unique<RingGrid>(grid, region, domain);
    }
    return std::make_unique<FlatGrid>(grid, region, domain);
}

}  // namespace talus::analysis
