// Grains of a few equal spheres in well-known arrangements. As in make_shape.h, a maker whose numbers make no sense
// throws std::invalid_argument with one sentence; whether the spheres make a grain is for grain_fault to say.
#pragma once

#include <vector>

#include "talus/geometry/sphere_union.h"

namespace talus::geometry {

/// Two spheres along x; `distance` of their centres.
std::vector<Ball> dumbbell(double radius, double distance);
/// Four spheres on the corners of a regular tetrahedron with edges of length `edge`.
std::vector<Ball> tetrahedron(double radius, double edge);
/// Eight spheres on the corners of a cube, as SOLVER's grains.
std::vector<Ball> cube(double radius, double edge);
/// Spheres in line along x; `length` from end to end. `count` 0: as few as keep neighbours within a radius.
std::vector<Ball> rod(double radius, double length, int count = 0);
/// Two arms in the plane of x and y that share the sphere at the bend; `arm` from the centre of that sphere to the tip,
/// `angle` (rad) between the arms. `count`: spheres of an arm beside the one at the bend; 0: as for a rod.
std::vector<Ball> boomerang(double radius, double arm, double angle, int count = 0);
/// Spheres spread over a sphere of radius `radius` so close that they enclose a cavity. `ball_radius` 0: a tenth more
/// than is needed. Refused where holes or no cavity would be left.
std::vector<Ball> shell(double radius, int count, double ball_radius = 0);

/// Unit vectors spread evenly: a spiral from pole to pole with the golden angle between neighbours.
std::vector<Vec3d> spread_directions(int count);

}  // namespace talus::geometry
