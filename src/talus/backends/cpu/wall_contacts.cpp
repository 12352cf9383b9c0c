// Contacts between spheres and walls: the wall is a body of infinite mass whose surface moves with its pose.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/laws/visit.h"
#include "talus/search/wall_distance.h"

namespace talus::backends::cpu {

namespace {

/// Histories are stored as plain numbers, so that lists, checkpoints and devices need not know the law.
template <class Law>
using RawHistory = std::array<double, static_cast<std::size_t>(Law::history_size)>;

template <class Law>
typename Law::template History<double> load_history(const double* history) {
    RawHistory<Law> raw;
    std::copy_n(history, raw.size(), raw.begin());
    return std::bit_cast<typename Law::template History<double>>(raw);
}

/// One thread's share of the wall pairs.
struct WallTally {
    ContactNotes notes;
    LedgerSums sums;
};

/// Evaluates a law, commits its history, writes its slot and books what it dissipates.
template <class Law>
void respond_into(const laws::Kinematics<double>& contact, const typename Law::Params& params, double* history,
                  double dt, const LedgerScales& scales, WallSlot& slot, LedgerSums& sums) {
    const auto answer = Law::respond(contact, params, load_history<Law>(history), dt);
    const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
    std::copy(raw.begin(), raw.end(), history);
    slot = {answer.force, answer.couple * contact.lever_i + answer.moment,
            answer.couple * contact.lever_j - answer.moment, answer.stored_normal, answer.stored_tangential};
    const double terms[ledger_sums] = {answer.normal_damping, answer.tangential_damping, answer.sliding,
                                       answer.rolling,        answer.twisting,           answer.time_step};
    for (std::size_t q = 0; q < ledger_sums; ++q) {
        sums.add(q, terms[q], scales[q]);
    }
}

/// Ends a contact: its history is forgotten, and what it leaves to book is booked.
template <class Law>
void end_contact(const laws::Kinematics<double>& contact, const typename Law::Params& params, double* history,
                 double dt, const LedgerScales& scales, LedgerSums& sums) {
    const auto left = Law::end(contact, params, load_history<Law>(history), dt);
    std::fill_n(history, Law::history_size, 0.0);
    sums.add(static_cast<std::size_t>(model::Mechanism::sliding), left.sliding,
             scales[static_cast<std::size_t>(model::Mechanism::sliding)]);
    sums.add(static_cast<std::size_t>(model::Mechanism::time_step), left.time_step,
             scales[static_cast<std::size_t>(model::Mechanism::time_step)]);
}

void note_overlap(ContactNotes& notes, double overlap, double radius, double limit, std::size_t body) {
    if (overlap > limit * radius) {
        ++notes.large_overlaps;
    }
    if (overlap > notes.largest_overlap * radius) {
        notes.largest_overlap = overlap / radius;
        notes.largest_overlap_body = static_cast<std::int64_t>(body);
    }
}

}  // namespace

laws::Kinematics<double> wall_kinematics(const Record& i, const model::Pose& pose, const Vec3d& point,
                                         const Vec3d& normal, double distance, const Vec3d& last_normal) {
    // A normal that jumps (from one face of a corner to the other) is no rotation of the contact: the history is then
    // projected onto the new tangent plane.
    constexpr double largest_turn2 = 0.01;
    laws::Kinematics<double> c;
    c.normal = normal;
    c.overlap = i.radius - distance;
    c.lever_i = distance;
    c.lever_j = 0;
    const Vec3d velocity = pose.velocity_at(point) - i.velocity + cross(c.normal, i.spin) * c.lever_i;
    c.opening = dot(velocity, c.normal);
    c.slip = velocity - c.normal * c.opening;
    c.spin = i.spin - pose.spin;
    c.spin_sum = dot(i.spin + pose.spin, c.normal);
    const Vec3d turn = c.normal - last_normal;
    c.turn = norm2(turn) < largest_turn2 ? turn : Vec3d{};
    c.rolling_lever = c.lever_i;
    c.radius_i = i.radius;
    c.curvature = 1.0 / i.radius;
    c.inverse_mass = i.inverse_mass;
    c.mass = 1.0 / i.inverse_mass;
    c.inertia = i.inverse_inertia > 0 ? 1.0 / i.inverse_inertia : 0.0;
    return c;
}

void wall_contacts(model::System& system, Workspace& work, int threads) {
    model::WallPairList& pairs = system.wall_pairs;
    work.wall_slot.resize(pairs.size());
    work.wall_point.resize(pairs.size());
    const double dt = system.clock.step;
    std::vector<std::array<int, 3>> range;
    for (const model::Wall& wall : system.walls) {
        range.push_back(search::image_range(wall, system.domain));
    }
    std::mutex merge;
    base::parallel_ranges(system.bodies.size(), threads, [&](std::size_t begin, std::size_t end) {
        WallTally mine;
        for (std::uint32_t q = pairs.row[begin]; q < pairs.row[end]; ++q) {
            const std::uint32_t i = pairs.body[q];
            const Record& record = work.record[work.place_of[i]];
            const model::Wall& wall = system.walls[pairs.wall[q]];
            const model::PairLaw& between = system.materials.between(system.bodies.material[i], wall.material);
            double* history = &pairs.history[q * pairs.history_size];
            geometry::Nearest near;
            const bool can_touch = wall.present && record.inverse_mass > 0;
            if (can_touch || pairs.touching[q] != 0) {
                near = search::nearest_wall_point(wall, system.domain, range[pairs.wall[q]], record.position);
            }
            const bool touches = can_touch && near.acts && near.distance < record.radius;
            if (!touches && pairs.touching[q] == 0) {
                continue;
            }
            const Vec3d last_normal = pairs.touching[q] ? pairs.normal[q] : near.direction;
            const auto contact = wall_kinematics(record, wall.pose, near.point, near.direction, near.distance, last_normal);
            laws::visit(between.law, [&](auto kind) {
                using Law = decltype(kind);
                const auto params = between.parameters.as<typename Law::Params>();
                if (touches) {
                    respond_into<Law>(contact, params, history, dt, work.scales, work.wall_slot[q], mine.sums);
                    note_overlap(mine.notes, contact.overlap, record.radius, work.overlap_limit, i);
                } else {
                    end_contact<Law>(contact, params, history, dt, work.scales, mine.sums);
                }
            });
            pairs.touching[q] = touches ? 1 : 0;
            if (touches) {
                pairs.normal[q] = near.direction;
                work.wall_point[q] = near.point;
            }
        }
        const std::lock_guard<std::mutex> lock(merge);
        work.notes.merge(mine.notes);
        work.sums.merge(mine.sums);
    });
}

void book_walls(model::System& system, const Workspace& work) {
    const double h = system.clock.step;
    for (model::Wall& wall : system.walls) {
        wall.record.force = {};
        wall.record.torque = {};
        wall.record.power = 0;
    }
    const model::WallPairList& pairs = system.wall_pairs;
    for (std::size_t q = 0; q < pairs.size(); ++q) {
        if (!pairs.touching[q]) {
            continue;
        }
        model::Wall& wall = system.walls[pairs.wall[q]];
        const WallSlot& slot = work.wall_slot[q];
        wall.record.force -= slot.force;
        wall.record.torque += slot.torque_j - cross(work.wall_point[q] - wall.pose.position, slot.force);
        wall.record.power +=
            dot(slot.force, wall.pose.velocity_at(work.wall_point[q])) - dot(slot.torque_j, wall.pose.spin);
    }
    for (const std::uint32_t s : work.held) {
        const std::size_t i = work.body_at[s];
        if (system.bodies.stuck_to[i] >= 0) {
            model::Wall& wall = system.walls[static_cast<std::size_t>(system.bodies.stuck_to[i])];
            const BodySum sum = sum_contacts(system, work, s);
            wall.record.force += sum.force;
            // Its record may already be that of the next instant.
            const Vec3d at = wall.pose.to_world(system.bodies.stuck_at[i]);
            wall.record.torque += sum.torque + cross(at - wall.pose.position, sum.force);
        }
    }
    for (model::Wall& wall : system.walls) {
        wall.record.impulse += wall.record.force * h;
        wall.record.angular_impulse += wall.record.torque * h;
        wall.record.work += wall.record.power * h;
    }
}

}  // namespace talus::backends::cpu
