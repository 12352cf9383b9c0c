// Makes the elastic force of a wall do exactly the work of its energy over a drift in which a contact begins, ends or
// goes over to the other side. The leapfrog credits the mean of the forces at both ends, which is right while the force
// is linear in between. Where a spring k sets in at a speed u it errs by up to k (u h)^2 / 8, that is (w h)^2 / 4 of
// the energy of approach: 1e-3 at fifty steps a collision, won or lost as the first touch falls between two steps.
#pragma once

#include "talus/geometry/shape.h"
#include "talus/laws/contact.h"

namespace talus::backends::cpu {

using math::Vec3d;

/// The springs of a wall at one end of a drift.
struct ElasticEnd {
    double energy = 0;  // J
    Vec3d force;        // N, on the body
};

/// Adds the contact at `near`, if it touches. `contact` gives the law all but overlap, normal and motion.
template <class Law>
inline void add_elastic(ElasticEnd& end, laws::Kinematics<double> contact, const typename Law::Params& params,
                        const geometry::Nearest& near, double dt) {
    contact.overlap = contact.radius_i - near.distance;
    if (!near.acts || contact.overlap <= 0) {
        return;
    }
    contact.normal = near.direction;
    contact.opening = 0;  // at rest and without a history only the normal spring answers
    contact.slip = {};
    contact.spin = {};
    contact.spin_sum = 0;
    contact.turn = {};
    const auto answer = Law::respond(contact, params, typename Law::template History<double>{}, dt);
    end.energy += answer.stored_normal;
    end.force += answer.force;
}

/// The force that, added at one end of a drift, makes up for what the mean of the forces does too much or too little.
/// It points along `along`, a part of the drift.
inline Vec3d missing_force(const ElasticEnd& from, const ElasticEnd& to, const Vec3d& drift, const Vec3d& along) {
    const double excess = to.energy - from.energy + 0.5 * dot(from.force + to.force, drift);
    const double square = dot(along, drift);
    return square > 0 ? along * (-excess / square) : Vec3d{};
}

}  // namespace talus::backends::cpu
