// Of the listed pairs, those that are looked at in every evaluation: what can touch before the grains have gone a
// little farther. No bit of the path depends on how far that is.
#include <algorithm>
#include <cmath>
#include <utility>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"

namespace talus::engines::grains {

namespace {

// How far a grain may go, in radii of its smallest sphere, lasts for about so many steps at its present speed.
constexpr double least_close = 0.02;
constexpr double widest_close = 0.4;
constexpr double steps_of_close = 12;
constexpr double chosen_steps_of_close = 1.5;  // of an integrator that chooses its steps
// A trial may go this much farther before pairs are picked again.
constexpr double trial_room = 1.1;
constexpr double rounding = 1e-6;  // of single precision, with room

}  // namespace

bool Engine::is_close_for(const std::vector<Motion>& motion) const {
    const bool holds = base::holds_for_all(motion.size(), options_.threads, [&](std::size_t i) {
        return way_between(i, motion[i], close_at_[i]) <= static_cast<double>(close_skin_[i]);
    });
    return holds && wall_watch_.farthest(system_.walls) <= wall_allowance_;
}

void Engine::choose_close(const std::vector<Motion>& motion, bool kept) {
    close_at_.resize(motion.size());
    close_skin_.resize(motion.size());
    const double steps = system_.integration.adaptive() ? chosen_steps_of_close : steps_of_close;
    base::parallel_for(motion.size(), options_.threads, [&](std::size_t i) {
        const Motion here = motion_of(i);
        close_at_[i] = kept ? motion[i] : here;
        const double skin =
            std::clamp(steps * way_ahead(i), least_close * smallest_part_[i], widest_close * smallest_part_[i]);
        close_skin_[i] = static_cast<float>(std::max(skin, trial_room * way_between(i, motion[i], here)));
    });
}

void Engine::pick_close() {
    // What was so far apart when it was listed cannot have come close.
    way_.resize(close_at_.size());
    base::parallel_for(way_.size(), options_.threads, [&](std::size_t i) {
        way_[i] = static_cast<float>(
            (1 + rounding) * (way_between(i, close_at_[i], listed_at_[i]) + static_cast<double>(close_skin_[i])));
    });
    // Each thread picks from its share of the list and counts the contacts of each body; then all know their places.
    struct Share {
        std::vector<std::uint32_t> picked;       // of near_
        std::vector<std::uint32_t> led, second;  // contacts of each body with higher and with lower ones
        std::vector<std::uint32_t> at_walls;     // parts
    };
    const auto threads = static_cast<std::size_t>(options_.threads);
    const std::size_t bodies = system_.bodies.size();
    std::vector<Share> shares(threads);
    base::in_team(options_.threads, [&](std::size_t rank) {
        Share& share = shares[rank];
        share.led.assign(bodies, 0);
        share.second.assign(bodies, 0);
        const std::size_t end = near_.size() * (rank + 1) / threads;
        for (std::size_t k = near_.size() * rank / threads; k < end; ++k) {
            const std::uint32_t a = owner_[near_[k].a];
            const std::uint32_t b = owner_[near_[k].b];
            if (near_gap_[k] < way_[a] + way_[b] || near_touching_[k]) {
                share.picked.push_back(static_cast<std::uint32_t>(k));
                ++share.led[a];
                ++share.second[b];
            }
        }
        pick_close_walls(parts_.size() * rank / threads, parts_.size() * (rank + 1) / threads, share.at_walls);
    });
    own_row_.resize(bodies + 1);
    led_row_.resize(bodies + 1);
    std::uint32_t led = 0;
    std::uint32_t own = 0;
    for (std::size_t i = 0; i < bodies; ++i) {
        led_row_[i] = led;
        own_row_[i] = own;
        for (Share& share : shares) {
            led += share.led[i];
            own += std::exchange(share.second[i], own);  // where the thread's contacts of that body begin
        }
    }
    led_row_[bodies] = led;
    own_row_[bodies] = own;
    for (auto* list : {&close_, &own_}) {
        list->resize(led);
    }
    close_pair_.resize(led);
    acts_.assign(led, Acts::no);
    slot_.resize(led);
    detail_.resize(led);
    base::in_team(options_.threads, [&](std::size_t rank) {
        std::size_t c = 0;
        for (std::size_t before = 0; before < rank; ++before) {
            c += shares[before].picked.size();
        }
        for (const std::uint32_t k : shares[rank].picked) {
            close_[c] = k;
            close_pair_[c] = near_[k];
            own_[shares[rank].second[owner_[near_[k].b]]++] = static_cast<std::uint32_t>(c);
            ++c;
        }
    });
    wall_acts_.assign(walls_.size(), Acts::no);
    wall_parts_.clear();
    for (const Share& share : shares) {
        wall_parts_.insert(wall_parts_.end(), share.at_walls.begin(), share.at_walls.end());
    }
}

void Engine::pick_close_walls(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& picked) const {
    for (std::size_t p = begin; p < end; ++p) {
        bool close = false;
        for (std::uint32_t q = walls_.row[p]; q < walls_.row[p + 1]; ++q) {
            close = close || wall_gap_[q] < way_[owner_[p]] || walls_.touching[q] != 0;
        }
        if (close) {
            picked.push_back(static_cast<std::uint32_t>(p));
        }
    }
}

}  // namespace talus::engines::grains
