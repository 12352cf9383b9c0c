// The contact loop over blocks of eight pairs: kinematics, law, slots, ledger. Written once for plain numbers and packs
// of four and eight; all give the same bits.
#pragma once

#include <bit>

#include "talus/backends/cpu/pair_kernel.h"
#include "talus/backends/cpu/pair_kinematics.h"
#include "talus/math/pack.h"
#include "talus/math/select.h"

namespace talus::backends::cpu {

/// Lanes of a number type.
template <class P>
struct Lanes {
    static constexpr std::size_t width = static_cast<std::size_t>(P::width);
    using Mask = typename P::Mask;
    TALUS_HOT static P load(const double* from) { return math::load_pack<P::width>(from); }
    TALUS_HOT static void store(double* to, const P& p) { math::store_pack<P::width>(to, p); }
    TALUS_HOT static double lane(const P& p, std::size_t k) { return p[static_cast<int>(k)]; }
    TALUS_HOT static bool lane(const Mask& m, std::size_t k) { return m[static_cast<int>(k)]; }
};
template <>
struct Lanes<double> {
    static constexpr std::size_t width = 1;
    using Mask = bool;
    TALUS_HOT static double load(const double* from) { return *from; }
    TALUS_HOT static void store(double* to, double p) { *to = p; }
    TALUS_HOT static double lane(double p, std::size_t) { return p; }
    TALUS_HOT static bool lane(bool m, std::size_t) { return m; }
};

TALUS_HOT double magnitude(double a) {
    return __builtin_fabs(a);
}
TALUS_HOT void to_columns(const math::Row (&rows)[1], double& c0, double& c1, double& c2, double& c3) {
    c0 = rows[0][0];
    c1 = rows[0][1];
    c2 = rows[0][2];
    c3 = rows[0][3];
}
TALUS_HOT void store_rows(double* to, std::size_t, double c0, double c1, double c2, double c3) {
    to[0] = c0;
    to[1] = c1;
    to[2] = c2;
    to[3] = c3;
}

/// One thread's running sums, lane by lane.
template <class P>
struct LaneSums {
    P sum[model::mechanism_count];
    P peak[model::mechanism_count];

    TALUS_HOT void clear() {
        for (std::size_t q = 0; q < model::mechanism_count; ++q) {
            sum[q] = P(0.0);
            peak[q] = P(0.0);
        }
    }
    TALUS_HOT void add(const PairTask& task, model::Mechanism mechanism, const P& term) {
        using math::any;
        const auto q = static_cast<std::size_t>(mechanism);
        const LedgerScale& scale = task.scale[q];
        const P size = magnitude(term);
        peak[q] = math::larger(peak[q], size);
        if (any(size > P(scale.limit))) [[unlikely]] {
            add_rare(task, q, term);
            return;
        }
        sum[q] += (term + P(scale.anchor)) - P(scale.anchor);
    }
    TALUS_HOT void carry(const PairTask& task) {
        for (std::size_t q = 0; q < model::mechanism_count; ++q) {
            const double per_grain = 1.0 / task.scale[q].grain();
            for (std::size_t k = 0; k < Lanes<P>::width; ++k) {
                task.grains[q] += static_cast<std::int64_t>(Lanes<P>::lane(sum[q], k) * per_grain);
                const double size = Lanes<P>::lane(peak[q], k);
                task.peak[q] = task.peak[q] < size ? size : task.peak[q];
            }
        }
        clear();
    }

private:
    [[gnu::noinline]] void add_rare(const PairTask& task, std::size_t q, const P& term) {
        using math::select;
        const LedgerScale& scale = task.scale[q];
        const auto beyond = magnitude(term) > P(scale.limit);
        for (std::size_t k = 0; k < Lanes<P>::width; ++k) {
            if (Lanes<P>::lane(beyond, k)) {
                task.add_rare(*task.sums, q, Lanes<P>::lane(term, k));
            }
        }
        sum[q] += (select(beyond, P(0.0), term) + P(scale.anchor)) - P(scale.anchor);
    }
};

/// `looking`: energies held are written beside the slots.
template <class Law, class P, bool equal, bool spinning, bool looking>
class PairLoop {
    static constexpr std::size_t width = Lanes<P>::width;
    static constexpr std::size_t block = 8;
    using History = typename Law::template History<P>;

public:
    static void run(const PairTask& task) {
        // Kinematics and law in turns of a few blocks: each loop is short enough for the processor to work on several
        // contacts at once, where both together would wait for one another.
        constexpr std::size_t turn = 4;
        const auto params = *static_cast<const typename Law::Params*>(task.params);
        LaneSums<P> sums;
        sums.clear();
        ContactNotes notes;
        std::size_t terms = 0;
        Prepared prepared[turn * (block / width)];
        for (std::size_t b = task.begin; b < task.end; b += turn) {
            const std::size_t end = b + turn < task.end ? b + turn : task.end;
            std::size_t k = 0;
            for (std::size_t c = b; c < end; ++c) {
                fetch(task, c + turn);
                for (std::size_t first = 0; first < block; first += width) {
                    prepare(task, c, first, prepared[k++]);
                }
            }
            k = 0;
            for (std::size_t c = b; c < end; ++c) {
                for (std::size_t first = 0; first < block; first += width) {
                    finish(task, params, c, first, prepared[k++], sums, notes, terms);
                }
            }
            terms += turn * (block / width);
            if (terms >= terms_before_carry - 4 * turn * block) {
                sums.carry(task);
                terms = 0;
            }
        }
        sums.carry(task);
        task.notes->merge(notes);
    }

private:
    /// What the law is told of a pack of pairs.
    struct Prepared {
        laws::Kinematics<P> contact;
        P smaller_radius;
        typename Lanes<P>::Mask touches;
    };

    /// Asks for the spheres of a block that comes later.
    TALUS_HOT static void fetch(const PairTask& task, std::size_t b) {
        if (b < task.end) {
            for (std::size_t k = 0; k < block; ++k) {
                const auto* far = reinterpret_cast<const char*>(task.record + task.ends[b].j[k]);
                __builtin_prefetch(far);
                __builtin_prefetch(far + 64);
            }
        }
    }

    TALUS_HOT static void prepare(const PairTask& task, std::size_t b, std::size_t first, Prepared& out) {
        using math::select;
        const Ends& ends = task.ends[b];
        math::Row place[width], motion[width], turning[width], difference[width];
        for (std::size_t k = 0; k < width; ++k) {
            const Record& i = task.record[ends.i[first + k]];
            const Record& j = task.record[ends.j[first + k]];
            place[k] = difference_and_sum(math::load_row(&j.position.x), math::load_row(&i.position.x));
            motion[k] = difference_and_sum(math::load_row(&j.velocity.x), math::load_row(&i.velocity.x));
            const math::Row wi = math::load_row(&i.spin.x);
            const math::Row wj = math::load_row(&j.spin.x);
            turning[k] = wi + wj;
            if constexpr (!equal || spinning) {
                difference[k] = wi - wj;
            }
        }
        PairColumns<P> pair;
        P unused;
        to_columns(place, pair.d.x, pair.d.y, pair.d.z, pair.sum_of_radii);
        if (task.crosses[b] != 0) {
            math::Row shift[width];
            for (std::size_t k = 0; k < width; ++k) {
                shift[k] = math::load_row(task.shift + std::size_t{4} * task.image[b][first + k]);
            }
            math::Vec3<P> period;
            to_columns(shift, period.x, period.y, period.z, unused);
            pair.d += period;
        }
        to_columns(motion, pair.dv.x, pair.dv.y, pair.dv.z, pair.inverse_mass);
        to_columns(turning, pair.spin_sum.x, pair.spin_sum.y, pair.spin_sum.z, pair.inverse_inertia);
        if constexpr (!equal || spinning) {
            to_columns(difference, pair.spin_less.x, pair.spin_less.y, pair.spin_less.z, unused);
        }
        pair.distance2 = norm2(pair.d);
        // Two bodies that no force can move do not interact, however they lie.
        out.touches = pair.distance2 < pair.sum_of_radii * pair.sum_of_radii && pair.inverse_mass > P(0.0);
        const auto apart = pair.distance2 > P(0.0);
        if (!all(apart)) [[unlikely]] {  // centres that coincide: any direction will do
            pair.d.z = select(apart, pair.d.z, P(1e-9) * pair.sum_of_radii);
            pair.distance2 = norm2(pair.d);
        }
        if constexpr (equal) {
            out.smaller_radius = P(0.5) * pair.sum_of_radii;
        } else {
            alignas(64) double radius[width];
            for (std::size_t k = 0; k < width; ++k) {
                radius[k] = task.record[ends.i[first + k]].radius;
            }
            pair.radius_i = Lanes<P>::load(radius);
            out.smaller_radius = math::smaller(pair.radius_i, pair.sum_of_radii - pair.radius_i);
        }
        out.contact = pair_kinematics<P, equal, spinning, Law::needs_curvature>(pair, task.dt);
    }

    TALUS_HOT static void finish(const PairTask& task, const typename Law::Params& params, std::size_t b,
                                 std::size_t first, const Prepared& prepared, LaneSums<P>& sums, ContactNotes& notes,
                                 std::size_t& terms) {
        using math::any;
        using math::select;
        const laws::Kinematics<P>& c = prepared.contact;
        const auto touches = prepared.touches;
        double* const stored = task.history + b * task.history_size * block + first;
        std::array<P, static_cast<std::size_t>(Law::history_size)> columns;
        for (std::size_t h = 0; h < columns.size(); ++h) {
            columns[h] = Lanes<P>::load(stored + h * block);
        }
        const History old = std::bit_cast<History>(columns);
        const auto answer = Law::template respond<P, looking>(c, params, old, task.dt);
        const auto ended = !touches && columns.back() > P(0.0);
        columns = std::bit_cast<decltype(columns)>(answer.history);
        const P zero(0.0);
        for (std::size_t h = 0; h < columns.size(); ++h) {
            Lanes<P>::store(stored + h * block, select(touches, columns[h], zero));
        }
        const std::size_t slot = b * block + first;
        constexpr std::size_t stride = sizeof(Slot) / sizeof(double);
        const auto kept = [&](const P& x) { return select(touches, x, zero); };
        store_rows(&task.slot[slot].force.x, stride, kept(answer.force.x), kept(answer.force.y), kept(answer.force.z),
                   kept(c.lever_i));
        store_rows(&task.slot[slot].couple.x, stride, kept(answer.couple.x), kept(answer.couple.y),
                   kept(answer.couple.z), kept(c.lever_j));
        if constexpr (spinning) {
            store_rows(task.moment[slot].data(), 4, kept(answer.moment.x), kept(answer.moment.y), kept(answer.moment.z),
                       zero);
        }
        if constexpr (looking) {
            Lanes<P>::store(task.stored + 2 * (b * block) + first, kept(answer.stored_normal));
            Lanes<P>::store(task.stored + 2 * (b * block) + block + first, kept(answer.stored_tangential));
        }
        using model::Mechanism;
        sums.add(task, Mechanism::normal_damping, kept(answer.normal_damping));
        sums.add(task, Mechanism::tangential_damping, kept(answer.tangential_damping));
        if (answer.slips) {
            sums.add(task, Mechanism::sliding, kept(answer.sliding));
        }
        if constexpr (spinning) {
            sums.add(task, Mechanism::rolling, kept(answer.rolling));
            sums.add(task, Mechanism::twisting, kept(answer.twisting));
        }
        if (answer.begins) {
            sums.add(task, Mechanism::time_step, kept(answer.time_step));
        }
        if (any(ended)) [[unlikely]] {
            const auto end = Law::end(c, params, old, task.dt);
            sums.add(task, Mechanism::sliding, select(ended, end.sliding, zero));
            sums.add(task, Mechanism::time_step, select(ended, end.time_step, zero));
            terms += 2;
        }
        note(task, task.ends[b], first, c.overlap, prepared.smaller_radius, touches, notes);
    }

    TALUS_HOT static bool all(bool mask) { return mask; }
    template <int n>
    TALUS_HOT static bool all(const math::MaskOf<n>& mask) {
        return !math::any(!mask);
    }

    TALUS_HOT static void note(const PairTask& task, const Ends& ends, std::size_t first, const P& overlap,
                               const P& smaller_radius, const typename Lanes<P>::Mask& touches, ContactNotes& notes) {
        // A little below the largest so far: contacts that are alike to the last bit are all looked at, and the lowest
        // body of them is named, whatever their order.
        constexpr double below = 1 - 1e-12;
        const double limit =
            below * (task.overlap_limit < notes.largest_overlap ? task.overlap_limit : notes.largest_overlap);
        if (math::any(touches && overlap > P(limit) * smaller_radius)) {
            for (std::size_t k = 0; k < width; ++k) {
                if (Lanes<P>::lane(touches, k)) {
                    note_one(task, ends.i[first + k], Lanes<P>::lane(overlap, k), Lanes<P>::lane(smaller_radius, k),
                             notes);
                }
            }
        }
    }
    static void note_one(const PairTask& task, std::uint32_t place, double overlap, double smaller_radius,
                         ContactNotes& notes) {
        if (overlap > task.overlap_limit * smaller_radius) {
            ++notes.large_overlaps;
        }
        const auto body = static_cast<std::int64_t>(task.body_at[place]);
        const double ratio = overlap / smaller_radius;
        if (ratio > notes.largest_overlap || (ratio == notes.largest_overlap && body < notes.largest_overlap_body)) {
            notes.largest_overlap = ratio;
            notes.largest_overlap_body = body;
        }
    }
};

template <class Law, class P>
void fill_law(PairKernels::value_type& table) {
    table[0][0] = {&PairLoop<Law, P, false, false, false>::run, &PairLoop<Law, P, false, false, true>::run};
    table[0][1] = {&PairLoop<Law, P, false, true, false>::run, &PairLoop<Law, P, false, true, true>::run};
    table[1][0] = {&PairLoop<Law, P, true, false, false>::run, &PairLoop<Law, P, true, false, true>::run};
    table[1][1] = {&PairLoop<Law, P, true, true, false>::run, &PairLoop<Law, P, true, true, true>::run};
}

/// All instances for one number type.
template <class P>
PairKernels pair_kernels() {
    PairKernels table{};
    const auto fill = [&]<std::size_t... k>(std::index_sequence<k...>) {
        (fill_law<std::tuple_element_t<k, laws::AllLaws>, P>(table[k]), ...);
    };
    fill(std::make_index_sequence<laws::law_count>{});
    return table;
}

}  // namespace talus::backends::cpu
