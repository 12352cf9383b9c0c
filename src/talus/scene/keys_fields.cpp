// The keys of [fields] and [forces], and of what grains carry to feel them.
#include <deque>

#include "talus/scene/keys.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

/// A field that turns.
Table turning_table(const std::string& name, const Form& value, const std::string& example) {
    return {"fields." + name,
            "`" + name + "` that turns",
            "`" + name + " = { value = " + example + ", axis = [0, 1, 0], period = \"20 ms\" }`.",
            {{"value", {value}, "The field at time 0.", "", "", true, example},
             {"axis", {vector(dimension::none).direction()}, "What it turns about, counter-clockwise.", "[0, 0, 1]"},
             {"period", {number(dimension::time).positive()}, "How long a turn takes.", "", "", false, "\"20 ms\""},
             {"rate",
              {number(dimension::angular_velocity).rate()},
              "How fast it turns, in place of `period`; negative turns clockwise.",
              "",
              "",
              false,
              "\"3000 rpm\""}},
            {{"period", "rate"}}};
}

}  // namespace

const Table& fields_table() {
    static std::deque<Table> turning;
    static const Table table = [] {
        const Form electric = vector(dimension::electric_field);
        const Form magnetic = vector(dimension::magnetic_field).direction();
        const Form gravity = vector(dimension::acceleration);
        const auto forms = [](const std::string& name, const Form& value, const std::string& example) {
            turning.push_back(turning_table(name, value, example));
            return std::vector<Form>{scene::table(turning.back())};
        };
        const auto both = [&forms](const std::string& name, const Form& value, const std::string& example) {
            std::vector<Form> out = forms(name, value, example);
            out.insert(out.begin(), value);
            return out;
        };
        return Table{
            "fields",
            "Fields",
            "Fields that are the same everywhere, for `engine = \"soft\"` (see [fields.md](fields.md)). A list of "
            "numbers is constant; a table turns.",
            {{"electric", both("electric", electric, "[0, 0, \"1 kV/m\"]"),
              "Pushes charges and turns electric dipoles.", "", "none", false, "[0, 0, \"1 kV/m\"]"},
             {"magnetic", both("magnetic", magnetic, "[\"20 mT\", 0, 0]"),
              "Turns magnetic dipoles, and the velocities of charges.", "", "none", false, "[0, 0, \"20 mT\"]"},
             {"gravity", forms("gravity", gravity, "[0, 0, \"-1 g0\"]"),
              "Gravity that turns; it is added to `gravity.uniform`.", "", "none"}}};
    }();
    return table;
}

const Table& forces_table() {
    static const Table table = {
        "forces",
        "Forces over a distance",
        "What every grain does to every other, however far away, for `engine = \"soft\"` and without periodic sides "
        "(see [fields.md](fields.md)).",
        {{"gravity",
          {boolean(), number(dimension::gravitation).positive()},
          "Whether masses attract one another; a number is the gravitational constant, in place of nature's.",
          "false",
          "",
          false,
          "\"6.7e-11 m3/kg/s2\""},
         {"electric", {boolean()}, "Whether charges and electric dipoles act on one another.", "false"},
         {"magnetic", {boolean()}, "Whether magnetic dipoles act on one another.", "false"}}};
    return table;
}

std::vector<Key> moment_keys(const std::string& absent) {
    return {{"charge", {number(dimension::charge)}, "Charge of a grain, at its centre.", "", absent, false, "\"1 nC\""},
            {"electric_dipole",
             {vector(dimension::electric_dipole)},
             "Electric dipole of a grain, at its centre; it turns with the grain.",
             "",
             absent,
             false,
             "[0, 0, \"1 nC mm\"]"},
            {"magnetic_dipole",
             {vector(dimension::magnetic_dipole).direction()},
             "Magnetic dipole of a grain, at its centre; it turns with the grain.",
             "",
             absent,
             false,
             "[0, 0, \"1 mA m2\"]"}};
}

}  // namespace talus::scene
