#include "talus/render/follow.h"

#include <cmath>
#include <string>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

using math::Vec3d;
using output::FrameFile;

/// The way that leads from `place` to `x` by whole periods less.
Vec3d nearest_way(const model::Domain& domain, const Vec3d& place, const Vec3d& x) {
    Vec3d way = x - place;
    for (int k = 0; k < 3; ++k) {
        if (domain.periodic[static_cast<std::size_t>(k)]) {
            const double period = domain.high[k] - domain.low[k];
            way[k] -= period * std::round(way[k] / period);
        }
    }
    return way;
}

}  // namespace

Vec3d Follower::at(const FrameFile& frame) {
    if (grain_) {
        if (const std::optional<std::size_t> row = output::row_of(frame.id, *grain_)) {
            last_ = frame.position[*row];
        } else if (!last_) {
            throw base::InputError("there is no grain " + std::to_string(*grain_) + " to follow");
        }
    } else if (!frame.id.empty() || !last_) {
        last_ = model::wrapped(frame.domain, middle_of(frame));
    }
    return *last_;
}

Vec3d Follower::middle_of(const FrameFile& frame) {
    Vec3d sum;
    double mass = 0;
    Vec3d moved;  // since the last frame, grains that were there
    double moved_mass = 0;
    std::map<std::int64_t, Vec3d> now;
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
        sum += frame.position[i] * frame.mass[i];
        mass += frame.mass[i];
        now.emplace_hint(now.end(), frame.id[i], frame.position[i]);
        if (const auto before = before_.find(frame.id[i]); before != before_.end()) {
            moved += nearest_way(frame.domain, before->second, frame.position[i]) * frame.mass[i];
            moved_mass += frame.mass[i];
        }
    }
    Vec3d middle = mass > 0 ? sum / mass : Vec3d{};
    for (int k = 0; k < 3; ++k) {
        // Across a border single grains jump back by a period; their middle must not.
        if (frame.domain.periodic[static_cast<std::size_t>(k)] && last_ && moved_mass > 0) {
            middle[k] = (*last_)[k] + moved[k] / moved_mass;
        }
    }
    before_ = std::move(now);
    return middle;
}

void gather_about(FrameFile& frame, const Vec3d& place) {
    if (!frame.domain.any_periodic()) {
        return;
    }
    std::vector<Vec3d> shift;
    for (Vec3d& position : frame.position) {
        const Vec3d there = place + nearest_way(frame.domain, place, position);
        shift.push_back(there - position);
        position = there;
    }
    const std::vector<std::size_t> rows = output::grain_rows_of_spheres(frame);
    for (std::size_t s = 0; s < rows.size(); ++s) {
        frame.sphere_position[s] += shift[rows[s]];
    }
    for (model::ContactSample& contact : frame.contacts) {
        if (const std::optional<std::size_t> row = output::row_of(frame.id, contact.a)) {
            contact.point += shift[*row];
        }
    }
}

}  // namespace talus::render
