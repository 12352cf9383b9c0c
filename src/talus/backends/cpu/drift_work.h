// Makes the elastic force of a wall do exactly the work of its energy over a drift in which a contact begins, ends or
// goes over to the other side. The leapfrog credits the mean of the forces at both ends, which is right while the force
// is linear in between. Where a spring k sets in at a speed u it errs by up to k (u h)^2 / 8, that is (w h)^2 / 4 of
// the energy of approach: 1e-3 at fifty steps a collision, won or lost as the first touch falls between two steps.
#pragma once

#include <cmath>

#include "talus/backends/cpu/phases.h"
#include "talus/backends/cpu/wall_sides.h"
#include "talus/geometry/surface.h"
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
    contact.half_turn = {};
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

/// Of a contact that crosses an axis.
struct Crossing {
    Vec3d missing;  // N, the force that is missing
    Vec3d change;   // N, by how much the elastic force has changed since the last step, the missing one included
};

/// A body that touches a wall, in the drifts before and after this instant.
template <class Law>
class DriftWork {
public:
    /// `at_mesh`: the contact, if the wall is a mesh.
    DriftWork(const model::System& system, const typename Law::Params& params, const Record& body,
              const Vec3d& half_step_velocity, const model::Wall& wall,
              const geometry::SurfaceContact* at_mesh = nullptr)
        : system_(system),
          params_(params),
          body_(body),
          half_step_velocity_(half_step_velocity),
          wall_(wall),
          at_mesh_(at_mesh) {}

    /// The force that is missing where a contact with a smooth wall has begun in the last drift or ends in the next.
    Vec3d missing(const geometry::Nearest& near, bool begins) const {
        const double h = system_.clock.step;
        const Vec3d& normal = near.direction;
        const Vec3d wall_velocity = wall_.pose.velocity_at(near.point);
        const bool may_end = 2 * h * dot(wall_velocity - body_.velocity, normal) > body_.radius - near.distance;
        if (!begins && !may_end) {
            return {};
        }
        // Such a wall leaves the motion along it alone.
        const auto along = [&normal](const Vec3d& drift) { return normal * dot(normal, drift); };
        const ElasticEnd here = elastic({.near = near});
        const Vec3d last = last_drift(near);
        Vec3d force;
        if (begins) {
            const WallSides before = both_at(-last, normal);
            force += missing_force(elastic(lasting(before, both_at({}, normal))), here, last, along(last));
        }
        if (may_end) {
            const Vec3d next = last + longer();  // if the acceleration stays as it was
            const WallSides now = both_at({}, normal);
            force += missing_force(elastic(ending(now, both_at(next, normal))), ElasticEnd{}, next, along(next));
        }
        // A grain that grazes a curved wall or began inside: there is no beginning to make up for.
        return norm2(force) > norm2(here.force) ? Vec3d{} : force;
    }

    /// The same across the axis of a round wall, where all that it can push counts and every drift is set right at its
    /// end. Only what ends a contact of its own is set right at the beginning of its drift, as above: where that was
    /// foreseen wrongly the contact ends near the end of the drift, and next to nothing is missing.
    Crossing across(WallSides here) const {
        const Vec3d normal = here.near.direction;
        if (!here.far.acts) {
            here.far = both_at({}, normal).far;  // it may not be listed, which must make no difference
        }
        const Vec3d axis = wall_.pose.rotation.column(2);
        const bool is_straight = wall_.shape.kind != geometry::ShapeKind::sphere && std::abs(dot(normal, axis)) < 1e-9;
        const auto along = [&](const Vec3d& drift) { return is_straight ? drift - axis * dot(axis, drift) : drift; };
        const double h = system_.clock.step;
        const Vec3d last = last_drift(here.near);
        const WallSides before = both_at(-last, normal);
        const ElasticEnd now = elastic(here);
        const Vec3d change = now.force - elastic(before).force;
        const Vec3d next = last + longer() + change * (h * h * body_.inverse_mass);
        const Vec3d force =
            missing_force(elastic(lasting(before, here)), now, last, along(last)) +
            missing_force(elastic(ending(here, both_at(next, normal))), ElasticEnd{}, next, along(next));
        return {force, change + force};
    }

private:
    /// m, relative to the wall.
    Vec3d last_drift(const geometry::Nearest& near) const {
        return (half_step_velocity_ - wall_.pose.velocity_at(near.point)) * system_.clock.step;
    }
    /// m, by which the last drift was longer than the one before.
    Vec3d longer() const { return (body_.velocity - half_step_velocity_) * (2 * system_.clock.step); }

    /// The wall as it is met a drift away from here; `last` is the normal here.
    WallSides both_at(const Vec3d& drift, const Vec3d& last) const {
        const Vec3d x = body_.position + drift;
        WallSides out;
        if (at_mesh_ != nullptr) {
            out.near = at_mesh_->after(drift);
            return out;
        }
        out.near = search::nearest_wall_point(wall_, system_.domain, x, last);
        if (geometry::has_opposite(wall_.shape)) {
            out.far = search::opposite_wall_point(wall_, system_.domain, x, last);
        }
        return out;
    }

    bool touches(const geometry::Nearest& near) const { return near.acts && near.distance < body_.radius; }

    /// Of the contacts at the beginning of a drift, those that are still there at its end. They are followed by their
    /// points: seen from outside, the normals of both sides are the same.
    WallSides lasting(WallSides from, const WallSides& to) const {
        const bool near_is_near =
            !from.far.acts || norm2(to.near.point - from.near.point) < norm2(to.near.point - from.far.point);
        const bool only_near = touches(to.near) && !touches(to.far);
        from.near.acts &= touches(to.far) || (only_near && near_is_near);
        from.far.acts &= touches(to.far) || (only_near && !near_is_near);
        return from;
    }
    /// And those that are not.
    WallSides ending(WallSides from, const WallSides& to) const {
        const WallSides last = lasting(from, to);
        from.near.acts &= !last.near.acts;
        from.far.acts &= !last.far.acts;
        return from;
    }

    ElasticEnd elastic(const WallSides& sides) const {
        const geometry::Nearest& near = sides.near;
        const auto contact = wall_kinematics(body_, wall_, near.point, near.direction, near.distance, near.direction);
        ElasticEnd out;
        add_elastic<Law>(out, contact, params_, near, system_.clock.step);
        add_elastic<Law>(out, contact, params_, sides.far, system_.clock.step);
        return out;
    }

    const model::System& system_;
    const typename Law::Params& params_;
    const Record& body_;
    const Vec3d& half_step_velocity_;
    const model::Wall& wall_;
    const geometry::SurfaceContact* at_mesh_;
};

}  // namespace talus::backends::cpu
