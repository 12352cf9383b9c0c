// Both halves of the leapfrog (SSDEM Eq. 1), with predicted velocities in between.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

namespace {

using model::Bodies;

bool is_held(const Bodies& bodies, std::size_t i) {
    return (bodies.flags[i] & model::position_held) != 0 || bodies.stuck_to[i] >= 0;
}
bool is_turning_held(const Bodies& bodies, std::size_t i) {
    return (bodies.flags[i] & model::rotation_held) != 0 || bodies.stuck_to[i] >= 0;
}

Record make_record(const Bodies& bodies, std::size_t i, const Vec3d& velocity, const Vec3d& spin) {
    return {bodies.position[i],
            bodies.radius[i],
            velocity,
            is_held(bodies, i) ? 0.0 : 1.0 / bodies.mass[i],
            spin,
            is_turning_held(bodies, i) ? 0.0 : 1.0 / bodies.inertia[i]};
}

double kinetic_energy(const Bodies& bodies, std::size_t i) {
    return 0.5 * bodies.mass[i] * norm2(bodies.velocity[i]) + 0.5 * bodies.inertia[i] * norm2(bodies.spin[i]);
}

/// Carries a stuck body along with its wall; what the wall's motion adds to its energy is booked as work on the body.
void follow_wall(model::System& system, std::size_t i) {
    Bodies& bodies = system.bodies;
    const model::Pose& pose = system.walls[static_cast<std::size_t>(bodies.stuck_to[i])].pose;
    const double before = kinetic_energy(bodies, i);
    bodies.position[i] = pose.to_world(bodies.stuck_at[i]);
    bodies.velocity[i] = pose.velocity_at(bodies.position[i]);
    bodies.spin[i] = pose.spin;
    bodies.gravity_work[i] += kinetic_energy(bodies, i) - before;
}

/// Brings a position back into a periodic domain; returns by how many periods it was moved (0 or +-1 an axis).
model::Image wrap(const model::Domain& domain, Vec3d& x) {
    std::array<signed char, 3> moved{};
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        if (!domain.periodic[a]) {
            continue;
        }
        const double period = domain.high[axis] - domain.low[axis];
        if (x[axis] >= domain.high[axis]) {
            x[axis] -= period;
            moved[a] = -1;
        } else if (x[axis] < domain.low[axis]) {
            x[axis] += period;
            moved[a] = 1;
        }
    }
    return {moved[0], moved[1], moved[2]};
}

bool is_outside(const model::Domain& domain, const Vec3d& x) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[static_cast<std::size_t>(axis)] &&
            (x[axis] < domain.low[axis] || x[axis] > domain.high[axis])) {
            return true;
        }
    }
    return false;
}

}  // namespace

Drift kick_and_drift(model::System& system, Workspace& work, std::vector<Vec3d>& reference, int threads) {
    // A grain that moves more than this many radii in one step has been thrown by an unstable contact.
    constexpr double absurd = 10;
    Bodies& bodies = system.bodies;
    const double h = system.clock.step;
    const double half = 0.5 * h;
    const bool periodic = system.domain.any_periodic();
    Drift drift;
    std::mutex merge;
    work.record.resize(bodies.size());
    base::parallel_ranges(bodies.size(), threads, [&](std::size_t begin, std::size_t end) {
        Drift mine;
        for (std::size_t i = begin; i < end; ++i) {
            Vec3d predicted;
            Vec3d predicted_spin;
            if (bodies.stuck_to[i] >= 0) {
                follow_wall(system, i);
                predicted = bodies.velocity[i];
                predicted_spin = bodies.spin[i];
            } else {
                const Vec3d kick = bodies.acceleration[i] * half;
                const Vec3d turn = bodies.spin_rate[i] * half;
                bodies.velocity[i] += kick;
                bodies.spin[i] += turn;
                predicted = bodies.velocity[i] + kick;
                predicted_spin = bodies.spin[i] + turn;
                const Vec3d step = bodies.velocity[i] * h;
                bodies.position[i] += step;
                if (!is_held(bodies, i)) {
                    bodies.gravity_work[i] += bodies.mass[i] * dot(system.gravity, step);
                }
                if (!(norm2(step) <= absurd * absurd * bodies.radius[i] * bodies.radius[i]) && mine.lost_body < 0) {
                    mine.lost_body = static_cast<std::int64_t>(i);
                }
            }
            if (periodic) {
                const model::Image moved = wrap(system.domain, bodies.position[i]);
                if (!(moved == model::Image{})) {
                    mine.wrapped.push_back(static_cast<std::uint32_t>(i));
                    mine.periods.push_back(moved);
                    const Vec3d period = system.domain.size();
                    for (int axis = 0; axis < 3; ++axis) {
                        const int k = axis == 0 ? moved.x : (axis == 1 ? moved.y : moved.z);
                        if (k != 0) {
                            reference[i][axis] += k * period[axis];
                        }
                    }
                }
            }
            if (is_outside(system.domain, bodies.position[i])) {
                mine.outside.push_back(static_cast<std::uint32_t>(i));
            }
            bodies.dissipation[i].power = {};
            mine.farthest2 = std::max(mine.farthest2, norm2(bodies.position[i] - reference[i]));
            work.record[i] = make_record(bodies, i, predicted, predicted_spin);
        }
        const std::lock_guard<std::mutex> lock(merge);
        drift.farthest2 = std::max(drift.farthest2, mine.farthest2);
        drift.wrapped.insert(drift.wrapped.end(), mine.wrapped.begin(), mine.wrapped.end());
        drift.periods.insert(drift.periods.end(), mine.periods.begin(), mine.periods.end());
        drift.outside.insert(drift.outside.end(), mine.outside.begin(), mine.outside.end());
        if (mine.lost_body >= 0 && (drift.lost_body < 0 || mine.lost_body < drift.lost_body)) {
            drift.lost_body = mine.lost_body;
        }
    });
    return drift;
}

void take_records(model::System& system, Workspace& work, int threads) {
    work.record.resize(system.bodies.size());
    base::parallel_for(system.bodies.size(), threads, [&](std::size_t i) {
        system.bodies.dissipation[i].power = {};
        work.record[i] = make_record(system.bodies, i, system.bodies.velocity[i], system.bodies.spin[i]);
    });
}

BodySum sum_contacts(const model::System& system, const Workspace& work, std::size_t body) {
    const model::PairList& pairs = system.pairs;
    const model::WallPairList& walls = system.wall_pairs;
    // Rows of four are summed at once; the fourth lane is of no use.
    math::Pack force(0.0);
    math::Pack torque(0.0);
    const auto row = [](const Vec3d& first) { return math::load(&first.x); };
    for (std::uint32_t k = pairs.incoming_row[body]; k < pairs.incoming_row[body + 1]; ++k) {
        const std::uint32_t p = pairs.incoming_pair[k];
        if (pairs.touching[p]) {
            force -= row(work.pair_slot[p].force);
            torque += row(work.pair_slot[p].torque_j);
        }
    }
    for (std::uint32_t p = pairs.row[body]; p < pairs.row[body + 1]; ++p) {
        if (pairs.touching[p]) {
            force += row(work.pair_slot[p].force);
            torque += row(work.pair_slot[p].torque_i);
        }
    }
    for (std::uint32_t q = walls.row[body]; q < walls.row[body + 1]; ++q) {
        if (walls.touching[q]) {
            force += row(work.wall_slot[q].force);
            torque += row(work.wall_slot[q].torque_i);
        }
    }
    return {{force[0], force[1], force[2]}, {torque[0], torque[1], torque[2]}};
}

void gather_and_kick(model::System& system, const Workspace& work, bool kick, int threads) {
    Bodies& bodies = system.bodies;
    const double h = system.clock.step;
    const double half = 0.5 * h;
    base::parallel_for(bodies.size(), threads, [&](std::size_t i) {
        const BodySum sum = sum_contacts(system, work, i);
        model::Dissipation& lost = bodies.dissipation[i];
        for (std::size_t m = 0; m < model::mechanism_count; ++m) {
            lost.energy[m] += h * lost.power[m];
        }
        const bool held = is_held(bodies, i);
        const bool turning_held = is_turning_held(bodies, i);
        bodies.acceleration[i] = held ? Vec3d{} : sum.force / bodies.mass[i] + system.gravity;
        bodies.spin_rate[i] = turning_held ? Vec3d{} : sum.torque / bodies.inertia[i];
        if (kick) {
            bodies.velocity[i] += bodies.acceleration[i] * half;
            bodies.spin[i] += bodies.spin_rate[i] * half;
        }
        // Whatever holds a body does the work that its contacts take from it.
        if (held) {
            bodies.gravity_work[i] -= h * dot(sum.force, bodies.velocity[i]);
        }
        if (turning_held) {
            bodies.gravity_work[i] -= h * dot(sum.torque, bodies.spin[i]);
        }
    });
}

}  // namespace talus::backends::cpu
