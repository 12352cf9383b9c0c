// Which spheres of which grains are near one another or near walls. No bit of the path depends on how far the lists
// look ahead.
#include <algorithm>
#include <cmath>
#include <span>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/search/wall_distance.h"
#include "talus/search/wall_search.h"

namespace talus::engines::grains {

namespace {

// A grain's skin, in radii of its smallest sphere, lasts for about so many steps at its present speed.
constexpr double least_skin = 0.05;
constexpr double widest_skin = 0.8;
constexpr double steps_of_list = 60;
constexpr double chosen_steps_of_list = 6;  // of an integrator that chooses its steps
constexpr double wall_skin = 0.2;           // how far a wall may move between two lists, of the mean sphere
// The same of the pairs that are looked at in every evaluation.
constexpr double least_close = 0.02;
constexpr double widest_close = 0.4;
constexpr double steps_of_close = 12;
constexpr double chosen_steps_of_close = 3;
// A trial may go this much farther before it is listed again.
constexpr double trial_room = 1.1;
constexpr double rounding = 1e-6;  // of single precision, with room

}  // namespace

void Engine::start_anew() {
    make_parts();
    has_traps_ = std::any_of(system_.walls.begin(), system_.walls.end(), [](const model::Wall& wall) {
        return wall.present && wall.behaviour == model::WallBehaviour::absorbing;
    });
    motion_ = motions();
    near_.clear();
    walls_ = {};
    walls_.history_size = history_size_;
    choose_close(motion_, true);
    list();
    take_contacts();
    pick_close();
    stale_ = false;
}

void Engine::make_parts() {
    const model::Bodies& bodies = system_.bodies;
    const std::size_t n = bodies.size();
    parts_.clear();
    balls_.clear();
    first_.assign(1, 0);
    nature_.resize(n);
    inverse_inertia_.assign(n, {});
    wrench_.assign(n, {});
    held_.assign(n, {});
    tally_.assign(n, {});
    skin_.resize(n);
    smallest_part_.resize(n);
    range_ = 0;
    double smallest_of_all = model::Domain::unbounded;
    const std::vector<model::Moments>& moments = system_.fields.moments;
    const auto has_dipole = [&](std::size_t i) { return !moments.empty() && moments[i].has_dipole(); };
    electric_dipoles_ = std::any_of(moments.begin(), moments.end(),
                                    [](const model::Moments& m) { return m.electric_dipole != Vec3d{}; });
    for (std::size_t i = 0; i < n; ++i) {
        const auto body = static_cast<std::uint32_t>(i);
        double smallest = bodies.radius[i];
        if (system_.grains.is_sphere(i)) {
            parts_.push_back({{}, {}, body});
            balls_.push_back({{}, bodies.radius[i]});
        } else {
            for (const geometry::Ball& ball :
                 system_.grains.shapes[static_cast<std::size_t>(system_.grains.shape[i])].balls) {
                parts_.push_back({{}, ball.center * bodies.radius[i], body});
                balls_.push_back({{}, ball.radius * bodies.radius[i]});
                smallest = std::min(smallest, balls_.back().radius);
            }
        }
        first_.push_back(static_cast<std::uint32_t>(parts_.size()));
        const bool held = bodies.is_held(i);
        const bool turning_held = bodies.is_turning_held(i);
        const Vec3d moment =
            system_.grains.is_sphere(i) ? Vec3d{1, 1, 1} * bodies.inertia[i] : system_.grains.moment[i];
        nature_[i] = {held ? 0.0 : 1 / bodies.mass[i],
                      turning_held ? Vec3d{} : Vec3d{1 / moment.x, 1 / moment.y, 1 / moment.z},
                      system_.grains.is_sphere(i), !system_.grains.is_sphere(i) || has_dipole(i)};
        // Whoever has set the spin means the angular momentum too.
        if (spin_from(i, system_.grains.turn[i], system_.grains.turning[i]) != bodies.spin[i]) {
            system_.grains.turning[i] = momentum_of_turning(i, system_.grains.turn[i], bodies.spin[i]);
        }
        smallest_part_[i] = smallest;
        smallest_of_all = std::min(smallest_of_all, smallest);
    }
    double largest = 0;
    for (const geometry::Ball& ball : balls_) {
        largest = std::max(largest, ball.radius);
    }
    stiction_.clear();
    for (const model::PairLaw& law : system_.materials.pair_law) {
        stiction_.push_back(stiction(law));
        if (law.law >= 0) {  // a wall is flat, and can be felt from farther away
            range_ = std::max({range_, range(law, largest, largest), range(law, largest, 0)});
        }
    }
    wall_allowance_ = parts_.empty() ? 0 : wall_skin * smallest_of_all;
}

double Engine::way_between(std::size_t i, const Motion& a, const Motion& b) const {
    const double moved = norm(a.position - b.position);
    return nature_[i].turns_as_sphere ? moved : moved + math::way_between(a.turn, b.turn) * system_.bodies.radius[i];
}

bool Engine::is_close_for(const std::vector<Motion>& motion) const {
    for (std::size_t i = 0; i < motion.size(); ++i) {
        if (!(way_between(i, motion[i], close_at_[i]) <= static_cast<double>(close_skin_[i]))) {
            return false;
        }
    }
    return wall_watch_.farthest(system_.walls) <= wall_allowance_;
}

bool Engine::is_listed_for_close() const {
    for (std::size_t i = 0; i < close_at_.size(); ++i) {
        if (!(way_between(i, close_at_[i], listed_at_[i]) + static_cast<double>(close_skin_[i]) <=
              static_cast<double>(skin_[i]))) {
            return false;
        }
    }
    return wall_watch_.farthest(system_.walls) <= wall_allowance_;
}

double Engine::way_ahead(std::size_t i) const {
    const bool chosen = system_.integration.adaptive();
    // Of the last step, not of a trial, which may be wild.
    const double speed = norm(system_.bodies.velocity[i]) +
                         (nature_[i].turns_as_sphere ? 0.0 : norm(system_.bodies.spin[i]) * system_.bodies.radius[i]);
    return speed * (chosen ? system_.integration_state.suggested : system_.clock.step);
}

void Engine::choose_close(const std::vector<Motion>& motion, bool kept) {
    const std::vector<Motion> here = motions();
    close_at_ = kept ? motion : here;
    close_skin_.resize(motion.size());
    const double steps = system_.integration.adaptive() ? chosen_steps_of_close : steps_of_close;
    for (std::size_t i = 0; i < motion.size(); ++i) {
        const double skin =
            std::clamp(steps * way_ahead(i), least_close * smallest_part_[i], widest_close * smallest_part_[i]);
        close_skin_[i] = static_cast<float>(std::max(skin, trial_room * way_between(i, motion[i], here[i])));
    }
}

void Engine::pick_close() {
    // What was so far apart when it was listed cannot have come close.
    way_.resize(close_at_.size());
    for (std::size_t i = 0; i < way_.size(); ++i) {
        way_[i] = static_cast<float>(
            (1 + rounding) * (way_between(i, close_at_[i], listed_at_[i]) + static_cast<double>(close_skin_[i])));
    }
    std::vector<std::vector<std::uint32_t>> shares(static_cast<std::size_t>(options_.threads));
    base::in_team(options_.threads, [&](std::size_t rank) {
        std::vector<std::uint32_t>& picked = shares[rank];
        const std::size_t end = near_.size() * (rank + 1) / shares.size();
        for (std::size_t k = near_.size() * rank / shares.size(); k < end; ++k) {
            if (near_gap_[k] < way_[parts_[near_[k].a].body] + way_[parts_[near_[k].b].body] || near_touching_[k]) {
                picked.push_back(static_cast<std::uint32_t>(k));
            }
        }
    });
    close_ = std::move(shares[0]);
    for (std::size_t rank = 1; rank < shares.size(); ++rank) {
        close_.insert(close_.end(), shares[rank].begin(), shares[rank].end());
    }
    acts_.assign(close_.size(), Acts::no);
    slot_.resize(close_.size());
    detail_.resize(close_.size());
    own_row_.assign(system_.bodies.size() + 1, 0);
    for (const std::uint32_t k : close_) {
        ++own_row_[parts_[near_[k].a].body + 1];
        ++own_row_[parts_[near_[k].b].body + 1];
    }
    for (std::size_t i = 0; i + 1 < own_row_.size(); ++i) {
        own_row_[i + 1] += own_row_[i];
    }
    own_.resize(2 * close_.size());
    next_own_.assign(own_row_.begin(), own_row_.end() - 1);
    for (std::uint32_t c = 0; c < close_.size(); ++c) {
        own_[next_own_[parts_[near_[close_[c]].a].body]++] = 2 * c;
        own_[next_own_[parts_[near_[close_[c]].b].body]++] = 2 * c + 1;
    }
    pick_close_walls();
}

void Engine::pick_close_walls() {
    wall_acts_.assign(walls_.size(), Acts::no);
    wall_parts_.clear();
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        bool close = false;
        for (std::uint32_t q = walls_.row[p]; q < walls_.row[p + 1]; ++q) {
            close = close || wall_gap_[q] < way_[parts_[p].body] || walls_.touching[q] != 0;
        }
        if (close) {
            wall_parts_.push_back(p);
        }
    }
}

void Engine::list() {
    listed_at_ = close_at_;
    const double steps = system_.integration.adaptive() ? chosen_steps_of_list : steps_of_list;
    for (std::size_t i = 0; i < listed_at_.size(); ++i) {
        const double skin = options_.skin > 0 ? 0.5 * options_.skin
                                              : std::clamp(steps * way_ahead(i), least_skin * smallest_part_[i],
                                                           widest_skin * smallest_part_[i]);
        skin_[i] = std::max(static_cast<float>(skin), close_skin_[i]);
    }
    place(listed_at_);
    list_pairs();
    list_walls();
    ++rebuilds_;
}

void Engine::list_parts(std::span<const Near> partners, std::vector<Listed>& listed) const {
    const std::uint32_t i = partners.front().a;
    for (std::uint32_t a = first_[i]; a < first_[i + 1]; ++a) {
        for (const Near& bodies : partners) {
            const Vec3d from = balls_[a].center - shift_of(bodies.image);
            const double skin = static_cast<double>(skin_[i]) + static_cast<double>(skin_[bodies.b]);
            const double ball = balls_[a].radius + system_.bodies.radius[bodies.b] + range_ + skin;
            if (norm2(listed_at_[bodies.b].position - from) >= ball * ball) {
                continue;
            }
            for (std::uint32_t b = first_[bodies.b]; b < first_[bodies.b + 1]; ++b) {
                const double touch = balls_[a].radius + balls_[b].radius + range_;
                const double distance2 = norm2(balls_[b].center - from);
                if (distance2 < (touch + skin) * (touch + skin)) {
                    const double gap = std::sqrt(distance2) - touch;
                    listed.push_back({{a, b, bodies.image}, static_cast<float>(gap - rounding * touch)});
                }
            }
        }
    }
}

/// Grains by the balls that hold them, ascending; the searches want those within the first period.
std::vector<Engine::Near> Engine::near_bodies() {
    const model::Domain& domain = system_.domain;
    const std::size_t count = listed_at_.size();
    std::vector<double> rows(4 * count);
    std::vector<model::Image> wraps(count);
    std::vector<float> skins(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d at = wrapped(domain, listed_at_[i].position);
        const Vec3d shift = listed_at_[i].position - at;
        const auto periods = [&](int axis) {
            return static_cast<signed char>(
                domain.periodic[static_cast<std::size_t>(axis)] ? std::lround(shift[axis] / domain.size()[axis]) : 0);
        };
        wraps[i] = {periods(0), periods(1), periods(2)};
        rows[4 * i] = at.x;
        rows[4 * i + 1] = at.y;
        rows[4 * i + 2] = at.z;
        rows[4 * i + 3] = system_.bodies.radius[i];
        skins[i] = skin_[i] + static_cast<float>(0.5001 * range_);
    }
    search::NearList found;
    search_.find({rows.data(), 4, count}, skins, domain, options_.threads, found);

    std::vector<Near> out;
    out.reserve(found.size());
    for (std::uint32_t one = 0; one < count; ++one) {
        for (std::uint32_t k = found.row[one]; k < found.row[one + 1]; ++k) {
            const std::uint32_t other = found.partner[k];
            if (!(nature_[one].inverse_mass > 0) && !(nature_[other].inverse_mass > 0)) {
                continue;  // nothing can move either
            }
            const model::Image seen = search::image_of(found.image[k]);
            // The wraps of both are undone.
            const int sign = one < other ? 1 : -1;
            out.push_back({std::min(one, other),
                           std::max(one, other),
                           {static_cast<signed char>(sign * (seen.x + wraps[one].x - wraps[other].x)),
                            static_cast<signed char>(sign * (seen.y + wraps[one].y - wraps[other].y)),
                            static_cast<signed char>(sign * (seen.z + wraps[one].z - wraps[other].z))}});
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

void Engine::list_pairs() {
    const std::vector<Near> bodies = near_bodies();
    const std::size_t count = listed_at_.size();
    // Sphere by sphere of the lower grain, so that they ascend as they come; threads list grains in their order.
    std::vector<std::vector<Listed>> shares(static_cast<std::size_t>(options_.threads));
    base::in_team(options_.threads, [&](std::size_t rank) {
        const std::size_t begin = count * rank / shares.size();
        const std::size_t end = count * (rank + 1) / shares.size();
        const auto first = [&](std::size_t i) {
            return std::lower_bound(bodies.begin(), bodies.end(), i,
                                    [](const Near& pair, std::size_t body) { return pair.a < body; });
        };
        for (auto pair = first(begin); pair != bodies.end() && pair->a < end;) {
            const auto next = first(pair->a + 1U);
            list_parts({pair, next}, shares[rank]);
            pair = next;
        }
    });
    std::vector<Listed> listed = std::move(shares[0]);
    for (std::size_t rank = 1; rank < shares.size(); ++rank) {
        listed.insert(listed.end(), shares[rank].begin(), shares[rank].end());
    }
    if (!std::is_sorted(listed.begin(), listed.end())) {  // grains that meet several images of one another
        std::sort(listed.begin(), listed.end());
    }

    // Touching contacts keep their histories: both lists ascend.
    std::vector<double> history(listed.size() * history_size_, 0.0);
    std::vector<Vec3d> normal(listed.size());
    std::vector<std::uint8_t> touching(listed.size(), 0);
    std::size_t k = 0;
    for (std::size_t old = 0; old < near_.size(); ++old) {
        if (!near_touching_[old]) {
            continue;
        }
        while (k < listed.size() && listed[k].near < near_[old]) {
            ++k;
        }
        if (k < listed.size() && listed[k].near == near_[old]) {
            std::copy_n(&near_history_[old * history_size_], history_size_, &history[k * history_size_]);
            normal[k] = near_normal_[old];
            touching[k] = 1;
        }
    }
    near_.resize(listed.size());
    near_gap_.resize(listed.size());
    for (std::size_t n = 0; n < listed.size(); ++n) {
        near_[n] = listed[n].near;
        near_gap_[n] = listed[n].gap;
    }
    near_history_ = std::move(history);
    near_normal_ = std::move(normal);
    near_touching_ = std::move(touching);
}

void Engine::list_walls() {
    wall_watch_.begin(system_.walls);
    std::vector<Vec3d> position(parts_.size());
    std::vector<double> radius(parts_.size());
    float widest = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        position[p] = balls_[p].center;
        radius[p] = balls_[p].radius;
        widest = std::max(widest, skin_[parts_[p].body]);
    }
    search::rebuild_wall_pairs(walls_, {position, radius}, system_.walls, system_.domain,
                               static_cast<double>(widest) + wall_allowance_ + range_, wall_watch_.everywhere(),
                               options_.threads);
    wall_detail_.resize(walls_.size());
    wall_gap_.resize(walls_.size());
    base::parallel_for(walls_.size(), options_.threads, [&](std::size_t q) {
        const model::Wall& wall = system_.walls[walls_.wall[q]];
        const double moves = wall_watch_.everywhere()[walls_.wall[q]] ? model::Domain::unbounded : wall_allowance_;
        const geometry::Ball& ball = balls_[walls_.body[q]];
        const double gap =
            search::nearest_wall_point(wall, system_.domain, ball.center).distance - ball.radius - range_;
        wall_gap_[q] = static_cast<float>(gap - (search::stays_in_place(wall) ? 0 : moves) - rounding * ball.radius);
    });
}

void Engine::take_contacts() {
    const model::GrainContacts& contacts = system_.grain_contacts;
    std::size_t k = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const double* const history = &contacts.history[c * history_size_];
        const std::uint32_t a = first_[contacts.body[c]] + contacts.part[c];
        if (contacts.wall[c]) {
            for (std::uint32_t q = walls_.row[a]; q < walls_.row[a + 1]; ++q) {
                if (walls_.wall[q] == contacts.partner[c] && walls_.side[q] == contacts.partner_part[c]) {
                    walls_.touching[q] = 1;
                    walls_.normal[q] = contacts.normal[c];
                    std::copy_n(history, history_size_, &walls_.history[q * history_size_]);
                }
            }
            continue;
        }
        const Near pair{a, first_[contacts.partner[c]] + contacts.partner_part[c], contacts.image[c]};
        while (k < near_.size() && near_[k] < pair) {
            ++k;
        }
        if (k < near_.size() && near_[k] == pair) {
            near_touching_[k] = 1;
            near_normal_[k] = contacts.normal[c];
            std::copy_n(history, history_size_, &near_history_[k * history_size_]);
        }
    }
}

}  // namespace talus::engines::grains
