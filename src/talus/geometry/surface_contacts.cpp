// Where a sphere meets a mesh. The part of the surface that lies inside the sphere falls into pieces; each piece is one
// contact, so that what a flat or a convex surface is divided into cannot be felt, while the walls of a corner are
// met one by one. A piece usually has one nearest point. Where the surface is hollow it may have several, with a pass
// between them that lies inside the sphere too: each then counts by how much deeper it reaches than the pass. Their
// sum, each overlap along its own direction less that of the pass, is what the contact is: it does not jump when a
// nearest point appears, vanishes or joins another, and for springs without a hardening it is the slope of an energy.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "talus/geometry/surface.h"

namespace talus::geometry {

namespace {

/// What overlaps differ by through rounding alone, as a part of the sphere's radius.
constexpr double rounding = 1e-12;
/// Nearest points that lie farther apart than this, seen from the centre, are contacts of their own whatever lies
/// between them: a sphere that a mesh clasps all around must be held from all sides.
constexpr double same_side = 0.8660254037844386;  // cosine of 30 degrees
/// Points nearer to each other than this part of the radius are one, though the mesh may not say so.
constexpr double same_point = 1e-9;

}  // namespace

Nearest SurfaceContact::after(const Vec3d& drift) const {
    Vec3d way = near.direction * near.distance - drift;
    if (near.feature == Feature::face) {
        way = near.direction * dot(near.direction, way);
    } else if (near.feature == Feature::edge) {
        way -= along * dot(along, way);
    }
    const double distance = norm(way);
    Nearest out = near;
    out.distance = distance;
    out.direction = distance > 0 ? way / distance : near.direction;
    out.point = near.point;
    return out;
}

/// The triangles inside one sphere, and how they hang together.
class Surface::Pieces {
public:
    Pieces(const Surface& surface, const Vec3d& p, double reach) : surface_(surface), p_(p), reach_(reach) {}

    void begin() {
        touch_.clear();
        pass_.clear();
    }
    void add(std::uint32_t face, const Nearest& near) { touch_.push_back({face, near}); }
    const std::vector<Touch>& touches() const { return touch_; }

    SurfaceContacts join() {
        const std::size_t n = touch_.size();
        root_.resize(n);
        std::iota(root_.begin(), root_.end(), std::size_t{0});
        mixed_.assign(n, 0);
        sum_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            sum_[i] = touch_[i].near.direction * (reach_ - touch_[i].near.distance);
        }
        find_passes();
        for (const Pass& pass : pass_) {
            join_over(pass);
        }
        return join_same_points();
    }

private:
    /// Two triangles that share an edge inside the sphere.
    struct Pass {
        double distance;
        std::uint32_t a, b;  // of touch_, ascending
        std::uint32_t edge;
    };

    void find_passes() {
        for (std::uint32_t i = 0; i < touch_.size(); ++i) {
            for (const std::uint32_t e : surface_.faces_[touch_[i].face].edge) {
                const Edge& edge = surface_.edges_[e];
                double distance = -1;
                for (const std::uint32_t other : surface_.faces_at(edge)) {
                    const std::uint32_t j = place_of(other);
                    if (j <= i || j == touch_.size()) {
                        continue;
                    }
                    distance = distance < 0 ? surface_.nearest_of(edge, p_).distance : distance;
                    if (distance < reach_) {
                        pass_.push_back({distance, i, j, e});
                    }
                }
            }
        }
        std::sort(pass_.begin(), pass_.end(), [](const Pass& a, const Pass& b) {
            return std::tie(a.distance, a.a, a.b) < std::tie(b.distance, b.a, b.b);
        });
    }
    std::uint32_t place_of(std::uint32_t face) const {
        const auto found = std::lower_bound(touch_.begin(), touch_.end(), face,
                                            [](const Touch& touch, std::uint32_t f) { return touch.face < f; });
        return static_cast<std::uint32_t>((found != touch_.end() && found->face == face ? found : touch_.end()) -
                                          touch_.begin());
    }
    std::size_t root(std::size_t i) const {
        while (root_[i] != i) {
            i = root_[i];
        }
        return i;
    }
    /// The deeper of two pieces stands for both.
    void join_over(const Pass& pass) {
        std::size_t elder = root(pass.a);
        std::size_t younger = root(pass.b);
        if (elder == younger) {
            return;
        }
        const auto key = [&](std::size_t i) { return std::tie(touch_[i].near.distance, touch_[i].face); };
        if (key(younger) < key(elder)) {
            std::swap(elder, younger);
        }
        const double rise = pass.distance - touch_[younger].near.distance;
        if (rise > rounding * reach_ && dot(touch_[elder].near.direction, touch_[younger].near.direction) < same_side) {
            return;
        }
        root_[younger] = elder;
        if (rise > 0 || mixed_[younger]) {
            const Nearest between = surface_.nearest_of(surface_.edges_[pass.edge], p_);
            sum_[elder] += sum_[younger] - between.direction * (reach_ - between.distance);
            mixed_[elder] = 1;
        }
    }

    SurfaceContacts join_same_points() {
        SurfaceContacts out;
        thread_local std::vector<std::size_t> roots;
        roots.clear();
        const double least2 = same_point * same_point * reach_ * reach_;
        for (std::size_t i = 0; i < touch_.size(); ++i) {
            const auto same = [&](std::size_t j) {
                return norm2(touch_[i].near.point - touch_[j].near.point) <= least2;
            };
            if (root_[i] == i && std::none_of(roots.begin(), roots.end(), same)) {
                roots.push_back(i);
            }
        }
        while (roots.size() > SurfaceContacts::most) {
            join_shallowest(roots);
        }
        for (const std::size_t i : roots) {
            out.of[out.count++] = contact(i);
        }
        return out;
    }
    /// More pieces than contacts can be told apart: the shallowest adds to whichever lies nearest to its direction.
    void join_shallowest(std::vector<std::size_t>& roots) {
        const auto least = std::max_element(roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) {
            return touch_[a].near.distance < touch_[b].near.distance;
        });
        const std::size_t gone = *least;
        roots.erase(least);
        const std::size_t to = *std::max_element(roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) {
            return dot(touch_[a].near.direction, touch_[gone].near.direction) <
                   dot(touch_[b].near.direction, touch_[gone].near.direction);
        });
        sum_[to] += sum_[gone];
        mixed_[to] = 1;
    }

    SurfaceContact contact(std::size_t i) const {
        if (!mixed_[i]) {
            return surface_.contact_of(touch_[i], p_);
        }
        const double overlap = norm(sum_[i]);
        SurfaceContact out{touch_[i].near, {}};
        out.near.feature = Feature::face;
        out.near.acts = overlap > rounding * reach_;
        if (out.near.acts) {
            out.near.direction = sum_[i] / overlap;
            out.near.distance = std::max(0.0, reach_ - overlap);
            out.near.point = p_ + out.near.direction * out.near.distance;
        }
        return out;
    }

    const Surface& surface_;
    Vec3d p_;
    double reach_;
    // Kept between spheres, so that looking at one allocates nothing.
    static thread_local std::vector<Touch> touch_;
    static thread_local std::vector<Pass> pass_;
    static thread_local std::vector<std::size_t> root_;
    static thread_local std::vector<std::uint8_t> mixed_;
    static thread_local std::vector<Vec3d> sum_;  // m, overlaps along their directions
};

thread_local std::vector<Surface::Touch> Surface::Pieces::touch_;
thread_local std::vector<Surface::Pieces::Pass> Surface::Pieces::pass_;
thread_local std::vector<std::size_t> Surface::Pieces::root_;
thread_local std::vector<std::uint8_t> Surface::Pieces::mixed_;
thread_local std::vector<Vec3d> Surface::Pieces::sum_;

SurfaceContact Surface::contact_of(const Touch& touch, const Vec3d& p) const {
    SurfaceContact out{touch.near, {}};
    if (touch.near.feature == Feature::face) {
        return out;
    }
    // An edge or a corner within a flat part of the surface is as good as a face.
    bool sharp = false;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t e = faces_[touch.face].edge[k];
        const auto corner = static_cast<std::size_t>(mesh_.triangles[touch.face][k]);
        const bool at_edge = touch.near.feature == Feature::edge;
        const double distance =
            at_edge ? nearest_of(edges_[e], p).distance : norm2(mesh_.points[corner] - touch.near.point);
        if (distance < least) {
            least = distance;
            sharp = (at_edge ? sharp_edge_[e] : sharp_point_[corner]) != 0;
            out.along = at_edge ? normalized(edges_[e].way) : Vec3d{};
        }
    }
    out.near.feature = sharp ? out.near.feature : Feature::face;
    return out;
}

SurfaceContacts Surface::contacts(const Vec3d& p, double reach, std::span<const std::uint32_t> among) const {
    Pieces pieces(*this, p, reach);
    pieces.begin();
    for (const std::uint32_t f : among) {
        const Face& face = faces_[f];
        if (std::abs(dot(p - edges_[face.edge[0]].from, face.normal)) >= reach) {
            continue;
        }
        const Nearest near = nearest_of(f, p);
        if (near.distance < reach) {
            pieces.add(f, near);
        }
    }
    const std::vector<Touch>& touches = pieces.touches();
    if (touches.size() > 1) {
        return pieces.join();
    }
    SurfaceContacts out;
    if (touches.size() == 1) {
        out.of[out.count++] = contact_of(touches.front(), p);
    }
    return out;
}

}  // namespace talus::geometry
