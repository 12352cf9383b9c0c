// Tangential spring with full history, dashpot and Coulomb limit (SSDEM Eqs. 6-7, 14, 17-19, with errata 2 and 5).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

struct TangentialSpring {
    struct Params {
        double kt;           // N/m
        double ct;           // kg/s
        double ct_scaled;    // added to ct: times sqrt(k_n mass), for a wanted tangential restitution
        double friction;     // mu_s; infinity: never slips
        double slip_memory;  // b: the spring keeps b of its greatest force when the contact slips
    };
    /// The spring's displacement half a step ahead of the instant: S is advanced by half a step before and after the
    /// force, which integrates Eq. 7 to second order with the velocities at the instants alone. Those are predicted, and
    /// the prediction of a spring's own motion lags: it feeds energy like a dashpot of -k_t (w h)^2 h / 4 would, with
    /// w^2 = 7/2 k_t / mass. `respond` adds that dashpot back, so that a sticking contact gains nothing.
    template <class T>
    struct History {
        Vec3<T> spring;  // m
    };
    template <class T>
    struct Force {
        Vec3<T> force;  // N, on i
        History<T> history;
        T stored;            // J
        T damping, sliding;  // W
    };

    static constexpr double mobility =
        3.5;  // Eq. 30: a tangential force moves the surfaces of spheres 7/2 times as much

    /// Turns a tangential vector with the contact: a twist about n by half the summed spins (erratum 5), then the
    /// rotation that carries the old normal to the new one, exact to second order in `turn` and tangential to rounding.
    template <class T>
    TALUS_HOT static Vec3<T> turned(const Vec3<T>& s, const Kinematics<T>& contact, double dt) {
        const T angle = contact.spin_sum * (0.5 * dt);
        const T angle2 = angle * angle;
        const T sine = angle * (1.0 - angle2 * (1.0 / 6.0));
        const T cosine = 1.0 - angle2 * (0.5 - angle2 * (1.0 / 24.0));
        const Vec3<T> twisted = s * cosine + cross(contact.normal - contact.turn, s) * sine;
        return twisted - (contact.normal - contact.turn * T(0.5)) * dot(twisted, contact.normal);
    }

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const History<T>& old,
                                      const Vec3<T>& velocity, const T& repulsion, const T& root, const T& correction,
                                      double dt) {
        using std::sqrt;
        const double inverse_dt = 1.0 / dt;
        const double lag = 0.25 * mobility * p.kt * p.kt * dt * dt * dt;
        const T ct = p.ct + p.ct_scaled * root + lag * contact.inverse_mass;
        const Vec3<T> half_step = velocity * T(0.5 * dt);
        Vec3<T> s = turned(old.spring, contact, dt) + half_step;
        const Vec3<T> damping_force = velocity * ct;
        Vec3<T> force = s * T(p.kt) + damping_force;  // trial, Eq. 17
        // Eq. 18: a tensile normal force carries no friction.
        const T limit = p.friction * larger(repulsion, T(0.0));
        const auto slips = limit * limit < norm2(force);
        if (any(slips)) {
            const Vec3<T> capped = force * (limit / sqrt(norm2(force)));
            force = select(slips, capped, force);
            // The spring keeps b of its greatest force but never more than it had, so that slipping creates no energy;
            // nothing is kept if damping alone exceeds the limit.
            const T length = sqrt(norm2(s));
            const T kept = smaller(p.slip_memory * limit, p.kt * length);
            const auto forget = limit * limit < norm2(damping_force) || kept <= T(0.0);
            const T scale = select(forget, T(0.0), kept / select(forget, T(1.0), p.kt * length));
            s = select(slips, s * scale, s);
        }
        const Vec3<T> ahead = s + half_step;
        // Work taken from the motion, less what the spring took: the discrete sum closes exactly while sticking.
        const T lost = dot(force, velocity - force * (mobility * correction)) -
                       0.5 * p.kt * (norm2(ahead) - norm2(old.spring)) * inverse_dt;
        // What is lost in a step counts half before the instant and half after it; so does what the spring holds.
        const T stored = 0.25 * p.kt * (norm2(old.spring) + norm2(ahead));
        return {force, {ahead}, stored, select(slips, T(0.0), lost), select(slips, lost, T(0.0))};
    }

    /// J, held by the spring of a contact that has just ended; it is lost.
    template <class T>
    TALUS_HD static T released(const Params& p, const History<T>& last) {
        return 0.5 * p.kt * norm2(last.spring);
    }
};

}  // namespace talus::laws
