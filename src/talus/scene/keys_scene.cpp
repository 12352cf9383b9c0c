// The keys at the top of a scene, and the small tables that belong to no one else.
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

Table with_moments(Table table) {
    const std::vector<Key> moments = moment_keys("none");
    table.keys.insert(table.keys.end(), moments.begin(), moments.end());
    return table;
}

const Table& time_table() {
    static const Table table = {
        "time",
        "Time",
        "How long the run lasts and how fine its steps are.",
        {
            {"step",
             {choice({"auto"}), number(dimension::time).positive()},
             "Length of a step; `\"auto\"` takes `safety` times the advice of SSDEM Eq. 39, a fiftieth of the shortest "
             "collision. A longer step than advised is warned of, one beyond stability is refused. Drifts of hard "
             "grains are advised to last a hundredth of the fall through the smallest radius. Ballistic flights have "
             "no steps: this is how often they are looked at, to end stages and to write; by itself a ten-thousandth "
             "of the run, or a tenth of the fall through the smallest radius where its end is not known.",
             "\"auto\"",
             "",
             false,
             "\"3 us\""},
            {"end",
             {number(dimension::time).positive()},
             "When the run ends: short for a single stage. Not together with `[[stages]]`.",
             "",
             "the stages say when the run ends",
             false,
             "\"6 s\""},
            {"safety", {number(dimension::none).positive()}, "Automatic step as a fraction of the advised one.", "1"},
            {"reference_speed",
             {number(dimension::velocity).positive()},
             "Impact speed for laws whose collision time depends on it (Hertz), and for the expected overlaps that "
             "`talus check` prints. Hard grains have no use for it.",
             "",
             "the larger of the fastest grain's speed and that of a fall through the height of all grains; 1 m/s "
             "if both are zero",
             false,
             "\"2 m/s\""},
        }};
    return table;
}

const Table& gravity_table() {
    static const Table table = {"gravity",
                                "Gravity",
                                "Fields that pull on every grain.",
                                {{"uniform",
                                  {vector(dimension::acceleration)},
                                  "The same acceleration everywhere.",
                                  "[0, 0, 0]",
                                  "",
                                  false,
                                  "[0, 0, \"-1 g0\"]"}}};
    return table;
}

const Table& domain_table() {
    static const Table table = {
        "domain",
        "Domain",
        "The space the grains live in. A grain whose centre leaves an open side is removed and counted.",
        {
            {"low",
             {vector(dimension::length, {"open"})},
             "Lower bounds along x, y, z; `\"open\"` is unbounded.",
             "[\"open\", \"open\", \"open\"]",
             "",
             false,
             "[0, 0, \"open\"]"},
            {"high",
             {vector(dimension::length, {"open"})},
             "Upper bounds along x, y, z; `\"open\"` is unbounded.",
             "[\"open\", \"open\", \"open\"]",
             "",
             false,
             "[\"20 cm\", \"20 cm\", \"open\"]"},
            {"periodic",
             {list(choice({"x", "y", "z"}), 0, 3)},
             "Axes along which what leaves on one side comes back on the other; both bounds are needed there, at least "
             "two grain diameters apart.",
             "[]",
             "",
             false,
             "[\"x\", \"y\"]"},
        }};
    return table;
}

const Table& material_table() {
    static const Table table = with_moments(
        {"materials",
         "Materials",
         "What grains and walls are made of, each under a name of your choice: `[materials.steel]`. How two materials "
         "touch is said in `[[contacts]]`.",
         {
             {"density",
              {number(dimension::density).positive()},
              "Density of the solid; grains need one, walls do not.",
              "",
              "walls need none; grains from a file use 1000 kg/m3 where the file gives no mass",
              false,
              "\"2.5 g/cm3\""},
             {"colour",
              {text()},
              "Colour of the grains in pictures, `#rrggbb`.",
              "",
              "chosen by the renderer",
              false,
              "\"#c8a060\""},
         }});
    return table;
}

const Table& output_table() {
    static const Table table = {
        "output",
        "Output",
        "What is written, and how often. Writing never changes the path of the run.",
        {
            {"frames",
             {number(dimension::time).not_negative()},
             "Simulated time between frames (HDF5); 0 keeps only the first and the last state.",
             "0",
             "",
             false,
             "\"10 ms\""},
            {"series",
             {number(dimension::time).not_negative()},
             "Simulated time between lines of the time series (CSV); 0 is a thousandth of the run.",
             "0",
             "",
             false,
             "\"1 ms\""},
            {"checkpoints",
             {number(dimension::time).not_negative()},
             "Time on the clock on the wall between checkpoints; 0 is five minutes.",
             "0",
             "",
             false,
             "\"10 min\""},
            {"contacts", {boolean()}, "Whether frames hold the contacts with their forces.", "true"},
        }};
    return table;
}

const Table& checks_table() {
    static const Table table = {
        "checks",
        "Checks",
        "What is watched during the run.",
        {{"overlap_limit",
          {number(dimension::none).positive()},
          "Overlaps beyond this fraction of the smaller radius are counted, and warned of once with the grain's id.",
          "0.01"}}};
    return table;
}

const Table& impacts_table() {
    static const Table table = {
        "impacts",
        "Impacts",
        "For `engine = \"hard\"`: how slow impacts and grains stuck to moving walls are treated.",
        {
            {"elastic_below",
             {choice({"auto"}), number(dimension::velocity).not_negative()},
             "The remedy against inelastic collapse: slower impacts give all of their normal speed back, and none "
             "leaves with less than a tenth of this speed, so that grains at rest tremble instead of colliding ever "
             "faster. 0 switches it off. `\"auto\"` is a fiftieth of the speed of a fall through a mean radius, and "
             "off without gravity or where every impact is elastic.",
             "\"auto\"",
             "",
             false,
             "\"5 mm/s\""},
            {"stuck_motion",
             {choice({"exact", "parabola", "line"})},
             "How grains stuck to a turning wall are foreseen within a drift: as they move, with their acceleration at "
             "the start of the drift (a quartic), or on a line. Ballistic flights are always exact.",
             "\"exact\""},
            {"resting",
             {boolean()},
             "Whether grains that have stayed in one place for a while are put to rest there until something hits them "
             "or leaves them unsupported, so that piles keep their height. Only under gravity, with `elastic_below`, "
             "and while no wall moves.",
             "true"},
        }};
    return table;
}

const Table& integration_table() {
    static const Table table = {
        "integration",
        "Integration",
        "For `engine = \"soft\"`: how the motion is carried forward (see [integrators.md](integrators.md)).",
        {
            {"method",
             {choice({"leapfrog", "midpoint", "rkf45", "rk23", "implicit"})},
             "`leapfrog` and POLY's `midpoint` ask for forces once a step; the Runge-Kutta pairs `rkf45` and `rk23` "
             "choose their steps by the error and fit them evenly into `time.step`, which is then a frame (SOLVER "
             "Algorithm 1). `implicit` solves for its steps, which may then be longer than contacts are stiff; it "
             "needs "
             "a build with SUNDIALS.",
             "\"leapfrog\""},
            {"tolerance",
             {number(dimension::velocity).positive()},
             "Of `rkf45` and `rk23`: half of it times the step is the error of a position allowed in a step; of "
             "`implicit`: "
             "half of it the error of a velocity, and times the frame that of a position.",
             "0.01"},
            {"shortest",
             {number(dimension::time).positive()},
             "Of `rkf45` and `rk23`: a step this short is taken whatever its error; of `implicit`: where no longer one "
             "can be "
             "solved, the run stops. At most `time.step`.",
             "\"0.141 ms\""},
            {"successive",
             {boolean()},
             "Of `rkf45` and `rk23`: whether contacts feel the motion and gravity of the whole step ahead, as SOLVER "
             "does, which damps; otherwise the method is the textbook's.",
             "true"},
        }};
    return table;
}

const Table& stepping_table() {
    static const Table table = {
        "stepping",
        "Stepping",
        "For `engine = \"stepped\"`: how a step of hard grains deals with overlaps (AHS; see "
        "[stepped.md](stepped.md)).",
        {
            {"sweeps",
             {integer(1).between(1, 1000)},
             "How often, before each move, grains that would overlap within the step collide. An impact is carried on "
             "by "
             "one grain a sweep; sweeps end early once nothing would overlap.",
             "1"},
            {"collide",
             {choice({"ahead", "overlapping"})},
             "`ahead`: grains that would overlap collide before the step, and overlaps left are moved apart (AHS). "
             "`overlapping`: grains collide once they overlap, only the first impact of an overlap takes energy, and "
             "nothing is moved apart (McNamara's original variant, for comparison).",
             "\"ahead\""},
        }};
    return table;
}

}  // namespace

const Table& scene_table() {
    static const Table root = {
        "scene",
        "Top of the file",
        "",
        {
            {"title", {text()}, "What the scene is; shown in reports and pictures.", "\"\""},
            {"engine",
             {choice({"soft", "hard", "stepped"})},
             "How contacts are resolved: soft spheres, hard spheres with predicted collisions, or time-stepped hard "
             "spheres.",
             "\"soft\""},
            {"dimensions",
             {integer(2).between(2, 3)},
             "2 makes a plane scene: discs in x and y, see [two_dimensions.md](two_dimensions.md).",
             "3"},
            {"flight",
             {choice({"drift", "ballistic"})},
             "For `engine = \"hard\"`: `drift` kicks velocities by gravity between drifts of one step (HSDEM), "
             "`ballistic` has no steps: grains fly on exact parabolas from impact to impact; plain spheres alone can.",
             "\"drift\""},
            {"seed", {integer(0)}, "Seed of everything random in the scene.", "1"},
            {"time", {table(time_table())}, "How long the run lasts and how fine its steps are."},
            {"impacts", {table(impacts_table())}, "How slow impacts are treated."},
            {"stepping", {table(stepping_table())}, "How time-stepped hard grains collide."},
            {"integration", {table(integration_table())}, "How the motion of soft grains is carried forward."},
            {"gravity", {table(gravity_table())}, "Fields that pull on every grain."},
            {"fields",
             {table(fields_table())},
             "Electric, magnetic and turning fields, the same everywhere.",
             "",
             "none"},
            {"forces", {table(forces_table())}, "What grains do to one another over a distance.", "", "nothing"},
            {"domain", {table(domain_table())}, "Bounds and periodic axes.", "", "open everywhere"},
            {"materials", {named(material_table())}, "What grains and walls are made of, by name."},
            {"grains", {named(grain_table())}, "Shapes of grains, by name.", "", "all grains are spheres"},
            {"contacts", {list(table(contact_table()))}, "How two materials touch; the last entry that matches wins."},
            {"walls", {list(table(wall_table()))}, "Walls that are there from the start.", "", "no walls"},
            {"fill", {list(table(fill_table()))}, "How grains get into the scene; at least one entry."},
            {"stages", {list(table(stage_table()))}, "What happens, in order.", "", "one stage until `time.end`"},
            {"measure", {list(table(measure_table()))}, "What is measured during the run.", "", "nothing"},
            {"output", {table(output_table())}, "What is written, and how often."},
            {"checks", {table(checks_table())}, "What is watched during the run."},
        }};
    return root;
}

}  // namespace talus::scene
