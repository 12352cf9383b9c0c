// All pairs at one instant: which of the close ones meet, and what their contacts answer, several at a time.
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

template <class Full, class Gone>
void Engine::for_hits(base::SharedBlocks& pairs, const StageKernels& kernels, const Full& full, const Gone& gone) {
    std::array<Hit, StageKernels::widest> hits{};
    std::size_t count = 0;
    const auto flush = [&] {
        std::fill(hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(), hits[0]);
        full(hits, count);
        count = 0;
    };
    const auto hit = [&](std::size_t c, const double* d) {
        const model::PairLaw& law = system_.materials.between(system_.bodies.material[owner_[close_pair_[c].a]],
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
    pairs.take([&](std::size_t begin, std::size_t end) {
        std::size_t c = begin;
        for (; c + 4 <= end; c += 4) {
            Row across[4];
            const unsigned meet = which_meet(c, across);
            for (std::size_t lane = 0; lane < 4; ++lane) {
                acts_[c + lane] = Acts::no;
                if ((meet >> lane & 1U) != 0) {
                    hit(c + lane, reinterpret_cast<const double*>(&across[lane]));
                } else {
                    gone(c + lane);
                }
            }
        }
        for (; c < end; ++c) {
            acts_[c] = Acts::no;
            if (const std::optional<Vec3d> d = meets(close_pair_[c])) {
                hit(c, &d->x);
            } else {
                gone(c);
            }
        }
    });
    if (count > 0) {
        flush();
    }
}

StageView Engine::view(const std::vector<Motion>& motion, double dt, double step) {
    StageView out;
    out.parts = parts_.data();
    out.balls = balls_.data();
    out.motion = motion.data();
    out.nature = nature_.data();
    out.inverse_inertia = inverse_inertia_.data();
    out.pairs = close_pair_.data();
    out.listed = close_.data();
    out.history = near_history_.data();
    out.history_size = history_size_;
    out.normal = near_normal_.data();
    out.touching = near_touching_.data();
    out.slots = slot_.data();
    out.acts = acts_.data();
    out.details = detail_.data();
    out.dt = dt;
    out.step = step;
    return out;
}

void Engine::push_pairs(base::SharedBlocks& pairs, const std::vector<Motion>& motion, double step) {
    const StageKernels& kernels = stage_kernels();
    const StageView seen = view(motion, 0, step);
    const auto push = [&](const auto& hits, std::size_t count) {
        if (const StageKernels::Push ask = kernels.push[static_cast<std::size_t>(hits[0].law->law)]) {
            ask(seen, hits.data());
            return;
        }
        for (std::size_t n = 0; n < count; ++n) {
            pair_contact(hits[n].at, hits[n].d, motion, 0, step, Look::forces);
        }
    };
    for_hits(pairs, kernels, push, [](std::size_t /*c*/) {});
}

void Engine::answer_pairs(base::SharedBlocks& pairs, const std::vector<Motion>& motion, double dt, double step) {
    const StageKernels& kernels = stage_kernels();
    const StageView seen = view(motion, dt, step);
    const auto tell = [&](const auto& hits, std::size_t count) {
        const StageKernels::Tell ask = kernels.tell[static_cast<std::size_t>(hits[0].law->law)];
        const unsigned told = ask != nullptr ? ask(seen, hits.data()) : 0U;
        for (std::size_t n = 0; n < count; ++n) {
            if ((told >> n & 1U) == 0) {
                pair_contact(hits[n].at, hits[n].d, motion, dt, step, Look::full);
            }
        }
    };
    for_hits(pairs, kernels, tell, [&](std::size_t c) {
        if (dt > 0 && near_touching_[close_[c]]) {
            end_pair_contact(c, dt);
        }
    });
}

}  // namespace talus::engines::grains
