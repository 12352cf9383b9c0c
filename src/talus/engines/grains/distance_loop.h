// The sums of distance_sums.h, written once for every width.
#pragma once

#include <array>
#include <type_traits>

#include "talus/engines/grains/distance_sums.h"
#include "talus/laws/distance_forces.h"
#include "talus/math/pack.h"

namespace talus::engines::grains {

namespace distance {

inline constexpr std::size_t lanes = 8;

template <class T>
struct Width {
    static constexpr std::size_t value = static_cast<std::size_t>(T::width);
};
template <>
struct Width<double> {
    static constexpr std::size_t value = 1;
};

template <class T>
TALUS_INLINE T load(const double* from) {
    if constexpr (std::is_same_v<T, double>) {
        return *from;
    } else {
        return math::load_pack<T::width>(from);
    }
}
template <class T>
TALUS_INLINE math::Vec3<T> load(const DistanceTask& task, std::size_t column, std::size_t at) {
    return {load<T>(task.column[column] + at), load<T>(task.column[column + 1] + at),
            load<T>(task.column[column + 2] + at)};
}
template <class T>
TALUS_INLINE math::Vec3<T> spread(const DistanceTask& task, std::size_t column, std::size_t at) {
    return {T(task.column[column][at]), T(task.column[column + 1][at]), T(task.column[column + 2][at])};
}
template <class T>
TALUS_INLINE void store(double* to, const T& value) {
    if constexpr (std::is_same_v<T, double>) {
        *to = value;
    } else {
        math::store_pack(to, value);
    }
}
template <class T>
TALUS_INLINE void store(double (*to)[lanes], std::size_t lane, const math::Vec3<T>& v) {
    store(to[0] + lane, v.x);
    store(to[1] + lane, v.y);
    store(to[2] + lane, v.z);
}

template <class T, bool masses, Electric charged, bool magnets>
void sum(const DistanceTask& task, std::size_t begin, std::size_t end) {
    constexpr std::size_t width = Width<T>::value;
    constexpr bool dipoles = charged == Electric::dipoles;
    alignas(64) double lane[numbers][lanes] = {};
    for (std::size_t i = begin; i < end; ++i) {
        const math::Vec3<T> at = spread<T>(task, 0, i);
        const math::Vec3<T> p = spread<T>(task, 5, i);
        const math::Vec3<T> m = spread<T>(task, 8, i);
        for (std::size_t first = 0; first < lanes; first += width) {
            laws::PoleSum<T> attraction;
            laws::PoleSum<T> charges;
            laws::DipoleSum<T, true> electrics;
            laws::DipoleSum<T, false> magnetics;
            for (std::size_t j = first; j < task.padded; j += lanes) {
                const math::Vec3<T> r = at - load<T>(task, 0, j);
                const laws::InversePowers<T> inverse = laws::inverse_powers(r);
                if constexpr (masses) {
                    attraction.add(r, inverse, load<T>(task.column[3] + j));
                }
                if constexpr (charged == Electric::charges) {
                    charges.add(r, inverse, load<T>(task.column[4] + j));
                }
                if constexpr (dipoles) {
                    electrics.add(r, inverse, load<T>(task.column[4] + j), load<T>(task, 5, j), p);
                }
                if constexpr (magnets) {
                    magnetics.add(r, inverse, T(0.0), load<T>(task, 8, j), m);
                }
            }
            if constexpr (masses) {
                store(lane + gravity, first, attraction.field);
            }
            if constexpr (charged == Electric::charges) {
                store(lane + electric, first, charges.field);
            }
            if constexpr (dipoles) {
                store(lane + electric, first, electrics.field);
                store(lane + electric + push, first, electrics.push);
                store(lane[electric + slope] + first, electrics.slope);
            }
            if constexpr (magnets) {
                store(lane + magnetic, first, magnetics.field);
                store(lane + magnetic + push, first, magnetics.push);
                store(lane[magnetic + slope] + first, magnetics.slope);
            }
        }
        for (std::size_t k = 0; k < numbers; ++k) {
            const double* l = lane[k];
            task.sums[i * numbers + k] = ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
        }
    }
}

template <class T>
DistanceKernels kernels() {
    DistanceKernels out;
    const auto fill = [&out](auto masses, auto charged) {
        auto& row = out.sum[masses.value][static_cast<std::size_t>(charged.value)];
        row = {sum<T, masses.value, charged.value, false>, sum<T, masses.value, charged.value, true>};
    };
    const auto all = [&fill](auto masses) {
        fill(masses, std::integral_constant<Electric, Electric::none>{});
        fill(masses, std::integral_constant<Electric, Electric::charges>{});
        fill(masses, std::integral_constant<Electric, Electric::dipoles>{});
    };
    all(std::false_type{});
    all(std::true_type{});
    return out;
}

}  // namespace distance

}  // namespace talus::engines::grains
