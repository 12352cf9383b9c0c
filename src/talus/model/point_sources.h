// Masses, charges and dipoles column by column, as sums over all pairs want them: padded with sources of no strength to
// a whole number of packs.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "talus/math/pack.h"
#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

class PointSources {
public:
    static constexpr std::size_t lanes = 8;

    /// Sources are to be set anew.
    void resize(std::size_t count) {
        if (count_ == count) {
            return;
        }
        count_ = count;
        for (auto& column : column_) {
            column.assign((count + lanes - 1) / lanes * lanes, 0.0);
        }
    }
    std::size_t size() const { return count_; }
    /// A multiple of `lanes`.
    std::size_t padded() const { return column_[0].size(); }
    void set(std::size_t i, const Vec3d& at, double mass, double charge, const Vec3d& electric, const Vec3d& magnetic) {
        const std::array<double, width> row = {at.x,       at.y,       at.z,       mass,       charge,    electric.x,
                                               electric.y, electric.z, magnetic.x, magnetic.y, magnetic.z};
        for (std::size_t k = 0; k < width; ++k) {
            column_[k][i] = row[k];
        }
    }

    /// Where position, mass, charge and the two dipoles of all lie, number by number.
    std::array<const double*, 11> columns() const {
        std::array<const double*, width> out{};
        for (std::size_t k = 0; k < width; ++k) {
            out[k] = column_[k].data();
        }
        return out;
    }

    // Of one source (T = double) or of as many as a pack holds, from `i` on.
    template <class T>
    TALUS_INLINE math::Vec3<T> at(std::size_t i) const {
        return vector<T>(0, i);
    }
    template <class T>
    TALUS_INLINE T mass(std::size_t i) const {
        return number<T>(3, i);
    }
    template <class T>
    TALUS_INLINE T charge(std::size_t i) const {
        return number<T>(4, i);
    }
    template <class T>
    TALUS_INLINE math::Vec3<T> electric(std::size_t i) const {
        return vector<T>(5, i);
    }
    template <class T>
    TALUS_INLINE math::Vec3<T> magnetic(std::size_t i) const {
        return vector<T>(8, i);
    }

private:
    static constexpr std::size_t width = 11;  // numbers of a source

    template <class T>
    TALUS_INLINE T number(std::size_t column, std::size_t i) const {
        if constexpr (std::is_same_v<T, double>) {
            return column_[column][i];
        } else {
            return math::load_pack<T::width>(&column_[column][i]);
        }
    }
    template <class T>
    TALUS_INLINE math::Vec3<T> vector(std::size_t column, std::size_t i) const {
        return {number<T>(column, i), number<T>(column + 1, i), number<T>(column + 2, i)};
    }

    std::size_t count_ = 0;
    std::array<std::vector<double>, width> column_;
};

}  // namespace talus::model
