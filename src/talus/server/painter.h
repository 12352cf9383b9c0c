// Makes pictures of a stored frame or of a running system, with no more in them than the requests ask for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "talus/model/contact_sample.h"
#include "talus/model/system.h"
#include "talus/output/frame.h"
#include "talus/server/exchange.h"
#include "talus/server/fields.h"
#include "talus/server/picture.h"

namespace talus::server {

class Painter {
public:
    /// Of a stored frame. Identity and frame number are the caller's to set.
    std::shared_ptr<Picture> paint(const output::FrameFile& frame, std::span<const Request> requests);
    /// Of a system at this instant. `contacts` are looked at, and must be there, only if `needs_contacts`; the system's
    /// pairs must then be up to date.
    std::shared_ptr<Picture> paint(const model::System& system, const std::vector<model::ContactSample>& contacts,
                                   std::span<const Request> requests);

    /// Whether requests ask for what only contacts can tell.
    static bool needs_contacts(std::span<const Request> requests);

private:
    void place(Picture& picture, std::span<const Vec3d> spheres);

    std::shared_ptr<const Population> population_;
    std::optional<Vec3d> origin_;      // m, the middle of the first picture
    std::vector<double> wall_shapes_;  // all that surfaces depend on
    Message walls_;
};

/// The walls that are there as triangles and lines in their own frames; infinite ones end where the frame's things do.
/// Of the frame only walls and grains count.
Message walls_message(const output::FrameFile& frame);

}  // namespace talus::server
