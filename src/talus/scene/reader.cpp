#include "talus/scene/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "talus/scene/units.h"

namespace talus::scene {

namespace {

using Kind = Form::Kind;

const Form* pick(const std::vector<Form>& forms, Kind kind) {
    for (const Form& form : forms) {
        if (form.kind == kind) {
            return &form;
        }
    }
    return nullptr;
}

std::string type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::string:
            return "a text";
        case toml::node_type::integer:
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time of day";
    }
}

std::string join(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

}  // namespace

std::string Reader::describe(const std::vector<Form>& forms) const {
    std::vector<std::string> parts;
    for (const Form& form : forms) {
        parts.push_back(form.describe(dimensions_));
    }
    return fmt::format("{}", fmt::join(parts, ", or "));
}

Value Reader::start(const toml::node& node, const std::string& path) const {
    Value out;
    out.key = path;
    const toml::source_region& source = node.source();
    if (source.path && source.path->starts_with(override_mark)) {
        out.where = {*source.path, 0, 0};
    } else {
        out.where = {file_, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
    }
    return out;
}

void Reader::fault(Value& value, std::string message, std::string expected, std::string suggestion) {
    diagnostics_.error(value.where, value.key, std::move(message), std::move(expected), std::move(suggestion));
    value.complete = false;
}

bool Reader::check_range(double number, const Form& form, Value& value) {
    if (!std::isfinite(number)) {
        fault(value, "is not a finite number", form.describe(dimensions_));
        return false;
    }
    if (number > form.low && number <= form.high) {
        return true;
    }
    if (number == form.low && !form.low_open) {
        return true;
    }
    if (form.low == 0 && std::isinf(form.high)) {
        fault(value, form.low_open ? "must be positive" : "must not be negative", form.describe(dimensions_));
    } else {
        const std::string high = std::isinf(form.high) ? "" : fmt::format(" and at most {}", form.high);
        fault(value, fmt::format("must be {} {}{}", form.low_open ? "above" : "at least", form.low, high),
              form.describe(dimensions_));
    }
    return false;
}

Value Reader::value(const toml::node& node, const std::vector<Form>& forms, const std::string& path) {
    Value out = start(node, path);
    const Form* turning = dimensions_ == 2 ? pick(forms, Kind::vector) : nullptr;
    if (turning != nullptr && turning->planar == Form::Planar::turn && (node.is_number() || node.is_string())) {
        return turn(node, *turning, path);
    }
    if (const toml::table* sub = node.as_table()) {
        if (const Form* form = pick(forms, Kind::table)) {
            return table(*sub, *form->table, path);
        }
        if (const Form* form = pick(forms, Kind::named)) {
            return named(*sub, *form, path);
        }
        const Form* form = pick(forms, Kind::list);
        if (form != nullptr && form->element[0].kind == Kind::table) {
            fault(out, "is a single table", fmt::format("a list of tables: write [[{0}]], not [{0}]", path));
            return out;
        }
    } else if (const toml::array* array_node = node.as_array()) {
        if (pick(forms, Kind::vector) != nullptr || pick(forms, Kind::list) != nullptr) {
            return array(*array_node, forms, path);
        }
    } else if (node.is_number()) {
        if (pick(forms, Kind::number) != nullptr || pick(forms, Kind::integer) != nullptr) {
            return numeric(node, forms, path);
        }
    } else if (node.is_string()) {
        return string(node, forms, path);
    } else if (node.is_boolean() && pick(forms, Kind::boolean) != nullptr) {
        out.kind = Value::Kind::boolean;
        out.boolean = node.as_boolean()->get();
        return out;
    }
    fault(out, "is " + type_name(node), describe(forms));
    return out;
}

Value Reader::numeric(const toml::node& node, const std::vector<Form>& forms, const std::string& path) {
    Value out = start(node, path);
    const double number = *node.value<double>();
    if (const Form* form = pick(forms, Kind::integer)) {
        if (!node.is_integer()) {
            fault(out, "is not a whole number", form->describe(dimensions_));
        } else if (check_range(number, *form, out)) {
            out.kind = Value::Kind::integer;
            out.integer = node.as_integer()->get();
        }
        return out;
    }
    const Form* form = pick(forms, Kind::number);
    if (check_range(number, *form, out)) {
        out.kind = Value::Kind::number;
        out.number = number;
    }
    return out;
}

void Reader::unit_text(const std::string& text, const Form& form, const std::vector<Form>& forms, Value& out) {
    QuantityFault wrong;
    Quantity quantity = parse_quantity(text, wrong);
    if (!wrong.message.empty()) {
        fault(out, wrong.message, describe(forms), wrong.suggestion);
        return;
    }
    if (quantity.dimension != form.dimension) {
        fault(out, fmt::format("\"{}\" is {}", text, dimension_text(quantity.dimension)), describe(forms));
        return;
    }
    if (form.turning == Form::Turning::rate && quantity.cycling) {
        fault(out, fmt::format("\"{}\" counts cycles, not angles", text), "a rate in rad/s, deg/s, rev/s or rpm");
        return;
    }
    if (form.turning == Form::Turning::frequency && quantity.turning) {
        quantity.value /= 2 * std::numbers::pi;
    }
    if (check_range(quantity.value, form, out)) {
        out.kind = Value::Kind::number;
        out.number = quantity.value;
    }
}

Value Reader::string(const toml::node& node, const std::vector<Form>& forms, const std::string& path) {
    Value out = start(node, path);
    const std::string& text = node.as_string()->get();
    const Form* choices = pick(forms, Kind::choice);
    if (choices != nullptr) {
        for (const std::string& word : choices->words) {
            if (word == text) {
                out.kind = Value::Kind::text;
                out.text = text;
                return out;
            }
        }
    }
    if (const Form* form = pick(forms, Kind::relative)) {
        std::string_view rest = text;
        double multiple = 1;
        take_number(rest, multiple);
        while (!rest.empty() && (rest.front() == ' ' || rest.front() == '*')) {
            rest.remove_prefix(1);
        }
        if (rest == form->words[0]) {
            out.kind = Value::Kind::relative;
            out.number = multiple;
            out.text = form->words[0];
            return out;
        }
    }
    const Form* number = pick(forms, Kind::number);
    const std::string near = choices != nullptr ? base::nearest_name(text, choices->words) : "";
    if (number != nullptr && near.empty()) {
        unit_text(text, *number, forms, out);
    } else if (choices != nullptr) {
        fault(out, fmt::format("\"{}\" is not known here", text), describe(forms), near);
    } else if (pick(forms, Kind::text) != nullptr) {
        out.kind = Value::Kind::text;
        out.text = text;
    } else {
        fault(out, "is a text", describe(forms));
    }
    return out;
}

Value Reader::array(const toml::array& node, const std::vector<Form>& forms, const std::string& path) {
    const Form* form = pick(forms, Kind::vector);
    return form != nullptr ? vector(node, *form, path) : list(node, *pick(forms, Kind::list), path);
}

/// In the plane everything turns about z: one number says it.
Value Reader::turn(const toml::node& node, const Form& form, const std::string& path) {
    Form component = form;
    component.kind = Kind::number;
    Value out = value(node, {component}, path);
    if (out.kind == Value::Kind::number) {
        out.kind = Value::Kind::vector;
        out.vector = {0, 0, out.number};
    }
    return out;
}

/// A vector of three numbers in a plane scene: what does not belong there must be zero.
void Reader::check_plane(const toml::array& node, const Form& form, Value& out) {
    if (dimensions_ != 2 || node.size() != 3 || form.planar == Form::Planar::direction) {
        return;
    }
    const bool turns = form.planar == Form::Planar::turn;
    const bool leaves = turns ? out.vector.x != 0 || out.vector.y != 0 : out.vector.z != 0;
    if (leaves && !(form.words.size() == 1 && std::isnan(out.vector.z))) {
        fault(out, turns ? "turns about x or y, out of the plane" : "has a part along z, out of the plane",
              form.describe(2) + ": the scene has two dimensions");
    }
}

Value Reader::vector(const toml::array& node, const Form& form, const std::string& path) {
    Value out = start(node, path);
    const bool two = dimensions_ == 2 && form.planar != Form::Planar::turn && node.size() == 2;
    if (node.size() != 3 && !two) {
        fault(out, fmt::format("has {} entries", node.size()), form.describe(dimensions_));
        return out;
    }
    Form component = form;
    component.kind = Kind::number;
    std::vector<Form> forms = {component};
    if (!form.words.empty()) {
        forms.push_back(choice(form.words));
    }
    for (int i = 0; i < static_cast<int>(node.size()); ++i) {
        const Value entry = value(node[static_cast<std::size_t>(i)], forms, fmt::format("{}[{}]", path, i));
        out.complete = out.complete && entry.complete;
        out.vector[i] = entry.kind == Value::Kind::text ? std::numeric_limits<double>::quiet_NaN() : entry.number;
    }
    if (out.complete) {
        check_plane(node, form, out);
    }
    out.kind = out.complete ? Value::Kind::vector : Value::Kind::faulty;
    return out;
}

Value Reader::list(const toml::array& node, const Form& form, const std::string& path) {
    Value out = start(node, path);
    if (node.size() < form.least || node.size() > form.most) {
        fault(out, fmt::format("has {} {}", node.size(), node.size() == 1 ? "entry" : "entries"),
              form.describe(dimensions_));
        return out;
    }
    for (std::size_t i = 0; i < node.size(); ++i) {
        out.items.push_back(value(node[i], form.element, fmt::format("{}[{}]", path, i)));
        out.complete = out.complete && out.items.back().complete;
    }
    // Entries that are tables speak for themselves; a list of plain values is of use only as a whole.
    const bool usable = out.complete || form.element[0].kind == Kind::table;
    out.kind = usable ? Value::Kind::list : Value::Kind::faulty;
    return out;
}

Value Reader::named(const toml::table& node, const Form& form, const std::string& path) {
    Value out = start(node, path);
    out.kind = Value::Kind::table;
    for (const auto& [name, sub] : node) {
        const std::string sub_path = join(path, std::string(name.str()));
        out.members.emplace_back(std::string(name.str()), value(sub, {scene::table(*form.table)}, sub_path));
        out.complete = out.complete && out.members.back().second.complete;
    }
    return out;
}

Value Reader::table(const toml::table& node, const Table& keys, const std::string& path) {
    Value out = start(node, path);
    out.kind = Value::Kind::table;
    const Table* chosen = &keys;
    if (!keys.selector.empty()) {
        std::vector<std::string> names;
        for (const auto& [name, variant] : keys.variants) {
            names.push_back(name);
        }
        const std::string selector_path = join(path, keys.selector);
        const toml::node* selector = node.get(keys.selector);
        if (selector == nullptr) {
            fault(out, fmt::format("needs the key \"{}\"", keys.selector), choice(names).describe());
            return out;
        }
        const Value selected = value(*selector, {choice(names)}, selector_path);
        for (const auto& [name, variant] : keys.variants) {
            chosen = selected.kind == Value::Kind::text && name == selected.text ? variant : chosen;
        }
        if (chosen == &keys) {
            out.complete = false;
            return out;
        }
    }
    members(node, *chosen, path, out);
    groups(*chosen, out);
    defaults(*chosen, path, out);
    return out;
}

void Reader::members(const toml::table& node, const Table& keys, const std::string& path, Value& out) {
    for (const auto& [name, sub] : node) {
        const std::string sub_path = join(path, std::string(name.str()));
        const Key* key = keys.find(name.str());
        if (key != nullptr) {
            out.members.emplace_back(key->name, value(sub, key->forms, sub_path));
            out.complete = out.complete && out.members.back().second.complete;
            continue;
        }
        Value unknown = start(sub, sub_path);
        if (unknown.where.line > 0 && name.source().begin.line > 0) {
            unknown.where.line = static_cast<int>(name.source().begin.line);
            unknown.where.column = static_cast<int>(name.source().begin.column);
        }
        const std::string near = base::nearest_name(name.str(), keys.names());
        std::string expected;
        if (near.empty()) {
            expected = fmt::format("one of {}", fmt::join(keys.names(), ", "));
        }
        if (keys.keys.empty()) {
            expected = "an empty table";
        }
        fault(unknown, "unknown key", expected, near);
        out.complete = false;
    }
}

void Reader::groups(const Table& keys, Value& out) {
    const auto given = [&out](const std::vector<std::string>& group) {
        std::vector<std::string> names;
        for (const std::string& name : group) {
            if (out.has(name)) {
                names.push_back(name);
            }
        }
        return names;
    };
    for (const auto& group : keys.exactly_one) {
        const std::vector<std::string> names = given(group);
        if (names.empty() && out.complete) {  // an unknown key was most likely meant to be the missing one
            fault(out, "lacks a key", fmt::format("exactly one of {}", fmt::join(group, ", ")));
        } else if (names.size() > 1) {
            fault(out, fmt::format("{} exclude each other", fmt::join(names, " and ")),
                  fmt::format("exactly one of {}", fmt::join(group, ", ")));
        }
    }
    for (const auto& group : keys.at_most_one) {
        const std::vector<std::string> names = given(group);
        if (names.size() > 1) {
            fault(out, fmt::format("{} exclude each other", fmt::join(names, " and ")), "one of them");
        }
    }
}

void Reader::defaults(const Table& keys, const std::string& path, Value& out) {
    for (const Key& key : keys.keys) {
        if (out.has(key.name)) {
            continue;
        }
        if (key.required) {
            fault(out, fmt::format("needs the key \"{}\"", key.name), describe(key.forms));
        } else if (!key.fallback.empty()) {
            const toml::table parsed = toml::parse("value = " + key.fallback);
            Value filled = value(*parsed.get("value"), key.forms, join(path, key.name));
            filled.given = false;
            filled.where = out.where;
            out.members.emplace_back(key.name, std::move(filled));
        } else {
            // A table left out is the same as an empty one: its keys have their defaults.
            const Form* form = key.forms.size() == 1 ? pick(key.forms, Kind::table) : nullptr;
            if (form != nullptr && keys.id == scene_table().id) {
                Value filled = table(toml::table{}, *form->table, join(path, key.name));
                filled.given = false;
                filled.where = out.where;
                out.members.emplace_back(key.name, std::move(filled));
            }
        }
    }
}

}  // namespace talus::scene
