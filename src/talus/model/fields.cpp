#include "talus/model/fields.h"

#include "talus/base/exact_sum.h"
#include "talus/laws/distance_forces.h"
#include "talus/model/point_sources.h"
#include "talus/model/system.h"

namespace talus::model {

namespace {

using math::Pack4;
using math::Vec3;

Vec3d in_world(const System& system, std::size_t i, const Vec3d& own) {
    return i < system.grains.turn.size() ? to_matrix(system.grains.turn[i]) * own : own;
}

PointSources sources_of(const System& system) {
    PointSources out;
    out.resize(system.bodies.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double charge = i < system.fields.moments.size() ? system.fields.moments[i].charge : 0;
        out.set(i, system.bodies.position[i], system.bodies.mass[i], charge, electric_dipole(system, i),
                magnetic_dipole(system, i));
    }
    return out;
}

/// The four lanes in order.
double sum_of(const Pack4& pack) {
    return ((pack[0] + pack[1]) + pack[2]) + pack[3];
}

Vec3<Pack4> spread(const Vec3d& v) {
    return {Pack4(v.x), Pack4(v.y), Pack4(v.z)};
}

}  // namespace

Vec3d electric_dipole(const System& system, std::size_t i) {
    return i < system.fields.moments.size() ? in_world(system, i, system.fields.moments[i].electric_dipole) : Vec3d{};
}

Vec3d magnetic_dipole(const System& system, std::size_t i) {
    return i < system.fields.moments.size() ? in_world(system, i, system.fields.moments[i].magnetic_dipole) : Vec3d{};
}

MutualEnergy mutual_energy(const System& system) {
    const Fields& fields = system.fields;
    MutualEnergy out;
    if (!fields.mutual()) {
        return out;
    }
    const PointSources sources = sources_of(system);
    base::ExactSum gravity;
    base::ExactSum electric;
    base::ExactSum magnetic;
    const Pack4 none(0.0);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const Vec3<Pack4> at = spread(sources.at<double>(i));
        const Pack4 charge(sources.charge<double>(i));
        const Vec3<Pack4> p = spread(sources.electric<double>(i));
        const Vec3<Pack4> m = spread(sources.magnetic<double>(i));
        Pack4 masses(0.0);
        Pack4 charges(0.0);
        Pack4 magnets(0.0);
        // Every pair once: of the pack that holds body i, those behind it alone.
        const std::size_t first = i / Pack4::width * Pack4::width;
        Pack4 counts(
            Pack4::Lanes{0.0, i - first < 1 ? 1.0 : 0.0, i - first < 2 ? 1.0 : 0.0, i - first < 3 ? 1.0 : 0.0});
        for (std::size_t j = first; j < sources.padded(); j += Pack4::width) {
            const Vec3<Pack4> r = at - sources.at<Pack4>(j);
            const auto inverse = laws::inverse_powers(r);
            if (fields.masses) {
                masses += counts * sources.mass<Pack4>(j) * inverse.first;
            }
            if (fields.electric_moments) {
                charges += counts * laws::dipole_energy(r, inverse, charge, p, sources.charge<Pack4>(j),
                                                        sources.electric<Pack4>(j));
            }
            if (fields.magnetic_moments) {
                magnets += counts * laws::dipole_energy(r, inverse, none, m, none, sources.magnetic<Pack4>(j));
            }
            counts = Pack4(1.0);
        }
        gravity += sources.mass<double>(i) * sum_of(masses);
        electric += sum_of(charges);
        magnetic += sum_of(magnets);
    }
    out.gravity = -fields.gravitational_constant * gravity.value();
    out.electric = fields.electric_constant * electric.value();
    out.magnetic = fields.magnetic_constant * magnetic.value();
    return out;
}

double field_lift(const System& system) {
    const Fields& fields = system.fields;
    const bool electric = fields.electric.is_there() && !fields.electric.turns();
    const bool magnetic = fields.magnetic.is_there() && !fields.magnetic.turns();
    base::ExactSum sum;
    for (std::size_t i = 0; i < fields.moments.size(); ++i) {
        if (electric) {
            sum += fields.moments[i].charge * dot(fields.electric.value, system.bodies.position[i]);
            sum += dot(electric_dipole(system, i), fields.electric.value);
        }
        if (magnetic) {
            sum += dot(magnetic_dipole(system, i), fields.magnetic.value);
        }
    }
    return sum.value();
}

double field_work(const System& system) {
    const Ledger& ledger = system.ledger;
    // The last step's power is booked until half a step ahead (model/ledger.h).
    return field_lift(system) - ledger.field_reference + ledger.field_work -
           ledger.field_power * (0.5 * system.clock.step);
}

}  // namespace talus::model
