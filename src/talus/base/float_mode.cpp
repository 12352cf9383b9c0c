#include "talus/base/float_mode.h"

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace talus::base {

namespace {

void pin_this_thread() {
    std::fesetround(FE_TONEAREST);
#if defined(__SSE2__)
    constexpr unsigned flush_bits = 0x8040;  // flush-to-zero and denormals-are-zero of the control register
    _mm_setcsr(_mm_getcsr() & ~flush_bits);
#endif
}

}  // namespace

void pin_float_mode(int threads) {
    pin_this_thread();
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        pin_this_thread();
    }
}

}  // namespace talus::base
