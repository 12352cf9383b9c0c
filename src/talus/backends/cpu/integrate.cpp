// Both halves of the leapfrog (SSDEM Eq. 1), with predicted velocities in between, on rows of four numbers.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "talus/backends/cpu/pair_phase.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

namespace {

using math::load_row;
using math::Row;
using math::store_row;

// A grain that moves more than this many radii in one step has been thrown by an unstable contact.
constexpr double absurd = 10;

Row row_of(const Vec3d& v, double last = 0) {
    return Row(Row::Lanes{v.x, v.y, v.z, last});
}
Vec3d vector_of(const Row& row) {
    return {row[0], row[1], row[2]};
}
TALUS_HOT Row keep_xyz(const Row& row, const Row& last) {
    const Row::Mask xyz{{-1, -1, -1, 0}};
    return math::select(xyz, row, last);
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

/// A body at or beyond a border of the domain.
void cross_border(const model::System& system, Workspace& work, std::size_t s, Drift& drift) {
    Vec3d& x = work.record[s].position;
    const model::Image moved = wrap(system.domain, x);
    if (!(moved == model::Image{})) {
        drift.wrapped.push_back(static_cast<std::uint32_t>(s));
        drift.periods.push_back(moved);
    }
    if (is_outside(system.domain, x)) {
        drift.outside.push_back(work.body_at[s]);
    }
}

/// Moves bodies through a step and watches what they run into.
class Mover {
public:
    Mover(const model::System& system, Workspace& work)
        : system_(system),
          work_(work),
          step_(system.clock.step),
          half_(0.5 * system.clock.step),
          low_(row_of(system.domain.low, -model::Domain::unbounded)),
          high_(row_of(system.domain.high, model::Domain::unbounded)) {}

    /// First half kick, drift and prediction; returns the square of the way. The rows of `velocity` and `spin` are
    /// whole-step ones; accelerations have a zero in the last lane.
    TALUS_HOT double move(std::size_t s, Row velocity, Row spin, const Row& acceleration, const Row& spin_rate,
                          Drift& drift) const {
        Record& record = work_.record[s];
        Motion& motion = work_.motion[s];
        const Row kick = acceleration * half_;
        const Row turn = spin_rate * half_;
        velocity += kick;
        spin += turn;
        const Row step = keep_xyz(velocity * step_, Row(0.0));
        const Row x = load_row(&record.position.x) + step;
        const Row square = step * step;
        const double moved2 = square[0] + square[1] + square[2];
        const double radius = x[3];
        store_row(&record.position.x, x);
        store_row(&record.velocity.x, keep_xyz(velocity + kick, load_row(&record.velocity.x)));
        store_row(&record.spin.x, keep_xyz(spin + turn, load_row(&record.spin.x)));
        store_row(&motion.velocity.x, velocity);
        store_row(&motion.spin.x, spin);
        if (!(moved2 <= absurd * absurd * radius * radius)) [[unlikely]] {
            const auto body = static_cast<std::int64_t>(work_.body_at[s]);
            drift.lost_body = drift.lost_body < 0 ? body : std::min(drift.lost_body, body);
        }
        if (any(x < low_ || x >= high_)) [[unlikely]] {
            cross_border(system_, work_, s, drift);
        }
        return moved2;
    }

private:
    const model::System& system_;
    Workspace& work_;
    double step_, half_;
    Row low_, high_;
};

/// Calls `body` for each of `count` places, which gives the square of its way, and takes the ways from the budgets.
/// Roots are taken four at a time.
template <class Place, class Body>
TALUS_HOT void move_all(Workspace& work, std::size_t count, Drift& drift, const Place& place, const Body& body) {
    std::size_t k = 0;
    double least = 0;
    for (; k + 4 <= count; k += 4) {
        double moved2[4];
        for (std::size_t m = 0; m < 4; ++m) {
            moved2[m] = body(place(k + m));
        }
        const Row moved = sqrt(load_row(moved2));
        for (std::size_t m = 0; m < 4; ++m) {
            double& budget = work.budget[place(k + m)];
            budget -= moved[static_cast<int>(m)];
            least = std::min(least, budget);
        }
    }
    for (; k < count; ++k) {
        const double moved2 = body(place(k));
        double& budget = work.budget[place(k)];
        budget -= __builtin_sqrt(moved2);
        least = std::min(least, budget);
    }
    drift.spent |= least < 0;
}

void merge_into(Drift& drift, const Drift& mine) {
    drift.spent |= mine.spent;
    drift.wrapped.insert(drift.wrapped.end(), mine.wrapped.begin(), mine.wrapped.end());
    drift.periods.insert(drift.periods.end(), mine.periods.begin(), mine.periods.end());
    drift.outside.insert(drift.outside.end(), mine.outside.begin(), mine.outside.end());
    if (mine.lost_body >= 0 && (drift.lost_body < 0 || mine.lost_body < drift.lost_body)) {
        drift.lost_body = mine.lost_body;
    }
}

/// Runs a sweep over all places that may move bodies, and puts together what the threads noticed.
template <class Sweep>
Drift collect(const Workspace& work, int threads, const Sweep& sweep) {
    Drift drift;
    std::mutex merge;
    base::parallel_ranges(work.places(), threads, [&](std::size_t begin, std::size_t end) {
        Drift mine;
        sweep(begin, end, mine);
        const std::lock_guard<std::mutex> lock(merge);
        merge_into(drift, mine);
    });
    std::sort(drift.outside.begin(), drift.outside.end());
    return drift;
}

void take_body(const model::System& system, Workspace& work, std::size_t s) {
    const model::Bodies& bodies = system.bodies;
    const std::size_t i = work.body_at[s];
    const bool held = bodies.is_held(i);
    work.record[s] = {bodies.position[i], bodies.radius[i],
                      bodies.velocity[i], held ? 0.0 : 1.0 / bodies.mass[i],
                      bodies.spin[i],     bodies.is_turning_held(i) ? 0.0 : 1.0 / bodies.inertia[i]};
    work.motion[s].gravity = held ? 0.0 : 1.0;
}

/// Sums of slots, as rows; the last lanes mean nothing.
class Gatherer {
public:
    Gatherer(const model::System& system, const Workspace& work)
        : system_(system),
          work_(work),
          slot_(reinterpret_cast<const double*>(work.contacts.slot.data())),
          moment_(work.spin_friction ? work.contacts.moment.data()->data() : nullptr),
          more_(!work.contacts.more_row.empty()) {}

    TALUS_HOT void sum(std::size_t s, Row& force, Row& torque) const {
        force = Row(0.0);
        torque = Row(0.0);
        const auto& refs = work_.contacts.refs[s];
        for (std::size_t k = 0; k < 6; ++k) {
            add(refs[k], force, torque);
        }
        if (refs[6] != 0) {  // few bodies have more
            add(refs[6], force, torque);
            add(refs[7], force, torque);
        }
        if (more_) [[unlikely]] {
            for (std::uint32_t k = work_.contacts.more_row[s]; k < work_.contacts.more_row[s + 1]; ++k) {
                add(work_.contacts.more[k], force, torque);
            }
        }
        if (work_.near_wall[s] != 0) [[unlikely]] {
            add_walls(work_.body_at[s], force, torque);
        }
    }

private:
    TALUS_HOT void add(std::uint32_t ref, Row& force, Row& torque) const {
        using Bits = Row::Mask::Lanes;
        constexpr std::int64_t sign = std::int64_t{1} << 63;
        alignas(32) static constexpr std::int64_t flips[2][4] = {{0, 0, 0, 0}, {sign, sign, sign, sign}};
        const std::size_t side = ref & 1U;
        const double* slot = slot_ + std::size_t{ref >> 1U} * 8;
        Bits flip;  // the body of higher id feels the opposite
        __builtin_memcpy(&flip, flips[side], sizeof(flip));
        const Row pull(reinterpret_cast<Row::Lanes>(reinterpret_cast<Bits>(load_row(slot).lanes) ^ flip));
        force += pull;
        torque += load_row(slot + 4) * Row(slot[3 + 4 * side]);
        if (moment_ != nullptr) {
            const Row moment = load_row(moment_ + std::size_t{ref >> 1U} * 4);
            torque += Row(reinterpret_cast<Row::Lanes>(reinterpret_cast<Bits>(moment.lanes) ^ flip));
        }
    }
    void add_walls(std::size_t i, Row& force, Row& torque) const {
        const model::WallPairList& walls = system_.wall_pairs;
        for (std::uint32_t q = walls.row[i]; q < walls.row[i + 1]; ++q) {
            if (walls.touching[q]) {
                force += row_of(work_.wall_slot[q].force);
                torque += row_of(work_.wall_slot[q].torque_i);
            }
        }
    }

    const model::System& system_;
    const Workspace& work_;
    const double* slot_;
    const double* moment_;
    bool more_;
};

/// Accelerations from the sums of slots.
struct Rates {
    Row acceleration, spin_rate;
};
TALUS_HOT Rates rates(const Workspace& work, std::size_t s, const Row& force, const Row& torque, const Row& gravity) {
    const Record& record = work.record[s];
    const Row acceleration = force * Row(record.inverse_mass) + gravity * Row(work.motion[s].gravity);
    return {keep_xyz(acceleration, Row(0.0)), keep_xyz(torque * Row(record.inverse_inertia), Row(0.0))};
}

double kinetic_energy(const model::Bodies& bodies, std::size_t i, const Vec3d& velocity, const Vec3d& spin) {
    return 0.5 * bodies.mass[i] * norm2(velocity) + 0.5 * bodies.inertia[i] * norm2(spin);
}

}  // namespace

void make_room(const model::System& system, Workspace& work) {
    const std::size_t n = work.places();
    work.record.resize(n + 2);
    work.motion.resize(n);
    work.budget.resize(n);
    // Two spheres that never touch anything.
    work.record[n] = {{1e100, 0, 0}, 0, {}, 1, {}, 1};
    work.record[n + 1] = {{-1e100, 0, 0}, 0, {}, 1, {}, 1};
    const model::Bodies& bodies = system.bodies;
    const auto [least, most] = std::minmax_element(bodies.radius.begin(), bodies.radius.end());
    work.equal_radii = bodies.size() == 0 || *least == *most;
}

void sort_bodies(const model::System& system, Workspace& work) {
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
    for (std::size_t k = 0; k < n; ++k) {
        record[k] = work.record[live[k]];
    }
    constexpr std::size_t stride = sizeof(Record) / sizeof(double);
    const std::vector<std::uint32_t> order = search::cell_order({&record.data()->position.x, stride, n}, system.domain);
    std::vector<std::uint32_t> body_at(n);
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t s = live[order[k]];
        record[k] = work.record[s];
        motion[k] = work.motion[s];
        body_at[k] = work.body_at[s];
    }
    work.record.swap(record);
    work.motion.swap(motion);
    work.body_at.swap(body_at);
    make_room(system, work);
    work.place_of.resize(n);
    for (std::size_t s = 0; s < n; ++s) {
        work.place_of[work.body_at[s]] = static_cast<std::uint32_t>(s);
    }
    work.held.clear();
    for (std::size_t i = 0; i < n; ++i) {
        if (system.bodies.is_held(i) || system.bodies.is_turning_held(i)) {
            work.held.push_back(work.place_of[i]);
        }
    }
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
    work.budget[place] = 1e300;
    work.near_wall[place] = 0;
    for (std::uint32_t p = work.near.row[place]; p < work.near.row[place + 1]; ++p) {
        work.near.partner[p] = nowhere;
    }
    std::replace(work.near.partner.begin(), work.near.partner.end(), place, nowhere);
    work.contacts.refs[place].fill(0);
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

Drift take_and_drift(const model::System& system, Workspace& work, int threads) {
    const Mover mover(system, work);
    return collect(work, threads, [&](std::size_t begin, std::size_t end, Drift& drift) {
        const auto place = [&](std::size_t k) { return begin + k; };
        move_all(work, end - begin, drift, place, [&](std::size_t s) {
            const std::size_t i = work.body_at[s];
            if (i == Workspace::nobody) {
                return 0.0;
            }
            take_body(system, work, s);
            const model::Bodies& bodies = system.bodies;
            return mover.move(s, row_of(bodies.velocity[i]), row_of(bodies.spin[i], work.motion[s].gravity),
                              row_of(bodies.acceleration[i]), row_of(bodies.spin_rate[i]), drift);
        });
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
        // The drift has moved it along its last velocity; the lists must also know of the rest of the way, and of
        // another border crossed on it.
        Vec3d rest = x - record.position;
        record.position = x;
        std::array<signed char, 3> moved{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            if (system.domain.periodic[a]) {
                const double period = system.domain.high[axis] - system.domain.low[axis];
                const double periods = std::rint(rest[axis] / period);
                moved[a] = static_cast<signed char>(periods);
                rest[axis] -= periods * period;
            }
        }
        if (moved[0] != 0 || moved[1] != 0 || moved[2] != 0) {
            drift.wrapped.push_back(s);
            drift.periods.push_back({moved[0], moved[1], moved[2]});
        }
        work.budget[s] -= norm(rest);
        drift.spent |= !(work.budget[s] >= 0);
        record.velocity = motion.velocity;
        record.spin = motion.spin;
        system.ledger.held_work += kinetic_energy(bodies, i, motion.velocity, motion.spin) - before;
    }
}

BodySum sum_contacts(const model::System& system, const Workspace& work, std::size_t place) {
    Row force, torque;
    Gatherer(system, work).sum(place, force, torque);
    return {vector_of(force), vector_of(torque)};
}

Drift contacts_and_drift(const model::System& system, Workspace& work, int threads) {
    const Mover mover(system, work);
    const Gatherer gatherer(system, work);
    const Row gravity = row_of(system.gravity);
    const Row half(0.5 * system.clock.step);
    const Contacts& contacts = work.contacts;
    const PairPhase pairs(system, work, false);
    const std::size_t tiles = contacts.tile_row.size() - 1;
    const auto move_on = [&](const std::uint32_t* places, std::size_t count, Drift& drift) {
        // Sums and motion in turns of a few bodies, as in the contact loop.
        constexpr std::size_t turn = 16;
        Row force[turn], torque[turn];
        for (std::size_t first = 0; first < count; first += turn) {
            const std::size_t some = std::min(turn, count - first);
            for (std::size_t k = 0; k < some; ++k) {
                gatherer.sum(places[first + k], force[k], torque[k]);
            }
            std::size_t k = 0;
            const auto place = [&](std::size_t m) { return std::size_t{places[first + m]}; };
            move_all(work, some, drift, place, [&](std::size_t s) {
                const Rates r = rates(work, s, force[k], torque[k], gravity);
                ++k;
                const Motion& motion = work.motion[s];
                return mover.move(s, load_row(&motion.velocity.x) + r.acceleration * half,
                                  load_row(&motion.spin.x) + r.spin_rate * half, r.acceleration, r.spin_rate, drift);
            });
        }
    };
    const auto share = [&](std::size_t begin, std::size_t end, Drift& drift, PairTally& tally,
                           std::vector<std::uint32_t>& later) {
        std::vector<std::uint32_t> ready;
        for (std::size_t tile = begin; tile < end; ++tile) {
            pairs.evaluate(tile * tile_blocks, std::min((tile + 1) * tile_blocks, contacts.blocks - 1), tally);
            const std::uint32_t* places = contacts.tile_place.data() + contacts.tile_row[tile];
            const std::size_t count = contacts.tile_row[tile + 1] - contacts.tile_row[tile];
            if (begin == 0 && end == tiles) {
                move_on(places, count, drift);
                continue;
            }
            // Bodies that also touch what another thread works on wait until all are done.
            ready.clear();
            for (std::size_t k = 0; k < count; ++k) {
                (contacts.first_tile[places[k]] >= begin ? ready : later).push_back(places[k]);
            }
            move_on(ready.data(), ready.size(), drift);
        }
    };
    Drift drift;
    if (threads <= 1 || tiles < 2 * static_cast<std::size_t>(threads)) {
        PairTally tally;
        std::vector<std::uint32_t> none;
        share(0, tiles, drift, tally, none);
        pairs.close(tally);
    } else {
        std::mutex merge;
#pragma omp parallel num_threads(threads)
        {
            const auto shares = static_cast<std::size_t>(omp_get_num_threads());
            const auto rank = static_cast<std::size_t>(omp_get_thread_num());
            Drift mine;
            PairTally tally;
            std::vector<std::uint32_t> later;
            share(tiles * rank / shares, tiles * (rank + 1) / shares, mine, tally, later);
#pragma omp barrier
            move_on(later.data(), later.size(), mine);
            const std::lock_guard<std::mutex> lock(merge);
            pairs.close(tally);
            merge_into(drift, mine);
        }
    }
    std::sort(drift.outside.begin(), drift.outside.end());
    return drift;
}

void gather_and_stop(model::System& system, const Workspace& work, bool kick, int threads) {
    model::Bodies& bodies = system.bodies;
    const Gatherer gatherer(system, work);
    const Row gravity = row_of(system.gravity);
    const Row half(kick ? 0.5 * system.clock.step : 0.0);
    base::parallel_for(work.places(), threads, [&](std::size_t s) {
        if (work.body_at[s] == Workspace::nobody) {
            return;
        }
        Row force, torque;
        gatherer.sum(s, force, torque);
        const Rates r = rates(work, s, force, torque, gravity);
        const Motion& motion = work.motion[s];
        const std::size_t i = work.body_at[s];
        bodies.position[i] = work.record[s].position;
        bodies.velocity[i] = vector_of(load_row(&motion.velocity.x) + r.acceleration * half);
        bodies.spin[i] = vector_of(load_row(&motion.spin.x) + r.spin_rate * half);
        bodies.acceleration[i] = vector_of(r.acceleration);
        bodies.spin_rate[i] = vector_of(r.spin_rate);
    });
}

void book_held(model::System& system, const Workspace& work) {
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
