// Which spheres of grains will overlap within the step, and what their impacts do.
#include "talus/engines/stepped/grain_engine.h"
#include "talus/engines/stepped/pending.h"

namespace talus::engines::stepped {

void GrainEngine::find_impacts(std::size_t rank) {
    const double h = system_.clock.step;
    const Range range = share(rank);
    const std::uint32_t first = row_[range.begin];
    const std::uint32_t last = row_[range.end];
    turns_.make_room(rank, last - first);
    for (std::uint32_t k = first; k < last; ++k) {
        const Part& a = parts_[near_[k].a];
        const Part& b = parts_[near_[k].b];
        if (is_pending(between(a, b), velocity(b) - velocity(a), a.radius + b.radius, h)) {
            turns_.add(rank, key_of(pair_word(near_[k])), a.body, b.body, k);
        }
    }
    const std::uint32_t first_wall = wall_pairs_.row[first_[range.begin]];
    const std::uint32_t last_wall = wall_pairs_.row[first_[range.end]];
    turns_.make_room(rank, last_wall - first_wall);
    for (std::uint32_t q = first_wall; q < last_wall; ++q) {
        const Part& part = parts_[wall_pairs_.body[q]];
        const model::Wall& wall = system_.walls[wall_pairs_.wall[q]];
        if (wall.behaviour != model::WallBehaviour::normal || body_[part.body].inverse_mass == 0) {
            continue;
        }
        const WallContact contact = meet_wall(q);
        const double closing = dot(velocity(part) - wall.pose.velocity_at(contact.point), contact.normal);
        if (contact.acts && closing > 0 && contact.distance - closing * h < part.radius) {
            turns_.add(rank, key_of(wall_word(q)), part.body, Event::nobody, q);
        }
    }
}

void GrainEngine::collide(const Event& event, OfThread& mine) {
    if (event.b == Event::nobody) {
        collide_wall(event, mine);
    } else {
        collide_pair(event, mine);
    }
}

void GrainEngine::strike(std::uint32_t body, const Vec3d& arm, const Vec3d& impulse) {
    Body& b = body_[body];
    b.velocity += impulse * b.inverse_mass;
    if (nature_[body].turns()) {
        const Vec3d moment = cross(arm, impulse);
        b.turning += moment;
        b.spin += b.inverse_inertia * moment;
    }
    math::add_scaled(system_.impulses.virial[body], symmetric_product(impulse, arm), -1);
}

void GrainEngine::collide_pair(const Event& event, OfThread& mine) {
    const Part& pa = parts_[near_[event.what].a];
    const Part& pb = parts_[near_[event.what].b];
    const Vec3d d = between(pa, pb);
    // An impact that came first may have turned them aside.
    if (!is_pending(d, velocity(pb) - velocity(pa), pa.radius + pb.radius, system_.clock.step)) {
        return;
    }
    const double distance = norm(d);
    const Vec3d normal = distance > 0 ? d * (1 / distance) : Vec3d{1, 0, 0};
    // They collide before they touch: arms to one and the same point conserve angular momentum.
    const double reach = distance / (pa.radius + pb.radius);
    const Vec3d arm_a = pa.arm + normal * (pa.radius * reach);
    const Vec3d arm_b = pb.arm - normal * (pb.radius * reach);
    const laws::RigidBody a = at_contact(event.a, arm_a);
    const laws::RigidBody b = at_contact(event.b, arm_b);
    const laws::ImpactParams& rule = params(event.a, system_.bodies.material[event.b]);
    const double opening = dot(velocity_at_contact(b) - velocity_at_contact(a), normal);
    const laws::Impact<double> result = laws::impact(normal, a, b, rule, -rule.restitution * opening);
    for (const bool first : {true, false}) {
        const std::uint32_t held = first ? event.a : event.b;
        if (body_[held].inverse_mass == 0) {
            // Whatever holds the one takes what the other loses.
            const laws::RigidBody& holder = first ? a : b;
            const Vec3d on_free = first ? -result.impulse : result.impulse;
            const Vec3d kept = nature_[held].turns() ? holder.velocity : velocity_at_contact(holder);
            mine.receipts.push_back({-1, event.key, on_free, {}, dot(on_free, kept)});
        }
    }
    strike(event.a, arm_a, result.impulse);
    strike(event.b, arm_b, -result.impulse);
    mine.book(result, scales_);
    ++mine.collisions;
}

void GrainEngine::collide_wall(const Event& event, OfThread& mine) {
    const std::uint32_t q = event.what;
    const Part& part = parts_[wall_pairs_.body[q]];
    const WallContact& contact = wall_contact_[q];
    const model::Wall& wall = system_.walls[wall_pairs_.wall[q]];
    const Vec3d surface = wall.pose.velocity_at(contact.point);
    const double closing = dot(velocity(part) - surface, contact.normal);
    if (!(closing > 0 && contact.distance - closing * system_.clock.step < part.radius)) {
        return;
    }
    const Vec3d arm = part.arm + contact.normal * contact.distance;
    const laws::RigidBody a = at_contact(event.a, arm);
    const laws::RigidBody b{surface, {}, 0, {}, {}};
    const laws::ImpactParams& rule = params(event.a, wall.material);
    const double opening = dot(surface - velocity_at_contact(a), contact.normal);
    const laws::Impact<double> result = laws::impact(contact.normal, a, b, rule, -rule.restitution * opening);
    strike(event.a, arm, result.impulse);
    mine.book(result, scales_);
    const Vec3d moment = cross(contact.point - wall.pose.position, result.impulse);
    mine.receipts.push_back({static_cast<std::int32_t>(wall_pairs_.wall[q]), event.key, result.impulse, moment,
                             dot(result.impulse, surface)});
    ++mine.wall_collisions;
}

}  // namespace talus::engines::stepped
