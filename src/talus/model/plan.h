// What a run does and records beside moving grains: stages, measures, outputs. Plain data, filled from the scene.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/geometry/shape.h"
#include "talus/model/materials.h"
#include "talus/model/motion.h"
#include "talus/model/region.h"
#include "talus/model/wall.h"

namespace talus::model {

// --- stages -----------------------------------------------------------------------------------------------------

struct AddWall {
    Wall wall;
};
struct RemoveWall {
    std::string wall;
};
struct ReplaceWall {  // same name, material and behaviour; another shape at another base pose
    std::string wall;
    geometry::Shape shape;
    Pose base;
};
struct SetMotion {  // from the moment of entry; the wall's pose is continuous
    std::string wall;
    Motion motion;                    // start times relative to the entry
    std::vector<OwnAxis> own_axes{};  // by spin; where the wall is by then is known only on entry
};
struct SetBehaviour {  // grains that stick already go on doing so
    std::string wall;
    WallBehaviour behaviour = WallBehaviour::normal;
};
struct RemoveParticles {
    Region region;
    bool whole = false;  // true: only grains that lie wholly inside; false: those whose centre does
};
struct AddParticles {
    std::size_t fill = 0;  // of the scene's fills that belong to stages
};
struct SetGravity {
    Vec3d gravity;
};
struct SetContact {  // another law or other parameters for one pair of materials
    std::int32_t material_a = 0, material_b = 0;
    PairLaw law;
};
struct SetVelocity {
    Region region;
    std::optional<Vec3d> velocity;  // m/s
    std::optional<Vec3d> spin;      // rad/s
    bool add = false;               // added to the present values instead of replacing them
};
using Action = std::variant<AddWall, RemoveWall, ReplaceWall, SetMotion, SetBehaviour, RemoveParticles, AddParticles,
                            SetGravity, SetContact, SetVelocity>;

/// The stage ends as soon as one of its rules holds.
struct StopRule {
    std::optional<double> at_time;   // s, absolute
    std::optional<double> duration;  // s, from entry
    /// Settled: mean kinetic energy per grain below `settled_energy` * m g R and the net force on a grain, averaged,
    /// below `settled_balance` of the mean contact force, both at every check over `settled_for` seconds.
    bool settled = false;
    double settled_energy = 1e-5;
    double settled_balance = 1e-2;
    double settled_for = 0.02;
    std::optional<double> timeout;  // s, from entry; reaching it is said in the log and the manifest
    /// Count reached: at most `particles_below` grains are left (in `count_region`).
    std::optional<std::int64_t> count_at_most;
    std::optional<std::int64_t> count_at_least;
    Region count_region;
};

struct Stage {
    std::string name;
    StopRule until;
    std::vector<Action> actions;
};

// --- measures ---------------------------------------------------------------------------------------------------

enum class MeasureKind {
    discharge,     // mass and number that crossed a plane, and the steady rate
    coordination,  // mean number of contacts per grain
    packing,       // solid fraction in a region
    height,        // top of the grains (99th percentile and maximum) along the axis
    center_of_mass,
    stress,                 // mean contact stress tensor in a region, and per-grain stress in frames
    profile,                // motion, packing and stress on a grid, averaged over time
    energies,               // energies by kind, averaged over time
    scale_heights,          // mean heights of grains by mass, against those of an isothermal atmosphere
    surface_slope,          // angle of a free surface
    velocity_distribution,  // velocities against Maxwell's
    displacement,           // mean-square displacement and diffusion
    radial,                 // turning, packing and stress in rings about an axis
};

/// One coordinate of a grid, divided into equal bins.
struct GridAxis {
    double low = 0, high = 1;  // m
    int bins = 20;
};
/// The cells of a profile.
struct ProfileGrid {
    enum class Kind {
        slices,  // one coordinate, along `axis`
        boxes,   // three: x, y, z; in the plane two
        rings,   // two: the distance from the line through `origin` along `axis`, and the way along it from there; in
                 // the plane the second is one bin from -0.5 m to 0.5 m
    };
    Kind kind = Kind::slices;
    Vec3d origin;  // m
    Vec3d axis{0, 0, 1};
    std::vector<GridAxis> along = std::vector<GridAxis>(1);

    /// The averages of a cell take some 10 kB of memory and of every checkpoint.
    static constexpr std::int64_t most_cells = 20'000;
};

/// Where and how a free surface is looked for.
struct SurfaceSpec {
    Vec3d along{1, 0, 0};            // its slope is taken along this; unit, across the axis of the measure
    std::optional<double> from, to;  // m, along . x between which the line is fitted; absent: the middle half
    double bin_width = 0;            // m; 0: two mean diameters
    std::string drum;                // a round wall whose covered rim is told; empty: none
};

/// A histogram between -reach and reach.
struct HistogramSpec {
    int bins = 50;
    double reach = 5;  // thermal speeds

    static constexpr std::int64_t most_bins = 10'000;
};

struct MeasureSpec {
    std::string name;  // column prefix; defaults to the kind
    MeasureKind kind = MeasureKind::discharge;
    Region region;        // where it counts; all of space by default
    Vec3d axis{0, 0, 1};  // discharge: normal of the plane; height, scale_heights, surface_slope: upwards
    double offset = 0;    // m, plane at axis . x = offset: crossed against the axis (discharge), floor (scale_heights)
    ProfileGrid grid{};   // profile, radial
    SurfaceSpec surface{};                                   // surface_slope
    HistogramSpec histogram{};                               // velocity_distribution
    double interval = 0;                                     // s between samples; 0: the series interval
    double start = 0;                                        // s
    double after = 0;                                        // s, samples before it are shown but enter no average
    double until = std::numeric_limits<double>::infinity();  // s, radial: the same for samples after it
    std::string stage;                                       // only during this stage; empty: always
    /// discharge: if set, Beverloo's law for a round hole of this diameter is printed beside the result.
    double hole_diameter = 0;  // m
    /// discharge: solid fraction of the bulk in Beverloo's law; 0: measured before the flow begins.
    double bulk_packing = 0;
};

// --- outputs ----------------------------------------------------------------------------------------------------

struct OutputSpec {
    double frame_interval = 0;       // s; 0: only the first and the last state
    double series_interval = 0;      // s; 0: a thousandth of the run
    double checkpoint_interval = 0;  // s of wall time; 0: every five minutes
    bool contacts = true;            // store contacts with forces in frames
};

struct Plan {
    std::string title;
    std::vector<Stage> stages;  // run in order; at least one
    std::vector<MeasureSpec> measures;
    OutputSpec output;
    double overlap_limit = 0.01;  // of the smaller radius; beyond it contacts are counted and warned of once
};

/// The latest time at which the stages from `first` on, that one entered at `entered_at`, have ended; nothing if that
/// depends on the grains alone. `now` is the present time.
std::optional<double> latest_end(const Plan& plan, std::size_t first, double entered_at, double now);
/// The same from the start.
inline std::optional<double> planned_end(const Plan& plan) {
    return latest_end(plan, 0, 0, 0);
}

}  // namespace talus::model
