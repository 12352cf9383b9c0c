// Contacts per grain.
#pragma once

#include <cstdint>
#include <span>

#include "talus/model/contact_sample.h"
#include "talus/model/region.h"
#include "talus/model/system.h"

namespace talus::analysis {

struct Coordination {
    std::int64_t grains = 0;  // with their centre in the region
    double mean = 0;          // contacts per grain, with grains and walls; NaN without grains
    double with_grains = 0;   // the part of it that is with other grains
    double with_walls = 0;
    /// Contacts per grain of those that carry load: grains with fewer than two contacts (rattlers) are taken away with
    /// their contacts, and again, until none is left.
    double without_rattlers = 0;
    double rattlers = 0;  // fraction of the grains
};

Coordination coordination(const model::System& system, std::span<const model::ContactSample> contacts,
                          const model::Region& region = {});

}  // namespace talus::analysis
