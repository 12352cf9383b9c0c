// Tangential spring after Mindlin: k_t = 8 G* a grows with the contact circle, with dashpot and Coulomb limit.
#pragma once

#include "talus/laws/tangential_spring.h"

namespace talus::laws {

struct TangentialMindlin {
    struct Params {
        double ratio;        // k_t over the normal 2 E* a: 4 G*/E* = 2 (1 - nu) / (2 - nu)
        double damping;      // C_t = damping sqrt(k_t mass)
        double friction;     // mu_s
        double slip_memory;  // as in TangentialSpring
        double mobility;
    };
    /// As in TangentialSpring, with the stiffness that the displacement was for. While the contact circle grows the
    /// spring keeps its force, while it shrinks its displacement (Thornton and Randall 1988): both lose energy, where
    /// a spring that kept its displacement would gain some for nothing.
    template <class T>
    struct History {
        Vec3<T> spring;  // m
        T stiffness;     // N/m
    };
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory& history, const Visit& visit) {
        TangentialSpring::for_numbers(history, visit);
        visit(history.stiffness);
    }
    struct Force {
        Vec3<double> force;
        History<double> history;
        double damping, sliding, resistance2;
        bool slips;
    };

    /// `root` is sqrt(2 E* a mass).
    TALUS_HD static Force respond(const Kinematics<double>& contact, const Params& p, const History<double>& old,
                                  double press, double root, double dt) {
        const double kt = p.ratio * root * root * contact.inverse_mass;
        const double kept = old.stiffness < kt ? old.stiffness / kt : 1.0;
        const TangentialSpring::History<double> before{old.spring * kept};
        const auto r = TangentialSpring::respond(
            contact, TangentialSpring::Params{kt, 0, p.damping, p.friction, p.slip_memory, p.mobility}, before, press,
            std::sqrt(kt * contact.mass), dt);
        const double shrunk = 0.5 * (old.stiffness * norm2(old.spring) - kt * norm2(before.spring));
        return {r.force,   {r.history.spring, kt}, r.damping + (dt > 0 ? shrunk / dt : 0.0),
                r.sliding, r.resistance2,          r.slips};
    }

    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>& normal) {
        return {old.spring - normal * dot(old.spring, normal), old.stiffness};
    }
    TALUS_HD static double stored(const Params& p, const History<double>& before, const History<double>& after) {
        return 0.5 * (released(p, before) + released(p, after));
    }
    TALUS_HD static double released(const Params&, const History<double>& last) {
        return 0.5 * last.stiffness * norm2(last.spring);
    }
};

}  // namespace talus::laws
