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

/// Evaluates a law, commits its history and writes its slot.
template <class Law>
inline void respond_into(const laws::Kinematics<double>& contact, const typename Law::Params& params, double* history,
                         double dt, Slot& slot) {
    const auto answer = Law::respond(contact, params, load_history<Law>(history), dt);
    const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
    std::copy(raw.begin(), raw.end(), history);
    slot = {answer.force,
            answer.torque_i,
            answer.torque_j,
            answer.stored_normal,
            answer.stored_tangential,
            {answer.normal_damping, answer.tangential_damping, answer.sliding, answer.rolling, answer.twisting}};
}

/// Ends a contact: its history is forgotten, and what its spring still held is returned as lost.
template <class Law>
inline double end_contact(const typename Law::Params& params, double* history) {
    const auto last = load_history<Law>(history);
    std::fill_n(history, Law::history_size, 0.0);
    return Law::released(params, last);
}

inline void note_overlap(ContactNotes& notes, double overlap, double smaller_radius, double limit, std::size_t body) {
    const double ratio = overlap / smaller_radius;
    if (ratio > limit) {
        ++notes.large_overlaps;
    }
    if (ratio > notes.largest_overlap) {
        notes.largest_overlap = ratio;
        notes.largest_overlap_body = static_cast<std::int64_t>(body);
    }
}

}  // namespace talus::backends::cpu
