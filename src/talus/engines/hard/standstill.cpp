#include "talus/engines/hard/standstill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/base/diagnostics.h"

namespace talus::engines::hard {

namespace {

/// Of the time in which a grain moves on by its radius: so many impacts in less of it do not happen in any flow.
constexpr double least_passage = 1e-7;

}  // namespace

bool Standstill::is_one(double time, const model::System& system, std::span<const Record> records,
                        double smallest_radius) {
    double fastest2 = norm(system.gravity) * smallest_radius;  // grains that lie still could fall
    for (const Record& record : records) {
        fastest2 = std::max(fastest2, norm2(record.velocity));
    }
    if ((time - since_) * std::sqrt(fastest2) > least_passage * smallest_radius) {
        since_ = time;
        events_ = 0;
        return false;
    }
    return true;
}

void Standstill::refuse(double time) const {
    throw base::RunError(fmt::format(
        "at {} s {} impacts and other events happened within {:.2g} s: inelastic collapse, or grains that moving walls "
        "crush. Let slow impacts be elastic (impacts.elastic_below), raise the restitution, or leave grains more room "
        "beside what moves",
        time, events_, time - since_));
}

}  // namespace talus::engines::hard
