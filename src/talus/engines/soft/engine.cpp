#include "talus/engines/soft/engine.h"

#include <algorithm>
#include <cmath>

#include "talus/backends/cpu/phases.h"
#include "talus/base/exact_sum.h"
#include "talus/base/float_mode.h"
#include "talus/geometry/extent.h"
#include "talus/laws/visit.h"
#include "talus/model/motion.h"
#include "talus/search/pair_search.h"

namespace talus::engines::soft {

namespace {

bool is_unbounded(const model::Wall& wall) {
    return std::isinf(geometry::bounding_radius(wall.shape));
}

/// An unbounded wall that tilts sweeps arbitrarily far: it is listed for every body.
bool tilts_without_bounds(const model::Wall& wall) {
    if (!is_unbounded(wall)) {
        return false;
    }
    const Vec3d axis = wall.pose.rotation.column(2);
    for (const model::Spin& spin : wall.motion.spins) {
        if (norm2(cross(spin.axis, axis)) > 1e-20) {
            return true;
        }
    }
    return std::any_of(wall.motion.keyframes.begin(), wall.motion.keyframes.end(),
                       [](const model::Keyframe& k) { return norm2(k.rotation) > 0; });
}

/// An upper bound on how far the surface of a wall has moved between two poses.
double surface_shift(const model::Wall& wall, const model::Pose& from, const model::Pose& to) {
    const double shift = norm(to.position - from.position);
    if (is_unbounded(wall)) {
        return shift;  // those that tilt are listed for every body
    }
    double turn2 = norm2(to.rotation.column(2) - from.rotation.column(2));
    if (!geometry::is_round_about_z(wall.shape)) {
        turn2 += norm2(to.rotation.column(0) - from.rotation.column(0)) +
                 norm2(to.rotation.column(1) - from.rotation.column(1));
    }
    return shift + std::sqrt(turn2) * geometry::bounding_radius(wall.shape);
}

}  // namespace

Engine::Engine(model::System& system, const Options& options, bool resumed) : system_(system), options_(options) {
    base::pin_float_mode(options_.threads);
    work_.overlap_limit = options_.overlap_limit;
    system_.pairs.history_size = laws::largest_history();
    system_.wall_pairs.history_size = laws::largest_history();
    for (model::Wall& wall : system_.walls) {
        wall.pose = model::pose_at(wall.base, wall.motion, system_.clock.time());
    }
    rebuild_lists();
    if (!resumed) {
        backends::cpu::take_records(system_, work_, options_.threads);
        evaluate_contacts();
        backends::cpu::gather_and_kick(system_, work_, false, options_.threads);
        take_notes();
    } else {
        work_.pair_slot.resize(system_.pairs.size());
        work_.wall_slot.resize(system_.wall_pairs.size());
        work_.wall_point.resize(system_.wall_pairs.size());
    }
    timer_.reset();
}

void Engine::place_walls() {
    const double t = system_.clock.time();
    for (model::Wall& wall : system_.walls) {
        if (wall.present && !wall.motion.at_rest()) {
            wall.pose = model::pose_at(wall.base, wall.motion, t);
        }
    }
}

void Engine::choose_skin() {
    if (options_.skin > 0 || system_.bodies.size() == 0) {
        skin_ = options_.skin;
        return;
    }
    double sum = 0;
    for (const double r : system_.bodies.radius) {
        sum += r;
    }
    const double radius = sum / static_cast<double>(system_.bodies.size());
    // A narrow skin lists few pairs that do not touch, a wide one lasts for more steps: widened while rebuilds come too
    // often, narrowed while they are rare. No bit of the path depends on it.
    const std::int64_t lasted = system_.clock.steps - last_rebuild_;
    if (skin_ == 0) {
        skin_ = 0.1 * radius;
    } else if (!stale_) {
        skin_ *= lasted < 25 ? 1.2 : (lasted > 100 ? 0.85 : 1.0);
    }
    skin_ = std::clamp(skin_, 0.03 * radius, 0.6 * radius);
    last_rebuild_ = system_.clock.steps;
}

void Engine::rebuild_lists() {
    choose_skin();
    always_listed_.resize(system_.walls.size());
    wall_reference_.clear();
    for (std::size_t w = 0; w < system_.walls.size(); ++w) {
        always_listed_[w] = tilts_without_bounds(system_.walls[w]) ? 1 : 0;
        wall_reference_.push_back(system_.walls[w].pose);
    }
    search::rebuild_pairs(system_, skin_, options_.threads);
    search::rebuild_wall_pairs(system_, skin_, always_listed_, options_.threads);
    reference_ = system_.bodies.position;
    stale_ = false;
    ++rebuilds_;
}

bool Engine::lists_are_stale(double farthest2) const {
    const double farthest = std::sqrt(farthest2);
    double wall_shift = 0;
    for (std::size_t w = 0; w < system_.walls.size(); ++w) {
        const model::Wall& wall = system_.walls[w];
        if (wall.present && !wall.motion.at_rest() && !always_listed_[w]) {
            wall_shift = std::max(wall_shift, surface_shift(wall, wall_reference_[w], wall.pose));
        }
    }
    return 2 * farthest >= skin_ || farthest + wall_shift >= skin_;
}

void Engine::system_changed() {
    for (model::Wall& wall : system_.walls) {
        wall.pose = model::pose_at(wall.base, wall.motion, system_.clock.time());
    }
    stale_ = true;
}

void Engine::take_notes() {
    model::Counters& counters = system_.counters;
    counters.large_overlaps += work_.notes.large_overlaps;
    if (work_.notes.largest_overlap > counters.largest_overlap) {
        counters.largest_overlap = work_.notes.largest_overlap;
        counters.largest_overlap_id = system_.bodies.id[static_cast<std::size_t>(work_.notes.largest_overlap_body)];
    }
}

void Engine::cut_short(std::size_t wall_pair) {
    model::Wall& wall = system_.walls[system_.wall_pairs.wall[wall_pair]];
    const backends::cpu::Slot& slot = work_.wall_slot[wall_pair];
    const Vec3d& point = work_.wall_point[wall_pair];
    const double half = 0.5 * system_.clock.step;
    const double power = dot(slot.force, wall.pose.velocity_at(point)) - dot(slot.torque_j, wall.pose.spin);
    wall.record.work -= half * power;
    wall.record.power -= power;
    wall.record.impulse += slot.force * half;
    wall.record.angular_impulse -= (slot.torque_j - cross(point - wall.pose.position, slot.force)) * half;
}

void Engine::stick(std::uint32_t i, std::uint32_t wall_index) {
    model::Bodies& bodies = system_.bodies;
    model::Wall& wall = system_.walls[wall_index];
    const auto energy = [&] {
        return 0.5 * bodies.mass[i] * norm2(bodies.velocity[i]) + 0.5 * bodies.inertia[i] * norm2(bodies.spin[i]);
    };
    const double before = energy();
    const Vec3d momentum = bodies.velocity[i] * bodies.mass[i];
    const Vec3d turning = bodies.spin[i] * bodies.inertia[i];
    bodies.stuck_to[i] = static_cast<std::int32_t>(wall_index);
    bodies.stuck_at[i] = wall.pose.to_local(bodies.position[i]);
    bodies.velocity[i] = wall.pose.velocity_at(bodies.position[i]);
    bodies.spin[i] = wall.pose.spin;
    bodies.acceleration[i] = {};
    bodies.spin_rate[i] = {};
    ++wall.record.stuck;
    const Vec3d given = momentum - bodies.velocity[i] * bodies.mass[i];
    wall.record.impulse += given;
    wall.record.angular_impulse +=
        cross(bodies.position[i] - wall.pose.position, given) + turning - bodies.spin[i] * bodies.inertia[i];
    system_.ledger.injected += energy() - before;

    // Contacts between things that no force can move end here, and what their springs held goes with the motion.
    const auto end = [&](auto& pairs, std::size_t p, const backends::cpu::Slot& slot) {
        system_.ledger.injected -= slot.stored_normal + slot.stored_tangential;
        pairs.touching[p] = 0;
        std::fill_n(pairs.history.begin() + static_cast<std::ptrdiff_t>(p * pairs.history_size), pairs.history_size,
                    0.0);
    };
    for (std::uint32_t q = system_.wall_pairs.row[i]; q < system_.wall_pairs.row[i + 1]; ++q) {
        if (system_.wall_pairs.touching[q]) {
            cut_short(q);
            end(system_.wall_pairs, q, work_.wall_slot[q]);
        }
    }
    const auto is_immovable = [&](std::uint32_t j) {
        return bodies.stuck_to[j] >= 0 || (bodies.flags[j] & model::position_held) != 0;
    };
    model::PairList& pairs = system_.pairs;
    bool dissipates = false;
    for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
        if (pairs.touching[p] && is_immovable(pairs.partner[p])) {
            end(pairs, p, work_.pair_slot[p]);
        }
        dissipates |= pairs.touching[p] != 0;
    }
    for (std::uint32_t k = pairs.incoming_row[i]; k < pairs.incoming_row[i + 1]; ++k) {
        const std::uint32_t p = pairs.incoming_pair[k];
        const auto lower =
            static_cast<std::uint32_t>(std::upper_bound(pairs.row.begin(), pairs.row.end(), p) - pairs.row.begin() - 1);
        if (pairs.touching[p] && is_immovable(lower)) {
            end(pairs, p, work_.pair_slot[p]);
        }
    }
    if (!dissipates) {  // nor does the second half of the step lose anything
        model::Dissipation& lost = bodies.dissipation[i];
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            lost.energy[m] -= 0.5 * system_.clock.step * lost.power[m];
            lost.power[m] = 0;
        }
    }
}

void Engine::stick_and_remove(const std::vector<std::uint32_t>& outside) {
    model::Bodies& bodies = system_.bodies;
    std::vector<char> keep;
    const auto drop = [&](std::uint32_t i) {
        keep.resize(bodies.size(), 1);
        const bool first = keep[i] != 0;
        keep[i] = 0;
        return first;
    };
    for (const std::uint32_t i : outside) {
        drop(i);
        ++system_.counters.left_domain;
        system_.counters.left_domain_mass += bodies.mass[i];
    }
    const model::WallPairList& pairs = system_.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        model::Wall& wall = system_.walls[pairs.wall[q]];
        if (!pairs.touching[q] || wall.behaviour == model::WallBehaviour::normal) {
            continue;
        }
        const std::uint32_t i = pairs.body[q];
        if (wall.behaviour == model::WallBehaviour::absorbing) {
            if (drop(i)) {
                ++wall.record.absorbed;
                wall.record.absorbed_mass += bodies.mass[i];
            }
        } else if (bodies.stuck_to[i] < 0) {
            stick(i, pairs.wall[q]);
        }
    }
    if (!keep.empty()) {
        remove(keep);
    }
}

void Engine::remove(const std::vector<char>& keep) {
    model::Bodies& bodies = system_.bodies;
    model::LedgerTotals& ledger = system_.ledger;
    const double half = 0.5 * system_.clock.step;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (keep[i]) {
            continue;
        }
        ledger.removed +=
            0.5 * bodies.mass[i] * norm2(bodies.velocity[i]) + 0.5 * bodies.inertia[i] * norm2(bodies.spin[i]);
        ledger.gravity_work += bodies.gravity_work[i];
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            ledger.dissipated_by_removed[m] += bodies.dissipation[i].energy[m] - half * bodies.dissipation[i].power[m];
        }
    }
    const auto squeeze = [](auto& column, const std::vector<std::uint32_t>& kept) {
        for (std::size_t k = 0; k < kept.size(); ++k) {
            column[k] = column[kept[k]];
        }
        column.resize(kept.size());
    };
    for (std::size_t q = 0; q < system_.wall_pairs.size(); ++q) {
        if (system_.wall_pairs.touching[q] && !keep[system_.wall_pairs.body[q]]) {
            cut_short(q);
        }
    }
    const double stored_before = stored_energy().normal + stored_energy().tangential;
    const auto kept_pairs = search::compact_pairs(system_.pairs, keep);
    squeeze(work_.pair_slot, kept_pairs);
    const auto kept_walls = search::compact_wall_pairs(system_.wall_pairs, keep);
    squeeze(work_.wall_slot, kept_walls);
    squeeze(work_.wall_point, kept_walls);
    ledger.removed += stored_before - stored_energy().normal - stored_energy().tangential;
    std::vector<std::uint32_t> kept_bodies;
    for (std::uint32_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            kept_bodies.push_back(i);
        }
    }
    squeeze(reference_, kept_bodies);
    bodies.compact(keep);
}

StoredEnergy Engine::stored_energy() const {
    base::ExactSum normal;
    base::ExactSum tangential;
    const auto add = [&](const std::vector<std::uint8_t>& touching, const std::vector<backends::cpu::Slot>& slots) {
        for (std::size_t p = 0; p < slots.size(); ++p) {
            if (touching[p]) {
                normal += slots[p].stored_normal;
                tangential += slots[p].stored_tangential;
            }
        }
    };
    add(system_.pairs.touching, work_.pair_slot);
    add(system_.wall_pairs.touching, work_.wall_slot);
    return {normal.value(), tangential.value()};
}

ForceBalance Engine::force_balance() const {
    base::ExactSum net;
    base::ExactSum contact;
    std::size_t contacts = 0;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        net += system_.bodies.mass[i] * norm(system_.bodies.acceleration[i]);
    }
    const auto add = [&](const std::vector<std::uint8_t>& touching, const std::vector<backends::cpu::Slot>& slots) {
        for (std::size_t p = 0; p < slots.size(); ++p) {
            if (touching[p]) {
                contact += norm(slots[p].force);
                ++contacts;
            }
        }
    };
    add(system_.pairs.touching, work_.pair_slot);
    add(system_.wall_pairs.touching, work_.wall_slot);
    const auto mean = [](double sum, std::size_t count) { return count > 0 ? sum / static_cast<double>(count) : 0.0; };
    return {mean(net.value(), system_.bodies.size()), mean(contact.value(), contacts)};
}

std::size_t Engine::touching_pairs() const {
    return static_cast<std::size_t>(
        std::count(system_.pairs.touching.begin(), system_.pairs.touching.end(), std::uint8_t{1}));
}

std::vector<model::ContactSample> Engine::contacts() const {
    const model::Bodies& bodies = system_.bodies;
    std::vector<model::ContactSample> out;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::uint32_t p = system_.pairs.row[i]; p < system_.pairs.row[i + 1]; ++p) {
            if (!system_.pairs.touching[p]) {
                continue;
            }
            const std::size_t j = system_.pairs.partner[p];
            const model::Image& image = system_.pairs.image[p];
            const std::array<int, 3> periods = {image.x, image.y, image.z};
            Vec3d d = bodies.position[j] - bodies.position[i];
            for (int axis = 0; axis < 3; ++axis) {
                if (system_.domain.periodic[static_cast<std::size_t>(axis)]) {
                    d[axis] += periods[static_cast<std::size_t>(axis)] * system_.domain.size()[axis];
                }
            }
            const double distance = norm(d);
            const double sum = bodies.radius[i] + bodies.radius[j];
            const double lever = 0.5 * (distance + (bodies.radius[i] - bodies.radius[j]) * sum / distance);
            out.push_back({bodies.id[i], bodies.id[j], -1, work_.pair_slot[p].force, d / distance,
                           bodies.position[i] + d * (lever / distance), sum - distance});
        }
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
