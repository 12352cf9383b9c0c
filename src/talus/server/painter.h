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
#include "talus/server/wall_board.h"

namespace talus::server {

class Painter {
public:
    /// Of a stored frame. Identity and frame number are the caller's to set.
    std::shared_ptr<Picture> paint(const output::FrameFile& frame, std::span<const Request> requests);
    /// Of a system at this instant. `contacts` are looked at, and must be there, only if `needs_contacts`; the system's
    /// pairs must then be up to date. `known`: what there is to tell of contacts.
    std::shared_ptr<Picture> paint(const model::System& system, const std::vector<model::ContactSample>& contacts,
                                   const Known& known, std::span<const Request> requests);

    /// Whether requests ask for what only contacts can tell.
    static bool needs_contacts(std::span<const Request> requests);

private:
    void place(Picture& picture, std::span<const Vec3d> spheres);
    /// The spheres of grains that have several; who is there is counted anew if `anew`.
    void gather_spheres(const model::System& system, bool anew);

    std::shared_ptr<const Population> population_;
    std::optional<Vec3d> origin_;  // m, the middle of the first crowd
    std::vector<Vec3d> spheres_;   // m, of grains of many, kept for the next picture
    WallBoard walls_;
};

}  // namespace talus::server
