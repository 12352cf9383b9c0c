// Impacts on what does not give way: walls, and grains that are held or stuck. Sticky walls hold what touches them,
// absorbing ones take it away.
#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/books.h"

namespace talus::engines::hard {

void BallisticEngine::hit_wall(std::uint32_t i, std::uint32_t w) {
    model::Wall& wall = system_.walls[w];
    ++measures_.wall_collisions;
    ++flights().collisions;
    Record& record = record_[i];
    fly(record);
    ++record.count;
    if (watched_ != nullptr) {
        watched_->push_back({time(), system_.bodies.id[body_at_[i]], -1 - static_cast<std::int64_t>(w)});
    }
    if (wall.behaviour == model::WallBehaviour::absorbing) {
        absorb(i, wall);
        return;
    }
    wall.pose = model::pose_at(wall.base, wall.motion, time());
    const WallView& view = *std::find_if(walls_.begin(), walls_.end(), [&](const WallView& v) { return v.index == w; });
    const WallContact contact = contact_with(wall, view, record.position, record.velocity, body_[i].radius);
    note_overlap(i, body_[i].radius - contact.distance, body_[i].radius);
    if (wall.behaviour == model::WallBehaviour::sticky) {
        stick(i, w, contact.image);
        return;
    }
    const Vec3d surface = wall.pose.velocity_at(contact.point);
    const Vec3d impulse = impact_on_fixed(i, contact.normal, surface, params_between(i, wall.material));
    measures_.wall_impulse[w] -= dot(impulse, contact.normal);
    add_virial(i, impulse, contact.normal);
    receive(wall, impulse, contact.point, surface);
    predict_anew(i);
    note_motion(i, true);
}

void BallisticEngine::hit_held(std::uint32_t i, std::uint32_t j) {
    Record& record = record_[i];
    if (is_asleep(j)) {
        Record there = record;
        fly(there);
        const Vec3d away = held_at(record_[j]).base.position - there.position;
        const Vec3d d = away - period_along(away);
        if (dot(there.velocity, d) > options_.slow.elastic_below * norm(d)) {
            wake(j);
            collide(i, j);
            return;
        }
    }
    ++measures_.held_collisions;
    ++flights().collisions;
    fly(record);
    ++record.count;
    const Held& held = held_at(record_[j]);
    const model::Target target = target_of(held);
    const model::Pose pose = model::pose_at(target.base, target.motion, time());
    const Vec3d centre = pose.to_world(target.offset);
    const Vec3d d = centre - record.position - nearest_period(record, centre);
    const double distance = norm(d);
    const Vec3d normal = d / distance;
    note_overlap(i, body_[i].radius + body_[j].radius - distance, std::min(body_[i].radius, body_[j].radius));
    const Vec3d point = centre - normal * body_[j].radius;
    // A grain that is held by itself may turn with a spin of its own.
    const Vec3d surface =
        held.wall >= 0 ? pose.velocity_at(point) : pose.velocity + math::cross(spin_[j], point - centre);
    const Vec3d impulse = impact_on_fixed(i, normal, surface, params_between(i, body_[j].material));
    add_virial(i, impulse, normal);
    add_virial(j, -impulse, -normal);
    if (held.wall >= 0) {
        model::Wall& wall = system_.walls[static_cast<std::size_t>(held.wall)];
        wall.pose = pose;
        receive(wall, impulse, point, surface);
    } else if (!is_asleep(j)) {
        flights().held_work += dot(impulse, surface);
    }
    note_pair(i, j);
    predict_anew(i);
    note_motion(i, true);
}

/// The impulse that sphere i receives from a surface of infinite mass; `normal` points from the sphere to it (HSDEM
/// Eqs. 6-8, a wall's motion taken off).
Vec3d BallisticEngine::impact_on_fixed(std::uint32_t i, const Vec3d& normal, const Vec3d& surface,
                                       const laws::ImpactParams& params) {
    Record& record = record_[i];
    laws::ImpactBody<double> a{record.velocity, spin_[i], body_[i].inverse_mass, body_[i].inverse_inertia,
                               body_[i].radius};
    const laws::ImpactBody<double> b{surface, {}, 0, 0, 0};
    const double approach = dot(a.velocity - surface, normal);
    const double least = least_parting * (norm(a.velocity) + norm(surface));
    const double rebound =
        std::max(laws::rebound_speed(params.restitution, std::max(approach, 0.0), options_.slow), least);
    const laws::Impact<double> result = laws::impact(normal, a, b, params, rebound);
    laws::apply(result, 1.0, a);
    record.velocity = a.velocity;
    if (!params.is_smooth()) {
        spin_[i] = a.spin;
    }
    book(system_.ledger, result);
    return result.impulse;
}

void BallisticEngine::absorb(std::uint32_t i, model::Wall& wall) {
    const std::size_t b = body_at_[i];
    ++wall.record.absorbed;
    wall.record.absorbed_mass += system_.bodies.mass[b];
    take_away(i);
}

void BallisticEngine::stick(std::uint32_t i, std::uint32_t w, const Vec3d& image) {
    model::Wall& wall = system_.walls[w];
    model::Bodies& bodies = system_.bodies;
    const std::size_t b = body_at_[i];
    Record& record = record_[i];
    const double mass = bodies.mass[b];
    const auto energy = [&] { return kinetic_energy(bodies, b, record.velocity, spin_[i]); };
    count_time(now_);
    system_.ledger.gravity_reference -= mass * dot(system_.gravity, record.position);
    const double before = energy();
    const Vec3d momentum = record.velocity * mass;
    const Vec3d turning = spin_[i] * bodies.inertia[b];
    const Vec3d at = record.position + image;
    bodies.stuck_to[b] = static_cast<std::int32_t>(w);
    bodies.stuck_at[b] = wall.pose.to_local(at);
    flights().time[b] = time();
    record.velocity = wall.pose.velocity_at(at);
    spin_[i] = wall.pose.spin;
    ++wall.record.stuck;
    const Vec3d given = momentum - record.velocity * mass;
    wall.record.impulse += given;
    wall.record.angular_impulse += math::cross(at - wall.pose.position, given) + turning - spin_[i] * bodies.inertia[b];
    system_.ledger.injected += energy() - before;
    flights().held_energy += energy();
    --flying_;
    hold(i);
    tell_neighbours(i);
    set_refiling(i);
    queue_.push(i, event_[i].key());
}

}  // namespace talus::engines::hard
