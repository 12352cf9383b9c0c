// A few grains at stated places above a floor, as a user would write it: tests append stages, measures and outputs.
#pragma once

#include <fstream>
#include <string>

#include "talus/scene/scene.h"
#include "talus/simulation/simulation.h"
#include "temporary_folder.h"

namespace talus::simulation {

/// Grains of 1 cm (4.19 g) with a collision time of 3.3 ms. Rows of `grains` are "x,y,z" or, with `with_velocity`,
/// "x,y,z,vx,vy,vz", each ended by a line end.
class StagedScene {
public:
    explicit StagedScene(const std::string& grains, bool with_velocity = false) {
        std::ofstream csv(folder_.path() / "grains.csv");
        csv << (with_velocity ? "x,y,z,vx,vy,vz,radius\n" : "x,y,z,radius\n");
        for (std::size_t begin = 0, end = 0; (end = grains.find('\n', begin)) != std::string::npos; begin = end + 1) {
            csv << grains.substr(begin, end - begin) << ",0.01\n";
        }
    }

    scene::Scene load(const std::string& rest) const {
        const std::filesystem::path file = folder_.path() / "staged.toml";
        std::ofstream(file) << head << rest;
        return scene::load(file);
    }
    const std::filesystem::path& folder() const { return folder_.path(); }

private:
    static constexpr const char* head = R"(
title = "staged"
[time]
step = 6e-5
[gravity]
uniform = [0, 0, -10]
[materials.grain]
density = 1000
[materials.steel]
[[contacts]]
between     = ["grain", "*"]
law         = "hooke"
kn          = 2000
kt          = "2/7 kn"
restitution = 0.5
ct          = 0.5
friction    = { static = 0.3, rolling = 0.05, twisting = 0.05 }
slip_memory = 1
[[fill]]
material = "grain"
file     = "grains.csv"
)";
    tests::TemporaryFolder folder_;
};

inline constexpr const char* floor_wall = R"(
[[walls]]
name = "floor"
shape = { plane = {} }
material = "steel"
)";

/// One thread, so that tests run beside each other.
inline Options one_thread() {
    return {1, 0};
}

inline void run_to_end(Simulation& simulation) {
    while (!simulation.finished()) {
        simulation.step();
    }
}

/// Steps until the stage of that name has begun, its actions included.
inline void run_to_stage(Simulation& simulation, const std::string& name) {
    while (!simulation.finished() && simulation.stage_name() != name) {
        simulation.step();
    }
}

}  // namespace talus::simulation
