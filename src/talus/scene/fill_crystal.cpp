// Fills by crystals: one that fills the region, or many blocks turned at random (SSDEM Sect. 3.2).
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/math/rotation.h"
#include "talus/scene/fill_deviates.h"
#include "talus/scene/fill_placements.h"
#include "talus/scene/lattice.h"

namespace talus::scene {

namespace {

constexpr int jitter_draws = 100;  // before a site is given up

/// From the bottom up; sites of one height keep their order.
void sort_by_height(std::vector<Vec3d>& sites, const Vec3d& up) {
    std::stable_sort(sites.begin(), sites.end(),
                     [&up](const Vec3d& a, const Vec3d& b) { return dot(a, up) < dot(b, up); });
}

std::int64_t wanted_of(const FillSpec& spec) {
    return spec.count.value_or(std::numeric_limits<std::int64_t>::max());
}

/// Puts one grain at `at` if there is room; returns why not otherwise.
FillSpace::Verdict try_place(Placed& placed, FillSpace& space, const Vec3d& at, double radius) {
    const FillSpace::Verdict verdict = space.judge(at, radius, FillSpace::rounding);
    if (verdict == FillSpace::Verdict::free) {
        space.add(at, radius);
        placed.grains.push_back({wrapped(space.domain(), at), radius});
    }
    return verdict;
}

void count_left_out(Placed& placed, FillSpace::Verdict verdict) {
    placed.on_grain += verdict == FillSpace::Verdict::on_grain ? 1 : 0;
    placed.on_wall += verdict == FillSpace::Verdict::on_wall ? 1 : 0;
}

bool too_many(const FillSpec& spec, double expected, base::Diagnostics& diagnostics) {
    if (expected > most_grains) {
        diagnostics.error(spec.where, spec.key,
                          fmt::format("the region holds about {:.1e} sites; the most is {:.0e}", expected, most_grains),
                          "a smaller region or larger grains");
        return true;
    }
    return false;
}

}  // namespace

Placed place_lattice(const FillSpec& spec, const LatticeFill& how, FillSpace& space, const Vec3d& up,
                     base::Diagnostics& diagnostics) {
    const double largest = largest_radius(spec.sizes);
    const UnitCell cell = unit_cell(how.lattice, how.spacing * 2 * largest);
    const bool planar = space.domain().planar();
    const Vec3d size = space.bounds().size();
    const double cells =
        planar ? size.x * size.y / (cell.edge.x * cell.edge.y) : space.bounds().volume() / cell.volume();
    const double expected = cells * static_cast<double>(cell.site.size());
    Placed placed;
    if (too_many(spec, expected, diagnostics)) {
        return placed;
    }
    // The first grain touches the region's low sides, so that a box of n diameters holds n rows.
    const Vec3d origin = space.bounds().low + Vec3d{largest, largest, planar ? 0 : largest};
    const double smallest = smallest_radius(spec.sizes);
    std::vector<Vec3d> sites = sites_in_box(cell, origin, math::rotation_matrix(how.rotation), space.centers(smallest),
                                            FillSpace::rounding * smallest);
    if (spec.count) {
        sort_by_height(sites, up);
    }
    base::Random sizes = stream(spec, FillStream::size);
    base::Random places = stream(spec, FillStream::place);
    const std::int64_t wanted = wanted_of(spec);
    const double jitter = how.jitter * largest;
    for (const Vec3d& site : sites) {
        if (static_cast<std::int64_t>(placed.grains.size()) >= wanted) {
            break;
        }
        if (!space.inside(site, smallest, FillSpace::rounding)) {
            continue;
        }
        const double radius = draw_radius(spec.sizes, sizes);
        FillSpace::Verdict verdict = FillSpace::Verdict::outside;
        for (int draw = 0; draw < (jitter > 0 ? jitter_draws : 1) && verdict != FillSpace::Verdict::free; ++draw) {
            Vec3d at = site;
            if (jitter > 0) {
                const Vec3d shift{places.uniform(-jitter, jitter), places.uniform(-jitter, jitter),
                                  planar ? 0 : places.uniform(-jitter, jitter)};
                at = wrapped(space.domain(), site + shift);
            }
            verdict = try_place(placed, space, at, radius);
        }
        count_left_out(placed, verdict);
    }
    return placed;
}

Placed place_blocks(const FillSpec& spec, const BlockFill& how, FillSpace& space, const Vec3d& up,
                    base::Diagnostics& diagnostics) {
    const double largest = largest_radius(spec.sizes);
    const double distance = how.spacing * 2 * largest;
    const std::vector<Vec3d> block = block_sites(unit_cell(how.lattice, distance), how.cells);
    double reach = 0;  // of the block about its centroid, half a neighbour distance around each site included
    Vec3d low;
    Vec3d high;
    for (const Vec3d& site : block) {
        reach = std::max(reach, norm(site) + distance / 2);
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], site[i] - distance / 2);
            high[i] = std::max(high[i], site[i] + distance / 2);
        }
    }
    // Turned blocks keep to balls, which pack closest as a crystal themselves; upright ones are stacked like bricks.
    const UnitCell cell =
        how.random_orientation ? unit_cell(Lattice::hcp, 2 * reach) : UnitCell{high - low, {{0, 0, 0}}};
    Placed placed;
    const double expected =
        space.bounds().volume() / cell.volume() * static_cast<double>(cell.site.size() * block.size());
    if (too_many(spec, expected, diagnostics)) {
        return placed;
    }
    // Blocks reach over the region's sides and are clipped there.
    const Vec3d half = how.random_orientation ? Vec3d{reach, reach, reach} : (high - low) / 2.0;
    Vec3d origin = (space.bounds().low + space.bounds().high) / 2.0;
    for (int i = 0; i < 3; ++i) {
        if (up[i] > 0.9) {
            origin[i] = space.bounds().low[i] + half[i];
        } else if (up[i] < -0.9) {
            origin[i] = space.bounds().high[i] - half[i];
        }
    }
    std::vector<Vec3d> centers =
        sites_in_box(cell, origin, math::Mat3d::identity(), {space.bounds().low - half, space.bounds().high + half}, 0);
    sort_by_height(centers, up);
    base::Random sizes = stream(spec, FillStream::size);
    base::Random orientations = stream(spec, FillStream::orientation);
    const std::int64_t wanted = wanted_of(spec);
    for (const Vec3d& center : centers) {
        const math::Mat3d turn = how.random_orientation ? random_rotation(orientations) : math::Mat3d::identity();
        for (const Vec3d& site : block) {
            if (static_cast<std::int64_t>(placed.grains.size()) >= wanted) {
                return placed;
            }
            const Vec3d at = center + turn * site;
            if (space.inside(at, smallest_radius(spec.sizes), FillSpace::rounding)) {
                count_left_out(placed, try_place(placed, space, at, draw_radius(spec.sizes, sizes)));
            }
        }
    }
    return placed;
}

}  // namespace talus::scene
