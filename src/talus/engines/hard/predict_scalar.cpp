// Predictions one candidate at a time, and the choice of the width.
#include "talus/backends/cpu/pair_kernel.h"
#include "talus/engines/hard/predict_loop.h"

namespace talus::engines::hard {

const PredictKernels& scalar_predict_kernels() {
    static const PredictKernels table = [] {
        PredictKernels out = predict_kernels_of<double>();
        out.collect = collect_plainly;
        return out;
    }();
    return table;
}

const PredictKernels& predict_kernels() {
    switch (backends::cpu::simd_level()) {
        case backends::cpu::Simd::scalar:
            return scalar_predict_kernels();
        case backends::cpu::Simd::four:
            return packed_predict_kernels();
        case backends::cpu::Simd::eight:
            return wide_predict_kernels();
    }
    return scalar_predict_kernels();
}

}  // namespace talus::engines::hard
