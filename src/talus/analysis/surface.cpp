#include "talus/analysis/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "talus/base/exact_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int bed_neighbours = 3;
// In mean diameters:
constexpr double neighbour_gap = 0.5;  // between surfaces: centres of equal grains within 1.5
constexpr double bed_gap = 2;
constexpr double sector_width = 2;
constexpr double rim_depth = 3;

struct Candidate {
    double bin;
    SurfacePoint point;
};

}  // namespace

LooseGrains loose_grains(const model::System& system, const model::Region& region) {
    const model::Bodies& bodies = system.bodies;
    LooseGrains grains;
    base::ExactSum diameters;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_held(i) && region.contains(bodies.position[i])) {
            grains.balls.push_back({bodies.position[i], bodies.radius[i]});
            diameters += 2 * bodies.radius[i];
        }
    }
    if (grains.balls.empty()) {
        return grains;
    }
    grains.mean_diameter = diameters.value() / static_cast<double>(grains.balls.size());
    for (const int count : count_near(grains.balls, neighbour_gap * grains.mean_diameter, system.domain)) {
        grains.in_bed.push_back(count >= bed_neighbours ? 1 : 0);
    }
    return grains;
}

std::vector<SurfacePoint> surface_points(const LooseGrains& grains, const Vec3d& up, const Vec3d& along,
                                         double bin_width) {
    std::vector<Candidate> bed;
    for (std::size_t i = 0; i < grains.balls.size(); ++i) {
        if (grains.in_bed[i] != 0) {
            const double at = math::dot(along, grains.balls[i].position);
            const double top = math::dot(up, grains.balls[i].position) + grains.balls[i].radius;
            bed.push_back({std::floor(at / bin_width), {at, top}});
        }
    }
    std::sort(bed.begin(), bed.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.bin, a.point.height, a.point.along) < std::tie(b.bin, b.point.height, b.point.along);
    });
    std::vector<SurfacePoint> points;
    for (std::size_t begin = 0; begin < bed.size();) {
        std::size_t top = begin;
        while (top + 1 < bed.size() && bed[top + 1].bin == bed[begin].bin &&
               bed[top + 1].point.height - bed[top].point.height <= bed_gap * grains.mean_diameter) {
            ++top;
        }
        points.push_back(bed[top].point);
        const double bin = bed[begin].bin;
        while (begin < bed.size() && bed[begin].bin == bin) {
            ++begin;
        }
    }
    return points;
}

SurfaceLine fit_surface(const std::vector<SurfacePoint>& points, const model::SurfaceSpec& spec) {
    SurfaceLine line{nan, nan, nan, 0};
    if (points.empty()) {
        return line;
    }
    const double low = points.front().along;
    const double high = points.back().along;
    const double from = spec.from.value_or(low + 0.25 * (high - low));
    const double to = spec.to.value_or(high - 0.25 * (high - low));
    std::vector<double> along;
    std::vector<double> height;
    for (const SurfacePoint& p : points) {
        if (p.along >= from && p.along <= to) {
            along.push_back(p.along);
            height.push_back(p.height);
        }
    }
    line.points = along.size();
    if (along.size() < 3) {
        return line;
    }
    const LineFit fit = fit_line(along, height);
    line.angle = std::atan(fit.slope) * 180 / std::numbers::pi;
    line.level = fit.intercept + fit.slope * 0.5 * (along.front() + along.back());
    line.residual = std::sqrt(fit.chi_square / static_cast<double>(along.size()));
    return line;
}

double covered_rim(const LooseGrains& grains, const model::Wall& drum) {
    const geometry::Shape& shape = drum.shape;
    const bool finite = shape.kind == geometry::ShapeKind::tube;
    const double d = grains.mean_diameter;
    if (!(d > 0)) {
        return nan;
    }
    const double widest = finite ? std::max(shape.a, shape.b) : shape.a;
    const double turn = 2 * std::numbers::pi;
    const auto sectors = static_cast<std::size_t>(std::max(8.0, std::floor(turn * widest / (sector_width * d))));
    std::vector<char> covered(sectors, 0);
    for (std::size_t i = 0; i < grains.balls.size(); ++i) {
        const Vec3d x = drum.pose.to_local(grains.balls[i].position);
        const double wall = finite ? shape.a + (shape.b - shape.a) * (x.z / shape.c + 0.5) : shape.a;
        const double from_axis = std::sqrt(x.x * x.x + x.y * x.y);
        if (grains.in_bed[i] == 0 || from_axis > wall || wall - from_axis > rim_depth * d ||
            (finite && std::abs(x.z) > 0.5 * shape.c)) {
            continue;
        }
        const double share = std::atan2(x.y, x.x) / turn + 0.5;
        covered[std::min(sectors - 1, static_cast<std::size_t>(share * static_cast<double>(sectors)))] = 1;
    }
    return static_cast<double>(std::count(covered.begin(), covered.end(), 1)) / static_cast<double>(sectors);
}

}  // namespace talus::analysis
