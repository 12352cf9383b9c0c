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

TALUS_HOT Pack8 both(const Row& low, const Row& high) {
    return Pack8(__builtin_shufflevector(low.lanes, high.lanes, 0, 1, 2, 3, 4, 5, 6, 7));
}

/// What a slot is multiplied with where a body is the one of higher id: it feels the opposite force and the same
/// couple.
constexpr double opposite[8] = {-1, -1, -1, -1, 1, 1, 1, 1};
struct alignas(64) Signs {
    double row[16][8];

    constexpr Signs() : row() {
        for (int k = 0; k < 16; ++k) {
            for (int lane = 0; lane < 8; ++lane) {
                row[k][lane] = k < 8 ? opposite[lane] : 1;
            }
        }
    }
};
constexpr Signs signs_of;

/// A constant that stays in its register: the compiler would make it anew each time, by way of the unit that shuffles.
TALUS_HOT __mmask8 kept(__mmask8 mask) {
    asm("" : "+k"(mask));
    return mask;
}

template <bool spinning, bool torques>
class BodyLoop {
public:
    static void run(const BodyTask& given, const std::uint32_t* places, std::size_t count) {
        const BodyTask task = given;
        const Shared shared(task);
        // Sums, motion and checks in turns of a few bodies: shorter loops overlap better.
        Pack8 sum[turn];
        for (std::size_t first = 0; first < count; first += turn) {
            const std::size_t some = count - first < turn ? count - first : turn;
            const std::uint32_t* const at = places + first;
            const std::size_t more = count - first - some < turn ? count - first - some : turn;
            gather(task, at, some, more, sum);
            move(task, shared, at, some, sum);
        }
    }

private:
    static constexpr std::size_t turn = 16;

    /// `more` places follow, which will be asked for next.
    TALUS_HOT static void gather(const BodyTask& task, const std::uint32_t* places, std::size_t count, std::size_t more,
                                 Pack8* sum) {
        switch (task.used[places[count - 1]]) {  // the most, as they are in order of it
            case 0:
            case 1:
            case 2:
                return gather_first<2>(task, places, count, more, sum);
            case 3:
                return gather_first<3>(task, places, count, more, sum);
            case 4:
                return gather_first<4>(task, places, count, more, sum);
            case 5:
                return gather_first<5>(task, places, count, more, sum);
            case 6:
                return gather_first<6>(task, places, count, more, sum);
            case 7:
                return gather_first<7>(task, places, count, more, sum);
            default:
                return gather_first<refs_per_body>(task, places, count, more, sum);
        }
    }
    /// Sums of the first references; the others are not of contacts.
    template <std::size_t refs>
    TALUS_HOT static void gather_first(const BodyTask& task, const std::uint32_t* places, std::size_t count,
                                       std::size_t more, Pack8* sum) {
        for (std::size_t k = 0; k < count; ++k) {
            if (k < more) {
                __builtin_prefetch(task.motion + places[count + k]);
                __builtin_prefetch(task.refs + places[count + k]);
            }
            const std::uint32_t s = places[k];
            const References& ref = task.refs[s];
            const double* const signs = signs_of.row[8 - task.higher[s]];  // opposite for the first `higher` references
            Pack8 all(0.0);
#pragma GCC unroll 8
            for (std::size_t m = 0; m < refs; ++m) {
                const Pack8 sign = load_pack<8>(signs + 8 * m);
                const double* const slot = &task.slot->force.x + ref[m];
                if constexpr (torques && !spinning) {
                    // The product is exact: as adding, or taking away.
                    all = Pack8(_mm512_fmadd_pd(sign.lanes, load_pack<8>(slot).lanes, all.lanes));
                } else {
                    add(task, ref[m], signs + 8 * m, all);
                }
            }
            if (task.special[s] != 0) [[unlikely]] {
                all = with_special(task, s, all);
            }
            sum[k] = all;
        }
    }
    [[gnu::noinline]] static Pack8 with_special(const BodyTask& task, std::uint32_t s, const Pack8& sum) {
        alignas(64) double numbers[8];
        store_pack<8>(numbers, sum);
        task.add_special(task.context, s, numbers, numbers + 4);
        return load_pack<8>(numbers);
    }

    /// Without torques the lever follows.
    TALUS_HOT static void add(const BodyTask& task, std::uint32_t at, const double* signs, Pack8& sum) {
        const double* const slot = &task.slot->force.x + at;
        const std::size_t side = *signs < 0 ? 1 : 0;
        Pack8 pull = load_pack<8>(slot) * load_pack<8>(signs);
        if constexpr (!torques) {
            const Pack8::Lanes lever = math::spread<8>(slot[3 + 4 * side]);
            pull = Pack8(_mm512_mask_mul_pd(pull.lanes, 0xf0, pull.lanes, lever));
        }
        sum += pull;
        if constexpr (spinning) {
            const Row turned = load_row(task.moment->data() + at / 2) * Row(*signs);
            sum = Pack8(_mm512_mask_add_pd(sum.lanes, 0xf0, sum.lanes, both(Row(0.0), turned).lanes));
        }
    }

    /// What is the same for all bodies; a copy, so that no store can be thought to change it.
    struct Shared {
        Pack8 half, gravity;
        Row step, low, high;

        explicit Shared(const BodyTask& task)
            : half(0.5 * task.step),
              gravity(Pack8::Lanes{task.gravity.x, task.gravity.y, task.gravity.z, 0, 0, 0, 0, 0}),
              step(Row::Lanes{task.step, task.step, task.step, 0}),
              low(Row::Lanes{task.low.x, task.low.y, task.low.z, -1e300}),
              high(Row::Lanes{task.high.x, task.high.y, task.high.z, 1e300}) {}
    };

    /// Second half kick of this step, first half kick and drift of the next, prediction.
    TALUS_HOT static void move(const BodyTask& task, const Shared& shared, const std::uint32_t* places,
                               std::size_t count, const Pack8* sum) {
        const __mmask8 vectors = kept(0x77);  // all but the last lanes of both rows
        const __mmask8 linear = kept(0x07);
        const __mmask8 every = kept(0xff);
        __mmask8 inside = every;
        alignas(64) double stray[turn][4];  // from home; squared leash
        for (std::size_t k = 0; k < count; ++k) {
            Record& record = task.record[places[k]];
            Motion& motion = task.motion[places[k]];
            const __m512d line = _mm512_loadu_pd(&record.velocity.x);
            const __m512d inverse = _mm512_maskz_permutex_pd(every, line, 0xff);  // of mass and of inertia
            const __m512d weight = (shared.gravity * Pack8(motion.gravity)).lanes;
            const __m512d pulled = _mm512_maskz_mul_pd(vectors, sum[k].lanes, inverse);
            const Pack8 kick = Pack8(_mm512_mask_add_pd(pulled, linear, pulled, weight)) * shared.half;
            Pack8 velocity = load_pack<8>(&motion.velocity.x) + kick;
            velocity += kick;
            store_pack<8>(&motion.velocity.x, velocity);
            // Whole rows are written: masked stores take longer.
            const Pack8 ahead = velocity + kick;
            _mm512_storeu_pd(&record.velocity.x, _mm512_mask_blend_pd(vectors, line, ahead.lanes));
            const Row moving(__builtin_shufflevector(velocity.lanes, velocity.lanes, 0, 1, 2, 3));
            const Row step(_mm256_maskz_mul_pd(linear, moving.lanes, shared.step.lanes));
            const Row x = load_row(&record.position.x) + step;
            store_row(&record.position.x, x);
            Row home = load_row(&record.home.x);
            if (task.flow != nullptr) {
                home += Row(_mm256_cvtps_pd(_mm_load_ps(&task.flow[places[k]].drift.x)));
                store_row(&record.home.x, home);
            }
            const __mmask8 above = _mm256_cmp_pd_mask(x.lanes, shared.low.lanes, _CMP_GE_OQ);
            inside &= _mm256_mask_cmp_pd_mask(above, x.lanes, shared.high.lanes, _CMP_LT_OQ);
            store_row(stray[k], Row(_mm256_blend_pd((x - home).lanes, home.lanes, 0x8)));
        }
        if ((inside & 0x0f) != 0x0f) [[unlikely]] {
            for (std::size_t k = 0; k < count; ++k) {
                const Vec3d& x = task.record[places[k]].position;
                if (!is_inside(x, task)) {
                    task.beyond(task.context, places[k]);
                }
            }
        }
        for (std::size_t first = 0; first < count; first += 8) {
            unsigned beyond = far(stray + first);
            beyond &= (1U << (count - first < 8 ? count - first : 8)) - 1U;
            for (; beyond != 0; beyond &= beyond - 1U) {
                const std::uint32_t s = places[first + static_cast<unsigned>(__builtin_ctz(beyond))];
                double way[4];
                store_row(way, load_row(&task.motion[s].velocity.x) * shared.step);
                task.strayed(task.context, s, way);
            }
        }
    }
    static bool is_inside(const Vec3d& x, const BodyTask& task) {
        return x.x >= task.low.x && x.x < task.high.x && x.y >= task.low.y && x.y < task.high.y && x.z >= task.low.z &&
               x.z < task.high.z;
    }
    /// Which of eight bodies are beyond their leashes, one bit each.
    TALUS_HOT static unsigned far(const double (*stray)[4]) {
        alignas(64) static constexpr std::uint32_t rows[8] = {0, 4, 8, 12, 16, 20, 24, 28};
        math::RowsOf<8> all;
        for (std::size_t k = 0; k < math::RowsOf<8>::parts; ++k) {
            all.part[k] = math::RowsOf<8>::load(k, stray[0], rows);
        }
        Pack8 x, y, z, leash2;
        to_columns(all, x, y, z, leash2);
        const Pack8 square = x * x + y * y + z * z;
        return _mm512_cmp_pd_mask(square.lanes, leash2.lanes, _CMP_NLE_UQ);
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
