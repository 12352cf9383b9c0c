// Uniform fields, constant or turning, and what sits at the grains' centres to feel them and one another: masses,
// charges and dipoles.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/math/rotation.h"
#include "talus/model/bodies.h"
#include "talus/model/squeeze.h"

namespace talus::model {

/// The same everywhere; with a rate it turns steadily about an axis.
struct UniformField {
    Vec3d value;          // at time 0
    Vec3d axis{0, 0, 1};  // unit vector
    double rate = 0;      // rad/s

    bool is_there() const { return value != Vec3d{}; }
    bool turns() const { return rate != 0 && is_there(); }
    Vec3d at(double time) const {
        return turns() ? to_matrix(math::quaternion_from_axis_angle(axis, rate * time)) * value : value;
    }
};

/// What a grain carries at its centre, beside its mass. Dipoles are fixed in the frame of the grain's principal axes.
struct Moments {
    double charge = 0;      // C
    Vec3d electric_dipole;  // C m
    Vec3d magnetic_dipole;  // A m2

    bool any() const { return charge != 0 || has_dipole(); }
    bool has_dipole() const { return electric_dipole != Vec3d{} || magnetic_dipole != Vec3d{}; }
};

struct Fields {
    UniformField gravity;   // m/s2, beside System::gravity; only where it turns
    UniformField electric;  // V/m
    UniformField magnetic;  // T
    // Which grains act on one another over any distance.
    bool masses = false;
    bool electric_moments = false;
    bool magnetic_moments = false;
    double gravitational_constant = 6.67430e-11;  // m3/(kg s2)
    double electric_constant = 8.9875517923e9;    // N m2/C2, 1/(4 pi epsilon_0)
    double magnetic_constant = 1.00000000055e-7;  // N/A2, mu_0/(4 pi)
    std::vector<Moments> moments;                 // a row a body, or none

    bool mutual() const { return masses || electric_moments || magnetic_moments; }
    /// Whether there is anything but contacts and a constant gravity; the same all through a run.
    bool any() const { return mutual() || gravity.is_there() || electric.is_there() || magnetic.is_there(); }
    /// Rows for new bodies, which carry nothing.
    void resize(std::size_t bodies) {
        if (any()) {
            moments.resize(bodies);
        }
    }
    void compact(const std::vector<char>& keep) { squeeze(moments, keep); }
};

struct System;

/// J, by what acts.
struct MutualEnergy {
    double gravity = 0, electric = 0, magnetic = 0;

    double total() const { return gravity + electric + magnetic; }
};
/// The energy of all pairs of grains that act on one another over a distance.
MutualEnergy mutual_energy(const System& system);

/// J, sum of q E.x + p.E + m.B over the bodies in fields that do not turn (see Ledger::field_reference).
double field_lift(const System& system);
/// J, done by electric, magnetic and turning fields since the start.
double field_work(const System& system);
/// Dipoles of body `i` as they are turned.
Vec3d electric_dipole(const System& system, std::size_t i);
Vec3d magnetic_dipole(const System& system, std::size_t i);

}  // namespace talus::model
