// Which grains will overlap within the step, and what their impacts do.
#include <algorithm>
#include <cmath>

#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/pending.h"
#include "talus/engines/stepped/scan.h"

namespace talus::engines::stepped {

template <bool periodic>
void Engine::scan_impacts(std::size_t rank) {
    const double h = system_.clock.step;
    const Candidates candidates = scan<periodic>(rank, [h](const Record& a, const Record& b, const Vec3d& d) {
        return may_be_pending(d, b.velocity - a.velocity, a.radius + b.radius, h);
    });
    turns_.make_room(rank, candidates.size());
    for (const Candidate& c : candidates) {
        const Record& here = record_[c.a];
        const Record& there = record_[c.b];
        if (is_pending(between<periodic>(here, there), there.velocity - here.velocity, here.radius + there.radius, h) &&
            here.inverse_mass + there.inverse_mass > 0) {
            add_pair(rank, c);
        }
    }
}

void Engine::find_impacts(std::size_t rank) {
    if (system_.domain.any_periodic()) {
        scan_impacts<true>(rank);
    } else {
        scan_impacts<false>(rank);
    }
    const double h = system_.clock.step;
    const Range range = share(rank);
    turns_.make_room(rank, wall_pairs_.row[range.end] - wall_pairs_.row[range.begin]);
    for (std::uint32_t q = wall_pairs_.row[range.begin]; q < wall_pairs_.row[range.end]; ++q) {
        const std::uint32_t s = wall_pairs_.body[q];
        const model::Wall& wall = system_.walls[wall_pairs_.wall[q]];
        if (wall.behaviour != model::WallBehaviour::normal || record_[s].inverse_mass == 0 || is_far(q)) {
            continue;
        }
        const WallContact contact = meet_wall(q);
        const double closing = dot(record_[s].velocity - wall.pose.velocity_at(contact.point), contact.normal);
        if (contact.acts && closing > 0 && contact.distance - closing * h < record_[s].radius) {
            turns_.add(rank, key_of(wall_word(q)), s, Event::nobody, q);
        }
    }
}

void Engine::collide(const Event& event, OfThread& mine) {
    if (event.b == Event::nobody) {
        collide_wall(event, mine);
    } else {
        collide_pair(event, mine);
    }
}

void Engine::collide_pair(const Event& event, OfThread& mine) {
    const Record& ra = record_[event.a];
    const Record& rb = record_[event.b];
    const Vec3d d = between(ra, rb);
    // An impact that came first may have turned them aside.
    if (is_pending(d, rb.velocity - ra.velocity, ra.radius + rb.radius, system_.clock.step)) {
        strike_pair(event, d, params(event.a, material_[event.b]), mine);
    }
}

void Engine::strike_pair(const Event& event, const Vec3d& d, const laws::ImpactParams& rule, OfThread& mine) {
    Record& ra = record_[event.a];
    Record& rb = record_[event.b];
    const double distance = norm(d);
    const Vec3d normal = distance > 0 ? d * (1 / distance) : Vec3d{1, 0, 0};
    // They collide before they touch: levers that add up to their distance conserve angular momentum.
    const double reach = distance / (ra.radius + rb.radius);
    const double lever_a = ra.radius * reach;
    const double lever_b = rb.radius * reach;
    Turning& ta = turning_[event.a];
    Turning& tb = turning_[event.b];
    const laws::ImpactBody<double> a{ra.velocity, ta.spin, ra.inverse_mass, ta.inverse_inertia, lever_a};
    const laws::ImpactBody<double> b{rb.velocity, tb.spin, rb.inverse_mass, tb.inverse_inertia, lever_b};
    const laws::Impact<double> result = laws::impact(normal, a, b, rule);
    if (ra.inverse_mass == 0 || rb.inverse_mass == 0) {
        // Whatever holds the one takes what the other loses.
        const bool first = ra.inverse_mass == 0;
        const Vec3d on_free = first ? -result.impulse : result.impulse;
        const std::uint32_t held = first ? event.a : event.b;
        const laws::ImpactBody<double>& holder = first ? a : b;
        const Vec3d arm = normal * (first ? lever_a : -lever_b);
        const Vec3d surface = holder.velocity + cross(holder.spin, arm);
        receive(event, system_.bodies.stuck_to[body_at_[held]], on_free, record_[held].position + arm, surface, mine);
    }
    laws::apply(result, 1.0, a, ra.velocity, ta.spin);
    laws::apply(result, -1.0, b, rb.velocity, tb.spin);
    mine.book(result, scales_);
    const math::Tensor6 product = symmetric_product(result.impulse, -normal);
    math::add_scaled(virial_[event.a], product, lever_a);
    math::add_scaled(virial_[event.b], product, lever_b);
    ++mine.collisions;
}

void Engine::collide_wall(const Event& event, OfThread& mine) {
    const Record& record = record_[event.a];
    const WallContact& contact = wall_contact_[event.what];
    const model::Wall& wall = system_.walls[wall_pairs_.wall[event.what]];
    const double closing = dot(record.velocity - wall.pose.velocity_at(contact.point), contact.normal);
    if (closing > 0 && contact.distance - closing * system_.clock.step < record.radius) {
        strike_wall(event, params(event.a, wall.material), mine);
    }
}

void Engine::strike_wall(const Event& event, const laws::ImpactParams& rule, OfThread& mine) {
    Record& record = record_[event.a];
    const WallContact& contact = wall_contact_[event.what];
    const std::uint32_t w = wall_pairs_.wall[event.what];
    const Vec3d surface = system_.walls[w].pose.velocity_at(contact.point);
    Turning& turning = turning_[event.a];
    const laws::ImpactBody<double> a{record.velocity, turning.spin, record.inverse_mass, turning.inverse_inertia,
                                     contact.distance};
    const laws::ImpactBody<double> b{surface, {}, 0, 0, 0};
    const laws::Impact<double> result = laws::impact(contact.normal, a, b, rule);
    laws::apply(result, 1.0, a, record.velocity, turning.spin);
    mine.book(result, scales_);
    math::add_scaled(virial_[event.a], symmetric_product(result.impulse, -contact.normal), contact.distance);
    receive(event, static_cast<std::int32_t>(w), result.impulse, contact.point, surface, mine);
    ++mine.wall_collisions;
}

/// What does not give way takes the opposite impulse at `point`, which moves with `surface`.
void Engine::receive(const Event& event, std::int32_t wall, const Vec3d& impulse, const Vec3d& point,
                     const Vec3d& surface, OfThread& mine) const {
    const Vec3d about = wall < 0 ? point : system_.walls[static_cast<std::size_t>(wall)].pose.position;
    mine.receipts.push_back({wall, event.key, impulse, cross(point - about, impulse), dot(impulse, surface)});
}

}  // namespace talus::engines::stepped
