// The contact loop eight pairs at a time. Compiled for AVX-512 (see CMakeLists.txt) and called only where it is there.
#include "talus/backends/cpu/pair_loop.h"

namespace talus::backends::cpu {

const PairKernels& wide_pair_kernels() {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    static const PairKernels table = pair_kernels<math::Pack8>();
#else
    static const PairKernels table{};
#endif
    return table;
}

}  // namespace talus::backends::cpu
