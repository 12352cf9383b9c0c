// The step from kinematics to a slot, for one contact or for a pack of them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "talus/backends/cpu/workspace.h"
#include "talus/laws/contact.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

/// Histories are stored as plain numbers, so that lists, checkpoints and devices need not know the law.
template <class Law>
using RawHistory = std::array<double, static_cast<std::size_t>(Law::history_size)>;

template <class Law>
inline typename Law::template History<double> load_history(const double* history) {
    RawHistory<Law> raw;
    std::copy_n(history, raw.size(), raw.begin());
    return std::bit_cast<typename Law::template History<double>>(raw);
}

/// Evaluates a law, commits its history, writes its slot and adds what it dissipates to `power`.
template <class Law>
inline void respond_into(const laws::Kinematics<double>& contact, const typename Law::Params& params, double* history,
                         double dt, Slot& slot, Powers& power) {
    const auto answer = Law::respond(contact, params, load_history<Law>(history), dt);
    const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
    std::copy(raw.begin(), raw.end(), history);
    slot = {answer.force, answer.stored_normal, answer.torque_i, answer.stored_tangential, answer.torque_j, 0.0};
    power[0] += answer.normal_damping;
    power[1] += answer.tangential_damping;
    power[2] += answer.sliding;
    power[3] += answer.rolling;
    power[4] += answer.twisting;
}

/// The same for four contacts at once. Lanes from `count` on are padding: they repeat a contact that is there, write
/// the same answer to the same place and add no power.
template <class Law>
TALUS_HOT void respond_into(const laws::Kinematics<math::Pack>& contact, const typename Law::Params& params,
                            double* const history[4], double dt, Slot* const slot[4], Powers* const power[4],
                            int count) {
    using math::Pack;
    using History = typename Law::template History<Pack>;
    static_assert(Law::history_size % Pack::width == 0, "histories are loaded in rows of four numbers");
    std::array<Pack, static_cast<std::size_t>(Law::history_size)> columns;
    for (std::size_t c = 0; c < columns.size(); c += 4) {
        const double* const rows[4] = {history[0] + c, history[1] + c, history[2] + c, history[3] + c};
        load_columns(rows, columns[c], columns[c + 1], columns[c + 2], columns[c + 3]);
    }
    const auto answer = Law::respond(contact, params, std::bit_cast<History>(columns), dt);
    columns = std::bit_cast<decltype(columns)>(answer.history);
    for (std::size_t c = 0; c < columns.size(); c += 4) {
        double* const rows[4] = {history[0] + c, history[1] + c, history[2] + c, history[3] + c};
        store_columns(rows, columns[c], columns[c + 1], columns[c + 2], columns[c + 3]);
    }
    double* const forces[4] = {&slot[0]->force.x, &slot[1]->force.x, &slot[2]->force.x, &slot[3]->force.x};
    double* const torques_i[4] = {&slot[0]->torque_i.x, &slot[1]->torque_i.x, &slot[2]->torque_i.x,
                                  &slot[3]->torque_i.x};
    double* const torques_j[4] = {&slot[0]->torque_j.x, &slot[1]->torque_j.x, &slot[2]->torque_j.x,
                                  &slot[3]->torque_j.x};
    store_columns(forces, answer.force.x, answer.force.y, answer.force.z, answer.stored_normal);
    store_columns(torques_i, answer.torque_i.x, answer.torque_i.y, answer.torque_i.z, answer.stored_tangential);
    store_columns(torques_j, answer.torque_j.x, answer.torque_j.y, answer.torque_j.z, Pack(0.0));
    for (int k = 0; k < count; ++k) {
        Powers& sum = *power[k];
        sum[0] += answer.normal_damping[k];
        sum[1] += answer.tangential_damping[k];
        sum[2] += answer.sliding[k];
        sum[3] += answer.rolling[k];
        sum[4] += answer.twisting[k];
    }
}

/// Ends a contact: its history is forgotten, and what its spring still held is returned as lost.
template <class Law>
inline double end_contact(const typename Law::Params& params, double* history) {
    const auto last = load_history<Law>(history);
    std::fill_n(history, Law::history_size, 0.0);
    return Law::released(params, last);
}

inline void note_overlap(ContactNotes& notes, double overlap, double smaller_radius, double limit, std::size_t body) {
    if (overlap > limit * smaller_radius) {
        ++notes.large_overlaps;
    }
    if (overlap > notes.largest_overlap * smaller_radius) {
        notes.largest_overlap = overlap / smaller_radius;
        notes.largest_overlap_body = static_cast<std::int64_t>(body);
    }
}

}  // namespace talus::backends::cpu
