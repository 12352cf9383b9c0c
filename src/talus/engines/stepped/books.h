// What one thread writes down during a step of hard grains, and how the books of all threads become ledger, records of
// walls and counters without a trace of how many there were.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/backends/cpu/ledger_sum.h"
#include "talus/engines/stepped/measures.h"
#include "talus/laws/impact.h"
#include "talus/model/system.h"

namespace talus::engines::stepped {

using math::Vec3d;

struct Books {
    /// What a wall or whatever holds a grain receives.
    struct Receipt {
        std::int32_t wall;  // -1: whatever holds a grain that no wall does
        std::uint64_t key;  // the order in which they are added up
        Vec3d impulse;      // N s, on the free grain
        Vec3d moment;       // N m s, of it about the wall's position at that time
        double work = 0;    // J, done on the free grain
    };
    /// A grain that a sticky or absorbing wall has touched.
    struct Caught {
        std::uint32_t body, wall;
    };
    struct Jump {
        std::uint32_t body;
        Vec3d by;  // m, across a periodic border
    };

    backends::cpu::LedgerSums sums;
    std::vector<Receipt> receipts;
    std::vector<Caught> caught;
    std::vector<Jump> jumps;
    std::vector<std::uint32_t> outside;  // bodies
    std::int64_t collisions = 0, wall_collisions = 0, corrections = 0, large_overlaps = 0;
    double overlap = 0;  // radii, the largest seen
    std::int64_t overlap_id = -1;
    double fastest = 0;  // radii, the longest way
    std::int64_t fastest_id = -1;
    std::int64_t lost_id = -1;  // the first grain that went too far, or nowhere that is a number

    void lose(model::Mechanism kind, double loss, const backends::cpu::LedgerScales& scales) {
        const auto q = static_cast<std::size_t>(kind);
        sums.add(q, loss, scales[q]);
    }
    void book(const laws::Impact<double>& result, const backends::cpu::LedgerScales& scales);
    void note_overlap(std::int64_t id, double part, double limit);
    void note_way(std::int64_t id, double way, double longest);
    /// All that another thread has written down; its books are then empty.
    void take(Books& other);
    void clear();
};

inline void Books::book(const laws::Impact<double>& result, const backends::cpu::LedgerScales& scales) {
    lose(model::Mechanism::normal_damping, result.normal_loss, scales);
    // A contact either slips or does not, and nobody can foresee which.
    const bool slides = result.sliding_loss != 0;
    lose(slides ? model::Mechanism::sliding : model::Mechanism::tangential_damping,
         slides ? result.sliding_loss : result.tangential_loss, scales);
}

inline void Books::note_overlap(std::int64_t id, double part, double limit) {
    large_overlaps += part > limit ? 1 : 0;
    if (part > overlap || (part == overlap && id < overlap_id)) {
        overlap = part;
        overlap_id = id;
    }
}

backends::cpu::LedgerScales scales_for(const model::Ledger& ledger);
/// What gravity gains by a jump across a border is no work.
void settle_jumps(Books& books, model::System& system);
/// The end of a step: sums, counters and what walls received. Who was caught or is outside is in order then.
void settle(Books& books, model::System& system, const backends::cpu::LedgerScales& scales, Measures& measures);

}  // namespace talus::engines::stepped
