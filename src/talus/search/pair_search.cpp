#include "talus/search/pair_search.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "talus/base/parallel.h"
#include "talus/search/cell_grid.h"

namespace talus::search {

namespace {

using model::Image;
using model::PairList;

struct Listed {
    std::uint32_t partner;
    Image image;
    friend bool operator<(const Listed& a, const Listed& b) {
        return std::tie(a.partner, a.image) < std::tie(b.partner, b.image);
    }
};

Vec3d shifted(const model::Domain& domain, const Vec3d& x, const Image& image) {
    const Vec3d period = domain.any_periodic() ? domain.size() : Vec3d{};
    return {domain.periodic[0] ? x.x + image.x * period.x : x.x, domain.periodic[1] ? x.y + image.y * period.y : x.y,
            domain.periodic[2] ? x.z + image.z * period.z : x.z};
}

bool within(const model::System& system, std::size_t i, std::size_t j, const Image& image, double skin) {
    const double reach = system.bodies.radius[i] + system.bodies.radius[j] + skin;
    return norm2(shifted(system.domain, system.bodies.position[j], image) - system.bodies.position[i]) < reach * reach;
}

/// Pairs that touched at the last step but are out of reach now: they stay listed once more, because it is the contact
/// phase that ends a contact and books what its spring still held.
void list_parted(const model::System& system, std::size_t i, double skin, std::vector<Listed>& list) {
    const PairList& pairs = system.pairs;
    if (pairs.row.size() != system.bodies.size() + 1) {
        return;
    }
    const auto is_near = [](const Image& image) {
        const auto at_most_one = [](signed char k) { return k >= -1 && k <= 1; };
        return at_most_one(image.x) && at_most_one(image.y) && at_most_one(image.z);
    };
    for (std::uint32_t q = pairs.row[i]; q < pairs.row[i + 1]; ++q) {
        if (pairs.touching[q] &&
            !(is_near(pairs.image[q]) && within(system, i, pairs.partner[q], pairs.image[q], skin))) {
            list.push_back({pairs.partner[q], pairs.image[q]});
        }
    }
}

/// Incoming pairs by a stable counting sort on the partner: ascending in the lower body.
void index_incoming(PairList& pairs, std::size_t bodies) {
    pairs.incoming_row.assign(bodies + 1, 0);
    for (const std::uint32_t j : pairs.partner) {
        ++pairs.incoming_row[j + 1];
    }
    std::partial_sum(pairs.incoming_row.begin(), pairs.incoming_row.end(), pairs.incoming_row.begin());
    pairs.incoming_pair.resize(pairs.size());
    std::vector<std::uint32_t> next(pairs.incoming_row.begin(), pairs.incoming_row.end() - 1);
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
        pairs.incoming_pair[next[pairs.partner[p]]++] = p;
    }
}

/// Puts new rows in place of the old ones; both are sorted, so histories follow by a merge.
void adopt(model::System& system, const std::vector<std::vector<Listed>>& chunk_lists,
           const std::vector<std::uint32_t>& row_length, int threads) {
    const std::size_t n = system.bodies.size();
    PairList& pairs = system.pairs;
    PairList fresh;
    fresh.history_size = pairs.history_size;
    fresh.row.assign(n + 1, 0);
    std::inclusive_scan(row_length.begin(), row_length.end(), fresh.row.begin() + 1);
    const std::size_t total = fresh.row[n];
    fresh.partner.resize(total);
    fresh.image.resize(total);
    fresh.touching.assign(total, 0);
    fresh.history.assign(total * fresh.history_size, 0.0);
    std::size_t at = 0;
    for (const auto& list : chunk_lists) {
        for (const Listed& entry : list) {
            fresh.partner[at] = entry.partner;
            fresh.image[at] = entry.image;
            ++at;
        }
    }
    const std::size_t h = fresh.history_size;
    if (pairs.row.size() == n + 1) {
        base::parallel_for(n, threads, [&](std::size_t i) {
            std::uint32_t p = fresh.row[i];
            for (std::uint32_t q = pairs.row[i]; q < pairs.row[i + 1]; ++q) {
                if (!pairs.touching[q]) {
                    continue;
                }
                const Listed old{pairs.partner[q], pairs.image[q]};
                while (p < fresh.row[i + 1] && Listed{fresh.partner[p], fresh.image[p]} < old) {
                    ++p;
                }
                if (p == fresh.row[i + 1]) {
                    break;
                }
                if (fresh.partner[p] == old.partner && fresh.image[p] == old.image) {
                    fresh.touching[p] = 1;
                    std::copy_n(&pairs.history[q * h], h, &fresh.history[p * h]);
                }
            }
        });
    }
    index_incoming(fresh, n);
    pairs = std::move(fresh);
}

}  // namespace

void rebuild_pairs(model::System& system, double skin, int threads) {
    const std::size_t n = system.bodies.size();
    const double largest = n > 0 ? *std::max_element(system.bodies.radius.begin(), system.bodies.radius.end()) : 0;
    const CellGrid grid(system.bodies, system.domain, 2 * largest + skin);
    // Fixed chunks, so that the list is put together in the same order whatever thread made which part.
    constexpr std::size_t chunk = 1024;
    const std::size_t chunks = (n + chunk - 1) / chunk;
    std::vector<std::vector<Listed>> lists(chunks);
    std::vector<std::uint32_t> row_length(n, 0);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1 && chunks > 1)
    for (std::size_t c = 0; c < chunks; ++c) {
        std::vector<Listed>& list = lists[c];
        list.reserve(chunk * 6);
        for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
            const std::size_t begin = list.size();
            grid.near(i, [&](std::uint32_t j, const Image& image) {
                if (j > i && within(system, i, j, image, skin)) {
                    list.push_back({j, image});
                }
            });
            list_parted(system, i, skin, list);
            std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end());
            row_length[i] = static_cast<std::uint32_t>(list.size() - begin);
        }
    }
    adopt(system, lists, row_length, threads);
}

void rebuild_pairs_by_brute_force(model::System& system, double skin) {
    const std::size_t n = system.bodies.size();
    std::vector<std::vector<Listed>> lists(1);
    std::vector<std::uint32_t> row_length(n, 0);
    const auto range = [&](std::size_t axis) { return system.domain.periodic[axis] ? 1 : 0; };
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t begin = lists[0].size();
        for (std::size_t j = i + 1; j < n; ++j) {
            for (int x = -range(0); x <= range(0); ++x) {
                for (int y = -range(1); y <= range(1); ++y) {
                    for (int z = -range(2); z <= range(2); ++z) {
                        const Image image{static_cast<signed char>(x), static_cast<signed char>(y),
                                          static_cast<signed char>(z)};
                        if (within(system, i, j, image, skin)) {
                            lists[0].push_back({static_cast<std::uint32_t>(j), image});
                        }
                    }
                }
            }
        }
        list_parted(system, i, skin, lists[0]);
        std::sort(lists[0].begin() + static_cast<std::ptrdiff_t>(begin), lists[0].end());
        row_length[i] = static_cast<std::uint32_t>(lists[0].size() - begin);
    }
    adopt(system, lists, row_length, 1);
}

std::vector<std::uint32_t> compact_pairs(PairList& pairs, const std::vector<char>& keep) {
    std::vector<std::uint32_t> new_index(keep.size());
    std::exclusive_scan(keep.begin(), keep.end(), new_index.begin(), std::uint32_t{0});
    const std::size_t h = pairs.history_size;
    std::vector<std::uint32_t> kept;
    PairList fresh;
    fresh.history_size = h;
    fresh.row.push_back(0);
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        if (!keep[i]) {
            continue;
        }
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            if (keep[pairs.partner[p]]) {
                kept.push_back(p);
                fresh.partner.push_back(new_index[pairs.partner[p]]);
                fresh.image.push_back(pairs.image[p]);
                fresh.touching.push_back(pairs.touching[p]);
                fresh.history.insert(fresh.history.end(), pairs.history.begin() + static_cast<std::ptrdiff_t>(p * h),
                                     pairs.history.begin() + static_cast<std::ptrdiff_t>((p + 1) * h));
            }
        }
        fresh.row.push_back(static_cast<std::uint32_t>(fresh.partner.size()));
    }
    index_incoming(fresh, fresh.row.size() - 1);
    pairs = std::move(fresh);
    return kept;
}

void shift_images(PairList& pairs, std::size_t index, const Image& periods) {
    const auto add = [&](std::size_t p, int sign) {
        pairs.image[p].x = static_cast<signed char>(pairs.image[p].x + sign * periods.x);
        pairs.image[p].y = static_cast<signed char>(pairs.image[p].y + sign * periods.y);
        pairs.image[p].z = static_cast<signed char>(pairs.image[p].z + sign * periods.z);
    };
    for (std::uint32_t p = pairs.row[index]; p < pairs.row[index + 1]; ++p) {
        add(p, 1);
    }
    for (std::uint32_t k = pairs.incoming_row[index]; k < pairs.incoming_row[index + 1]; ++k) {
        add(pairs.incoming_pair[k], -1);
    }
}

}  // namespace talus::search
