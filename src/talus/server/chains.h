// Contact forces of an instant, as viewers see them: the strongest as lines, and what they come to for each grain.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "talus/model/contact_sample.h"
#include "talus/server/fields.h"
#include "talus/server/picture.h"

namespace talus::server {

/// Lines from centre to centre, or to the wall: the `Chains::most` strongest.
std::shared_ptr<const Chains> chains_of(const Columns& columns, std::span<const model::ContactSample> contacts,
                                        const Vec3d& origin);

/// N, for each grain: the sum of the sizes of the forces at its contacts.
std::vector<double> loads_of(const Columns& columns, std::span<const model::ContactSample> contacts);

}  // namespace talus::server
