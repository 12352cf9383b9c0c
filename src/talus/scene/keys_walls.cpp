// The keys of [[walls]]: shapes, motions and the rest.
#include <deque>

#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

const std::string origin = "[0, 0, 0]";

Key place(const std::string& name, const std::string& doc) {
    return {name, {vector(dimension::length)}, doc, origin};
}
Key needed_place(const std::string& name, const std::string& doc, const std::string& example) {
    return {name, {vector(dimension::length)}, doc, "", "", true, example};
}
Key direction(const std::string& name, const std::string& doc) {
    return {name, {vector(dimension::none).direction()}, doc, "[0, 0, 1]"};
}
Key size(const std::string& name, const std::string& doc, const std::string& example) {
    return {name, {number(dimension::length).positive()}, doc, "", "", true, example};
}
Key optional_size(const std::string& name, const std::string& doc) {
    return {name, {number(dimension::length).not_negative()}, doc};
}

struct ShapeKeys {
    std::string name;
    std::string doc;
    std::vector<Key> keys;
};

std::vector<ShapeKeys> shape_kinds() {
    const Key from = needed_place("from", "Centre of one end.", "[0, 0, 0]");
    const Key to = needed_place("to", "Centre of the other end.", "[0, 0, \"2 m\"]");
    const std::vector<Key> end_radii = {
        optional_size("radius", "Radius, the same at both ends."),
        optional_size("radius_from", "Radius at `from`; with `radius_to`, in place of `radius`: a cone or funnel."),
        optional_size("radius_to", "Radius at `to`."),
    };
    std::vector<Key> tube = {from, to};
    tube.insert(tube.end(), end_radii.begin(), end_radii.end());
    std::vector<Key> cylinder = tube;
    for (Key& key : cylinder) {
        key.required = false;
    }
    cylinder.push_back({"point",
                        {vector(dimension::length)},
                        "A point on the axis of an infinite cylinder, in place of `from` and `to`."});
    cylinder.push_back(
        {"axis", {vector(dimension::none).direction()}, "Direction of the axis of an infinite cylinder."});
    return {
        {"plane", "Infinite plane.", {place("point", "A point of the plane."), direction("normal", "Its normal.")}},
        {"disk",
         "Flat disk, with a round hole if wanted.",
         {place("center", "Its centre."),
          direction("normal", "Its normal."),
          size("radius", "Outer radius.", "\"50 cm\""),
          {"hole", {number(dimension::length).not_negative()}, "Radius of the hole in the middle; 0 for none.", "0"}}},
        {"rectangle",
         "Flat rectangle.",
         {needed_place("corner", "One corner.", "[0, 0, 0]"),
          needed_place("edge1", "Vector along one edge, as long as the edge.", "[\"1 m\", 0, 0]"),
          needed_place("edge2", "Vector along the other edge, at right angles.", "[0, \"1 m\", 0]")}},
        {"triangle",
         "Flat triangle.",
         {{"corners",
           {list(vector(dimension::length), 3, 3)},
           "Its three corners.",
           "",
           "",
           true,
           "[[0, 0, 0], [1, 0, 0], [0, 1, 0]]"}}},
        {"cylinder",
         "Finite cylinder or cone between `from` and `to`, open at the ends, or an infinite one along `axis` through "
         "`point`.",
         cylinder},
        {"tube", "Finite cylinder or cone, open at the ends: the same as `cylinder` with `from` and `to`.", tube},
        {"sphere",
         "Spherical shell: a cavity from inside, a ball from outside.",
         {place("center", "Its centre."), size("radius", "Its radius.", "\"10 cm\"")}},
        {"circle",
         "Circle of a plane scene: a cylinder along z.",
         {place("center", "Its centre."), size("radius", "Its radius.", "\"10 cm\"")}},
        {"ring",
         "Circle of thin wire.",
         {place("center", "Its centre."), direction("normal", "Normal of its plane."),
          size("radius", "Its radius.", "\"10 cm\"")}},
        {"line",
         "Infinite straight wire.",
         {place("point", "A point of the line."), direction("axis", "Its direction.")}},
        {"segment",
         "Straight wire between two points; in a plane scene a straight wall.",
         {needed_place("from", "One end.", "[0, 0, 0]"), needed_place("to", "The other end.", "[0, 0, \"1 m\"]")}},
        {"point", "A single point.", {place("at", "Where it is.")}},
        {"mesh",
         "Triangles from a file (docs/meshes.md).",
         {{"file",
           {text()},
           "The mesh, relative to the scene: `.stl` or `.ply` (text or binary) or `.obj`.",
           "",
           "",
           true,
           "\"scoop.stl\""},
          {"unit",
           {number(dimension::length).positive()},
           "Length of one unit of the file.",
           "1",
           "",
           false,
           "\"1 mm\""},
          place("position", "Where the origin of the file comes to lie: the wall's own origin."),
          {"rotation",
           {vector(dimension::none).turn()},
           "Rotation vector about that origin: along the axis, as long as the angle.",
           origin,
           "",
           false,
           "[0, 0, \"90 deg\"]"}}},
        {"grid",
         "Straight wires across a rectangle, which let small grains through; in a plane scene points along `edge1`. "
         "Each is a wall of its own, NAME.0, NAME.1 and so on.",
         {needed_place("corner", "One corner.", "[0, 0, 0]"),
          needed_place("edge1", "Vector along one edge, as long as the edge.", "[\"1 m\", 0, 0]"),
          {"edge2",
           {vector(dimension::length)},
           "Vector along the other edge, at right angles; none in a plane scene.",
           "",
           "",
           false,
           "[0, \"1 m\", 0]"},
          size("spacing", "Distance between wires at most; they are spread evenly, with one at each end.", "\"5 mm\""),
          {"crossed", {boolean()}, "Whether wires run both ways, or along `edge2` alone.", "true"}}},
    };
}

Table make_shape_table(bool change, std::deque<Table>& kinds) {
    Table table;
    table.id = change ? "shape_change" : "shape";
    table.title = change ? "Shapes that replace another" : "Shapes";
    table.doc = change ? "As a shape; keys left out keep the value they had if the kind of shape stays the same."
                       : "`shape = { disk = { radius = \"10 cm\" } }`: exactly one kind of shape. Walls are "
                         "infinitely thin and have two sides.";
    std::vector<std::string> names;
    for (ShapeKeys& kind : shape_kinds()) {
        if (change) {
            for (Key& key : kind.keys) {
                key.required = false;
                key.absent = "as before; else " + (key.fallback.empty() ? "needed" : "`" + key.fallback + "`");
                key.fallback.clear();
            }
        }
        kinds.push_back({table.id + "." + kind.name, "`" + kind.name + "`", kind.doc, kind.keys});
        table.keys.push_back({kind.name, {scene::table(kinds.back())}, kind.doc});
        names.push_back(kind.name);
    }
    table.exactly_one = {names};
    return table;
}

Key start_key() {
    return {"start",
            {number(dimension::time).not_negative()},
            "When the motion begins: from the start of the run, or from the entry of the stage that sets it.",
            "0"};
}

const Table& keyframe_table() {
    static const Table table = {
        "motion.keyframes",
        "`keyframes`",
        "Poses at given times, interpolated linearly and held before the first and after the last.",
        {{"time",
          {number(dimension::time).not_negative()},
          "When: from the start of the run, or from the entry of the stage that sets the motion; ascending.",
          "",
          "",
          true,
          "\"1 s\""},
         {"displacement", {vector(dimension::length)}, "Shift from where the wall was put.", origin},
         {"rotation",
          {vector(dimension::none).turn()},
          "Rotation vector about the wall's own origin: along the axis, as long as the angle.",
          origin,
          "",
          false,
          "[0, 0, \"90 deg\"]"}}};
    return table;
}

}  // namespace

const Table& shape_table() {
    static std::deque<Table> kinds;
    static const Table table = make_shape_table(false, kinds);
    return table;
}

const Table& shape_change_table() {
    static std::deque<Table> kinds;
    static const Table table = make_shape_table(true, kinds);
    return table;
}

const Table& motion_table() {
    static const Table translate = {
        "motion.translate",
        "`translate`",
        "Constant velocity.",
        {{"velocity", {vector(dimension::velocity)}, "Velocity of the wall.", "", "", true, "[0, 0, \"1 cm/s\"]"},
         start_key()}};
    static const Table oscillate = {
        "motion.oscillate",
        "`oscillate`",
        "Displacement `amplitude * sin(2 pi frequency (t - start) + phase)`, measured from its value at `start`.",
        {{"amplitude",
          {vector(dimension::length)},
          "Largest displacement, with its direction.",
          "",
          "",
          true,
          "[0, 0, \"1 mm\"]"},
         {"frequency",
          {number(dimension::frequency).positive().frequency()},
          "Cycles per second.",
          "",
          "",
          true,
          "\"50 Hz\""},
         {"phase", {number(dimension::none)}, "Phase at `start`.", "0", "", false, "\"90 deg\""},
         start_key()}};
    static const Table spin = {
        "motion.spin",
        "`spin`",
        "Steady turning about an axis that goes along with the wall's translations.",
        {{"rate", {number(dimension::angular_velocity).rate()}, "How fast it turns.", "", "", true, "\"33 rpm\""},
         {"axis",
          {vector(dimension::none).direction()},
          "Direction of the axis.",
          "",
          "the wall's own axis or normal, as it is when the spin starts; z in a plane scene"},
         {"through",
          {vector(dimension::length)},
          "A point on the axis.",
          "",
          "the wall's own origin, where it is when the spin starts"},
         start_key()}};
    static const Table table = {
        "motion",
        "Motions",
        "`motion = [ … ]`: each entry is one of these; the motions of a wall add up. At most one of `free`, `hinge` "
        "and `servo`: of those, soft engines alone know.",
        {{"translate", {scene::table(translate)}, "Constant velocity."},
         {"oscillate", {scene::table(oscillate)}, "Sinusoidal oscillation along any direction."},
         {"spin", {scene::table(spin)}, "Steady turning about an axis."},
         {"keyframes", {list(scene::table(keyframe_table()), 1)}, "Poses at given times."},
         {"free", {scene::table(free_table())}, "Free to slide along a direction, with a mass and a load."},
         {"hinge", {scene::table(hinge_table())}, "Free to turn about an axis."},
         {"servo", {scene::table(servo_table())}, "Presses with a wanted pressure or force."}},
        {{"translate", "oscillate", "spin", "keyframes", "free", "hinge", "servo"}}};
    return table;
}

const Table& wall_table() {
    static const Table table = {
        "walls",
        "Walls",
        "Walls that are there from the start; stages may add others. A wall moves as its motion says, which may "
        "be by the forces on it, and records the force, torque and momentum that it receives.",
        {{"name",
          {text()},
          "Name of the wall, for stages, fills and the columns of the time series.",
          "",
          "",
          true,
          "\"floor\""},
         {"shape",
          {scene::table(shape_table())},
          "Its shape and place.",
          "",
          "",
          true,
          "{ disk = { radius = \"50 cm\" } }"},
         {"material", {text()}, "Name of its material.", "", "", true, "\"steel\""},
         {"behaviour",
          {choice({"normal", "sticky", "absorbing"})},
          "What happens to a grain that touches: it bounces and rubs, is held from then on, or is removed and counted.",
          "\"normal\""},
         {"motion", {list(scene::table(motion_table()))}, "How it moves.", "", "at rest"},
         {"colour", {text()}, "Colour in pictures, `#rrggbb`.", "", "chosen by the renderer", false, "\"#8090a0\""},
         {"opacity",
          {number(dimension::none).between(0, 1)},
          "Opacity in pictures, 0 to 1; by itself 1 for floors and 0.2 for walls that would hide the grains.",
          ""}}};
    return table;
}

}  // namespace talus::scene
