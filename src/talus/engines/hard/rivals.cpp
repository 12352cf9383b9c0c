#include "talus/engines/hard/rivals.h"

#include <fmt/format.h>

#include "talus/base/diagnostics.h"

namespace talus::engines::hard {

void refuse_standstill(double time) {
    throw base::RunError(
        fmt::format("at {} s more than {} events happened without any passing of time: inelastic collapse. Let slow "
                    "impacts be elastic "
                    "(elastic_below), or raise the restitution",
                    time, standstill_events));
}

}  // namespace talus::engines::hard
