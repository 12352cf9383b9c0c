// The impact rule for bodies of any shape, where the line of the impulse need not go through the centres: grains of
// many spheres. Between spheres it is the rule of impact.h, with the same parameters and the same record of the losses.
#pragma once

#include <cmath>

#include "talus/laws/impact.h"
#include "talus/math/mat3.h"

namespace talus::laws {

using math::Mat3d;
using math::Vec3d;

/// One of two bodies that meet in a point.
struct RigidBody {
    Vec3d velocity;           // m/s, of the centre of mass; of a wall: of its surface at the contact point
    Vec3d spin;               // rad/s
    double inverse_mass = 0;  // 1/kg; 0: a wall, or stuck
    Mat3d inverse_inertia;    // 1/(kg m2), in the world's frame; zero: does not turn
    Vec3d arm;                // m, from the centre to the contact point
};

inline Vec3d velocity_at_contact(const RigidBody& body) {
    return body.velocity + cross(body.spin, body.arm);
}

/// 1/kg: the change of a body's velocity at the contact point with an impulse there.
inline Vec3d mobility(const RigidBody& body, const Vec3d& impulse) {
    return impulse * body.inverse_mass + cross(body.inverse_inertia * cross(body.arm, impulse), body.arm);
}

/// Carries an impulse (N s) out on a body.
inline void apply(const Vec3d& impulse, RigidBody& body) {
    body.velocity += impulse * body.inverse_mass;
    body.spin += body.inverse_inertia * cross(body.arm, impulse);
}

/// The impact of two bodies that approach one another along `normal`, from i to j, and part along it with the speed
/// `rebound`. Within Coulomb's limit the slip becomes `tangential` times what it was, beyond it the impulse across is
/// friction times that along the normal, in the direction of the slip. Off centre such rules can make energy (Kane's
/// paradox): then only as much of the transverse impulse is given as leaves none over.
inline Impact<double> impact(const Vec3d& normal, const RigidBody& i, const RigidBody& j, const ImpactParams& params,
                             double rebound) {
    const Vec3d u = velocity_at_contact(j) - velocity_at_contact(i);
    const double opening = dot(u, normal);
    Impact<double> out{};
    if (!(opening < rebound)) {  // they part already
        return out;
    }
    const auto both = [&](const Vec3d& impulse) { return mobility(i, impulse) + mobility(j, impulse); };
    const Vec3d of_normal = both(normal);
    const double along = (opening - rebound) / dot(normal, of_normal);  // negative: it pushes i away
    out.impulse = normal * along;
    out.normal_loss = 0.5 * (opening * opening - rebound * rebound) / dot(normal, of_normal);
    const Vec3d slip = u - normal * opening;
    const double speed = norm(slip);
    if (params.is_smooth() || speed == 0) {
        out.couple = cross(normal, out.impulse);
        return out;
    }
    // What leaves the wanted slip: K P = u - u', K by its columns, which are its rows as well.
    const Vec3d kx = both({1, 0, 0});
    const Vec3d ky = both({0, 1, 0});
    const Vec3d kz = both({0, 0, 1});
    const Vec3d change = u - (normal * rebound + slip * params.tangential);
    const Vec3d yz = cross(ky, kz);
    const double volume = dot(kx, yz);
    Vec3d rough = Vec3d{dot(change, yz), dot(change, cross(kz, kx)), dot(change, cross(kx, ky))} / volume;
    const double pressing = -dot(rough, normal);
    const bool slides = !(pressing > 0) || norm(rough + normal * pressing) > params.friction * pressing;
    if (slides && !std::isfinite(params.friction)) {
        rough = out.impulse;  // no pressing impulse leaves the wanted slip
    } else if (slides) {
        const Vec3d ahead = slip / speed;
        constexpr double least = 0.1;  // below, the bodies wedge: the slip would push them together without bound
        const double straight = dot(normal, of_normal);
        const double oblique = std::fmax(straight - params.friction * dot(ahead, of_normal), least * straight);
        const double press = (rebound - opening) / oblique;
        rough = ahead * (params.friction * press) - normal * press;
    }
    // Lost: u.P - P.K P/2; a parabola in the part of the transverse impulse that is given.
    const Vec3d extra = rough - out.impulse;
    const double linear = dot(u - both(out.impulse), extra);
    const double bend = 0.5 * dot(extra, both(extra));
    double part = 1;
    if (out.normal_loss + linear - bend < 0) {
        part = bend > 0 ? (linear + std::sqrt(linear * linear + 4 * bend * out.normal_loss)) / (2 * bend) : 0;
        part = std::fmax(0, std::fmin(1, part));
    }
    out.impulse += extra * part;
    out.couple = cross(normal, out.impulse);
    (slides ? out.sliding_loss : out.tangential_loss) = part * (linear - part * bend);
    return out;
}

}  // namespace talus::laws
