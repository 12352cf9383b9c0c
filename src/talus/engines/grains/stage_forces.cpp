// Forces of a stage of a step, whose histories stay as they are: four contacts at a time.
#include <algorithm>
#include <array>
#include <bit>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/engines/grains/meeting.h"
#include "talus/laws/visit.h"
#include "talus/math/pack_power.h"

namespace talus::engines::grains {

namespace {

using math::load_row;
using math::Pack4;
using math::Row;

struct Columns {
    Pack4 c0, c1, c2, c3;
};

/// Column k holds number k of what `row(lane)` points to; four numbers are read each time.
template <class RowOf>
TALUS_INLINE Columns columns(const RowOf& row) {
    const Row rows[4] = {load_row(row(0)), load_row(row(1)), load_row(row(2)), load_row(row(3))};
    Columns out;
    to_columns(rows, out.c0, out.c1, out.c2, out.c3);
    return out;
}

/// A vector that has another number behind it.
template <class VectorOf>
TALUS_INLINE Vec3<Pack4> vectors(const VectorOf& of) {
    const Columns c = columns([&](int lane) { return &of(lane).x; });
    return {c.c0, c.c1, c.c2};
}

/// What `number(lane)` is, in each lane.
template <class Number>
TALUS_INLINE Pack4 each(const Number& number) {
    return Pack4(Pack4::Lanes{number(0), number(1), number(2), number(3)});
}

/// Writes vectors with a number behind them, which is lost.
template <class VectorOf>
TALUS_INLINE void put(const VectorOf& to, const Vec3<Pack4>& vectors) {
    Row rows[4];
    turn(vectors.x, vectors.y, vectors.z, Pack4(0.0), rows[0], rows[1], rows[2], rows[3]);
    for (std::size_t lane = 0; lane < 4; ++lane) {
        store_row(&to(lane).x, rows[lane]);
    }
}

}  // namespace

template <class Law>
void Engine::push_packed(const std::array<Hit, 4>& hits, const std::vector<Motion>& motion, double step) {
    std::array<std::uint32_t, 4> near{};
    std::array<const Part*, 4> first{};
    std::array<const Part*, 4> second{};
    for (std::size_t lane = 0; lane < 4; ++lane) {
        near[lane] = close_[hits[lane].at];
        first[lane] = &parts_[near_[near[lane]].a];
        second[lane] = &parts_[near_[near[lane]].b];
    }
    const auto lane_of = [](const auto& array) {
        return [&array](int lane) { return array[static_cast<std::size_t>(lane)]; };
    };
    const auto side = [&](const auto& part_of) {
        Side<Pack4> out;
        out.arm = vectors([&](int lane) -> const Vec3d& { return part_of(lane)->arm; });
        const auto motion_of = [&](int lane) -> const Motion& { return motion[part_of(lane)->body]; };
        out.velocity = vectors([&](int lane) -> const Vec3d& { return motion_of(lane).velocity; });
        // A spin has nothing behind it that may be read, but the last number of the turn before it.
        const Columns spin = columns([&](int lane) { return &motion_of(lane).turn.v.z; });
        out.spin = {spin.c1, spin.c2, spin.c3};
        const Columns nature = columns([&](int lane) { return &nature_[part_of(lane)->body].inverse_mass; });
        out.inverse_mass = nature.c0;
        out.inverse_moment = {nature.c1, nature.c2, nature.c3};
        const auto inertia = [&](int lane) { return &inverse_inertia_[part_of(lane)->body].row[0].x; };
        const Columns head = columns(inertia);
        const Columns middle = columns([&](int lane) { return inertia(lane) + 4; });
        const Pack4 last = each([&](int lane) { return inertia(lane)[8]; });
        out.inverse_inertia = {
            {{head.c0, head.c1, head.c2}, {head.c3, middle.c0, middle.c1}, {middle.c2, middle.c3, last}}};
        return out;
    };
    const auto at = lane_of(near);
    const auto radius = [&](std::uint32_t Near::*end) {
        return each([&](int lane) { return balls_[near_[at(lane)].*end].radius; });
    };
    const auto normal = [&](double Vec3d::*axis) {
        return each([&](int lane) { return near_normal_[at(lane)].*axis; });
    };
    const Pack4 touched = each([&](int lane) { return near_touching_[at(lane)] ? 1.0 : 0.0; });
    const Meeting<Pack4> met =
        meet(vectors([&](int lane) -> const Vec3d& { return hits[static_cast<std::size_t>(lane)].d; }),
             radius(&Near::a), radius(&Near::b), side(lane_of(first)), side(lane_of(second)), touched > Pack4(0.5),
             Vec3<Pack4>{normal(&Vec3d::x), normal(&Vec3d::y), normal(&Vec3d::z)});

    typename Law::template History<Pack4> history;
    std::size_t number = 0;
    Law::for_numbers(history, [&](Pack4& to) {
        to = each([&](int lane) { return near_history_[at(lane) * history_size_ + number]; });
        ++number;
    });
    const auto params = hits[0].law->parameters.as<typename Law::Params>();
    const auto answer = Law::template respond<Pack4, false>(met.contact, params, history, 0.0, step);
    put([&](std::size_t lane) -> Vec3d& { return slot_[hits[lane].at].force; }, answer.force);
    put([&](std::size_t lane) -> Vec3d& { return slot_[hits[lane].at].torque; },
        cross(met.arm_i, answer.force) + answer.moment);
    put([&](std::size_t lane) -> Vec3d& { return slot_[hits[lane].at].counter_torque; },
        -(cross(met.arm_j, answer.force) + answer.moment));
    const auto touches = met.contact.overlap > Pack4(0.0);  // what is near because of another law's range does not
    for (std::size_t lane = 0; lane < 4; ++lane) {
        acts_[hits[lane].at] = touches[static_cast<int>(lane)] ? Acts::yes : Acts::no;
    }
}

unsigned Engine::which_meet(std::size_t c, Row (&across)[4]) const {
    for (std::size_t lane = 0; lane < 4; ++lane) {
        const Near& pair = close_pair_[c + lane];
        across[lane] = difference_and_sum(load_row(&balls_[pair.b].center.x), load_row(&balls_[pair.a].center.x));
        if (pair.image != model::Image{}) {
            const Vec3d shift = shift_of(pair.image);
            across[lane] = across[lane] + Row(Row::Lanes{shift.x, shift.y, shift.z, 0.0});
        }
    }
    Columns to;
    to_columns(across, to.c0, to.c1, to.c2, to.c3);
    const Pack4 distance2 = norm2(Vec3<Pack4>{to.c0, to.c1, to.c2});
    const Pack4 reach = to.c3 + Pack4(range_);
    return bits_of(distance2 < reach * reach && distance2 > Pack4(0.0));
}

void Engine::push_four(const std::array<Hit, 4>& hits, std::size_t count, const std::vector<Motion>& motion,
                       double step) {
    laws::visit(hits[0].law->law, [&](auto kind) {
        using Law = decltype(kind);
        if constexpr (Law::packs) {
            push_packed<Law>(hits, motion, step);
        } else {
            for (std::size_t n = 0; n < count; ++n) {
                pair_contact(hits[n].at, hits[n].d, motion, 0, step, Look::forces);
            }
        }
    });
}

void Engine::push_all(const std::vector<Motion>& motion, double step) {
    base::parallel_blocks_in_turn(
        close_.size(), close_.size() < fewest_to_share ? 1 : options_.threads, [&](std::size_t begin, std::size_t end) {
            std::array<Hit, 4> hits{};
            std::size_t count = 0;
            const auto flush = [&] {
                if (count > 0) {
                    std::fill(hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(), hits[0]);
                    push_four(hits, count, motion, step);
                    count = 0;
                }
            };
            const auto hit = [&](std::size_t c, const double* d) {
                const model::PairLaw& law = system_.materials.between(system_.bodies.material[owner_[close_pair_[c].a]],
                                                                      system_.bodies.material[owner_[close_pair_[c].b]]);
                if (count > 0 && &law != hits[0].law) {
                    flush();
                }
                hits[count++] = {{d[0], d[1], d[2]}, &law, static_cast<std::uint32_t>(c)};
                if (count == hits.size()) {
                    flush();
                }
            };
            std::fill(acts_.begin() + static_cast<std::ptrdiff_t>(begin), acts_.begin() + static_cast<std::ptrdiff_t>(end),
                      Acts::no);
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
            flush();
        });
}

}  // namespace talus::engines::grains
