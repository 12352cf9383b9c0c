// The keys of walls that forces move.
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

Key along(const std::string& doc) {
    return {"along", {vector(dimension::none).direction()}, doc, "", "", true, "[0, 0, -1]"};
}

Key let_go() {
    return {"start",
            {number(dimension::time).not_negative()},
            "When the wall is let go: from the start of the run, or from the entry of the stage that sets it.",
            "0"};
}

}  // namespace

const Table& free_table() {
    static const Table table = {
        "motion.free",
        "`free`",
        "A wall with a mass that slides along a direction, as its load, its weight and the grains push it.",
        {along("Direction in which it slides, and in which `load` and `speed` count."),
         {"mass",
          {number(dimension::mass).positive()},
          "Its mass; gravity pulls on it. Best not much less than that of the grains it touches, which would want a "
          "shorter time step.",
          "",
          "",
          true,
          "\"2 kg\""},
         {"load", {number(dimension::force)}, "A steady force on it.", "0", "", false, "\"50 N\""},
         {"damping", {number(dimension::damping).not_negative()}, "Drag, force over speed.", "0"},
         {"speed", {number(dimension::velocity)}, "Its speed when it is let go.", "0"},
         let_go()}};
    return table;
}

const Table& hinge_table() {
    static const Table table = {
        "motion.hinge",
        "`hinge`",
        "A wall that turns about a fixed axis, as its load, its weight and the grains push it. It has no other motion.",
        {{"axis",
          {vector(dimension::none).direction()},
          "Direction of the axis, about which `torque` and `rate` count.",
          "",
          "",
          true,
          "[0, 1, 0]"},
         {"through", {vector(dimension::length)}, "A point on the axis.", "", "", true, "[0, 0, \"1 m\"]"},
         {"inertia",
          {number(dimension::inertia).positive()},
          "Its moment of inertia about the axis.",
          "",
          "",
          true,
          "\"0.5 kg m2\""},
         {"torque", {number(dimension::torque)}, "A steady torque on it.", "0"},
         {"damping", {number(dimension::angular_damping).not_negative()}, "Drag, torque over rate.", "0"},
         {"mass", {number(dimension::mass).not_negative()}, "What gravity pulls on, at `center`.", "0"},
         {"center",
          {vector(dimension::length)},
          "Its centre of mass where the wall was put.",
          "",
          "on the axis, where gravity does not turn it"},
         {"rate", {number(dimension::angular_velocity).rate()}, "How fast it turns when it is let go.", "0"},
         let_go()}};
    return table;
}

const Table& servo_table() {
    static const Table table = {
        "motion.servo",
        "`servo`",
        "A wall that presses on grains with a wanted force: it follows `response * dv/dt = speed * (1 - F / wanted) - "
        "v`, with F the force of the grains against it. Gravity does not pull on it.",
        {along("Direction in which it presses."),
         {"pressure",
          {number(dimension::pressure).positive()},
          "Wanted pressure on `area`; scenes with two dimensions have `force` alone.",
          "",
          "",
          false,
          "\"1 kPa\""},
         {"force", {number(dimension::force).positive()}, "Wanted force, in place of a pressure."},
         {"area",
          {number(dimension::area).positive()},
          "Area that the pressure counts for.",
          "",
          "that of the disk, rectangle or triangle, or of the periodic domain across a plane"},
         {"speed",
          {number(dimension::velocity).positive()},
          "How fast it goes where nothing resists.",
          "",
          "",
          true,
          "\"1 cm/s\""},
         {"response", {number(dimension::time).positive()}, "How long it takes to change its speed.", "\"1 ms\""},
         let_go()},
        {{"pressure", "force"}}};
    return table;
}

}  // namespace talus::scene
