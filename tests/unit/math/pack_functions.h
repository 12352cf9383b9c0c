// What packs of one width do, behind plain pointers: the instance for eight is compiled for newer processors and must
// share no code with the rest of the test program.
#pragma once

#include <cstddef>

#include "talus/math/pack.h"
#include "talus/math/select.h"

namespace talus::tests {

inline constexpr std::size_t arithmetic_results = 10;
inline constexpr std::size_t comparison_results = 9;

struct PackFunctions {
    std::size_t width = 0;
    /// Rows of `width`: a + b, a - b, a * b, a / b, -a, sqrt(a), |a|, the smaller, the larger, (a + b - b) * a.
    void (*arithmetic)(const double* a, const double* b, double* results) = nullptr;
    /// Rows of `width`: <, >, <=, >=, !=, < or >, >= and <=, not <, and whether any lane is <.
    void (*comparison)(const double* a, const double* b, bool* results) = nullptr;
    /// yes where a < b, else no
    void (*select)(const double* a, const double* b, const double* yes, const double* no, double* result) = nullptr;
    /// `width` rows of four, one after the other, into four columns of `width`.
    void (*to_columns)(const double* rows, double* columns) = nullptr;
    /// The inverse; rows `stride` apart.
    void (*store_rows)(const double* columns, std::size_t stride, double* rows) = nullptr;
};

template <int W>
struct PackInstance {
    using Pack = math::PackOf<W>;

    static void arithmetic(const double* from_a, const double* from_b, double* results) {
        const Pack a = math::load_pack<W>(from_a);
        const Pack b = math::load_pack<W>(from_b);
        Pack assigned = a;
        assigned += b;
        assigned -= b;
        assigned *= a;
        const Pack all[arithmetic_results] = {a + b,   a - b,        a * b,         a / b,        -a,
                                              sqrt(a), magnitude(a), smaller(a, b), larger(a, b), assigned};
        for (const Pack& pack : all) {
            math::store_pack<W>(results, pack);
            results += W;
        }
    }
    static void comparison(const double* from_a, const double* from_b, bool* results) {
        const Pack a = math::load_pack<W>(from_a);
        const Pack b = math::load_pack<W>(from_b);
        const typename Pack::Mask less = a < b;
        const typename Pack::Mask more = a > b;
        const typename Pack::Mask masks[comparison_results - 1] = {less,   more,         a <= b,           a >= b,
                                                                   a != b, less || more, a >= b && a <= b, !less};
        for (const auto& mask : masks) {
            for (int lane = 0; lane < W; ++lane) {
                *results++ = mask[lane];
            }
        }
        for (int lane = 0; lane < W; ++lane) {
            *results++ = any(a < b);
        }
    }
    static void select(const double* a, const double* b, const double* yes, const double* no, double* result) {
        const auto mask = math::load_pack<W>(a) < math::load_pack<W>(b);
        math::store_pack<W>(result, math::select(mask, math::load_pack<W>(yes), math::load_pack<W>(no)));
    }
    static void to_columns(const double* from, double* to) {
        math::Row rows[static_cast<std::size_t>(W)];
        for (std::size_t k = 0; k < static_cast<std::size_t>(W); ++k) {
            rows[k] = math::load_row(from + 4 * k);
        }
        Pack c[4];
        math::to_columns(rows, c[0], c[1], c[2], c[3]);
        for (int k = 0; k < 4; ++k) {
            math::store_pack<W>(to + W * k, c[k]);
        }
    }
    static void store_rows(const double* from, std::size_t stride, double* to) {
        math::store_rows(to, stride, math::load_pack<W>(from), math::load_pack<W>(from + W),
                         math::load_pack<W>(from + 2 * W), math::load_pack<W>(from + 3 * W));
    }
    static constexpr PackFunctions table() {
        return {static_cast<std::size_t>(W), &arithmetic, &comparison, &select, &to_columns, &store_rows};
    }
};

/// Null tables where the compiler was not asked for such processors.
PackFunctions packs_of_eight();

}  // namespace talus::tests
