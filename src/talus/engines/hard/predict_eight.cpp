// Predictions eight candidates at a time. Compiled for AVX-512 (see CMakeLists.txt) and called only where it is there.
#include "talus/engines/hard/predict_loop.h"

namespace talus::engines::hard {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
namespace {

/// A row of up to four cells in one register; who is there moves together.
std::uint32_t collect_widely(const CollectTask& task, std::uint32_t* ids, std::uint32_t* overflow,
                             std::uint32_t* overflows) {
    const auto lanes = static_cast<__mmask8>((1U << (2U * static_cast<unsigned>(task.across))) - 1U);
    const __m256i none = _mm256_set1_epi32(-1);
    std::uint32_t count = 0;
    std::uint32_t more = 0;
    for (std::int32_t z = 0; z < task.layers; ++z) {
        const std::uint32_t* row = task.places + static_cast<std::size_t>(z) * task.layer;
        for (std::int32_t y = 0; y < task.rows; ++y, row += task.row) {
            const __m256i places = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
            const __mmask8 spheres = _mm256_mask_cmpge_epi32_mask(lanes, places, _mm256_setzero_si256());
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(ids + count), _mm256_maskz_compress_epi32(spheres, places));
            count += static_cast<std::uint32_t>(__builtin_popcount(spheres));
            const __mmask8 chunks = _mm256_mask_cmplt_epi32_mask(lanes, places, none);
            if (chunks != 0) {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(overflow + more),
                                    _mm256_maskz_compress_epi32(chunks, places));
                more += static_cast<std::uint32_t>(__builtin_popcount(chunks));
            }
        }
    }
    *overflows = more;
    return count;
}

}  // namespace

const PredictKernels& wide_predict_kernels() {
    static const PredictKernels table = [] {
        PredictKernels out = predict_kernels_of<math::Pack8>();
        out.collect = collect_widely;
        return out;
    }();
    return table;
}
#else
const PredictKernels& wide_predict_kernels() {
    static const PredictKernels table{};
    return table;
}
#endif

}  // namespace talus::engines::hard
