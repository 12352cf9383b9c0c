// How much solid a grain holds and how hard it is to turn: spheres in space, discs in the plane. A disc is a slice of a
// cylinder 1 m thick, so that densities stay kg/m3.
#pragma once

#include <numbers>

namespace talus::model {

/// m3, of a grain; of a disc the area times 1 m.
inline double solid_volume(int dimensions, double radius) {
    return dimensions == 2 ? std::numbers::pi * radius * radius
                           : 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// Moment of inertia in units of mass times radius squared; a disc turns about its own axis.
inline double inertia_factor(int dimensions) {
    return dimensions == 2 ? 0.5 : 0.4;
}

}  // namespace talus::model
