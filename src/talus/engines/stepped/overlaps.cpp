// What overlaps after a step is moved apart along the line of centres, the lighter grain farther (AHS Eqs. 1-2); at a
// wall the grain alone. Then what walls have caught or what has left is taken care of.
#include <algorithm>
#include <cmath>

#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/scan.h"
#include "talus/model/leaving.h"
#include "talus/model/sticking.h"
#include "talus/search/mesh_contacts.h"

namespace talus::engines::stepped {

namespace {

/// Pairs that overlap by less than this part of the sum of their radii are left alone: it is far below what grains
/// look larger by (AHS, "Method"), and moving them apart would only push them into others by as little.
constexpr double tolerance = 1e-6;

/// Radii that a grain at a wall may go in one step, its own way and being moved apart from others together.
constexpr double longest_shift = 0.9;

}  // namespace

template <bool periodic>
void Engine::scan_overlaps(std::size_t rank) {
    const double least = system_.step_rules.after_overlap ? 1 : 1 - tolerance;
    const Candidates candidates = scan<periodic>(rank, [least](const Record& a, const Record& b, const Vec3d& d) {
        const double sum = (a.radius + b.radius) * least;
        return norm2(d) < sum * sum;
    });
    turns_.make_room(rank, candidates.size());
    for (const Candidate& c : candidates) {
        if (record_[c.a].inverse_mass + record_[c.b].inverse_mass > 0) {
            add_pair(rank, c);
        }
    }
}

void Engine::find_overlaps(std::size_t rank) {
    if (system_.domain.any_periodic()) {
        scan_overlaps<true>(rank);
    } else {
        scan_overlaps<false>(rank);
    }
    if (!system_.step_rules.after_overlap) {
        return;  // walls move grains after grains have moved one another
    }
    const Range range = share(rank);
    turns_.make_room(rank, wall_pairs_.row[range.end] - wall_pairs_.row[range.begin]);
    for (std::uint32_t q = wall_pairs_.row[range.begin]; q < wall_pairs_.row[range.end]; ++q) {
        const std::uint32_t s = wall_pairs_.body[q];
        const WallContact contact = meet_wall(q);
        if (!contact.acts || contact.distance >= record_[s].radius || record_[s].inverse_mass == 0) {
            continue;
        }
        const std::uint32_t w = wall_pairs_.wall[q];
        if (system_.walls[w].behaviour != model::WallBehaviour::normal) {
            of_thread_[rank].caught.push_back({body_at_[s], w});
            continue;
        }
        turns_.add(rank, key_of(wall_word(q)), s, Event::nobody, q);
    }
}

/// McNamara's rule: grains that overlap and approach collide; while they overlap no further impact takes energy, lest
/// they stay inside one another.
void Engine::collide_overlapping(const Event& event, OfThread& mine) {
    const bool at_wall = event.b == Event::nobody;
    const std::uint64_t word = at_wall ? wall_word(event.what) : pair_word(event.a, event.b);
    const std::vector<std::uint64_t>& met = system_.impulses.met;
    const bool known = std::binary_search(met.begin(), met.end(), word);
    bool collides = false;
    constexpr laws::ImpactParams elastic{1, 1, 0};
    if (at_wall) {
        const WallContact& contact = wall_contact_[event.what];
        const model::Wall& wall = system_.walls[wall_pairs_.wall[event.what]];
        collides = dot(record_[event.a].velocity - wall.pose.velocity_at(contact.point), contact.normal) > 0;
        if (collides) {
            note_overlap(event.a, record_[event.a].radius - contact.distance, record_[event.a].radius, mine);
            strike_wall(event, known ? elastic : params(event.a, wall.material), mine);
        }
    } else {
        const Record& a = record_[event.a];
        const Record& b = record_[event.b];
        const Vec3d d = between(a, b);
        collides = dot(d, b.velocity - a.velocity) < 0;
        if (collides) {
            note_overlap(event.a, a.radius + b.radius - norm(d), std::min(a.radius, b.radius), mine);
            strike_pair(event, d, known ? elastic : params(event.a, material_[event.b]), mine);
        }
    }
    if (known || collides) {
        mine.met.push_back(word);
    }
}

void Engine::take_met() {
    std::vector<std::uint64_t>& met = system_.impulses.met;
    met.clear();
    for (OfThread& mine : of_thread_) {
        met.insert(met.end(), mine.met.begin(), mine.met.end());
        mine.met.clear();
    }
    std::sort(met.begin(), met.end());
}

void Engine::note_overlap(std::uint32_t place, double overlap, double radius, OfThread& mine) const {
    mine.note_overlap(id_[place], overlap / radius, options_.overlap_limit);
}

void Engine::part(const Event& event, OfThread& mine) {
    const Record& a = record_[event.a];
    const Record& b = record_[event.b];
    const Vec3d d = between(a, b);
    const double distance = norm(d);
    const double overlap = a.radius + b.radius - distance;
    if (!(overlap > 0)) {
        return;
    }
    note_overlap(event.a, overlap, std::min(a.radius, b.radius), mine);
    const Vec3d normal = distance > 0 ? d * (1 / distance) : Vec3d{1, 0, 0};
    const double per_mobility = overlap / (a.inverse_mass + b.inverse_mass);
    shift(event.a, normal * (-per_mobility * a.inverse_mass), mine);
    shift(event.b, normal * (per_mobility * b.inverse_mass), mine);
    ++mine.corrections;
}

void Engine::shift(std::uint32_t place, const Vec3d& by, OfThread& mine) {
    Record& record = record_[place];
    if (record.inverse_mass == 0) {
        return;
    }
    record.position += by;
    if (norm2(system_.gravity) > 0) {  // it was lifted or lowered without work
        mine.lose(model::Mechanism::time_step, dot(system_.gravity, by) / record.inverse_mass, scales_);
    }
    mine.spent = mine.spent || is_spent(place, system_.clock.step);
}

void Engine::part_from_walls(std::size_t rank) {
    OfThread& mine = of_thread_[rank];
    const Range range = share(rank);
    for (std::uint32_t q = wall_pairs_.row[range.begin]; q < wall_pairs_.row[range.end]; ++q) {
        const std::uint32_t s = wall_pairs_.body[q];
        const std::uint32_t w = wall_pairs_.wall[q];
        const bool mesh = search::is_mesh(system_.walls[w]);
        if (record_[s].inverse_mass == 0 || is_far(q) || (mesh && wall_pairs_.side[q] != 0)) {
            continue;
        }
        // Others may have pushed it far: never to the other side of a wall.
        const Vec3d way = record_[s].position - before_[s];
        const double most = longest_shift * record_[s].radius;
        if (norm2(way) > most * most) {
            shift(s, way * (most / norm(way) - 1), mine);
        }
        // From a mesh, place by place, the deepest first; what rounding leaves of one is no other.
        const int places = mesh ? model::WallPairList::most_sides : 1;
        for (int k = 0; k < places; ++k) {
            const WallContact contact = wall_contact(q);
            const double overlap = record_[s].radius - contact.distance;
            if (!contact.acts || !(overlap > (k == 0 ? 0 : search::rounded_off * record_[s].radius))) {
                break;
            }
            if (system_.walls[w].behaviour != model::WallBehaviour::normal) {
                mine.caught.push_back({body_at_[s], w});
            }
            if (system_.walls[w].behaviour == model::WallBehaviour::absorbing) {
                break;
            }
            note_overlap(s, overlap, record_[s].radius, mine);
            shift(s, contact.normal * -overlap, mine);
            ++mine.corrections;
        }
    }
}

void Engine::stick_and_remove(const Books& books) {
    if (books.caught.empty() && books.outside.empty()) {
        return;
    }
    give_back();
    model::Leaving leaving(system_);
    for (const std::uint32_t i : books.outside) {
        leaving.leave_domain(i);
    }
    for (const Books::Caught& c : books.caught) {
        model::Wall& wall = system_.walls[c.wall];
        if (wall.behaviour == model::WallBehaviour::absorbing) {
            leaving.absorb(c.body, wall);
        } else if (system_.bodies.stuck_to[c.body] < 0) {
            model::stick(system_, c.body, c.wall);
        }
    }
    if (!leaving.empty()) {
        remove(leaving.keep());
    }
    stale_ = true;
}

}  // namespace talus::engines::stepped
