// A tangential spring that softens towards Coulomb's limit, with damping (SOLVER Eq. 5 with erratum 3):
// F = mu N (1 - (1 - |s|/reach)^gamma), reach proportional to the overlap.
#pragma once

#include "talus/laws/tangential_spring.h"
#include "talus/math/portable_power.h"

namespace talus::laws {

using math::cube_root;
using math::power;

struct TangentialSaturating {
    struct Params {
        double friction;  // mu_s
        double kt;        // s, damping over the tangent stiffness
        double gamma;
        double slack;  // reach over overlap: delta_max = mu_s (2 - nu) / (2 (1 - nu)) x
        double mobility;
    };
    /// The displacement half a step ahead of the instant, as in TangentialSpring, with the limit and the reach of the
    /// curve on which it lay: as they change, the spring keeps its displacement or its force, whichever holds less
    /// energy. The paper's rule, to keep the displacement always, would give energy to a contact that is pressed
    /// harder.
    template <class T>
    struct History {
        Vec3<T> spring;  // m
        T limit;         // N
        T reach;         // m
    };
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory& history, const Visit& visit) {
        TangentialSpring::for_numbers(history, visit);
        visit(history.limit);
        visit(history.reach);
    }
    template <class T>
    struct Force {
        Vec3<T> force;
        History<T> history;
        T damping, sliding, resistance2;
        MaskFor<T> slips;
    };

    template <class T>
    TALUS_HOT static Force<T> respond(const Kinematics<T>& contact, const Params& p, const History<T>& old,
                                      const T& press, const T& /*root*/, double dt) {
        using std::sqrt;
        const T limit = p.friction * larger(press, T(0.0));
        const T reach = p.slack * contact.overlap;
        const auto reaches = reach > T(0.0);
        const T inverse_reach = T(1.0) / select(reaches, reach, T(1.0));
        const Vec3<T> half_step = contact.slip * T(0.5 * dt);
        const Vec3<T> kept =
            TangentialSpring::turned(old.spring, contact, dt) * kept_part(p, old, limit, reach, inverse_reach);
        const Vec3<T> s = within(kept + half_step, reach);
        const T length = sqrt(norm2(s));
        const T x = select(reaches, smaller(length * inverse_reach, T(1.0)), T(0.0));
        const T tangent = select(reaches, p.gamma * limit * inverse_reach, T(0.0));  // N/m, at s = 0
        // Velocities are predicted: see TangentialSpring for the second term.
        const T ct = p.kt * tangent * softness(p, larger(T(1.0) - x, T(nearest))) +
                     0.25 * p.mobility * tangent * tangent * T(dt * dt * dt) * contact.inverse_mass;
        const Vec3<T> dashpot = contact.slip * ct;
        Force<T> out;
        const auto stretched = length > T(0.0);
        out.force = s * select(stretched, limit * grown(p, x) / select(stretched, length, T(1.0)), T(0.0)) + dashpot;
        const T size = sqrt(norm2(out.force));
        out.slips = size > limit;
        if (any(out.slips)) {
            out.force = select(out.slips, out.force * (limit / select(out.slips, size, T(1.0))), out.force);
        }
        out.history = {within(s + half_step, reach), limit, reach};
        T lost(0.0);
        if (dt > 0) {
            lost = dot(out.force, contact.slip) - (energy(p, out.history) - energy(p, old)) * T(1 / dt);
        }
        out.damping = select(out.slips, T(0.0), lost);
        out.sliding = select(out.slips, lost, T(0.0));
        out.resistance2 = select(out.slips, norm2(out.force), norm2(dashpot));
        return out;
    }

    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>& normal) {
        return {old.spring - normal * dot(old.spring, normal), old.limit, old.reach};
    }
    template <class T>
    TALUS_HD static T stored(const Params& p, const History<T>& before, const History<T>& after) {
        return 0.5 * (energy(p, before) + energy(p, after));
    }
    TALUS_HD static double released(const Params& p, const History<double>& last) { return energy(p, last); }

private:
    static constexpr double mindlin = 1.5;   // his exponent, whose powers are cheap
    static constexpr double nearest = 1e-6;  // to the end of the reach, for gamma < 1

    /// Force over limit, and its inverse.
    template <class T>
    TALUS_HOT static T grown(const Params& p, const T& x) {
        return T(1.0) - power(T(1.0) - x, p.gamma);
    }
    template <class T>
    TALUS_HOT static T reached(const Params& p, const T& part) {
        const T left = T(1.0) - part;
        if (p.gamma == mindlin) {
            const T root = cube_root(left);
            return T(1.0) - root * root;
        }
        return T(1.0) - power(left, 1 / p.gamma);
    }

    /// Of the tangent stiffness, what is left so near to the end of the reach.
    template <class T>
    TALUS_HOT static T softness(const Params& p, const T& left) {
        return power(left, p.gamma - 1);
    }

    /// J, the work along the curve.
    template <class T>
    TALUS_HOT static T energy(const Params& p, const History<T>& at) {
        using std::sqrt;
        const auto reaches = at.reach > T(0.0);
        const T x = smaller(sqrt(norm2(at.spring)) / select(reaches, at.reach, T(1.0)), T(1.0));
        const T work = at.limit * at.reach * (x - (T(1.0) - power(T(1.0) - x, p.gamma + 1)) * (1 / (p.gamma + 1)));
        return select(reaches, work, T(0.0));
    }

    /// What is left of the displacement on a new curve.
    template <class T>
    TALUS_HOT static T kept_part(const Params& p, const History<T>& old, const T& limit, const T& reach,
                                 const T& inverse_reach) {
        using std::sqrt;
        const T length = sqrt(norm2(old.spring));
        const auto holds = length > T(0.0) && old.reach > T(0.0) && reach > T(0.0);
        const T before = old.limit * grown(p, smaller(length / select(holds, old.reach, T(1.0)), T(1.0)));
        const T now = limit * grown(p, smaller(length * inverse_reach, T(1.0)));
        const auto stiffer = holds && now > before;
        T part(1.0);
        if (any(stiffer)) {
            const T back = reach * reached(p, before / select(stiffer, limit, T(1.0)));
            part = select(stiffer, smaller(back / select(stiffer, length, T(1.0)), T(1.0)), part);
        }
        return select(holds, part, T(0.0));
    }

    template <class T>
    TALUS_HOT static Vec3<T> within(const Vec3<T>& s, const T& reach) {
        using std::sqrt;
        const T length2 = norm2(s);
        const auto beyond = length2 > reach * reach;
        return any(beyond) ? select(beyond, s * (reach / sqrt(select(beyond, length2, T(1.0)))), s) : s;
    }
};

}  // namespace talus::laws
