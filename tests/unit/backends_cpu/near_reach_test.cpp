// Near pairs within reach: plain and wide loops against the definition, with borders, wraps and drifts.
#include "talus/backends/cpu/near_reach.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/backends/cpu/pair_kernel.h"
#include "unit/backends_cpu/random_bed.h"

namespace talus::tests {
namespace {

struct Case {
    BedSpec spec;
    bool wrapped = false, drifting = false;
};

/// A bed whose bodies have moved since they were listed; some across a border, each with a drift of its own.
class Moved {
public:
    explicit Moved(const Case& what) : bed(what.spec) {
        bed.start(0.05, 0.02, 1);
        cpu::Workspace& work = bed.work;
        for (std::size_t s = 0; s < work.places(); ++s) {
            work.record[s].position += bed.vector(0.01);
            const Vec3d drift = bed.vector(1e-3);
            work.flow[s].drift = {static_cast<float>(drift.x), static_cast<float>(drift.y),
                                  static_cast<float>(drift.z)};
            if (what.wrapped && bed.random().uniform() < 0.2) {
                wrap(s);
            }
        }
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Vec3d way = search::image_shift(bed.system.domain, code);
            shift_[code] = {way.x, way.y, way.z, 0};
        }
        task = {work.record.data(),
                work.margin.data(),
                what.drifting ? work.flow.data() : nullptr,
                what.drifting ? 7.0 : 0.0,
                work.near.row.data(),
                work.near.partner.data(),
                work.near.image.data(),
                bed.system.domain.any_periodic() ? work.wraps.data() : nullptr,
                shift_[0].data(),
                static_cast<std::uint32_t>(work.places())};
    }

    std::vector<cpu::InReach> found(cpu::ReachKernel kernel) const {
        const auto rows = static_cast<std::uint32_t>(bed.work.places());
        std::vector<cpu::InReach> out;
        constexpr std::uint32_t some = 100;
        for (std::uint32_t first = 0; first < rows; first += some) {
            const std::uint32_t last = std::min(rows, first + some);
            std::vector<cpu::InReach> part(bed.work.near.row[last] - bed.work.near.row[first] + 8);
            part.resize(kernel(task, first, last, part.data()));
            out.insert(out.end(), part.begin(), part.end());
        }
        return out;
    }

    /// By the definition: all near pairs, in whichever of the 27 images their bodies are where they were listed.
    std::vector<cpu::InReach> expected() const {
        const cpu::Workspace& work = bed.work;
        std::vector<cpu::InReach> out;
        for (std::uint32_t s = 0; s < work.places(); ++s) {
            for (std::uint32_t p = work.near.row[s]; p < work.near.row[s + 1]; ++p) {
                const std::uint32_t t = work.near.partner[p];
                const model::Image listed = search::image_of(work.near.image[p]);
                const std::array<int, 3> image{listed.x + work.wraps[s].x - work.wraps[t].x,
                                               listed.y + work.wraps[s].y - work.wraps[t].y,
                                               listed.z + work.wraps[s].z - work.wraps[t].z};
                if (*std::max_element(image.begin(), image.end()) > 1 ||
                    *std::min_element(image.begin(), image.end()) < -1) {
                    continue;
                }
                const auto code =
                    search::image_code({static_cast<signed char>(image[0]), static_cast<signed char>(image[1]),
                                        static_cast<signed char>(image[2])});
                const Vec3d way =
                    work.record[t].position - work.record[s].position + search::image_shift(bed.system.domain, code);
                const Vec3d apart = cpu::as_doubles(work.flow[s].drift) - cpu::as_doubles(work.flow[t].drift);
                const double reach = work.record[s].radius + work.record[t].radius +
                                     static_cast<double>(work.margin[s]) + static_cast<double>(work.margin[t]) +
                                     task.drift_steps * norm(apart);
                if (norm(way) < reach) {
                    out.push_back({s, p, code});
                }
            }
        }
        return out;
    }

    Bed bed;
    cpu::ReachTask task;

private:
    /// Moves a body by a period along an axis that has one.
    void wrap(std::size_t s) {
        const int axis = static_cast<int>(bed.random().uniform(0, 3));
        if (bed.system.domain.periodic[static_cast<std::size_t>(axis)]) {
            const int by = bed.random().uniform() < 0.5 ? -1 : 1;
            bed.work.record[s].position[axis] += by * bed.system.domain.size()[axis];
            signed char* const wraps[] = {&bed.work.wraps[s].x, &bed.work.wraps[s].y, &bed.work.wraps[s].z};
            *wraps[axis] = static_cast<signed char>(by);
        }
    }

    std::array<std::array<double, 4>, 27> shift_{};
};

void expect_same(const std::vector<cpu::InReach>& a, const std::vector<cpu::InReach>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].place, b[k].place);
        EXPECT_EQ(a[k].near, b[k].near);
        EXPECT_EQ(a[k].code, b[k].code);
    }
}

TEST(NearReach, FindsThePairsOfTheDefinition) {
    const Case cases[] = {
        {{.count = 700, .seed = 3}},
        {{.count = 700, .seed = 4}, false, true},
        {{.count = 700, .periodic = {true, false, true}, .seed = 5}, true, false},
        {{.count = 700, .periodic = {true, true, true}, .seed = 6}, true, true},
        {{.count = 3, .seed = 7}},
    };
    for (const Case& what : cases) {
        SCOPED_TRACE(what.spec.seed);
        const Moved moved(what);
        const auto expected = moved.expected();
        if (what.spec.count > 100) {
            EXPECT_GT(expected.size(), 300U);
            EXPECT_LT(expected.size(), moved.bed.work.near.size() - 300);
        }
        expect_same(moved.found(&cpu::pairs_in_reach), expected);
        if (cpu::simd_level() == cpu::Simd::eight) {
            expect_same(moved.found(cpu::wide_reach_kernel()), expected);
        }
    }
}

}  // namespace
}  // namespace talus::tests
