// Contacts of a stage four at a time, and the choice of how many.
#include "talus/backends/cpu/pair_kernel.h"
#include "talus/engines/grains/stage_pack.h"

namespace talus::engines::grains {

const StageKernels& packed_stage_kernels() {
    static const StageKernels table = detail::stage_kernels_of<4>();
    return table;
}

const StageKernels& stage_kernels() {
    const bool eight = backends::cpu::simd_level() == backends::cpu::Simd::eight && wide_stage_kernels().width > 0;
    return eight ? wide_stage_kernels() : packed_stage_kernels();
}

}  // namespace talus::engines::grains
