// Turning checked values into the model, part by part. A part reports every fault it finds and goes on with what is
// sound; only filling and what rests on it waits until nothing is wrong.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/geometry/make_shape.h"
#include "talus/laws/registry.h"
#include "talus/scene/fill.h"
#include "talus/scene/scene.h"
#include "talus/scene/stiffness.h"
#include "talus/scene/value.h"

namespace talus::scene {

/// A wall as it is known while the stages are read in order.
struct KnownWall {
    std::string name;
    Value shape;                             // as last written, for changes that leave keys out
    std::optional<geometry::Placed> placed;  // absent: at fault
    std::int32_t material = -1;
    base::Location where;  // of its entry
    base::Location material_where;
    bool present = true;
    bool from_start = true;
    bool driven = false;  // by forces, at some time
};

/// A [grains.NAME] table: its shapes in Grains::shapes.
struct KnownGrain {
    std::string name;
    std::int32_t first = 0, count = 0;
    bool has_density = false;
};

/// A [[contacts]] entry, or a `contact` action.
struct ContactRule {
    std::string pattern_a, pattern_b;
    int law = -1;
    laws::ParameterValues values;     // SI, with defaults, without those below
    laws::ParameterValues multiples;  // of `multiple_of`
    std::string multiple_of;
    std::string helped;  // the parameter that `helper` gives; empty: none
    StiffnessHelper helper;
    Value entry;                      // for messages
    laws::ParameterBlock parameters;  // once resolved
    laws::ImpactParams impact;        // for the hard engine
};

/// A `contact` action whose parameters are worked out after the fills.
struct PendingContact {
    std::size_t stage = 0, action = 0, rule = 0;
};

struct Build {
    const Value& root;
    Scene& scene;
    base::Diagnostics& diagnostics;
    std::filesystem::path folder;
    bool with_grains = true;  // false: they come from a saved state

    std::vector<Value> material_values{};  // as System::materials
    std::vector<KnownGrain> grains{};
    std::vector<KnownWall> walls{};
    std::vector<FillSpec> fills{};
    std::vector<ContactRule> rules{};  // [[contacts]] in order
    std::vector<ContactRule> stage_rules{};
    std::vector<PendingContact> pending{};

    /// The engine that the scene asks for; empty where that key is at fault, and nothing can be said of what it lacks.
    std::string engine() const { return root.text_or("engine", ""); }
    bool planar() const { return scene.system.domain.planar(); }
    void fault(const Value& at, std::string message, std::string expected = {}, std::string suggestion = {}) const {
        diagnostics.error(at.where, at.key, std::move(message), std::move(expected), std::move(suggestion));
    }
    /// Index of a material by the name that `name` holds; reports an unknown one and gives -1.
    std::int32_t material(const Value& name) const;
    /// The shapes of a grain by the name that `name` holds; reports an unknown one and gives none.
    std::vector<std::int32_t> grain(const Value& name) const;
    /// A present wall by the name that `name` holds; reports an unknown or removed one and gives null.
    KnownWall* wall(const Value& name);
};

void build_materials(Build& build);
void build_grains(Build& build);
void build_domain(Build& build);
void build_integration(Build& build);
/// [fields] and [forces]; fills rest on them.
void build_fields(Build& build);
void build_output(Build& build);
void build_contacts(Build& build);
void build_walls(Build& build);
void build_fills(Build& build);
void build_stages(Build& build);
void build_measures(Build& build);
/// Every field and force over a distance must have something to act on.
void check_fields(const Build& build);
/// Every pair of materials that can meet must have a contact.
void check_pairs(const Build& build);
/// Refuses periods that are too short for grains of this radius (m).
void check_period(const Build& build, const base::Location& where, const std::string& key, double largest_radius);
/// The same for all grains of the scene, once all walls and stages are known.
void check_periods_of_all(const Build& build);
/// Carries out the fills; then the contacts that needed the grains; then the time step.
void carry_out_fills(Build& build);
void resolve_contacts(Build& build);
/// Whether the run needs an engine for grains of any shape (System::general), and what such a one cannot do.
void check_engine(Build& build);
void choose_time_step(Build& build);
/// The same for hard grains, whose drifts or looks it is.
void choose_hard_step(Build& build);
/// The same for time-stepped hard grains.
void choose_stepped_step(Build& build);
/// m/s: the fall through the height of all grains along gravity, or the fastest grain; 1 m/s if nothing moves.
double default_speed(const model::System& system);

// --- pieces that several parts use --------------------------------------------------------------------------------

/// A fill from its entry; `place` tells its random numbers from those of others.
FillSpec build_fill(Build& build, const Value& entry, std::uint64_t place);
/// Charges and dipoles of a fill's grains, by their materials.
void take_moments(const Build& build, const Value& entry, FillSpec& spec);
/// Whether the name may stand in file names and columns; reports it otherwise.
bool check_name(const Build& build, const Value& name);
void check_colour(const Build& build, const Value& table);
ContactRule contact_rule(const Build& build, const Value& entry);
/// Pairs (a <= b) of material indices that a rule covers.
std::vector<std::pair<std::int32_t, std::int32_t>> covered_pairs(const Build& build, const ContactRule& rule);
/// What keeps a wall of a plane scene from standing upright on the plane, and what to write instead; faults are
/// reported.
bool check_upright(const Build& build, const Value& keys, const geometry::Placed& placed);
/// The shape that `shape` describes; faults are reported.
std::optional<geometry::Placed> placed_shape(Build& build, const Value& shape);
/// A mesh from its file, relative to the scene; what is odd about it is told. Throws std::invalid_argument.
geometry::Placed place_mesh(Build& build, const Value& keys);
/// By the word that the key takes.
model::WallBehaviour wall_behaviour(const std::string& name);
/// The entry itself, or those of the walls that a `grid` stands for; faults are reported.
std::vector<Value> bars_of(const Build& build, const Value& entry);
/// A wall from its entry; also made known. Absent if at fault.
std::optional<model::Wall> build_wall(Build& build, const Value& entry, bool from_start);
/// A motion whose spins may follow the wall's own axis, wherever that is by then.
struct BuiltMotion {
    model::Motion motion;
    std::vector<model::OwnAxis> own_axes;
};
/// Of a wall that is `placed`, as far as that is known.
BuiltMotion build_motion(const Build& build, const std::vector<Value>& entries,
                         const std::optional<geometry::Placed>& placed);
/// What `free`, `hinge` or `servo` of a motion's entry says; faults are reported.
std::optional<model::Drive> build_drive(const Build& build, const Value& entry,
                                        const std::optional<geometry::Placed>& placed);
/// The grid and the region of a `profile`.
void build_profile(Build& build, const Value& keys, model::MeasureSpec& spec);
/// The region that the region keys of `table` describe.
model::Region build_region(Build& build, const Value& table);
/// All but the solid inside of a wall.
std::optional<model::RegionPart> outside_of(Build& build, const Value& name);
/// Whether any region key is given.
bool has_region(const Value& table);
/// The half-spaces of `above = …` (sign +1) or `below = …` (sign -1).
std::vector<model::RegionPart> half_spaces(const Build& build, const Value& bound, double sign);
/// The solid inside of a wall, as a region.
std::optional<model::RegionPart> inside_of(Build& build, const Value& name, const model::Region& others);

}  // namespace talus::scene
