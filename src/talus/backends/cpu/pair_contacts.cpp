// The contact phase for pairs of spheres: hands shares of blocks to the threads, and closes the books.
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "talus/backends/cpu/pair_kernel.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/exact_sum.h"
#include "talus/base/parallel.h"

namespace talus::backends::cpu {

namespace {

Simd choose_simd() {
    const bool has_eight = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                           __builtin_cpu_supports("avx512vl") && wide_pair_kernels()[0][0][0][0] != nullptr;
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

void pair_contacts(const model::System& system, Workspace& work, bool looking, int threads) {
    Contacts& contacts = work.contacts;
    std::array<std::array<double, 4>, 27> shift{};
    for (std::uint8_t code = 0; code < 27; ++code) {
        const Vec3d s = search::image_shift(system.domain, code);
        shift[code] = {s.x, s.y, s.z, 0};
    }
    PairTask task;
    task.record = work.record.data();
    task.ends = contacts.ends.data();
    task.image = contacts.image.data();
    task.crosses = contacts.crosses.data();
    task.shift = shift[0].data();
    task.history = contacts.history.data();
    task.history_size = contacts.history_size;
    task.slot = contacts.slot.data();
    task.moment = contacts.moment.data();
    if (looking) {
        work.pair_stored.resize(contacts.blocks * 16);
    }
    task.stored = work.pair_stored.data();
    task.scale = work.scales.data();
    task.body_at = work.body_at.data();
    task.dt = system.clock.step;
    task.overlap_limit = work.overlap_limit;
    task.add_rare = [](LedgerSums& sums, std::size_t q, double term) { sums.rare.push_back({q, term}); };
    std::mutex merge;
    // Blocks of all classes in a row, in even shares.
    base::parallel_ranges(contacts.blocks - 1, threads, [&](std::size_t begin, std::size_t end) {
        PairTask mine = task;
        ContactNotes notes;
        LedgerSums sums;
        mine.notes = &notes;
        mine.sums = &sums;
        mine.grains = sums.grains.data();
        mine.peak = sums.peak.data();
        for (const ContactClass& k : contacts.classes) {
            const model::PairLaw& between = system.materials.between(k.material_a, k.material_b);
            mine.begin = std::max(k.begin, begin + 1);
            mine.end = std::min(k.end, end + 1);
            if (mine.begin < mine.end) {
                mine.params = &between.parameters;
                const auto law = static_cast<std::size_t>(between.law);
                kernels()[law][work.equal_radii ? 1 : 0][work.spin_friction ? 1 : 0][looking ? 1 : 0](mine);
            }
        }
        const std::lock_guard<std::mutex> lock(merge);
        work.notes.merge(notes);
        work.sums.merge(sums);
    });
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
    for (std::size_t k = 16; k < work.contacts.blocks * 16; ++k) {
        (k % 16 < 8 ? normal : tangential) += work.pair_stored[k];
    }
    for (std::size_t q = 0; q < system.wall_pairs.size(); ++q) {
        if (system.wall_pairs.touching[q]) {
            normal += work.wall_slot[q].stored_normal;
            tangential += work.wall_slot[q].stored_tangential;
        }
    }
    system.ledger.stored = {normal.value(), tangential.value()};
}

}  // namespace talus::backends::cpu
