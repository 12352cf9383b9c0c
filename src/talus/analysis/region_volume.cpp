#include "talus/analysis/region_volume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <variant>

#include "talus/analysis/ball_volume.h"
#include "talus/analysis/disc_area.h"

namespace talus::analysis {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double right_angle = 1e-12;  // largest cosine that counts as one

/// Point k of a sequence that fills the unit cube evenly: multiples, modulo one, of the powers of 1/g with g^4 = g + 1.
Vec3d spread_point(int k) {
    constexpr double g = 1.2207440846057596;
    const double n = k + 0.5;
    const Vec3d p{n / g, n / (g * g), n / (g * g * g)};
    return {p.x - std::floor(p.x), p.y - std::floor(p.y), p.z - std::floor(p.z)};
}

/// Turns planes at right angles to each other into bounds along up to three directions.
class OrthogonalBounds {
public:
    /// False if the plane is oblique to an earlier one.
    bool add(const Vec3d& normal, double offset) {
        for (std::size_t k = 0; k < count_; ++k) {
            const double cosine = math::dot(normal, direction_[k]);
            if (std::abs(cosine) <= right_angle) {
                continue;
            }
            if (std::abs(cosine) < 1 - right_angle) {
                return false;
            }
            tighten(bounds_[k], cosine > 0, offset);
            return true;
        }
        if (count_ == 3) {
            return false;
        }
        direction_[count_] = normal;
        tighten(bounds_[count_], true, offset);
        ++count_;
        return true;
    }
    const std::array<Bounds, 3>& bounds() const { return bounds_; }

private:
    static void tighten(Bounds& bounds, bool along, double offset) {
        if (along) {
            bounds.low = std::max(bounds.low, offset);
        } else {
            bounds.high = std::min(bounds.high, -offset);
        }
    }
    std::array<Vec3d, 3> direction_{};
    std::array<Bounds, 3> bounds_{};
    std::size_t count_ = 0;
};

}  // namespace

RegionVolume::RegionVolume(const model::Region& region, const model::Domain& domain, int samples)
    : domain_(domain), samples_(samples) {
    for (const model::RegionPart& part : region.parts) {
        if (const auto* half = std::get_if<model::HalfSpace>(&part)) {
            const double length = math::norm(half->normal);
            planes_.push_back({half->normal / length, half->offset / length});
        } else if (const auto* box = std::get_if<model::Box>(&part)) {
            add_planes_of(*box);
        } else if (const auto* ball = std::get_if<model::Ball>(&part)) {
            balls_.push_back(*ball);
        } else if (const auto* hole = std::get_if<model::Outside>(&part)) {
            holes_.push_back(*hole);
        } else {
            add_frustum(std::get<model::Frustum>(part));
        }
    }
    if (!bounded()) {
        add_planes_of({domain.low, domain.high});
    } else {
        model::Box borders{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
        for (int k = 0; k < 3; ++k) {
            if (domain.periodic[static_cast<std::size_t>(k)]) {
                borders.low[k] = domain.low[k];
                borders.high[k] = domain.high[k];
            }
        }
        add_planes_of(borders);
    }
    volume_ = find_volume();
}

void RegionVolume::add_planes_of(const model::Box& box) {
    for (int k = 0; k < 3; ++k) {
        Vec3d normal;
        normal[k] = 1;
        if (box.low[k] > -infinity) {
            planes_.push_back({normal, box.low[k]});
        }
        if (box.high[k] < infinity) {
            planes_.push_back({-normal, -box.high[k]});
        }
    }
}

void RegionVolume::add_frustum(const model::Frustum& frustum) {
    const double length = math::norm(frustum.to - frustum.from);
    const Vec3d axis = (frustum.to - frustum.from) / length;
    planes_.push_back({axis, math::dot(axis, frustum.from)});
    planes_.push_back({-axis, -math::dot(axis, frustum.to)});
    cones_.push_back({frustum.from, axis, frustum.radius_from, (frustum.radius_to - frustum.radius_from) / length});
}

model::Box RegionVolume::bounding_box() const {
    model::Box box{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
    const auto cut = [&box](int k, double low, double high) {
        box.low[k] = std::max(box.low[k], low);
        box.high[k] = std::min(box.high[k], high);
    };
    for (const Plane& plane : planes_) {
        for (int k = 0; k < 3; ++k) {
            if (std::abs(plane.normal[k]) > 1 - right_angle) {
                cut(k, plane.normal[k] > 0 ? plane.offset : -infinity, plane.normal[k] < 0 ? -plane.offset : infinity);
            }
        }
    }
    for (const model::Ball& ball : balls_) {
        for (int k = 0; k < 3; ++k) {
            cut(k, ball.center[k] - ball.radius, ball.center[k] + ball.radius);
        }
    }
    for (const Cone& cone : cones_) {
        // Its two end planes are in the list: take the ends they set along the axis.
        double low = -infinity;
        double high = infinity;
        for (const Plane& plane : planes_) {
            const double cosine = math::dot(plane.normal, cone.axis);
            const double at = plane.offset - math::dot(plane.normal, cone.from);
            if (cosine > 1 - right_angle) {
                low = std::max(low, at);
            } else if (cosine < -1 + right_angle) {
                high = std::min(high, -at);
            }
        }
        const double widest = std::max(cone.radius + cone.slope * low, cone.radius + cone.slope * high);
        for (int k = 0; k < 3; ++k) {
            const double a = cone.from[k] + low * cone.axis[k];
            const double b = cone.from[k] + high * cone.axis[k];
            const double side = widest * std::sqrt(std::max(0.0, 1 - cone.axis[k] * cone.axis[k]));
            cut(k, std::min(a, b) - side, std::max(a, b) + side);
        }
    }
    if (domain_.planar()) {
        box.low.z = box.high.z = 0;
    }
    return box;
}

bool RegionVolume::bounded() const {
    const Vec3d size = bounding_box().high - bounding_box().low;
    return size.x < infinity && size.y < infinity && size.z < infinity;
}

double RegionVolume::find_volume() const {
    if (!bounded()) {
        return infinity;
    }
    if (domain_.planar()) {
        return area();
    }
    const model::Box box = bounding_box();
    if (!holes_.empty()) {
        return sampled(box);
    }
    const Vec3d size = box.high - box.low;
    if (size.x <= 0 || size.y <= 0 || size.z <= 0) {
        return 0;
    }
    const bool planes_follow_axes = std::all_of(planes_.begin(), planes_.end(), [](const Plane& plane) {
        return std::max({std::abs(plane.normal.x), std::abs(plane.normal.y), std::abs(plane.normal.z)}) >
               1 - right_angle;
    });
    // Balls and cones are convex: those that hold all corners do not cut the box.
    if (planes_follow_axes && ((balls_.empty() && cones_.empty()) || holds_corners_of(box))) {
        return size.x * size.y * size.z;
    }
    if (balls_.size() == 1 && cones_.empty()) {
        OrthogonalBounds bounds;
        const bool closed = std::all_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
            return bounds.add(plane.normal, plane.offset - math::dot(plane.normal, balls_[0].center));
        });
        if (closed) {
            return ball_in_box(balls_[0].radius, bounds.bounds());
        }
    }
    if (balls_.empty() && cones_.size() == 1) {
        const Cone& cone = cones_[0];
        OrthogonalBounds bounds;
        bounds.add(cone.axis, -infinity);
        const bool along = std::all_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
            return std::abs(math::dot(plane.normal, cone.axis)) > 1 - right_angle &&
                   bounds.add(plane.normal, plane.offset - math::dot(plane.normal, cone.from));
        });
        if (along) {
            const Bounds z = bounds.bounds()[0];
            const double a = cone.radius + cone.slope * z.low;
            const double b = cone.radius + cone.slope * z.high;
            return z.high > z.low ? std::numbers::pi / 3 * (z.high - z.low) * (a * a + a * b + b * b) : 0;
        }
    }
    return sampled(box);
}

double RegionVolume::area() const {
    const model::Box box = bounding_box();
    const Vec3d size = box.high - box.low;
    if (size.x <= 0 || size.y <= 0) {
        return 0;
    }
    const bool straight = std::all_of(planes_.begin(), planes_.end(), [](const Plane& plane) {
        return std::max(std::abs(plane.normal.x), std::abs(plane.normal.y)) > 1 - right_angle;
    });
    if (straight && holes_.empty() && cones_.empty() && (balls_.empty() || holds_corners_of(box))) {
        return size.x * size.y;
    }
    if (balls_.size() == 1 && cones_.empty() && (holes_.empty() || (holes_.size() == 1 && planes_.empty()))) {
        const model::Ball& ball = balls_[0];
        OrthogonalBounds bounds;
        const bool closed = std::all_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
            return bounds.add(plane.normal, plane.offset - math::dot(plane.normal, ball.center));
        });
        if (closed) {
            const double hole = holes_.empty() ? 0
                                               : disc_in_disc(ball.radius, holes_[0].radius,
                                                              math::norm(holes_[0].center - ball.center));
            return disc_in_box(ball.radius, bounds.bounds()[0], bounds.bounds()[1]) - hole;
        }
    }
    return sampled(box);
}

double RegionVolume::whole_ball(double radius) const {
    return domain_.planar() ? disc_area(radius) : ball_volume(radius);
}

double RegionVolume::ball_inside(const Vec3d& center, double radius) const {
    const auto images = [this](int k) { return domain_.periodic[static_cast<std::size_t>(k)] ? 1 : 0; };
    const Vec3d period = domain_.size();
    double sum = 0;
    for (int i = -images(0); i <= images(0); ++i) {
        for (int j = -images(1); j <= images(1); ++j) {
            for (int k = -images(2); k <= images(2); ++k) {
                sum += one_ball_inside(
                    {i == 0 ? center.x : center.x + i * period.x, j == 0 ? center.y : center.y + j * period.y,
                     k == 0 ? center.z : center.z + k * period.z},
                    radius);
            }
        }
    }
    return sum;
}

double RegionVolume::one_ball_inside(const Vec3d& center, double radius) const {
    OrthogonalBounds bounds;
    bool closed = true;
    bool cut_by_plane = false;
    for (const Plane& plane : planes_) {
        const double depth = math::dot(plane.normal, center) - plane.offset;  // of the centre, inside
        if (depth <= -radius) {
            return 0;
        }
        if (depth < radius) {
            cut_by_plane = true;
            closed = bounds.add(plane.normal, -depth) && closed;
        }
    }
    const model::Ball* cutting_ball = nullptr;
    const model::Outside* cutting_hole = nullptr;
    for (const model::Ball& ball : balls_) {
        const double distance = math::norm(center - ball.center);
        if (distance >= ball.radius + radius) {
            return 0;
        }
        if (distance > ball.radius - radius) {
            closed = closed && cutting_ball == nullptr;
            cutting_ball = &ball;
        }
    }
    for (const Cone& cone : cones_) {
        // A cone is convex: the nearest of its tangent planes decides.
        const Vec3d from = center - cone.from;
        const double z = math::dot(from, cone.axis);
        const double rho = math::norm(from - cone.axis * z);
        const double depth = (cone.radius + cone.slope * z - rho) / std::sqrt(1 + cone.slope * cone.slope);
        if (depth <= -radius) {
            return 0;
        }
        closed = closed && depth >= radius;
    }
    for (const model::Outside& hole : holes_) {
        const double distance = hole.distance(center);
        if (distance <= -radius) {
            return 0;
        }
        if (distance < radius) {
            closed = closed && domain_.planar() && cutting_hole == nullptr;
            cutting_hole = &hole;
        }
    }
    const int cuts = (cut_by_plane ? 1 : 0) + (cutting_ball != nullptr ? 1 : 0) + (cutting_hole != nullptr ? 1 : 0);
    if (!closed || cuts > 1) {
        return sampled_ball(center, radius);
    }
    if (domain_.planar() && cuts == 1) {
        if (cutting_ball != nullptr) {
            return disc_in_disc(radius, cutting_ball->radius, math::norm(center - cutting_ball->center));
        }
        if (cutting_hole != nullptr) {
            return disc_area(radius) -
                   disc_in_disc(radius, cutting_hole->radius, math::norm(center - cutting_hole->center));
        }
        return disc_in_box(radius, bounds.bounds()[0], bounds.bounds()[1]);
    }
    if (cutting_ball != nullptr) {
        return ball_in_ball(radius, cutting_ball->radius, math::norm(center - cutting_ball->center));
    }
    return cut_by_plane ? ball_in_box(radius, bounds.bounds()) : whole_ball(radius);
}

bool RegionVolume::holds_corners_of(const model::Box& box) const {
    for (const double x : {box.low.x, box.high.x}) {
        for (const double y : {box.low.y, box.high.y}) {
            for (const double z : {box.low.z, box.high.z}) {
                if (!contains({x, y, z})) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool RegionVolume::contains(const Vec3d& point) const {
    return std::all_of(planes_.begin(), planes_.end(),
                       [&](const Plane& plane) { return math::dot(plane.normal, point) >= plane.offset; }) &&
           std::all_of(balls_.begin(), balls_.end(),
                       [&](const model::Ball& b) { return math::norm2(point - b.center) <= b.radius * b.radius; }) &&
           std::all_of(cones_.begin(), cones_.end(),
                       [&](const Cone& cone) {
                           const Vec3d from = point - cone.from;
                           const double z = math::dot(from, cone.axis);
                           return math::norm(from - cone.axis * z) <= cone.radius + cone.slope * z;
                       }) &&
           std::all_of(holes_.begin(), holes_.end(),
                       [&](const model::Outside& hole) { return hole.distance(point) >= 0; });
}

double RegionVolume::sampled(const model::Box& box) const {
    const Vec3d size = box.high - box.low;
    int inside = 0;
    for (int k = 0; k < samples_; ++k) {
        const Vec3d u = spread_point(k);
        inside += contains({box.low.x + size.x * u.x, box.low.y + size.y * u.y, box.low.z + size.z * u.z}) ? 1 : 0;
    }
    return size.x * size.y * (domain_.planar() ? 1 : size.z) * inside / samples_;
}

double RegionVolume::sampled_ball(const Vec3d& center, double radius) const {
    int inside = 0;
    int taken = 0;
    for (int k = 0; taken < samples_per_ball; ++k) {
        Vec3d u = (spread_point(k) - Vec3d{0.5, 0.5, 0.5}) * 2.0;
        u.z = domain_.planar() ? 0 : u.z;
        if (math::norm2(u) <= 1) {
            ++taken;
            inside += contains(center + u * radius) ? 1 : 0;
        }
    }
    return whole_ball(radius) * inside / samples_per_ball;
}

}  // namespace talus::analysis
