#include "talus/model/plan.h"

#include <algorithm>

namespace talus::model {

std::optional<double> latest_end(const Plan& plan, std::size_t first, double entered_at, double now) {
    double end = now;
    double from = entered_at;
    for (std::size_t k = first; k < plan.stages.size(); ++k) {
        const StopRule& rule = plan.stages[k].until;
        std::optional<double> limit;
        const auto consider = [&](const std::optional<double>& t, double offset) {
            if (t) {
                limit = limit ? std::min(*limit, *t + offset) : *t + offset;
            }
        };
        consider(rule.at_time, 0);
        consider(rule.duration, from);
        consider(rule.timeout, from);
        if (!limit) {
            return std::nullopt;
        }
        end = std::max(end, *limit);
        from = end;
    }
    return end;
}

}  // namespace talus::model
