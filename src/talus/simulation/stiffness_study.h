// How stiff the equations of motion are (SOLVER Sect. 4.2): a soft scene is run, and at some instants the Jacobian of
// d(position, velocity, angle, spin)/dt is formed by finite differences. Its eigenvalues tell what explicit steps are
// stable. What contacts remember (springs of friction) stays as it is.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "talus/scene/scene.h"
#include "talus/simulation/eigenvalues.h"
#include "talus/simulation/simulation.h"

namespace talus::simulation {

struct StiffnessOptions {
    int samples = 20;
    std::optional<double> until;  // s; absent: to the end of the scene
    int threads = 1;
};

struct StiffnessSample {
    double time = 0;                     // s
    std::complex<double> most_negative;  // 1/s: the eigenvalue with the most negative real part
    std::complex<double> farthest;       // 1/s: that with the largest real part, by magnitude
    double radius = 0;                   // 1/s: the largest magnitude
};

struct StiffnessStudy {
    /// A Jacobian above this size is refused: it is dense, and time goes with its cube.
    static constexpr std::size_t most_unknowns = 2000;

    std::size_t unknowns = 0;  // of the first sample
    double step = 0;           // s, of the scene
    std::vector<StiffnessSample> samples;
    StiffnessSample largest, median;  // of each column by itself; times are without meaning
    double stable_step = 0;           // s, 2 / the largest radius; NaN if nothing acts
};

/// How the rates of position, velocity, angle and spin of all free bodies change with each of them, now (SI units).
/// The run must have the general engine.
SquareMatrix jacobian_of_motion(Simulation& run);

/// Throws base::InputError for scenes that are not soft, have no end, or are too large.
StiffnessStudy study_stiffness(scene::Scene scene, const StiffnessOptions& options);

/// A row a sample, with a header.
std::string as_csv(const StiffnessStudy& study);

}  // namespace talus::simulation
