// How a pack of contacts is put together, answered and taken apart again; a file for each width includes this.
#pragma once

#include <utility>

#include "talus/engines/grains/meeting.h"
#include "talus/engines/grains/stage_kernels.h"
#include "talus/math/pack_power.h"

namespace talus::engines::grains::detail {

using math::load_row;
using math::PackOf;
using math::Row;

template <int n>
struct Columns {
    PackOf<n> c0, c1, c2, c3;
};

/// Column k holds number k of what `row(lane)` points to; four numbers are read each time.
template <int n, class RowOf>
TALUS_INLINE Columns<n> columns(const RowOf& row) {
    Row rows[static_cast<std::size_t>(n)];
    for (int lane = 0; lane < n; ++lane) {
        rows[lane] = load_row(row(lane));
    }
    Columns<n> out;
    to_columns(rows, out.c0, out.c1, out.c2, out.c3);
    return out;
}

/// A vector that has another number behind it.
template <int n, class VectorOf>
TALUS_INLINE Vec3<PackOf<n>> vectors(const VectorOf& of) {
    const Columns<n> c = columns<n>([&](int lane) { return &of(lane).x; });
    return {c.c0, c.c1, c.c2};
}

/// What `number(lane)` is, in each lane.
template <int n, class Number>
TALUS_INLINE PackOf<n> each(const Number& number) {
    PackOf<n> out;
    for (int lane = 0; lane < n; ++lane) {
        out.lanes[lane] = number(lane);
    }
    return out;
}

/// Writes vectors with a number behind them, which is lost.
template <int n, class VectorOf>
TALUS_INLINE void put(const VectorOf& to, const Vec3<PackOf<n>>& vectors) {
    double rows[std::size_t{4} * n];
    store_rows(rows, 4, vectors.x, vectors.y, vectors.z, PackOf<n>(0.0));
    for (int lane = 0; lane < n; ++lane) {
        store_row(&to(lane).x, load_row(rows + 4 * lane));
    }
}

/// A grain of each pair, as its contact sees it.
template <int n, class PartOf>
TALUS_INLINE Side<PackOf<n>> sides(const StageView& view, const PartOf& part_of) {
    Side<PackOf<n>> out;
    out.arm = vectors<n>([&](int lane) -> const Vec3d& { return part_of(lane).arm; });
    const auto motion_of = [&](int lane) -> const Motion& { return view.motion[part_of(lane).body]; };
    out.velocity = vectors<n>([&](int lane) -> const Vec3d& { return motion_of(lane).velocity; });
    // A spin has nothing behind it that may be read, but the last number of the turn before it.
    const Columns<n> spin = columns<n>([&](int lane) { return &motion_of(lane).turn.v.z; });
    out.spin = {spin.c1, spin.c2, spin.c3};
    const Columns<n> nature = columns<n>([&](int lane) { return &view.nature[part_of(lane).body].inverse_mass; });
    out.inverse_mass = nature.c0;
    out.inverse_moment = {nature.c1, nature.c2, nature.c3};
    const auto inertia = [&](int lane) { return &view.inverse_inertia[part_of(lane).body].row[0].x; };
    const Columns<n> head = columns<n>(inertia);
    const Columns<n> middle = columns<n>([&](int lane) { return inertia(lane) + 4; });
    const PackOf<n> last = each<n>([&](int lane) { return inertia(lane)[8]; });
    out.inverse_inertia = {
        {{head.c0, head.c1, head.c2}, {head.c3, middle.c0, middle.c1}, {middle.c2, middle.c3, last}}};
    return out;
}

/// Contacts as their law is told of them.
template <int n, class Law>
struct Asked {
    Meeting<PackOf<n>> met;
    math::MaskOf<n> touched;
    Vec3<PackOf<n>> last;  // normal
    PackOf<n> radius_i, radius_j;
    typename Law::template History<PackOf<n>> history;

    TALUS_INLINE Asked(const StageView& view, const Hit* hits) {
        using P = PackOf<n>;
        const auto pair = [&](int lane) -> const Near& { return view.pairs[hits[lane].at]; };
        const auto at = [&](int lane) -> std::size_t { return view.listed[hits[lane].at]; };
        const auto first = [&](int lane) -> const Part& { return view.parts[pair(lane).a]; };
        const auto second = [&](int lane) -> const Part& { return view.parts[pair(lane).b]; };
        const auto normal = [&](double Vec3d::*axis) {
            return each<n>([&](int lane) { return view.normal[at(lane)].*axis; });
        };
        radius_i = each<n>([&](int lane) { return view.balls[pair(lane).a].radius; });
        radius_j = each<n>([&](int lane) { return view.balls[pair(lane).b].radius; });
        touched = each<n>([&](int lane) { return view.touching[at(lane)] ? 1.0 : 0.0; }) > P(0.5);
        last = {normal(&Vec3d::x), normal(&Vec3d::y), normal(&Vec3d::z)};
        met = meet(vectors<n>([&](int lane) -> const Vec3d& { return hits[lane].d; }), radius_i, radius_j,
                   sides<n>(view, first), sides<n>(view, second), touched, last);
        std::size_t number = 0;
        Law::for_numbers(history, [&](P& to) {
            to = each<n>([&](int lane) { return view.history[at(lane) * view.history_size + number]; });
            ++number;
        });
    }
};

template <int n, class Law>
void push_pack(const StageView& view, const Hit* hits) {
    const Asked<n, Law> asked(view, hits);
    const Meeting<PackOf<n>>& met = asked.met;
    const auto params = hits[0].law->parameters.template as<typename Law::Params>();
    const auto answer = Law::template respond<PackOf<n>, false>(met.contact, params, asked.history, 0.0, view.step);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].force; }, answer.force);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].torque; },
           cross(met.arm_i, answer.force) + answer.moment);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].counter_torque; },
           -(cross(met.arm_j, answer.force) + answer.moment));
    // What is near because of another law's range does not touch.
    const unsigned touches = bits_of(met.contact.overlap > PackOf<n>(0.0));
    for (int lane = 0; lane < n; ++lane) {
        view.acts[hits[lane].at] = (touches >> lane & 1U) != 0 ? Acts::yes : Acts::no;
    }
}

template <int n, class Law>
unsigned tell_pack(const StageView& view, const Hit* hits) {
    using P = PackOf<n>;
    const Asked<n, Law> asked(view, hits);
    const Meeting<P>& met = asked.met;
    const auto params = hits[0].law->parameters.template as<typename Law::Params>();
    auto answer = Law::template respond<P, true>(met.contact, params, asked.history, view.dt, view.step);
    const auto jumped = asked.touched && backends::cpu::has_jumped(asked.last, met.contact.normal);
    const unsigned told = bits_of(met.contact.overlap > P(0.0) && !jumped);
    const Vec3<P> torque = cross(met.arm_i, answer.force) + answer.moment;
    const Vec3<P> counter = -(cross(met.arm_j, answer.force) + answer.moment);
    const auto of = [](const Vec3<P>& v, int lane) { return Vec3d{v.x[lane], v.y[lane], v.z[lane]}; };
    for (int lane = 0; lane < n; ++lane) {
        if ((told >> lane & 1U) == 0) {
            continue;
        }
        const std::uint32_t c = hits[lane].at;
        view.acts[c] = Acts::yes;
        view.slots[c] = {of(answer.force, lane), of(torque, lane), of(counter, lane)};
        Detail& detail = view.details[c];
        detail.answer.force = of(answer.force, lane);
        detail.answer.moment = of(answer.moment, lane);
        detail.answer.stored_normal = answer.stored_normal[lane];
        detail.answer.stored_tangential = answer.stored_tangential[lane];
        detail.answer.power = {};
        detail.normal = of(met.contact.normal, lane);
        detail.point = view.motion[view.parts[view.pairs[c].a].body].position + of(met.arm_i, lane);
        detail.overlap = met.contact.overlap[lane];
        detail.weight = math::smaller(asked.radius_i[lane], asked.radius_j[lane]);
        if (view.dt > 0) {
            detail.answer.power = {answer.normal_damping[lane], answer.tangential_damping[lane],
                                   answer.sliding[lane],        answer.rolling[lane],
                                   answer.twisting[lane],       answer.time_step[lane]};
            const std::size_t k = view.listed[c];
            view.touching[k] = 1;
            view.normal[k] = detail.normal;
            std::size_t number = 0;
            Law::for_numbers(answer.history, [&](const P& from) {
                view.history[k * view.history_size + number] = from[lane];
                ++number;
            });
        }
    }
    return told;
}

template <int n>
StageKernels stage_kernels_of() {
    StageKernels out;
    out.width = n;
    const auto take = [&]<std::size_t law>() {
        using Law = std::tuple_element_t<law, laws::AllLaws>;
        if constexpr (Law::packs) {
            out.push[law] = push_pack<n, Law>;
            out.tell[law] = tell_pack<n, Law>;
        }
    };
    [&]<std::size_t... law>(std::index_sequence<law...>) {
        (take.template operator()<law>(), ...);
    }
    (std::make_index_sequence<laws::law_count>());
    return out;
}

}  // namespace talus::engines::grains::detail
