// Predictions four candidates at a time.
#include "talus/engines/hard/predict_loop.h"

namespace talus::engines::hard {

const PredictKernels& packed_predict_kernels() {
    static const PredictKernels table = [] {
        PredictKernels out = predict_kernels_of<math::Pack4>();
        out.collect = collect_plainly;
        return out;
    }();
    return table;
}

}  // namespace talus::engines::hard
