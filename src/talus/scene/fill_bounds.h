// The finite box around the part of space that a fill may use, and that part's volume.
#pragma once

#include <string>

#include "talus/model/domain.h"
#include "talus/model/region.h"

namespace talus::scene {

using math::Vec3d;

struct Bounds {
    Vec3d low, high;  // m; infinite where nothing bounds the region

    bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
    bool finite() const;
    Vec3d size() const { return high - low; }
    double volume() const { return empty() ? 0 : size().x * size().y * size().z; }
};

/// The region as it confines grains in this domain: a box that spans a whole period has no sides along that axis.
model::Region without_periodic_sides(model::Region region, const model::Domain& domain);

/// A box around region and domain, without thickness in the plane. Oblique half-spaces cut it as far as the other parts
/// bound them.
Bounds bounding_box(const model::Region& region, const model::Domain& domain);

/// Names the axes along which nothing bounds the box: "x", "y and z"; empty for a finite box.
std::string unbounded_axes(const Bounds& bounds);

/// Volume (m3) of the region inside `bounds`, in the plane its area (m2, as of a slice 1 m thick): counted on a fine
/// grid unless the region is that box itself.
double volume_of(const model::Region& region, const Bounds& bounds, int dimensions = 3);

}  // namespace talus::scene
