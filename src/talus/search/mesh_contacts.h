// Where a body meets a mesh that is a wall, in world coordinates, and which of its contacts of the last step each of
// these places goes on with.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "talus/geometry/surface.h"
#include "talus/model/contacts.h"
#include "talus/search/balls.h"
#include "talus/search/wall_distance.h"

namespace talus::search {

inline bool is_mesh(const model::Wall& wall) {
    return wall.shape.kind == geometry::ShapeKind::mesh;
}

/// The triangles that are listed for a pair of side 0.
inline std::span<const std::uint32_t> listed_faces(const model::WallPairList& pairs, std::size_t pair) {
    return pairs.face_row.empty()
               ? std::span<const std::uint32_t>{}
               : std::span(pairs.face).subspan(pairs.face_row[pair], pairs.face_row[pair + 1] - pairs.face_row[pair]);
}

/// How many pairs from `pair` on, which has side 0, are those of one body and one wall.
inline std::uint32_t sides_of(const model::WallPairList& pairs, std::uint32_t pair, std::uint32_t end) {
    std::uint32_t next = pair + 1;
    while (next < end && pairs.side[next] != 0) {
        ++next;
    }
    return next - pair;
}

/// Where a sphere of radius `reach` about `x` meets a mesh, of the mesh's nearest copy; `pair` is its pair of side 0.
geometry::SurfaceContacts mesh_contacts(const model::Wall& wall, const model::Domain& domain,
                                        const model::WallPairList& pairs, std::size_t pair, const Vec3d& x,
                                        double reach);

/// m, how far from `x` the mesh is at least, if it is nearer than what is listed reaches.
double mesh_distance(const model::Wall& wall, const model::Domain& domain, const model::WallPairList& pairs,
                     std::size_t pair, const Vec3d& x);

/// An overlap below this part of the radius may be what rounding leaves of one that was undone.
inline constexpr double rounded_off = 1e-12;

/// The deepest of them; it does not act where there is none.
geometry::Nearest deepest_mesh_contact(const model::Wall& wall, const model::Domain& domain,
                                       const model::WallPairList& pairs, std::size_t pair, const Vec3d& x,
                                       double reach);

/// The point of a wall that a listed pair is about: the nearest or the opposite one, or of a mesh the deepest place.
geometry::Nearest listed_wall_point(const model::Wall& wall, const model::Domain& domain,
                                    const model::WallPairList& pairs, std::size_t pair, const Vec3d& x, double radius);

/// m, how far from its centre a sphere may meet a wall within a step of `h`.
inline double reach_within(const model::Wall& wall, const Vec3d& x, const Vec3d& velocity, double radius, double h) {
    return radius + h * (norm(velocity - wall.pose.velocity_at(x)) + 2 * radius * norm(wall.pose.spin)) * (1 + 1e-9);
}

/// A number for a wall and a side of it, below 2^31.
constexpr std::uint32_t side_word(std::uint32_t wall, std::uint8_t side) {
    return (2 * wall + (side & 1U)) | (static_cast<std::uint32_t>(side) >> 1U) << 28U;
}

/// Which place each side has, by its index among the contacts.
struct MeshSides {
    static constexpr std::int8_t none = -1;
    std::array<std::int8_t, model::WallPairList::most_sides> contact;
    std::array<bool, model::WallPairList::most_sides> anew{};  // another contact has ended there

    MeshSides() { contact.fill(none); }
};

/// Contacts are followed by their normals, those that agree best first; what is new takes the lowest side that is free.
/// Depends on the contacts alone, not on how many sides are listed.
MeshSides follow_sides(const model::WallPairList& pairs, std::uint32_t pair, std::uint32_t sides,
                       const geometry::SurfaceContacts& contacts);

}  // namespace talus::search
