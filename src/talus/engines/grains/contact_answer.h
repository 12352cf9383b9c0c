// Asking a law by its number: what a contact does, whatever its law.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

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

struct Push {
    Vec3d force;   // N, on the first
    Vec3d moment;  // N m, on the first, beside that of the force
};

struct Answer : Push {
    double stored_normal = 0, stored_tangential = 0;  // J
    std::array<double, model::mechanism_count> power{};
};

/// Doubles that hold a contact's history, whatever its law.
std::size_t history_numbers();

/// m, the greatest gap at which a contact can exist.
double range(const model::PairLaw& law, double radius_i, double radius_j);
Stiction stiction(const model::PairLaw& law);
/// What a contact does in a stage of a step, whose history stays as it is; nothing if it does not exist.
std::optional<Push> push(const model::PairLaw& law, const laws::Kinematics<double>& contact, const double* history,
                         double step);
/// All that can be said of it. The history advances by `dt`; with 0 it stays.
std::optional<Answer> respond(const model::PairLaw& law, const laws::Kinematics<double>& contact, double* history,
                              double dt, double step);
/// The history of a contact whose normal has jumped; returns what its spring has lost (J).
double project(const model::PairLaw& law, const Vec3d& normal, double* history);
/// J, that the spring of a contact still holds.
double released(const model::PairLaw& law, const double* history);

}  // namespace talus::engines::grains
