// The spheres of a pack of pairs, read row by row from their records and turned into columns of differences and sums.
#pragma once

#include "talus/backends/cpu/workspace.h"
#include "talus/math/pack.h"

namespace talus::backends::cpu {

/// Where the records of eight pairs begin, in doubles.
struct alignas(64) PairStarts {
    static constexpr std::uint32_t record_size = sizeof(Record) / sizeof(double);
    std::uint32_t i[8], j[8];
};

/// `alike`: fourth numbers of rows (radii, inverse masses and inertias) are not needed.
template <class P, bool alike>
class PairRows {
    static constexpr std::size_t width = sizeof(P) / sizeof(double);
    using Rows = math::RowsOf<width>;
    using Part = typename Rows::Part;

public:
    TALUS_HOT PairRows(const Record* record, const PairStarts& starts, std::size_t first)
        : record_(record), i_(starts.i + first), j_(starts.j + first) {}

    /// From i to j; the sum of radii.
    TALUS_HOT void place(math::Vec3<P>& d, P& sum_of_radii) const {
        Rows rows;
        for (std::size_t k = 0; k < Rows::parts; ++k) {
            rows.part[k] = across(k, &record_->position.x);
        }
        to_columns(rows, d.x, d.y, d.z, sum_of_radii);
    }
    /// j's velocity less i's, the sum of spins; the sums of inverse masses and inertias unless the pairs are alike.
    TALUS_HOT void motion(math::Vec3<P>& dv, P& inverse_mass, math::Vec3<P>& spin_sum, P& inverse_inertia) const {
        Rows rows, spins;
        for (std::size_t k = 0; k < Rows::parts; ++k) {
            rows.part[k] = across(k, &record_->velocity.x);
            spins.part[k] = Rows::load(k, &record_->spin.x, i_) + Rows::load(k, &record_->spin.x, j_);
        }
        to_columns(rows, dv.x, dv.y, dv.z, inverse_mass);
        to_columns(spins, spin_sum.x, spin_sum.y, spin_sum.z, inverse_inertia);
    }
    /// i's spin less j's.
    TALUS_HOT math::Vec3<P> spin_less() const {
        Rows rows;
        for (std::size_t k = 0; k < Rows::parts; ++k) {
            rows.part[k] = Rows::load(k, &record_->spin.x, i_) - Rows::load(k, &record_->spin.x, j_);
        }
        math::Vec3<P> less;
        P unused;
        to_columns(rows, less.x, less.y, less.z, unused);
        return less;
    }
    TALUS_HOT P radius_i() const {
        alignas(64) double radius[width];
        for (std::size_t k = 0; k < width; ++k) {
            radius[k] = (&record_->radius)[i_[k]];
        }
        P out;
        __builtin_memcpy(&out, radius, sizeof(out));
        return out;
    }

private:
    /// j's row less i's, and the sum of their last numbers.
    TALUS_HOT Part across(std::size_t k, const double* first) const {
        const Part a = Rows::load(k, first, i_);
        const Part b = Rows::load(k, first, j_);
        return alike ? b - a : difference_and_sum(b, a);
    }

    const Record* record_;
    const std::uint32_t *i_, *j_;
};

#if defined(__AVX512F__)
/// Eight rows of eight numbers, turned into columns as they are asked for.
class EightRows {
    using P = math::Pack8;

public:
    /// i's rows times `signs` and j's, added up: the products are exact, so these are sums and differences.
    TALUS_HOT EightRows(const double* first, const std::uint32_t* i, const std::uint32_t* j, const __m512d& signs) {
        __m512d row[8];
        for (std::size_t k = 0; k < 8; ++k) {
            const __m512d of_j = _mm512_loadu_pd(first + j[k]);
            row[k] = _mm512_fmadd_pd(_mm512_loadu_pd(first + i[k]), signs, of_j);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            even_[k] = _mm512_maskz_unpacklo_pd(every, row[2 * k], row[2 * k + 1]);
            odd_[k] = _mm512_maskz_unpackhi_pd(every, row[2 * k], row[2 * k + 1]);
        }
    }
    /// Columns k and k + 4.
    TALUS_HOT void columns(std::size_t k, P& low, P& high) const {
        const __m512d* const half = k % 2 == 0 ? even_ : odd_;
        const bool first = k < 2;
        const __m512d a = quarters(first, half[0], half[1]);
        const __m512d b = quarters(first, half[2], half[3]);
        low = P(quarters(true, a, b));
        high = P(quarters(false, a, b));
    }

private:
    static constexpr auto every = static_cast<__mmask8>(0xff);  // the plain forms draw false warnings from gcc 12
    TALUS_HOT static __m512d quarters(bool even, const __m512d& a, const __m512d& b) {
        return even ? _mm512_maskz_shuffle_f64x2(every, a, b, 0x88) : _mm512_maskz_shuffle_f64x2(every, a, b, 0xdd);
    }

    __m512d even_[4], odd_[4];
};

/// Motion and spin are one line of the cache, and one load.
template <bool alike>
class PairRows<math::Pack8, alike> {
    using P = math::Pack8;

public:
    TALUS_HOT PairRows(const Record* record, const PairStarts& starts, std::size_t)
        : record_(record), i_(starts.i), j_(starts.j) {}

    TALUS_HOT void place(math::Vec3<P>& d, P& sum_of_radii) const {
        const P signs(P::Lanes{-1, -1, -1, 1, -1, -1, -1, 1});
        math::RowsOf<8> rows;
        for (std::size_t k = 0; k < 4; ++k) {
            const P a = math::RowsOf<8>::load(k, &record_->position.x, i_);
            const P b = math::RowsOf<8>::load(k, &record_->position.x, j_);
            rows.part[k] = P(_mm512_fmadd_pd(a.lanes, signs.lanes, b.lanes));
        }
        to_columns(rows, d.x, d.y, d.z, sum_of_radii);
    }
    /// j's velocity less i's, the sum of spins; the sums of inverse masses and inertias unless the pairs are alike.
    TALUS_HOT void motion(math::Vec3<P>& dv, P& inverse_mass, math::Vec3<P>& spin_sum, P& inverse_inertia) const {
        const P signs(P::Lanes{-1, -1, -1, 1, 1, 1, 1, 1});
        const EightRows rows(&record_->velocity.x, i_, j_, signs.lanes);
        rows.columns(0, dv.x, spin_sum.x);
        rows.columns(1, dv.y, spin_sum.y);
        rows.columns(2, dv.z, spin_sum.z);
        if constexpr (!alike) {
            rows.columns(3, inverse_mass, inverse_inertia);
        }
    }
    /// i's spin less j's.
    TALUS_HOT math::Vec3<P> spin_less() const {
        math::RowsOf<8> rows;
        for (std::size_t k = 0; k < 4; ++k) {
            const P a = math::RowsOf<8>::load(k, &record_->spin.x, i_);
            const P b = math::RowsOf<8>::load(k, &record_->spin.x, j_);
            rows.part[k] = a - b;
        }
        math::Vec3<P> less;
        P unused;
        to_columns(rows, less.x, less.y, less.z, unused);
        return less;
    }
    TALUS_HOT P radius_i() const {
        alignas(64) double radius[8];
        for (std::size_t k = 0; k < 8; ++k) {
            radius[k] = (&record_->radius)[i_[k]];
        }
        return math::load_pack<8>(radius);
    }

private:
    const Record* record_;
    const std::uint32_t *i_, *j_;
};
#endif

}  // namespace talus::backends::cpu
