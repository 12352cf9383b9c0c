// The keys of [[stages]] and [[measure]].
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

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

const Table& settled_table() {
    static const Table table = {
        "until.settled",
        "`settled`",
        "The grains count as settled when both conditions have held at every check for a while.",
        {{"energy",
          {number(dimension::none).positive()},
          "Mean kinetic energy per grain is below this multiple of m g R.",
          "1e-5"},
         {"balance",
          {number(dimension::none).positive()},
          "Mean net force on a grain is below this fraction of the mean contact force.",
          "1e-2"},
         {"for", {number(dimension::time).not_negative()}, "How long both must hold.", "0.02"},
         {"timeout",
          {number(dimension::time).positive()},
          "Go on after this time even if not settled; it is said in the log and the manifest.",
          "",
          "wait for ever",
          false,
          "\"5 s\""}}};
    return table;
}

const Table& until_table() {
    static const Table table = with_region(
        {"until",
         "Ends of stages",
         "The stage ends as soon as one of the given rules holds.",
         {{"time", {number(dimension::time).positive()}, "At this time of the run.", "", "", false, "\"6 s\""},
          {"duration",
           {number(dimension::time).not_negative()},
           "After this time in the stage.",
           "",
           "",
           false,
           "\"2 s\""},
          {"settled", {boolean(), scene::table(settled_table())}, "When the grains have come to rest."},
          {"count_at_most", {integer(0)}, "When no more than this many grains are left in the region."},
          {"count_at_least", {integer(1)}, "When at least this many grains are in the region."},
          {"timeout", {number(dimension::time).positive()}, "In any case after this time in the stage; it is said."}}});
    return table;
}

const Table& set_velocity_table() {
    static const Table table =
        with_region({"do.set_velocity",
                     "`set_velocity`",
                     "Velocity, spin or both of the grains in a region.",
                     {{"velocity", {vector(dimension::velocity)}, "New velocity.", "", "unchanged"},
                      {"spin", {vector(dimension::angular_velocity).rate()}, "New spin.", "", "unchanged"},
                      {"add", {boolean()}, "Add to the present values in place of replacing them.", "false"}}});
    return table;
}

const Table& action_table() {
    static const Table table = {
        "do",
        "Actions",
        "`do = [ … ]`: carried out in order when the stage begins; each entry is one action.",
        {{"add_wall", {scene::table(wall_table())}, "Adds a wall; times in its motion count from now."},
         {"remove_wall", {text()}, "Removes the wall of this name.", "", "", false, "\"funnel\""},
         {"replace_wall",
          {text()},
          "Gives the wall of this name another `shape`, at rest where that says; material and behaviour stay.",
          "",
          "",
          false,
          "\"floor\""},
         {"shape",
          {scene::table(shape_change_table())},
          "With `replace_wall`: the new shape.",
          "",
          "",
          false,
          "{ disk = { hole = \"10 cm\" } }"},
         {"set_motion",
          {text()},
          "Gives the wall of this name another `motion`, from where it is now.",
          "",
          "",
          false,
          "\"drum\""},
         {"motion",
          {list(scene::table(motion_table()))},
          "With `set_motion`: the new motion; `[]` stops the wall. Times in it count from now."},
         {"remove_above", axis_bound_forms(), "Removes the grains above.", "", "", false, "{ z = \"2 m\" }"},
         {"remove_below", axis_bound_forms(), "Removes the grains below.", "", "", false, "{ z = 0 }"},
         {"remove_inside",
          {text(), scene::table(region_table())},
          "Removes the grains inside the wall of this name, or in a region.",
          "",
          "",
          false,
          "{ ball = { radius = 1 } }"},
         {"whole",
          {boolean()},
          "With a removal: only grains that lie wholly there, not all whose centre does.",
          "false"},
         {"gravity", {vector(dimension::acceleration)}, "Another uniform gravity."},
         {"contact",
          {scene::table(contact_table())},
          "Another law or other parameters between materials, written as in `[[contacts]]`."},
         {"set_velocity", {scene::table(set_velocity_table())}, "Sets grains in motion."}},
        {{"add_wall", "remove_wall", "replace_wall", "set_motion", "remove_above", "remove_below", "remove_inside",
          "gravity", "contact", "set_velocity"}}};
    return table;
}

Key axis_key(const std::string& doc) {
    return {"axis", {vector(dimension::none)}, doc, "[0, 0, 1]"};
}

Key measure_key(const std::string& name, const std::string& doc, const Table& keys) {
    return {name, {table(keys)}, doc};
}

}  // namespace

const Table& stage_table() {
    static const Table table = {
        "stages",
        "Stages",
        "What happens, in order. A stage begins with its actions and ends by its rule; the run ends with the last.",
        {{"name", {text()}, "Name of the stage.", "", "", true, "\"fill\""},
         {"until",
          {choice({"settled"}), scene::table(until_table())},
          "When the stage ends; `\"settled\"` is short for `{ settled = true }`.",
          "",
          "",
          true,
          "{ duration = \"2 s\" }"},
         {"do",
          {list(scene::table(action_table()))},
          "What is done on entry.",
          "",
          "nothing",
          false,
          "[ { remove_wall = \"funnel\" } ]"}}};
    return table;
}

const Table& measure_table() {
    static const Table discharge = {
        "measure.discharge",
        "`discharge`",
        "Mass and number of grains through a plane, and the steady rate.",
        {{"below", axis_bound_forms(), "Counts grains that pass below.", "", "", false, "{ z = \"-5 cm\" }"},
         {"above", axis_bound_forms(), "Counts grains that pass above."},
         {"hole_diameter",
          {number(dimension::length).positive()},
          "Diameter of the round hole: Beverloo's law is then printed beside the result."}},
        {{"below", "above"}}};
    static const Table coordination =
        with_region({"measure.coordination", "`coordination`", "Mean number of contacts per grain in a region.", {}});
    static const Table packing = with_region({"measure.packing", "`packing`", "Solid fraction of a region.", {}});
    static const Table height = with_region({"measure.height",
                                             "`height`",
                                             "Top of the grains along an axis: 99th percentile and maximum.",
                                             {axis_key("Which way is up.")}});
    static const Table center =
        with_region({"measure.center_of_mass", "`center_of_mass`", "Centre of mass of the grains in a region.", {}});
    static const Table stress =
        with_region({"measure.stress", "`stress`", "Mean contact stress tensor in a region.", {}});
    static const Table profile =
        with_region({"measure.profile",
                     "`profile`",
                     "Speed, solid fraction and stress in slices along an axis.",
                     {axis_key("Direction across the slices."),
                      {"low", {number(dimension::length)}, "Where the first slice begins.", "", "", true, "0"},
                      {"high", {number(dimension::length)}, "Where the last slice ends.", "", "", true, "\"50 cm\""},
                      {"bins", {integer(1)}, "Number of slices.", "20"}}});
    static const Table table = {
        "measure",
        "Measures",
        "What is measured during the run. Every averaged result comes with its statistical error.",
        {measure_key("discharge", "Mass and number of grains through a plane.", discharge),
         measure_key("coordination", "Mean number of contacts per grain.", coordination),
         measure_key("packing", "Solid fraction of a region.", packing),
         measure_key("height", "Top of the grains.", height),
         measure_key("center_of_mass", "Centre of mass.", center),
         measure_key("stress", "Mean contact stress.", stress),
         measure_key("profile", "Speed, solid fraction and stress along an axis.", profile),
         {"name", {text()}, "Begins the names of its columns in the time series.", "", "the kind of measure"},
         {"interval",
          {number(dimension::time).not_negative()},
          "Simulated time between samples; 0 is that of the time series.",
          "0"},
         {"start", {number(dimension::time).not_negative()}, "Nothing is measured before this time.", "0"},
         {"stage", {text()}, "Only during the stage of this name.", "", "always"}},
        {{"discharge", "coordination", "packing", "height", "center_of_mass", "stress", "profile"}}};
    return table;
}

}  // namespace talus::scene
