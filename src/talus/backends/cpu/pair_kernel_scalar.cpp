// The contact loop one pair at a time.
#include "talus/backends/cpu/pair_loop.h"

namespace talus::backends::cpu {

const PairKernels& scalar_pair_kernels() {
    static const PairKernels table = pair_kernels<double>();
    return table;
}

}  // namespace talus::backends::cpu
