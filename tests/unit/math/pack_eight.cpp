// Packs of eight, compiled for AVX-512 (see tests/CMakeLists.txt) and called only where it is there.
#include "unit/math/pack_functions.h"

namespace talus::tests {

PackFunctions packs_of_eight() {
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return PackInstance<8>::table();
#else
    return {};
#endif
}

}  // namespace talus::tests
