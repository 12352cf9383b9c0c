// Motion up to an impact and what the impact changes.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/books.h"
#include "talus/engines/hard/flight.h"

namespace talus::engines::hard {

void BallisticEngine::fly(Record& record) const {
    const double passed = now_ - record.time;
    if (has_gravity_) {
        record.position = flown<true>(record.position, record.velocity, passed, gravity_);
        record.velocity = speeded<true>(record.velocity, passed, gravity_);
    } else {
        record.position = flown<false>(record.position, record.velocity, passed, gravity_);
    }
    record.time = now_;
}

/// Along the line of centres alone; the same bits for (i, j, d) and (j, i, -d).
void BallisticEngine::impact_smoothly(std::uint32_t i, std::uint32_t j, const Vec3d& d,
                                      const laws::ImpactParams& params) {
    Record& a = record_[i];
    Record& b = record_[j];
    const double inverse_i = body_[equal_ ? 0 : i].inverse_mass;
    const double inverse_j = body_[equal_ ? 0 : j].inverse_mass;
    const double opening = dot(d, a.velocity - b.velocity);
    const double distance2 = norm2(d);
    double rebound = params.restitution * -opening;  // times the distance
    if (options_.slow.elastic_below > 0) {
        const double distance = std::sqrt(distance2);
        rebound = -opening < options_.slow.elastic_below * distance ? -opening : rebound;
        rebound = std::max(rebound, options_.slow.least_rebound * distance);
    }
    const double per_length =
        laws::normal_impulse_per_length(opening, rebound, distance2, inverse_i + inverse_j);  // negative
    a.velocity -= d * (per_length * inverse_i);
    b.velocity += d * (per_length * inverse_j);
    measures_.virial -= per_length * distance2;
    if (options_.stress) {
        const Vec3d impulse = d * -per_length;  // on i
        const Vec3d normal = d * (-1 / std::sqrt(distance2));
        add_virial(i, impulse, normal);
        add_virial(j, -impulse, -normal);
    }
    if (rebound != -opening) {
        system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::normal_damping)] +=
            0.5 * (opening * opening - rebound * rebound) / (distance2 * (inverse_i + inverse_j));
    }
    note_overlap(i, j, distance2);
}

void BallisticEngine::impact_with_spin(std::uint32_t i, std::uint32_t j, const Vec3d& d,
                                       const laws::ImpactParams& params) {
    const double distance2 = norm2(d);
    const double distance = std::sqrt(distance2);
    const Vec3d normal = -d / distance;  // from i to j
    const auto side = [&](std::uint32_t k) {
        return laws::ImpactBody<double>{record_[k].velocity, spin_[k], body_[k].inverse_mass, body_[k].inverse_inertia,
                                        body_[k].radius};
    };
    laws::ImpactBody<double> a = side(i);
    laws::ImpactBody<double> b = side(j);
    const double approach = dot(a.velocity - b.velocity, normal);
    const double rebound = laws::rebound_speed(params.restitution, approach, options_.slow);
    const laws::Impact<double> result = laws::impact(normal, a, b, params, rebound);
    laws::apply(result, 1.0, a);
    laws::apply(result, -1.0, b);
    record_[i].velocity = a.velocity;
    record_[j].velocity = b.velocity;
    spin_[i] = a.spin;
    spin_[j] = b.spin;
    measures_.virial -= dot(result.impulse, normal) * distance;
    add_virial(i, result.impulse, normal);
    add_virial(j, -result.impulse, -normal);
    book(system_.ledger, result);
    note_overlap(i, j, distance2);
}

void BallisticEngine::note_overlap(std::uint32_t i, std::uint32_t j, double distance2) {
    const double contact = equal_ ? task_.distance2 : (radius_[i] + radius_[j]) * (radius_[i] + radius_[j]);
    if (!(distance2 < contact * least_distance_)) {
        return;
    }
    least_distance_ = distance2 / contact;
    const std::uint32_t first = body_at_[i] < body_at_[j] ? i : j;
    note_overlap(first, radius_[i] + radius_[j] - std::sqrt(distance2), std::min(radius_[i], radius_[j]));
}

void BallisticEngine::note_overlap(std::uint32_t i, double overlap, double radius) {
    const double part = overlap / radius;
    if (part > system_.counters.largest_overlap) {
        system_.counters.largest_overlap = part;
        system_.counters.largest_overlap_id = system_.bodies.id[body_at_[i]];
    }
}

}  // namespace talus::engines::hard
