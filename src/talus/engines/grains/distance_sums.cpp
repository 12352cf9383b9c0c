// The sums one and four sources at a time, and the choice of the width.
#include "talus/engines/grains/distance_sums.h"

#include "talus/backends/cpu/pair_kernel.h"
#include "talus/engines/grains/distance_loop.h"

namespace talus::engines::grains {

const DistanceKernels& scalar_distance_kernels() {
    static const DistanceKernels table = distance::kernels<double>();
    return table;
}

const DistanceKernels& packed_distance_kernels() {
    static const DistanceKernels table = distance::kernels<math::Pack4>();
    return table;
}

const DistanceKernels& distance_kernels() {
    switch (backends::cpu::simd_level()) {
        case backends::cpu::Simd::scalar:
            return scalar_distance_kernels();
        case backends::cpu::Simd::four:
            return packed_distance_kernels();
        case backends::cpu::Simd::eight:
            return wide_distance_kernels();
    }
    return scalar_distance_kernels();
}

}  // namespace talus::engines::grains
