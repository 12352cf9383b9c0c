// What an impact of rigid grains does: the rule for bodies of any shape (laws/rigid_impact.h) with the remedy for slow
// impacts, where two of their spheres touch or one touches a wall.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/books.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/math/free_rotation.h"

namespace talus::engines::hard {

/// A body as an impact sees it; what lies at rest is as good as a wall.
laws::RigidBody GrainEngine::at_contact(std::uint32_t i, const Vec3d& arm) const {
    const bool asleep = is_asleep(i);
    const Nature& nature = nature_[i];
    const Mat3d inverse_inertia =
        asleep || !nature.turns() ? Mat3d{} : math::in_world(turning_[i].axes, nature.inverse_moment);
    return {record_[i].velocity, turning_[i].spin, asleep ? 0.0 : nature.inverse_mass, inverse_inertia, arm};
}

/// `normal` points from a to b.
laws::Impact<double> GrainEngine::impact(const Vec3d& normal, const laws::RigidBody& a, const laws::RigidBody& b,
                                         const laws::ImpactParams& rule) {
    const Vec3d va = velocity_at_contact(a);
    const Vec3d vb = velocity_at_contact(b);
    const double approach = std::max(dot(va - vb, normal), 0.0);
    const double rebound =
        std::max(laws::rebound_speed(rule.restitution, approach, options_.slow), least_parting * (norm(va) + norm(vb)));
    const laws::Impact<double> result = laws::impact(normal, a, b, rule, rebound);
    book(system_.ledger, result);
    return result;
}

void GrainEngine::strike(std::uint32_t i, const Vec3d& arm, const Vec3d& impulse) {
    if (options_.stress) {
        math::add_scaled(system_.impulses.virial[i], symmetric_product(impulse, arm), -1);
    }
    if (is_asleep(i)) {
        return;
    }
    const Nature& nature = nature_[i];
    Turning& turning = turning_[i];
    record_[i].velocity += impulse * nature.inverse_mass;
    if (nature.turns()) {
        turning.momentum += math::cross(arm, impulse);
        turning.spin = nature.sphere ? turning.momentum * nature.inverse_moment.x
                                     : math::spin_of(turning.momentum, turning.turn, nature.inverse_moment);
    }
}

void GrainEngine::collide(std::uint32_t a, std::uint32_t b, std::uint32_t part_a, std::uint32_t part_b) {
    for (const std::uint32_t i : {a, b}) {
        if (!is_asleep(i)) {
            fly(i);
        }
    }
    const Part& pa = parts_[part_a];
    const Part& pb = parts_[part_b];
    const Vec3d between = record_[b].position - record_[a].position -
                          period_between(grid_, record_[a].cell, record_[b].cell);  // of the centres
    const Vec3d to_a = turning_[a].axes * pa.arm;
    const Vec3d to_b = turning_[b].axes * pb.arm;
    const Vec3d d = between + to_b - to_a;
    const double distance = norm(d);
    const Vec3d normal = d / distance;
    note_overlap(a, pa.radius + pb.radius - distance, std::min(pa.radius, pb.radius));
    // Arms to one and the same point conserve angular momentum.
    const Vec3d arm_a = to_a + normal * (distance * pa.radius / (pa.radius + pb.radius));
    const Vec3d arm_b = arm_a - between;
    const laws::ImpactParams& rule = params_between(a, system_.bodies.material[b]);
    const double approach =
        dot(velocity_at_contact(at_contact(a, arm_a)) - velocity_at_contact(at_contact(b, arm_b)), normal);
    for (const std::uint32_t i : {a, b}) {
        if (is_asleep(i) && approach > options_.slow.elastic_below) {
            wake(i);
        }
    }
    const bool a_fixed = is_fixed(a);
    const bool b_fixed = is_fixed(b);
    ++(a_fixed || b_fixed ? measures_.held_collisions : measures_.collisions);
    if (watched_ != nullptr) {
        watched_->push_back({time(), system_.bodies.id[a], system_.bodies.id[b]});
    }
    const laws::RigidBody body_a = at_contact(a, arm_a);
    const laws::RigidBody body_b = at_contact(b, arm_b);
    const laws::Impact<double> result = impact(normal, body_a, body_b, rule);
    for (const bool first : {true, false}) {
        const std::uint32_t i = first ? a : b;
        if (nature_[i].inverse_mass == 0) {  // whatever holds the one takes what the other loses
            const laws::RigidBody& holder = first ? body_a : body_b;
            const Vec3d on_free = first ? -result.impulse : result.impulse;
            const Vec3d kept = nature_[i].turns() ? holder.velocity : velocity_at_contact(holder);
            system_.ledger.held_work += dot(on_free, kept);
        }
    }
    strike(a, arm_a, result.impulse);
    strike(b, arm_b, -result.impulse);
    measures_.virial -= a_fixed || b_fixed ? 0.0 : dot(result.impulse, between);
    for (const std::uint32_t i : {a, b}) {
        if (!is_asleep(i)) {
            begin_flight(i);
        }
    }
    predict_anew(a);
    predict_anew(b);
    note_motion(a, b_fixed);
    note_motion(b, a_fixed);
}

void GrainEngine::hit_wall(std::uint32_t i) {
    const WallTouch touch = touch_[i];
    const WallView& view = walls_[touch.wall];
    model::Wall& wall = system_.walls[view.index];
    const Part& part = parts_[touch.part];
    ++measures_.wall_collisions;
    fly(i);
    if (watched_ != nullptr) {
        watched_->push_back({time(), system_.bodies.id[i], -1 - static_cast<std::int64_t>(view.index)});
    }
    if (wall.behaviour == model::WallBehaviour::absorbing) {
        ++wall.record.absorbed;
        wall.record.absorbed_mass += system_.bodies.mass[i];
        take_away(i);
        return;
    }
    wall.pose = model::pose_at(wall.base, wall.motion, time());
    const Vec3d to_part = turning_[i].axes * part.arm;
    const Vec3d velocity = record_[i].velocity + math::cross(turning_[i].spin, to_part);
    const WallContact contact = contact_with(wall, view, record_[i].position + to_part, velocity, part.radius);
    note_overlap(i, part.radius - contact.distance, part.radius);
    const Vec3d arm = to_part + contact.normal * contact.distance;
    const Vec3d surface = wall.pose.velocity_at(contact.point);
    const laws::Impact<double> result =
        impact(contact.normal, at_contact(i, arm), {surface, {}, 0, {}, {}}, params_between(i, wall.material));
    strike(i, arm, result.impulse);
    measures_.wall_impulse[view.index] -= dot(result.impulse, contact.normal);
    receive(wall, result.impulse, contact.point, surface);
    begin_flight(i);
    predict_anew(i);
    note_motion(i, true);
}

}  // namespace talus::engines::hard
