// What friction's springs at a wall really take from the motion. Slip is predicted: it lags by half a step of what the
// forces have changed since the last one. Over a step the motion gives h F.u and the springs take h F.(u + (h/2) M dF),
// where dF is the change of force and M the mobility of the body, 1/m for forces and 1/I for torques. The difference is
// the change of (h^2 / 4) F.M F plus (h^2 / 4) dF.M dF. Springs that unload give the first part back; it is lost when
// they let go at once, and is 2e-3 of what they hold at fifty steps a collision. The second part is fed at every
// change. The ledger counts both; forces of several contacts with one wall act on the same body and count together.
#pragma once

#include "talus/backends/cpu/workspace.h"

namespace talus::backends::cpu {

/// Friction on a body, summed over its contacts with one wall.
struct Pull {
    Vec3d force;   // N
    Vec3d torque;  // N m

    /// Adds the tangential force of a contact `lever` away from the centre.
    void add(const Vec3d& tangential, const Vec3d& normal, double lever) {
        force += tangential;
        torque += cross(normal, tangential) * lever;
    }
};

/// J, (h^2 / 4) F.M F.
inline double lag_energy(const Pull& pull, const Record& body, double h) {
    return 0.25 * h * h * (body.inverse_mass * norm2(pull.force) + body.inverse_inertia * norm2(pull.torque));
}

/// What is known to have changed since the last step from the places alone, so that slip need not lag by it: the push
/// of the wall's elastic force, and springs that have turned with the contact or were let go.
struct Foresight {
    Vec3d velocity;  // m/s, to be added to the predicted one
    Vec3d spin;      // rad/s

    void add_force(const Vec3d& change, const Record& body, double h) {
        velocity += change * (0.5 * h * body.inverse_mass);
    }
    void add_pull(const Pull& from, const Pull& to, const Record& body, double h) {
        add_force(to.force - from.force, body, h);
        spin += (to.torque - from.torque) * (0.5 * h * body.inverse_inertia);
    }
};

}  // namespace talus::backends::cpu
