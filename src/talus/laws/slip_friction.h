// Friction without a spring: a force against the slip that holds no energy (POLY Eq. 53, SOLVER Eqs. 2, 3 and 6 with
// their errata). It has nothing to rest on at zero slip, so no step may turn the slip round.
#pragma once

#include <cmath>

#include "talus/laws/contact.h"
#include "talus/laws/spin_friction.h"

namespace talus::laws {

template <class T, class History>
struct SlipForce {
    Vec3<T> force;  // N, on i
    History history;
    T damping, sliding;  // W
    T resistance2;       // N2
    MaskFor<T> slips;
};

/// The greatest part of the slip that one contact takes away in one step of Runge and Kutta: their stages feel what
/// they do to the slip, and stay stable while the contacts of a grain together take less than 2.8 of it.
inline constexpr double largest_brake_of_stages = 0.5;

/// A force of that magnitude (N) along the slip, less where it would stop the slip within a few steps. `coulomb` says
/// which mechanism it counts as. Histories advance by `dt`, 0 in a stage.
template <class T, class History>
TALUS_HOT SlipForce<T, History> against_slip(const Kinematics<T>& contact, const T& magnitude, const T& speed,
                                             const MaskFor<T>& coulomb, double mobility, double dt, double step,
                                             const History& history) {
    const double brake = dt > 0 ? largest_brake : largest_brake_of_stages;
    const T stopping = contact.mass * speed * (brake / (mobility * step));
    const T size = smaller(magnitude, stopping);
    const T power = size * speed;
    const auto slips = coulomb && power > T(0.0);
    return {contact.slip * (size / select(speed > T(0.0), speed, T(1.0))),
            history,
            select(slips, T(0.0), power),
            select(slips, power, T(0.0)),
            size * size,
            slips};
}

/// What friction without a memory has in place of a history.
struct NoSlipHistory {
    template <class T>
    struct History {};
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory&, const Visit&) {}
    TALUS_HD static History<double> projected(const History<double>&, const Vec3<double>&) { return {}; }
    template <class Params, class T>
    TALUS_HD static T stored(const Params&, const History<T>&, const History<T>&) {
        return T(0.0);
    }
    template <class Params>
    TALUS_HD static double released(const Params&, const History<double>&) {
        return 0;
    }
};

/// POLY Eq. 53: Coulomb friction that fades below a small speed.
struct RegularisedFriction : NoSlipHistory {
    struct Params {
        double friction;  // mu
        double speed;     // m/s, nu: half of the friction at this slip
        double mobility;  // as in TangentialSpring
    };
    template <class T>
    TALUS_HOT static SlipForce<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                      const History<T>& old, const T& press, const T& /*root*/,
                                                      double dt, double step) {
        using std::sqrt;
        const T speed = sqrt(norm2(contact.slip));
        const T sum = p.speed + speed;
        const auto moves = sum > T(0.0);
        const T magnitude =
            select(moves, p.friction * larger(press, T(0.0)) * (speed / select(moves, sum, T(1.0))), T(0.0));
        return against_slip(contact, magnitude, speed, speed >= T(0.0), p.mobility, dt, step, old);
    }
};

/// SOLVER Eqs. 2 and 6: a dashpot up to Coulomb's limit.
struct ViscousFriction : NoSlipHistory {
    struct Params {
        double friction;  // mu_s, mu_q
        double kt;        // kg/s
        double mobility;
    };
    template <class T>
    TALUS_HOT static SlipForce<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                      const History<T>& old, const T& press, const T& /*root*/,
                                                      double dt, double step) {
        using std::sqrt;
        const T speed = sqrt(norm2(contact.slip));
        const T limit = p.friction * larger(press, T(0.0));
        const T viscous = p.kt * speed;
        return against_slip(contact, smaller(limit, viscous), speed, limit <= viscous, p.mobility, dt, step, old);
    }
};

/// SOLVER Eqs. 3-4: the longer the path that the surfaces have slipped, the stronger, up to Coulomb's limit.
struct PathFriction {
    struct Params {
        double friction;  // mu_s
        double kt;        // N/m
        double mobility;
    };
    template <class T>
    struct History {
        T path;  // m, slipped so far; half a step ahead, as in TangentialSpring
    };
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory& history, const Visit& visit) {
        visit(history.path);
    }
    template <class T>
    TALUS_HOT static SlipForce<T, History<T>> respond(const Kinematics<T>& contact, const Params& p,
                                                      const History<T>& old, const T& press, const T& /*root*/,
                                                      double dt, double step) {
        using std::sqrt;
        const T speed = sqrt(norm2(contact.slip));
        const T limit = p.friction * larger(press, T(0.0));
        const T grown = p.kt * (old.path + 0.5 * dt * speed);
        return against_slip<T, History<T>>(contact, smaller(limit, grown), speed, limit <= grown, p.mobility, dt, step,
                                           {old.path + dt * speed});
    }
    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>&) { return old; }
    template <class T>
    TALUS_HD static T stored(const Params&, const History<T>&, const History<T>&) {
        return T(0.0);
    }
    TALUS_HD static double released(const Params&, const History<double>&) { return 0; }
};

}  // namespace talus::laws
