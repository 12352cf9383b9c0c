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

/// One thread's running sums, lane by lane: each starts at its anchor (ledger_sum.h).
template <class P>
class LaneSums {
public:
    explicit LaneSums(const PairTask& task) : task_(task) { clear(); }

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
            ((sum_[terms.index()] += odd(terms.value)), ...);
        }
        ++count_;
    }
    /// To be called before this many adds of one sum.
    TALUS_HOT void carry_after(std::size_t adds) {
        if (count_ + adds > terms_before_carry) {
            carry();
        }
    }
    [[gnu::noinline]] void carry() {
        for (std::size_t q = 0; q < model::mechanism_count; ++q) {
            const LedgerScale& scale = task_.scale[q];
            const double per_grain = 1.0 / scale.grain();
            for (std::size_t k = 0; k < Lanes<P>::width; ++k) {
                const double sum = Lanes<P>::lane(sum_[q], k) - scale.anchor;
                task_.grains[q] += static_cast<std::int64_t>(sum * per_grain);
                const double size = Lanes<P>::lane(peak_[q], k);
                task_.peak[q] = task_.peak[q] < size ? size : task_.peak[q];
            }
        }
        clear();
    }

private:
    void clear() {
        for (std::size_t q = 0; q < model::mechanism_count; ++q) {
            sum_[q] = P(task_.scale[q].anchor);
            peak_[q] = P(0.0);
        }
        count_ = 0;
    }
    /// Notes the size of a term; says where it is too large for its sum.
    template <class Term>
    TALUS_HOT auto watch(const Term& term) {
        const P size = magnitude(term.value);
        peak_[term.index()] = math::larger(peak_[term.index()], size);
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
        sum_[q] += odd(select(beyond, P(0.0), value));
    }

    const PairTask& task_;
    P sum_[model::mechanism_count];
    P peak_[model::mechanism_count];
    std::size_t count_ = 0;
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
    using History = typename Law::template History<P>;
    using Mask = typename Lanes<P>::Mask;

public:
    static void run(const PairTask& task) {
        // A few blocks at a time go through loops that are short enough for the processor to work on several packs at
        // once: one long loop would wait for its own roots and quotients.
        constexpr std::size_t turn = 4;
        const Given given{*static_cast<const typename Law::Params*>(task.params), task.alike, task.dt, task.torques};
        LaneSums<P> sums(task);
        ContactNotes notes = *task.notes;
        PairColumns<P> pair[turn * packs];
        Lengths lengths[turn * packs];
        Prepared prepared[turn * packs];
        std::size_t active[turn * packs];  // packs in which something touches or has touched
        for (std::size_t b = task.begin; b < task.end; b += turn) {
            const std::size_t end = b + turn < task.end ? b + turn : task.end;
            const std::size_t count = (end - b) * packs;
            std::size_t some = 0;
            for (std::size_t k = 0; k < count; ++k) {
                if (k % packs == 0) {
                    fetch(task, b + k / packs + turn, turn);
                }
                const Pack at(task, b + k / packs, k % packs * width);
                load(task, at, pair[k]);
                if (is_active(given, at, pair[k])) {
                    active[some++] = k;
                } else {
                    answer_nothing(at);
                }
            }
            for (std::size_t m = 0; m < some; ++m) {
                using std::sqrt;
                const std::size_t k = active[m];
                lengths[k].distance = sqrt(pair[k].distance2);
                lengths[k].inverse = P(1.0) / lengths[k].distance;
            }
            for (std::size_t m = 0; m < some; ++m) {
                const std::size_t k = active[m];
                prepare(given, pair[k], lengths[k], prepared[k]);
            }
            sums.carry_after(4 * turn * packs);
            for (std::size_t m = 0; m < some; ++m) {
                const std::size_t k = active[m];
                const Pack at(task, b + k / packs, k % packs * width);
                finish(task, given, at, pair[k], lengths[k], prepared[k], sums, notes);
            }
        }
        sums.carry();
        *task.notes = notes;
    }

private:
    /// The same for all blocks; a copy, so that no store can be thought to change it.
    struct Given {
        typename Law::Params params;
        AlikePairs shared;
        double dt;
        bool torques;
    };
    struct Lengths {
        P distance, inverse;
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
    /// What the law is told of a pack of pairs, less what is known of all pairs beforehand.
    struct Prepared {
        laws::Kinematics<P> contact;
        Mask touches;
    };

    /// Asks for the spheres and histories of a block that comes later, and for the ends of one later still.
    TALUS_HOT static void fetch(const PairTask& task, std::size_t b, std::size_t later) {
        if (b >= task.end) {
            return;
        }
        for (std::size_t k = 0; k < block; ++k) {
            const auto* far = reinterpret_cast<const char*>(task.record + task.ends[b].j[k]);
            __builtin_prefetch(far);
            __builtin_prefetch(far + 64);
        }
        for (std::size_t row = 0; row < Law::history_size; ++row) {
            __builtin_prefetch(task.history + (b * task.history_size + row) * block, 1);
        }
        __builtin_prefetch(task.ends + b + later);
    }

    TALUS_HOT static void load(const PairTask& task, const Pack& at, PairColumns<P>& pair) {
        using math::select;
        const std::size_t first = at.first;
        const Ends& ends = task.ends[at.block];
        math::Row place[width], motion[width], turning[width], difference[width];
        for (std::size_t k = 0; k < width; ++k) {
            const Record& i = task.record[ends.i[first + k]];
            const Record& j = task.record[ends.j[first + k]];
            const math::Row xi = math::load_row(&i.position.x);
            const math::Row xj = math::load_row(&j.position.x);
            const math::Row vi = math::load_row(&i.velocity.x);
            const math::Row vj = math::load_row(&j.velocity.x);
            const math::Row wi = math::load_row(&i.spin.x);
            const math::Row wj = math::load_row(&j.spin.x);
            place[k] = alike ? xj - xi : difference_and_sum(xj, xi);
            motion[k] = alike ? vj - vi : difference_and_sum(vj, vi);
            turning[k] = wi + wj;
            if constexpr (!alike || spinning) {
                difference[k] = wi - wj;
            }
        }
        P unused;
        math::Vec3<P> d;
        to_columns(place, d.x, d.y, d.z, alike ? unused : pair.sum_of_radii);
        if (task.crosses[at.block] != 0) {
            math::Row shift[width];
            for (std::size_t k = 0; k < width; ++k) {
                shift[k] = math::load_row(task.shift + std::size_t{4} * task.image[at.block][first + k]);
            }
            math::Vec3<P> period;
            to_columns(shift, period.x, period.y, period.z, unused);
            d += period;
        }
        to_columns(motion, pair.dv.x, pair.dv.y, pair.dv.z, alike ? unused : pair.inverse_mass);
        to_columns(turning, pair.spin_sum.x, pair.spin_sum.y, pair.spin_sum.z,
                   alike || !spinning ? unused : pair.inverse_inertia);
        if constexpr (!alike || spinning) {
            to_columns(difference, pair.spin_less.x, pair.spin_less.y, pair.spin_less.z, unused);
        }
        if constexpr (!alike) {
            alignas(64) double radius[width];
            for (std::size_t k = 0; k < width; ++k) {
                radius[k] = task.record[ends.i[first + k]].radius;
            }
            pair.radius_i = Lanes<P>::load(radius);
        }
        P distance2 = norm2(d);
        const auto apart = distance2 > P(0.0);
        if (!all(apart)) [[unlikely]] {  // centres that coincide: any direction will do
            const P sum = alike ? P(task.alike.sum_of_radii) : pair.sum_of_radii;
            d.z = select(apart, d.z, P(1e-9) * sum);
            distance2 = norm2(d);
        }
        pair.d = d;
        pair.distance2 = distance2;
    }

    /// Whether a law must be asked: something touches, or did in the last step.
    TALUS_HOT static bool is_active(const Given& given, const Pack& at, const PairColumns<P>& pair) {
        using math::any;
        // A little farther than touching, whatever the rounding of a root.
        constexpr double farther = 1 + 1e-14;
        const P sum = alike ? P(given.shared.sum_of_radii) : pair.sum_of_radii;
        const P age = Lanes<P>::load(at.history + (Law::history_size - 1) * block);
        return any(pair.distance2 < sum * sum * P(farther) || age > P(0.0));
    }
    TALUS_HOT static void answer_nothing(const Pack& at) {
        const P zero(0.0);
        constexpr std::size_t stride = sizeof(Slot) / sizeof(double);
        store_rows(&at.slots->force.x, stride, zero, zero, zero, zero);
        store_rows(&at.slots->couple.x, stride, zero, zero, zero, zero);
        if constexpr (spinning) {
            store_rows(at.moments->data(), 4, zero, zero, zero, zero);
        }
        if constexpr (looking) {
            for (std::size_t row = 0; row < LookedAt::rows; ++row) {
                Lanes<P>::store(at.looked + row * block, zero);
            }
        }
    }

    TALUS_HOT static void prepare(const Given& given, const PairColumns<P>& loaded, const Lengths& lengths,
                                  Prepared& out) {
        using math::select;
        PairColumns<P> pair = loaded;
        if constexpr (alike) {
            pair.set(given.shared);
        }
        laws::Kinematics<P>& c = out.contact;
        set_motion<P, alike, spinning>(c, pair, lengths.distance, lengths.inverse, given.dt);
        Mask touches = c.overlap > P(0.0);
        if constexpr (!alike) {
            // Two bodies that no force can move do not interact, however they lie. The law is told of a finite mass:
            // zero motion times infinite damping would not be zero.
            const Mask movable = pair.inverse_mass > P(0.0);
            touches = touches && movable;
            pair.inverse_mass = select(movable, pair.inverse_mass, P(1.0));
            set_nature<P, alike, spinning, Law::needs_curvature>(c, pair);
        }
        const P zero(0.0);
        c.overlap = select(touches, c.overlap, zero);
        c.opening = select(touches, c.opening, zero);
        c.slip = select(touches, c.slip, {zero, zero, zero});
        out.touches = touches;
    }

    TALUS_HOT static void finish(const PairTask& task, const Given& given, const Pack& at, const PairColumns<P>& pair,
                                 const Lengths& lengths, const Prepared& prepared, LaneSums<P>& sums,
                                 ContactNotes& notes) {
        using math::any;
        using math::select;
        using model::Mechanism;
        laws::Kinematics<P> c = prepared.contact;
        if constexpr (alike) {  // what follows from these is worked out once, before the loop
            PairColumns<P> all;
            all.set(given.shared);
            set_nature<P, alike, spinning, Law::needs_curvature>(c, all);
        }
        const Mask touches = prepared.touches;
        History history;
        std::size_t row = 0;
        Law::for_numbers(history, [&](P& number) { number = Lanes<P>::load(at.history + block * row++); });
        const P zero(0.0);
        const Mask ended = !touches && history.age > zero;
        if (any(ended)) [[unlikely]] {
            laws::Kinematics<P> parted = c;
            parted.overlap = (alike ? P(given.shared.sum_of_radii) : pair.sum_of_radii) - lengths.distance;
            parted.opening = dot(pair.dv, c.normal);
            const auto end = Law::end(parted, given.params, history, given.dt);
            sums.add(term<Mechanism::sliding>(select(ended, end.sliding, zero)),
                     term<Mechanism::time_step>(select(ended, end.time_step, zero)));
            Law::for_numbers(history, [&](P& number) { number = select(ended, zero, number); });
        }
        const auto answer = Law::template respond<P, looking>(c, given.params, history, given.dt);
        history = answer.history;
        history.age = select(touches, history.age, zero);
        row = 0;
        Law::for_numbers(history, [&](const P& number) { Lanes<P>::store(at.history + block * row++, number); });
        constexpr std::size_t stride = sizeof(Slot) / sizeof(double);
        store_rows(&at.slots->force.x, stride, answer.force.x, answer.force.y, answer.force.z, c.lever_i);
        const P lever = given.torques ? c.lever_i : P(1.0);
        const math::Vec3<P> couple = alike ? answer.couple * lever : answer.couple;
        store_rows(&at.slots->couple.x, stride, couple.x, couple.y, couple.z, c.lever_j);
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
        sums.add(term<Mechanism::normal_damping>(answer.normal_damping),
                 term<Mechanism::tangential_damping>(answer.tangential_damping));
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
        note(task, task.ends[at.block], at.first, c.overlap, smaller_radius, touches, notes);
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
        const double largest = task.known_overlap < notes.largest_overlap ? notes.largest_overlap : task.known_overlap;
        const double limit = below * (task.overlap_limit < largest ? task.overlap_limit : largest);
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
        (fill_law<std::tuple_element_t<k, laws::PackedLaws>, P>(table[k]), ...);
    };
    fill(std::make_index_sequence<laws::packed_law_count>{});
    return table;
}

}  // namespace talus::backends::cpu
