// Spheres of different grains that overlap after a step are moved apart along the line of their centres, about the
// common centre of mass of the grains (AHS Eqs. 1-2); at a wall the grain alone. Nothing is turned.
#include <algorithm>
#include <cmath>

#include "talus/engines/stepped/grain_engine.h"
#include "talus/search/mesh_contacts.h"

namespace talus::engines::stepped {

namespace {

// As for spheres: see overlaps.cpp.
constexpr double tolerance = 1e-6;
constexpr double longest_shift = 0.9;

}  // namespace

void GrainEngine::find_overlaps(std::size_t rank) {
    const Range range = share(rank);
    turns_.make_room(rank, row_[range.end] - row_[range.begin]);
    for (std::uint32_t k = row_[range.begin]; k < row_[range.end]; ++k) {
        const Part& a = parts_[near_[k].a];
        const Part& b = parts_[near_[k].b];
        const double least = (a.radius + b.radius) * (1 - tolerance);
        if (norm2(between(a, b)) < least * least) {
            turns_.add(rank, key_of(pair_word(near_[k])), a.body, b.body, k);
        }
    }
}

void GrainEngine::part(const Event& event, OfThread& mine) {
    const Part& a = parts_[near_[event.what].a];
    const Part& b = parts_[near_[event.what].b];
    const Vec3d d = between(a, b);
    const double distance = norm(d);
    const double overlap = a.radius + b.radius - distance;
    if (!(overlap > 0)) {
        return;
    }
    mine.note_overlap(system_.bodies.id[event.a], overlap / std::min(a.radius, b.radius), options_.overlap_limit);
    const Vec3d normal = distance > 0 ? d * (1 / distance) : Vec3d{1, 0, 0};
    const double mobility_a = body_[event.a].inverse_mass;
    const double mobility_b = body_[event.b].inverse_mass;
    const double per_mobility = overlap / (mobility_a + mobility_b);
    shift(event.a, normal * (-per_mobility * mobility_a), mine);
    shift(event.b, normal * (per_mobility * mobility_b), mine);
    ++mine.corrections;
}

void GrainEngine::shift(std::uint32_t body, const Vec3d& by, OfThread& mine) {
    Body& b = body_[body];
    if (b.inverse_mass == 0) {
        return;
    }
    b.position += by;
    if (norm2(system_.gravity) > 0) {  // it was lifted or lowered without work
        mine.lose(model::Mechanism::time_step, dot(system_.gravity, by) / b.inverse_mass, scales_);
    }
    mine.spent = mine.spent || is_spent(body);
}

void GrainEngine::part_from_walls(std::size_t rank) {
    OfThread& mine = of_thread_[rank];
    const Range range = share(rank);
    for (std::uint32_t q = wall_pairs_.row[first_[range.begin]]; q < wall_pairs_.row[first_[range.end]]; ++q) {
        const Part& part = parts_[wall_pairs_.body[q]];
        const std::uint32_t w = wall_pairs_.wall[q];
        const bool mesh = search::is_mesh(system_.walls[w]);
        if (body_[part.body].inverse_mass == 0 || (mesh && wall_pairs_.side[q] != 0)) {
            continue;
        }
        // Others may have pushed it far: never to the other side of a wall.
        const Vec3d way = center(part) - part.before;
        const double most = longest_shift * part.radius;
        if (norm2(way) > most * most) {
            shift(part.body, way * (most / norm(way) - 1), mine);
        }
        const int places = mesh ? model::WallPairList::most_sides : 1;
        for (int k = 0; k < places; ++k) {
            const WallContact contact = wall_contact(q);
            const double overlap = part.radius - contact.distance;
            if (!contact.acts || !(overlap > (k == 0 ? 0 : search::rounded_off * part.radius))) {
                break;
            }
            if (system_.walls[w].behaviour == model::WallBehaviour::absorbing) {
                mine.caught.push_back({part.body, w});
                break;
            }
            mine.note_overlap(system_.bodies.id[part.body], overlap / part.radius, options_.overlap_limit);
            shift(part.body, contact.normal * -overlap, mine);
            ++mine.corrections;
        }
    }
}

}  // namespace talus::engines::stepped
