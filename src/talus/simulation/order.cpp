#include "talus/simulation/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/base/diagnostics.h"
#include "talus/simulation/simulation.h"

namespace talus::simulation {

namespace {

/// Minus the slope of log2(value) over the number of halvings.
double fitted_order(const std::vector<double>& values) {
    double n = 0, k_sum = 0, y_sum = 0, kk = 0, ky = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] > 0) {
            const auto x = static_cast<double>(k);
            const double y = std::log2(values[k]);
            n += 1;
            k_sum += x;
            y_sum += y;
            kk += x * x;
            ky += x * y;
        }
    }
    return n < 2 ? std::numeric_limits<double>::quiet_NaN() : -(n * ky - k_sum * y_sum) / (n * kk - k_sum * k_sum);
}

/// What the energy is wrong by, whatever the ledger puts down to the time step itself.
double energy_error(const Simulation& run) {
    const auto q = static_cast<std::size_t>(model::Mechanism::time_step);
    return run.balance().residual - run.energies().dissipated[q];
}

struct Path {
    std::vector<std::int64_t> ids;
    std::vector<double> mass;                  // kg
    std::vector<std::vector<math::Vec3d>> at;  // m, at each sample
    std::vector<double> energy;                // J
};

Path run_once(scene::Scene scene, std::int64_t stride, int samples, int threads) {
    Simulation run(std::move(scene), {threads, 0});
    if (!run.engine().takes_steps()) {
        throw base::InputError("a scene in ballistic flight has no time step");
    }
    Path out;
    out.ids = run.system().bodies.id;
    out.mass = run.system().bodies.mass;
    for (int k = 0; k < samples; ++k) {
        run.step(stride);
        if (run.system().bodies.id != out.ids) {
            throw base::InputError(fmt::format(
                "grains came or left by t = {:.6g} s: configurations of other grains have no distance", run.time()));
        }
        out.at.push_back(run.system().bodies.position);
        out.energy.push_back(energy_error(run));
    }
    return out;
}

double distance_of(const Path& a, const Path& b, std::size_t sample, const model::Domain& domain) {
    double sum = 0;
    double mass = 0;
    for (std::size_t i = 0; i < a.mass.size(); ++i) {
        math::Vec3d d = b.at[sample][i] - a.at[sample][i];
        for (int axis = 0; axis < 3; ++axis) {
            if (domain.periodic[static_cast<std::size_t>(axis)]) {
                d[axis] -= domain.size()[axis] * std::round(d[axis] / domain.size()[axis]);
            }
        }
        sum += a.mass[i] * norm2(d);
        mass += a.mass[i];
    }
    return std::sqrt(sum / mass);
}

}  // namespace

OrderStudy study_order(const std::function<scene::Scene(const std::vector<std::string>&)>& load,
                       const OrderOptions& options) {
    scene::Scene first = load({});
    const double step = first.system.clock.step;
    const std::optional<double> end = options.until ? options.until : planned_end(first.plan);
    if (!end) {
        throw base::InputError(
            "the scene has no time at which it ends for sure; say until when runs are to be compared");
    }
    const auto stride = static_cast<std::int64_t>(*end / step) / options.samples;
    if (stride < 1) {
        throw base::InputError(
            fmt::format("there are fewer than {} steps of {:.4g} s up to {:.4g} s", options.samples, step, *end));
    }
    const model::Domain domain = first.system.domain;
    OrderStudy study;
    for (int k = 1; k <= options.samples; ++k) {
        study.time.push_back(static_cast<double>(k * stride) * step);
    }
    Path last;
    for (int k = 0; k <= options.halvings; ++k) {
        const double h = std::ldexp(step, -k);
        Path path = run_once(k == 0 ? std::move(first) : load({fmt::format("time.step=\"{:.17g} s\"", h)}), stride << k,
                             options.samples, options.threads);
        study.step.push_back(h);
        study.energy.push_back(path.energy);
        if (k > 0) {
            std::vector<double>& between = study.distance.emplace_back();
            for (std::size_t s = 0; s < path.at.size(); ++s) {
                between.push_back(distance_of(last, path, s, domain));
            }
        }
        last = std::move(path);
    }
    for (const std::vector<double>& between : study.distance) {
        double sum = 0;
        for (const double d : between) {
            sum += d * d;
        }
        study.apart.push_back(std::sqrt(sum / static_cast<double>(between.size())));
    }
    for (const std::vector<double>& of_run : study.energy) {
        double most = 0;
        for (const double e : of_run) {
            most = std::max(most, std::abs(e));
        }
        study.wrong.push_back(most);
    }
    study.trajectory_order = fitted_order(study.apart);
    study.energy_order = fitted_order(study.wrong);
    return study;
}

std::string as_csv(const OrderStudy& study) {
    std::string out = "time [s]";
    for (std::size_t k = 0; k < study.distance.size(); ++k) {
        out += fmt::format(",distance {:.6g} s to {:.6g} s [m]", study.step[k], study.step[k + 1]);
    }
    for (const double h : study.step) {
        out += fmt::format(",energy error at {:.6g} s [J]", h);
    }
    out += '\n';
    for (std::size_t s = 0; s < study.time.size(); ++s) {
        out += fmt::format("{:.17g}", study.time[s]);
        for (const std::vector<double>& between : study.distance) {
            out += fmt::format(",{:.17g}", between[s]);
        }
        for (const std::vector<double>& of_run : study.energy) {
            out += fmt::format(",{:.17g}", of_run[s]);
        }
        out += '\n';
    }
    return out;
}

}  // namespace talus::simulation
