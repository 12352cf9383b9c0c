// What contacts do to grains: every touching pair of spheres and every sphere at a wall asks its law, and each body
// sums its contacts in a fixed order.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "talus/backends/cpu/wall_sides.h"
#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/math/free_rotation.h"

namespace talus::engines::grains {

namespace {

using backends::cpu::has_jumped;

constexpr auto sliding = static_cast<std::size_t>(model::Mechanism::sliding);

double largest(const Vec3d& v) {
    return std::max({v.x, v.y, v.z});
}

}  // namespace

void Engine::place(const std::vector<Motion>& motion) {
    base::parallel_for(motion.size(), options_.threads, [&](std::size_t i) {
        const Motion& m = motion[i];
        if (nature_[i].turns_as_sphere) {
            balls_[first_[i]].center = m.position;
            return;
        }
        const Mat3d axes = to_matrix(m.turn);
        for (std::uint32_t p = first_[i]; p < first_[i + 1]; ++p) {
            parts_[p].arm = axes * parts_[p].at_rest;
            balls_[p].center = m.position + parts_[p].arm;
        }
        inverse_inertia_[i] = math::in_world(axes, nature_[i].inverse_moment);
    });
}

double Engine::mobility(std::size_t body, const Vec3d& arm, const Vec3d& n) const {
    const Nature& nature = nature_[body];
    if (nature.turns_as_sphere) {
        return nature.inverse_mass;
    }
    const Vec3d lever = cross(arm, n);
    return nature.inverse_mass + dot(lever, inverse_inertia_[body] * lever);
}

Vec3d Engine::shift_of(const model::Image& image) const {
    Vec3d shift;
    if (image != model::Image{}) {
        const Vec3d period = system_.domain.size();
        for (int axis = 0; axis < 3; ++axis) {
            const int periods = axis == 0 ? image.x : (axis == 1 ? image.y : image.z);
            shift[axis] = periods != 0 ? periods * period[axis] : 0.0;
        }
    }
    return shift;
}

Vec3d Engine::across(const Near& pair) const {
    const Vec3d d = balls_[pair.b].center - balls_[pair.a].center;
    return pair.image == model::Image{} ? d : d + shift_of(pair.image);
}

void Engine::end_pair_contact(std::size_t k, double dt) {
    const model::PairLaw& law = system_.materials.between(system_.bodies.material[parts_[near_[k].a].body],
                                                          system_.bodies.material[parts_[near_[k].b].body]);
    double* const history = &near_history_[k * history_size_];
    near_slot_[k].answer = {};
    near_slot_[k].answer.power[sliding] = released(law, history) / dt;  // what its spring still held
    near_acts_[k] = 2;
    near_touching_[k] = 0;
    std::fill_n(history, history_size_, 0.0);
}

void Engine::pair_contact(std::size_t k, const Vec3d& d, const std::vector<Motion>& motion, double dt, double step,
                          Look look) {
    const Near& pair = near_[k];
    const Part& a = parts_[pair.a];
    const Part& b = parts_[pair.b];
    const double radius_i = balls_[pair.a].radius;
    const double radius_j = balls_[pair.b].radius;
    const double sum = radius_i + radius_j;
    double* const history = &near_history_[k * history_size_];
    const double distance = norm(d);
    const Motion& mi = motion[a.body];
    const Motion& mj = motion[b.body];
    laws::Kinematics<double> c;
    c.normal = d / distance;
    c.overlap = sum - distance;
    c.lever_i = 0.5 * (distance + (radius_i - radius_j) * sum / distance);
    c.lever_j = distance - c.lever_i;
    const Vec3d arm_i = a.arm + c.normal * c.lever_i;
    const Vec3d arm_j = b.arm - c.normal * c.lever_j;
    const Vec3d u = mj.velocity + cross(mj.spin, arm_j) - mi.velocity - cross(mi.spin, arm_i);
    c.opening = dot(u, c.normal);
    c.slip = u - c.normal * c.opening;
    c.spin = mi.spin - mj.spin;
    c.spin_sum = dot(mi.spin + mj.spin, c.normal);
    const bool jumped = near_touching_[k] && has_jumped(near_normal_[k], c.normal);
    c.turn = near_touching_[k] && !jumped ? c.normal - near_normal_[k] : Vec3d{};
    c.rolling_lever = std::min(c.lever_i, c.lever_j);
    c.radius_i = radius_i;
    c.curvature = 1 / radius_i + 1 / radius_j;
    c.inverse_mass = mobility(a.body, arm_i, c.normal) + mobility(b.body, arm_j, c.normal);
    c.mass = 1 / c.inverse_mass;
    const double turning = largest(nature_[a.body].inverse_moment) + largest(nature_[b.body].inverse_moment);
    c.inertia = turning > 0 ? 1 / turning : 0;
    const model::PairLaw& law =
        system_.materials.between(system_.bodies.material[a.body], system_.bodies.material[b.body]);
    if (!acts(law, c, history)) {
        if (dt > 0 && near_touching_[k]) {
            end_pair_contact(k, dt);
        }
        return;
    }
    Slot& slot = near_slot_[k];
    double lost = 0;
    if (dt > 0) {
        lost = jumped ? project(law, c.normal, history) / dt : 0;
        slot.answer = respond(law, c, history, dt, step, true);
        near_touching_[k] = 1;
        near_normal_[k] = c.normal;
    } else {
        slot.answer = respond(law, c, history, 0, step, look == Look::full);
    }
    slot.answer.power[sliding] += lost;
    slot.normal = c.normal;
    slot.point = mi.position + arm_i;
    slot.overlap = c.overlap;
    slot.weight = std::min(radius_i, radius_j);
    near_acts_[k] = 1;
}

void Engine::wall_contact(std::size_t q, std::size_t from, const geometry::Nearest& near,
                          const std::vector<Motion>& motion, double dt, double step, Look look) {
    const Part& part = parts_[walls_.body[q]];
    const double radius = balls_[walls_.body[q]].radius;
    const model::Wall& wall = system_.walls[walls_.wall[q]];
    const model::PairLaw& law = system_.materials.between(system_.bodies.material[part.body], wall.material);
    double* const history = &walls_.history[from * history_size_];
    const bool touched = walls_.touching[from] != 0;
    Slot& slot = wall_slot_[q];
    wall_acts_[q] = 0;
    const auto end = [&] {
        if (dt > 0 && touched) {
            slot.answer = {};
            slot.answer.power[sliding] = released(law, history) / dt;
            wall_acts_[q] = 2;
            walls_.touching[q] = 0;
            std::fill_n(history, history_size_, 0.0);
        }
    };
    if (!near.acts || !(near.distance < radius + range_) || law.law < 0 || !(nature_[part.body].inverse_mass > 0)) {
        end();
        return;
    }
    const Motion& m = motion[part.body];
    laws::Kinematics<double> c;
    c.normal = near.direction;
    c.overlap = radius - near.distance;
    c.lever_i = near.distance;
    c.lever_j = 0;
    const Vec3d arm = part.arm + c.normal * c.lever_i;
    const Vec3d u = wall.pose.velocity_at(near.point) - m.velocity - cross(m.spin, arm);
    c.opening = dot(u, c.normal);
    c.slip = u - c.normal * c.opening;
    c.spin = m.spin - wall.pose.spin;
    c.spin_sum = dot(m.spin + wall.pose.spin, c.normal);
    const bool jumped = touched && has_jumped(walls_.normal[from], c.normal);
    c.turn = touched && !jumped ? c.normal - walls_.normal[from] : Vec3d{};
    c.rolling_lever = c.lever_i;
    c.radius_i = radius;
    c.curvature = 1 / radius;
    c.inverse_mass = mobility(part.body, arm, c.normal);
    c.mass = 1 / c.inverse_mass;
    const double turning = largest(nature_[part.body].inverse_moment);
    c.inertia = turning > 0 ? 1 / turning : 0;
    if (!acts(law, c, history)) {
        end();
        return;
    }
    double lost = 0;
    if (dt > 0) {
        lost = jumped ? project(law, c.normal, history) / dt : 0;
        slot.answer = respond(law, c, history, dt, step, true);
        walls_.touching[from] = 1;
        walls_.normal[from] = c.normal;
    } else {
        slot.answer = respond(law, c, history, 0, step, look == Look::full);
    }
    slot.answer.power[sliding] += lost;
    slot.normal = c.normal;
    slot.point = m.position + arm;
    slot.overlap = c.overlap;
    slot.weight = radius;
    wall_acts_[q] = 1;
}

void Engine::wall_contacts(std::size_t part, const std::vector<Motion>& motion, double dt, double step, Look look) {
    const std::uint32_t end = walls_.row[part + 1];
    for (std::uint32_t q = walls_.row[part], next = q; q < end; q = next) {
        const bool far_listed = q + 1 < end && walls_.side[q + 1] != 0;
        next = q + (far_listed ? 2 : 1);
        const model::Wall& wall = system_.walls[walls_.wall[q]];
        backends::cpu::WallSides sides;
        sides.near.acts = false;
        if (wall.present) {
            sides = backends::cpu::find_sides(walls_, q, far_listed, wall, system_.domain, balls_[part].center);
        }
        // When a sphere crosses the axis of a round wall, what was near becomes far.
        const bool exchanged = sides.exchanged && far_listed;
        if (exchanged && dt > 0) {
            std::swap(walls_.touching[q], walls_.touching[q + 1]);
            std::swap(walls_.normal[q], walls_.normal[q + 1]);
            std::swap_ranges(&walls_.history[q * history_size_], &walls_.history[(q + 1) * history_size_],
                             &walls_.history[(q + 1) * history_size_]);
        }
        const bool borrowed = exchanged && !(dt > 0);  // histories stay where they are, and are read crosswise
        wall_contact(q, borrowed ? q + 1 : q, sides.near, motion, dt, step, look);
        if (far_listed) {
            wall_contact(q + 1, borrowed ? q : q + 1, sides.far, motion, dt, step, look);
        }
    }
}

void Engine::sort_out_acting() {
    acting_row_.assign(system_.bodies.size() + 1, 0);
    acting_pairs_.clear();
    const auto note = [&](std::uint32_t k) {
        if (near_acts_[k] != 0) {
            acting_pairs_.push_back(k);
            ++acting_row_[parts_[near_[k].a].body + 1];
            ++acting_row_[parts_[near_[k].b].body + 1];
        }
    };
    const auto count = static_cast<std::uint32_t>(near_.size());
    std::uint32_t k = 0;
    for (; k + 8 <= count; k += 8) {  // most do not act: eight at a glance
        std::uint64_t eight = 0;
        std::memcpy(&eight, &near_acts_[k], 8);
        for (std::uint32_t lane = 0; eight != 0 && lane < 8; ++lane) {
            note(k + lane);
        }
    }
    for (; k < count; ++k) {
        note(k);
    }
    for (std::size_t i = 0; i + 1 < acting_row_.size(); ++i) {
        acting_row_[i + 1] += acting_row_[i];
    }
    acting_.resize(2 * acting_pairs_.size());
    next_acting_.assign(acting_row_.begin(), acting_row_.end() - 1);
    for (const std::uint32_t pair : acting_pairs_) {
        acting_[next_acting_[parts_[near_[pair].a].body]++] = 2 * pair;
        acting_[next_acting_[parts_[near_[pair].b].body]++] = 2 * pair + 1;
    }
}

void Engine::gather(std::size_t body, const std::vector<Motion>& motion, double step) {
    Wrench sum;
    Tally tally;
    const auto count = [&](const Slot& slot, bool there) {
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            tally.power[m] += slot.answer.power[m];
        }
        if (there) {
            tally.stored_normal += slot.answer.stored_normal;
            tally.stored_tangential += slot.answer.stored_tangential;
            const double ratio = slot.overlap / slot.weight;
            tally.large_overlaps += ratio > options_.overlap_limit ? 1 : 0;
            tally.largest_overlap = std::max(tally.largest_overlap, ratio);
        }
    };
    for (std::uint32_t r = acting_row_[body]; r < acting_row_[body + 1]; ++r) {
        const std::uint32_t k = acting_[r] / 2;
        const Slot& slot = near_slot_[k];
        if (acting_[r] % 2 == 0) {
            count(slot, near_acts_[k] == 1);
            if (near_acts_[k] == 1) {
                sum.force += slot.answer.force;
                sum.torque += cross(slot.point - motion[body].position, slot.answer.force) + slot.answer.moment;
            }
        } else if (near_acts_[k] == 1) {
            // The point lies beside the first body; seen from the second it is a partner's lever away along the normal.
            const double radius_i = balls_[near_[k].a].radius;
            const double radius_j = balls_[near_[k].b].radius;
            const double distance = radius_i + radius_j - slot.overlap;
            const double lever = 0.5 * (distance - (radius_i - radius_j) * (radius_i + radius_j) / distance);
            const Vec3d arm = parts_[near_[k].b].arm - slot.normal * lever;
            sum.force -= slot.answer.force;
            sum.torque -= cross(arm, slot.answer.force) + slot.answer.moment;
        }
    }
    Wrench by_walls;
    Vec3d wall_normal;
    held_[body] = {};
    std::uint32_t holding = 0;
    for (std::uint32_t q = walls_.row[first_[body]]; q < walls_.row[first_[body + 1]]; ++q) {
        if (wall_acts_[q] == 0) {
            continue;
        }
        const Slot& slot = wall_slot_[q];
        count(slot, wall_acts_[q] == 1);
        if (wall_acts_[q] == 1) {
            by_walls.force += slot.answer.force;
            by_walls.torque += cross(slot.point - motion[body].position, slot.answer.force) + slot.answer.moment;
            if (slot.answer.stiction.friction > 0) {
                held_[body].wall = norm2(wall_normal) > 0 ? held_[body].wall : walls_.wall[q];
                holding = q;
                wall_normal += slot.normal;
            }
        }
    }
    wrench_[body] = {sum.force + by_walls.force, sum.torque + by_walls.torque};
    tally_[body] = tally;
    if (norm2(wall_normal) > 0) {
        hold_still(body, motion[body], wall_normal / norm(wall_normal), wall_slot_[holding].answer.stiction, step);
    }
}

void Engine::hold_still(std::size_t body, const Motion& motion, const Vec3d& n, const Stiction& stiction, double step) {
    // Gravity is among the forces that a wall holds, unless it has already had its say (successive forces).
    const bool successive = system_.integration.adaptive() && system_.integration.successive;
    const Vec3d weight = successive ? Vec3d{} : system_.gravity * system_.bodies.mass[body];
    const Vec3d all = wrench_[body].force + weight;
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
    by.torque = -n * dot(wrench_[body].torque, n) -
                momentum_of_turning(body, motion.turn, spin) * (stiction.turning / duration);
    wrench_[body].force += by.force;
    wrench_[body].torque += by.torque;
    tally_[body].power[sliding] -= dot(by.force, velocity);
    tally_[body].power[static_cast<std::size_t>(model::Mechanism::rolling)] -= dot(by.torque, spin);
}

void Engine::evaluate(const std::vector<Motion>& motion, double time, double dt, double step, Look look) {
    for (model::Wall& wall : system_.walls) {
        if (wall.present && !wall.motion.at_rest()) {
            wall.pose = pose_at(wall.base, wall.motion, time);
        }
    }
    timer_.time("place", [&] { place(motion); });
    if (options_.rebuild_every_step || !is_listed_for(motion)) {
        timer_.time("list", [&] { list(motion, dt > 0); });
    }
    timer_.time("contacts", [&] {
        constexpr std::size_t fewest_to_share = 3000;  // below, waking other threads costs more than they save
        base::parallel_for_in_turn(near_.size(), near_.size() < fewest_to_share ? 1 : options_.threads,
                                   [&](std::size_t k) {
                                       const Near& pair = near_[k];
                                       const Vec3d d = across(pair);
                                       const double reach = balls_[pair.a].radius + balls_[pair.b].radius + range_;
                                       const double distance2 = norm2(d);
                                       near_acts_[k] = 0;
                                       if (distance2 < reach * reach && distance2 > 0) {
                                           pair_contact(k, d, motion, dt, step, look);
                                       } else if (dt > 0 && near_touching_[k]) {
                                           end_pair_contact(k, dt);
                                       }
                                   });
        base::parallel_for(wall_parts_.size(), options_.threads,
                           [&](std::size_t w) { wall_contacts(wall_parts_[w], motion, dt, step, look); });
    });
    timer_.time("gather", [&] {
        sort_out_acting();
        base::parallel_for(motion.size(), options_.threads, [&](std::size_t i) { gather(i, motion, step); });
    });
}

void Engine::book(const std::vector<Motion>& motion, double span, bool centred) {
    model::Ledger& ledger = system_.ledger;
    Tally sum;
    double held = 0;
    for (std::size_t i = 0; i < tally_.size(); ++i) {
        const Tally& tally = tally_[i];
        held -= nature_[i].inverse_mass > 0 ? 0.0 : dot(wrench_[i].force, motion[i].velocity);
        held -= nature_[i].inverse_moment.x > 0 ? 0.0 : dot(wrench_[i].torque, motion[i].spin);
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
    ledger.held_work += held * span;
    ledger.held_power = centred ? held : 0;
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        if (system_.integration.adaptive()) {
            ledger.dissipated[m] += 0.5 * (sum.power[m] + system_.integration_state.power[m]) * span;
            system_.integration_state.power[m] = sum.power[m];
        } else {
            ledger.dissipated[m] += sum.power[m] * span;
            ledger.power[m] = centred ? sum.power[m] : 0;
        }
    }
    for (model::Wall& wall : system_.walls) {
        wall.record.force = {};
        wall.record.torque = {};
        wall.record.power = 0;
    }
    for (std::size_t q = 0; q < walls_.size(); ++q) {
        if (wall_acts_[q] != 1) {
            continue;
        }
        const Slot& slot = wall_slot_[q];
        model::Wall& wall = system_.walls[walls_.wall[q]];
        const Vec3d& point = slot.point;
        wall.record.force -= slot.answer.force;
        wall.record.torque -= slot.answer.moment + cross(point - wall.pose.position, slot.answer.force);
        wall.record.power +=
            dot(slot.answer.force, wall.pose.velocity_at(point)) + dot(slot.answer.moment, wall.pose.spin);
    }
    for (std::size_t i = 0; i < held_.size(); ++i) {
        const Wrench& by = held_[i].by;
        if (norm2(by.force) + norm2(by.torque) > 0) {
            model::Wall& wall = system_.walls[held_[i].wall];
            const Vec3d& at = motion[i].position;
            wall.record.force -= by.force;
            wall.record.torque -= by.torque + cross(at - wall.pose.position, by.force);
            wall.record.power += dot(by.force, wall.pose.velocity_at(at)) + dot(by.torque, wall.pose.spin);
        }
    }
    for (model::Wall& wall : system_.walls) {
        wall.record.impulse += wall.record.force * span;
        wall.record.angular_impulse += wall.record.torque * span;
        wall.record.work += wall.record.power * span;
        wall.record.power = centred ? wall.record.power : 0;
    }
}

const std::vector<Wrench>& Engine::wrenches(const std::vector<Motion>& motion, double time, double step) {
    if (stale_) {
        start_anew();
    }
    evaluate(motion, time, 0, step, Look::forces);
    return wrench_;
}

}  // namespace talus::engines::grains
