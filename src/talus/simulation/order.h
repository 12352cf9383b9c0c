// The order of an integrator seen from outside (POLY's features viii and ix): a scene is run again and again with half
// the step, and how far synchronous configurations lie apart and how wrong the energy is tells the power of the step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "talus/scene/scene.h"

namespace talus::simulation {

struct OrderOptions {
    int halvings = 4;
    int samples = 40;             // instants at which runs are compared
    std::optional<double> until;  // s; absent: to the end of the scene
    int threads = 1;
};

struct OrderStudy {
    std::vector<double> step;  // s, of each run
    std::vector<double> time;  // s, of each sample
    /// m, by run and sample: to the next run, the root of the mean of |dx|^2 over grains, each with its mass.
    std::vector<std::vector<double>> distance;
    std::vector<std::vector<double>> energy;  // J, by run and sample: what there is too much
    std::vector<double> apart;                // m, by run: root mean square of its distances over all samples
    std::vector<double> wrong;                // J, by run: largest magnitude of its energy errors
    double trajectory_order = 0;              // of `apart`, fitted to all runs
    double energy_order = 0;                  // of `wrong`, fitted likewise; NaN without any error
};

/// `load` gives the scene with these overrides. Throws base::InputError for a scene without steps or end, and where
/// grains come or leave.
OrderStudy study_order(const std::function<scene::Scene(const std::vector<std::string>&)>& load,
                       const OrderOptions& options);

/// A column of times, then distances and energy errors run by run, with a header.
std::string as_csv(const OrderStudy& study);

}  // namespace talus::simulation
