// Closed forms of a two-body collision, for setting up laws: damping from restitution, durations, stable steps.
#pragma once

#include <optional>

namespace talus::laws {

/// Damping as a fraction of critical for a wanted restitution: Eq. 15; 1 (critical) for restitution 0.
double damping_ratio(double restitution);

/// The range of tangential restitution that can be had by varying the tangential damping.
struct TangentialRange {
    double low = 0, high = 0;
};

/// Eq. 35 (with cosh and sinh when overdamped): tangential restitution for C_t = ct_scaled sqrt(k_n mass).
/// `mobility` is that of TangentialSpring: 7/2 for spheres, 3 for discs.
double tangential_restitution(double ct_scaled, double kt_over_kn, double normal_damping_ratio, double mobility = 3.5);
/// Its inverse by iteration; nothing if no damping gives the wanted value.
std::optional<double> tangential_damping(double restitution, double kt_over_kn, double normal_damping_ratio,
                                         double mobility = 3.5);
TangentialRange tangential_range(double kt_over_kn, double normal_damping_ratio, double mobility = 3.5);

/// Longest step at which the engine's leapfrog with predicted velocities keeps an oscillator x'' = -w2 x - 2 a x' from
/// growing. `history` says that the spring is a contact history (tangential) rather than a position (normal).
double stable_step(double w2, double a, bool history);

/// Hertzian spheres without damping, F = (4/3) modulus sqrt(radius) x^(3/2); radius is the effective one.
/// m, in a head-on collision.
double hertz_overlap(double modulus, double mass, double radius, double speed);
/// s; damping lengthens it little.
double hertz_collision_time(double modulus, double mass, double radius, double speed);
/// m, at rest under a force (N).
double hertz_overlap_under(double modulus, double radius, double force);
/// N/m^(3/2).
double hertz_stiffness(double modulus, double radius);

}  // namespace talus::laws
