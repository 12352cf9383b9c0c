// What point masses, charges and dipoles do to one another over a distance, and what a uniform field does to them: pure
// sums over pairs, without the constants of nature, which factor out. `r` leads from the source to what feels it.
#pragma once

#include <cmath>

#include "talus/math/select.h"
#include "talus/math/vec3.h"

namespace talus::laws {

using math::Vec3;

/// Powers of the inverse distance; all zero where there is none, so that nothing acts on itself.
template <class T>
struct InversePowers {
    T first, square, cube;
};

template <class T>
TALUS_HOT InversePowers<T> inverse_powers(const Vec3<T>& r) {
    using math::select;
    using std::sqrt;
    const T r2 = norm2(r);
    const auto apart = r2 > T(0.0);
    const T first = select(apart, T(1.0) / sqrt(select(apart, r2, T(1.0))), T(0.0));
    const T square = first * first;
    return {first, square, square * first};
}

/// Of masses, or of charges where there are no dipoles. What feels it is pushed by `strength * field`; masses attract.
template <class T>
struct PoleSum {
    Vec3<T> field{T(0.0), T(0.0), T(0.0)};

    TALUS_HOT void add(const Vec3<T>& r, const InversePowers<T>& inverse, const T& strength) {
        field += r * (inverse.cube * strength);
    }
};

/// Of dipoles, and of charges too if `poles`. A charge q that feels it is pushed by q field; a dipole p by
/// `push + p slope` and turned by p x field.
template <class T, bool poles>
struct DipoleSum {
    Vec3<T> field{T(0.0), T(0.0), T(0.0)};
    Vec3<T> push{T(0.0), T(0.0), T(0.0)};  // on the dipole p given to `add`
    T slope = T(0.0);

    TALUS_HOT void add(const Vec3<T>& r, const InversePowers<T>& inverse, const T& pole, const Vec3<T>& dipole,
                       const Vec3<T>& p) {
        const T three = T(3.0) * inverse.square;
        const T along = dot(dipole, r);
        const T own = dot(p, r);
        T strength = three * along;
        T bend = dot(p, dipole) - T(5.0) * inverse.square * along * own;
        if constexpr (poles) {
            strength = strength + pole;
            bend = bend - pole * own;
        }
        const T steep = inverse.cube * three;
        const T of_r = inverse.cube * strength;
        field += r * of_r - dipole * inverse.cube;
        slope += of_r;
        push += dipole * (steep * own) + r * (steep * bend);
    }
};

/// The energy of two charges with dipoles; `r` leads from the second to the first.
template <class T>
TALUS_HOT T dipole_energy(const Vec3<T>& r, const InversePowers<T>& inverse, const T& charge, const Vec3<T>& dipole,
                          const T& other_charge, const Vec3<T>& other_dipole) {
    const T along = dot(dipole, r);
    const T other_along = dot(other_dipole, r);
    return charge * other_charge * inverse.first +
           inverse.cube * (charge * other_along - other_charge * along + dot(dipole, other_dipole) -
                           T(3.0) * inverse.square * along * other_along);
}

/// A velocity after half of Boris's rotation in a magnetic field: `turn` is half the angle -(q/m) B h that the field
/// would turn it by in a step. Two halves turn it by 2 atan |turn|, which keeps the drift across an electric field
/// exact, and its length is kept.
template <class T>
TALUS_HOT Vec3<T> gyrated_halfway(const Vec3<T>& velocity, const Vec3<T>& turn) {
    using std::sqrt;
    const T c = T(1.0) / sqrt(T(1.0) + norm2(turn));
    return velocity * c + cross(turn, velocity) * c + turn * (dot(turn, velocity) * (c * c / (T(1.0) + c)));
}

}  // namespace talus::laws
