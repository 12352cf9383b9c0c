// Asking a law by its number: what a contact does, whatever its law.
#pragma once

#include <array>
#include <cstddef>

#include "talus/laws/contact.h"
#include "talus/model/ledger.h"
#include "talus/model/materials.h"

namespace talus::engines::grains {

using math::Vec3d;

/// How a body that lies on a wall is brought to rest and kept there (SOLVER Algorithm 2); nothing if friction is 0.
struct Stiction {
    double friction = 0;  // a tangential force below so much of the normal one is cancelled
    double stopping = 0;  // the part of the velocity along the wall that is taken away in `duration`
    double turning = 0;   // the same of the spin
    double duration = 0;  // s; 0: a step
};

struct Answer {
    Vec3d force;                                      // N, on the first
    Vec3d moment;                                     // N m, on the first, beside that of the force
    double stored_normal = 0, stored_tangential = 0;  // J
    std::array<double, model::mechanism_count> power{};
    Stiction stiction;
};

/// Doubles that hold a contact's history, whatever its law.
std::size_t history_numbers();

/// Whether a contact with such a history exists.
bool acts(const model::PairLaw& law, const laws::Kinematics<double>& contact, const double* history);
/// m, the greatest gap at which one can.
double range(const model::PairLaw& law, double radius_i, double radius_j);
/// What it does. The history advances by `dt`; with 0 it stays. `stored`: work out what it holds.
Answer respond(const model::PairLaw& law, const laws::Kinematics<double>& contact, double* history, double dt,
               double step, bool stored);
/// The history of a contact whose normal has jumped; returns what its spring has lost (J).
double project(const model::PairLaw& law, const Vec3d& normal, double* history);
/// J, that the spring of a contact still holds.
double released(const model::PairLaw& law, const double* history);

}  // namespace talus::engines::grains
