// Four doubles that are worked on at once. Every operation is the same IEEE operation in each lane, so a formula gives
// the same bits lane by lane as it does for a single number.
#pragma once

#include <cstdint>

#include "talus/math/vec3.h"

namespace talus::math {

/// What a comparison of packs gives: all bits set in the lanes where it holds.
struct Mask {
    using Lanes [[gnu::vector_size(32)]] = std::int64_t;
    Lanes lanes;

    friend Mask operator||(const Mask& a, const Mask& b) { return {a.lanes | b.lanes}; }
    friend Mask operator&&(const Mask& a, const Mask& b) { return {a.lanes & b.lanes}; }
};

inline bool any(const Mask& mask) {
    return (mask.lanes[0] | mask.lanes[1] | mask.lanes[2] | mask.lanes[3]) != 0;
}

struct Pack {
    static constexpr int width = 4;
    using Lanes [[gnu::vector_size(32)]] = double;
    Lanes lanes;

    Pack() = default;
    Pack(double every) : lanes{every, every, every, every} {}  // implicit: formulas mix packs with plain constants
    explicit Pack(const Lanes& values) : lanes(values) {}

    double operator[](int lane) const { return lanes[lane]; }
    Pack& operator+=(const Pack& o) {
        lanes += o.lanes;
        return *this;
    }
    Pack& operator-=(const Pack& o) {
        lanes -= o.lanes;
        return *this;
    }
    Pack& operator*=(const Pack& o) {
        lanes *= o.lanes;
        return *this;
    }

    friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes + b.lanes); }
    friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes - b.lanes); }
    friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes * b.lanes); }
    friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes / b.lanes); }
    friend Pack operator-(const Pack& a) { return Pack(-a.lanes); }
    friend Mask operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
    friend Mask operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
    friend Mask operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
    friend Mask operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }
};

inline Pack sqrt(const Pack& a) {
    Pack out;
    for (int lane = 0; lane < Pack::width; ++lane) {
        out.lanes[lane] = __builtin_sqrt(a.lanes[lane]);
    }
    return out;
}

inline Pack select(const Mask& mask, const Pack& yes, const Pack& no) {
    return Pack(mask.lanes ? yes.lanes : no.lanes);
}

/// Four doubles anywhere in memory.
inline Pack load(const double* from) {
    Pack::Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof(lanes));
    return Pack(lanes);
}
inline void store(double* to, const Pack::Lanes& lanes) {
    __builtin_memcpy(to, &lanes, sizeof(lanes));
}

/// Four consecutive doubles of each of four rows, turned into four packs: pack k holds column k.
inline void load_columns(const double* const rows[4], Pack& c0, Pack& c1, Pack& c2, Pack& c3) {
    const Pack::Lanes r0 = load(rows[0]).lanes;
    const Pack::Lanes r1 = load(rows[1]).lanes;
    const Pack::Lanes r2 = load(rows[2]).lanes;
    const Pack::Lanes r3 = load(rows[3]).lanes;
    const Pack::Lanes a = __builtin_shufflevector(r0, r1, 0, 4, 2, 6);
    const Pack::Lanes b = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
    const Pack::Lanes c = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
    const Pack::Lanes d = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    c0 = Pack(__builtin_shufflevector(a, c, 0, 1, 4, 5));
    c1 = Pack(__builtin_shufflevector(b, d, 0, 1, 4, 5));
    c2 = Pack(__builtin_shufflevector(a, c, 2, 3, 6, 7));
    c3 = Pack(__builtin_shufflevector(b, d, 2, 3, 6, 7));
}

/// The inverse: writes column k of the four packs to row k.
inline void store_columns(double* const rows[4], const Pack& c0, const Pack& c1, const Pack& c2, const Pack& c3) {
    const Pack::Lanes a = __builtin_shufflevector(c0.lanes, c1.lanes, 0, 4, 2, 6);
    const Pack::Lanes b = __builtin_shufflevector(c0.lanes, c1.lanes, 1, 5, 3, 7);
    const Pack::Lanes c = __builtin_shufflevector(c2.lanes, c3.lanes, 0, 4, 2, 6);
    const Pack::Lanes d = __builtin_shufflevector(c2.lanes, c3.lanes, 1, 5, 3, 7);
    store(rows[0], __builtin_shufflevector(a, c, 0, 1, 4, 5));
    store(rows[1], __builtin_shufflevector(b, d, 0, 1, 4, 5));
    store(rows[2], __builtin_shufflevector(a, c, 2, 3, 6, 7));
    store(rows[3], __builtin_shufflevector(b, d, 2, 3, 6, 7));
}

}  // namespace talus::math
