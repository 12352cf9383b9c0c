// Which spheres of grains and which walls a step must look at. No bit of the path depends on how long a list lasts or
// on what it holds beyond need.
#include <algorithm>
#include <cmath>

#include "talus/engines/stepped/grain_engine.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_search.h"

namespace talus::engines::stepped {

namespace {

// A grain's skin lasts for about this many steps at its present speed; other lengths in radii of its smallest sphere.
constexpr double skin_steps = 40;
constexpr double fewest_steps = 4;  // of a fast one, whose skin would otherwise list too many pairs
constexpr double least_skin = 0.05;
constexpr double largest_skin = 0.4;
constexpr double longest_way = 2;  // twice that of the move: way_ahead doubles what turning adds

}  // namespace

bool GrainEngine::is_spent(std::size_t i) const {
    const Body& body = body_[i];
    const Reference& was = reference_[i];
    double moved = norm(body.position - was.position);
    if (!nature_[i].sphere) {
        moved += nature_[i].arm * math::way_between(body.turn, was.turn);
    }
    return moved + way_ahead(i) > static_cast<double>(skin_[i]) - 0.5 * correction_room * nature_[i].smallest;
}

void GrainEngine::note_spent(std::size_t rank) {
    const Range range = share(rank);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        of_thread_[rank].spent = of_thread_[rank].spent || is_spent(i);
    }
}

void GrainEngine::refresh_lists() {
    for (OfThread& mine : of_thread_) {
        rebuild_ = rebuild_ || mine.spent;
        mine.spent = false;
    }
    if (rebuild_) {
        timer_.time("rebuild", [&] { rebuild(); });
    }
}

void GrainEngine::rebuild() {
    for (std::size_t i = 0; i < body_.size(); ++i) {
        reference_[i] = {body_[i].position, body_[i].turn};
        const double r = nature_[i].smallest;
        const double way = std::fmin(way_ahead(i), longest_way * r);  // farther, or no number: the move refuses it
        const double wanted =
            options_.skin > 0 ? 0.5 * options_.skin : std::clamp(skin_steps * way, least_skin * r, largest_skin * r);
        skin_[i] = static_cast<float>(std::max(wanted, fewest_steps * way) + correction_room * r);
    }
    list_pairs();
    list_walls();
    share_out();
    rebuild_ = false;
    ++rebuilds_;
}

void GrainEngine::list_pairs() {
    const std::size_t count = parts_.size();
    std::vector<double> rows(4 * count);
    std::vector<float> skins(count);
    for (std::size_t p = 0; p < count; ++p) {
        const Vec3d at = wrapped(system_.domain, center(parts_[p]));  // the search wants the first period
        rows[4 * p] = at.x;
        rows[4 * p + 1] = at.y;
        rows[4 * p + 2] = at.z;
        rows[4 * p + 3] = parts_[p].radius;
        skins[p] = skin_[parts_[p].body];
    }
    search::NearList found;
    search_.find({rows.data(), 4, count}, skins, system_.domain, options_.threads, found);
    near_.clear();
    for (std::uint32_t p = 0; p < count; ++p) {
        for (std::uint32_t k = found.row[p]; k < found.row[p + 1]; ++k) {
            const std::uint32_t q = found.partner[k];
            const std::uint32_t a = parts_[p].body;
            const std::uint32_t b = parts_[q].body;
            if (a != b && body_[a].inverse_mass + body_[b].inverse_mass > 0) {
                near_.push_back({std::min(p, q), std::max(p, q)});
            }
        }
    }
    std::sort(near_.begin(), near_.end());
    near_.erase(std::unique(near_.begin(), near_.end()), near_.end());  // seen through two borders
    row_.assign(body_.size() + 1, 0);
    for (const Near& pair : near_) {
        ++row_[parts_[pair.a].body + 1];
    }
    for (std::size_t i = 0; i < body_.size(); ++i) {
        row_[i + 1] += row_[i];
    }
}

void GrainEngine::list_walls() {
    wall_watch_.begin(system_.walls);
    std::vector<Vec3d> position(parts_.size());
    std::vector<double> radius(parts_.size());
    float widest = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        position[p] = center(parts_[p]);
        radius[p] = parts_[p].radius;
        widest = std::max(widest, skin_[parts_[p].body]);
    }
    // A wall's surface comes nearer by what it moves within a step, beside what it has moved already.
    wall_pairs_ = {};
    search::rebuild_wall_pairs(wall_pairs_, {position, radius}, system_.walls, system_.domain,
                               static_cast<double>(widest) + 2 * wall_allowance_, wall_watch_.everywhere(),
                               options_.threads);
    wall_contact_.resize(wall_pairs_.size());
}

/// Threads share bodies by the work that these bring.
void GrainEngine::share_out() {
    const std::size_t n = body_.size();
    const auto ranks = static_cast<std::size_t>(team());
    const auto work = [&](std::size_t i) { return row_[i] + wall_pairs_.row[first_[i]] + i; };
    share_.assign(ranks + 1, n);
    share_[0] = 0;
    for (std::size_t rank = 1, i = 0; rank < ranks; ++rank) {
        while (i < n && work(i) * ranks < work(n) * rank) {
            ++i;
        }
        share_[rank] = i;
    }
    std::vector<char> shared(n, 0);
    for (std::size_t rank = 0; rank < ranks && ranks > 1; ++rank) {
        for (std::uint32_t k = row_[share_[rank]]; k < row_[share_[rank + 1]]; ++k) {
            const std::uint32_t other = parts_[near_[k].b].body;
            if (other < share_[rank] || other >= share_[rank + 1]) {
                shared[other] = 1;
            }
        }
    }
    turns_.prepare(std::move(shared), team());
}

GrainEngine::WallContact GrainEngine::wall_contact(std::size_t pair) const {
    const model::Wall& wall = system_.walls[wall_pairs_.wall[pair]];
    const Part& part = parts_[wall_pairs_.body[pair]];
    const geometry::Nearest near =
        search::listed_wall_point(wall, system_.domain, wall_pairs_, pair, center(part), part.radius);
    return {near.direction, near.point, near.distance, near.acts};
}

const GrainEngine::WallContact& GrainEngine::meet_wall(std::size_t pair) {
    const model::Wall& wall = system_.walls[wall_pairs_.wall[pair]];
    if (!search::is_mesh(wall)) {
        wall_contact_[pair] = wall_contact(pair);
    } else if (wall_pairs_.side[pair] == 0) {
        const Part& part = parts_[wall_pairs_.body[pair]];
        const Vec3d x = center(part);
        const geometry::SurfaceContacts found =
            search::mesh_contacts(wall, system_.domain, wall_pairs_, pair, x,
                                  search::reach_within(wall, x, velocity(part), part.radius, system_.clock.step));
        const std::uint32_t sides = search::sides_of(wall_pairs_, static_cast<std::uint32_t>(pair),
                                                     static_cast<std::uint32_t>(wall_pairs_.size()));
        for (std::size_t s = 0; s < sides; ++s) {
            const geometry::Nearest& near = found.of[s].near;
            wall_contact_[pair + s] = {near.direction, near.point, near.distance, s < found.count && near.acts};
        }
    }
    return wall_contact_[pair];
}

std::uint64_t GrainEngine::wall_word(std::uint32_t pair) const {
    constexpr std::uint64_t wall_bit = std::uint64_t{1} << 31U;  // beyond all parts
    return (std::uint64_t{wall_pairs_.body[pair]} << 32U) | wall_bit |
           search::side_word(wall_pairs_.wall[pair], wall_pairs_.side[pair]);
}

}  // namespace talus::engines::stepped
