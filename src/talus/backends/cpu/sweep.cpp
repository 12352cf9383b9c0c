// The sweep over all tiles: contacts, and as soon as they are known the bodies' sums and motion.
#include <omp.h>

#include <mutex>

#include "talus/backends/cpu/body_kernel.h"
#include "talus/backends/cpu/body_motion.h"
#include "talus/backends/cpu/pair_phase.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

void merge_into(Drift& drift, const Drift& mine) {
    drift.spent |= mine.spent;
    drift.wrapped.insert(drift.wrapped.end(), mine.wrapped.begin(), mine.wrapped.end());
    drift.periods.insert(drift.periods.end(), mine.periods.begin(), mine.periods.end());
    drift.outside.insert(drift.outside.end(), mine.outside.begin(), mine.outside.end());
    if (mine.lost_body >= 0) {
        drift.lose(mine.lost_body);
    }
}

/// Works on tiles and hands bodies whose contacts are all known to `move_on(places, count, drift)`. Bodies with
/// contacts in two threads' shares wait until both are done.
template <class MoveOn>
Drift sweep(const Workspace& work, const PairPhase& pairs, int threads, const MoveOn& move_on) {
    const Slots& slots = work.slots;
    const auto share = [&](std::size_t r, Drift& drift, PairTally& tally) {
        for (std::size_t tile = slots.share_tile[r]; tile < slots.share_tile[r + 1]; ++tile) {
            pairs.evaluate(tile, tally);
            const std::uint32_t first = slots.tile_row[tile];
            move_on(slots.tile_place.data() + first, slots.tile_row[tile + 1] - first, drift);
        }
    };
    const std::size_t shares = slots.share_tile.size() - 1;
    Drift drift;
    if (threads <= 1 || shares == 1) {
        PairTally tally;
        pairs.open(tally);
        for (std::size_t r = 0; r < shares; ++r) {
            share(r, drift, tally);
        }
        for (const auto& waiting : slots.waiting) {
            move_on(waiting.data(), waiting.size(), drift);
        }
        pairs.close(tally);
    } else {
        std::mutex merge;
#pragma omp parallel num_threads(threads)
        {
            Drift mine;
            PairTally tally;
            pairs.open(tally);
#pragma omp for schedule(static)
            for (std::size_t r = 0; r < shares; ++r) {
                share(r, mine, tally);
            }
#pragma omp for schedule(static)
            for (std::size_t r = 0; r < shares; ++r) {
                move_on(slots.waiting[r].data(), slots.waiting[r].size(), mine);
            }
            const std::lock_guard<std::mutex> lock(merge);
            pairs.close(tally);
            merge_into(drift, mine);
        }
    }
    std::sort(drift.outside.begin(), drift.outside.end());
    return drift;
}

template <class Use>
void with_gatherer(const model::System& system, Workspace& work, const Use& use) {
    if (work.spin_friction) {
        use(Gatherer<true>(system, work));
    } else {
        use(Gatherer<false>(system, work));
    }
}

/// The bodies' part of a sweep by the wide loop over bodies.
class WideMoves {
public:
    WideMoves(const model::System& system, Workspace& work)
        : system_(system), work_(work), kernel_(wide_body_kernel()) {
        task_.record = work.record.data();
        task_.motion = work.motion.data();
        task_.flow = work.drift_steps > 0 ? work.flow.data() : nullptr;
        task_.refs = work.slots.refs.data();
        task_.higher = work.slots.higher.data();
        task_.used = work.slots.used.data();
        task_.slot = work.slots.slot.data();
        task_.moment = work.spin_friction ? work.slots.moment.data() : nullptr;
        task_.special = work.special.data();
        task_.torques = work.slots.torques;
        task_.gravity = system.gravity;
        task_.step = system.clock.step;
        task_.low = system.domain.low;
        task_.high = system.domain.high;
        task_.add_special = &add_special;
        task_.beyond = &beyond;
        task_.strayed = &strayed;
    }
    void operator()(const std::uint32_t* places, std::size_t count, Drift& drift) const {
        Context context{this, &drift};
        BodyTask task = task_;
        task.context = &context;
        kernel_(task, places, count);
    }

private:
    struct Context {
        const WideMoves* moves;
        Drift* drift;
    };
    static void add_special(void* context, std::uint32_t place, double* force, double* torque) {
        const WideMoves& moves = *static_cast<const Context*>(context)->moves;
        Row f = load_row(force);
        Row t = load_row(torque);
        with_gatherer(moves.system_, moves.work_, [&](const auto& gatherer) { gatherer.add_special(place, f, t); });
        store_row(force, f);
        store_row(torque, t);
    }
    static void beyond(void* context, std::uint32_t place) {
        const auto& [moves, drift] = *static_cast<const Context*>(context);
        cross_border(moves->system_, moves->work_, place, *drift);
    }
    static void strayed(void* context, std::uint32_t place, const double* step) {
        const auto& [moves, drift] = *static_cast<const Context*>(context);
        stray(moves->work_, place, {step[0], step[1], step[2]}, *drift);
    }

    const model::System& system_;
    Workspace& work_;
    BodyKernel kernel_;
    BodyTask task_;
};

}  // namespace

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

void stray(const Workspace& work, std::size_t s, const Vec3d& step, Drift& drift) {
    drift.spent = true;
    const double radius = work.record[s].radius;
    if (!(norm2(step) <= absurd * absurd * radius * radius)) {
        drift.lose(work.body_at[s]);
    }
}

void cross_border(const model::System& system, Workspace& work, std::size_t s, Drift& drift) {
    const model::Domain& domain = system.domain;
    Vec3d& x = work.record[s].position;
    const Vec3d before = x;
    const model::Image moved = wrap(domain, x);
    work.record[s].home += x - before;
    if (!(moved == model::Image{})) {
        drift.wrapped.push_back(static_cast<std::uint32_t>(s));
        drift.periods.push_back(moved);
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[static_cast<std::size_t>(axis)] &&
            (x[axis] < domain.low[axis] || x[axis] > domain.high[axis])) {
            drift.outside.push_back(work.body_at[s]);
            return;
        }
    }
}

Drift take_and_drift(const model::System& system, Workspace& work, int threads) {
    const Mover mover(system, work);
    Drift drift;
    std::mutex merge;
    base::parallel_ranges(work.places(), threads, [&](std::size_t begin, std::size_t end) {
        Drift mine;
        for (std::size_t s = begin; s < end; ++s) {
            const std::size_t i = work.body_at[s];
            if (i == Workspace::nobody) {
                continue;
            }
            take_body(system, work, s);
            const model::Bodies& bodies = system.bodies;
            mover.move(s, row_of(bodies.velocity[i]), row_of(bodies.spin[i], work.motion[s].gravity),
                       row_of(bodies.acceleration[i]), row_of(bodies.spin_rate[i]), mine);
        }
        const std::lock_guard<std::mutex> lock(merge);
        merge_into(drift, mine);
    });
    std::sort(drift.outside.begin(), drift.outside.end());
    return drift;
}

BodySum sum_contacts(const model::System& system, Workspace& work, std::size_t place) {
    Row force, torque;
    with_gatherer(system, work, [&](const auto& gatherer) { gatherer.sum(place, force, torque); });
    return {vector_of(force), vector_of(torque)};
}

Drift contacts_and_drift(const model::System& system, Workspace& work, int threads) {
    const Mover mover(system, work);
    const Row gravity = row_of(system.gravity);
    const Row half(0.5 * system.clock.step);
    const PairPhase pairs(system, work, false);
    if (simd_level() == Simd::eight) {
        return sweep(work, pairs, threads, WideMoves(system, work));
    }
    Drift drift;
    with_gatherer(system, work, [&](const auto& gatherer) {
        drift = sweep(work, pairs, threads, [&](const std::uint32_t* places, std::size_t count, Drift& mine) {
            // Sums and motion in turns of a few bodies, as in the contact loop.
            constexpr std::size_t turn = 16;
            Row force[turn], torque[turn];
            for (std::size_t first = 0; first < count; first += turn) {
                const std::size_t some = std::min(turn, count - first);
                for (std::size_t k = 0; k < some; ++k) {
                    if (first + turn + k < count) {  // what the next turn will read
                        const std::uint32_t later = places[first + turn + k];
                        __builtin_prefetch(&work.motion[later]);
                        __builtin_prefetch(&work.slots.refs[later]);
                    }
                    gatherer.sum(places[first + k], force[k], torque[k]);
                }
                for (std::size_t k = 0; k < some; ++k) {
                    const std::size_t s = places[first + k];
                    const Rates r = rates(work, s, force[k], torque[k], gravity);
                    const Motion& motion = work.motion[s];
                    mover.move(s, load_row(&motion.velocity.x) + r.acceleration * half,
                               load_row(&motion.spin.x) + r.spin_rate * half, r.acceleration, r.spin_rate, mine);
                }
            }
        });
    });
    return drift;
}

void contacts_and_stop(model::System& system, Workspace& work, bool kick, int threads) {
    model::Bodies& bodies = system.bodies;
    const Row gravity = row_of(system.gravity);
    const Row half(kick ? 0.5 * system.clock.step : 0.0);
    const PairPhase pairs(system, work, true);
    const auto stop = [&](const auto& gatherer, std::size_t s) {
        const std::size_t i = work.body_at[s];
        if (i == Workspace::nobody) {
            return;
        }
        Row force, torque;
        gatherer.sum(s, force, torque);
        const Rates r = rates(work, s, force, torque, gravity);
        const Motion& motion = work.motion[s];
        bodies.position[i] = work.record[s].position;
        bodies.velocity[i] = vector_of(load_row(&motion.velocity.x) + r.acceleration * half);
        bodies.spin[i] = vector_of(load_row(&motion.spin.x) + r.spin_rate * half);
        bodies.acceleration[i] = vector_of(r.acceleration);
        bodies.spin_rate[i] = vector_of(r.spin_rate);
    };
    with_gatherer(system, work, [&](const auto& gatherer) {
        sweep(work, pairs, threads, [&](const std::uint32_t* places, std::size_t count, Drift&) {
            for (std::size_t k = 0; k < count; ++k) {
                stop(gatherer, places[k]);
            }
        });
    });
}

}  // namespace talus::backends::cpu
