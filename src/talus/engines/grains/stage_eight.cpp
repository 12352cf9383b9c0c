// Contacts of a stage eight at a time. Compiled for AVX-512 (see CMakeLists.txt) and called only where it is there.
#include "talus/engines/grains/stage_pack.h"

namespace talus::engines::grains {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
const StageKernels& wide_stage_kernels() {
    static const StageKernels table = detail::stage_kernels_of<8>();
    return table;
}
#else
const StageKernels& wide_stage_kernels() {
    static const StageKernels none;
    return none;
}
#endif

}  // namespace talus::engines::grains
