// The way of a place in a rigid body that flies straight on and turns freely, as searches for its first touch need it.
#pragma once

#include "talus/geometry/flight.h"
#include "talus/math/turning_arc.h"

namespace talus::geometry {

struct CarriedPoint {
    Vec3d position;               // m, of the body's centre at t = 0
    Vec3d velocity;               // m/s, of the body's centre
    const math::TurningArc& arc;  // begins at t = 0
    Vec3d arm;                    // m, in the frame of the body's principal axes

    /// Where the place is and how fast, as a flight from there.
    Flight from(double t) const {
        const math::TurningArc::Turned turned = arc.at(t);
        const Vec3d reach = turned.axes * arm;
        return {position + velocity * t + reach, velocity + cross(turned.spin, reach), {}};
    }
    Vec3d at(double t) const { return from(t).position; }
    /// m/s, never more: what turning adds to the speed of the centre.
    double turning_speed() const { return arc.fastest() * norm(arm); }
    /// m/s2, never more.
    double acceleration() const { return arc.bend() * norm(arm); }
};

}  // namespace talus::geometry
