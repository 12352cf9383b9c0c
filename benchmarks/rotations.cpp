// Which way of writing rotations is the cheaper: unit quaternions or POLY's rotation vectors (math/rodrigues.h). For
// docs/architecture.md; build/benchmarks/rotations prints ns for a composition and for turning the arms of a grain, and
// what is left of the digits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "talus/math/rodrigues.h"

namespace {

using talus::math::Mat3d;
using talus::math::Quaterniond;
using talus::math::Vec3d;

/// ns of one call, the least of many tries.
template <class Work>
double least(const Work& work) {
    constexpr int calls = 200'000;
    double best = 1e300;
    for (int k = 0; k < 15; ++k) {
        const auto start = std::chrono::steady_clock::now();
        for (int n = 0; n < calls; ++n) {
            work();
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / calls);
    }
    return best;
}

template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r"(&value) : "memory");  // the compiler must believe that somebody reads it
}

}  // namespace

int main() {
    const Vec3d small{1e-3, -2e-3, 0.7e-3};
    const Quaterniond small_turn = talus::math::quaternion_from_rotation_vector(small);
    const Vec3d small_vector = talus::math::rodrigues_from_rotation_vector(small);
    Quaterniond turn;
    Vec3d vector;
    const double quaternion = least([&] {
        turn = normalized(small_turn * turn);
        keep(turn);
    });
    const double rodrigues = least([&] {
        vector = talus::math::composed(small_vector, vector);
        keep(vector);
    });
    std::array<Vec3d, 8> arms;
    std::array<Vec3d, 8> turned;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        arms[k] = {k & 1U ? 1.0 : -1.0, k & 2U ? 1.0 : -1.0, k & 4U ? 1.0 : -1.0};
    }
    const auto place = [&](const Mat3d& axes) {
        for (std::size_t k = 0; k < arms.size(); ++k) {
            turned[k] = axes * arms[k];
        }
        keep(turned);
    };
    const double by_quaternion = least([&] { place(to_matrix(turn)); });
    const double by_rodrigues = least([&] { place(talus::math::rodrigues_matrix(vector)); });
    fmt::print("composition: {:.1f} ns with quaternions (normalised each time), {:.1f} ns with rotation vectors\n",
               quaternion, rodrigues);
    fmt::print("turning eight arms: {:.1f} ns with quaternions, {:.1f} ns with rotation vectors\n", by_quaternion,
               by_rodrigues);

    // Right beside wrong: a million turns about one axis, against the one turn they make up.
    turn = {};
    vector = {};
    constexpr int count = 1'000'000;
    for (int n = 0; n < count; ++n) {
        turn = normalized(small_turn * turn);
        vector = talus::math::composed(small_vector, vector);
    }
    const Vec3d arm{0.3, 0.5, -0.8};
    const Vec3d right = to_matrix(talus::math::quaternion_from_rotation_vector(small * double{count})) * arm;
    fmt::print("after a million small turns: off by {:.1e} with quaternions, {:.1e} with rotation vectors\n",
               norm(to_matrix(turn) * arm - right), norm(talus::math::rodrigues_matrix(vector) * arm - right));
}
