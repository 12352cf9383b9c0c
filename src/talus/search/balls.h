// Balls as the searches see them: rows of x, y, z, radius a fixed number of doubles apart, whatever else lies between.
#pragma once

#include <cstddef>
#include <cstdint>

#include "talus/model/domain.h"

namespace talus::search {

using math::Vec3d;

struct Balls {
    const double* rows = nullptr;  // x, y, z in m, radius in m
    std::size_t stride = 4;        // doubles from one row to the next
    std::size_t count = 0;

    const double* row(std::size_t i) const { return rows + i * stride; }
    Vec3d position(std::size_t i) const { return {row(i)[0], row(i)[1], row(i)[2]}; }
    double radius(std::size_t i) const { return row(i)[3]; }
};

/// An image (each axis -1, 0 or 1) as a number from 0 to 26 that sorts like it.
inline constexpr std::uint8_t no_image = 13;
constexpr std::uint8_t image_code(const model::Image& image) {
    return static_cast<std::uint8_t>(9 * (image.x + 1) + 3 * (image.y + 1) + (image.z + 1));
}
constexpr model::Image image_of(std::uint8_t code) {
    return {static_cast<signed char>(code / 9 - 1), static_cast<signed char>(code / 3 % 3 - 1),
            static_cast<signed char>(code % 3 - 1)};
}
/// The shift that an image stands for; axes that are not periodic have none.
inline Vec3d image_shift(const model::Domain& domain, std::uint8_t code) {
    const model::Image image = image_of(code);
    const Vec3d period = domain.any_periodic() ? domain.size() : Vec3d{};
    return {domain.periodic[0] ? image.x * period.x : 0.0, domain.periodic[1] ? image.y * period.y : 0.0,
            domain.periodic[2] ? image.z * period.z : 0.0};
}

}  // namespace talus::search
