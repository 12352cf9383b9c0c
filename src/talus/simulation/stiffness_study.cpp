#include "talus/simulation/stiffness_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/engines/grains/engine.h"
#include "talus/math/free_rotation.h"

namespace talus::simulation {

namespace {

using engines::grains::Motion;
using engines::grains::Wrench;
using math::Vec3d;

// Changes for the differences, in radii and in speeds that are there: small beside overlaps, large beside rounding.
constexpr double small_length = 1e-7;
constexpr double small_speed = 1e-6;

enum class Kind { position, velocity, angle, spin };

/// One component of the motion of one body.
struct Unknown {
    std::size_t body;
    Kind kind;
    int axis;
};

/// All that can move, body by body. Grains of plane scenes stay in their plane.
std::vector<Unknown> unknowns_of(const model::System& system) {
    const bool planar = system.domain.planar();
    std::vector<Unknown> out;
    const auto add = [&](std::size_t body, Kind kind, int first, int last) {
        for (int axis = first; axis <= last; ++axis) {
            out.push_back({body, kind, axis});
        }
    };
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!system.bodies.is_held(i)) {
            add(i, Kind::position, 0, planar ? 1 : 2);
            add(i, Kind::velocity, 0, planar ? 1 : 2);
        }
        if (!system.bodies.is_turning_held(i)) {
            add(i, Kind::angle, planar ? 2 : 0, 2);
            add(i, Kind::spin, planar ? 2 : 0, 2);
        }
    }
    return out;
}

void refuse_large(const std::vector<Unknown>& unknowns) {
    if (unknowns.size() > StiffnessStudy::most_unknowns) {
        throw base::InputError(
            fmt::format("the equations of motion have {} unknowns, more than the {} of which eigenvalues are found (12 "
                        "a free grain): take a scene with fewer grains",
                        unknowns.size(), StiffnessStudy::most_unknowns));
    }
}

/// m/s that a body moves with, or would under gravity within its own size.
double speed_of(const model::System& system, std::size_t i) {
    const model::Bodies& bodies = system.bodies;
    const double speed = std::max({norm(bodies.velocity[i]), norm(bodies.spin[i]) * bodies.radius[i],
                                   std::sqrt(norm(system.gravity) * bodies.radius[i])});
    return speed > 0 ? speed : bodies.radius[i] / system.clock.step;
}

double change_of(const model::System& system, const Unknown& unknown) {
    const double radius = system.bodies.radius[unknown.body];
    switch (unknown.kind) {
        case Kind::position:
            return small_length * radius;
        case Kind::velocity:
            return small_speed * speed_of(system, unknown.body);
        case Kind::angle:
            return small_length;
        default:
            return small_speed * speed_of(system, unknown.body) / radius;
    }
}

Motion changed(Motion motion, const Unknown& unknown, double by) {
    Vec3d change;
    change[unknown.axis] = by;
    switch (unknown.kind) {
        case Kind::position:
            motion.position += change;
            break;
        case Kind::velocity:
            motion.velocity += change;
            break;
        case Kind::angle:
            motion.turn = quaternion_from_rotation_vector(change) * motion.turn;
            break;
        default:
            motion.spin += change;
    }
    return motion;
}

/// rad/s2, by Euler's equations.
Vec3d spin_rate(const model::System& system, std::size_t i, const Motion& motion, const Vec3d& torque) {
    if (system.grains.is_sphere(i)) {
        return torque / system.bodies.inertia[i];
    }
    const Vec3d& m = system.grains.moment[i];
    const Vec3d turning = math::angular_momentum_of(motion.spin, motion.turn, m);
    return math::spin_of(torque - cross(motion.spin, turning), motion.turn, {1 / m.x, 1 / m.y, 1 / m.z});
}

/// How fast each of the unknowns changes; gravity, the same always, is left out.
std::vector<double> rates(const model::System& system, const std::vector<Unknown>& unknowns,
                          const std::vector<Motion>& motion, const std::vector<Wrench>& wrench) {
    std::vector<double> out;
    out.reserve(unknowns.size());
    for (const auto& [body, kind, axis] : unknowns) {
        switch (kind) {
            case Kind::position:
                out.push_back(motion[body].velocity[axis]);
                break;
            case Kind::velocity:
                out.push_back(wrench[body].force[axis] / system.bodies.mass[body]);
                break;
            case Kind::angle:
                out.push_back(motion[body].spin[axis]);
                break;
            default:
                out.push_back(spin_rate(system, body, motion[body], wrench[body].torque)[axis]);
        }
    }
    return out;
}

/// Whether a is to be named rather than b, of two that are as large: of a conjugate pair the upper one.
bool upper(const std::complex<double>& a, const std::complex<double>& b) {
    return std::pair(std::abs(a.imag()), a.imag()) > std::pair(std::abs(b.imag()), b.imag());
}

StiffnessSample sample_of(double time, const std::vector<std::complex<double>>& all) {
    StiffnessSample out;
    out.time = time;
    if (!all.empty()) {
        out.most_negative = out.farthest = all[0];
    }
    for (const std::complex<double>& e : all) {
        const auto better = [&](double own, double other, const std::complex<double>& than) {
            return own > other || (own == other && upper(e, than));
        };
        if (better(-e.real(), -out.most_negative.real(), out.most_negative)) {
            out.most_negative = e;
        }
        if (better(std::abs(e.real()), std::abs(out.farthest.real()), out.farthest)) {
            out.farthest = e;
        }
        out.radius = std::max(out.radius, std::abs(e));
    }
    return out;
}

/// The sample at this part (0 to 1) of those in ascending order of `size`.
template <class Size>
const StiffnessSample& ranked(const std::vector<StiffnessSample>& samples, double part, Size size,
                              std::vector<StiffnessSample>& room) {
    room = samples;
    const auto at = room.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(room.size() - 1));
    std::nth_element(room.begin(), at, room.end(),
                     [&](const StiffnessSample& a, const StiffnessSample& b) { return size(a) < size(b); });
    return *at;
}

StiffnessSample summary(const std::vector<StiffnessSample>& samples, double part) {
    std::vector<StiffnessSample> room;
    StiffnessSample out;
    out.most_negative = ranked(
                            samples, part, [](const StiffnessSample& s) { return -s.most_negative.real(); }, room)
                            .most_negative;
    out.farthest = ranked(
                       samples, part, [](const StiffnessSample& s) { return std::abs(s.farthest.real()); }, room)
                       .farthest;
    out.radius = ranked(
                     samples, part, [](const StiffnessSample& s) { return s.radius; }, room)
                     .radius;
    return out;
}

}  // namespace

SquareMatrix jacobian_of_motion(Simulation& run) {
    engines::grains::Engine* engine = run.engine().general();
    if (engine == nullptr) {
        throw base::InputError("only the general soft engine tells forces for any motion");
    }
    const model::System& system = run.system();
    const std::vector<Unknown> unknowns = unknowns_of(system);
    refuse_large(unknowns);
    // Some laws bring grains to rest within a step: they must know how long it is.
    const bool chosen = system.integration.adaptive() && system.integration_state.suggested > 0;
    const double step = chosen ? system.integration_state.suggested : system.clock.step;
    std::vector<Motion> motion = engine->motions();
    SquareMatrix out(unknowns.size());
    for (std::size_t column = 0; column < unknowns.size(); ++column) {
        const Unknown& unknown = unknowns[column];
        const Motion before = motion[unknown.body];
        const double by = change_of(system, unknown);
        const auto rates_at = [&](double change) {
            motion[unknown.body] = changed(before, unknown, change);
            return rates(system, unknowns, motion, engine->wrenches(motion, run.time(), step));
        };
        const std::vector<double> above = rates_at(by);
        const std::vector<double> below = rates_at(-by);
        motion[unknown.body] = before;
        for (std::size_t row = 0; row < unknowns.size(); ++row) {
            out(row, column) = (above[row] - below[row]) / (2 * by);
        }
    }
    engine->wrenches(motion, run.time(), step);  // contacts and walls as they were
    return out;
}

StiffnessStudy study_stiffness(scene::Scene scene, const StiffnessOptions& options) {
    eigenvalues(SquareMatrix(0));  // without Eigen there is no use in running
    if (scene.engine != "soft") {
        throw base::InputError(
            fmt::format("stiffness is that of soft contacts; impacts of engine = \"{}\" have no forces", scene.engine));
    }
    const std::optional<double> end = options.until ? options.until : planned_end(scene.plan);
    if (!end) {
        throw base::InputError("the scene has no time at which it ends for sure; say until when to look");
    }
    const double step = scene.system.clock.step;
    const auto stride = static_cast<std::int64_t>(*end / step) / options.samples;
    if (stride < 1) {
        throw base::InputError(
            fmt::format("there are fewer than {} steps of {:.4g} s up to {:.4g} s", options.samples, step, *end));
    }
    StiffnessStudy study;
    const std::vector<Unknown> unknowns = unknowns_of(scene.system);
    refuse_large(unknowns);
    study.unknowns = unknowns.size();
    study.step = step;
    Simulation run(std::move(scene), {options.threads, 0, true});
    for (int k = 0; k < options.samples && !run.finished(); ++k) {
        run.step(stride);
        study.samples.push_back(sample_of(run.time(), eigenvalues(jacobian_of_motion(run))));
    }
    if (study.samples.empty()) {
        throw base::InputError("the scene ends as it begins");
    }
    study.largest = summary(study.samples, 1);
    study.median = summary(study.samples, 0.5);
    study.stable_step = study.largest.radius > 0 ? 2 / study.largest.radius : std::numeric_limits<double>::quiet_NaN();
    return study;
}

std::string as_csv(const StiffnessStudy& study) {
    std::string out =
        "time [s],most negative real part [1/s],its imaginary part [1/s],"
        "largest absolute real part [1/s],its imaginary part [1/s],spectral radius [1/s]\n";
    for (const StiffnessSample& s : study.samples) {
        out += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", s.time, s.most_negative.real(),
                           s.most_negative.imag(), s.farthest.real(), s.farthest.imag(), s.radius);
    }
    return out;
}

}  // namespace talus::simulation
