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

constexpr std::int64_t sign = std::int64_t{1} << 63;
alignas(64) constexpr std::int64_t flips[16][8] = {
    {sign, sign, sign, sign}, {sign, sign, sign, sign}, {sign, sign, sign, sign}, {sign, sign, sign, sign},
    {sign, sign, sign, sign}, {sign, sign, sign, sign}, {sign, sign, sign, sign}, {sign, sign, sign, sign}};

template <bool spinning, bool torques>
class BodyLoop {
public:
    static bool run(const BodyTask& given, const std::uint32_t* places, std::size_t count) {
        const BodyTask task = given;
        const Shared shared(task);
        // Sums and motion in turns of a few bodies: shorter loops overlap better.
        constexpr std::size_t turn = 16;
        Pack8 sum[turn];
        __m128 least = _mm_setzero_ps();
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
                least = _mm_min_ss(least, move(task, shared, places[first + k], sum[k]));
            }
        }
        return _mm_cvtss_f32(least) < 0;
    }

private:
    TALUS_HOT static Pack8 gather(const BodyTask& task, std::uint32_t s) {
        const References& refs = task.refs[s];
        const unsigned higher = task.higher[s];
        // Row k of these turns the force round for the first `higher` references.
        const std::int64_t* const signs = flips[8 - higher];
        Pack8 sum(0.0);
        for (std::size_t k = 0; k < refs_per_body; ++k) {
            add(task, refs[k], k < higher ? 1 : 0, signs + 8 * k, sum);
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

    /// The body of higher id feels the opposite force and the same couple; without torques the lever follows.
    TALUS_HOT static void add(const BodyTask& task, std::uint32_t at, std::size_t side, const std::int64_t* signs,
                              Pack8& sum) {
        using Bits = math::VectorsOf<8>::Integers;
        const double* const slot = &task.slot->force.x + at;
        Bits flip;
        __builtin_memcpy(&flip, signs, sizeof(flip));
        Bits bits;
        __builtin_memcpy(&bits, slot, sizeof(bits));
        Pack8 pull(reinterpret_cast<Pack8::Lanes>(bits ^ flip));
        if constexpr (!torques) {
            const Pack8::Lanes lever = math::spread<8>(slot[3 + 4 * side]);
            pull = Pack8(_mm512_mask_mul_pd(pull.lanes, 0xf0, pull.lanes, lever));
        }
        sum += pull;
        if constexpr (spinning) {
            const Row moment = load_row(task.moment->data() + at / 2);
            const Row::Mask::Lanes low = __builtin_shufflevector(flip, flip, 0, 1, 2, 3);
            const Row turned(reinterpret_cast<Row::Lanes>(reinterpret_cast<Row::Mask::Lanes>(moment.lanes) ^ low));
            sum = Pack8(_mm512_mask_add_pd(sum.lanes, 0xf0, sum.lanes, both(Row(0.0), turned).lanes));
        }
    }

    /// What is the same for all bodies; a copy, so that no store can be thought to change it.
    struct Shared {
        Pack8 half, gravity;
        Row step, low, high, absurd_square;

        explicit Shared(const BodyTask& task)
            : half(0.5 * task.step),
              gravity(Pack8::Lanes{task.gravity.x, task.gravity.y, task.gravity.z, 0, 0, 0, 0, 0}),
              step(Row::Lanes{task.step, task.step, task.step, 0}),
              low(Row::Lanes{task.low.x, task.low.y, task.low.z, -1e300}),
              high(Row::Lanes{task.high.x, task.high.y, task.high.z, 1e300}),
              absurd_square(task.absurd_square) {}
    };
    /// Second half kick of this step, first half kick and drift of the next, prediction; returns what is left of the
    /// leash.
    TALUS_HOT static __m128 move(const BodyTask& task, const Shared& shared, std::uint32_t s, const Pack8& sum) {
        Record& record = task.record[s];
        Motion& motion = task.motion[s];
        const __m512d inverse = _mm512_mask_broadcastsd_pd(math::spread<8>(record.inverse_mass), 0xf0,
                                                           _mm_load_sd(&record.inverse_inertia));
        const Pack8 weight = shared.gravity * Pack8(motion.gravity);
        const __m512d pulled = _mm512_maskz_mul_pd(vectors, sum.lanes, inverse);
        const Pack8 rate(_mm512_mask_add_pd(pulled, linear, pulled, weight.lanes));
        const Pack8 kick = rate * shared.half;
        Pack8 velocity = load_pack<8>(&motion.velocity.x) + kick;
        velocity += kick;
        store_pack<8>(&motion.velocity.x, velocity);
        _mm512_mask_storeu_pd(&record.velocity.x, vectors, (velocity + kick).lanes);
        const Row moving(__builtin_shufflevector(velocity.lanes, velocity.lanes, 0, 1, 2, 3));
        const Row step(_mm256_maskz_mul_pd(linear, moving.lanes, shared.step.lanes));
        const Row x = load_row(&record.position.x) + step;
        store_row(&record.position.x, x);
        Leash& leash = task.leash[s];
        const __m128 before = _mm_load_ps(&leash.drift.x);
        const Row stray = step - Row(_mm256_cvtps_pd(before));
        const Row square = stray * stray;
        const double strayed2 = square[0] + square[1] + square[2];
        const auto left = static_cast<float>(static_cast<double>(leash.left) * (1 - 1.2e-7) - __builtin_sqrt(strayed2));
        leash.left = left;
        const Row radius(x[3]);
        const Row fast = radius * radius * shared.absurd_square;
        if (any(!(x >= shared.low && x < shared.high && step * step <= fast))) [[unlikely]] {
            double way[4];
            store_row(way, step);
            task.beyond(task.context, s, way);
        }
        return _mm_set_ss(left);
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
