// Adhesive spheres with Mindlin's tangential spring: the core of `law = "jkr"`. A contact begins at touch and ends
// where it is drawn apart to the pull-off.
#pragma once

#include "talus/laws/granular_law.h"
#include "talus/laws/normal_jkr.h"
#include "talus/laws/tangential_mindlin.h"

namespace talus::laws {

struct AdhesiveMindlin : GranularLaw<NormalJkr, TangentialMindlin, RollingFriction, TwistingFriction> {
    using Contact = GranularLaw<NormalJkr, TangentialMindlin, RollingFriction, TwistingFriction>;

    TALUS_HD static bool acts(const Kinematics<double>& contact, const Params& p, const History<double>& history) {
        return contact.overlap > 0 ||
               (history.age > 0 && -contact.overlap < NormalJkr::longest_gap(1 / contact.curvature, p.normal));
    }
    /// The gap grows with the cube root of R*: twice that of a flat wall holds for cavities down to 8/7 of the radius.
    TALUS_HD static double range(const Params& p, double radius_i, double radius_j) {
        return radius_j > 0 ? NormalJkr::longest_gap(radius_i * radius_j / (radius_i + radius_j), p.normal)
                            : 2 * NormalJkr::longest_gap(radius_i, p.normal);
    }

    TALUS_HD static Response<double, History<double>> respond(const Kinematics<double>& contact, const Params& p,
                                                              const History<double>& old, double dt, double step) {
        auto out = Contact::respond(contact, p, old, dt, step);
        if (out.begins && dt > 0) {
            // What the surfaces lose as they snap together; spheres that came in this step have it among its errors.
            const double lost = NormalJkr::snap(1 / contact.curvature, p.normal) / dt;
            out.normal_damping += lost;
            out.time_step -= contact.overlap < -2 * dt * contact.opening ? lost : 0.0;
        }
        return out;
    }
};

}  // namespace talus::laws
