// Scenes of one grain among walls of one piece or of triangles, and the contacts it has there.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "mesh_files.h"
#include "talus/simulation/simulation.h"
#include "temporary_folder.h"

namespace talus::tests {

using simulation::Simulation;

/// One grain of 5 mm in a box or on a floor: a sphere, or of a `shape` that the head tells.
class OneGrain {
public:
    OneGrain(const std::string& grain, std::string head, const std::string& shape = "")
        : head_(std::move(head)), shape_(shape.empty() ? "" : "grain = \"" + shape + "\"\n") {
        std::ofstream(folder_ / "grain.csv") << "x,y,z,vx,vy,vz,radius\n" << grain << ",0.005\n";
    }
    void mesh(const std::string& name, const Mesh& mesh) const { write_obj(folder_ / name, mesh); }

    std::unique_ptr<Simulation> start(const std::string& walls, bool general = false) const {
        const std::string text = head_ + "[materials.grain]\ndensity = 2500\n[materials.steel]\n" + walls +
                                 "[[fill]]\nmaterial = \"grain\"\nfile = \"grain.csv\"\n" + shape_ +
                                 "[[stages]]\nname = \"run\"\nuntil = { duration = 1e6 }\n";
        return std::make_unique<Simulation>(scene::load_text(text, "s.toml", {}, folder_.path()),
                                            simulation::Options{1, 0, general});
    }

private:
    std::string head_, shape_;
    TemporaryFolder folder_;
};

inline std::string wall(const std::string& name, const std::string& shape, const std::string& more = "") {
    return "[[walls]]\nname = \"" + name + "\"\nmaterial = \"steel\"\nshape = { " + shape + " }\n" + more;
}

inline const std::string hooke_law =
    "[[contacts]]\nbetween = [\"grain\", \"*\"]\nlaw = \"hooke\"\nkn = 1e4\nkt = \"2/7 kn\"\nrestitution = 1\nct = 0\n"
    "friction = { static = 0.3 }\nslip_memory = 1\n";
inline const std::string impact_law =
    "[[contacts]]\nbetween = [\"grain\", \"*\"]\nlaw = \"impact\"\nrestitution = 1\n"
    "tangential_restitution = 0.7\nfriction = 0.3\n";

}  // namespace talus::tests
