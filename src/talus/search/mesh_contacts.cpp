#include "talus/search/mesh_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::search {

namespace {

/// Normals that differ by more than this are those of different contacts.
constexpr double least_agreement = 0.5;  // cosine

/// Calls `see(faces, image, at)` for the listed triangles of each copy of the mesh: how many periods away it is, and
/// where `x` lies in its neighbourhood. The body may have crossed a border since it was listed.
template <class See>
void for_each_copy(const model::Domain& domain, const model::WallPairList& pairs, std::size_t pair, const Vec3d& x,
                   const See& see) {
    const std::span<const std::uint32_t> faces = listed_faces(pairs, pair);
    if (!domain.any_periodic()) {
        see(faces, std::array<double, 3>{}, x);
        return;
    }
    const std::size_t first = faces.empty() ? 0 : pairs.face_row[pair];
    const Vec3d period = domain.size();
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        const std::uint8_t code = pairs.face_image[first + begin];
        while (end < faces.size() && pairs.face_image[first + end] == code) {
            ++end;
        }
        const model::Image listed = image_of(code);
        std::array<double, 3> image = {static_cast<double>(listed.x), static_cast<double>(listed.y),
                                       static_cast<double>(listed.z)};
        Vec3d at = x;
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            if (domain.periodic[axis]) {
                image[axis] -= std::rint((x[k] - pairs.listed_at[pairs.body[pair]][k]) / period[k]);
                at[k] += image[axis] * period[k];
            }
        }
        see(faces.subspan(begin, end - begin), image, at);
    }
}

}  // namespace

geometry::SurfaceContacts mesh_contacts(const model::Wall& wall, const model::Domain& domain,
                                        const model::WallPairList& pairs, std::size_t pair, const Vec3d& x,
                                        double reach) {
    geometry::SurfaceContacts out;
    double least = std::numeric_limits<double>::infinity();
    std::array<double, 3> nearest_image{};
    for_each_copy(
        domain, pairs, pair, x, [&](std::span<const std::uint32_t> faces, const auto& image, const Vec3d& at) {
            const geometry::SurfaceContacts found = wall.shape.surface->contacts(wall.pose.to_local(at), reach, faces);
            double nearest = std::numeric_limits<double>::infinity();
            for (const geometry::SurfaceContact& contact : found.all()) {
                nearest = std::min(nearest, contact.near.distance);
            }
            // Of copies that are equally near, the same one however they are listed.
            if (nearest < least || (nearest == least && found.count > 0 && image < nearest_image)) {
                least = nearest;
                nearest_image = image;
                out = found;
                for (std::size_t k = 0; k < out.count; ++k) {
                    geometry::SurfaceContact& contact = out.of[k];
                    contact.near.direction = wall.pose.rotation * contact.near.direction;
                    contact.near.point = at + contact.near.direction * contact.near.distance;
                    contact.along = wall.pose.rotation * contact.along;
                }
            }
        });
    return out;
}

double mesh_distance(const model::Wall& wall, const model::Domain& domain, const model::WallPairList& pairs,
                     std::size_t pair, const Vec3d& x) {
    double least = std::numeric_limits<double>::infinity();
    for_each_copy(domain, pairs, pair, x, [&](std::span<const std::uint32_t> faces, const auto&, const Vec3d& at) {
        least = std::min(least, wall.shape.surface->distance_of(faces, wall.pose.to_local(at)));
    });
    return least;
}

geometry::Nearest deepest_mesh_contact(const model::Wall& wall, const model::Domain& domain,
                                       const model::WallPairList& pairs, std::size_t pair, const Vec3d& x,
                                       double reach) {
    geometry::Nearest out;
    out.acts = false;
    for (const geometry::SurfaceContact& contact : mesh_contacts(wall, domain, pairs, pair, x, reach).all()) {
        out = !out.acts || contact.near.distance < out.distance ? contact.near : out;
    }
    return out;
}

geometry::Nearest listed_wall_point(const model::Wall& wall, const model::Domain& domain,
                                    const model::WallPairList& pairs, std::size_t pair, const Vec3d& x, double radius) {
    const std::uint8_t side = pairs.side[pair];
    if (is_mesh(wall)) {
        return deepest_mesh_contact(wall, domain, pairs, pair - side, x, radius);
    }
    return side == 0 ? nearest_wall_point(wall, domain, x) : opposite_wall_point(wall, domain, x);
}

MeshSides follow_sides(const model::WallPairList& pairs, std::uint32_t pair, std::uint32_t sides,
                       const geometry::SurfaceContacts& contacts) {
    MeshSides out;
    std::array<bool, geometry::SurfaceContacts::most> taken{};
    for (std::size_t round = 0; round < contacts.count; ++round) {
        double best = -2;
        std::size_t contact = 0;
        std::uint32_t side = sides;
        for (std::uint32_t s = 0; s < sides; ++s) {
            if (!pairs.touching[pair + s] || out.contact[s] != MeshSides::none) {
                continue;
            }
            for (std::size_t c = 0; c < contacts.count; ++c) {
                const double agreement = dot(pairs.normal[pair + s], contacts.of[c].near.direction);
                if (!taken[c] && agreement > best) {
                    best = agreement;
                    contact = c;
                    side = s;
                }
            }
        }
        if (side == sides) {
            break;
        }
        taken[contact] = true;
        out.contact[side] = static_cast<std::int8_t>(contact);
        out.anew[side] = best < least_agreement;
    }
    std::uint32_t free = 0;
    for (std::size_t c = 0; c < contacts.count; ++c) {
        while (free < sides && (pairs.touching[pair + free] || out.contact[free] != MeshSides::none)) {
            ++free;
        }
        if (!taken[c] && free < sides) {
            out.contact[free] = static_cast<std::int8_t>(c);
        }
    }
    return out;
}

}  // namespace talus::search
