// The contact loop four pairs at a time.
#include "talus/backends/cpu/pair_loop.h"

namespace talus::backends::cpu {

const PairKernels& packed_pair_kernels() {
    static const PairKernels table = pair_kernels<math::Pack4>();
    return table;
}

}  // namespace talus::backends::cpu
