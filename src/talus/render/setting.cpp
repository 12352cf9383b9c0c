#include "talus/render/setting.h"

#include <algorithm>
#include <cmath>

#include "talus/geometry/extent.h"
#include "talus/render/colour_map.h"

namespace talus::render {
namespace {

using output::Bounds;
using output::FrameFile;
using output::FrameWall;

/// The number that `part` of all are below.
double quantile(std::vector<double> values, double part) {
    const auto at = values.begin() + std::lround(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

bool is_plain_floor(const FrameWall& wall) {
    const Vec3d normal = wall.rotation * Vec3d{0, 0, 1};
    return wall.shape.kind == geometry::ShapeKind::plane && wall.colour.empty() && wall.opacity >= 1 &&
           std::abs(normal.z) > 1 - 1e-9;
}

}  // namespace

void Setting::add(const FrameFile& frame, const Look& look) {
    plane_ = frame.domain.dimensions == 2;
    const FrameFile spheres = output::in_spheres(frame);
    double lowest = Bounds::far;
    for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
        const Vec3d r{spheres.radius[i], spheres.radius[i], spheres.radius[i]};
        grains_.add(spheres.position[i] - r);
        grains_.add(spheres.position[i] + r);
        lowest = std::min(lowest, spheres.position[i].z - spheres.radius[i]);
        radii_ += spheres.radius[i];
    }
    spheres_ += static_cast<double>(spheres.radius.size());
    const std::size_t stride = stride_for(spheres.position.size(), 1000);
    for (std::size_t i = 0; i < spheres.position.size(); i += stride) {
        for (int k = 0; k < 3; ++k) {
            places_[static_cast<std::size_t>(k)].push_back(spheres.position[i][k]);
        }
    }
    for (const std::int32_t material : frame.material) {
        const auto number = static_cast<std::size_t>(material);
        if (!materials_.contains(number)) {
            materials_[number] = {frame.materials.at(number).name, material_colour(frame, number)};
        }
    }
    add_walls(frame, look, lowest);
    if (grains_.empty() && walls_.empty()) {
        fallback_.add(output::visible_bounds(frame));
    }
}

void Setting::add_walls(const FrameFile& frame, const Look& look, double lowest_grain) {
    Bounds here;
    for (const FrameWall& wall : frame.walls) {
        if (look.shows(wall) && std::isfinite(geometry::bounding_radius(wall.shape))) {
            for (Vec3d point : output::wall_surface(wall, {}).points) {
                point.z = plane_ ? 0 : point.z;
                here.add(point);
            }
        }
    }
    walls_.add(here);
    for (const FrameWall& wall : frame.walls) {
        if (look.shows(wall)) {
            Floor& floor = floors_[wall.name];
            floor.level = floor.level && is_plain_floor(wall);
            if (!frame.id.empty()) {
                floor.above_grains = std::max(floor.above_grains, wall.position.z - lowest_grain);
            }
            floor.above_all = std::max(floor.above_all, wall.position.z - std::min(lowest_grain, here.low.z));
        }
    }
}

Bounds Setting::bounds() const {
    Bounds all = grains_;
    all.add(walls_);
    return all.empty() ? fallback_ : all;
}

double Setting::diagonal() const {
    const Bounds all = bounds();
    const Vec3d size = all.high - all.low;
    return plane_ ? std::hypot(size.x, size.y) : math::norm(size);
}

double Setting::grain_radius() const {
    return spheres_ > 0 ? radii_ / spheres_ : 0;
}

Extent Setting::extent() const {
    Extent out = extent_of(bounds());
    Bounds most = walls_;
    if (!places_[0].empty()) {
        Vec3d low;
        Vec3d high;
        for (int k = 0; k < 3; ++k) {
            low[k] = quantile(places_[static_cast<std::size_t>(k)], 0.02) - grain_radius();
            high[k] = quantile(places_[static_cast<std::size_t>(k)], 0.98) + grain_radius();
        }
        most.add(low);
        most.add(high);
    }
    if (!most.empty()) {
        out.reach = std::min(out.reach, extent_of(most).reach);
    }
    return out;
}

bool Setting::is_ground(const FrameWall& wall) const {
    const auto found = floors_.find(wall.name);
    return found != floors_.end() && found->second.level && std::isfinite(found->second.above_grains) &&
           found->second.above_grains <= 0.01 * diagonal();
}

double Setting::ground(const FrameFile& frame) const {
    double height = Bounds::far;
    for (const FrameWall& wall : frame.walls) {
        if (wall.present && is_ground(wall)) {
            height = std::min(height, wall.position.z - floors_.at(wall.name).above_all);
        }
    }
    return std::isfinite(height) ? height : bounds().low.z;
}

std::vector<std::pair<std::string, Rgb>> Setting::materials() const {
    std::vector<std::pair<std::string, Rgb>> out;
    for (const auto& [number, material] : materials_) {
        out.push_back(material);
    }
    return out;
}

Rgb material_colour(const FrameFile& frame, std::size_t material) {
    const std::string& given = frame.materials.at(material).colour;
    return given.empty() ? kind_colour(material) : colour_from_text(given);
}

}  // namespace talus::render
