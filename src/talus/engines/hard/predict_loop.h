// Predictions against a list of candidates, written once for plain numbers and packs. Records are turned into columns,
// all lanes are worked on, and the earliest meeting is found at the end: no branch depends on a candidate.
#pragma once

#include "talus/engines/hard/flight.h"
#include "talus/engines/hard/predict.h"
#include "talus/math/pack.h"

namespace talus::engines::hard {

template <class T>
inline constexpr int width_of = T::width;
template <>
inline constexpr int width_of<double> = 1;

/// The flights of some candidates as columns.
template <class T>
struct Flights {
    Vec3<T> x, v;
    T time;
};

template <class T>
TALUS_INLINE Flights<T> load_flights(const Record* record, const std::uint32_t* ids) {
    Flights<T> out;
    if constexpr (width_of<T> == 1) {
        const Record& r = record[*ids];
        out = {r.position, r.velocity, r.time};
    } else {
        constexpr std::size_t n = width_of<T>;
        math::Row first[n];
        math::Row second[n];
        for (std::size_t k = 0; k < n; ++k) {
            const double* from = &record[ids[k]].position.x;
            first[k] = math::load_row(from);
            second[k] = math::load_row(from + 4);
        }
        T unused;
        math::to_columns(first, out.x.x, out.x.y, out.x.z, out.v.x);
        math::to_columns(second, out.v.y, out.v.z, out.time, unused);
    }
    return out;
}

template <class T>
TALUS_INLINE T load_radii(const double* radius, const std::uint32_t* ids) {
    if constexpr (width_of<T> == 1) {
        return radius[*ids];
    } else {
        T out;
        for (int k = 0; k < width_of<T>; ++k) {
            out.lanes[k] = radius[ids[k]];
        }
        return out;
    }
}

template <class T>
TALUS_INLINE T load_numbers(const double* from) {
    if constexpr (width_of<T> == 1) {
        return *from;
    } else {
        return math::load_pack<width_of<T>>(from);
    }
}

template <class T>
TALUS_INLINE Vec3<T> every(const double* v) {
    return {T(v[0]), T(v[1]), T(v[2])};
}

template <int n>
TALUS_INLINE double smallest(const math::PackOf<n>& pack) {
    double out = pack[0];
    for (int k = 1; k < n; ++k) {
        out = pack[k] < out ? pack[k] : out;
    }
    return out;
}

/// The earliest meeting so far, lane by lane.
template <class T>
class Earliest {
public:
    TALUS_INLINE void take(const T& time, const T& place) {
        using math::select;
        const auto sooner = time < best_;
        tied_ = tied_ || (!(time != best_) && (time < T(never)));
        best_ = select(sooner, time, best_);
        place_ = select(sooner, place, place_);
    }
    TALUS_INLINE Best result() const {
        Best out;
        if constexpr (width_of<T> == 1) {
            out = {best_, static_cast<std::uint32_t>(place_), tied_};
        } else {
            out.time = smallest(best_);
            int found = 0;
            for (int k = 0; k < width_of<T>; ++k) {
                const bool here = best_[k] == out.time;
                out.place = here ? static_cast<std::uint32_t>(place_[k]) : out.place;
                found += here ? 1 : 0;
            }
            out.tied = math::any(tied_) || (found > 1 && out.time < never);
        }
        return out;
    }

private:
    T best_ = T(never);
    T place_ = T(0.0);
    decltype(T(0.0) < T(0.0)) tied_ = T(1.0) < T(0.0);
};

/// 0, 1, 2, … across the lanes.
template <class T>
TALUS_INLINE T counted() {
    if constexpr (width_of<T> == 1) {
        return 0;
    } else {
        T out;
        for (int k = 0; k < width_of<T>; ++k) {
            out.lanes[k] = k;
        }
        return out;
    }
}

/// Calls take(ids, shift, place) for each group of candidates.
template <class T, bool shifted, class Take>
TALUS_INLINE void for_groups(const PredictTask& task, const Take& take) {
    constexpr std::uint32_t n = width_of<T>;
    T place = counted<T>();
    for (std::uint32_t k = 0; k < task.count; k += n) {
        Vec3<T> shift{T(0.0), T(0.0), T(0.0)};
        if constexpr (shifted) {
            shift = {load_numbers<T>(task.shift[0] + k), load_numbers<T>(task.shift[1] + k),
                     load_numbers<T>(task.shift[2] + k)};
        }
        take(task.ids + k, shift, place);
        place = place + T(static_cast<double>(n));
    }
}

template <class T, bool equal>
TALUS_INLINE T contact_distance2(const PredictTask& task, const T& radius, const std::uint32_t* ids) {
    if constexpr (equal) {
        return T(task.distance2);
    } else {
        const T sum = radius + load_radii<T>(task.radius, ids);
        return sum * sum;
    }
}

template <class T, bool has_gravity, bool equal, bool shifted>
void predict_one(const PredictTask& task, Best* best) {
    const Record& own = task.record[task.target[0]];
    const Vec3<T> x = every<T>(&own.position.x);
    const Vec3<T> v = every<T>(&own.velocity.x);
    const Vec3<T> g = every<T>(task.gravity);
    const T time(own.time);
    const T radius(equal ? 0.0 : task.radius[task.target[0]]);
    Earliest<T> earliest;
    for_groups<T, shifted>(task, [&](const std::uint32_t* ids, const Vec3<T>& shift, const T& place) {
        const Flights<T> other = load_flights<T>(task.record, ids);
        const T distance2 = contact_distance2<T, equal>(task, radius, ids);
        earliest.take(meeting_time<has_gravity>(x, v, time, other.x, other.v, other.time, shift, g, distance2), place);
    });
    best[0] = earliest.result();
}

/// As predict_one for both partners of a collision, each candidate loaded once. Their own time is the present one,
/// which no other's exceeds.
template <class T, bool has_gravity, bool equal, bool shifted>
void predict_two(const PredictTask& task, Best* best) {
    const Record& first = task.record[task.target[0]];
    const Record& second = task.record[task.target[1]];
    const Vec3<T> x1 = every<T>(&first.position.x);
    const Vec3<T> v1 = every<T>(&first.velocity.x);
    const Vec3<T> x2 = every<T>(&second.position.x);
    const Vec3<T> v2 = every<T>(&second.velocity.x);
    const Vec3<T> g = every<T>(task.gravity);
    const T now(first.time);
    const T radius1(equal ? 0.0 : task.radius[task.target[0]]);
    const T radius2(equal ? 0.0 : task.radius[task.target[1]]);
    Earliest<T> earliest1;
    Earliest<T> earliest2;
    for_groups<T, shifted>(task, [&](const std::uint32_t* ids, const Vec3<T>& shift, const T& place) {
        const Flights<T> other = load_flights<T>(task.record, ids);
        const T wait = now - other.time;
        const Vec3<T> at = flown<has_gravity>(other.x, other.v, wait, g);
        const Vec3<T> u = speeded<has_gravity>(other.v, wait, g);
        const auto meeting = [&](const Vec3<T>& x, const Vec3<T>& v, const T& distance2) {
            const Vec3<T> d{x.x - at.x + shift.x, x.y - at.y + shift.y, x.z - at.z + shift.z};
            const Vec3<T> w{v.x - u.x, v.y - u.y, v.z - u.z};
            return now + time_to_contact(d, w, distance2);
        };
        earliest1.take(meeting(x1, v1, contact_distance2<T, equal>(task, radius1, ids)), place);
        earliest2.take(meeting(x2, v2, contact_distance2<T, equal>(task, radius2, ids)), place);
    });
    best[0] = earliest1.result();
    best[1] = earliest2.result();
}

/// Row by row, without branches on who is there.
inline std::uint32_t collect_plainly(const CollectTask& task, std::uint32_t* ids, std::uint32_t* overflow,
                                     std::uint32_t* overflows) {
    std::uint32_t count = 0;
    std::uint32_t more = 0;
    for (std::int32_t z = 0; z < task.layers; ++z) {
        for (std::int32_t y = 0; y < task.rows; ++y) {
            const std::uint32_t* places =
                task.places + static_cast<std::size_t>(z) * task.layer + static_cast<std::size_t>(y) * task.row;
            for (std::int32_t k = 0; k < 2 * task.across; ++k) {
                ids[count] = places[k];
                count += places[k] < overflow_bit ? 1U : 0U;
                overflow[more] = places[k];
                more += is_overflow(places[k]) ? 1U : 0U;
            }
        }
    }
    *overflows = more;
    return count;
}

template <class T>
PredictKernels predict_kernels_of() {
    PredictKernels table{};
    const auto fill = [&]<bool gravity, bool equal, bool shifted>() {
        table.one[gravity][equal][shifted] = predict_one<T, gravity, equal, shifted>;
        table.two[gravity][equal][shifted] = predict_two<T, gravity, equal, shifted>;
    };
    const auto fill_both = [&]<bool gravity, bool equal>() {
        fill.template operator()<gravity, equal, false>();
        fill.template operator()<gravity, equal, true>();
    };
    fill_both.template operator()<false, false>();
    fill_both.template operator()<false, true>();
    fill_both.template operator()<true, false>();
    fill_both.template operator()<true, true>();
    return table;
}

}  // namespace talus::engines::hard
