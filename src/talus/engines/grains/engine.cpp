#include "talus/engines/grains/engine.h"

#include <cmath>

#include "talus/base/exact_sum.h"
#include "talus/base/float_mode.h"
#include "talus/model/driving.h"
#include "talus/model/leaving.h"

namespace talus::engines::grains {

Engine::Engine(model::System& system, const Options& options, bool resumed) : system_(system), options_(options) {
    base::pin_float_mode(options_.threads);
    history_size_ = history_numbers();
    walls_.history_size = history_size_;
    system_.grain_contacts.history_size = history_size_;
    system_.grains.resize(system_.bodies);
    system_.fields.resize(system_.bodies.size());
    model::place_walls(system_);
    now_ = system_.clock.time();
    start_anew();
    if (!resumed) {
        system_.ledger.gravity_reference = model::gravity_lift(system_);
        system_.ledger.field_reference = model::field_lift(system_);
        evaluate(motion_, system_.clock.time(), 0, system_.clock.step);
        const bool halves = system_.integration.method == model::Method::leapfrog;  // its first kick is by half a step
        look_outside(motion_);
        book(halves ? 0.5 * system_.clock.step : 0, outside_, halves);
        model::start_drives(system_.walls, system_.gravity, system_.clock.time());
        // POLY's method starts without remembered accelerations.
        if (system_.integration.method != model::Method::midpoint) {
            take_accelerations();
        }
    }
    publish();
    timer_ = {};
}

void Engine::take_accelerations() {
    for (std::size_t i = 0; i < motion_.size(); ++i) {
        system_.bodies.acceleration[i] = wrench_[i].force * nature_[i].inverse_mass + gravity_of(i);
        system_.bodies.spin_rate[i] =
            nature_[i].inverse_moment.x > 0 ? spin_from(i, motion_[i].turn, wrench_[i].torque) : Vec3d{};
    }
}

void Engine::publish() {
    if (published_ || stale_) {
        return;
    }
    model::GrainContacts& out = system_.grain_contacts;
    out.clear();
    const auto add = [&](std::uint32_t part, std::uint32_t partner, std::uint32_t partner_part, bool wall,
                         const model::Image& image, const Vec3d& normal, const double* history) {
        const std::uint32_t body = parts_[part].body;
        out.body.push_back(body);
        out.part.push_back(part - first_[body]);
        out.partner.push_back(partner);
        out.partner_part.push_back(partner_part);
        out.wall.push_back(wall ? 1 : 0);
        out.image.push_back(image);
        out.normal.push_back(normal);
        out.history.insert(out.history.end(), history, history + history_size_);
    };
    for (std::size_t k = 0; k < near_.size(); ++k) {
        if (near_touching_[k]) {
            const std::uint32_t other = parts_[near_[k].b].body;
            add(near_[k].a, other, near_[k].b - first_[other], false, near_[k].image, near_normal_[k],
                &near_history_[k * history_size_]);
        }
    }
    for (std::size_t q = 0; q < walls_.size(); ++q) {
        if (walls_.touching[q]) {
            add(walls_.body[q], walls_.wall[q], walls_.side[q], true, {}, walls_.normal[q],
                &walls_.history[q * history_size_]);
        }
    }
    published_ = true;
}

void Engine::system_changed() {
    system_.grains.resize(system_.bodies);
    system_.fields.resize(system_.bodies.size());
    model::place_walls(system_);
    stale_ = true;
}

void Engine::remove(const std::vector<char>& keep) {
    publish();
    const auto give_up = [&](const Answer& answer) {
        system_.ledger.removed += answer.stored_normal + answer.stored_tangential;
        system_.ledger.stored.normal -= answer.stored_normal;
        system_.ledger.stored.tangential -= answer.stored_tangential;
    };
    for (std::size_t c = 0; c < close_.size(); ++c) {
        const Near& pair = close_pair_[c];
        if (acts_[c] == Acts::yes && !(keep[parts_[pair.a].body] && keep[parts_[pair.b].body])) {
            give_up(detail_[c].answer);
        }
    }
    for (std::size_t q = 0; q < walls_.size(); ++q) {
        if (wall_acts_[q] == Acts::yes && !keep[parts_[walls_.body[q]].body]) {
            give_up(wall_detail_[q].answer);
        }
    }
    const double lift = model::field_lift(system_);
    const double mutual = model::mutual_energy(system_).total();
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        if (!keep[i]) {
            model::book_removal(system_, i);
        }
    }
    model::compact(system_.grain_contacts, keep);
    system_.bodies.compact(keep);
    system_.grains.compact(keep);
    system_.fields.compact(keep);
    system_.ledger.field_reference -= lift - model::field_lift(system_);
    system_.ledger.removed += mutual - model::mutual_energy(system_).total();
    start_anew();
    evaluate(motion_, now_, 0, system_.clock.step);
    if (system_.fields.mutual() && system_.integration.method == model::Method::leapfrog) {
        take_accelerations();  // what was pulled by those that left is so no more
    }
}

std::vector<model::ContactSample> Engine::contacts() const {
    std::vector<model::ContactSample> out;
    if (stale_) {
        return out;
    }
    const model::Bodies& bodies = system_.bodies;
    for (std::size_t c = 0; c < close_.size(); ++c) {
        if (acts_[c] == Acts::yes) {
            const Near& pair = close_pair_[c];
            const Detail& of = detail_[c];
            out.push_back({bodies.id[parts_[pair.a].body], bodies.id[parts_[pair.b].body], -1, of.answer.force,
                           of.normal, of.point, of.overlap});
        }
    }
    for (std::size_t q = 0; q < walls_.size(); ++q) {
        if (wall_acts_[q] == Acts::yes) {
            const Detail& of = wall_detail_[q];
            out.push_back({bodies.id[parts_[walls_.body[q]].body], -1, static_cast<std::int32_t>(walls_.wall[q]),
                           of.answer.force, of.normal, of.point, of.overlap});
        }
    }
    return out;
}

ForceBalance Engine::force_balance() const {
    base::ExactSum net;
    base::ExactSum contact;
    std::size_t count = 0;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        net += system_.bodies.mass[i] * norm(system_.bodies.acceleration[i]);
    }
    for (const model::ContactSample& sample : contacts()) {
        contact += norm(sample.force);
        ++count;
    }
    const auto mean = [](double sum, std::size_t of) { return of > 0 ? sum / static_cast<double>(of) : 0.0; };
    return {mean(net.value(), system_.bodies.size()), mean(contact.value(), count)};
}

std::size_t Engine::touching_pairs() const {
    std::size_t count = 0;
    for (const std::uint8_t touching : near_touching_) {
        count += touching;
    }
    return count;
}

}  // namespace talus::engines::grains
