// What the model is told of the engine's flights: the bodies as they are now, who has left, and the next epoch.
#include "talus/base/exact_sum.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"
#include "talus/model/leaving.h"
#include "talus/model/squeeze.h"

namespace talus::engines::hard {

/// Of body b, at the present that the model's flights know.
Vec3d BallisticEngine::position_now(std::size_t b) const {
    const model::Flights& from = flights();
    return flown<true>(from.position[b], from.velocity[b], from.now - from.time[b], gravity_);
}

void BallisticEngine::save_flights() {
    model::Flights& out = flights();
    for (std::size_t i = 0; i < record_.size(); ++i) {
        const std::size_t b = body_at_[i];
        system_.bodies.spin[b] = spin_[i];
        if (!is_flying(record_[i])) {
            continue;
        }
        out.position[b] = record_[i].position;
        out.velocity[b] = record_[i].velocity;
        out.time[b] = record_[i].time;
    }
    out.now = now_;
}

void BallisticEngine::publish() {
    count_time(now_);
    save_flights();
    model::Flights& from = flights();
    model::Bodies& bodies = system_.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (is_fixed(b)) {
            publish_held(b);
            continue;
        }
        bodies.position[b] = position_now(b);
        bodies.velocity[b] = speeded<true>(from.velocity[b], now_ - from.time[b], gravity_);
        bodies.acceleration[b] = system_.gravity;
    }
    for (model::Wall& wall : system_.walls) {
        if (wall.present) {
            wall.pose = model::pose_at(wall.base, wall.motion, time());
        }
    }
    system_.ledger.held_work = from.held_work + (held_energy() - from.held_energy);
    if (!keep_.empty()) {
        compact(keep_);
        load();
    }
}

void BallisticEngine::remove(const std::vector<char>& keep) {
    for (std::size_t b = 0; b < keep.size(); ++b) {
        if (!keep[b]) {
            model::book_removal(system_, b);
        }
    }
    compact(keep);
}

void BallisticEngine::compact(const std::vector<char>& keep) {
    model::Flights& from = flights();
    for (auto* column : {&from.position, &from.velocity, &from.anchor}) {
        model::squeeze(*column, keep);
    }
    model::squeeze(from.calm, keep);
    model::squeeze(from.knocks, keep);
    model::squeeze(from.time, keep);
    system_.impulses.compact(keep);
    system_.bodies.compact(keep);
}

/// J, kinetic, of all that is held.
double BallisticEngine::held_energy() const {
    const model::Bodies& bodies = system_.bodies;
    base::ExactSum out;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (bodies.is_held(b)) {
            out += kinetic_energy(bodies, b);
        }
    }
    return out.value();
}

void BallisticEngine::publish_held(std::size_t b) {
    model::Bodies& bodies = system_.bodies;
    const Held held = held_body(b);
    const model::Target target = target_of(held);
    const model::Pose pose = model::pose_at(target.base, target.motion, time());
    bodies.position[b] = pose.to_world(target.offset);
    bodies.velocity[b] = pose.velocity_at(bodies.position[b]);
    bodies.acceleration[b] = {};
    if (held.wall >= 0) {
        bodies.spin[b] = pose.spin;
    } else {
        bodies.position[b] = wrapped(system_.domain, bodies.position[b]);
    }
}

void BallisticEngine::move_epoch() {
    for (Record& record : record_) {
        if (is_flying(record)) {
            fly(record);
            record.time = 0;
        }
    }
    count_time(now_);
    flights().epoch += now_;
    flights().collisions = 0;
    now_ = 0;
    ++measures_.epochs;
    const std::vector<char> left = keep_;
    save_flights();
    load();
    for (std::uint32_t i = 0; i < record_.size() && !left.empty(); ++i) {
        if (!left[body_at_[i]]) {
            withdraw(i);
        }
    }
}

}  // namespace talus::engines::hard
