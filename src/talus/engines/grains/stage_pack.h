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

template <int n, class Law>
void push_pack(const StageView& view, const Hit* hits) {
    using P = PackOf<n>;
    const auto pair = [&](int lane) -> const Near& { return view.pairs[hits[lane].at]; };
    const auto at = [&](int lane) -> std::size_t { return view.listed[hits[lane].at]; };
    const auto first = [&](int lane) -> const Part& { return view.parts[pair(lane).a]; };
    const auto second = [&](int lane) -> const Part& { return view.parts[pair(lane).b]; };
    const auto radius = [&](std::uint32_t Near::*end) {
        return each<n>([&](int lane) { return view.balls[pair(lane).*end].radius; });
    };
    const auto normal = [&](double Vec3d::*axis) {
        return each<n>([&](int lane) { return view.normal[at(lane)].*axis; });
    };
    const P touched = each<n>([&](int lane) { return view.touching[at(lane)] ? 1.0 : 0.0; });
    const Meeting<P> met = meet(vectors<n>([&](int lane) -> const Vec3d& { return hits[lane].d; }), radius(&Near::a),
                                radius(&Near::b), sides<n>(view, first), sides<n>(view, second), touched > P(0.5),
                                Vec3<P>{normal(&Vec3d::x), normal(&Vec3d::y), normal(&Vec3d::z)});

    typename Law::template History<P> history;
    std::size_t number = 0;
    Law::for_numbers(history, [&](P& to) {
        to = each<n>([&](int lane) { return view.history[at(lane) * view.history_size + number]; });
        ++number;
    });
    const auto params = hits[0].law->parameters.template as<typename Law::Params>();
    const auto answer = Law::template respond<P, false>(met.contact, params, history, 0.0, view.step);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].force; }, answer.force);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].torque; },
           cross(met.arm_i, answer.force) + answer.moment);
    put<n>([&](int lane) -> Vec3d& { return view.slots[hits[lane].at].counter_torque; },
           -(cross(met.arm_j, answer.force) + answer.moment));
    const unsigned touches =
        bits_of(met.contact.overlap > P(0.0));  // what is near because of another law's range does not
    for (int lane = 0; lane < n; ++lane) {
        view.acts[hits[lane].at] = (touches >> lane & 1U) != 0 ? Acts::yes : Acts::no;
    }
}

template <int n>
StageKernels stage_kernels_of() {
    StageKernels out;
    out.width = n;
    const auto take = [&]<std::size_t law>() {
        using Law = std::tuple_element_t<law, laws::AllLaws>;
        if constexpr (Law::packs) {
            out.push[law] = push_pack<n, Law>;
        }
    };
    [&]<std::size_t... law>(std::index_sequence<law...>) {
        (take.template operator()<law>(), ...);
    }
    (std::make_index_sequence<laws::law_count>());
    return out;
}

}  // namespace talus::engines::grains::detail
