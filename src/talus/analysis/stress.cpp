#include "talus/analysis/stress.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "talus/analysis/snapshot.h"
#include "talus/model/solid.h"

namespace talus::analysis {

Tensor6 operator+(const Tensor6& a, const Tensor6& b) {
    Tensor6 sum{};
    for (std::size_t k = 0; k < 6; ++k) {
        sum[k] = a[k] + b[k];
    }
    return sum;
}

Tensor6 operator*(const Tensor6& a, double s) {
    Tensor6 product = a;
    for (double& x : product) {
        x *= s;
    }
    return product;
}

double pressure(const Tensor6& stress, int dimensions) {
    return (stress[0] + stress[1] + stress[2]) / dimensions;
}

Tensor6 along(const math::Mat3d& basis, const Tensor6& t) {
    const math::Mat3d whole = {{{t[0], t[5], t[4]}, {t[5], t[1], t[3]}, {t[4], t[3], t[2]}}};
    const math::Mat3d turned = basis * whole * math::transposed(basis);
    return {turned.row[0].x, turned.row[1].y, turned.row[2].z, turned.row[1].z, turned.row[0].z, turned.row[0].y};
}

std::vector<Tensor6> grain_virial(const model::System& system, std::span<const model::ContactSample> contacts) {
    const model::Bodies& bodies = system.bodies;
    const model::Domain& domain = system.domain;
    std::vector<Tensor6> virial(bodies.size(), Tensor6{});
    for (const model::ContactSample& c : contacts) {
        const std::size_t a = index_of(bodies, c.a);
        virial[a] = virial[a] + symmetric_product(c.force, bodies.position[a] - c.point);
        if (c.wall >= 0) {
            continue;
        }
        const std::size_t b = index_of(bodies, c.b);
        Vec3d arm = bodies.position[b] - c.point;
        for (int k = 0; k < 3; ++k) {  // the point lies beside a, perhaps a period away from b
            if (domain.periodic[static_cast<std::size_t>(k)]) {
                const double period = domain.size()[k];
                arm[k] -= period * std::round(arm[k] / period);
            }
        }
        virial[b] = virial[b] + symmetric_product(-c.force, arm);
    }
    return virial;
}

std::vector<Tensor6> grain_stress(const model::System& system, std::span<const model::ContactSample> contacts) {
    std::vector<Tensor6> stress = grain_virial(system, contacts);
    for (std::size_t i = 0; i < stress.size(); ++i) {
        const double radius = model::solid_radius(system.bodies, system.grains, i);
        stress[i] = stress[i] * (1 / model::solid_volume(system.domain.dimensions, radius));
    }
    return stress;
}

std::vector<Tensor6> grain_stress_since_frame(const model::System& system) {
    const model::Impulses& impulses = system.impulses;
    std::vector<Tensor6> stress = impulses.virial;
    const double span = system.clock.time() - impulses.framed_at;
    for (std::size_t i = 0; i < stress.size(); ++i) {
        const double volume = model::solid_volume(system.domain.dimensions, system.bodies.radius[i]);
        stress[i] = span > 0 ? (stress[i] + impulses.framed[i] * -1) * (1 / (span * volume)) : Tensor6{};
    }
    return stress;
}

void StressSum::add(const model::Bodies& bodies, std::size_t grain, const Tensor6& virial, const math::Mat3d& basis) {
    const double mass = bodies.mass[grain];
    const math::Vec3d v = basis * bodies.velocity[grain];
    virial_ = virial_ + along(basis, virial);
    motion_ = motion_ + symmetric_product(v, v) * mass;
    momentum_ += v * mass;
    mass_ += mass;
    squared_masses_ += mass * mass;
    ++count_;
    solid_volume_ += model::solid_volume(dimensions_, bodies.radius[grain]);
}

Tensor6 StressSum::kinetic(double volume) const {
    if (mass_ == 0) {
        return {};
    }
    const math::Vec3d mean = mean_velocity();
    return (motion_ + symmetric_product(mean, mean) * -mass_) * (1 / volume);
}

double StressSum::temperature() const {
    if (count_ < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::max(0.0, pressure(kinetic(1), dimensions_) / (mass_ - squared_masses_ / mass_));
}

}  // namespace talus::analysis
