// The keys of [[measure]].
#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

Key axis_key(const std::string& doc) {
    return {"axis", {vector(dimension::none).direction()}, doc, "", "z; y in a plane scene"};
}

Key direction_key(const std::string& name, const std::string& doc, const std::string& fallback,
                  const std::string& absent = "") {
    return {name, {choice({"x", "y", "z"}), vector(dimension::none).direction()}, doc, fallback, absent};
}

Key after_key() {
    return {"after",
            {number(dimension::time).not_negative()},
            "Samples before this time are shown in the time series but enter no average.",
            "0"};
}

Key measure_key(const std::string& name, const std::string& doc, const Table& keys) {
    return {name, {table(keys)}, doc};
}

}  // namespace

const Table& measure_table() {
    static const Table discharge = {
        "measure.discharge",
        "`discharge`",
        "Mass and number of grains through a plane, and the steady rate.",
        {{"below", axis_bound_forms(), "Counts grains that pass below.", "", "", false, "{ z = \"-5 cm\" }"},
         {"above", axis_bound_forms(), "Counts grains that pass above."},
         {"hole_diameter",
          {number(dimension::length).positive()},
          "Diameter of the round hole: Beverloo's law is then printed beside the result."},
         {"bulk_packing",
          {number(dimension::none).between(0, 1).positive()},
          "With `hole_diameter`: solid fraction of the bulk in Beverloo's law.",
          "",
          "measured before the flow begins",
          false,
          "0.61"},
         {"region",
          {scene::table(region_table())},
          "Only grains that pass the plane inside this region.",
          "",
          "everywhere"}},
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
    static const Table profile = with_region(
        {"measure.profile",
         "`profile`",
         "Motion, solid fraction and stress in the cells of a grid, averaged over time into a table: slices between "
         "`low` "
         "and `high` along `axis`, boxes that divide a `box`, or rings that divide a `cylinder`. In a plane scene one "
         "number of `bins` makes rings of a `circle` (from its `hole` on) and slices otherwise, two make boxes; "
         "stresses are per area of the slice, 1 m thick.",
         {axis_key("Slices: direction across them."),
          {"low", {number(dimension::length)}, "Slices: where the first begins.", "", "needed for slices", false, "0"},
          {"high",
           {number(dimension::length)},
           "Slices: where the last ends.",
           "",
           "needed for slices",
           false,
           "\"50 cm\""},
          {"bins",
           {integer(1), list(integer(1), 2, 3)},
           "Number of slices; or of boxes along x, y and z in the `box` (without one, in the domain); or of "
           "rings, across and along the axis of the `cylinder` or of the wall that `inside` names.",
           "20",
           "",
           false,
           "[20, 1, 40]"}}});
    static const Table energies = {
        "measure.energies", "`energies`", "Energies by kind and the entries of the energy ledger, for all grains.", {}};
    static const Table scale_heights = {
        "measure.scale_heights",
        "`scale_heights`",
        "Mean heights of grains by mass, beside those of an isothermal atmosphere with the grains' own energy.",
        {direction_key("axis", "Which way is up.", "", "against gravity"),
         {"floor", {number(dimension::length)}, "Where the floor is along the axis.", "0"},
         after_key()}};
    static const Table surface_slope = with_region(
        {"measure.surface_slope",
         "`surface_slope`",
         "Angle of the free surface of a bed, in a drum or on a heap, by a straight line through the highest grains.",
         {direction_key("up", "Which way is up.", "", "against gravity"),
          direction_key("along", "The slope is taken along this direction; a rise is positive.", "\"x\""),
          {"from", {number(dimension::length)}, "The line is fitted from here on.", "", "the middle half of the bed"},
          {"to", {number(dimension::length)}, "The line is fitted up to here.", "", "the middle half of the bed"},
          {"bin_width",
           {number(dimension::length).positive()},
           "One grain of the surface is taken in each bin of this width.",
           "",
           "two mean diameters"},
          {"drum",
           {text()},
           "A cylinder whose covered rim is told too: all of it when the drum centrifuges.",
           "",
           "none",
           false,
           "\"drum\""},
          after_key()}});
    static const Table velocity_distribution =
        with_region({"measure.velocity_distribution",
                     "`velocity_distribution`",
                     "Histogram of the components of velocity in thermal speeds, averaged over time into a table, "
                     "beside Maxwell's.",
                     {{"bins", {integer(2)}, "Number of bins.", "50"},
                      {"reach",
                       {number(dimension::none).positive()},
                       "The histogram goes from minus to plus this many thermal speeds.",
                       "5"},
                      after_key()}});
    static const Table displacement =
        with_region({"measure.displacement",
                     "`displacement`",
                     "Mean-square displacement since the first sample of the grains that were in the region then, and "
                     "their diffusion.",
                     {}});
    static const Table radial = {
        "measure.radial",
        "`radial`",
        "What turns about an axis, in rings: angular velocity as grains have it and as they have moved since the last "
        "sample, packing, stress along and across the radius, averaged over time into a table; and the proxy stress of "
        "AHS Eq. 4 (the trace of a grain's impulses times branch vectors, over time), beside the pressure. Engines "
        "without lasting contacts count the impulses between two samples.",
        {{"center", {vector(dimension::length)}, "A point of the axis.", "[0, 0, 0]"},
         direction_key("axis", "Its direction, in three dimensions.", "\"z\""),
         {"inner", {number(dimension::length).not_negative()}, "Where the first ring begins.", "0"},
         {"outer", {number(dimension::length).positive()}, "Where the last ring ends.", "", "", true, "\"9 cm\""},
         {"bins", {integer(1)}, "Number of rings.", "30"},
         {"low",
          {number(dimension::length)},
          "Where rings begin along the axis, from `center`.",
          "",
          "needed in space"},
         {"high", {number(dimension::length)}, "Where they end.", "", "needed in space"},
         after_key(),
         {"until", {number(dimension::time).positive()}, "Samples after this time enter no average.", "", "the end"}}};
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
         measure_key("profile", "Motion, solid fraction and stress on a grid.", profile),
         measure_key("energies", "Energies by kind, averaged over time.", energies),
         measure_key("scale_heights", "Heights of grains by mass.", scale_heights),
         measure_key("surface_slope", "Angle of a free surface.", surface_slope),
         measure_key("velocity_distribution", "Velocities against Maxwell's distribution.", velocity_distribution),
         measure_key("displacement", "Mean-square displacement and diffusion.", displacement),
         measure_key("radial", "Turning, packing and stress in rings about an axis.", radial),
         {"name", {text()}, "Begins the names of its columns in the time series.", "", "the kind of measure"},
         {"interval",
          {number(dimension::time).not_negative()},
          "Simulated time between samples; 0 is that of the time series.",
          "0"},
         {"start", {number(dimension::time).not_negative()}, "Nothing is measured before this time.", "0"},
         {"stage", {text()}, "Only during the stage of this name.", "", "always"}},
        {{"discharge", "coordination", "packing", "height", "center_of_mass", "stress", "profile", "energies",
          "scale_heights", "surface_slope", "velocity_distribution", "displacement", "radial"}}};
    return table;
}

}  // namespace talus::scene
