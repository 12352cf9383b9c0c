// Sums over all other grains for what acts over any distance, and the table of their instances: one, four or eight
// sources at a time. All give the same bits: eight sums are kept side by side whatever the width, and added in one
// order.
#pragma once

#include <array>
#include <cstddef>

namespace talus::engines::grains {

/// What the sums of one grain hold; see laws/distance_forces.h.
namespace distance {
inline constexpr std::size_t gravity = 0;    // 3 numbers
inline constexpr std::size_t electric = 3;   // field 3, push 3, slope
inline constexpr std::size_t magnetic = 10;  // the same
inline constexpr std::size_t push = 3, slope = 6, numbers = 17;
}  // namespace distance

/// Plain pointers and numbers: the instances for newer processors must not share inline code with the rest.
struct DistanceTask {
    std::array<const double*, 11> column{};  // as model::PointSources has them
    std::size_t padded = 0;                  // sources, a multiple of eight
    double* sums = nullptr;                  // distance::numbers a grain
};

enum class Electric : unsigned char { none, charges, dipoles };

struct DistanceKernels {
    /// For the grains of [begin, end).
    using Sum = void (*)(const DistanceTask& task, std::size_t begin, std::size_t end);
    std::array<std::array<std::array<Sum, 2>, 3>, 2> sum{};  // by masses, Electric, magnetic
};

const DistanceKernels& scalar_distance_kernels();
const DistanceKernels& packed_distance_kernels();  // four at a time
const DistanceKernels& wide_distance_kernels();    // eight; null entries where the compiler has none

/// The widest that this processor has, or what TALUS_SIMD asks for.
const DistanceKernels& distance_kernels();

}  // namespace talus::engines::grains
