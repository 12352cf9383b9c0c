#include "talus/search/pair_search.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace talus::search {

namespace {

/// Shift vectors of all images.
std::array<Vec3d, 27> shifts(const model::Domain& domain) {
    std::array<Vec3d, 27> out;
    for (std::uint8_t code = 0; code < 27; ++code) {
        out[code] = image_shift(domain, code);
    }
    return out;
}

}  // namespace

void PairSearch::find(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain, int threads,
                      NearList& list) {
    const std::size_t n = balls.count;
    cells_.build(balls, skin, domain);
    const std::array<Vec3d, 27> shift = shifts(domain);
    // Chunks, so that the list is put together without counting first.
    constexpr std::size_t chunk = 128;
    const std::size_t count = (n + chunk - 1) / chunk;
    chunks_.resize(count);
    list.row.assign(n + 1, 0);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1 && count > 1)
    for (std::size_t c = 0; c < count; ++c) {
        std::vector<Found>& found = chunks_[c];
        found.clear();
        for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
            const std::size_t before = found.size();
            const Vec3d x = balls.position(i);
            const double own = balls.radius(i) + static_cast<double>(skin[i]);
            cells_.near(balls, i, [&](std::uint32_t j, std::uint8_t image) {
                const double reach = own + balls.radius(j) + static_cast<double>(skin[j]);
                if (norm2(balls.position(j) - x + shift[image]) < reach * reach) {
                    found.push_back({j, image});
                }
            });
            list.row[i + 1] = static_cast<std::uint32_t>(found.size() - before);
        }
    }
    std::partial_sum(list.row.begin(), list.row.end(), list.row.begin());
    list.partner.resize(list.row[n]);
    list.image.resize(list.row[n]);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && count > 1)
    for (std::size_t c = 0; c < count; ++c) {
        std::size_t at = list.row[c * chunk];
        for (const Found& found : chunks_[c]) {
            list.partner[at] = found.partner;
            list.image[at++] = found.image;
        }
    }
}

NearList find_by_brute_force(const Balls& balls, const std::vector<float>& skin, const model::Domain& domain) {
    NearList list;
    list.row.push_back(0);
    const std::array<Vec3d, 27> shift = shifts(domain);
    for (std::size_t i = 0; i < balls.count; ++i) {
        for (std::size_t j = i + 1; j < balls.count; ++j) {
            for (std::uint8_t code = 0; code < 27; ++code) {
                const model::Image image = image_of(code);
                const bool real = (image.x == 0 || domain.periodic[0]) && (image.y == 0 || domain.periodic[1]) &&
                                  (image.z == 0 || domain.periodic[2]);
                const double reach =
                    balls.radius(i) + balls.radius(j) + static_cast<double>(skin[i]) + static_cast<double>(skin[j]);
                if (real && norm2(balls.position(j) - balls.position(i) + shift[code]) < reach * reach) {
                    list.partner.push_back(static_cast<std::uint32_t>(j));
                    list.image.push_back(code);
                }
            }
        }
        list.row.push_back(static_cast<std::uint32_t>(list.partner.size()));
    }
    return list;
}

}  // namespace talus::search
