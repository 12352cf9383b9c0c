// Eight near pairs at a time. Compiled for AVX-512 (see CMakeLists.txt) and called only where it is there.
#include "talus/backends/cpu/near_reach.h"
#include "talus/backends/cpu/pair_rows.h"

namespace talus::backends::cpu {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace {

using math::Pack8;

/// Eight pairs that follow one another in the near list; places beyond its end are nowhere.
struct Eight {
    PairStarts starts;
    std::uint32_t i[8], j[8];
    std::uint8_t code[8];
    bool shifted = false;

    TALUS_INLINE Eight(const ReachTask& task, std::uint32_t p, std::uint32_t end, std::uint32_t& row) {
        for (std::uint32_t k = 0; k < 8; ++k) {
            i[k] = task.nowhere;
            j[k] = task.nowhere + 1;
            code[k] = search::no_image;
            if (p + k < end) {
                while (p + k >= task.row[row + 1]) {
                    ++row;
                }
                i[k] = row;
                j[k] = task.partner[p + k];
                code[k] = image_now(task, i[k], j[k], task.image[p + k]);
                shifted |= code[k] != search::no_image;
            }
            starts.i[k] = PairStarts::record_size * i[k];
            starts.j[k] = PairStarts::record_size * j[k];
        }
    }
};

constexpr auto every = static_cast<__mmask8>(0xff);  // the plain forms draw false warnings from gcc 12

TALUS_INLINE __m256i places(const std::uint32_t (&of)[8]) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(of));
}
/// Number `of` of each row of four.
TALUS_INLINE __m256 numbers(const float* first, const __m256i& row) {
    return _mm256_i32gather_ps(first, row, 4);
}
TALUS_INLINE Pack8 as_pack(const __m256& numbers) {
    return Pack8(_mm512_maskz_cvtps_pd(every, numbers));
}

/// How fast the two drift apart, m a step; a little more.
TALUS_INLINE Pack8 drifting_apart(const Flow* flow, const __m256i& i, const __m256i& j) {
    const float* const first = &flow->drift.x;
    const __m256i row_i = _mm256_slli_epi32(i, 2);
    const __m256i row_j = _mm256_slli_epi32(j, 2);
    const __m256 x = numbers(first, row_i) - numbers(first, row_j);
    const __m256 y = numbers(first + 1, row_i) - numbers(first + 1, row_j);
    const __m256 z = numbers(first + 2, row_i) - numbers(first + 2, row_j);
    return as_pack(_mm256_sqrt_ps(x * x + y * y + z * z) * (1 + 1e-6F));
}

std::size_t eight_in_reach(const ReachTask& task, std::uint32_t first, std::uint32_t last, InReach* out) {
    static_assert(sizeof(Flow) == 4 * sizeof(float));
    std::size_t used = 0;
    const std::uint32_t end = task.row[last];
    std::uint32_t row = first;
    for (std::uint32_t p = task.row[first]; p < end; p += 8) {
        const Eight eight(task, p, end, row);
        const __m256i i = places(eight.i);
        const __m256i j = places(eight.j);
        math::Vec3<Pack8> way;
        Pack8 reach;
        PairRows<Pack8, false>(task.record, eight.starts, 0).place(way, reach);
        reach += as_pack(numbers(task.margin, i));
        reach += as_pack(numbers(task.margin, j));
        if (task.flow != nullptr) {
            reach += Pack8(task.drift_steps) * drifting_apart(task.flow, i, j);
        }
        std::uint32_t shift_at[8];
        unsigned lanes = 0;  // those whose image is still near
        for (unsigned k = 0; k < 8; ++k) {
            const bool is_near = eight.code[k] != not_near;
            lanes |= is_near ? 1U << k : 0U;
            shift_at[k] = std::uint32_t{4} * (is_near ? eight.code[k] : search::no_image);
        }
        if (eight.shifted) {
            math::RowsOf<8> rows;
            for (std::size_t k = 0; k < math::RowsOf<8>::parts; ++k) {
                rows.part[k] = math::RowsOf<8>::load(k, task.shift, shift_at);
            }
            math::Vec3<Pack8> shift;
            Pack8 unused;
            to_columns(rows, shift.x, shift.y, shift.z, unused);
            way += shift;
        }
        lanes &= bits_of(norm2(way) < reach * reach);
        for (std::uint32_t k = 0; k < 8; ++k) {
            out[used] = {eight.i[k], p + k, eight.code[k]};
            used += (lanes >> k) & 1U;
        }
    }
    return used;
}

}  // namespace

ReachKernel wide_reach_kernel() {
    return &eight_in_reach;
}

#else

ReachKernel wide_reach_kernel() {
    return nullptr;
}

#endif

}  // namespace talus::backends::cpu
