// The bodies in the workspace: taken from the model, put in order, buried, held by walls.
#include <algorithm>
#include <cmath>

#include "talus/backends/cpu/body_motion.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

void take_body(const model::System& system, Workspace& work, std::size_t s) {
    const model::Bodies& bodies = system.bodies;
    const std::size_t i = work.body_at[s];
    const bool held = bodies.is_held(i);
    Record& record = work.record[s];
    record.position = bodies.position[i];
    record.radius = bodies.radius[i];
    record.velocity = bodies.velocity[i];
    record.inverse_mass = held ? 0.0 : 1.0 / bodies.mass[i];
    record.spin = bodies.spin[i];
    record.inverse_inertia = bodies.is_turning_held(i) ? 0.0 : 1.0 / bodies.inertia[i];
    work.motion[s].gravity = held ? 0.0 : 1.0;
}

void make_room(Workspace& work) {
    const std::size_t n = work.places();
    work.record.resize(n + 2);
    work.motion.resize(n);
    work.flow.resize(n + 2);
    work.flow[n] = work.flow[n + 1] = {};
    // Two spheres that never touch anything.
    work.record[n] = {{}, 1, {}, 1, {1e100, 0, 0}, 0, {}, 0};
    work.record[n + 1] = {{}, 1, {}, 1, {-1e100, 0, 0}, 0, {}, 0};
}

std::vector<std::uint32_t> sort_bodies(const model::System& system, Workspace& work, int threads) {
    const std::size_t places = work.places();
    std::vector<std::uint32_t> live;
    live.reserve(places);
    for (std::uint32_t s = 0; s < places; ++s) {
        if (work.body_at[s] != Workspace::nobody) {
            live.push_back(s);
        }
    }
    const std::size_t n = live.size();
    Buffer<Record> record(n + 2);
    Buffer<Motion> motion(n);
    if (n < places) {  // else they lie without gaps
        base::parallel_for(n, threads, [&](std::size_t k) { record[k] = work.record[live[k]]; });
    }
    constexpr std::size_t stride = sizeof(Record) / sizeof(double);
    const Record* const dense = n < places ? record.data() : work.record.data();
    const std::vector<std::uint32_t> order = search::cell_order({&dense->position.x, stride, n}, system.domain);
    std::vector<std::uint32_t> body_at(n);
    std::vector<std::uint32_t> old_place(n);
    base::parallel_for(n, threads, [&](std::size_t k) {
        const std::uint32_t s = live[order[k]];
        old_place[k] = s;
        record[k] = work.record[s];
        motion[k] = work.motion[s];
        body_at[k] = work.body_at[s];
    });
    work.record.swap(record);
    work.motion.swap(motion);
    work.body_at.swap(body_at);
    make_room(work);
    work.place_of.resize(n);
    base::parallel_for(n, threads,
                       [&](std::size_t s) { work.place_of[work.body_at[s]] = static_cast<std::uint32_t>(s); });
    work.held.clear();
    for (std::size_t i = 0; i < n; ++i) {
        if (system.bodies.is_held(i) || system.bodies.is_turning_held(i)) {
            work.held.push_back(work.place_of[i]);
        }
    }
    return old_place;
}

void bury(const model::System& system, Workspace& work, std::uint32_t place) {
    const auto nowhere = static_cast<std::uint32_t>(work.places());
    Record& record = work.record[place];
    for (int axis = 0; axis < 3; ++axis) {  // where it does not cross a border at every step
        const double inside = std::max(record.position[axis], system.domain.low[axis]);
        record.position[axis] = inside < system.domain.high[axis]
                                    ? inside
                                    : std::max(system.domain.low[axis], std::nextafter(system.domain.high[axis], 0.0));
    }
    record.velocity = record.spin = {};
    record.inverse_mass = record.inverse_inertia = 0;
    work.motion[place] = {{}, 0, {}, 0};
    record.home = record.position;
    record.leash2 = 1e300;
    work.flow[place] = {};
    work.special[place] = 0;
    for (std::uint32_t p = work.near.row[place]; p < work.near.row[place + 1]; ++p) {
        work.near.partner[p] = nowhere;
    }
    std::replace(work.near.partner.begin(), work.near.partner.end(), place, nowhere);
    work.contacts.refs[place].fill(0);
    work.slots.refs[place].fill(0);
    work.slots.higher[place] = work.slots.used[place] = 0;
    std::erase(work.held, place);
}

void renumber(Workspace& work, const std::vector<char>& keep) {
    std::vector<std::uint32_t> fresh(keep.size(), Workspace::nobody);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            fresh[i] = next++;
        }
    }
    work.place_of.resize(next);
    for (std::uint32_t s = 0; s < work.places(); ++s) {
        if (work.body_at[s] != Workspace::nobody) {
            work.body_at[s] = fresh[work.body_at[s]];
        }
        if (work.body_at[s] != Workspace::nobody) {
            work.place_of[work.body_at[s]] = s;
        }
    }
}

void take_bodies(const model::System& system, Workspace& work, int threads) {
    base::parallel_for(work.places(), threads, [&](std::size_t s) {
        const std::size_t i = work.body_at[s];
        take_body(system, work, s);
        work.motion[s].velocity = system.bodies.velocity[i];
        work.motion[s].spin = system.bodies.spin[i];
    });
}

void follow_walls(model::System& system, Workspace& work, Drift& drift) {
    const model::Bodies& bodies = system.bodies;
    for (const std::uint32_t s : work.held) {
        const std::size_t i = work.body_at[s];
        if (bodies.stuck_to[i] < 0) {
            continue;
        }
        const model::Pose& pose = system.walls[static_cast<std::size_t>(bodies.stuck_to[i])].pose;
        Record& record = work.record[s];
        Motion& motion = work.motion[s];
        const double before = kinetic_energy(bodies, i, motion.velocity, motion.spin);
        Vec3d x = pose.to_world(bodies.stuck_at[i]);
        motion.velocity = pose.velocity_at(x);
        motion.spin = pose.spin;
        wrap(system.domain, x);
        // The drift has moved it along its last velocity; the lists must also know of another border crossed on the
        // rest of the way.
        const Vec3d rest = x - record.position;
        record.position = x;
        std::array<signed char, 3> moved{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            if (system.domain.periodic[a]) {
                const double period = system.domain.high[axis] - system.domain.low[axis];
                const double periods = std::rint(rest[axis] / period);
                moved[a] = static_cast<signed char>(periods);
                record.home[axis] += periods * period;
            }
        }
        if (moved[0] != 0 || moved[1] != 0 || moved[2] != 0) {
            drift.wrapped.push_back(s);
            drift.periods.push_back({moved[0], moved[1], moved[2]});
        }
        drift.spent |= !(record.strayed2() <= record.leash2);
        record.velocity = motion.velocity;
        record.spin = motion.spin;
        system.ledger.held_work += kinetic_energy(bodies, i, motion.velocity, motion.spin) - before;
    }
}

void book_held(model::System& system, Workspace& work) {
    const double h = system.clock.step;
    double power = 0;
    for (const std::uint32_t s : work.held) {  // in order of id
        const std::size_t i = work.body_at[s];
        const Motion& motion = work.motion[s];
        const bool moves = system.bodies.is_held(i) && norm2(motion.velocity) > 0;
        const bool turns = system.bodies.is_turning_held(i) && norm2(motion.spin) > 0;
        if (moves || turns) {
            const BodySum sum = sum_contacts(system, work, s);
            power -= (moves ? dot(sum.force, motion.velocity) : 0.0) + (turns ? dot(sum.torque, motion.spin) : 0.0);
        }
    }
    system.ledger.held_power = power;
    system.ledger.held_work += h * power;
}

}  // namespace talus::backends::cpu
