#include "talus/geometry/sphere_union.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "talus/math/portable_angle.h"
#include "talus/math/symmetric_eigen.h"

namespace talus::geometry {

namespace {

constexpr double pi = std::numbers::pi;

void add(Moments& sum, const Moments& part, double factor) {
    sum.volume += part.volume * factor;
    sum.first += part.first * factor;
    math::add_scaled(sum.second, part.second, factor);
}

/// The moments of a solid about the origin, from those about a point of it.
Moments moved(const Moments& m, const Vec3d& by) {
    Moments out = m;
    out.first += by * m.volume;
    math::add_scaled(out.second, symmetric_product(m.first, by), 2);
    math::add_scaled(out.second, symmetric_product(by, by), m.volume);
    return out;
}

Moments ball_moments(const Ball& ball) {
    const double r = ball.radius;
    Moments out;
    out.volume = 4.0 / 3 * pi * r * r * r;
    const double along = out.volume * r * r / 5;
    out.second = {along, along, along, 0, 0, 0};
    return moved(out, ball.center);
}

/// The part of a ball that lies beyond a plane at `height` from its centre along the unit vector `axis`.
Moments cap_moments(const Ball& ball, const Vec3d& axis, double height) {
    const double r = ball.radius;
    const double h = height;
    const double rest = r - h;
    Moments out;
    out.volume = pi / 3 * rest * rest * (2 * r + h);
    const double disc2 = (r - h) * (r + h);  // squared radius of the base
    out.first = axis * (pi / 4 * disc2 * disc2);
    const double cubes = r * r * r - h * h * h;
    const double fifths = r * r * r * r * r - h * h * h * h * h;
    const double along = pi * (r * r * cubes / 3 - fifths / 5);
    const double across = pi / 4 * (r * r * r * r * rest - 2 * r * r * cubes / 3 + fifths / 5);
    out.second = {across, across, across, 0, 0, 0};
    math::add_scaled(out.second, symmetric_product(axis, axis), along - across);
    return moved(out, ball.center);
}

bool overlap(const Ball& a, const Ball& b) {
    return norm(b.center - a.center) < a.radius + b.radius;
}

/// What two balls share: two caps, base to base.
Moments lens_moments(const Ball& a, const Ball& b) {
    const Vec3d d = b.center - a.center;
    const double distance = norm(d);
    const double height = 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
    const Vec3d axis = d / distance;
    Moments out = cap_moments(a, axis, height);
    add(out, cap_moments(b, -axis, distance - height), 1);
    return out;
}

bool has_threesome(std::span<const Ball> balls) {
    for (std::size_t i = 0; i < balls.size(); ++i) {
        for (std::size_t j = i + 1; j < balls.size(); ++j) {
            for (std::size_t k = j + 1; k < balls.size() && overlap(balls[i], balls[j]); ++k) {
                if (overlap(balls[i], balls[k]) && overlap(balls[j], balls[k])) {
                    return true;
                }
            }
        }
    }
    return false;
}

// ---- cross-sections

struct Disc {
    double x, y, radius;
};

/// Integrals over a plane figure of 1, x, y, x^2, y^2 and x y.
using Plane = std::array<double, 6>;

/// An end of an arc: its angle, and the direction.
struct ArcEnd {
    double angle, c, s;
};

ArcEnd end_at(double angle) {
    const math::SinCos at = math::sincos(angle);
    return {angle, at.cos, at.sin};
}

/// What the arc of a disc from one end on to the other contributes to the integrals, by Green's theorem: the figure's
/// border runs along x dy, x^2/2 dy, -y^2/2 dx, x^3/3 dy, -y^3/3 dx, x^2 y/2 dy.
void add_arc(Plane& sum, const Disc& disc, const ArcEnd& from, const ArcEnd& to) {
    const auto power = [](double v, int n) {
        double out = v;
        for (int k = 1; k < n; ++k) {
            out *= v;
        }
        return out;
    };
    const double turn = to.angle - from.angle;
    const double c1 = to.s - from.s;  // integrals of cos, sin and their products along the arc
    const double s1 = from.c - to.c;
    const double double_sine = to.s * to.c - from.s * from.c;  // half the change of sin 2a
    const double cc = 0.5 * (turn + double_sine);
    const double ss = 0.5 * (turn - double_sine);
    const double cs = 0.5 * (to.s - from.s) * (to.s + from.s);
    const double s3 = (power(to.s, 3) - power(from.s, 3)) / 3;
    const double c3 = (power(to.c, 3) - power(from.c, 3)) / 3;
    const double ccc = c1 - s3;
    const double sss = s1 + c3;
    const double ccs = -c3;
    const auto sine_of_four = [](const ArcEnd& e) { return 4 * e.s * e.c * (1 - 2 * e.s * e.s); };
    const double four = (sine_of_four(to) - sine_of_four(from)) / 32;
    const double cccc = 0.375 * turn + 0.5 * double_sine + four;
    const double ssss = 0.375 * turn - 0.5 * double_sine + four;
    const double cccs = -(power(to.c, 4) - power(from.c, 4)) / 4;
    const double x = disc.x;
    const double y = disc.y;
    const double r = disc.radius;
    const double r2 = r * r;
    const double r3 = r2 * r;
    sum[0] += r * (x * c1 + r * cc);
    sum[1] += 0.5 * r * (x * x * c1 + 2 * x * r * cc + r2 * ccc);
    sum[2] += 0.5 * r * (y * y * s1 + 2 * y * r * ss + r2 * sss);
    sum[3] += r / 3 * (x * x * x * c1 + 3 * x * x * r * cc + 3 * x * r2 * ccc + r3 * cccc);
    sum[4] += r / 3 * (y * y * y * s1 + 3 * y * y * r * ss + 3 * y * r2 * sss + r3 * ssss);
    sum[5] += 0.5 * r * (x * x * (y * c1 + r * cs) + 2 * x * r * (y * cc + r * ccs) + r2 * (y * ccc + r * cccs));
}

/// The moments of a union of discs: those of its border, which is what no other disc covers of each circle. Of two
/// equal discs the first counts.
Plane section(std::span<const Disc> discs) {
    struct Covered {
        double from, to;
    };
    Plane sum{};
    std::vector<Covered> covered;
    for (std::size_t k = 0; k < discs.size(); ++k) {
        const Disc& disc = discs[k];
        covered.clear();
        bool hidden = false;
        for (std::size_t j = 0; j < discs.size() && !hidden; ++j) {
            const Disc& other = discs[j];
            if (j == k) {
                continue;
            }
            const double dx = other.x - disc.x;
            const double dy = other.y - disc.y;
            const double d = std::sqrt(dx * dx + dy * dy);
            if (d >= disc.radius + other.radius || d + other.radius < disc.radius) {
                continue;
            }
            if (d + disc.radius <= other.radius) {
                const bool same = d == 0 && disc.radius == other.radius;
                hidden = !same || j < k;
                continue;
            }
            const double cosine = std::clamp(
                (d * d + (disc.radius - other.radius) * (disc.radius + other.radius)) / (2 * d * disc.radius), -1.0,
                1.0);
            const double half = math::angle_of(cosine, std::sqrt((1 - cosine) * (1 + cosine)));
            double from = math::angle_of(dx, dy) - half;
            from += from < -pi ? 2 * pi : 0;
            const double to = from + 2 * half;
            if (to > pi) {
                covered.push_back({from, pi});
                covered.push_back({-pi, to - 2 * pi});
            } else {
                covered.push_back({from, to});
            }
        }
        if (hidden) {
            continue;
        }
        std::sort(covered.begin(), covered.end(), [](const Covered& a, const Covered& b) { return a.from < b.from; });
        double open = -pi;
        for (const Covered& c : covered) {
            if (c.from > open) {
                add_arc(sum, disc, end_at(open), end_at(c.from));
            }
            open = std::max(open, c.to);
        }
        if (open < pi) {
            add_arc(sum, disc, end_at(open), end_at(pi));
        }
    }
    return sum;
}

/// Ten integrals: 1, x, y, z, xx, yy, zz, yz, xz, xy.
using Integrals = std::array<double, 10>;

class Sections {
public:
    Sections(std::span<const Ball> balls, double tolerance) : balls_(balls), tolerance_(tolerance) {
        for (const Ball& b : balls) {
            low_ = std::min(low_, b.center.z - b.radius);
            high_ = std::max(high_, b.center.z + b.radius);
            const double r = b.radius;
            bound_ += 4.0 / 3 * pi * r * r * r;
            size_ = std::max(size_, norm(b.center) + r);
        }
    }

    Moments integrate() {
        const std::vector<double> cuts = places();
        Integrals sum{};
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
            const double share = (cuts[k + 1] - cuts[k]) / (high_ - low_);
            take(cuts[k], cuts[k + 1], 0, 1, share, 0, sum);
        }
        return {sum[0], {sum[1], sum[2], sum[3]}, {sum[4], sum[5], sum[6], sum[7], sum[8], sum[9]}};
    }
    /// Relative, of the volume.
    double error() const { return error_ / bound_; }

private:
    static constexpr int deepest = 24;
    static constexpr std::size_t few = 64;  // balls: beyond, the places of their circles are too many to cut at

    /// Where the sections change their form: ends of balls and of the circles in which two of them meet.
    std::vector<double> places() const {
        std::vector<double> out = {low_, high_};
        for (std::size_t i = 0; i < balls_.size(); ++i) {
            out.push_back(balls_[i].center.z - balls_[i].radius);
            out.push_back(balls_[i].center.z + balls_[i].radius);
            for (std::size_t j = i + 1; j < balls_.size() && balls_.size() <= few; ++j) {
                const Vec3d d = balls_[j].center - balls_[i].center;
                const double distance = norm(d);
                if (distance == 0 || !overlap(balls_[i], balls_[j])) {
                    continue;
                }
                const double ri = balls_[i].radius;
                const double rj = balls_[j].radius;
                const double height = 0.5 * (distance + (ri - rj) * (ri + rj) / distance);
                const double circle2 = (ri - height) * (ri + height);
                if (circle2 > 0) {
                    const double slope = d.z / distance;
                    const double reach = std::sqrt(circle2 * std::max(0.0, (1 - slope) * (1 + slope)));
                    const double middle = balls_[i].center.z + slope * height;
                    out.push_back(middle - reach);
                    out.push_back(middle + reach);
                }
            }
        }
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }

    /// At the part t of the way between two places; near both the way is taken slowly, which makes the half-integer
    /// powers of the sections there whole ones.
    void add_section(double a, double b, double t, double weight, Integrals& sum) {
        const double z = a + (b - a) * (t * t * (3 - 2 * t));
        const double pace = 6 * t * (1 - t) * (b - a);
        discs_.clear();
        for (const Ball& ball : balls_) {
            const double r2 = (ball.radius - (z - ball.center.z)) * (ball.radius + (z - ball.center.z));
            if (r2 > 0) {
                discs_.push_back({ball.center.x, ball.center.y, std::sqrt(r2)});
            }
        }
        const Plane p = section(discs_);
        const double w = weight * pace;
        sum[0] += w * p[0];
        sum[1] += w * p[1];
        sum[2] += w * p[2];
        sum[3] += w * z * p[0];
        sum[4] += w * p[3];
        sum[5] += w * p[4];
        sum[6] += w * z * z * p[0];
        sum[7] += w * z * p[2];
        sum[8] += w * z * p[1];
        sum[9] += w * p[5];
    }

    /// Gauss and Kronrod's rules of 7 and 15 points over t from `from` to `to`, in halves where they disagree.
    void take(double a, double b, double from, double to, double share, int depth, Integrals& sum) {
        static constexpr std::array<double, 8> node = {
            0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
            0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
            0.586087235467691130294144045519999, 0.405845151377397166906606412076961,
            0.207784955007898467600689403773245, 0};
        static constexpr std::array<double, 8> kronrod = {
            0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
            0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
            0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
            0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
        static constexpr std::array<double, 4> gauss = {
            0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
            0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
        Integrals fine{};
        Integrals coarse{};
        const double middle = 0.5 * (from + to);
        const double half = 0.5 * (to - from);
        for (std::size_t k = 0; k < node.size(); ++k) {
            for (const double side : {-1.0, 1.0}) {
                if (k + 1 == node.size() && side > 0) {
                    break;  // the middle counts once
                }
                Integrals at{};
                add_section(a, b, middle + side * half * node[k], half, at);
                for (std::size_t q = 0; q < at.size(); ++q) {
                    fine[q] += kronrod[k] * at[q];
                    coarse[q] += k % 2 == 1 ? gauss[k / 2] * at[q] : 0;
                }
            }
        }
        double off = 0;
        for (std::size_t q = 0; q < fine.size(); ++q) {
            const double scale = q == 0 ? 1 : (q < 4 ? size_ : size_ * size_);
            off = std::max(off, std::abs(fine[q] - coarse[q]) / scale);
        }
        if (off > tolerance_ * share * bound_ && depth < deepest) {
            take(a, b, from, middle, 0.5 * share, depth + 1, sum);
            take(a, b, middle, to, 0.5 * share, depth + 1, sum);
            return;
        }
        error_ += off;
        for (std::size_t q = 0; q < fine.size(); ++q) {
            sum[q] += fine[q];
        }
    }

    std::span<const Ball> balls_;
    double tolerance_;
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
    double bound_ = 0;  // m3, of all balls, overlaps counted twice
    double size_ = 0;   // m
    double error_ = 0;  // m3
    std::vector<Disc> discs_;
};

}  // namespace

Moments moments_by_sections(std::span<const Ball> balls, double tolerance, double* error) {
    // About a point in their midst, so that little cancels.
    Vec3d midst;
    for (const Ball& b : balls) {
        midst += b.center / static_cast<double>(balls.size());
    }
    std::vector<Ball> near(balls.begin(), balls.end());
    for (Ball& b : near) {
        b.center -= midst;
    }
    Sections sections(near, tolerance);
    const Moments out = moved(sections.integrate(), midst);
    if (error != nullptr) {
        *error = sections.error();
    }
    return out;
}

Moments union_moments(std::span<const Ball> balls, double tolerance, double* error) {
    if (has_threesome(balls)) {
        return moments_by_sections(balls, tolerance, error);
    }
    if (error != nullptr) {
        *error = 0;
    }
    Moments out;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        add(out, ball_moments(balls[i]), 1);
        for (std::size_t j = i + 1; j < balls.size(); ++j) {
            if (overlap(balls[i], balls[j])) {
                add(out, lens_moments(balls[i], balls[j]), -1);
            }
        }
    }
    return out;
}

MassProperties mass_properties(std::span<const Ball> balls, double tolerance) {
    MassProperties out;
    const Vec3d start = balls.front().center;
    std::vector<Ball> near(balls.begin(), balls.end());
    for (Ball& b : near) {
        b.center -= start;
    }
    const Moments m = union_moments(near, tolerance, &out.error);
    out.volume = m.volume;
    const Vec3d center = m.first / m.volume;
    math::Tensor6 s = m.second;
    math::add_scaled(s, symmetric_product(center, center), -m.volume);
    const double trace = s[0] + s[1] + s[2];
    out.inertia = {{{trace - s[0], -s[5], -s[4]}, {-s[5], trace - s[1], -s[3]}, {-s[4], -s[3], trace - s[2]}}};
    const math::PrincipalAxes principal = math::principal_axes(out.inertia);
    out.moment = principal.value;
    out.axes = principal.axes;
    for (const Ball& b : near) {
        out.reach = std::max(out.reach, norm(b.center - center) + b.radius);
    }
    out.center = start + center;
    return out;
}

std::optional<std::string> grain_fault(std::span<const Ball> balls) {
    if (balls.empty()) {
        return "there is no sphere";
    }
    for (std::size_t i = 0; i < balls.size(); ++i) {
        if (!(balls[i].radius > 0) || !std::isfinite(balls[i].radius)) {
            return "sphere " + std::to_string(i) + " has no positive radius";
        }
    }
    std::vector<std::size_t> reached = {0};
    std::vector<char> known(balls.size(), 0);
    known[0] = 1;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const std::size_t i = reached[next];
        for (std::size_t j = 0; j < balls.size(); ++j) {
            const double distance = norm(balls[j].center - balls[i].center);
            if (j != i && distance + balls[j].radius <= balls[i].radius) {
                return "sphere " + std::to_string(j) + " lies inside sphere " + std::to_string(i);
            }
            if (known[j] == 0 && distance < balls[i].radius + balls[j].radius) {
                known[j] = 1;
                reached.push_back(j);
            }
        }
    }
    for (std::size_t j = 0; j < balls.size(); ++j) {
        if (known[j] == 0) {
            return "sphere " + std::to_string(j) + " does not hang together with sphere 0";
        }
    }
    return std::nullopt;
}

}  // namespace talus::geometry
