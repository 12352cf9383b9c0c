// Peak arithmetic of one core with registers of 32 bytes.
#include "limits.h"
#include "peak_loop.h"

namespace talus::benchmarks {

double peak_gflops_256() {
    return measure_gflops<4>();
}

}  // namespace talus::benchmarks
