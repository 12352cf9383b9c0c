// Tangential spring with full history, dashpot and Coulomb limit (SSDEM Eqs. 6-7, 14, 17-19, with errata 2 and 5).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

struct TangentialSpring {
    /// Eq. 30: 1 + m r^2 / I, which is 7/2 for spheres and 3 for discs.
    static constexpr double sphere_mobility = 3.5;
    static constexpr double disc_mobility = 3.0;

    struct Params {
        double kt;                          // N/m
        double ct;                          // kg/s
        double ct_scaled;                   // added to ct: times sqrt(k_n mass), for a wanted tangential restitution
        double friction;                    // mu_s; infinity: never slips
        double slip_memory;                 // b: the spring keeps b of its greatest force when the contact slips
        double mobility = sphere_mobility;  // a tangential force moves surfaces so much more than centres
    };
    /// The spring's displacement half a step ahead of the instant: S is advanced by half a step before and after the
    /// force, which integrates Eq. 7 to second order with the velocities at the instants alone. Those are predicted,
    /// and the prediction of a spring's own motion lags: it feeds energy like a dashpot of -k_t (w h)^2 h / 4 would,
    /// with w^2 = mobility k_t / mass. `respond` adds that dashpot back, so that a sticking contact gains nothing.
    template <class T>
    struct History {
        Vec3<T> spring;  // m
    };
    template <class AnyHistory, class Visit>
    TALUS_HOT static void for_numbers(AnyHistory& history, const Visit& visit) {
        visit(history.spring.x);
        visit(history.spring.y);
        visit(history.spring.z);
    }
    template <class T>
    struct Force {
        Vec3<T> force;  // N, on i
        History<T> history;
        T damping, sliding;  // W
        T resistance2;       // N2, square of the part of the force that holds no energy
        MaskFor<T> slips;    // where not, `sliding` is zero
    };

    static constexpr double tiny = 1e-300;  // J, of a spring that has all but died away

    /// Turns a tangential vector with the contact: a twist about n by half the summed spins (erratum 5), then the
    /// rotation that carries the old normal to the new one, exact to second order and tangential to rounding.
    template <class T>
    TALUS_HOT static Vec3<T> turned(const Vec3<T>& s, const Kinematics<T>& contact, double dt) {
        const T angle = contact.spin_sum * T(0.5 * dt);
        const T shorter = multiply_add(angle * T(-0.5), angle, T(1.0));
        const Vec3<T> twisted = cross_add(contact.normal, s * angle, s * shorter);
        return less_product(twisted, contact.normal - contact.half_turn, fused_dot(twisted, contact.normal));
    }

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const History<T>& old,
                                      const T& repulsion, const T& root, double dt) {
        using std::sqrt;
        const Vec3<T>& velocity = contact.slip;
        const double lag = 0.25 * p.mobility * p.kt * p.kt * dt * dt * dt;
        const T ct = p.ct + p.ct_scaled * root + lag * contact.inverse_mass;
        const T half_step(0.5 * dt);
        const Vec3<T> s = multiply_add(velocity, half_step, turned(old.spring, contact, dt));
        Force<T> out;
        out.force = multiply_add(s, T(p.kt), velocity * ct);  // trial, Eq. 17
        // Work taken from the motion, less what the spring takes: while sticking, that is the dashpot's part.
        out.damping = ct * fused_dot(velocity, velocity);
        out.sliding = T(0.0);
        out.resistance2 = ct * out.damping;
        // Eq. 18: a tensile normal force carries no friction.
        const T limit = p.friction * larger(repulsion, T(0.0));
        const T trial2 = fused_dot(out.force, out.force);
        const auto slips = limit * limit < trial2;
        out.slips = slips;
        Vec3<T> ahead = multiply_add(velocity, half_step, s);
        if (any(slips)) {
            const T size = sqrt(trial2);
            T cut, scale;
            if (p.slip_memory > 0 && p.kt > 0) {
                // The spring keeps b of its greatest force but never more than it had, so that slipping creates no
                // energy; nothing is kept if damping alone exceeds the limit. One division serves both ratios.
                const T length2 = norm2(s);
                const T length = sqrt(select(length2 > T(0.0), length2, T(1.0)));
                const T inverse = T(1.0) / larger(size * length, T(tiny));
                cut = limit * (length * inverse);
                scale = smaller(limit * (size * inverse) * T(p.slip_memory / p.kt), T(1.0));
                scale = select(limit * limit < out.resistance2, T(0.0), scale);
            } else {
                cut = limit / size;
                scale = T(0.0);
            }
            out.force = select(slips, out.force * cut, out.force);
            ahead = select(slips, multiply_add(velocity, half_step, s * scale), ahead);
            const T lost = dot(out.force, velocity) - (0.5 / dt) * p.kt * (norm2(ahead) - norm2(old.spring));
            out.damping = select(slips, T(0.0), out.damping);
            out.sliding = select(slips, lost, T(0.0));
            out.resistance2 = select(slips, norm2(out.force), out.resistance2);
        }
        out.history.spring = ahead;
        return out;
    }

    /// For a new normal: what lies in its tangent plane.
    template <class T>
    TALUS_HD static History<T> projected(const History<T>& old, const Vec3<T>& normal) {
        return {old.spring - normal * dot(old.spring, normal)};
    }

    /// J, held at the instant between two histories. What is lost in a step counts half before the instant and half
    /// after it; so does this.
    template <class T>
    TALUS_HOT static T stored(const Params& p, const History<T>& before, const History<T>& after) {
        return 0.25 * p.kt * (norm2(before.spring) + norm2(after.spring));
    }

    /// J, held by the spring of a contact that has just ended; it is lost.
    template <class T>
    TALUS_HD static T released(const Params& p, const History<T>& last) {
        return 0.5 * p.kt * norm2(last.spring);
    }
};

}  // namespace talus::laws
