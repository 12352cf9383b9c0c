// The part of a ball that lies behind planes, in a box, in another ball (closed forms) or in a cylinder (quadrature).
#pragma once

#include <array>
#include <limits>

namespace talus::analysis {

double ball_volume(double radius);

/// An interval along one direction, relative to the ball's centre.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// The part with x >= distance (a cap; `distance` may be negative).
double cap_volume(double radius, double distance);

/// The part within bounds along three directions at right angles to each other.
double ball_in_box(double radius, const std::array<Bounds, 3>& bounds);

/// The part of one ball in another whose centre is `distance` away.
double ball_in_ball(double radius, double other_radius, double distance);

/// The part in a cylinder whose axis passes at `distance` from the centre, within bounds along that axis; good to about
/// 1e-7 of the ball.
double ball_in_cylinder(double radius, double cylinder_radius, double distance, const Bounds& bounds);

}  // namespace talus::analysis
