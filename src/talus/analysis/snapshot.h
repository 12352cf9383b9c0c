// What a measure may look at: the state at one instant, never changed by looking.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "talus/analysis/energy.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"

namespace talus::analysis {

struct Snapshot {
    const model::System& system;
    std::span<const model::ContactSample> contacts;
    double time = 0;  // s
};

/// Index of the grain with this id, which must be among the bodies. Ids ascend with the index.
inline std::size_t index_of(const model::Bodies& bodies, std::int64_t id) {
    const auto at = std::lower_bound(bodies.id.begin(), bodies.id.end(), id);
    assert(at != bodies.id.end() && *at == id);
    return static_cast<std::size_t>(at - bodies.id.begin());
}

}  // namespace talus::analysis
