// Stress from contact forces. Compression is positive. A tensor is stored as xx, yy, zz, yz, xz, xy.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "talus/math/mat3.h"
#include "talus/math/tensor6.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"

namespace talus::analysis {

using math::Tensor6;
inline constexpr std::array<const char*, 6> tensor_names = {"xx", "yy", "zz", "yz", "xz", "xy"};

Tensor6 operator+(const Tensor6& a, const Tensor6& b);
Tensor6 operator*(const Tensor6& a, double s);
/// A third of the trace, or half of it in the plane.
double pressure(const Tensor6& stress, int dimensions = 3);
/// The components along the rows of `basis`, which are unit vectors at right angles.
Tensor6 along(const math::Mat3d& basis, const Tensor6& tensor);

/// J, for each grain: the sum over its contacts of force (x) (centre - contact point). Divided by a volume it is
/// stress; the two shares of a pair contact add up to force (x) branch vector.
std::vector<Tensor6> grain_virial(const model::System& system, std::span<const model::ContactSample> contacts);

/// Pa, for each grain: its virial over its own volume.
std::vector<Tensor6> grain_stress(const model::System& system, std::span<const model::ContactSample> contacts);

/// The same from impulses: the mean since the last frame, or since the run began; zero where no time has passed. Only
/// for a system whose engine counts them.
std::vector<Tensor6> grain_stress_since_frame(const model::System& system);

/// Sums over a group of grains for the stress in a volume and the motion behind it.
class StressSum {
public:
    explicit StressSum(int dimensions = 3) : dimensions_(dimensions) {}
    /// Velocities and tensors are taken along the rows of `basis`, which may differ from grain to grain (about an
    /// axis).
    void add(const model::Bodies& bodies, std::size_t grain, const Tensor6& virial,
             const math::Mat3d& basis = math::Mat3d::identity());
    bool empty() const { return mass_ == 0; }
    double solid_volume() const { return solid_volume_; }  // m3
    Tensor6 contact(double volume) const { return virial_ * (1 / volume); }
    /// From the motion of the grains against their common velocity: sum of m v' (x) v' over the volume.
    Tensor6 kinetic(double volume) const;
    math::Vec3d mean_velocity() const { return momentum_ / mass_; }
    /// m2/s2: sum m v'.v' / (d (M - sum m^2 / M)), M the whole mass, d the number of dimensions. The second term makes
    /// up for the grains' own share in the mean velocity (n - 1 in place of n for equal grains). NaN for fewer than two
    /// grains.
    double temperature() const;

private:
    int dimensions_;
    Tensor6 virial_{};
    Tensor6 motion_{};  // sum m v (x) v
    math::Vec3d momentum_;
    double mass_ = 0;
    double squared_masses_ = 0;
    double solid_volume_ = 0;
    int count_ = 0;
};

}  // namespace talus::analysis
