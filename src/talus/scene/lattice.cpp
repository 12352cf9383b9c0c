#include "talus/scene/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace talus::scene {

UnitCell unit_cell(Lattice lattice, double distance) {
    const double d = distance;
    switch (lattice) {
        case Lattice::fcc: {
            const double a = std::sqrt(2.0) * d;  // neighbours touch along the face diagonal
            const double h = a / 2;
            return {{a, a, a}, {{0, 0, 0}, {h, h, 0}, {h, 0, h}, {0, h, h}}};
        }
        case Lattice::hcp: {
            const double b = std::sqrt(3.0) * d;        // two rows of a close-packed plane
            const double c = std::sqrt(8.0 / 3.0) * d;  // two planes
            return {{d, b, c}, {{0, 0, 0}, {d / 2, b / 2, 0}, {d / 2, b / 6, c / 2}, {0, b * (2.0 / 3.0), c / 2}}};
        }
        case Lattice::hexagonal: {
            const double b = std::sqrt(3.0) * d;  // two rows
            return {{d, b, d}, {{0, 0, 0}, {d / 2, b / 2, 0}}};
        }
        case Lattice::square:
        case Lattice::cubic:
            break;
    }
    return {{d, d, d}, {{0, 0, 0}}};
}

std::vector<Vec3d> sites_in_box(const UnitCell& cell, const Vec3d& origin, const math::Mat3d& rotation,
                                const Bounds& box, double slack) {
    // The range of cells that covers the box, seen from the crystal.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Vec3d low{infinity, infinity, infinity};
    Vec3d high{-infinity, -infinity, -infinity};
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3d p{(corner & 1U) != 0 ? box.high.x : box.low.x, (corner & 2U) != 0 ? box.high.y : box.low.y,
                      (corner & 4U) != 0 ? box.high.z : box.low.z};
        const Vec3d q = math::transpose_times(rotation, p - origin);
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], q[i] / cell.edge[i]);
            high[i] = std::max(high[i], q[i] / cell.edge[i]);
        }
    }
    std::array<std::int64_t, 3> first{};
    std::array<std::int64_t, 3> last{};
    for (int i = 0; i < 3; ++i) {
        first[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::floor(low[i])) - 1;
        last[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::ceil(high[i])) + 1;
    }
    std::vector<Vec3d> sites;
    for (std::int64_t k = first[2]; k <= last[2]; ++k) {
        for (std::int64_t j = first[1]; j <= last[1]; ++j) {
            for (std::int64_t i = first[0]; i <= last[0]; ++i) {
                const Vec3d corner{static_cast<double>(i) * cell.edge.x, static_cast<double>(j) * cell.edge.y,
                                   static_cast<double>(k) * cell.edge.z};
                for (const Vec3d& site : cell.site) {
                    const Vec3d p = origin + rotation * (corner + site);
                    if (p.x >= box.low.x - slack && p.x <= box.high.x + slack && p.y >= box.low.y - slack &&
                        p.y <= box.high.y + slack && p.z >= box.low.z - slack && p.z <= box.high.z + slack) {
                        sites.push_back(p);
                    }
                }
            }
        }
    }
    return sites;
}

std::vector<Vec3d> block_sites(const UnitCell& cell, int cells) {
    std::vector<Vec3d> sites;
    Vec3d sum;
    for (int k = 0; k < cells; ++k) {
        for (int j = 0; j < cells; ++j) {
            for (int i = 0; i < cells; ++i) {
                for (const Vec3d& site : cell.site) {
                    sites.push_back(site + Vec3d{i * cell.edge.x, j * cell.edge.y, k * cell.edge.z});
                    sum += sites.back();
                }
            }
        }
    }
    for (Vec3d& site : sites) {
        site -= sum / static_cast<double>(sites.size());
    }
    return sites;
}

}  // namespace talus::scene
