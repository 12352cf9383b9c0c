// Peak arithmetic of one core with registers of 64 bytes; compiled for AVX-512 and called only where that is there.
#include "limits.h"
#include "peak_loop.h"

namespace talus::benchmarks {

double peak_gflops_512() {
    return measure_gflops<8>();
}

}  // namespace talus::benchmarks
