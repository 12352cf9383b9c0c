// Doubles that are worked on together. Every operation is the same IEEE operation in each lane, so a formula gives the
// same bits lane by lane as it does for a single number, whatever the width.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "talus/math/host_device.h"
#include "talus/math/vec3.h"

namespace talus::math {

/// The compiler's vectors, by width.
template <int n>
struct VectorsOf;
template <>
struct VectorsOf<4> {
    using Doubles [[gnu::vector_size(32)]] = double;
    using Integers [[gnu::vector_size(32)]] = std::int64_t;
};
#if defined(__AVX512F__)
template <>
struct VectorsOf<8> {
    using Doubles [[gnu::vector_size(64)]] = double;
    using Integers [[gnu::vector_size(64)]] = std::int64_t;
};
#endif

/// What a comparison of packs gives: all bits set in the lanes where it holds.
template <int n>
struct MaskOf {
    using Lanes = typename VectorsOf<n>::Integers;
    Lanes lanes;

    friend MaskOf operator||(const MaskOf& a, const MaskOf& b) { return {a.lanes | b.lanes}; }
    friend MaskOf operator&&(const MaskOf& a, const MaskOf& b) { return {a.lanes & b.lanes}; }
    friend MaskOf operator!(const MaskOf& a) { return {~a.lanes}; }
    bool operator[](int lane) const { return lanes[lane] != 0; }
};

#if defined(__AVX512F__)
/// Eight lanes: one bit each, as AVX-512 compares and chooses.
template <>
struct MaskOf<8> {
    std::uint8_t bits;

    TALUS_INLINE friend MaskOf operator||(const MaskOf& a, const MaskOf& b) { return of(a.bits | b.bits); }
    TALUS_INLINE friend MaskOf operator&&(const MaskOf& a, const MaskOf& b) { return of(a.bits & b.bits); }
    TALUS_INLINE friend MaskOf operator!(const MaskOf& a) { return of(~a.bits); }
    TALUS_INLINE bool operator[](int lane) const { return ((bits >> lane) & 1) != 0; }

private:
    TALUS_INLINE static MaskOf of(int bits) { return {static_cast<std::uint8_t>(bits)}; }
};
#endif

template <int n>
TALUS_INLINE bool any(const MaskOf<n>& mask) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        return mask.bits != 0;
    } else
#endif
    {
#if defined(__AVX__)
        return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask.lanes)) != 0;
#else
        std::int64_t all = 0;
        for (int lane = 0; lane < n; ++lane) {
            all |= mask.lanes[lane];
        }
        return all != 0;
#endif
    }
}

/// One bit a lane.
template <int n>
TALUS_INLINE unsigned bits_of(const MaskOf<n>& mask) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        return mask.bits;
    } else
#endif
    {
        unsigned bits = 0;
        for (int lane = 0; lane < n; ++lane) {
            bits |= mask[lane] ? 1U << lane : 0U;
        }
        return bits;
    }
}

enum class Comparison : std::uint8_t { less, greater, differs, at_most, at_least };
template <Comparison how, int n, class Lanes>
TALUS_INLINE MaskOf<n> compare(const Lanes& a, const Lanes& b) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        constexpr int codes[] = {_CMP_LT_OQ, _CMP_GT_OQ, _CMP_NEQ_UQ, _CMP_LE_OQ, _CMP_GE_OQ};
        return {_mm512_cmp_pd_mask(a, b, codes[static_cast<int>(how)])};
    } else
#endif
        if constexpr (how == Comparison::less) {
        return {a < b};
    } else if constexpr (how == Comparison::greater) {
        return {a > b};
    } else if constexpr (how == Comparison::differs) {
        return {a != b};
    } else if constexpr (how == Comparison::at_most) {
        return {a <= b};
    } else {
        return {a >= b};
    }
}

/// A number in every lane.
template <int n>
TALUS_INLINE typename VectorsOf<n>::Doubles spread(double every) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        return _mm512_set1_pd(every);
    } else
#endif
    {
        return typename VectorsOf<n>::Doubles{every, every, every, every};
    }
}

template <int n>
struct PackOf {
    static constexpr int width = n;
    using Lanes = typename VectorsOf<n>::Doubles;
    using Mask = MaskOf<n>;
    Lanes lanes;

    PackOf() = default;
    TALUS_INLINE PackOf(double every) : lanes(spread<n>(every)) {}  // implicit: formulas mix packs with plain constants
    TALUS_INLINE explicit PackOf(const Lanes& values) : lanes(values) {}

    TALUS_INLINE double operator[](int lane) const { return lanes[lane]; }
    TALUS_INLINE PackOf& operator+=(const PackOf& o) {
        lanes += o.lanes;
        return *this;
    }
    TALUS_INLINE PackOf& operator-=(const PackOf& o) {
        lanes -= o.lanes;
        return *this;
    }
    TALUS_INLINE PackOf& operator*=(const PackOf& o) {
        lanes *= o.lanes;
        return *this;
    }

    TALUS_INLINE friend PackOf operator+(const PackOf& a, const PackOf& b) { return PackOf(a.lanes + b.lanes); }
    TALUS_INLINE friend PackOf operator-(const PackOf& a, const PackOf& b) { return PackOf(a.lanes - b.lanes); }
    TALUS_INLINE friend PackOf operator*(const PackOf& a, const PackOf& b) { return PackOf(a.lanes * b.lanes); }
    TALUS_INLINE friend PackOf operator/(const PackOf& a, const PackOf& b) { return PackOf(a.lanes / b.lanes); }
    TALUS_INLINE friend PackOf operator-(const PackOf& a) { return PackOf(-a.lanes); }
    TALUS_INLINE friend Mask operator<(const PackOf& a, const PackOf& b) {
        return compare<Comparison::less, n>(a.lanes, b.lanes);
    }
    TALUS_INLINE friend Mask operator>(const PackOf& a, const PackOf& b) {
        return compare<Comparison::greater, n>(a.lanes, b.lanes);
    }
    TALUS_INLINE friend Mask operator!=(const PackOf& a, const PackOf& b) {
        return compare<Comparison::differs, n>(a.lanes, b.lanes);
    }
    TALUS_INLINE friend Mask operator<=(const PackOf& a, const PackOf& b) {
        return compare<Comparison::at_most, n>(a.lanes, b.lanes);
    }
    TALUS_INLINE friend Mask operator>=(const PackOf& a, const PackOf& b) {
        return compare<Comparison::at_least, n>(a.lanes, b.lanes);
    }
};

using Pack4 = PackOf<4>;
#if defined(__AVX512F__)
using Pack8 = PackOf<8>;
#endif

template <int n>
TALUS_INLINE PackOf<n> sqrt(const PackOf<n>& a) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        return PackOf<n>(_mm512_maskz_sqrt_pd(0xff, a.lanes));  // the plain form draws a false warning from gcc 12
    }
#endif
#if defined(__AVX__)
    if constexpr (n == 4) {
        return PackOf<n>(_mm256_sqrt_pd(a.lanes));
    }
#endif
    PackOf<n> out;
    for (int lane = 0; lane < n; ++lane) {
        out.lanes[lane] = __builtin_sqrt(a.lanes[lane]);
    }
    return out;
}

template <int n>
TALUS_INLINE PackOf<n> select(const MaskOf<n>& mask, const PackOf<n>& yes, const PackOf<n>& no) {
#if defined(__AVX512F__)
    if constexpr (n == 8) {
        return PackOf<n>(_mm512_mask_blend_pd(mask.bits, no.lanes, yes.lanes));
    } else
#endif
    {
        return PackOf<n>(mask.lanes ? yes.lanes : no.lanes);
    }
}
#if defined(__AVX512F__)
/// One instruction each; as those for plain numbers, they give `a` if the two are equal or either is not a number.
TALUS_INLINE PackOf<8> smaller(const PackOf<8>& a, const PackOf<8>& b) {
    return PackOf<8>(_mm512_maskz_min_pd(0xff, b.lanes, a.lanes));
}
TALUS_INLINE PackOf<8> larger(const PackOf<8>& a, const PackOf<8>& b) {
    return PackOf<8>(_mm512_maskz_max_pd(0xff, b.lanes, a.lanes));
}
#endif
template <int n>
TALUS_INLINE PackOf<n> magnitude(const PackOf<n>& a) {
    using Bits = typename VectorsOf<n>::Integers;
    constexpr std::int64_t all_but_sign = 0x7fffffffffffffff;
    const Bits bits = reinterpret_cast<Bits>(a.lanes) & (Bits{} + all_but_sign);
    return PackOf<n>(reinterpret_cast<typename PackOf<n>::Lanes>(bits));
}

/// The last bit set: no number that rounds to the middle between two others.
template <int n>
TALUS_INLINE PackOf<n> odd(const PackOf<n>& a) {
    using Bits = typename VectorsOf<n>::Integers;
    return PackOf<n>(reinterpret_cast<typename PackOf<n>::Lanes>(reinterpret_cast<Bits>(a.lanes) | (Bits{} + 1)));
}

/// n doubles anywhere in memory.
template <int n>
TALUS_INLINE PackOf<n> load_pack(const double* from) {
    typename PackOf<n>::Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof(lanes));
    return PackOf<n>(lanes);
}
template <int n>
TALUS_INLINE void store_pack(double* to, const PackOf<n>& pack) {
    __builtin_memcpy(to, &pack.lanes, sizeof(pack.lanes));
}

/// A row of four numbers, as records and slots hold them.
using Row = Pack4;
TALUS_INLINE Row load_row(const double* from) {
    return load_pack<4>(from);
}
TALUS_INLINE void store_row(double* to, const Row& row) {
    store_pack<4>(to, row);
}
/// { b0 - a0, b1 - a1, b2 - a2, b3 + a3 }
TALUS_INLINE Row difference_and_sum(const Row& b, const Row& a) {
    using Bits = typename MaskOf<4>::Lanes;
    constexpr std::int64_t sign = std::int64_t{1} << 63;
    const Bits flipped = reinterpret_cast<Bits>(a.lanes) ^ Bits { sign, sign, sign, 0 };
    return Row(b.lanes + reinterpret_cast<Row::Lanes>(flipped));
}

/// Four rows turned into four columns and back.
TALUS_INLINE void turn(const Row& r0, const Row& r1, const Row& r2, const Row& r3, Row& c0, Row& c1, Row& c2, Row& c3) {
    const Row::Lanes a = __builtin_shufflevector(r0.lanes, r1.lanes, 0, 4, 2, 6);
    const Row::Lanes b = __builtin_shufflevector(r0.lanes, r1.lanes, 1, 5, 3, 7);
    const Row::Lanes c = __builtin_shufflevector(r2.lanes, r3.lanes, 0, 4, 2, 6);
    const Row::Lanes d = __builtin_shufflevector(r2.lanes, r3.lanes, 1, 5, 3, 7);
    c0 = Row(__builtin_shufflevector(a, c, 0, 1, 4, 5));
    c1 = Row(__builtin_shufflevector(b, d, 0, 1, 4, 5));
    c2 = Row(__builtin_shufflevector(a, c, 2, 3, 6, 7));
    c3 = Row(__builtin_shufflevector(b, d, 2, 3, 6, 7));
}

/// Columns of n rows: pack k holds number k of each row.
TALUS_INLINE void to_columns(const Row (&rows)[4], Pack4& c0, Pack4& c1, Pack4& c2, Pack4& c3) {
    turn(rows[0], rows[1], rows[2], rows[3], c0, c1, c2, c3);
}
#if defined(__AVX512F__)
TALUS_INLINE void to_columns(const Row (&rows)[8], Pack8& c0, Pack8& c1, Pack8& c2, Pack8& c3) {
    using Lanes = Pack8::Lanes;
    const auto join = [](const Row& low, const Row& high) {
        return __builtin_shufflevector(low.lanes, high.lanes, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const Lanes r0 = join(rows[0], rows[4]);
    const Lanes r1 = join(rows[1], rows[5]);
    const Lanes r2 = join(rows[2], rows[6]);
    const Lanes r3 = join(rows[3], rows[7]);
    const Lanes a = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes b = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
    const Lanes c = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes d = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
    c0 = Pack8(__builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13));
    c1 = Pack8(__builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13));
    c2 = Pack8(__builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15));
    c3 = Pack8(__builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15));
}
#endif

/// n rows of four numbers, each somewhere else in memory: part by part, so that several kinds of rows of the same
/// places can be read place after place.
template <std::size_t n>
struct RowsOf {
    static constexpr std::size_t parts = n;
    using Part = Row;
    Part part[parts];

    /// Row k begins at from[at[k]].
    TALUS_INLINE static Part load(std::size_t k, const double* from, const std::uint32_t* at) {
        return load_row(from + at[k]);
    }
};
TALUS_INLINE void to_columns(const RowsOf<1>& rows, double& c0, double& c1, double& c2, double& c3) {
    c0 = rows.part[0][0];
    c1 = rows.part[0][1];
    c2 = rows.part[0][2];
    c3 = rows.part[0][3];
}
TALUS_INLINE void to_columns(const RowsOf<4>& rows, Pack4& c0, Pack4& c1, Pack4& c2, Pack4& c3) {
    to_columns(rows.part, c0, c1, c2, c3);
}
#if defined(__AVX512F__)
/// Two rows side by side.
TALUS_INLINE Pack8 difference_and_sum(const Pack8& b, const Pack8& a) {
    using Bits = MaskOf<4>::Lanes;
    using Wide = VectorsOf<8>::Integers;
    constexpr std::int64_t sign = std::int64_t{1} << 63;
    constexpr Bits flip{sign, sign, sign, 0};
    const Wide flipped = reinterpret_cast<Wide>(a.lanes) ^ __builtin_shufflevector(flip, flip, 0, 1, 2, 3, 4, 5, 6, 7);
    return Pack8(b.lanes + reinterpret_cast<Pack8::Lanes>(flipped));
}
template <>
struct RowsOf<8> {
    static constexpr std::size_t parts = 4;
    using Part = Pack8;
    Part part[parts];  // rows 0 and 2, 1 and 3, 4 and 6, 5 and 7: columns then come out in order

    TALUS_INLINE static Part load(std::size_t k, const double* from, const std::uint32_t* at) {
        const std::size_t low = k < 2 ? k : k + 2;
        const __m512d half = _mm512_castpd256_pd512(_mm256_loadu_pd(from + at[low]));
        constexpr auto every = static_cast<__mmask8>(0xff);
        return Part(_mm512_maskz_insertf64x4(every, half, _mm256_loadu_pd(from + at[low + 2]), 1));
    }
};
TALUS_INLINE void to_columns(const RowsOf<8>& rows, Pack8& c0, Pack8& c1, Pack8& c2, Pack8& c3) {
    constexpr int even = 0x88;  // quarters 0 and 2 of both, and 1 and 3
    constexpr int odd = 0xdd;
    constexpr auto every = static_cast<__mmask8>(0xff);  // the plain forms draw false warnings from gcc 12
    const auto low = [](const __m512d& a, const __m512d& b) { return _mm512_maskz_unpacklo_pd(every, a, b); };
    const auto high = [](const __m512d& a, const __m512d& b) { return _mm512_maskz_unpackhi_pd(every, a, b); };
    const __m512d a = low(rows.part[0].lanes, rows.part[1].lanes);
    const __m512d b = high(rows.part[0].lanes, rows.part[1].lanes);
    const __m512d c = low(rows.part[2].lanes, rows.part[3].lanes);
    const __m512d d = high(rows.part[2].lanes, rows.part[3].lanes);
    c0 = Pack8(_mm512_maskz_shuffle_f64x2(every, a, c, even));
    c1 = Pack8(_mm512_maskz_shuffle_f64x2(every, b, d, even));
    c2 = Pack8(_mm512_maskz_shuffle_f64x2(every, a, c, odd));
    c3 = Pack8(_mm512_maskz_shuffle_f64x2(every, b, d, odd));
}
/// Eight columns stored as eight rows of eight numbers that follow one another.
TALUS_INLINE void store_eight(double* to, const Pack8& c0, const Pack8& c1, const Pack8& c2, const Pack8& c3,
                              const Pack8& c4, const Pack8& c5, const Pack8& c6, const Pack8& c7) {
    constexpr auto every = static_cast<__mmask8>(0xff);
    // Rows 0, 2, 4, 6 from the even numbers of the columns, 1, 3, 5, 7 from the odd ones.
    const auto quarters = [&](double* first, const __m512d& a, const __m512d& b, const __m512d& c, const __m512d& d) {
        const __m512d ab01 = _mm512_maskz_shuffle_f64x2(every, a, b, 0x44);
        const __m512d ab23 = _mm512_maskz_shuffle_f64x2(every, a, b, 0xee);
        const __m512d cd01 = _mm512_maskz_shuffle_f64x2(every, c, d, 0x44);
        const __m512d cd23 = _mm512_maskz_shuffle_f64x2(every, c, d, 0xee);
        _mm512_storeu_pd(first, _mm512_maskz_shuffle_f64x2(every, ab01, cd01, 0x88));
        _mm512_storeu_pd(first + 16, _mm512_maskz_shuffle_f64x2(every, ab01, cd01, 0xdd));
        _mm512_storeu_pd(first + 32, _mm512_maskz_shuffle_f64x2(every, ab23, cd23, 0x88));
        _mm512_storeu_pd(first + 48, _mm512_maskz_shuffle_f64x2(every, ab23, cd23, 0xdd));
    };
    const auto low = [](const Pack8& a, const Pack8& b) { return _mm512_maskz_unpacklo_pd(every, a.lanes, b.lanes); };
    const auto high = [](const Pack8& a, const Pack8& b) { return _mm512_maskz_unpackhi_pd(every, a.lanes, b.lanes); };
    quarters(to, low(c0, c1), low(c2, c3), low(c4, c5), low(c6, c7));
    quarters(to + 8, high(c0, c1), high(c2, c3), high(c4, c5), high(c6, c7));
}
#endif

/// The inverse: row k of `to` (rows `stride` doubles apart) gets number k of each column.
TALUS_INLINE void store_rows(double* to, std::size_t stride, const Pack4& c0, const Pack4& c1, const Pack4& c2,
                             const Pack4& c3) {
    Row r[4];
    turn(c0, c1, c2, c3, r[0], r[1], r[2], r[3]);
    for (std::size_t k = 0; k < 4; ++k) {
        store_row(to + k * stride, r[k]);
    }
}
#if defined(__AVX512F__)
TALUS_INLINE void store_rows(double* to, std::size_t stride, const Pack8& c0, const Pack8& c1, const Pack8& c2,
                             const Pack8& c3) {
    using Lanes = Pack8::Lanes;
    const Lanes a = __builtin_shufflevector(c0.lanes, c1.lanes, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes b = __builtin_shufflevector(c0.lanes, c1.lanes, 1, 9, 3, 11, 5, 13, 7, 15);
    const Lanes c = __builtin_shufflevector(c2.lanes, c3.lanes, 0, 8, 2, 10, 4, 12, 6, 14);
    const Lanes d = __builtin_shufflevector(c2.lanes, c3.lanes, 1, 9, 3, 11, 5, 13, 7, 15);
    const Lanes r04 = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    const Lanes r15 = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    const Lanes r26 = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    const Lanes r37 = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
    std::size_t k = 0;
    for (const Lanes& rows : {r04, r15, r26, r37}) {
        store_row(to + k * stride, Row(__builtin_shufflevector(rows, rows, 0, 1, 2, 3)));
        store_row(to + (k + 4) * stride, Row(__builtin_shufflevector(rows, rows, 4, 5, 6, 7)));
        ++k;
    }
}
#endif

}  // namespace talus::math
