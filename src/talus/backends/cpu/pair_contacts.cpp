#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "talus/backends/cpu/body_kernel.h"
#include "talus/backends/cpu/near_reach.h"
#include "talus/backends/cpu/pair_phase.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/exact_sum.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

Simd choose_simd() {
    const bool has_eight = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                           __builtin_cpu_supports("avx512vl") && wide_pair_kernels()[0][0][0][0] != nullptr &&
                           wide_body_kernel() != nullptr && wide_reach_kernel() != nullptr;
    const char* wanted = std::getenv("TALUS_SIMD");
    const std::string_view name = wanted != nullptr ? wanted : "";
    if (name == "scalar") {
        return Simd::scalar;
    }
    return has_eight && name != "avx2" ? Simd::eight : Simd::four;
}

const PairKernels& kernels() {
    switch (simd_level()) {
        case Simd::scalar:
            return scalar_pair_kernels();
        case Simd::four:
            return packed_pair_kernels();
        case Simd::eight:
            return wide_pair_kernels();
    }
    return scalar_pair_kernels();
}

}  // namespace

Simd simd_level() {
    static const Simd level = choose_simd();
    return level;
}

PairPhase::PairPhase(const model::System& system, Workspace& work, bool looking)
    : system_(system), work_(work), kernels_(kernels()), looking_(looking) {
    Contacts& contacts = work.contacts;
    for (std::uint8_t code = 0; code < 27; ++code) {
        const Vec3d s = search::image_shift(system.domain, code);
        shift_[code] = {s.x, s.y, s.z, 0};
    }
    if (looking) {
        work.looked.numbers.resize(contacts.blocks * LookedAt::rows * 8);
    }
    task_.record = work.record.data();
    task_.ends = contacts.ends.data();
    task_.image = contacts.image.data();
    task_.crosses = contacts.crosses.data();
    task_.shift = shift_[0].data();
    task_.history = contacts.history.data();
    task_.history_size = contacts.history_size;
    task_.slides = contacts.slides.data();
    task_.slots_of = work.slots.of_block.data();
    task_.slot = work.slots.slot.data();
    task_.moment = work.slots.moment.data();
    task_.looked = work.looked.numbers.data();
    task_.torques = work.slots.torques;
    task_.scale = work.scales.data();
    task_.body_at = work.body_at.data();
    task_.dt = system.clock.step;
    task_.overlap_limit = work.overlap_limit;
    task_.known_overlap = work.known_overlap;
    task_.carry = [](LaneTotals& totals, LedgerSums& sums, const LedgerScale* scales) {
        totals.carry_into(sums, scales);
    };
    task_.add_rare = [](LedgerSums& sums, std::size_t q, double term) { sums.rare.push_back({q, term}); };
}

void PairPhase::open(PairTally& tally) const {
    tally.totals.begin(work_.scales.data());
}

void PairPhase::evaluate(std::size_t tile, PairTally& tally) const {
    const Contacts& contacts = work_.contacts;
    PairTask task = task_;
    task.notes = &tally.notes;
    task.sums = &tally.sums;
    task.totals = &tally.totals;
    const std::uint32_t first = contacts.run_row[tile];
    const std::uint32_t last = contacts.run_row[tile + 1];
    // While a tile is worked on, the spheres that the next one will be the first to read are asked for.
    std::size_t fresh = 0;
    std::size_t fresh_end = 0;
    std::size_t blocks = 1;
    if (tile + 1 < contacts.tiles() && first < last) {
        fresh = work_.slots.fresh_row[tile + 1];
        fresh_end = work_.slots.fresh_row[tile + 2];
        blocks = contacts.runs[last - 1].end - contacts.runs[first].begin;
    }
    const std::size_t share = (fresh_end - fresh + blocks - 1) / blocks;  // of a block
    for (std::uint32_t r = first; r < last; ++r) {
        const ContactClass& c = contacts.classes[contacts.runs[r].of_class];
        const model::PairLaw& between = system_.materials.between(c.material_a, c.material_b);
        task.begin = contacts.runs[r].begin;
        task.end = contacts.runs[r].end;
        task.apart = contacts.runs[r].apart;
        task.fresh = work_.slots.fresh.data() + fresh;
        task.fresh_count = std::min(share * (task.end - task.begin), fresh_end - fresh);
        fresh += task.fresh_count;
        task.params = &between.parameters;
        task.alike = c.pairs;
        const auto law = static_cast<std::size_t>(between.law);
        kernels_[law][c.alike ? 1 : 0][work_.spin_friction ? 1 : 0][looking_ ? 1 : 0](task);
    }
}

void PairPhase::close(PairTally& tally) const {
    tally.totals.carry_into(tally.sums, work_.scales.data());
    work_.notes.merge(tally.notes);
    work_.sums.merge(tally.sums);
}

void book_contacts(model::System& system, Workspace& work) {
    model::Ledger& ledger = system.ledger;
    ledger.peak = work.sums.peak;
    for (std::size_t m = 0; m < model::mechanism_count; ++m) {
        ledger.power[m] = work.sums.value(m, work.scales[m]);
        ledger.dissipated[m] += system.clock.step * ledger.power[m];
    }
}

void book_stored(model::System& system, const Workspace& work) {
    base::ExactSum normal;
    base::ExactSum tangential;
    base::ExactSum ahead;
    for (std::size_t b = 1; b < work.contacts.blocks; ++b) {
        const double* const rows = &work.looked.numbers[b * LookedAt::rows * 8];
        for (std::size_t lane = 0; lane < 8; ++lane) {
            normal += rows[3 * 8 + lane];
            tangential += rows[4 * 8 + lane];
            ahead += rows[5 * 8 + lane];
        }
    }
    for (std::size_t q = 0; q < system.wall_pairs.size(); ++q) {
        if (system.wall_pairs.touching[q]) {
            normal += work.wall_slot[q].stored_normal;
            tangential += work.wall_slot[q].stored_tangential;
            ahead += work.wall_slot[q].ahead;
        }
    }
    system.ledger.stored = {normal.value(), tangential.value()};
    system.ledger.power[static_cast<std::size_t>(model::Mechanism::normal_damping)] -= ahead.value();
}

}  // namespace talus::backends::cpu
