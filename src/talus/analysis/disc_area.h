// The part of a disc that lies in a box or in another disc: what ball_volume.h is for balls.
#pragma once

#include "talus/analysis/ball_volume.h"

namespace talus::analysis {

double disc_area(double radius);

/// The part within bounds along two directions at right angles.
double disc_in_box(double radius, const Bounds& x, const Bounds& y);

/// The area that two discs share whose centres are `distance` apart.
double disc_in_disc(double radius, double other_radius, double distance);

}  // namespace talus::analysis
