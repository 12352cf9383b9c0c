// Elastic rolling resistance: a spring in the angle rolled, a dashpot, and a slider at mu_r R* N (type C of Ai, Chen,
// Rotter and Ooi 2011). Unlike a moment of fixed size it holds grains at rest without chatter.
#pragma once

#include "talus/laws/tangential_spring.h"

namespace talus::laws {

struct ElasticRolling {
    struct Params {
        double stiffness;  // N m per rad; 0: none of it
        double damping;    // of critical, for the reduced moment of inertia
        double friction;   // mu_r: the moment is at most mu_r R* N
    };
    /// The angle half a step ahead of the instant, as in TangentialSpring.
    template <class T>
    struct History {
        Vec3<T> angle;  // rad
    };
    template <class AnyHistory, class Visit>
    TALUS_HD static void for_numbers(AnyHistory& history, const Visit& visit) {
        visit(history.angle.x);
        visit(history.angle.y);
        visit(history.angle.z);
    }
    struct Answer {
        Vec3<double> moment;  // N m, on i
        History<double> history;
        double lost;  // W
    };

    TALUS_HD static Answer respond(const Kinematics<double>& contact, const Params& p, const History<double>& old,
                                   double press, double dt) {
        const Vec3<double> spin = contact.spin - contact.normal * dot(contact.spin, contact.normal);
        const Vec3<double> half_step = spin * (0.5 * dt);
        Vec3<double> angle = TangentialSpring::turned(old.angle, contact, dt) + half_step;
        // The second term makes up for predicted spins, as in TangentialSpring.
        const double damping = 2 * p.damping * std::sqrt(contact.inertia * p.stiffness) +
                               0.25 * p.stiffness * p.stiffness * dt * dt * dt / contact.inertia;
        Vec3<double> moment = -(angle * p.stiffness + spin * damping);
        const double limit = p.friction * larger(press, 0.0) / contact.curvature;
        const double size = std::sqrt(norm2(moment));
        if (size > limit) {
            moment = moment * (limit / size);
            const double length = p.stiffness * std::sqrt(norm2(angle));
            angle = angle * (length > limit ? limit / length : 1.0);
        }
        const History<double> next{angle + half_step};
        const double held = released(p, next) - released(p, old);
        return {moment, next, dt > 0 ? -dot(moment, spin) - held / dt : 0.0};
    }

    TALUS_HD static History<double> projected(const History<double>& old, const Vec3<double>& normal) {
        return {old.angle - normal * dot(old.angle, normal)};
    }
    /// J, held by the spring.
    TALUS_HD static double released(const Params& p, const History<double>& last) {
        return 0.5 * p.stiffness * norm2(last.angle);
    }
};

}  // namespace talus::laws
