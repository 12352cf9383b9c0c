// A tangential spring that softens towards Coulomb's limit, with damping (SOLVER Eq. 5 with erratum 3):
// F = mu N (1 - (1 - |s|/reach)^gamma), reach proportional to the overlap.
#pragma once

#include "talus/laws/tangential_spring.h"
#include "talus/math/portable_power.h"

namespace talus::laws {

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
    struct Force {
        Vec3<double> force;
        History<double> history;
        double damping, sliding, resistance2;
        bool slips;
    };

    TALUS_HD static Force respond(const Kinematics<double>& contact, const Params& p, const History<double>& old,
                                  double press, double /*root*/, double dt) {
        const double limit = p.friction * larger(press, 0.0);
        const double reach = p.slack * contact.overlap;
        const Vec3<double> half_step = contact.slip * (0.5 * dt);
        const Vec3<double> kept = TangentialSpring::turned(old.spring, contact, dt) * kept_part(p, old, limit, reach);
        const Vec3<double> s = within(kept + half_step, reach);
        const double length = std::sqrt(norm2(s));
        const double x = reach > 0 ? smaller(length / reach, 1.0) : 0.0;
        const double tangent = reach > 0 ? p.gamma * limit / reach : 0.0;  // N/m, at s = 0
        // Velocities are predicted: see TangentialSpring for the second term.
        const double ct = p.kt * tangent * softness(p, larger(1 - x, double{nearest})) +
                          0.25 * p.mobility * tangent * tangent * dt * dt * dt * contact.inverse_mass;
        const Vec3<double> dashpot = contact.slip * ct;
        Force out;
        out.force = s * (length > 0 ? limit * grown(p, x) / length : 0.0) + dashpot;
        const double size = std::sqrt(norm2(out.force));
        out.slips = size > limit;
        if (out.slips) {
            out.force = out.force * (limit / size);
        }
        out.history = {within(s + half_step, reach), limit, reach};
        double lost = 0;
        if (dt > 0) {
            lost = dot(out.force, contact.slip) - (energy(p, out.history) - energy(p, old)) / dt;
        }
        out.damping = out.slips ? 0.0 : lost;
        out.sliding = out.slips ? lost : 0.0;
        out.resistance2 = out.slips ? norm2(out.force) : norm2(dashpot);
        return out;
    }

    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>& normal) {
        return {old.spring - normal * dot(old.spring, normal), old.limit, old.reach};
    }
    TALUS_HD static double stored(const Params& p, const History<double>& before, const History<double>& after) {
        return 0.5 * (energy(p, before) + energy(p, after));
    }
    TALUS_HD static double released(const Params& p, const History<double>& last) { return energy(p, last); }

private:
    static constexpr double mindlin = 1.5;   // his exponent, whose powers are cheap
    static constexpr double nearest = 1e-6;  // to the end of the reach, for gamma < 1

    /// Force over limit, and its inverse.
    TALUS_HD static double grown(const Params& p, double x) {
        return 1 - (p.gamma == mindlin ? (1 - x) * std::sqrt(1 - x) : math::power(1 - x, p.gamma));
    }
    TALUS_HD static double reached(const Params& p, double part) { return 1 - math::power(1 - part, 1 / p.gamma); }

    /// Of the tangent stiffness, what is left so near to the end of the reach.
    TALUS_HD static double softness(const Params& p, double left) {
        return p.gamma == mindlin ? std::sqrt(left) : math::power(left, p.gamma - 1);
    }

    /// J, the work along the curve.
    TALUS_HD static double energy(const Params& p, const History<double>& at) {
        if (!(at.reach > 0)) {
            return 0;
        }
        const double x = smaller(std::sqrt(norm2(at.spring)) / at.reach, 1.0);
        return at.limit * at.reach * (x - (1 - math::power(1 - x, p.gamma + 1)) / (p.gamma + 1));
    }

    /// What is left of the displacement on a new curve.
    TALUS_HD static double kept_part(const Params& p, const History<double>& old, double limit, double reach) {
        const double length = std::sqrt(norm2(old.spring));
        if (!(length > 0 && old.reach > 0 && reach > 0)) {
            return 0;
        }
        const double force = old.limit * grown(p, smaller(length / old.reach, 1.0));
        const double now = limit * grown(p, smaller(length / reach, 1.0));
        return now > force ? smaller(reach * reached(p, force / limit) / length, 1.0) : 1.0;
    }

    TALUS_HD static Vec3<double> within(const Vec3<double>& s, double reach) {
        const double length2 = norm2(s);
        return length2 > reach * reach ? s * (reach / std::sqrt(length2)) : s;
    }
};

}  // namespace talus::laws
