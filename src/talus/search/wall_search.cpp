#include <algorithm>
#include <cstdint>
#include <numeric>

#include "talus/base/parallel.h"
#include "talus/search/wall_search.h"
#include "talus/search/wall_distance.h"

namespace talus::search {

void rebuild_wall_pairs(model::System& system, double skin, const std::vector<char>& always, int threads) {
    const std::size_t n = system.bodies.size();
    model::WallPairList& pairs = system.wall_pairs;
    std::vector<std::vector<std::uint32_t>> near(n);
    std::vector<std::array<int, 3>> range;
    for (const model::Wall& wall : system.walls) {
        range.push_back(image_range(wall, system.domain));
    }
    const bool carry = pairs.row.size() == n + 1;
    // A contact that has just parted stays listed once more, so that the contact phase can end it.
    const auto touched = [&](std::size_t i, std::size_t w) {
        for (std::uint32_t q = carry ? pairs.row[i] : 0; carry && q < pairs.row[i + 1]; ++q) {
            if (pairs.wall[q] == w) {
                return pairs.touching[q] != 0;
            }
        }
        return false;
    };
    base::parallel_for(n, threads, [&](std::size_t i) {
        for (std::size_t w = 0; w < system.walls.size(); ++w) {
            const model::Wall& wall = system.walls[w];
            if (!wall.present) {
                continue;
            }
            const double reach = system.bodies.radius[i] + skin;
            if (always[w] || touched(i, w) ||
                nearest_wall_point(wall, system.domain, range[w], system.bodies.position[i]).distance < reach) {
                near[i].push_back(static_cast<std::uint32_t>(w));
            }
        }
    });
    model::WallPairList fresh;
    const std::size_t h = pairs.history_size;
    fresh.history_size = h;
    fresh.row.reserve(n + 1);
    fresh.row.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::uint32_t w : near[i]) {
            fresh.body.push_back(static_cast<std::uint32_t>(i));
            fresh.wall.push_back(w);
            fresh.touching.push_back(0);
            fresh.normal.emplace_back();
            fresh.history.resize(fresh.history.size() + h, 0.0);
            for (std::uint32_t q = carry ? pairs.row[i] : 0; carry && q < pairs.row[i + 1]; ++q) {
                if (pairs.wall[q] == w && pairs.touching[q]) {
                    fresh.touching.back() = 1;
                    fresh.normal.back() = pairs.normal[q];
                    std::copy_n(pairs.history.begin() + static_cast<std::ptrdiff_t>(q * h), h,
                                fresh.history.end() - static_cast<std::ptrdiff_t>(h));
                }
            }
        }
        fresh.row.push_back(static_cast<std::uint32_t>(fresh.wall.size()));
    }
    pairs = std::move(fresh);
}

std::vector<std::uint32_t> compact_wall_pairs(model::WallPairList& pairs, const std::vector<char>& keep) {
    std::vector<std::uint32_t> kept;
    const std::size_t h = pairs.history_size;
    model::WallPairList fresh;
    fresh.history_size = h;
    fresh.row.push_back(0);
    std::uint32_t body = 0;
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        if (!keep[i]) {
            continue;
        }
        for (std::uint32_t q = pairs.row[i]; q < pairs.row[i + 1]; ++q) {
            kept.push_back(q);
            fresh.body.push_back(body);
            fresh.wall.push_back(pairs.wall[q]);
            fresh.touching.push_back(pairs.touching[q]);
            fresh.normal.push_back(pairs.normal[q]);
            fresh.history.insert(fresh.history.end(), pairs.history.begin() + static_cast<std::ptrdiff_t>(q * h),
                                 pairs.history.begin() + static_cast<std::ptrdiff_t>((q + 1) * h));
        }
        fresh.row.push_back(static_cast<std::uint32_t>(fresh.wall.size()));
        ++body;
    }
    pairs = std::move(fresh);
    return kept;
}

}  // namespace talus::search
