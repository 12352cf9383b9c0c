// A mesh as a wall: its triangles with what they border on, in a tree of boxes, and where a sphere meets them.
// Immutable and shared by all copies of a wall.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/geometry/box_tree.h"
#include "talus/geometry/flight.h"
#include "talus/geometry/mesh.h"
#include "talus/geometry/shape.h"

namespace talus::geometry {

/// A place where a sphere meets a mesh.
struct SurfaceContact {
    Nearest near;
    Vec3d along;  // of an edge: the unit vector along it

    /// The same place as it is met by a sphere that has gone on by `drift`: faces, edges and corners go on as planes,
    /// lines and points.
    Nearest after(const Vec3d& drift) const;
};

/// All of them. A sphere meets a mesh in one place for each piece of the surface that lies inside it.
struct SurfaceContacts {
    static constexpr std::size_t most = 8;
    std::size_t count = 0;
    std::array<SurfaceContact, most> of;

    std::span<const SurfaceContact> all() const { return {of.data(), count}; }
};

class Surface {
public:
    /// The mesh must have triangles, each of three different points.
    explicit Surface(Mesh mesh);

    const Mesh& mesh() const { return mesh_; }
    std::size_t faces() const { return faces_.size(); }
    /// m, the radius of the smallest ball about the origin that holds all points.
    double reach() const { return reach_; }
    /// m, an upper bound on how far a turn about the origin carries any point: `turn` times as far as it is off the
    /// axis, `axes` what it carries the ends of the three unit vectors.
    double farthest_way(double turn, const std::array<double, 3>& axes) const;
    /// Of all points and triangles.
    std::uint64_t hash() const { return hash_; }

    /// The nearest point of the whole surface; of several the one of the first triangle.
    Nearest nearest(const Vec3d& p) const;
    /// The nearest point of one triangle.
    Nearest nearest_of(std::uint32_t face, const Vec3d& p) const;
    /// The same where several are as near to rounding, as in a corner: of those the one that lies most in the direction
    /// of the velocity.
    Nearest nearest_ahead(const Vec3d& p, const Vec3d& velocity) const;

    /// Triangles nearer to `p` than `reach`, ascending.
    void list_near(const Vec3d& p, double reach, std::vector<std::uint32_t>& out) const;
    /// m, how far the nearest of these triangles is; infinite if there are none.
    double distance_of(std::span<const std::uint32_t> faces, const Vec3d& p) const;
    /// Where a sphere of radius `reach` about `p` meets the surface, in order of the triangles. All triangles nearer
    /// than that must be `among` the given ones, which ascend. See surface_contacts.cpp.
    SurfaceContacts contacts(const Vec3d& p, double reach, std::span<const std::uint32_t> among) const;

    /// The first time in [from, to] at which a sphere in flight touches and comes nearer, as first_touch() of a shape;
    /// infinite if it does not.
    double first_touch(const Flight& flight, double radius, double from, double to) const;

private:
    struct Edge {
        Vec3d from, way;                          // m
        double inverse_length2 = 0;               // 1/m2
        std::uint32_t first_face = 0, faces = 0;  // in edge_face_
    };
    struct Face {
        Vec3d normal;                 // unit; zero: a triangle without area
        std::array<Vec3d, 3> inward;  // unit, in the plane, across each side
        std::array<std::uint32_t, 3> edge{};
    };
    /// A triangle inside the sphere.
    struct Touch {
        std::uint32_t face = 0;
        Nearest near;
    };
    class Pieces;

    void make_edges();
    void make_face(std::size_t t);
    void find_sharp();
    std::span<const std::uint32_t> faces_at(const Edge& edge) const {
        return {edge_face_.data() + edge.first_face, edge.faces};
    }
    std::span<const std::uint32_t> faces_at_point(std::size_t point) const {
        return {point_face_.data() + point_row_[point], point_face_.data() + point_row_[point + 1]};
    }
    Nearest nearest_of(const Edge& edge, const Vec3d& p) const;
    SurfaceContact contact_of(const Touch& touch, const Vec3d& p) const;
    bool is_sharp(const Edge& edge) const;
    double first_touch_among(std::span<const std::uint32_t> faces, const Flight& flight, double radius, double from,
                             double to) const;

    Mesh mesh_;
    std::vector<Face> faces_;
    std::vector<Edge> edges_;
    std::vector<std::uint32_t> edge_face_;                // ascending for each edge
    std::vector<std::uint32_t> point_row_, point_face_;   // triangles at each point, ascending
    std::vector<std::uint8_t> sharp_edge_, sharp_point_;  // not flat: a sphere can touch it and no face
    BoxTree tree_;
    double reach_ = 0;
    std::array<double, 3> along_{}, off_{};  // m, how far points are at most along each axis, and off it
    std::uint64_t hash_ = 0;
};

}  // namespace talus::geometry
