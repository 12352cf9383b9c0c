// Grains made of overlapping spheres: how much there is of them, where their centre is and how they turn, with every
// overlap counted once (POLY Sect. 3).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "talus/math/mat3.h"
#include "talus/math/tensor6.h"

namespace talus::geometry {

using math::Mat3d;
using math::Vec3d;

struct Ball {
    Vec3d center;       // m
    double radius = 0;  // m
};

/// What a solid of density one weighs and how: the integrals of 1, x and x (x) x over it.
struct Moments {
    double volume = 0;       // m3
    Vec3d first;             // m4
    math::Tensor6 second{};  // m5
};

/// Of a solid of density one about its centre of mass.
struct MassProperties {
    double volume = 0;             // m3
    Vec3d center;                  // m
    Mat3d inertia;                 // m5, about the centre
    std::array<double, 3> moment;  // m5, principal moments, ascending
    Mat3d axes;                    // the principal axes as rows, right-handed
    double reach = 0;              // m, the radius of the smallest ball about the centre that holds all
    double error = 0;              // relative, of the volume, as the integration estimates it; 0: a closed form
};

/// Where no three balls overlap one another pairwise, closed forms for balls and the lenses between them. Otherwise
/// the cross-sections of the union, unions of discs whose moments are sums over arcs, integrated until the estimated
/// error is below `tolerance` of the whole. No sampling: the same bits every time, on every machine.
Moments union_moments(std::span<const Ball> balls, double tolerance = 1e-10, double* error = nullptr);

/// The same through the cross-sections even if there is a closed form: for checks.
Moments moments_by_sections(std::span<const Ball> balls, double tolerance = 1e-10, double* error = nullptr);

MassProperties mass_properties(std::span<const Ball> balls, double tolerance = 1e-10);

/// Why the balls make no grain: none at all, a radius that is not positive, one inside another, or parts that do not
/// hang together. Nothing if they do.
std::optional<std::string> grain_fault(std::span<const Ball> balls);

}  // namespace talus::geometry
