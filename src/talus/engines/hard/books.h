// What an impact leaves in the books: losses in the ledger, and what walls receive.
#pragma once

#include "talus/laws/impact.h"
#include "talus/model/ledger.h"
#include "talus/model/wall.h"

namespace talus::engines::hard {

inline void book(model::Ledger& ledger, const laws::Impact<double>& result) {
    ledger.dissipated[static_cast<std::size_t>(model::Mechanism::normal_damping)] += result.normal_loss;
    ledger.dissipated[static_cast<std::size_t>(model::Mechanism::tangential_damping)] += result.tangential_loss;
    ledger.dissipated[static_cast<std::size_t>(model::Mechanism::sliding)] += result.sliding_loss;
}

/// What a wall receives from an impulse on a grain that touches it at `point`, where its surface moves with `surface`.
inline void receive(model::Wall& wall, const math::Vec3d& impulse, const math::Vec3d& point,
                    const math::Vec3d& surface) {
    wall.record.impulse -= impulse;
    wall.record.angular_impulse -= math::cross(point - wall.pose.position, impulse);
    wall.record.work += dot(impulse, surface);
}

}  // namespace talus::engines::hard
