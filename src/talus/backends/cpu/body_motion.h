// How a body gathers its contacts and moves on, on rows of four numbers; shared by the sweeps.
#pragma once

#include <algorithm>
#include <cmath>

#include "talus/backends/cpu/phases.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

using math::load_row;
using math::Row;
using math::store_row;

inline Row row_of(const Vec3d& v, double last = 0) {
    return Row(Row::Lanes{v.x, v.y, v.z, last});
}
inline Vec3d vector_of(const Row& row) {
    return {row[0], row[1], row[2]};
}
TALUS_HOT Row keep_xyz(const Row& row, const Row& last) {
    const Row::Mask xyz{{-1, -1, -1, 0}};
    return math::select(xyz, row, last);
}

/// Brings a position back into a periodic domain; returns by how many periods it was moved (0 or +-1 an axis).
model::Image wrap(const model::Domain& domain, Vec3d& x);
/// A body at or beyond a border of the domain.
void cross_border(const model::System& system, Workspace& work, std::size_t s, Drift& drift);

/// A body that is beyond its leash, and may have been thrown.
void stray(const Workspace& work, std::size_t s, const Vec3d& step, Drift& drift);

/// Moves bodies through a step and watches what they run into.
class Mover {
public:
    Mover(const model::System& system, Workspace& work)
        : system_(system),
          work_(work),
          record_(work.record.data()),
          motion_(work.motion.data()),
          flow_(work.drift_steps > 0 ? work.flow.data() : nullptr),
          step_(system.clock.step),
          half_(0.5 * system.clock.step),
          low_(row_of(system.domain.low, -model::Domain::unbounded)),
          high_(row_of(system.domain.high, model::Domain::unbounded)) {}

    /// First half kick, drift and prediction. The rows of `velocity` and `spin` are whole-step ones; accelerations have
    /// a zero in the last lane.
    TALUS_HOT void move(std::size_t s, Row velocity, Row spin, const Row& acceleration, const Row& spin_rate,
                        Drift& drift) const {
        Record& record = record_[s];
        Motion& motion = motion_[s];
        const Row kick = acceleration * half_;
        const Row turn = spin_rate * half_;
        velocity += kick;
        spin += turn;
        const Row step = keep_xyz(velocity * step_, Row(0.0));
        const Row x = load_row(&record.position.x) + step;
        store_row(&record.position.x, x);
        store_row(&record.velocity.x, keep_xyz(velocity + kick, load_row(&record.velocity.x)));
        store_row(&record.spin.x, keep_xyz(spin + turn, load_row(&record.spin.x)));
        store_row(&motion.velocity.x, velocity);
        store_row(&motion.spin.x, spin);
        if (any(!(x >= low_ && x < high_))) [[unlikely]] {
            cross_border(system_, work_, s, drift);
        }
        if (flow_ != nullptr) {
            record.home += as_doubles(flow_[s].drift);
        }
        if (!(record.strayed2() <= record.leash2)) [[unlikely]] {
            stray(work_, s, vector_of(step), drift);
        }
    }

private:
    const model::System& system_;
    Workspace& work_;
    Record* record_;
    Motion* motion_;
    const Flow* flow_;
    double step_, half_;
    Row low_, high_;
};

/// Sums of slots, as rows; the last lanes mean nothing. `spinning`: slots have moments beside them.
template <bool spinning>
class Gatherer {
public:
    Gatherer(const model::System& system, Workspace& work)
        : system_(system),
          work_(work),
          slot_(reinterpret_cast<const double*>(work.slots.slot.data())),
          moment_(spinning ? work.slots.moment.data()->data() : nullptr),
          refs_(work.slots.refs.data()),
          higher_(work.slots.higher.data()),
          special_(work.special.data()),
          torques_(work.slots.torques) {}

    TALUS_HOT void sum(std::size_t s, Row& force, Row& torque) const {
        force = Row(0.0);
        torque = Row(0.0);
        const References& refs = refs_[s];
        const std::size_t higher = higher_[s];
        for (std::size_t k = 0; k < 6; ++k) {
            add(refs[k], k < higher ? 1 : 0, force, torque);
        }
        if (refs[6] != 0) {  // few bodies have more
            add(refs[6], 6 < higher ? 1 : 0, force, torque);
            add(refs[7], 7 < higher ? 1 : 0, force, torque);
        }
        if (special_[s] != 0) [[unlikely]] {
            add_special(s, force, torque);
        }
    }
    /// Contacts beyond the references, then walls.
    void add_special(std::size_t s, Row& force, Row& torque) const {
        if ((special_[s] & Workspace::more_contacts) != 0) {
            for (std::uint32_t k = work_.contacts.more_row[s]; k < work_.contacts.more_row[s + 1]; ++k) {
                const std::uint32_t ref = work_.slots.more[k];
                add((ref >> 1U) * 8, ref & 1U, force, torque);
            }
        }
        if ((special_[s] & Workspace::at_walls) != 0 && !add_walls(work_.body_at[s], force, torque)) {
            special_[s] = static_cast<std::uint8_t>(special_[s] & ~Workspace::at_walls);
        }
    }

private:
    /// `side`: 1 if the body is the one of higher id.
    TALUS_HOT void add(std::uint32_t at, std::size_t side, Row& force, Row& torque) const {
        using Bits = Row::Mask::Lanes;
        constexpr std::int64_t sign = std::int64_t{1} << 63;
        alignas(32) static constexpr std::int64_t flips[2][4] = {{0, 0, 0, 0}, {sign, sign, sign, sign}};
        const double* slot = slot_ + at;
        Bits flip;  // the body of higher id feels the opposite
        __builtin_memcpy(&flip, flips[side], sizeof(flip));
        const Row pull(reinterpret_cast<Row::Lanes>(reinterpret_cast<Bits>(load_row(slot).lanes) ^ flip));
        force += pull;
        torque += torques_ ? load_row(slot + 4) : load_row(slot + 4) * Row(slot[3 + 4 * side]);
        if constexpr (spinning) {
            const Row moment = load_row(moment_ + at / 2);
            torque += Row(reinterpret_cast<Row::Lanes>(reinterpret_cast<Bits>(moment.lanes) ^ flip));
        }
    }
    /// Whether the body touches any.
    bool add_walls(std::size_t i, Row& force, Row& torque) const {
        const model::WallPairList& walls = system_.wall_pairs;
        bool any = false;
        for (std::uint32_t q = walls.row[i]; q < walls.row[i + 1]; ++q) {
            if (walls.touching[q]) {
                force += row_of(work_.wall_slot[q].force);
                torque += row_of(work_.wall_slot[q].torque_i);
                any = true;
            }
        }
        return any;
    }

    const model::System& system_;
    const Workspace& work_;
    const double* slot_;
    const double* moment_;
    const References* refs_;
    const std::uint8_t* higher_;
    std::uint8_t* special_;
    bool torques_;
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

}  // namespace talus::backends::cpu
