// The contact loop over blocks of eight pairs: kinematics, law, slots, ledger. Written once for plain numbers and packs
// of four and eight; all give the same bits.
#pragma once

#include <bit>

#include "talus/backends/cpu/pair_kernel.h"
#include "talus/backends/cpu/pair_kinematics.h"
#include "talus/backends/cpu/pair_rows.h"
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
    /// Writes a mask as bits, the first lane's at `first`.
    TALUS_HOT static void put(std::uint8_t& bits, std::size_t first, const Mask& m) {
        const unsigned all = (1U << width) - 1U;
        bits = static_cast<std::uint8_t>((bits & ~(all << first)) | (math::bits_of(m) << first));
    }
};
template <>
struct Lanes<double> {
    static constexpr std::size_t width = 1;
    using Mask = bool;
    TALUS_HOT static double load(const double* from) { return *from; }
    TALUS_HOT static void store(double* to, double p) { *to = p; }
    TALUS_HOT static double lane(double p, std::size_t) { return p; }
    TALUS_HOT static bool lane(bool m, std::size_t) { return m; }
    TALUS_HOT static void put(std::uint8_t& bits, std::size_t first, bool m) {
        bits = static_cast<std::uint8_t>((bits & ~(1U << first)) | ((m ? 1U : 0U) << first));
    }
};

TALUS_HOT double magnitude(double a) {
    return __builtin_fabs(a);
}
TALUS_HOT double odd(double a) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) | 1U);
}
TALUS_HOT void store_rows(double* to, std::size_t, double c0, double c1, double c2, double c3) {
    to[0] = c0;
    to[1] = c1;
    to[2] = c2;
    to[3] = c3;
}
/// Slots of some contacts from their columns.
template <class P>
TALUS_HOT void store_slots(Slot* slots, const math::Vec3<P>& force, const P& lever_i, const math::Vec3<P>& couple,
                           const P& lever_j) {
    constexpr std::size_t stride = sizeof(Slot) / sizeof(double);
#if defined(__AVX512F__)
    if constexpr (Lanes<P>::width == stride) {
        math::store_eight(&slots->force.x, force.x, force.y, force.z, lever_i, couple.x, couple.y, couple.z, lever_j);
        return;
    }
#endif
    store_rows(&slots->force.x, stride, force.x, force.y, force.z, lever_i);
    store_rows(&slots->couple.x, stride, couple.x, couple.y, couple.z, lever_j);
}

/// One thread's running sums, as packs.
template <class P>
class LaneSums {
public:
    explicit LaneSums(const PairTask& task) : task_(task), totals_(*task.totals) {}

    /// Adds a pack of terms to each of some sums.
    template <class... Terms>
    TALUS_HOT void add(const Terms&... terms) {
        using math::any;
        // Every term is watched: || between plain numbers would leave out those after the first that is too large.
        typename Lanes<P>::Mask beyond{};
        ((beyond = watch(terms) || beyond), ...);
        if (any(beyond)) [[unlikely]] {
            (add_rare(terms.index(), terms.value), ...);
        } else {
            (add_one(terms.index(), terms.value), ...);
        }
        ++totals_.adds;
    }
    /// The same for several packs of terms, `stride` doubles apart, to one sum.
    template <model::Mechanism mechanism>
    TALUS_HOT void add_several(const double* terms, std::size_t stride, std::size_t count) {
        using math::any;
        constexpr auto q = static_cast<std::size_t>(mechanism);
        double* const sum = totals_.sum[q].data();
        double* const peak = totals_.peak[q].data();
        P total = Lanes<P>::load(sum);
        P largest = magnitude(Lanes<P>::load(terms));
        for (std::size_t k = 0; k < count; ++k) {
            const P term = Lanes<P>::load(terms + k * stride);
            largest = math::larger(largest, magnitude(term));
            total += odd(term);
        }
        Lanes<P>::store(peak, math::larger(Lanes<P>::load(peak), largest));
        if (any(largest > P(task_.scale[q].limit))) [[unlikely]] {
            for (std::size_t k = 0; k < count; ++k) {
                add_rare(q, Lanes<P>::load(terms + k * stride));
            }
        } else {
            Lanes<P>::store(sum, total);
        }
        totals_.adds += count;
    }
    /// To be called before this many adds of one sum.
    TALUS_HOT void carry_after(std::size_t adds) {
        if (totals_.adds + adds > terms_before_carry) {
            task_.carry(totals_, *task_.sums, task_.scale);
        }
    }

private:
    TALUS_HOT void add_one(std::size_t q, const P& term) {
        double* const sum = totals_.sum[q].data();
        Lanes<P>::store(sum, Lanes<P>::load(sum) + odd(term));
    }
    /// Notes the size of a term; says where it is too large for its sum.
    template <class Term>
    TALUS_HOT auto watch(const Term& term) {
        const P size = magnitude(term.value);
        double* const peak = totals_.peak[term.index()].data();
        Lanes<P>::store(peak, math::larger(Lanes<P>::load(peak), size));
        return size > P(task_.scale[term.index()].limit);
    }
    [[gnu::noinline]] void add_rare(std::size_t q, P value) {
        using math::select;
        const auto beyond = magnitude(value) > P(task_.scale[q].limit);
        for (std::size_t k = 0; k < Lanes<P>::width; ++k) {
            if (Lanes<P>::lane(beyond, k)) {
                task_.add_rare(*task_.sums, q, Lanes<P>::lane(value, k));
            }
        }
        add_one(q, select(beyond, P(0.0), value));
    }

    const PairTask& task_;
    LaneTotals& totals_;
};

/// A pack of terms for the sum of one mechanism.
template <model::Mechanism mechanism, class P>
struct TermOf {
    P value;
    static constexpr std::size_t index() { return static_cast<std::size_t>(mechanism); }
};
template <model::Mechanism mechanism, class P>
TALUS_HOT TermOf<mechanism, P> term(const P& value) {
    return {value};
}

/// `alike`: all spheres have the same radius, and each end the same mass and inertia; `spinning`: some law has rolling
/// or twisting friction; `looking`: energies held are written beside the slots.
template <class Law, class P, bool alike, bool spinning, bool looking>
class PairLoop {
    static constexpr std::size_t width = Lanes<P>::width;
    static constexpr std::size_t block = 8;
    static constexpr std::size_t packs = block / width;  // in a block
    // A few blocks at a time go through loops that are short enough for the processor to work on several packs at once:
    // one long loop would wait for its own roots and quotients.
    static constexpr std::size_t turn = 6;
    using History = typename Law::template History<P>;
    using Mask = typename Lanes<P>::Mask;

public:
    static void run(const PairTask& given) {
        const PairTask task = given;  // a copy, so that no store can be thought to change it
        const Shared shared{*static_cast<const typename Law::Params*>(task.params), task.alike, task.dt, task.torques};
        LaneSums<P> sums(given);
        Watch watch(task);
        Ahead ahead[2];
        Columns columns[turn * packs];
        std::size_t active[turn * packs];  // packs in which something touches or has touched
        alignas(sizeof(double) * width) double damping[turn * packs][2][width];
        const std::size_t asks = task.fresh_count * turn / (task.end - task.begin + 1) + 1;
        std::size_t asked = 0;
        fetch(task, task.begin, ahead[0]);
        for (std::size_t b = task.begin, now = 0; b < task.end; b += turn, now = 1 - now) {
            fetch(task, b + turn, ahead[1 - now]);
            ask_ahead(task, asked, asks);
            const std::size_t end = b + turn < task.end ? b + turn : task.end;
            const std::size_t count = (end - b) * packs;
            std::size_t some = 0;
            for (std::size_t k = 0; k < count; ++k) {
                const Pack at(task, b + k / packs, k % packs * width);
                if (load(task, shared, at, ahead[now].block[k / packs], columns[some])) {
                    active[some++] = k;
                } else {
                    answer_nothing(at);
                }
            }
            sums.carry_after(6 * turn * packs);
            for (std::size_t m = 0; m < some; ++m) {
                const std::size_t k = active[m];
                const Pack at(task, b + k / packs, k % packs * width);
                answer(task, shared, at, columns[m], sums, watch, damping[m]);
            }
            if (some > 0) {
                sums.template add_several<model::Mechanism::normal_damping>(damping[0][0], 2 * width, some);
                sums.template add_several<model::Mechanism::tangential_damping>(damping[0][1], 2 * width, some);
            }
        }
        *task.notes = watch.notes;
    }

private:
    /// The same for all blocks.
    struct Shared {
        typename Law::Params params;
        AlikePairs alike_pairs;
        double dt;
        bool torques;
    };
    struct Ahead {
        PairStarts block[turn];
    };
    /// Sums and differences over the two spheres of a pack of pairs, put aside between the short loops.
    class Columns {
    public:
        enum Number : std::uint8_t {
            dx,
            dy,
            dz,
            distance2,
            vx,
            vy,
            vz,
            sum_x,
            sum_y,
            sum_z,
            inverse,
            sum_of_radii,
            radius_i,
            inverse_mass,
            less_x,
            less_y,
            less_z,
            inverse_inertia,
            numbers,
            distance = distance2  // takes its place
        };
        TALUS_HOT P get(Number n) const { return Lanes<P>::load(numbers_[n]); }
        TALUS_HOT void set(Number n, const P& p) { Lanes<P>::store(numbers_[n], p); }
        TALUS_HOT math::Vec3<P> vector(Number first) const {
            return {get(first), get(static_cast<Number>(first + 1)), get(static_cast<Number>(first + 2))};
        }
        TALUS_HOT void set(Number first, const math::Vec3<P>& v) {
            set(first, v.x);
            set(static_cast<Number>(first + 1), v.y);
            set(static_cast<Number>(first + 2), v.z);
        }

    private:
        alignas(sizeof(double) * width) double numbers_[alike && !spinning ? sum_of_radii : numbers][width];
    };
    /// Where a pack of pairs is found and answered.
    struct Pack {
        std::size_t block, first;
        double* history;
        std::size_t slot;
        Slot* slots;
        std::array<double, 4>* moments;
        double* looked;
        std::uint8_t* slides;

        TALUS_HOT Pack(const PairTask& task, std::size_t b, std::size_t lane)
            : block(b),
              first(lane),
              history(task.history + b * task.history_size * 8 + lane),
              slot(std::size_t{task.slots_of[b]} * 8 + lane),
              slots(task.slot + slot),
              moments(spinning ? task.moment + slot : nullptr),
              looked(looking ? task.looked + b * LookedAt::rows * 8 + lane : nullptr),
              slides(task.slides + b) {}
    };
    /// Looks out for large overlaps.
    struct Watch {
        ContactNotes notes;  // goes on from what it holds
        double overlap_limit, known_overlap;
        double limit;  // of the smaller radius: overlaps beyond are to be noted

        explicit Watch(const PairTask& task)
            : notes(*task.notes), overlap_limit(task.overlap_limit), known_overlap(task.known_overlap) {
            set_limit();
        }
        void set_limit() {
            // A little below the largest so far: contacts that are alike to the last bit are all looked at, and the
            // lowest body of them is named, whatever their order.
            constexpr double below = 1 - 1e-12;
            const double largest = known_overlap < notes.largest_overlap ? notes.largest_overlap : known_overlap;
            limit = below * (overlap_limit < largest ? overlap_limit : largest);
        }
    };

    /// Says where the spheres of the blocks from b on are, and asks for the blocks' histories.
    TALUS_HOT static void fetch(const PairTask& task, std::size_t b, Ahead& ahead) {
        constexpr std::uint32_t size = PairStarts::record_size;
        const std::size_t end = b + turn < task.end ? b + turn : task.end;
        for (std::size_t k = 0; b + k < end; ++k) {
            __builtin_prefetch(task.ends + b + k + 4 * turn);
            auto& starts = ahead.block[k];
            const Ends& ends = task.ends[b + k];
            for (std::size_t lane = 0; lane < block; ++lane) {
                starts.i[lane] = size * ends.i[lane];
                starts.j[lane] = size * ends.j[lane];
            }
            for (std::size_t row = 0; row < Law::history_size; ++row) {
                __builtin_prefetch(task.history + ((b + k) * task.history_size + row) * block, 1);
            }
        }
    }

    /// Asks for some of the spheres that the next tile will be the first to read.
    TALUS_HOT static void ask_ahead(const PairTask& task, std::size_t& next, std::size_t count) {
        const std::size_t end = next + count < task.fresh_count ? next + count : task.fresh_count;
        for (; next < end; ++next) {
            constexpr int second_cache = 2;
            const auto* far = reinterpret_cast<const char*>(task.record + task.fresh[next]);
            __builtin_prefetch(far, 0, second_cache);
            __builtin_prefetch(far + 64, 0, second_cache);
        }
    }

    /// Puts together what a pack of pairs needs; false if no law need be asked: nothing touches, nor did in the last
    /// step. That is looked for where it is likely.
    TALUS_HOT static bool load(const PairTask& task, const Shared& shared, const Pack& at, const PairStarts& starts,
                               Columns& out) {
        using math::any;
        const PairRows<P, alike> rows(task.record, starts, at.first);
        if (at.block >= task.apart) {
            const P sum = set_distance(task, shared, at, rows, out);
            // A little farther than touching, whatever the rounding of a root.
            constexpr double farther = 1 + 1e-14;
            const P age = Lanes<P>::load(at.history + (Law::history_size - 1) * block);
            if (!any(out.get(Columns::distance2) < sum * sum * P(farther) || age > P(0.0))) {
                return false;
            }
        } else {
            set_distance(task, shared, at, rows, out);
        }
        // Roots and quotients are begun here: they take long, and meanwhile other packs are read.
        using std::sqrt;
        const P distance = sqrt(out.get(Columns::distance2));
        out.set(Columns::distance, distance);
        out.set(Columns::inverse, P(1.0) / distance);
        math::Vec3<P> v, spin_sum;
        P inverse_mass, inverse_inertia;
        rows.motion(v, inverse_mass, spin_sum, inverse_inertia);
        out.set(Columns::vx, v);
        out.set(Columns::sum_x, spin_sum);
        if constexpr (!alike || spinning) {
            out.set(Columns::less_x, rows.spin_less());
        }
        if constexpr (!alike) {
            out.set(Columns::radius_i, rows.radius_i());
            out.set(Columns::inverse_mass, inverse_mass);
        }
        if constexpr (!alike && spinning) {
            out.set(Columns::inverse_inertia, inverse_inertia);
        }
        return true;
    }

    /// Returns the sum of radii.
    TALUS_HOT static P set_distance(const PairTask& task, const Shared& shared, const Pack& at,
                                    const PairRows<P, alike>& rows, Columns& out) {
        using math::select;
        P last, unused;
        math::Vec3<P> d;
        rows.place(d, last);
        if (task.crosses[at.block] != 0) {
            using Shifts = math::RowsOf<width>;
            std::uint32_t start[width];
            for (std::size_t k = 0; k < width; ++k) {
                start[k] = std::uint32_t{4} * task.image[at.block][at.first + k];
            }
            Shifts shift;
            for (std::size_t k = 0; k < Shifts::parts; ++k) {
                shift.part[k] = Shifts::load(k, task.shift, start);
            }
            math::Vec3<P> period;
            to_columns(shift, period.x, period.y, period.z, unused);
            d += period;
        }
        const P sum = alike ? P(shared.alike_pairs.sum_of_radii) : last;
        P distance2 = norm2(d);
        const auto distinct = distance2 > P(0.0);
        if (!all(distinct)) [[unlikely]] {  // centres that coincide: any direction will do
            d.z = select(distinct, d.z, P(1e-9) * sum);
            distance2 = norm2(d);
        }
        out.set(Columns::dx, d);
        out.set(Columns::distance2, distance2);
        if constexpr (!alike) {
            out.set(Columns::sum_of_radii, sum);
        }
        return sum;
    }

    TALUS_HOT static void answer_nothing(const Pack& at) {
        const P zero(0.0);
        store_slots(at.slots, {zero, zero, zero}, zero, {zero, zero, zero}, zero);
        if constexpr (spinning) {
            store_rows(at.moments->data(), 4, zero, zero, zero, zero);
        }
        if constexpr (looking) {
            for (std::size_t row = 0; row < LookedAt::rows; ++row) {
                Lanes<P>::store(at.looked + row * block, zero);
            }
        }
    }

    /// What was put aside, as the kinematics want it.
    TALUS_HOT static void fill(const Shared& shared, const Columns& columns, PairColumns<P>& pair) {
        if constexpr (alike) {
            pair.set(shared.alike_pairs);
        } else {
            pair.sum_of_radii = columns.get(Columns::sum_of_radii);
            pair.radius_i = columns.get(Columns::radius_i);
            pair.inverse_mass = columns.get(Columns::inverse_mass);
        }
        if constexpr (!alike || spinning) {
            pair.spin_less = columns.vector(Columns::less_x);
        }
        if constexpr (!alike && spinning) {
            pair.inverse_inertia = columns.get(Columns::inverse_inertia);
        }
        pair.d = columns.vector(Columns::dx);
        pair.dv = columns.vector(Columns::vx);
        pair.spin_sum = columns.vector(Columns::sum_x);
    }

    TALUS_HOT static void answer(const PairTask& task, const Shared& shared, const Pack& at, const Columns& columns,
                                 LaneSums<P>& sums, Watch& watch, double (&damping)[2][width]) {
        using math::any;
        using math::select;
        using model::Mechanism;
        const P zero(0.0);
        PairColumns<P> pair;
        fill(shared, columns, pair);
        const P distance = columns.get(Columns::distance);
        laws::Kinematics<P> c;
        set_motion<P, alike, spinning>(c, pair, distance, columns.get(Columns::inverse), shared.dt);
        Mask touches = c.overlap > zero;
        if constexpr (!alike) {
            // Two bodies that no force can move do not interact, however they lie. The law is told of a finite mass:
            // zero motion times infinite damping would not be zero.
            const Mask movable = pair.inverse_mass > zero;
            touches = touches && movable;
            pair.inverse_mass = select(movable, pair.inverse_mass, P(1.0));
        }
        set_nature<P, alike, spinning, Law::needs_curvature>(c, pair);
        c.overlap = select(touches, c.overlap, zero);
        const P opening = c.opening;
        c.opening = select(touches, opening, zero);
        c.slip = {select(touches, c.slip.x, zero), select(touches, c.slip.y, zero), select(touches, c.slip.z, zero)};

        History history;
        std::size_t row = 0;
        Law::for_numbers(history, [&](P& number) { number = Lanes<P>::load(at.history + block * row++); });
        const Mask ended = !touches && history.age > zero;
        if (any(ended)) [[unlikely]] {
            laws::Kinematics<P> parted = c;
            parted.overlap = pair.sum_of_radii - distance;
            parted.opening = opening;
            const auto end = Law::end(parted, shared.params, history, shared.dt);
            sums.add(term<Mechanism::sliding>(select(ended, end.sliding, zero)),
                     term<Mechanism::time_step>(select(ended, end.time_step, zero)));
            Law::for_numbers(history, [&](P& number) { number = select(ended, zero, number); });
        }
        auto answer = Law::template respond<P, looking>(c, shared.params, history, shared.dt);
        const P lever = shared.torques ? c.lever_i : P(1.0);
        store_slots(at.slots, answer.force, c.lever_i, alike ? answer.couple * lever : answer.couple, c.lever_j);
        answer.history.age = select(touches, answer.history.age, zero);
        row = 0;
        Law::for_numbers(answer.history, [&](const P& number) { Lanes<P>::store(at.history + block * row++, number); });
        if constexpr (spinning) {
            store_rows(at.moments->data(), 4, answer.moment.x, answer.moment.y, answer.moment.z, zero);
        }
        if constexpr (looking) {
            const P rows[LookedAt::rows] = {answer.force.x,       answer.force.y,           answer.force.z,
                                            answer.stored_normal, answer.stored_tangential, answer.ahead};
            for (std::size_t k = 0; k < LookedAt::rows; ++k) {
                Lanes<P>::store(at.looked + k * block, rows[k]);
            }
        }
        Lanes<P>::put(*at.slides, at.first, answer.slips);
        Lanes<P>::store(damping[0], answer.normal_damping);
        Lanes<P>::store(damping[1], answer.tangential_damping);
        if (any(answer.slips)) {
            sums.add(term<Mechanism::sliding>(answer.sliding));
        }
        if constexpr (spinning) {
            sums.add(term<Mechanism::rolling>(answer.rolling), term<Mechanism::twisting>(answer.twisting));
        }
        if (answer.begins) {
            sums.add(term<Mechanism::time_step>(answer.time_step));
        }
        const P smaller_radius = alike ? c.radius_i : math::smaller(pair.radius_i, pair.sum_of_radii - pair.radius_i);
        if (any(c.overlap > P(watch.limit) * smaller_radius)) {
            note(task, task.ends[at.block], at.first, c.overlap, smaller_radius, touches, watch);
        }
    }

    TALUS_HOT static bool all(bool mask) { return mask; }
    template <int n>
    TALUS_HOT static bool all(const math::MaskOf<n>& mask) {
        return !math::any(!mask);
    }

    static void note(const PairTask& task, const Ends& ends, std::size_t first, const P& overlap,
                     const P& smaller_radius, const Mask& touches, Watch& watch) {
        for (std::size_t k = 0; k < width; ++k) {
            if (Lanes<P>::lane(touches, k)) {
                note_one(task, ends.i[first + k], Lanes<P>::lane(overlap, k), Lanes<P>::lane(smaller_radius, k),
                         watch.notes);
            }
        }
        watch.set_limit();
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
        (fill_law<std::tuple_element_t<k, laws::PackedLaws>, P>(table[k]), ...);
    };
    fill(std::make_index_sequence<laws::packed_law_count>{});
    return table;
}

}  // namespace talus::backends::cpu
