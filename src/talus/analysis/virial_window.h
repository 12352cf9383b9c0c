// The stress that grains bear between two looks, in one form for all engines: lasting contacts tell their forces at the
// instant, impacts their impulses since the last look.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "talus/analysis/snapshot.h"
#include "talus/analysis/state.h"
#include "talus/analysis/stress.h"

namespace talus::analysis {

class VirialWindow {
public:
    /// J, for each grain: the sum over its contacts of force (x) (centre - contact point); of impacts the mean over the
    /// time since the last call. Nothing at the first call of an engine with impacts; a grain that was not there at the
    /// last call counts from its own beginning.
    std::optional<std::vector<Tensor6>> take(const Snapshot& snapshot);

    void save(State& state) const;
    void load(StateReader& reader);

private:
    std::vector<std::int64_t> ids_;  // at the last call, ascending
    std::vector<Tensor6> last_;      // N m s
    double time_ = 0;                // s
    bool begun_ = false;
};

}  // namespace talus::analysis
