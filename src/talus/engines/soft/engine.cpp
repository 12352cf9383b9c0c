#include "talus/engines/soft/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/base/exact_sum.h"
#include "talus/base/float_mode.h"
#include "talus/laws/packed_laws.h"
#include "talus/laws/registry.h"
#include "talus/model/driving.h"

namespace talus::engines::soft {

namespace phases = backends::cpu;

Engine::Engine(model::System& system, const Options& options, bool resumed) : system_(system), options_(options) {
    base::pin_float_mode(options_.threads);
    for (const model::PairLaw& pair : system_.materials.pair_law) {
        if (pair.law >= static_cast<int>(laws::packed_law_count)) {
            throw base::RunError(fmt::format("the packed engine does not have the law \"{}\"",
                                             laws::registry()[static_cast<std::size_t>(pair.law)].name));
        }
    }
    work_.overlap_limit = options_.overlap_limit;
    system_.pairs.history_size = laws::largest_history<laws::PackedLaws>();
    system_.wall_pairs.history_size = laws::largest_history<laws::PackedLaws>();
    model::place_walls(system_);
    last_rebuild_ = system_.clock.steps;
    start_anew();
    if (!resumed) {
        system_.ledger.gravity_reference = model::gravity_lift(system_);
        start_contacts();
        phases::contacts_and_stop(system_, work_, false, options_.threads);
        close_contacts();
        model::start_drives(system_.walls, system_.gravity, system_.clock.time());
        phases::book_stored(system_, work_);
        phases::export_pairs(system_, work_);
    } else {  // forces are known after the first step
        work_.looked.numbers.assign(work_.contacts.blocks * phases::LookedAt::rows * 8, 0.0);
    }
    published_ = true;
    timer_.reset();
}

void Engine::publish() {
    if (!published_) {
        phases::export_pairs(system_, work_);
        published_ = true;
    }
}

void Engine::system_changed() {
    model::place_walls(system_);
    stale_ = true;
}

ForceBalance Engine::force_balance() const {
    base::ExactSum net;
    base::ExactSum contact;
    std::size_t contacts = 0;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        net += system_.bodies.mass[i] * norm(system_.bodies.acceleration[i]);
    }
    for (std::size_t k = 8; k < work_.contacts.blocks * 8; ++k) {
        if (phases::age_of(work_.contacts, k) > 0) {
            contact += norm(work_.looked.force(k));
            ++contacts;
        }
    }
    for (std::size_t q = 0; q < system_.wall_pairs.size(); ++q) {
        if (system_.wall_pairs.touching[q]) {
            contact += norm(work_.wall_slot[q].force);
            ++contacts;
        }
    }
    const auto mean = [](double sum, std::size_t count) { return count > 0 ? sum / static_cast<double>(count) : 0.0; };
    return {mean(net.value(), system_.bodies.size()), mean(contact.value(), contacts)};
}

std::size_t Engine::touching_pairs() const {
    std::size_t count = 0;
    for (std::size_t k = 8; k < work_.contacts.blocks * 8; ++k) {
        count += phases::age_of(work_.contacts, k) > 0 ? 1U : 0U;
    }
    return count;
}

std::vector<model::ContactSample> Engine::contacts() const {
    const model::Bodies& bodies = system_.bodies;
    std::vector<model::ContactSample> out;
    // Bodies that a stage has just added come last, and touch nothing before the next step.
    for (std::size_t i = 0; i < std::min(bodies.size(), work_.place_of.size()); ++i) {
        const std::uint32_t place = work_.place_of[i];
        phases::for_contacts(work_.contacts, place, [&](std::uint32_t k, std::uint32_t side) {
            if (side != 0 || !(phases::age_of(work_.contacts, k) > 0)) {
                return;
            }
            const phases::Record& other = work_.record[work_.contacts.ends[k / 8].j[k % 8]];
            const std::size_t j = work_.body_at[work_.contacts.ends[k / 8].j[k % 8]];
            const Vec3d d = other.position - work_.record[place].position +
                            search::image_shift(system_.domain, work_.contacts.image[k / 8][k % 8]);
            const double distance = norm(d);
            const double sum = bodies.radius[i] + bodies.radius[j];
            const double lever = 0.5 * (distance + (bodies.radius[i] - bodies.radius[j]) * sum / distance);
            out.push_back({bodies.id[i], bodies.id[j], -1, work_.looked.force(k), d / distance,
                           bodies.position[i] + d * (lever / distance), sum - distance});
        });
        for (std::uint32_t q = system_.wall_pairs.row[i]; q < system_.wall_pairs.row[i + 1]; ++q) {
            if (system_.wall_pairs.touching[q]) {
                Vec3d d = work_.wall_point[q] - bodies.position[i];
                for (int axis = 0; axis < 3; ++axis) {  // the wall may be felt through a boundary
                    if (system_.domain.periodic[static_cast<std::size_t>(axis)]) {
                        const double period = system_.domain.size()[axis];
                        d[axis] -= period * std::round(d[axis] / period);
                    }
                }
                out.push_back({bodies.id[i], -1, static_cast<std::int32_t>(system_.wall_pairs.wall[q]),
                               work_.wall_slot[q].force, system_.wall_pairs.normal[q], bodies.position[i] + d,
                               bodies.radius[i] - norm(d)});
            }
        }
    }
    return out;
}

}  // namespace talus::engines::soft
