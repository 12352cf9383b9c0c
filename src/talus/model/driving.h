// Steps of walls that forces move. A wall's pose follows from the way of its drive as it does from the time.
#pragma once

#include <vector>

#include "talus/model/wall.h"

namespace talus::model {

/// How fast the drive of a wall that grains press with `force` and `torque` (about the wall's position) speeds up.
double drive_rate(const Drive& drive, const Pose& pose, const Vec3d& force, const Vec3d& torque, const Vec3d& gravity);

/// 1/kg: how much an impulse along `n` at `point` moves that point of the wall along n.
double drive_mobility(const Wall& wall, const Vec3d& point, const Vec3d& n);

/// Rates from what the walls received last, at the start of a run or after a change from outside.
void start_drives(std::vector<Wall>& walls, const Vec3d& gravity, double time);

/// The first half of a leapfrog step that ends at `time`: drives have gone on, with the speeds that their last rates
/// lead to.
void drift_drives(std::vector<Wall>& walls, double h, double time);
/// The second half, once forces are known. The walls' poses take over the speeds.
void kick_drives(std::vector<Wall>& walls, const Vec3d& gravity, double h, double time);

/// The same for POLY's midpoint method: to the middle of the step at `middle`, and on from there to its end at `time`.
void halve_drives(std::vector<Wall>& walls, double h, double middle);
void finish_drives(std::vector<Wall>& walls, const Vec3d& gravity, double h, double time);

/// J, kinetic, of all walls that forces move.
double drive_energy(const std::vector<Wall>& walls);

}  // namespace talus::model
