// Forces of a stage of a step: which close pairs meet, and their contacts several at a time.
#include <algorithm>
#include <array>
#include <bit>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/engines/grains/stage_kernels.h"

namespace talus::engines::grains {

using math::load_row;
using math::Pack4;
using math::Row;

unsigned Engine::which_meet(std::size_t c, Row (&across)[4]) const {
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Near& pair = close_pair_[c + lane];
        across[lane] = difference_and_sum(load_row(&balls_[pair.b].center.x), load_row(&balls_[pair.a].center.x));
        if (pair.image != model::Image{}) {
            const Vec3d shift = shift_of(pair.image);
            across[lane] = across[lane] + Row(Row::Lanes{shift.x, shift.y, shift.z, 0.0});
        }
    }
    Pack4 x, y, z, sum;
    to_columns(across, x, y, z, sum);
    const Pack4 distance2 = norm2(Vec3<Pack4>{x, y, z});
    const Pack4 reach = sum + Pack4(range_);
    return bits_of(distance2 < reach * reach && distance2 > Pack4(0.0));
}

void Engine::push_all(const std::vector<Motion>& motion, double step) {
    const StageKernels& kernels = stage_kernels();
    const StageView view = {parts_.data(),
                            balls_.data(),
                            motion.data(),
                            nature_.data(),
                            inverse_inertia_.data(),
                            close_pair_.data(),
                            close_.data(),
                            near_history_.data(),
                            history_size_,
                            near_normal_.data(),
                            near_touching_.data(),
                            slot_.data(),
                            acts_.data(),
                            step};
    base::parallel_blocks_in_turn(
        close_.size(), close_.size() < fewest_to_share ? 1 : options_.threads, [&](std::size_t begin, std::size_t end) {
            std::array<Hit, StageKernels::widest> hits{};
            std::size_t count = 0;
            const auto flush = [&] {
                const StageKernels::Push push = kernels.push[static_cast<std::size_t>(hits[0].law->law)];
                if (push != nullptr) {
                    std::fill(hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(), hits[0]);
                    push(view, hits.data());
                } else {
                    for (std::size_t n = 0; n < count; ++n) {
                        pair_contact(hits[n].at, hits[n].d, motion, 0, step, Look::forces);
                    }
                }
                count = 0;
            };
            const auto hit = [&](std::size_t c, const double* d) {
                const model::PairLaw& law =
                    system_.materials.between(system_.bodies.material[owner_[close_pair_[c].a]],
                                              system_.bodies.material[owner_[close_pair_[c].b]]);
                if (law.law < 0) {
                    return;  // they pass through each other
                }
                if (count > 0 && &law != hits[0].law) {
                    flush();
                }
                hits[count++] = {{d[0], d[1], d[2]}, &law, static_cast<std::uint32_t>(c)};
                if (count == kernels.width) {
                    flush();
                }
            };
            std::fill(acts_.begin() + static_cast<std::ptrdiff_t>(begin),
                      acts_.begin() + static_cast<std::ptrdiff_t>(end), Acts::no);
            std::size_t c = begin;
            for (; c + 4 <= end; c += 4) {
                Row across[4];
                for (unsigned left = which_meet(c, across); left != 0; left &= left - 1) {
                    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
                    hit(c + lane, reinterpret_cast<const double*>(&across[lane]));
                }
            }
            for (; c < end; ++c) {
                if (const std::optional<Vec3d> d = meets(close_pair_[c])) {
                    hit(c, &d->x);
                }
            }
            if (count > 0) {
                flush();
            }
        });
}

}  // namespace talus::engines::grains
