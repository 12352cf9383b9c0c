// The free surface of a bed of grains at one instant, as points and as a line.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/analysis/near_count.h"
#include "talus/analysis/statistics.h"
#include "talus/model/plan.h"
#include "talus/model/system.h"

namespace talus::analysis {

using math::Vec3d;

/// The loose grains of a system: those that nothing holds, inside a region.
struct LooseGrains {
    std::vector<Ball> balls;
    std::vector<char> in_bed;  // has at least three loose neighbours within half a mean diameter of its surface
    double mean_diameter = 0;  // m
};
LooseGrains loose_grains(const model::System& system, const model::Region& region);

struct SurfacePoint {
    double along = 0;   // m
    double height = 0;  // m, of a grain's top
};

/// One point a bin along `along`: the top of the highest grain of the bed. Coming from below, the bed ends at the first
/// gap of two mean diameters, so that neither flying grains nor those that stick under a ceiling are taken for it. In
/// ascending order of bins; empty bins have no point.
std::vector<SurfacePoint> surface_points(const LooseGrains& grains, const Vec3d& up, const Vec3d& along,
                                         double bin_width);

struct SurfaceLine {
    double angle = 0;     // degrees above the horizontal along `along`
    double level = 0;     // m, height in the middle of the part that was fitted
    double residual = 0;  // m, root of the mean square distance of the points from the line, measured upwards
    std::size_t points = 0;
};

/// A straight line through the points between the ends that `spec` gives. By default those of the middle half of the
/// points' extent. NaN with fewer than three points.
SurfaceLine fit_surface(const std::vector<SurfacePoint>& points, const model::SurfaceSpec& spec);

/// The share of a drum's rim that the bed covers: sectors two mean diameters wide with a grain of the bed within three
/// mean diameters of the wall. About one half for a half-filled drum that turns slowly, one when it centrifuges.
double covered_rim(const LooseGrains& grains, const model::Wall& drum);

}  // namespace talus::analysis
