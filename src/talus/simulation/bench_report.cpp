#include "talus/simulation/bench_report.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace talus::simulation {

double resident_bytes() {
    ::malloc_trim(0);
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace talus::simulation
