// A law with two more parts: elastic rolling resistance and cohesion. Friction lives on the core's own repulsion, which
// bears what cohesion adds to the load.
#pragma once

#include "talus/laws/cohesion.h"
#include "talus/laws/elastic_rolling.h"

namespace talus::laws {

template <class Core>
struct ExtendedLaw {
    struct Params {
        typename Core::Params core;
        ElasticRolling::Params rolling;
        Cohesion::Params cohesion;
    };
    template <class T>
    struct History : Core::template History<T> {
        ElasticRolling::History<T> rolling;
    };
    using Answer = Response<double, History<double>>;
    static constexpr int history_size = static_cast<int>(sizeof(History<double>) / sizeof(double));
    /// Calls visit(number) for each number of a history; the age is the last.
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory& history, const Visit& visit) {
        ElasticRolling::for_numbers(history.rolling, visit);
        Core::for_numbers(history, visit);
    }
    static constexpr bool needs_curvature = true;
    static constexpr bool packs = false;

    TALUS_HD static bool has_moment(const Params& p) { return p.rolling.stiffness > 0 || Core::has_moment(p.core); }

    TALUS_HD static bool acts(const Kinematics<double>& contact, const Params& p, const History<double>& history) {
        return Core::acts(contact, p.core, history) || (history.age > 0 && -contact.overlap < p.cohesion.rupture);
    }
    TALUS_HD static double range(const Params& p, double radius_i, double radius_j) {
        return larger(Core::range(p.core, radius_i, radius_j), p.cohesion.rupture);
    }
    TALUS_HD static double press(const Kinematics<double>& contact, const Params& p) {
        return Core::press(contact, p.core);
    }

    TALUS_HD static Answer respond(const Kinematics<double>& contact, const Params& p, const History<double>& old,
                                   double dt, double step) {
        const bool touching = Core::acts(contact, p.core, old);
        Answer out = touching ? of_core(Core::respond(contact, p.core, old, dt, step)) : apart(p, old, dt);
        if (touching && p.rolling.stiffness > 0) {
            const auto roll =
                ElasticRolling::respond(contact, p.rolling, old.rolling, Core::press(contact, p.core), dt);
            out.moment += roll.moment;
            out.rolling += roll.lost;
            out.stored_tangential += 0.5 * (ElasticRolling::released(p.rolling, old.rolling) +
                                            ElasticRolling::released(p.rolling, roll.history));
            out.history.rolling = roll.history;
        }
        const double pull = Cohesion::pull(contact, p.cohesion);
        out.force += contact.normal * pull;
        out.stored_normal += Cohesion::stored(contact, p.cohesion);
        if (out.begins && dt > 0) {
            out.normal_damping += Cohesion::formed(contact, p.cohesion) / dt;
            if (contact.overlap < -2 * dt * contact.opening) {  // of the first step, as in GranularLaw
                out.time_step += pull * (0.5 * contact.opening + contact.overlap / dt);
            }
        }
        if (!(dt > 0)) {
            out.history = old;
        }
        return out;
    }

    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>& normal) {
        return {Core::projected(old, normal), ElasticRolling::projected(old.rolling, normal)};
    }
    TALUS_HD static double released(const Params& p, const History<double>& last) {
        return Core::released(p.core, last) + ElasticRolling::released(p.rolling, last.rolling);
    }

private:
    TALUS_HD static Answer of_core(const Response<double, typename Core::template History<double>>& r) {
        return {r.force,         r.couple,         r.moment,
                {r.history, {}}, r.stored_normal,  r.stored_tangential,
                r.ahead,         r.normal_damping, r.tangential_damping,
                r.sliding,       r.rolling,        r.twisting,
                r.time_step,     r.slips,          r.begins};
    }
    /// Surfaces that a bridge holds at a distance do not rub: their springs are let go.
    TALUS_HD static Answer apart(const Params& p, const History<double>& old, double dt) {
        Answer out{};
        out.history.age = old.age + dt;
        out.sliding = dt > 0 ? released(p, old) / dt : 0.0;
        out.slips = out.sliding > 0;
        return out;
    }
};

}  // namespace talus::laws
