// Which spheres of which grains are near one another or near walls. No bit of the path depends on how far the lists
// look ahead.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_search.h"

namespace talus::engines::grains {

namespace {

using math::Pack4;
using math::Row;

// A grain's skin, in radii of its smallest sphere, lasts for about so many steps at its present speed.
constexpr double least_skin = 0.05;
constexpr double widest_skin = 0.8;
constexpr double steps_of_list = 60;
constexpr double chosen_steps_of_list = 4;  // of an integrator that chooses its steps
constexpr double wall_skin = 0.2;           // how far a wall may move between two lists, of the mean sphere
constexpr double rounding = 1e-6;           // of single precision, with room

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
    owner_.clear();
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
        owner_.resize(parts_.size(), body);
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

bool Engine::is_listed_for_close() const {
    const bool holds = base::holds_for_all(close_at_.size(), options_.threads, [&](std::size_t i) {
        return way_between(i, close_at_[i], listed_at_[i]) + static_cast<double>(close_skin_[i]) <=
               static_cast<double>(skin_[i]);
    });
    return holds && wall_watch_.farthest(system_.walls) <= wall_allowance_;
}

double Engine::way_ahead(std::size_t i) const {
    const bool chosen = system_.integration.adaptive();
    // Of the last step, not of a trial, which may be wild.
    const double speed = norm(system_.bodies.velocity[i]) +
                         (nature_[i].turns_as_sphere ? 0.0 : norm(system_.bodies.spin[i]) * system_.bodies.radius[i]);
    return speed * (chosen ? system_.integration_state.suggested : system_.clock.step);
}

void Engine::list() {
    listed_at_ = close_at_;
    const double steps = system_.integration.adaptive() ? chosen_steps_of_list : steps_of_list;
    base::parallel_for(listed_at_.size(), options_.threads, [&](std::size_t i) {
        const double skin = options_.skin > 0 ? 0.5 * options_.skin
                                              : std::clamp(steps * way_ahead(i), least_skin * smallest_part_[i],
                                                           widest_skin * smallest_part_[i]);
        skin_[i] = std::max(static_cast<float>(skin), close_skin_[i]);
    });
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
            const auto note = [&](std::uint32_t b, double distance2) {
                const double touch = balls_[a].radius + balls_[b].radius + range_;
                const double gap = std::sqrt(distance2) - touch;
                listed.push_back({{a, b, bodies.image}, static_cast<float>(gap - rounding * touch)});
            };
            std::uint32_t b = first_[bodies.b];
            const Row here(Row::Lanes{from.x, from.y, from.z, balls_[a].radius});
            for (; b + 4 <= first_[bodies.b + 1]; b += 4) {
                Row across[4];
                for (std::size_t lane = 0; lane < 4; ++lane) {
                    across[lane] = difference_and_sum(math::load_row(&balls_[b + lane].center.x), here);
                }
                Pack4 x, y, z, sum;
                to_columns(across, x, y, z, sum);
                const Pack4 distance2 = norm2(math::Vec3<Pack4>{x, y, z});
                const Pack4 reach = sum + Pack4(range_ + skin);
                for (unsigned left = bits_of(distance2 < reach * reach); left != 0; left &= left - 1) {
                    const int lane = std::countr_zero(left);
                    note(b + static_cast<std::uint32_t>(lane), distance2[lane]);
                }
            }
            for (; b < first_[bodies.b + 1]; ++b) {
                const double reach = balls_[a].radius + balls_[b].radius + (range_ + skin);
                const double distance2 = norm2(balls_[b].center - from);
                if (distance2 < reach * reach) {
                    note(b, distance2);
                }
            }
        }
    }
}

/// Grains by the balls that hold them; the searches want those within the first period.
Engine::NearBodies Engine::near_bodies() {
    const model::Domain& domain = system_.domain;
    const std::size_t count = listed_at_.size();
    std::vector<double> rows(4 * count);
    std::vector<model::Image> wraps(count);
    std::vector<float> skins(count);
    base::parallel_for(count, options_.threads, [&](std::size_t i) {
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
    });
    search::NearList found;
    search_.find({rows.data(), 4, count}, skins, domain, options_.threads, found);

    // Counted by the lower of each pair, then put where they belong.
    NearBodies out;
    out.row.assign(count + 2, 0);
    const auto for_pairs = [&](const auto& take) {
        for (std::uint32_t one = 0; one < count; ++one) {
            for (std::uint32_t k = found.row[one]; k < found.row[one + 1]; ++k) {
                const std::uint32_t other = found.partner[k];
                if (nature_[one].inverse_mass > 0 || nature_[other].inverse_mass > 0) {  // else nothing can move either
                    take(one, other, k);
                }
            }
        }
    };
    for_pairs(
        [&](std::uint32_t one, std::uint32_t other, std::uint32_t /*k*/) { ++out.row[std::min(one, other) + 2]; });
    std::partial_sum(out.row.begin(), out.row.end(), out.row.begin());
    out.pairs.resize(out.row.back());
    for_pairs([&](std::uint32_t one, std::uint32_t other, std::uint32_t k) {
        const model::Image seen = search::image_of(found.image[k]);
        // The wraps of both are undone.
        const int sign = one < other ? 1 : -1;
        out.pairs[out.row[std::min(one, other) + 1]++] = {
            std::min(one, other),
            std::max(one, other),
            {static_cast<signed char>(sign * (seen.x + wraps[one].x - wraps[other].x)),
             static_cast<signed char>(sign * (seen.y + wraps[one].y - wraps[other].y)),
             static_cast<signed char>(sign * (seen.z + wraps[one].z - wraps[other].z))}};
    });
    out.row.pop_back();
    return out;
}

void Engine::list_pairs() {
    NearBodies near = near_bodies();
    // Sphere by sphere of the lower grain, so that they ascend as they come; threads list grains in their order.
    std::vector<std::vector<Listed>> shares(static_cast<std::size_t>(options_.threads));
    std::atomic<bool> ascending = true;
    base::in_team(options_.threads, [&](std::size_t rank) {
        // Grains that lead as many pairs.
        const auto start = [&](std::size_t of) {
            return std::lower_bound(near.row.begin(), near.row.end(), near.pairs.size() * of / shares.size()) -
                   near.row.begin();
        };
        std::vector<Listed>& listed = shares[rank];
        const auto end = static_cast<std::size_t>(start(rank + 1));
        for (auto i = static_cast<std::size_t>(start(rank)); i < end; ++i) {
            const std::span<Near> partners(near.pairs.begin() + near.row[i], near.pairs.begin() + near.row[i + 1]);
            if (!partners.empty()) {
                std::sort(partners.begin(), partners.end());
                list_parts(partners, listed);
            }
        }
        if (!std::is_sorted(listed.begin(), listed.end())) {
            ascending = false;
        }
    });
    if (!ascending) {  // grains that meet several images of one another
        for (std::size_t rank = 1; rank < shares.size(); ++rank) {
            shares[0].insert(shares[0].end(), shares[rank].begin(), shares[rank].end());
            shares[rank].clear();
        }
        std::sort(shares[0].begin(), shares[0].end());
    }
    take_listed(shares);
}

void Engine::take_listed(const std::vector<std::vector<Listed>>& shares) {
    std::vector<std::size_t> begin(1, 0);
    for (const std::vector<Listed>& share : shares) {
        begin.push_back(begin.back() + share.size());
    }
    // The list of before keeps its room for the next one.
    near_.swap(last_near_);
    near_history_.swap(last_history_);
    near_normal_.swap(last_normal_);
    near_touching_.swap(last_touching_);
    near_.resize(begin.back());
    near_gap_.resize(begin.back());
    near_history_.resize(begin.back() * history_size_);
    near_normal_.resize(begin.back());
    near_touching_.resize(begin.back());
    base::in_team(options_.threads, [&](std::size_t rank) {
        const std::vector<Listed>& share = shares[rank];
        // Touching contacts keep their histories: both lists ascend.
        const auto end = last_near_.end();
        auto old = share.empty() ? end : std::lower_bound(last_near_.begin(), end, share.front().near);
        for (std::size_t n = 0; n < share.size(); ++n) {
            const std::size_t k = begin[rank] + n;
            near_[k] = share[n].near;
            near_gap_[k] = share[n].gap;
            while (old != end && *old < share[n].near) {
                ++old;
            }
            const auto was = static_cast<std::size_t>(old - last_near_.begin());
            const bool touches = old != end && *old == share[n].near && last_touching_[was];
            near_touching_[k] = touches ? 1 : 0;
            if (touches) {
                std::copy_n(&last_history_[was * history_size_], history_size_, &near_history_[k * history_size_]);
                near_normal_[k] = last_normal_[was];
            } else {
                std::fill_n(&near_history_[k * history_size_], history_size_, 0.0);
                near_normal_[k] = {};
            }
        }
    });
}

void Engine::list_walls() {
    wall_watch_.begin(system_.walls);
    std::vector<Vec3d> position(parts_.size());
    std::vector<double> radius(parts_.size());
    base::parallel_for(parts_.size(), options_.threads, [&](std::size_t p) {
        position[p] = balls_[p].center;
        radius[p] = balls_[p].radius;
    });
    const float widest = skin_.empty() ? 0 : *std::max_element(skin_.begin(), skin_.end());
    search::rebuild_wall_pairs(walls_, {position, radius}, system_.walls, system_.domain,
                               static_cast<double>(widest) + wall_allowance_ + range_, wall_watch_.everywhere(),
                               options_.threads);
    wall_detail_.resize(walls_.size());
    wall_gap_.resize(walls_.size());
    base::parallel_for(walls_.size(), options_.threads, [&](std::size_t q) {
        const model::Wall& wall = system_.walls[walls_.wall[q]];
        const double moves = wall_watch_.everywhere()[walls_.wall[q]] ? model::Domain::unbounded : wall_allowance_;
        const geometry::Ball& ball = balls_[walls_.body[q]];
        const double distance =
            search::is_mesh(wall) ? search::mesh_distance(wall, system_.domain, walls_, q - walls_.side[q], ball.center)
                                  : search::nearest_wall_point(wall, system_.domain, ball.center).distance;
        const double gap = distance - ball.radius - range_;
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
