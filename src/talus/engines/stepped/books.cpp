#include "talus/engines/stepped/books.h"

#include <algorithm>

namespace talus::engines::stepped {

void Books::note_way(std::int64_t id, double way, double longest) {
    if (!(way <= longest)) {  // also if it is no number
        lost_id = lost_id < 0 ? id : std::min(lost_id, id);
    } else if (way > fastest || (way == fastest && id < fastest_id)) {
        fastest = way;
        fastest_id = id;
    }
}

void Books::take(Books& other) {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    sums.merge(other.sums);
    append(receipts, other.receipts);
    append(caught, other.caught);
    append(jumps, other.jumps);
    append(outside, other.outside);
    collisions += other.collisions;
    wall_collisions += other.wall_collisions;
    corrections += other.corrections;
    large_overlaps += other.large_overlaps;
    if (other.overlap > overlap || (other.overlap == overlap && other.overlap_id < overlap_id)) {
        overlap = other.overlap;
        overlap_id = other.overlap_id;
    }
    if (other.fastest_id >= 0) {
        note_way(other.fastest_id, other.fastest, other.fastest);
    }
    if (other.lost_id >= 0) {
        lost_id = lost_id < 0 ? other.lost_id : std::min(lost_id, other.lost_id);
    }
    other.clear();
}

void Books::clear() {
    sums.clear();
    receipts.clear();
    caught.clear();
    jumps.clear();
    outside.clear();
    collisions = wall_collisions = corrections = large_overlaps = 0;
    overlap = fastest = 0;
    overlap_id = fastest_id = lost_id = -1;
}

backends::cpu::LedgerScales scales_for(const model::Ledger& ledger) {
    backends::cpu::LedgerScales out{};
    for (std::size_t q = 0; q < out.size(); ++q) {
        out[q] = backends::cpu::LedgerScale::for_peak(ledger.peak[q]);
    }
    return out;
}

void settle_jumps(Books& books, model::System& system) {
    std::sort(books.jumps.begin(), books.jumps.end(),
              [](const Books::Jump& a, const Books::Jump& b) { return a.body < b.body; });
    for (const auto& [body, by] : books.jumps) {
        if (!system.bodies.is_held(body)) {
            system.ledger.gravity_reference += system.bodies.mass[body] * dot(system.gravity, by);
        }
    }
    books.jumps.clear();
}

void settle(Books& books, model::System& system, const backends::cpu::LedgerScales& scales, Measures& measures) {
    model::Ledger& ledger = system.ledger;
    for (std::size_t q = 0; q < scales.size(); ++q) {
        ledger.dissipated[q] += books.sums.value(q, scales[q]);
        // The grain of the sums follows the largest loss, and forgets it slowly: most steps have few impacts.
        ledger.peak[q] = std::max(books.sums.peak[q], 0.99 * ledger.peak[q]);
    }
    measures.collisions += books.collisions;
    measures.wall_collisions += books.wall_collisions;
    measures.corrections += books.corrections;
    if (books.fastest > measures.fastest ||
        (books.fastest == measures.fastest && books.fastest_id >= 0 && books.fastest_id < measures.fastest_id)) {
        measures.fastest = books.fastest;
        measures.fastest_id = books.fastest_id;
    }
    model::Counters& counters = system.counters;
    counters.large_overlaps += books.large_overlaps;
    if (books.overlap > counters.largest_overlap) {
        counters.largest_overlap = books.overlap;
        counters.largest_overlap_id = books.overlap_id;
    }
    std::sort(books.receipts.begin(), books.receipts.end(),
              [](const Books::Receipt& a, const Books::Receipt& b) { return a.key < b.key; });
    // Gravity's work counts the whole step with the velocity after an impact that stands between the two kicks, while
    // the first of them had the one before. Impacts of grains that overlap come after both.
    const Vec3d half_kick = system.step_rules.after_overlap ? Vec3d{} : system.gravity * (0.5 * system.clock.step);
    for (const Books::Receipt& r : books.receipts) {
        ledger.dissipated[static_cast<std::size_t>(model::Mechanism::time_step)] += dot(r.impulse, half_kick);
        if (r.wall < 0) {
            ledger.held_work += r.work;
            continue;
        }
        model::WallRecord& record = system.walls[static_cast<std::size_t>(r.wall)].record;
        record.impulse -= r.impulse;
        record.angular_impulse -= r.moment;
        record.work += r.work;
    }
    std::vector<Books::Caught>& caught = books.caught;
    const auto order = [](const Books::Caught& a, const Books::Caught& b) {
        return a.body != b.body ? a.body < b.body : a.wall < b.wall;
    };
    std::sort(caught.begin(), caught.end(), order);
    std::sort(books.outside.begin(), books.outside.end());
}

}  // namespace talus::engines::stepped
