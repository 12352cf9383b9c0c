// What contacts come to: each body sums its own in a fixed order, is held by walls where they do, and ledger, walls
// and counters hear of it.
#include <algorithm>
#include <cmath>

#include "talus/engines/grains/engine.h"

namespace talus::engines::grains {

namespace {

constexpr auto sliding = static_cast<std::size_t>(model::Mechanism::sliding);

}  // namespace

template <Engine::Look look>
void Engine::gather(std::size_t body, const std::vector<Motion>& motion, double step) {
    Wrench sum;
    Tally tally;
    const auto count = [&](const Detail& of, bool there) {
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            tally.power[m] += of.answer.power[m];
        }
        if (there) {
            tally.stored_normal += of.answer.stored_normal;
            tally.stored_tangential += of.answer.stored_tangential;
            const double ratio = of.overlap / of.weight;
            tally.large_overlaps += ratio > options_.overlap_limit ? 1 : 0;
            tally.largest_overlap = std::max(tally.largest_overlap, ratio);
        }
    };
    for (std::uint32_t r = own_row_[body]; r < own_row_[body + 1]; ++r) {
        const std::uint32_t c = own_[r];
        if (acts_[c] == Acts::yes) {
            sum.force -= slot_[c].force;
            sum.torque += slot_[c].counter_torque;
        }
    }
    for (std::uint32_t c = led_row_[body]; c < led_row_[body + 1]; ++c) {
        if (acts_[c] == Acts::yes) {
            sum.force += slot_[c].force;
            sum.torque += slot_[c].torque;
        }
        if (look == Look::full && acts_[c] != Acts::no) {
            count(detail_[c], acts_[c] == Acts::yes);
        }
    }
    Wrench by_walls;
    Vec3d wall_normal;
    Stiction holds;
    held_[body] = {};
    for (std::uint32_t q = walls_.row[first_[body]]; q < walls_.row[first_[body + 1]]; ++q) {
        if (wall_acts_[q] == Acts::no) {
            continue;
        }
        const Detail& of = wall_detail_[q];
        if (look == Look::full) {
            count(of, wall_acts_[q] == Acts::yes);
        }
        if (wall_acts_[q] == Acts::yes) {
            by_walls.force += of.answer.force;
            by_walls.torque += cross(of.point - motion[body].position, of.answer.force) + of.answer.moment;
            const Stiction& by = stiction_[system_.materials.pair(system_.bodies.material[body],
                                                                  system_.walls[walls_.wall[q]].material)];
            if (by.friction > 0) {
                held_[body].wall = norm2(wall_normal) > 0 ? held_[body].wall : walls_.wall[q];
                holds = by;
                wall_normal += of.normal;
            }
        }
    }
    wrench_[body] = {sum.force + by_walls.force, sum.torque + by_walls.torque};
    if constexpr (look == Look::full) {
        tally_[body] = tally;
    }
    const Wrench by_fields = field_wrench_.empty() ? Wrench{} : field_wrench_[body];
    if (norm2(wall_normal) > 0) {
        hold_still(body, motion[body], wall_normal / norm(wall_normal), holds, step, by_fields);
    }
    if (!field_wrench_.empty()) {
        wrench_[body].force += by_fields.force;
        wrench_[body].torque += by_fields.torque;
    }
}

template void Engine::gather<Engine::Look::forces>(std::size_t, const std::vector<Motion>&, double);
template void Engine::gather<Engine::Look::full>(std::size_t, const std::vector<Motion>&, double);

void Engine::hold_still(std::size_t body, const Motion& motion, const Vec3d& n, const Stiction& stiction, double step,
                        const Wrench& others) {
    // Gravity is among the forces that a wall holds, unless it has already had its say (successive forces).
    const bool successive = system_.integration.adaptive() && system_.integration.successive;
    const Vec3d weight = successive ? Vec3d{} : system_.gravity * system_.bodies.mass[body];
    const Vec3d all = wrench_[body].force + weight + others.force;
    const double along = dot(wrench_[body].force, n);
    const Vec3d across = all - n * dot(all, n);
    if (!(norm2(across) < stiction.friction * stiction.friction * along * along)) {
        return;
    }
    // At rest means: with the wall.
    const model::Pose& pose = system_.walls[held_[body].wall].pose;
    const Vec3d velocity = motion.velocity - pose.velocity_at(motion.position);
    const Vec3d spin = motion.spin - pose.spin;
    const double duration = std::max(stiction.duration, step);
    const Vec3d sideways = velocity - n * dot(velocity, n);
    Wrench& by = held_[body].by;
    by.force = -across - sideways * (system_.bodies.mass[body] * stiction.stopping / duration);
    by.torque = -n * dot(wrench_[body].torque + others.torque, n) -
                momentum_of_turning(body, motion.turn, spin) * (stiction.turning / duration);
    wrench_[body].force += by.force;
    wrench_[body].torque += by.torque;
    tally_[body].power[sliding] -= dot(by.force, velocity);
    tally_[body].power[static_cast<std::size_t>(model::Mechanism::rolling)] -= dot(by.torque, spin);
}

void Engine::Outside::add(const Outside& other, double weight) {
    held += other.held * weight;
    fields += other.fields * weight;
    walls.resize(other.walls.size());
    for (std::size_t w = 0; w < walls.size(); ++w) {
        walls[w].force += other.walls[w].force * weight;
        walls[w].torque += other.walls[w].torque * weight;
        walls[w].power += other.walls[w].power * weight;
    }
}

void Engine::look_outside(const std::vector<Motion>& motion) {
    outside_.held = 0;
    outside_.fields = system_.fields.any() ? power_of_turning_fields(motion) : 0;
    outside_.walls.assign(system_.walls.size(), {});
    const auto act = [&](std::size_t w, const Vec3d& at, const Vec3d& force, const Vec3d& moment) {
        const model::Pose& pose = system_.walls[w].pose;
        Outside::OnWall& on = outside_.walls[w];
        on.force -= force;
        on.torque -= moment + cross(at - pose.position, force);
        on.power += dot(force, pose.velocity_at(at)) + dot(moment, pose.spin);
    };
    for (const std::uint32_t p : wall_parts_) {
        for (std::uint32_t q = walls_.row[p]; q < walls_.row[p + 1]; ++q) {
            if (wall_acts_[q] == Acts::yes) {
                const Detail& of = wall_detail_[q];
                act(walls_.wall[q], of.point, of.answer.force, of.answer.moment);
            }
        }
    }
    for (std::size_t i = 0; i < motion.size(); ++i) {
        const Wrench& by = held_[i].by;
        if (norm2(by.force) + norm2(by.torque) > 0) {
            act(held_[i].wall, motion[i].position, by.force, by.torque);
        }
        outside_.held -= nature_[i].inverse_mass > 0 ? 0.0 : dot(wrench_[i].force, motion[i].velocity);
        outside_.held -= nature_[i].inverse_moment.x > 0 ? 0.0 : dot(wrench_[i].torque, motion[i].spin);
    }
}

void Engine::book(double span, const Outside& through, bool centred) {
    model::Ledger& ledger = system_.ledger;
    Tally sum;
    for (std::size_t i = 0; i < tally_.size(); ++i) {
        const Tally& tally = tally_[i];
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            sum.power[m] += tally.power[m];
        }
        sum.stored_normal += tally.stored_normal;
        sum.stored_tangential += tally.stored_tangential;
        system_.counters.large_overlaps += tally.large_overlaps;
        if (tally.largest_overlap > system_.counters.largest_overlap) {
            system_.counters.largest_overlap = tally.largest_overlap;
            system_.counters.largest_overlap_id = system_.bodies.id[i];
        }
    }
    ledger.stored = {sum.stored_normal, sum.stored_tangential};
    ledger.held_work += through.held * span;
    ledger.held_power = centred ? outside_.held : 0;
    ledger.field_work += through.fields * span;
    ledger.field_power = centred ? outside_.fields : 0;
    if (system_.integration.method != model::Method::leapfrog) {
        // What its step takes where a contact begins is a matter of the leapfrog alone.
        sum.power[static_cast<std::size_t>(model::Mechanism::time_step)] = 0;
    }
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        if (system_.integration.adaptive()) {
            ledger.dissipated[m] += 0.5 * (sum.power[m] + system_.integration_state.power[m]) * span;
            system_.integration_state.power[m] = sum.power[m];
        } else {
            ledger.dissipated[m] += sum.power[m] * span;
            ledger.power[m] = centred ? sum.power[m] : 0;
        }
    }
    for (std::size_t w = 0; w < system_.walls.size(); ++w) {
        model::WallRecord& record = system_.walls[w].record;
        record.force = outside_.walls[w].force;
        record.torque = outside_.walls[w].torque;
        record.power = centred ? outside_.walls[w].power : 0;
        record.impulse += through.walls[w].force * span;
        record.angular_impulse += through.walls[w].torque * span;
        record.work += through.walls[w].power * span;
    }
}

}  // namespace talus::engines::grains
