// The step from kinematics to a slot, shared by pairs and walls.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "talus/backends/cpu/workspace.h"
#include "talus/laws/contact.h"

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
                         double dt, Slot& slot, Stored& stored, Powers& power) {
    const auto answer = Law::respond(contact, params, load_history<Law>(history), dt);
    const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
    std::copy(raw.begin(), raw.end(), history);
    slot = {answer.force, answer.torque_i, answer.torque_j};
    stored = {answer.stored_normal, answer.stored_tangential};
    power[0] += answer.normal_damping;
    power[1] += answer.tangential_damping;
    power[2] += answer.sliding;
    power[3] += answer.rolling;
    power[4] += answer.twisting;
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
