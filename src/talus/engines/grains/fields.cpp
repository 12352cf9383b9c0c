// What acts on grains over a distance: uniform fields, and masses, charges and dipoles on one another.
#include "talus/base/parallel.h"
#include "talus/engines/grains/distance_sums.h"
#include "talus/engines/grains/engine.h"
#include "talus/laws/distance_forces.h"

namespace talus::engines::grains {

namespace {

Vec3d vector_at(const double* numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

void Engine::feel_fields(const std::vector<Motion>& motion, double time) {
    const model::Fields& fields = system_.fields;
    field_now_ = {fields.gravity.at(time), fields.electric.at(time), fields.magnetic.at(time)};
    // The leapfrog turns velocities in a magnetic field by itself.
    const bool leapfrog = system_.integration.method == model::Method::leapfrog;
    field_wrench_.resize(motion.size());
    sources_.resize(motion.size());
    base::parallel_for(motion.size(), options_.threads, [&](std::size_t i) {
        const model::Moments& own = fields.moments[i];
        const Motion& m = motion[i];
        const double mass = system_.bodies.mass[i];
        Wrench& by = field_wrench_[i];
        by = {};
        Vec3d p;
        Vec3d magnet;
        if (own.has_dipole()) {
            const Mat3d axes = to_matrix(m.turn);
            p = axes * own.electric_dipole;
            magnet = axes * own.magnetic_dipole;
            by.torque = cross(p, field_now_.electric) + cross(magnet, field_now_.magnetic);
        }
        by.force = field_now_.gravity * mass + field_now_.electric * own.charge;
        if (!leapfrog) {
            by.force += cross(m.velocity, field_now_.magnetic) * own.charge;
        }
        sources_.set(i, m.position, mass, own.charge, p, magnet);
    });
    if (fields.mutual()) {
        feel_others();
    }
}

void Engine::feel_others() {
    const model::Fields& fields = system_.fields;
    const std::size_t n = sources_.size();
    distance_sums_.resize(n * distance::numbers);
    const DistanceTask task{sources_.columns(), sources_.padded(), distance_sums_.data()};
    const Electric charged = !fields.electric_moments ? Electric::none
                             : electric_dipoles_      ? Electric::dipoles
                                                      : Electric::charges;
    const auto sum =
        distance_kernels()
            .sum[fields.masses ? 1 : 0][static_cast<std::size_t>(charged)][fields.magnetic_moments ? 1 : 0];
    // The work goes with the square: a few grains are worth a thread.
    constexpr std::size_t fewest = 128;
    base::in_team(n < fewest ? 1 : options_.threads, [&](std::size_t rank) {
        const auto share = n < fewest ? std::size_t{1} : static_cast<std::size_t>(options_.threads);
        sum(task, n * rank / share, n * (rank + 1) / share);
    });
    for (std::size_t i = 0; i < n; ++i) {
        const double* of = &distance_sums_[i * distance::numbers];
        Wrench& by = field_wrench_[i];
        if (fields.masses) {
            by.force -= vector_at(of) * (fields.gravitational_constant * sources_.mass<double>(i));
        }
        const auto turn_and_push = [&](const double* sums, double constant, double charge, const Vec3d& dipole) {
            const Vec3d field = vector_at(sums);
            by.force += (field * charge + vector_at(sums + distance::push) + dipole * sums[distance::slope]) * constant;
            by.torque += cross(dipole, field) * constant;
        };
        if (fields.electric_moments) {
            turn_and_push(of + distance::electric, fields.electric_constant, sources_.charge<double>(i),
                          sources_.electric<double>(i));
        }
        if (fields.magnetic_moments) {
            turn_and_push(of + distance::magnetic, fields.magnetic_constant, 0, sources_.magnetic<double>(i));
        }
    }
}

double Engine::power_of_turning_fields(const std::vector<Motion>& motion) const {
    const model::Fields& fields = system_.fields;
    double sum = 0;
    if (fields.gravity.turns()) {
        for (std::size_t i = 0; i < motion.size(); ++i) {
            sum += dot(field_now_.gravity, motion[i].velocity) * system_.bodies.mass[i];
        }
    }
    if (fields.electric.turns()) {
        for (std::size_t i = 0; i < motion.size(); ++i) {
            sum += dot(field_now_.electric, motion[i].velocity) * fields.moments[i].charge;
            sum += dot(cross(sources_.electric<double>(i), field_now_.electric), motion[i].spin);
        }
    }
    if (fields.magnetic.turns()) {
        for (std::size_t i = 0; i < motion.size(); ++i) {
            sum += dot(cross(sources_.magnetic<double>(i), field_now_.magnetic), motion[i].spin);
        }
    }
    return sum;
}

Vec3d Engine::gyrated(std::size_t i, const Vec3d& velocity, const Vec3d& magnetic) const {
    const double rate = system_.fields.moments[i].charge * nature_[i].inverse_mass;
    return rate != 0 ? laws::gyrated_halfway(velocity, magnetic * (-0.5 * rate * system_.clock.step)) : velocity;
}

}  // namespace talus::engines::grains
