// The keys of [[contacts]], taken from the registry of laws: a new law needs no line here.
#include <fmt/format.h>

#include <deque>

#include "talus/laws/registry.h"
#include "talus/scene/keys.h"
#include "talus/scene/stiffness.h"

namespace talus::scene {

namespace {

namespace dimension = base::dimension;

const Table& helper_table() {
    static const Table table = {
        "stiffness",
        "Stiffness from what is known",
        "In place of a number, a law's normal stiffness (`kn`, `young`) may be a table that works it out from the "
        "grains of the scene, once they are drawn.",
        {
            {"max_speed",
             {number(dimension::velocity).positive()},
             "Fastest impact expected: the heaviest grain then overlaps by `overlap` (SSDEM Eq. 4).",
             "",
             "",
             false,
             "\"3 m/s\""},
            {"depth",
             {number(dimension::length).positive()},
             "Depth of the bed under the scene's gravity: the grains at its bottom then overlap by `overlap` (SSDEM "
             "Eq. 5, solid fraction 0.65).",
             "",
             "",
             false,
             "\"2 m\""},
            {"sound_speed",
             {number(dimension::velocity).positive()},
             "Speed of sound through the packed grains, one mean diameter a collision (SSDEM Sect. 2.1).",
             "",
             "",
             false,
             "\"100 m/s\""},
            {"overlap",
             {number(dimension::none).positive()},
             "Largest wanted overlap as a fraction of the smallest radius; for `max_speed` and `depth`.",
             "0.01"},
        },
        {{"max_speed", "depth", "sound_speed"}}};
    return table;
}

Key parameter_key(const std::string& name, const laws::ParameterInfo& parameter) {
    Key key;
    key.name = name;
    Form form = number(parameter.dimension);
    form.low = parameter.low;
    form.high = parameter.high < 1e300 ? parameter.high : form.high;
    key.forms = {form};
    if (!parameter.relative_to.empty()) {
        key.forms.push_back(relative(parameter.relative_to));
    }
    if (parameter.stiffness) {
        key.forms.push_back(table(helper_table()));
    }
    key.doc = parameter.doc;
    key.fallback = parameter.default_value ? fmt::format("{}", *parameter.default_value) : "";
    return key;
}

Table law_table(const laws::LawInfo& law, std::deque<Table>& sub_tables) {
    Table table;
    table.id = "contacts." + law.name;
    table.title = "Contact law `" + law.name + "`";
    table.doc = law.summary + "\n\n" + law.formula;
    table.keys = {
        {"between",
         {list(text(), 2, 2)},
         "The two materials; `*` stands for any part of a name, so `[\"grain\", \"*\"]` is grains against everything.",
         "",
         "",
         true,
         "[\"grain\", \"*\"]"},
        {"law", {choice({law.name})}, "The contact law.", "", "", true, "\"" + law.name + "\""},
    };
    for (const laws::ParameterInfo& parameter : law.parameters) {
        const std::size_t dot = parameter.key.find('.');
        if (dot == std::string::npos) {
            table.keys.push_back(parameter_key(parameter.key, parameter));
            continue;
        }
        const std::string group = parameter.key.substr(0, dot);
        const Key* known = table.find(group);
        if (known == nullptr) {
            sub_tables.push_back({table.id + "." + group, "`" + group + "` of law `" + law.name + "`", "", {}});
            table.keys.push_back({group, {scene::table(sub_tables.back())}, "Sub-table, see below."});
            known = &table.keys.back();
        }
        for (Table& sub : sub_tables) {
            if (&sub == known->forms[0].table) {
                sub.keys.push_back(parameter_key(parameter.key.substr(dot + 1), parameter));
            }
        }
    }
    return table;
}

/// The rule of rigid grains; it has no entry in the registry of forces.
const Table& impact_table() {
    static const Table table = {
        "contacts.impact",
        "Impact rule `impact`",
        "What rigid grains do at the instant they meet (HSDEM Eqs. 4-8), for `engine = \"hard\"` and `\"stepped\"`: "
        "the normal velocity "
        "of the surfaces is multiplied by `-restitution`, the transverse one by `tangential_restitution`, as far as "
        "Coulomb's `friction` allows. The hard engines take the entries of force laws as well: their `restitution`, "
        "`tangential_restitution` (0 if it is not given and there is friction) and `friction.static`.",
        {
            {"between",
             {list(text(), 2, 2)},
             "The two materials; `*` stands for any part of a name.",
             "",
             "",
             true,
             "[\"grain\", \"*\"]"},
            {"law", {choice({"impact"})}, "The impact rule.", "", "", true, "\"impact\""},
            {"restitution",
             {number(dimension::none).between(0, 1)},
             "Normal restitution: 1 gives all of the speed back.",
             "",
             "",
             true,
             "0.9"},
            {"tangential_restitution",
             {number(dimension::none).between(-1, 1)},
             "Transverse restitution: 1 is smooth, 0 leaves no slip, -1 reverses it.",
             "",
             "0 with `friction`, otherwise 1"},
            {"friction",
             {number(dimension::none).not_negative()},
             "Coulomb's limit on the transverse impulse, as a part of the normal one.",
             "",
             "no limit",
             false,
             "0.3"},
        }};
    return table;
}

}  // namespace

const Table& contact_table() {
    static std::deque<Table> sub_tables;  // a deque never moves its elements
    static const std::vector<Table> law_tables = [] {
        std::vector<Table> out;
        for (const laws::LawInfo& law : laws::registry()) {
            if (law.variant_of.empty()) {
                out.push_back(law_table(law, sub_tables));
            }
        }
        return out;
    }();
    static const Table table = [] {
        Table out;
        out.id = "contacts";
        out.title = "Contacts";
        out.doc =
            "How two materials touch. Entries are tried in order and the last one that matches a pair wins, so a "
            "general entry comes first and exceptions follow. Every pair that can meet, of grains and of grains with "
            "walls, needs one. `law` decides which other keys there are.";
        out.selector = "law";
        for (const Table& law : law_tables) {
            out.variants.emplace_back(law.find("law")->forms[0].words[0], &law);
        }
        out.variants.emplace_back("impact", &impact_table());
        return out;
    }();
    return table;
}

}  // namespace talus::scene
