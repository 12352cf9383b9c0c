#include "talus/search/wall_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <numeric>

#include "talus/base/parallel.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_cells.h"
#include "talus/search/wall_distance.h"

namespace talus::search {

namespace {

using model::WallPairList;

constexpr std::uint32_t none = 0xFFFFFFFFU;

struct Listed {
    std::uint32_t body, wall;
    std::uint32_t old;  // where this contact stood, if it touched
    std::uint8_t side;
    std::uint32_t faces = 0;  // of a mesh, for side 0: how many follow in Share::faces
};

/// Consecutive bodies' pairs, as one thread found them.
struct Share {
    std::size_t begin = 0;
    std::vector<Listed> listed;
    std::vector<std::uint32_t> faces;
    std::vector<std::uint8_t> images;
    std::vector<std::uint32_t> found;  // work space
};

using Sides = std::array<std::uint32_t, WallPairList::most_sides>;

/// Old contacts of one body that touched, in order.
class OldContacts {
public:
    OldContacts(const WallPairList& pairs, std::size_t body)
        : pairs_(pairs),
          at_(pairs.row.empty() ? 0 : pairs.row[body]),
          end_(pairs.row.empty() ? 0 : pairs.row[body + 1]) {
        skip();
    }
    std::uint32_t wall() const { return at_ < end_ ? pairs_.wall[at_] : none; }
    /// The contacts with `wall` by side; goes on to the next wall.
    Sides take(std::uint32_t wall) {
        Sides out;
        out.fill(none);
        while (at_ < end_ && pairs_.wall[at_] == wall) {
            out[pairs_.side[at_]] = at_;
            ++at_;
            skip();
        }
        return out;
    }

private:
    void skip() {
        while (at_ < end_ && !pairs_.touching[at_]) {
            ++at_;
        }
    }
    const WallPairList& pairs_;
    std::uint32_t at_, end_;
};

/// What is looked for: the same for all bodies.
struct Search {
    const Spheres& spheres;
    std::span<const model::Wall> walls;
    std::span<const std::uint32_t> sweeping;  // walls that are listed for every body, ascending
    const model::Domain& domain;
    double skin;
};

/// Whether the opposite side of a wall must be listed beside the nearest one.
bool reaches_opposite(const Search& search, const model::Wall& wall, std::uint32_t body, bool sweeps) {
    if (!geometry::has_opposite(wall.shape)) {
        return false;
    }
    const double radius = search.spheres.radius[body];
    if (sweeps) {  // so it is a cylinder; the best place to touch both sides is its axis
        return wall.shape.a < radius;
    }
    return opposite_wall_point(wall, search.domain, search.spheres.position[body]).distance < radius + search.skin;
}

/// Lists the triangles of a mesh that a body may reach, copy by copy, the mesh itself first. A pair for each place at
/// which it may meet it, and for each at which it does.
void list_mesh(const Search& search, std::uint32_t body, std::uint32_t w, const Sides& last, Share& out) {
    const model::Wall& wall = search.walls[w];
    const Vec3d& x = search.spheres.position[body];
    const double reach = search.spheres.radius[body] + search.skin;
    const std::size_t first = out.faces.size();
    const auto add_copy = [&](const model::Image& image) {
        const std::uint8_t code = image_code(image);
        wall.shape.surface->list_near(wall.pose.to_local(x + image_shift(search.domain, code)), reach, out.found);
        out.faces.insert(out.faces.end(), out.found.begin(), out.found.end());
        out.images.insert(out.images.end(), out.found.size(), code);
    };
    add_copy({});
    if (search.domain.any_periodic()) {
        const std::array<int, 3> range = image_range(wall, search.domain);
        for (int kx = -range[0]; kx <= range[0]; ++kx) {
            for (int ky = -range[1]; ky <= range[1]; ++ky) {
                for (int kz = -range[2]; kz <= range[2]; ++kz) {
                    if (kx != 0 || ky != 0 || kz != 0) {
                        add_copy(
                            {static_cast<signed char>(kx), static_cast<signed char>(ky), static_cast<signed char>(kz)});
                    }
                }
            }
        }
    }
    const std::size_t faces = out.faces.size() - first;
    std::size_t sides = std::min<std::size_t>(faces, WallPairList::most_sides);
    for (std::size_t s = 0; s < last.size(); ++s) {
        sides = last[s] != none ? std::max(sides, s + 1) : sides;
    }
    for (std::size_t s = 0; s < sides; ++s) {
        out.listed.push_back(
            {body, w, last[s], static_cast<std::uint8_t>(s), s == 0 ? static_cast<std::uint32_t>(faces) : 0U});
    }
}

/// Lists the walls of one body, ascending: of those near its cell the ones in reach, those that sweep, and those that
/// have just parted from it, which stay listed once more so that the contact phase can end the contact.
void list_walls(const Search& search, std::uint32_t body, std::span<const std::uint32_t> near, OldContacts& old,
                Share& out) {
    const double reach = search.spheres.radius[body] + search.skin;
    std::span<const std::uint32_t> sweeping = search.sweeping;
    for (;;) {
        const std::uint32_t by_cell = near.empty() ? none : near.front();
        const std::uint32_t by_sweep = sweeping.empty() ? none : sweeping.front();
        const std::uint32_t w = std::min({by_cell, by_sweep, old.wall()});
        if (w == none) {
            return;
        }
        const bool sweeps = by_sweep == w;
        near = near.subspan(by_cell == w ? 1 : 0);
        sweeping = sweeping.subspan(sweeps ? 1 : 0);
        const Sides last = old.take(w);
        const model::Wall& wall = search.walls[w];
        if (is_mesh(wall)) {
            if (wall.present) {
                list_mesh(search, body, w, last, out);
            }
            continue;
        }
        const bool stays = sweeps || last[0] != none || last[1] != none;
        if (!wall.present ||
            (!stays && nearest_wall_point(wall, search.domain, search.spheres.position[body]).distance >= reach)) {
            continue;
        }
        out.listed.push_back({body, w, last[0], 0});
        if (last[1] != none || reaches_opposite(search, wall, body, sweeps)) {
            out.listed.push_back({body, w, last[1], 1});
        }
    }
}

void copy_pair(const WallPairList& from, std::uint32_t q, WallPairList& to, std::size_t p) {
    const std::size_t h = to.history_size;
    to.touching[p] = from.touching[q];
    to.normal[p] = from.normal[q];
    std::copy_n(from.history.begin() + static_cast<std::ptrdiff_t>(q * h), h,
                to.history.begin() + static_cast<std::ptrdiff_t>(p * h));
}

WallPairList empty_list(std::size_t bodies, std::size_t pairs, std::size_t history_size) {
    WallPairList list;
    list.history_size = history_size;
    list.row.assign(bodies + 1, 0);
    list.body.resize(pairs);
    list.wall.resize(pairs);
    list.side.resize(pairs);
    list.touching.assign(pairs, 0);
    list.normal.resize(pairs);
    list.history.assign(pairs * history_size, 0.0);
    return list;
}

void gather_faces(const std::vector<Share>& shares, WallPairList& to) {
    to.face_row.push_back(0);
    for (const Share& share : shares) {
        for (const Listed& entry : share.listed) {
            to.face_row.push_back(to.face_row.back() + entry.faces);
        }
        to.face.insert(to.face.end(), share.faces.begin(), share.faces.end());
        to.face_image.insert(to.face_image.end(), share.images.begin(), share.images.end());
    }
}

/// Those of the kept pairs.
void copy_faces(const WallPairList& from, const std::vector<std::uint32_t>& kept, WallPairList& to) {
    to.face_row.push_back(0);
    for (const std::uint32_t q : kept) {
        to.face.insert(to.face.end(), from.face.begin() + from.face_row[q], from.face.begin() + from.face_row[q + 1]);
        to.face_image.insert(to.face_image.end(), from.face_image.begin() + from.face_row[q],
                             from.face_image.begin() + from.face_row[q + 1]);
        to.face_row.push_back(static_cast<std::uint32_t>(to.face.size()));
    }
}

}  // namespace

void rebuild_wall_pairs(WallPairList& pairs, const Spheres& spheres, std::span<const model::Wall> walls,
                        const model::Domain& domain, double skin, const std::vector<char>& always, int threads) {
    const std::size_t n = spheres.position.size();
    const double largest = n > 0 ? *std::max_element(spheres.radius.begin(), spheres.radius.end()) : 0;
    const WallCells cells(spheres.position, largest + skin, walls, domain, threads);
    std::vector<std::uint32_t> sweeping;
    for (std::uint32_t w = 0; w < walls.size(); ++w) {
        if (always[w] && walls[w].present) {
            sweeping.push_back(w);
        }
    }
    const Search search{spheres, walls, sweeping, domain, skin};
    std::vector<Share> shares;
    std::mutex merge;
    base::parallel_ranges(n, threads, [&](std::size_t begin, std::size_t end) {
        Share mine;
        mine.begin = begin;
        for (std::size_t i = begin; i < end; ++i) {
            const std::span<const std::uint32_t> near = cells.near(spheres.position[i]);
            OldContacts old(pairs, i);
            if (!near.empty() || !sweeping.empty() || old.wall() != none) {
                list_walls(search, static_cast<std::uint32_t>(i), near, old, mine);
            }
        }
        const std::lock_guard<std::mutex> lock(merge);
        shares.push_back(std::move(mine));
    });
    std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.begin < b.begin; });
    std::size_t total = 0;
    for (const Share& share : shares) {
        total += share.listed.size();
    }
    WallPairList fresh = empty_list(n, total, pairs.history_size);
    std::size_t first = 0;
    for (const Share& share : shares) {
        for (const Listed& entry : share.listed) {
            ++fresh.row[entry.body + 1];
        }
        base::parallel_for(share.listed.size(), threads, [&](std::size_t k) {
            const Listed& entry = share.listed[k];
            fresh.body[first + k] = entry.body;
            fresh.wall[first + k] = entry.wall;
            fresh.side[first + k] = entry.side;
            if (entry.old != none) {
                copy_pair(pairs, entry.old, fresh, first + k);
            }
        });
        first += share.listed.size();
    }
    std::partial_sum(fresh.row.begin(), fresh.row.end(), fresh.row.begin());
    if (std::any_of(walls.begin(), walls.end(), is_mesh)) {
        gather_faces(shares, fresh);
        if (domain.any_periodic()) {
            fresh.listed_at.assign(spheres.position.begin(), spheres.position.end());
        }
    }
    pairs = std::move(fresh);
}

std::vector<std::uint32_t> take_wall_rows(WallPairList& pairs, std::span<const std::uint32_t> bodies) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t i : bodies) {
        for (std::uint32_t q = pairs.row[i]; q < pairs.row[i + 1]; ++q) {
            kept.push_back(q);
        }
    }
    WallPairList fresh = empty_list(bodies.size(), kept.size(), pairs.history_size);
    std::uint32_t p = 0;
    for (std::uint32_t k = 0; k < bodies.size(); ++k) {
        for (std::uint32_t q = pairs.row[bodies[k]]; q < pairs.row[bodies[k] + 1]; ++q, ++p) {
            fresh.body[p] = k;
            fresh.wall[p] = pairs.wall[q];
            fresh.side[p] = pairs.side[q];
            copy_pair(pairs, q, fresh, p);
        }
        fresh.row[k + 1] = p;
    }
    if (!pairs.face_row.empty()) {
        copy_faces(pairs, kept, fresh);
        for (const std::uint32_t i : bodies) {
            if (!pairs.listed_at.empty()) {
                fresh.listed_at.push_back(pairs.listed_at[i]);
            }
        }
    }
    pairs = std::move(fresh);
    return kept;
}

void rebuild_wall_pairs(model::System& system, double skin, const std::vector<char>& always, int threads) {
    if (system.wall_pairs.row.size() != system.bodies.size() + 1) {  // the very first list
        const std::size_t history_size = system.wall_pairs.history_size;
        system.wall_pairs = {};
        system.wall_pairs.history_size = history_size;
    }
    rebuild_wall_pairs(system.wall_pairs, {system.bodies.position, system.bodies.radius}, system.walls, system.domain,
                       skin, always, threads);
}

std::vector<std::uint32_t> compact_wall_pairs(WallPairList& pairs, const std::vector<char>& keep) {
    std::vector<std::uint32_t> bodies;
    for (std::uint32_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            bodies.push_back(i);
        }
    }
    return take_wall_rows(pairs, bodies);
}

}  // namespace talus::search
