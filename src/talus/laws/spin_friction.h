// Rolling and twisting friction of contacts that last (SSDEM Eqs. 20-21 and 23, with errata 3 and 4).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

/// The greatest part of the relative spin that one contact takes away in one step. With predicted spins, all contacts
/// of a grain together must take less than the whole, or the spin turns round at every step: a twentieth leaves room
/// for the twelve neighbours of a grain in a crystal, and for more.
inline constexpr double largest_brake = 0.05;

/// A moment against the relative spin `spin` with magnitude `greatest`, limited so that it never reverses the spin.
template <class T>
TALUS_HD Vec3<T> opposing_moment(const Vec3<T>& spin, const T& greatest, const T& inertia, double dt) {
    using std::sqrt;
    const T speed = sqrt(norm2(spin));
    const T stopping = inertia * speed * (largest_brake / dt);
    const T moment = smaller(greatest, stopping);
    const T safe = select(speed > T(0.0), speed, T(1.0));
    return spin * (-(moment / safe));
}

struct RollingFriction {
    struct Params {
        double friction;  // mu_r
    };
    template <class T>
    TALUS_HD static Vec3<T> moment(const Kinematics<T>& contact, const Params& p, const T& repulsion, double dt) {
        const Vec3<T> across = contact.spin - contact.normal * dot(contact.spin, contact.normal);
        return opposing_moment(across, p.friction * contact.rolling_lever * repulsion, contact.inertia, dt);
    }
};

struct TwistingFriction {
    struct Params {
        double friction;  // mu_t
    };
    template <class T>
    TALUS_HD static Vec3<T> moment(const Kinematics<T>& contact, const Params& p, const T& repulsion, double dt) {
        using std::sqrt;
        const Vec3<T> along = contact.normal * dot(contact.spin, contact.normal);
        // Radius of the circle in which the surfaces meet.
        const T area = (contact.radius_i - contact.lever_i) * (contact.radius_i + contact.lever_i);
        const T circle = sqrt(larger(area, T(0.0)));
        return opposing_moment(along, p.friction * circle * repulsion, contact.inertia, dt);
    }
};

}  // namespace talus::laws
