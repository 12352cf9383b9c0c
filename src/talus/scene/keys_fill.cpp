// The keys of [[fill]] and of regions.
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

Form length() {
    return number(dimension::length);
}
Key size(const std::string& name, const std::string& doc) {
    return {name, {length().positive()}, doc, "", "", true};
}
Key low_cut() {
    return {"low", {length().positive()}, "Smallest radius; smaller draws are drawn again.", "", "", true};
}
Key high_cut() {
    return {"high", {length().positive()}, "Largest radius; larger draws are drawn again.", "", "", true};
}

const Table& axis_bound_table() {
    static const Table table = {"bound",
                                "Bounds along axes",
                                "`above = { z = \"2 m\" }`; a bare length is along z, in a plane scene along y.",
                                {{"x", {length()}, "Bound along x."},
                                 {"y", {length()}, "Bound along y."},
                                 {"z", {length()}, "Bound along z."}}};
    return table;
}

const Table& radius_table() {
    static const Table uniform = {"fill.radius.uniform",
                                  "`uniform`",
                                  "Every radius between two equally likely.",
                                  {size("low", "Smallest radius."), size("high", "Largest radius.")}};
    static const Table normal = {"fill.radius.normal",
                                 "`normal`",
                                 "Normal distribution, cut off.",
                                 {size("mean", "Mean radius before cutting."),
                                  size("deviation", "Standard deviation before cutting."), low_cut(), high_cut()}};
    static const Table lognormal = {
        "fill.radius.lognormal",
        "`lognormal`",
        "Log-normal distribution, cut off.",
        {size("median", "Median radius before cutting."),
         {"sigma", {number(dimension::none).positive()}, "Standard deviation of ln(radius).", "", "", true, "0.3"},
         low_cut(),
         high_cut()}};
    static const Table power = {"fill.radius.power",
                                "`power`",
                                "Number of grains per interval of radius falls as `radius^-exponent`.",
                                {size("low", "Smallest radius."),
                                 size("high", "Largest radius."),
                                 {"exponent", {number(dimension::none)}, "The exponent.", "3"}}};
    static const Table given = {
        "fill.radius.table",
        "`table`",
        "Radii with relative numbers of grains.",
        {{"radius", {list(length().positive(), 1)}, "The radii.", "", "", true, "[\"1 mm\", \"2 mm\"]"},
         {"weight",
          {list(number(dimension::none).not_negative(), 1)},
          "How many grains of each, relative to the rest.",
          "",
          "",
          true,
          "[0.8, 0.2]"}}};
    static const Table table = {"fill.radius",
                                "Size distributions",
                                "`radius = { uniform = { low = \"1 mm\", high = \"2 mm\" } }`: exactly one kind.",
                                {{"uniform", {scene::table(uniform)}, "All radii of a range equally likely."},
                                 {"normal", {scene::table(normal)}, "Normal distribution, cut off."},
                                 {"lognormal", {scene::table(lognormal)}, "Log-normal distribution, cut off."},
                                 {"power", {scene::table(power)}, "Power law."},
                                 {"table", {scene::table(given)}, "Given radii with relative numbers."}},
                                {{"uniform", "normal", "lognormal", "power", "table"}}};
    return table;
}

Form packing() {
    return choice({"fcc", "hcp", "cubic", "hexagonal", "square"});
}

const Table& lattice_table() {
    static const Table table = {
        "fill.lattice",
        "`lattice`",
        "One crystal that fills the region.",
        {{"packing",
          {packing()},
          "Kind of lattice; `hexagonal` and `square` in a plane scene.",
          "",
          "`fcc`; `hexagonal` in a plane scene"},
         {"rotation",
          {vector(dimension::none).turn()},
          "Rotation vector of the crystal.",
          "[0, 0, 0]",
          "",
          false,
          "[0, 0, \"30 deg\"]"},
         {"spacing",
          {number(dimension::none).between(1, 1e6)},
          "Distance of nearest neighbours in diameters of the largest grain; 1 is just touching.",
          "1"},
         {"jitter",
          {number(dimension::none).not_negative()},
          "Largest random displacement along each axis, in radii.",
          "0"}}};
    return table;
}

const Table& blocks_table() {
    static const Table table = {
        "fill.blocks",
        "`blocks`",
        "Blocks of a crystal, each turned at random (SSDEM Sect. 3.2).",
        {{"packing", {packing()}, "Kind of lattice.", "\"fcc\""},
         {"orientation", {choice({"random", "aligned"})}, "How the blocks are turned.", "\"random\""},
         {"cells", {integer(1)}, "Unit cells along an edge of a block.", "3"},
         {"spacing",
          {number(dimension::none).between(1, 1e6)},
          "Distance of nearest neighbours in diameters of the largest grain.",
          "1.001"}}};
    return table;
}

const Table& random_table() {
    static const Table table = {"fill.random",
                                "`random`",
                                "Random places without overlap, up to about a third of the volume, half of the area in "
                                "a plane scene; needs `count` or `fraction`.",
                                {{"gap",
                                  {number(dimension::none).not_negative()},
                                  "Smallest distance between surfaces, in radii of the smaller grain.",
                                  "0"},
                                 {"attempts", {integer(1)}, "Places tried for a grain before giving up.", "2000"}}};
    return table;
}

const Table& pack_table() {
    static const Table table = {
        "fill.pack",
        "`pack`",
        "A dense random pack in any region: grains are placed at random, then moved apart, the lighter of two further, "
        "until none overlap. Up to random close packing (about 0.64 of the volume, 0.84 of the area in a plane scene) "
        "that takes a moment; beyond it overlaps remain, which are told in a warning. The number of grains comes from "
        "`fraction`, here or beside `pack`, or from `count`.",
        {{"fraction",
          {number(dimension::none).positive()},
          "Solid fraction of the region.",
          "",
          "from `fraction` or `count` of the fill",
          false,
          "0.8"},
         {"sweeps", {integer(1)}, "Sweeps over all pairs at most.", "4000"}}};
    return table;
}

}  // namespace

std::vector<Form> axis_bound_forms() {
    return {length(), table(axis_bound_table())};
}

std::vector<Key> region_keys() {
    static const Table box = {"region.box",
                              "`box`",
                              "Box along the axes.",
                              {{"low", {vector(dimension::length)}, "Lower corner.", "", "", true},
                               {"high", {vector(dimension::length)}, "Upper corner.", "", "", true}}};
    static const Table ball = {
        "region.ball",
        "`ball`",
        "Solid ball.",
        {{"center", {vector(dimension::length)}, "Its centre.", "[0, 0, 0]"}, size("radius", "Its radius.")}};
    static const Table cylinder = {
        "region.cylinder",
        "`cylinder`",
        "Solid cylinder or cone between two points.",
        {{"from", {vector(dimension::length)}, "Centre of one end.", "", "", true},
         {"to", {vector(dimension::length)}, "Centre of the other end.", "", "", true},
         {"radius", {length().not_negative()}, "Radius, the same at both ends."},
         {"radius_from", {length().not_negative()}, "Radius at `from`; with `radius_to`, in place of `radius`."},
         {"radius_to", {length().not_negative()}, "Radius at `to`."},
         {"hole", {length().positive()}, "Only outside this radius: a cylinder with a round hole along its axis."}}};
    static const Table circle = {"region.circle",
                                 "`circle`",
                                 "Circle of a plane scene.",
                                 {{"center", {vector(dimension::length)}, "Its centre.", "[0, 0, 0]"},
                                  size("radius", "Its radius."),
                                  {"hole", {length().positive()}, "Only outside this radius: a ring."}}};
    return {
        {"box", {table(box)}, "Only inside this box."},
        {"ball", {table(ball)}, "Only inside this ball."},
        {"cylinder", {table(cylinder)}, "Only inside this cylinder or cone."},
        {"circle", {table(circle)}, "Only inside this circle, in a plane scene."},
        {"inside",
         {text()},
         "Only inside the wall of this name: a finite cylinder or cone, a sphere, or an infinite "
         "cylinder that the domain's bounds cut off.",
         "",
         "",
         false,
         "\"barrel\""},
        {"outside",
         {text()},
         "Only outside the wall of this name: a cylinder of one radius, a sphere or a circle.",
         "",
         "",
         false,
         "\"axle\""},
        {"above", axis_bound_forms(), "Only above these coordinates.", "", "", false, "{ z = \"2 m\" }"},
        {"below", axis_bound_forms(), "Only below these coordinates.", "", "", false, "{ z = \"3 m\" }"},
    };
}

Table with_region(Table table) {
    const std::vector<Key> region = region_keys();
    table.keys.insert(table.keys.end(), region.begin(), region.end());
    return table;
}

const Table& region_table() {
    static const Table table =
        with_region({"region", "Regions", "Part of space: where all given keys hold. Without keys, all of space.", {}});
    return table;
}

const Table& fill_table() {
    static const Table table = [] {
        Table out;
        out.id = "fill";
        out.title = "Fills";
        out.doc =
            "How grains get into the scene. One of `lattice`, `blocks`, `random`, `pack` and `file` says how they are "
            "placed, "
            "the region keys (`box`, `ball`, `cylinder`, `circle`, `inside`, `outside`, `above`, `below`: all that are "
            "given must hold) "
            "where. Grains lie wholly inside their region and never overlap grains of earlier fills.";
        out.keys = {
            {"material",
             {text(), list(text(), 1)},
             "Name of the grains' material; of a list of names the grains get one each at random, in equal parts.",
             "",
             "",
             true,
             "\"grain\""},
            {"radius",
             {length().positive(), scene::table(radius_table())},
             "Radius of the grains, or a distribution of radii. With `grain`: of the smallest ball about the centre of "
             "mass that holds the grain.",
             "",
             "needed, except with `file`; with `grain` its size as drawn",
             false,
             "\"1 cm\""},
            {"grain",
             {text(), list(text(), 1)},
             "Name of the grains' shape, from [grains](#grains); of a list of names the grains get one each at random, "
             "in equal parts. Only in space, with `engine = \"soft\"`.",
             "",
             "spheres",
             false,
             "\"peanut\""},
            {"orientation",
             {choice({"random", "drawn"})},
             "Of grains with a shape or a dipole: turned at random, every way equally likely (about z in a plane "
             "scene), or as drawn.",
             "\"random\""},
            {"lattice", {scene::table(lattice_table())}, "One crystal that fills the region."},
            {"blocks", {scene::table(blocks_table())}, "Randomly turned blocks of a crystal."},
            {"random", {scene::table(random_table())}, "Random places without overlap."},
            {"pack", {scene::table(pack_table())}, "A dense random pack."},
            {"file",
             {text()},
             "Grains from a file, relative to the scene: `.csv` (header x, y, z, radius, and if wanted vx, vy, vz, wx, "
             "wy, wz, density; no z in the plane), `.data` or `.lmp` (LAMMPS, atom_style sphere), `.h5` (Talus).",
             "",
             "",
             false,
             "\"grains.csv\""},
        };
        const std::vector<Key> region = region_keys();
        out.keys.insert(out.keys.end(), region.begin(), region.end());
        const std::vector<Key> rest = {
            {"count", {integer(1)}, "Number of grains wanted.", "", "as many as fit"},
            {"fraction",
             {number(dimension::none).positive()},
             "With `random` or `pack`: solid fraction of the region (of its area in a plane scene), in place of "
             "`count`. Grains of several spheres keep their balls clear of one another and fill less than these.",
             "",
             "",
             false,
             "0.3"},
            {"velocity", {vector(dimension::velocity)}, "Velocity of the grains.", "[0, 0, 0]"},
            {"velocity_spread",
             {number(dimension::velocity).not_negative()},
             "Standard deviation of each component of a random velocity that is added.",
             "0"},
            {"spin", {vector(dimension::angular_velocity).rate().turn()}, "Spin of the grains.", "[0, 0, 0]"},
            {"hold_rotation", {boolean()}, "Whether the grains keep their spin whatever turns them.", "false"},
            {"hold_position", {boolean()}, "Whether the grains keep their velocity whatever pushes them.", "false"},
            {"seed", {integer(0)}, "Seed of this fill.", "", "from the scene's seed and the place of the entry"},
        };
        out.keys.insert(out.keys.end(), rest.begin(), rest.end());
        const std::vector<Key> moments = moment_keys("that of the material");
        out.keys.insert(out.keys.end(), moments.begin(), moments.end());
        out.exactly_one = {{"lattice", "blocks", "random", "pack", "file"}};
        out.at_most_one = {{"count", "fraction"}};
        return out;
    }();
    return table;
}

}  // namespace talus::scene
