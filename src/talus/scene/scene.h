// From a scene file to a model that can run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/model/plan.h"
#include "talus/model/system.h"
#include "talus/scene/fill.h"

namespace talus::scene {

/// What two materials that can meet ask of the time step, for their lightest grains. For `talus check`.
struct PairAdvice {
    std::int32_t material_a = 0, material_b = 0;
    bool wall = false;           // grain of material_a against a wall of material_b
    double reduced_mass = 0;     // kg
    double radius = 0;           // m, effective
    double collision_time = 0;   // s
    double suggested_step = 0;   // s, SSDEM Eq. 39
    double stable_step = 0;      // s
    double largest_overlap = 0;  // m, head-on at the reference speed without damping
};

struct Scene {
    model::System system;
    model::Plan plan;
    std::vector<FillSpec> stage_fills;  // carried out when a stage begins, see model::AddParticles
    std::string engine = "soft";
    base::Diagnostics warnings;    // warnings and notes
    std::string text;              // the scene as run: the file with the overrides applied, valid TOML
    std::filesystem::path source;  // empty for a scene given as text
    bool automatic_step = true;
    double reference_speed = 0;  // m/s, impact speed that the advice below is for
    double suggested_step = 0;   // s, the shortest of all pairs; infinite if nothing can collide
    double stable_step = 0;      // s
    std::vector<PairAdvice> pairs;
};

/// Reads, checks and builds a scene. `overrides` are "dotted.key=value" as given to --set.
/// Throws base::InputError with every fault found.
Scene load(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
/// The same from text; `name` stands for the file in messages, relative paths are resolved against `folder`.
Scene load_text(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides = {},
                const std::filesystem::path& folder = ".");
/// What a run that goes on from a saved state needs of its scene: all but the grains, the laws between materials and
/// the step, which are part of that state. Files of fills are not looked for. Contacts that stages bring in have no
/// law. Nor are those of meshes: `meshes` are the ones that the state holds.
Scene load_without_grains(std::string_view toml, const std::string& name, std::vector<model::MeshSource> meshes = {});

}  // namespace talus::scene
