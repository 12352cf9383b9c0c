// The loop over bodies on rows of eight numbers: force and torque, velocity and spin side by side. Compiled for AVX-512
// (see CMakeLists.txt) and called only where it is there; the same operations as in body_motion.h, so the same bits.
#include "talus/backends/cpu/body_kernel.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace {

using math::load_pack;
using math::load_row;
using math::Pack8;
using math::Row;
using math::store_pack;
using math::store_row;

constexpr __mmask8 vectors = 0x77;  // all but the last lanes of both rows
constexpr __mmask8 linear = 0x07;

TALUS_HOT Pack8 both(const Row& low, const Row& high) {
    return Pack8(__builtin_shufflevector(low.lanes, high.lanes, 0, 1, 2, 3, 4, 5, 6, 7));
}

template <bool spinning, bool torques>
class BodyLoop {
public:
    static bool run(const BodyTask& task, const std::uint32_t* places, std::size_t count) {
        // Sums and motion in turns of a few bodies: shorter loops overlap better.
        constexpr std::size_t turn = 16;
        Pack8 sum[turn];
        double least = 0;
        for (std::size_t first = 0; first < count; first += turn) {
            const std::size_t some = count - first < turn ? count - first : turn;
            for (std::size_t k = 0; k < some; ++k) {
                if (first + turn + k < count) {  // what the next turn will read
                    const std::uint32_t later = places[first + turn + k];
                    __builtin_prefetch(task.motion + later);
                    __builtin_prefetch(task.refs + later);
                }
                sum[k] = gather(task, places[first + k]);
            }
            for (std::size_t k = 0; k < some; ++k) {
                least = math::smaller(least, move(task, places[first + k], sum[k]));
            }
        }
        return least < 0;
    }

private:
    TALUS_HOT static Pack8 gather(const BodyTask& task, std::uint32_t s) {
        const References& refs = task.refs[s];
        Pack8 sum(0.0);
        for (std::size_t k = 0; k < 6; ++k) {
            add(task, refs[k], sum);
        }
        if (refs[6] != 0) {  // few bodies have more
            add(task, refs[6], sum);
            add(task, refs[7], sum);
        }
        if (task.special[s] != 0) [[unlikely]] {
            sum = with_special(task, s, sum);
        }
        return sum;
    }
    [[gnu::noinline]] static Pack8 with_special(const BodyTask& task, std::uint32_t s, Pack8 sum) {
        alignas(64) double numbers[8];
        store_pack<8>(numbers, sum);
        task.add_special(task.context, s, numbers, numbers + 4);
        return load_pack<8>(numbers);
    }

    TALUS_HOT static void add(const BodyTask& task, std::uint32_t ref, Pack8& sum) {
        using Bits = math::VectorsOf<8>::Integers;
        constexpr std::int64_t sign = std::int64_t{1} << 63;
        // The body of higher id feels the opposite force and the same couple; without torques the lever follows.
        alignas(64) static constexpr std::int64_t flips[2][8] = {{0, 0, 0, 0, 0, 0, 0, 0},
                                                                 {sign, sign, sign, sign, 0, 0, 0, 0}};
        const std::size_t side = ref & 1U;
        const auto* slot = reinterpret_cast<const double*>(task.slot + (ref >> 1U));
        Bits flip;
        __builtin_memcpy(&flip, flips[side], sizeof(flip));
        Bits bits;
        __builtin_memcpy(&bits, slot, sizeof(bits));
        Pack8 pull(reinterpret_cast<Pack8::Lanes>(bits ^ flip));
        if constexpr (!torques) {
            const Pack8::Lanes lever = math::spread<8>(slot[3 + 4 * side]);
            pull = Pack8(_mm512_mask_mul_pd(pull.lanes, 0xf0, pull.lanes, lever));
        }
        sum += pull;
        if constexpr (spinning) {
            const Row moment = load_row(task.moment[ref >> 1U].data());
            const Row::Mask::Lanes low = __builtin_shufflevector(flip, flip, 0, 1, 2, 3);
            const Row turned(reinterpret_cast<Row::Lanes>(reinterpret_cast<Row::Mask::Lanes>(moment.lanes) ^ low));
            sum = Pack8(_mm512_mask_add_pd(sum.lanes, 0xf0, sum.lanes, both(Row(0.0), turned).lanes));
        }
    }

    /// Second half kick of this step, first half kick and drift of the next, prediction; returns the budget left.
    TALUS_HOT static double move(const BodyTask& task, std::uint32_t s, const Pack8& sum) {
        Record& record = task.record[s];
        Motion& motion = task.motion[s];
        const Pack8 half(0.5 * task.step);
        const Pack8 inverse = both(Row(record.inverse_mass), Row(record.inverse_inertia));
        const Row weight = Row(Row::Lanes{task.gravity.x, task.gravity.y, task.gravity.z, 0}) * Row(motion.gravity);
        const Pack8::Lanes pulled = _mm512_maskz_mul_pd(vectors, sum.lanes, inverse.lanes);
        const Pack8 rate(_mm512_mask_add_pd(pulled, linear, pulled, both(weight, Row(0.0)).lanes));
        const Pack8 kick = rate * half;
        Pack8 velocity = load_pack<8>(&motion.velocity.x) + kick;
        velocity += kick;
        store_pack<8>(&motion.velocity.x, velocity);
        _mm512_mask_storeu_pd(&record.velocity.x, vectors, (velocity + kick).lanes);
        const Row moving(__builtin_shufflevector(velocity.lanes, velocity.lanes, 0, 1, 2, 3));
        const Row step(_mm256_maskz_mul_pd(linear, moving.lanes, math::spread<4>(task.step)));
        const Row x = load_row(&record.position.x) + step;
        store_row(&record.position.x, x);
        const Row square = step * step;
        const double moved2 = square[0] + square[1] + square[2];
        const double radius = x[3];
        const double budget = task.budget[s] - __builtin_sqrt(moved2);
        task.budget[s] = budget;
        const Row low(Row::Lanes{task.low.x, task.low.y, task.low.z, -1e300});
        const Row high(Row::Lanes{task.high.x, task.high.y, task.high.z, 1e300});
        const bool lost = !(moved2 <= task.absurd * task.absurd * radius * radius);
        if (lost || any(x < low || x >= high)) [[unlikely]] {
            task.beyond(task.context, s, lost);
        }
        return budget;
    }
};

}  // namespace

BodyKernel wide_body_kernel() {
    return [](const BodyTask& task, const std::uint32_t* places, std::size_t count) {
        if (task.moment != nullptr) {
            return task.torques ? BodyLoop<true, true>::run(task, places, count)
                                : BodyLoop<true, false>::run(task, places, count);
        }
        return task.torques ? BodyLoop<false, true>::run(task, places, count)
                            : BodyLoop<false, false>::run(task, places, count);
    };
}

#else

BodyKernel wide_body_kernel() {
    return nullptr;
}

#endif

}  // namespace talus::backends::cpu
