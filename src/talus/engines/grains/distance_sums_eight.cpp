// The sums eight sources at a time. Compiled for AVX-512 (see CMakeLists.txt) and called only where it is there.
#include "talus/engines/grains/distance_loop.h"

namespace talus::engines::grains {

const DistanceKernels& wide_distance_kernels() {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    static const DistanceKernels table = distance::kernels<math::Pack8>();
#else
    static const DistanceKernels table{};
#endif
    return table;
}

}  // namespace talus::engines::grains
