// Spheres in cells, one grid for each range of sizes, to ask quickly whether a new one would overlap any. Periodic
// sides wrap round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/model/domain.h"
#include "talus/scene/fill_bounds.h"

namespace talus::scene {

class SphereGrid {
public:
    /// `bounds`: finite; spheres may stick out or lie outside, which is only slower. `largest`: a radius no sphere
    /// exceeds, in metres.
    SphereGrid(const Bounds& bounds, const model::Domain& domain, double largest);

    void add(const Vec3d& center, double radius);

    /// What the deepest overlap with a sphere would be.
    struct Overlap {
        double depth = 0;   // m; not positive: free
        Vec3d from;         // m, from the other sphere's nearest image to the one asked about
        double wanted = 0;  // m, the distance at which the two would be apart
    };
    /// `gap`: smallest distance between surfaces, in radii of the smaller sphere.
    Overlap deepest(const Vec3d& center, double radius, double gap) const;
    /// Whether any sphere is nearer than (1 - slack) of what is wanted.
    bool overlaps(const Vec3d& center, double radius, double gap, double slack) const;
    /// Appends the spheres, by their order of coming, whose surfaces are nearer than `gap` (as above).
    void list_near(const Vec3d& center, double radius, double gap, std::vector<std::size_t>& out) const;

private:
    struct Level {
        double radius = 0;  // m, the largest it holds
        std::array<std::int64_t, 3> cells{};
        Vec3d width;                     // m, of a cell
        std::vector<std::int32_t> head;  // first sphere of each cell, -1: none; empty: level not in use
    };

    Level& level_for(double radius);
    std::size_t cell_of(const Level& level, const Vec3d& p) const;
    /// Calls visit(distance vector, other sphere) for the spheres near `center` until it returns true.
    template <class Visit>
    void near(const Vec3d& center, double radius, double gap, Visit visit) const;

    Bounds box_;
    std::array<bool, 3> periodic_;
    std::vector<Level> levels_;  // radii halve from one level to the next
    std::vector<Vec3d> center_;
    std::vector<double> radius_;
    std::vector<std::int32_t> next_;  // in the same cell
};

}  // namespace talus::scene
