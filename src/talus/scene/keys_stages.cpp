// The keys of [[stages]].
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

const Table& settled_table() {
    static const Table table = {
        "until.settled",
        "`settled`",
        "The grains count as settled when both conditions have held at every check for a while. Hard grains tremble at "
        "rest and have no forces: for them only the energy counts, beyond that of motion at `impacts.elastic_below`.",
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
                      {"spin", {vector(dimension::angular_velocity).rate().turn()}, "New spin.", "", "unchanged"},
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
         {"set_behaviour",
          {text()},
          "Gives the wall of this name another `behaviour`; grains that stick to it already go on doing so.",
          "",
          "",
          false,
          "\"drum\""},
         {"behaviour",
          {choice({"normal", "sticky", "absorbing"})},
          "With `set_behaviour`: what happens to grains that touch the wall from now on."},
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
         {"fill",
          {scene::table(fill_table())},
          "Adds grains, written as in `[[fill]]` but not from a file; they keep clear of the grains and walls that are "
          "there by then."},
         {"gravity", {vector(dimension::acceleration)}, "Another uniform gravity."},
         {"contact",
          {scene::table(contact_table())},
          "Another law or other parameters between materials, written as in `[[contacts]]`."},
         {"set_velocity", {scene::table(set_velocity_table())}, "Sets grains in motion."}},
        {{"add_wall", "remove_wall", "replace_wall", "set_motion", "set_behaviour", "remove_above", "remove_below",
          "remove_inside", "fill", "gravity", "contact", "set_velocity"}}};
    return table;
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

}  // namespace talus::scene
