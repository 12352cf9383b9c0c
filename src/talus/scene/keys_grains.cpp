// The keys of [grains.NAME]: the library of shapes that fills take their grains from.
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

Form length() {
    return number(dimension::length);
}
Key size(const std::string& name, const std::string& doc, const std::string& example) {
    return {name, {length().positive()}, doc, "", "", true, example};
}
Key sphere_size() {
    return size("radius", "Radius of the spheres.", "\"2 mm\"");
}
Key optional_size(const std::string& name, const std::string& doc, const std::string& absent) {
    return {name, {length().positive()}, doc, "", absent};
}
Key sphere_count(const std::string& doc) {
    return {"spheres", {integer(1).between(1, 10000)}, doc, "", "as few as keep neighbours within a radius"};
}
Key range(const std::string& name, const Form& form, const std::string& doc, const std::string& fallback,
          const std::string& absent = "") {
    return {name, {list(form, 2, 2)}, doc, fallback, absent};
}

const Table& dumbbell_table() {
    static const Table table = {"grains.dumbbell",
                                "`dumbbell`",
                                "Two spheres along x.",
                                {sphere_size(), optional_size("distance", "Distance of the centres, below two radii.",
                                                              "one and a half radii")}};
    return table;
}

const Table& tetrahedron_table() {
    static const Table table = {
        "grains.tetrahedron",
        "`tetrahedron`",
        "Four spheres on the corners of a regular tetrahedron.",
        {sphere_size(), optional_size("edge", "Distance of the centres, below two radii.", "one radius")}};
    return table;
}

const Table& cube_table() {
    static const Table table = {
        "grains.cube",
        "`cube`",
        "Eight spheres on the corners of a cube along the axes.",
        {sphere_size(),
         optional_size("edge", "Distance of the centres of neighbours, below two radii.", "one radius")}};
    return table;
}

const Table& rod_table() {
    static const Table table = {
        "grains.rod",
        "`rod`",
        "Spheres in line along x.",
        {sphere_size(), size("length", "From end to end.", "\"10 mm\""), sphere_count("Number of spheres.")}};
    return table;
}

const Table& boomerang_table() {
    static const Table table = {
        "grains.boomerang",
        "`boomerang`",
        "Two arms in the plane of x and y that share the sphere at the bend.",
        {sphere_size(),
         size("arm", "Length of an arm, from the centre of the sphere at the bend to the tip.", "\"8 mm\""),
         {"angle",
          {number(dimension::none).positive()},
          "Angle between the arms, up to 180 deg.",
          "\"90 deg\"",
          "",
          false,
          "\"120 deg\""},
         sphere_count("Spheres of each arm beside the one at the bend.")}};
    return table;
}

const Table& shell_table() {
    static const Table table = {
        "grains.shell",
        "`shell`",
        "Spheres spread over a sphere so close that they enclose a cavity.",
        {size("radius", "Distance of the spheres' centres from the middle.", "\"10 mm\""),
         {"count", {integer(4).between(4, 10000)}, "Number of spheres.", "60"},
         optional_size("sphere_radius", "Radius of the spheres; too small a one would leave holes and is refused.",
                       "a tenth more than is needed")}};
    return table;
}

const Table& sphere_table() {
    static const Table table = {
        "grains.spheres",
        "`spheres`",
        "One sphere of a grain. They must overlap so that the grain hangs together, and none may lie inside another.",
        {{"at", {vector(dimension::length)}, "Its centre.", "", "", true, "[0, 0, \"1 mm\"]"}, sphere_size()}};
    return table;
}

const Table& random_table() {
    static const Table table = {
        "grains.random",
        "`random`",
        "Several shapes of spheres that grow one on another at random, the same for the same seed of the scene and "
        "name "
        "of the grain.",
        {size("radius", "Radius of the smallest ball about the centre of mass that holds a grain.", "\"5 mm\""),
         range("spheres", integer(1).between(1, 10000), "Fewest and most spheres of a grain.", "[3, 5]"),
         range("size", number(dimension::none).positive(),
               "Smallest and largest radius of the spheres, relative to one another.", "[0.6, 1]"),
         range("overlap", number(dimension::none).positive(),
               "Least and largest overlap of a sphere with the one it grows on: near 0 they hardly touch, at 1 the "
               "smaller one would be swallowed; 0.95 at most.",
               "[0.3, 0.6]"),
         range("elongation", number(dimension::none).between(1, 100),
               "Least and largest ratio of the longest axis to the second longest, of the ellipsoid with the same "
               "moments of inertia; met as nearly as 40 tries allow.",
               "", "as it comes"),
         {"variants", {integer(1).between(1, 10000)}, "Number of shapes: `NAME.0`, `NAME.1` and so on.", "20"}}};
    return table;
}

const Table& mesh_table() {
    static const Table table = {
        "grains.mesh",
        "`mesh`",
        "Spheres that fill a closed mesh. What they reach is told in a note, a missed `error` in a warning.",
        {{"file",
          {text()},
          "The mesh, relative to the scene: `.stl` (text or binary) or `.obj`.",
          "",
          "",
          true,
          "\"pebble.stl\""},
         {"unit", {length().positive()}, "Length of one unit of the file.", "1", "", false, "\"1 mm\""},
         {"error",
          {number(dimension::none).between(0.01, 0.5)},
          "Volume that only one of mesh and spheres has, as a part of the mesh's, at which it is good enough.",
          "0.05"},
         {"spheres", {integer(1).between(1, 10000)}, "Number of spheres at most.", "100"}}};
    return table;
}

}  // namespace

const Table& grain_table() {
    static const Table table = {
        "grains",
        "Grains",
        "Shapes made of several spheres, each under a name of your choice: `[grains.peanut]`. A fill asks for them "
        "with "
        "`grain = \"peanut\"`. See [grains.md](grains.md).",
        {{"dumbbell", {scene::table(dumbbell_table())}, "Two spheres."},
         {"tetrahedron", {scene::table(tetrahedron_table())}, "Four spheres."},
         {"cube", {scene::table(cube_table())}, "Eight spheres."},
         {"rod", {scene::table(rod_table())}, "Spheres in line."},
         {"boomerang", {scene::table(boomerang_table())}, "Two arms at an angle."},
         {"shell", {scene::table(shell_table())}, "A hollow ball of spheres."},
         {"spheres",
          {list(scene::table(sphere_table()), 1)},
          "Spheres one by one.",
          "",
          "",
          false,
          "[{ at = [0, 0, 0], radius = \"2 mm\" }, { at = [\"2 mm\", 0, 0], radius = \"1 mm\" }]"},
         {"csv",
          {text()},
          "Spheres from a file, relative to the scene, with the header x, y, z, radius; in metres.",
          "",
          "",
          false,
          "\"pebble.csv\""},
         {"random", {scene::table(random_table())}, "Shapes drawn at random."},
         {"mesh", {scene::table(mesh_table())}, "Spheres that fill a mesh."},
         {"density",
          {number(dimension::density).positive()},
          "Density of the grains.",
          "",
          "that of their material",
          false,
          "\"2.5 g/cm3\""},
         {"tolerance",
          {number(dimension::none).positive().between(1e-12, 0.1)},
          "Relative error of mass, centre and moments of inertia; overlaps count once.",
          "1e-4"}},
        {{"dumbbell", "tetrahedron", "cube", "rod", "boomerang", "shell", "spheres", "csv", "random", "mesh"}}};
    return table;
}

}  // namespace talus::scene
