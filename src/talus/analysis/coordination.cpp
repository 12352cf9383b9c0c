#include "talus/analysis/coordination.h"

#include <cstddef>
#include <limits>
#include <vector>

#include "talus/analysis/snapshot.h"

namespace talus::analysis {

namespace {

struct Touch {  // by index
    std::size_t a, b;
};

/// Takes rattlers away until every grain left has two contacts or more. `count` holds contacts per grain and ends
/// with those among the grains left.
std::vector<char> find_rattlers(const std::vector<Touch>& touches, std::vector<std::int64_t>& count) {
    const std::size_t n = count.size();
    // Partners of each grain in rows.
    std::vector<std::size_t> row(n + 1, 0);
    for (const Touch& t : touches) {
        ++row[t.a + 1];
        ++row[t.b + 1];
    }
    for (std::size_t i = 0; i < n; ++i) {
        row[i + 1] += row[i];
    }
    std::vector<std::size_t> partner(2 * touches.size());
    std::vector<std::size_t> next(row.begin(), row.end() - 1);
    for (const Touch& t : touches) {
        partner[next[t.a]++] = t.b;
        partner[next[t.b]++] = t.a;
    }
    std::vector<char> rattler(n, 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < n; ++i) {
        if (count[i] < 2) {
            rattler[i] = 1;
            open.push_back(i);
        }
    }
    while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        count[i] = 0;
        for (std::size_t k = row[i]; k < row[i + 1]; ++k) {
            const std::size_t j = partner[k];
            if (rattler[j] == 0 && --count[j] < 2) {
                rattler[j] = 1;
                open.push_back(j);
            }
        }
    }
    return rattler;
}

}  // namespace

Coordination coordination(const model::System& system, std::span<const model::ContactSample> contacts,
                          const model::Region& region) {
    const model::Bodies& bodies = system.bodies;
    const std::size_t n = bodies.size();
    std::vector<std::int64_t> with_grains(n, 0);
    std::vector<std::int64_t> with_walls(n, 0);
    std::vector<Touch> touches;
    for (const model::ContactSample& c : contacts) {
        const std::size_t a = index_of(bodies, c.a);
        if (c.wall >= 0) {
            ++with_walls[a];
            continue;
        }
        const std::size_t b = index_of(bodies, c.b);
        ++with_grains[a];
        ++with_grains[b];
        touches.push_back({a, b});
    }
    std::vector<std::int64_t> count(n);
    for (std::size_t i = 0; i < n; ++i) {
        count[i] = with_grains[i] + with_walls[i];
    }
    const std::vector<char> rattler = find_rattlers(touches, count);
    Coordination result;
    std::int64_t grain_contacts = 0;
    std::int64_t wall_contacts = 0;
    std::int64_t loaded = 0;
    std::int64_t loaded_contacts = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!region.contains(bodies.position[i])) {
            continue;
        }
        ++result.grains;
        grain_contacts += with_grains[i];
        wall_contacts += with_walls[i];
        if (rattler[i] == 0) {
            ++loaded;
            loaded_contacts += count[i];
        }
    }
    const auto ratio = [](std::int64_t a, std::int64_t b) {
        return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : std::numeric_limits<double>::quiet_NaN();
    };
    result.with_grains = ratio(grain_contacts, result.grains);
    result.with_walls = ratio(wall_contacts, result.grains);
    result.mean = ratio(grain_contacts + wall_contacts, result.grains);
    result.without_rattlers = ratio(loaded_contacts, loaded);
    result.rattlers = ratio(result.grains - loaded, result.grains);
    return result;
}

}  // namespace talus::analysis
