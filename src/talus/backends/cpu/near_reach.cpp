#include "talus/backends/cpu/near_reach.h"

#include <cmath>

namespace talus::backends::cpu {

std::size_t pairs_in_reach(const ReachTask& task, std::uint32_t first, std::uint32_t last, InReach* out) {
    std::size_t used = 0;
    for (std::uint32_t s = first; s < last; ++s) {
        const Record& a = task.record[s];
        for (std::uint32_t p = task.row[s]; p < task.row[s + 1]; ++p) {  // without branches that nobody can foresee
            const std::uint32_t t = task.partner[p];
            const std::uint8_t code = image_now(task, s, t, task.image[p]);
            const bool is_near = code != not_near;
            const Record& b = task.record[t];
            double reach =
                a.radius + b.radius + static_cast<double>(task.margin[s]) + static_cast<double>(task.margin[t]);
            if (task.flow != nullptr) {
                const math::Vec3<float> apart = task.flow[s].drift - task.flow[t].drift;
                reach += task.drift_steps * static_cast<double>(std::sqrt(norm2(apart)) * (1 + 1e-6F));
            }
            const double* const shift = task.shift + std::size_t{4} * (is_near ? code : search::no_image);
            const Vec3d way = b.position - a.position + Vec3d{shift[0], shift[1], shift[2]};
            out[used] = {s, p, code};
            used += is_near && norm2(way) < reach * reach ? 1U : 0U;
        }
    }
    return used;
}

}  // namespace talus::backends::cpu
