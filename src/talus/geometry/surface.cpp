#include "talus/geometry/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "talus/base/hash.h"
#include "talus/geometry/opposite.h"

namespace talus::geometry {

namespace {

/// Triangles whose planes differ by less than this angle are one plane to a sphere in flight.
constexpr double flat_angle = 1e-7;
/// Places no farther than the nearest one by this part of its distance count as equally near.
constexpr double as_near = 1e-9;

}  // namespace

Surface::Surface(Mesh mesh) : mesh_(std::move(mesh)), faces_(mesh_.triangles.size()) {
    make_edges();
    std::vector<Box> boxes(faces_.size());
    base::Hasher hash;
    for (std::size_t t = 0; t < faces_.size(); ++t) {
        make_face(t);
        const auto corner = [&](std::size_t k) {
            return mesh_.points[static_cast<std::size_t>(mesh_.triangles[t][k])];
        };
        boxes[t] = {corner(0), corner(0)};
        boxes[t].take_in(corner(1));
        boxes[t].take_in(corner(2));
        for (const std::int32_t index : mesh_.triangles[t]) {
            hash.add(index);
        }
    }
    for (const Vec3d& p : mesh_.points) {
        reach_ = std::max(reach_, norm(p));
        for (int i = 0; i < 3; ++i) {
            const auto axis = static_cast<std::size_t>(i);
            const double u = p[(i + 1) % 3];
            const double v = p[(i + 2) % 3];
            along_[axis] = std::max(along_[axis], std::abs(p[i]));
            off_[axis] = std::max(off_[axis], std::sqrt(u * u + v * v));
            hash.add(p[i]);
        }
    }
    hash_ = hash.value();
    tree_ = BoxTree(boxes);
    find_sharp();
}

double Surface::farthest_way(double turn, const std::array<double, 3>& axes) const {
    double least = turn * reach_;
    for (std::size_t k = 0; k < 3; ++k) {  // the part of a point's place along an axis and the part off it
        least = std::min(least, axes[k] * along_[k] + turn * off_[k]);
    }
    return least;
}

/// Sides with the same ends are one edge, seen the same way by all its triangles.
void Surface::make_edges() {
    struct Use {
        std::int32_t low, high;
        std::uint32_t face, side;
    };
    std::vector<Use> uses;
    uses.reserve(3 * faces_.size());
    for (std::uint32_t t = 0; t < faces_.size(); ++t) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::int32_t a = mesh_.triangles[t][k];
            const std::int32_t b = mesh_.triangles[t][(k + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), t, k});
        }
    }
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
        return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
    });
    edge_face_.reserve(uses.size());
    for (std::size_t n = 0; n < uses.size(); ++n) {
        const Use& use = uses[n];
        if (n == 0 || use.low != uses[n - 1].low || use.high != uses[n - 1].high) {
            const Vec3d& from = mesh_.points[static_cast<std::size_t>(use.low)];
            const Vec3d way = mesh_.points[static_cast<std::size_t>(use.high)] - from;
            edges_.push_back({from, way, 1 / norm2(way), static_cast<std::uint32_t>(n), 0});
        }
        edge_face_.push_back(use.face);
        ++edges_.back().faces;
        faces_[use.face].edge[use.side] = static_cast<std::uint32_t>(edges_.size() - 1);
    }
    point_row_.assign(mesh_.points.size() + 1, 0);
    for (const auto& triangle : mesh_.triangles) {
        for (const std::int32_t point : triangle) {
            ++point_row_[static_cast<std::size_t>(point) + 1];
        }
    }
    for (std::size_t p = 1; p < point_row_.size(); ++p) {
        point_row_[p] += point_row_[p - 1];
    }
    point_face_.resize(3 * faces_.size());
    std::vector<std::uint32_t> next(point_row_.begin(), point_row_.end() - 1);
    for (std::uint32_t t = 0; t < faces_.size(); ++t) {
        for (const std::int32_t point : mesh_.triangles[t]) {
            point_face_[next[static_cast<std::size_t>(point)]++] = t;
        }
    }
}

void Surface::make_face(std::size_t t) {
    Face& face = faces_[t];
    const auto corner = [&](std::size_t k) {
        return mesh_.points[static_cast<std::size_t>(mesh_.triangles[t][k % 3])];
    };
    const Vec3d area = cross(corner(1) - corner(0), corner(2) - corner(0));
    double longest2 = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        longest2 = std::max(longest2, norm2(corner(k + 1) - corner(k)));
    }
    if (!(norm(area) > flattest_triangle * longest2)) {
        return;
    }
    face.normal = normalized(area);
    for (std::size_t k = 0; k < 3; ++k) {
        face.inward[k] = normalized(cross(face.normal, corner(k + 1) - corner(k)));
    }
}

bool Surface::is_sharp(const Edge& edge) const {
    const std::span<const std::uint32_t> at = faces_at(edge);
    if (at.size() != 2) {
        return true;
    }
    const auto inward = [&](std::uint32_t f) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (&edges_[faces_[f].edge[k]] == &edge) {
                return faces_[f].inward[k];
            }
        }
        return Vec3d{};
    };
    const Vec3d a = inward(at[0]);
    const Vec3d b = inward(at[1]);
    return norm2(a) == 0 || norm2(b) == 0 || norm(a + b) > flat_angle;
}

void Surface::find_sharp() {
    sharp_edge_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        sharp_edge_[e] = is_sharp(edges_[e]) ? 1 : 0;
    }
    sharp_point_.assign(mesh_.points.size(), 0);
    for (std::size_t t = 0; t < faces_.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (sharp_edge_[faces_[t].edge[k]]) {
                sharp_point_[static_cast<std::size_t>(mesh_.triangles[t][k])] = 1;
                sharp_point_[static_cast<std::size_t>(mesh_.triangles[t][(k + 1) % 3])] = 1;
            }
        }
    }
}

Nearest Surface::nearest_of(const Edge& edge, const Vec3d& p) const {
    const double t = std::clamp(dot(p - edge.from, edge.way) * edge.inverse_length2, 0.0, 1.0);
    const Vec3d& normal = faces_[edge_face_[edge.first_face]].normal;
    return detail::contact_at(p, edge.from + edge.way * t, t > 0 && t < 1 ? Feature::edge : Feature::corner, -normal);
}

Nearest Surface::nearest_of(std::uint32_t f, const Vec3d& p) const {
    const Face& face = faces_[f];
    const bool has_area = norm2(face.normal) > 0;
    bool found = false;
    Nearest best;
    for (std::size_t k = 0; k < 3; ++k) {
        const Edge& edge = edges_[face.edge[k]];
        if (has_area && dot(p - edge.from, face.inward[k]) >= 0) {
            continue;  // from outside, the nearest side is one that the point lies beyond
        }
        const Nearest side = nearest_of(edge, p);
        if (!found || side.distance < best.distance) {
            found = true;
            best = side;
        }
    }
    if (found) {
        return best;
    }
    const double height = dot(p - edges_[face.edge[0]].from, face.normal);
    return {std::abs(height), height >= 0 ? -face.normal : face.normal, p - face.normal * height, Feature::face, true};
}

Nearest Surface::nearest(const Vec3d& p) const {
    double least2 = std::numeric_limits<double>::infinity();
    Nearest best{least2, {}, {}, Feature::face, true};
    std::uint32_t of = 0;
    tree_.seek(p, least2, [&](std::uint32_t f) {
        const Nearest here = nearest_of(f, p);
        if (here.distance < best.distance || (here.distance == best.distance && f < of)) {
            best = here;
            of = f;
            least2 = std::nextafter(best.distance * best.distance * (1 + 4e-16), HUGE_VAL);  // lest ties be lost
        }
    });
    return best;
}

Nearest Surface::nearest_ahead(const Vec3d& p, const Vec3d& velocity) const {
    const Nearest first = nearest(p);
    const double reach = first.distance * (1 + as_near) + as_near * 1e-3 * reach_;
    thread_local std::vector<std::uint32_t> near;
    list_near(p, reach, near);
    if (near.size() < 2) {
        return first;
    }
    const SurfaceContacts found = contacts(p, reach, near);
    if (found.count < 2) {
        return first;
    }
    const auto towards = [&](const SurfaceContact& c) { return dot(c.near.direction, velocity); };
    return std::max_element(found.of.begin(), found.of.begin() + static_cast<std::ptrdiff_t>(found.count),
                            [&](const auto& a, const auto& b) { return towards(a) < towards(b); })
        ->near;
}

void Surface::list_near(const Vec3d& p, double reach, std::vector<std::uint32_t>& out) const {
    out.clear();
    tree_.visit([&](const Box& box) { return box.distance2(p) < reach * reach; },
                [&](std::uint32_t f) {
                    if (nearest_of(f, p).distance < reach) {
                        out.push_back(f);
                    }
                });
    std::sort(out.begin(), out.end());
}

double Surface::distance_of(std::span<const std::uint32_t> faces, const Vec3d& p) const {
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t f : faces) {
        least = std::min(least, nearest_of(f, p).distance);
    }
    return least;
}

namespace detail {

Nearest nearest_of_surface(const Shape& shape, const Vec3d& p) {
    return shape.surface->nearest(p);
}
Nearest nearest_of_surface_ahead(const Shape& shape, const Vec3d& p, const Vec3d& velocity) {
    return shape.surface->nearest_ahead(p, velocity);
}

}  // namespace detail

}  // namespace talus::geometry
