#include "talus/scene/fill_grains.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "talus/scene/fill_deviates.h"
#include "talus/scene/fill_placements.h"

namespace talus::scene {

namespace {

const model::GrainShape& shape_at(const model::Grains& grains, std::int32_t index) {
    return grains.shapes[static_cast<std::size_t>(index)];
}

std::vector<std::int32_t> numbers_below(std::size_t count) {
    std::vector<std::int32_t> out(count);
    std::iota(out.begin(), out.end(), 0);
    return out;
}

}  // namespace

ShapeDeal::ShapeDeal(const FillSpec& spec, const model::Grains& grains)
    : spec_(spec),
      grains_(grains),
      shapes_(stream(spec, FillStream::shape)),
      turns_(stream(spec, FillStream::turn)),
      names_(numbers_below(spec.shapes.size())) {
    std::map<double, std::vector<std::int32_t>> same;
    for (const std::vector<std::int32_t>& variants : spec.shapes) {
        variants_.emplace_back(variants);
        for (const std::int32_t shape : variants) {
            same[shape_at(grains, shape).reach].push_back(shape);
        }
    }
    for (auto& [reach, shapes] : same) {
        of_reach_.emplace(reach, Deal(std::move(shapes)));
    }
}

std::int32_t ShapeDeal::shape(double radius) {
    if (spec_.as_drawn) {
        return of_reach_.at(radius).next(shapes_);
    }
    return variants_[static_cast<std::size_t>(names_.next(shapes_))].next(shapes_);
}

math::Quaterniond ShapeDeal::turn(std::int32_t shape) {
    return spec_.turned_at_random ? random_quaternion(turns_) : shape_at(grains_, shape).drawn;
}

FillSpec with_shapes(FillSpec spec, const model::Grains& grains) {
    TableSize drawn;
    double solid = 0;
    double balls = 0;
    for (const std::vector<std::int32_t>& variants : spec.shapes) {
        for (const std::int32_t index : variants) {
            const model::GrainShape& shape = shape_at(grains, index);
            const double weight = 1 / static_cast<double>(variants.size());
            const double reach3 = spec.as_drawn ? shape.reach * shape.reach * shape.reach : 1;
            drawn.radius.push_back(shape.reach);
            drawn.weight.push_back(weight);
            solid += weight * reach3 * shape.volume;
            balls += weight * reach3 * 4 * std::numbers::pi / 3;
        }
    }
    if (spec.as_drawn) {
        spec.sizes = drawn;
    }
    spec.solid_part = solid / balls;
    return spec;
}

std::vector<LeastGrain> least_grains(const FillSpec& spec, const model::Grains& grains) {
    std::vector<LeastGrain> out;
    for (const std::vector<std::int32_t>& variants : spec.shapes) {
        for (const std::int32_t index : variants) {
            const model::GrainShape& shape = shape_at(grains, index);
            const double reach = spec.as_drawn ? shape.reach : smallest_radius(spec.sizes);
            const ContactScale scale = contact_scale(shape);
            out.push_back({scale.mass * shape.volume * reach * reach * reach, scale.radius * reach, shape.density});
        }
    }
    return out;
}

ContactScale contact_scale(const model::GrainShape& shape) {
    // A push n through the centre c of a sphere meets 1/m + (c x n).I^-1(c x n); c x n is any vector across c that is
    // no longer than c, so the largest eigenvalue of I^-1 across c decides. It follows from trace and determinant
    // there.
    const Vec3d a{1 / shape.moment.x, 1 / shape.moment.y, 1 / shape.moment.z};
    double most = 1;
    ContactScale out;
    for (const geometry::Ball& ball : shape.balls) {
        const Vec3d& c = ball.center;
        const Vec3d c2{c.x * c.x, c.y * c.y, c.z * c.z};
        const double length2 = norm2(c);
        out.radius = std::min(out.radius, ball.radius);
        if (length2 > 0) {
            const double trace = a.x + a.y + a.z - dot(a, c2) / length2;
            const double determinant = a.x * a.y * a.z * dot(shape.moment, c2) / length2;
            const double largest = 0.5 * trace + std::sqrt(std::max(0.25 * trace * trace - determinant, 0.0));
            most = std::max(most, 1 + shape.volume * length2 * largest);
        }
    }
    out.mass = 1 / most;
    return out;
}

ContactScales::ContactScales(const model::Grains& grains) : grains_(grains) {
    for (const model::GrainShape& shape : grains.shapes) {
        of_shape_.push_back(contact_scale(shape));
    }
}

}  // namespace talus::scene
