#include "talus/scene/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "talus/scene/units.h"

namespace talus::scene {

Form Form::positive() const {
    Form out = *this;
    out.low = 0;
    out.low_open = true;
    return out;
}

Form Form::not_negative() const {
    Form out = *this;
    out.low = 0;
    return out;
}

Form Form::between(double lowest, double highest) const {
    Form out = *this;
    out.low = lowest;
    out.high = highest;
    return out;
}

Form Form::rate() const {
    Form out = *this;
    out.turning = Turning::rate;
    return out;
}

Form Form::frequency() const {
    Form out = *this;
    out.turning = Turning::frequency;
    return out;
}

Form Form::turn() const {
    Form out = *this;
    out.planar = Planar::turn;
    return out;
}

Form Form::direction() const {
    Form out = *this;
    out.planar = Planar::direction;
    return out;
}

namespace {

std::string quoted(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (const std::string& word : words) {
        out.push_back('"' + word + '"');
    }
    return fmt::format("{}", fmt::join(out, ", "));
}

std::string quantity_text(const Form& form) {
    if (form.turning == Form::Turning::rate) {
        return "a turning rate (rad/s)";
    }
    if (form.turning == Form::Turning::frequency) {
        return "a frequency (Hz)";
    }
    return dimension_text(form.dimension);
}

}  // namespace

std::string Form::describe(int dimensions) const {
    switch (kind) {
        case Kind::number:
            return quantity_text(*this);
        case Kind::integer:
            return "a whole number";
        case Kind::boolean:
            return "true or false";
        case Kind::text:
            return "a text";
        case Kind::choice:
            return (words.size() == 1 ? "" : "one of ") + quoted(words);
        case Kind::relative:
            return fmt::format("a multiple of another key such as \"2/7 {}\"", words.at(0));
        case Kind::vector: {
            const std::string unit = turning == Turning::rate ? "rad/s" : unit_text(dimension);
            const std::string or_words = words.empty() ? "" : ", each may be " + quoted(words);
            const std::string in_unit = unit.empty() ? "" : " (" + unit + ")";
            if (dimensions == 2 && planar == Planar::turn) {
                return fmt::format("one number{}, about z", in_unit);
            }
            return fmt::format("{} numbers{}{}", dimensions == 2 ? "two" : "three", in_unit, or_words);
        }
        case Kind::list:
            if (least == most) {
                return fmt::format("a list of {}, each {}", least, element.at(0).describe(dimensions));
            }
            return "a list, each entry " + element.at(0).describe(dimensions);
        case Kind::table:
            return "a table";
        case Kind::named:
            return "tables under names of your choice";
    }
    return "";
}

Form number(base::Dimension dimension) {
    Form form;
    form.kind = Form::Kind::number;
    form.dimension = dimension;
    return form;
}
Form integer(double low) {
    Form form;
    form.kind = Form::Kind::integer;
    form.low = low;
    return form;
}
Form boolean() {
    Form form;
    form.kind = Form::Kind::boolean;
    return form;
}
Form text() {
    return {};
}
Form choice(std::vector<std::string> words) {
    Form form;
    form.kind = Form::Kind::choice;
    form.words = std::move(words);
    return form;
}
Form relative(std::string key) {
    Form form;
    form.kind = Form::Kind::relative;
    form.words = {std::move(key)};
    return form;
}
Form vector(base::Dimension dimension, std::vector<std::string> words) {
    Form form = number(dimension);
    form.kind = Form::Kind::vector;
    form.words = std::move(words);
    return form;
}
Form list(Form element, std::size_t least, std::size_t most) {
    Form form;
    form.kind = Form::Kind::list;
    form.element = {std::move(element)};
    form.least = least;
    form.most = most;
    return form;
}
Form table(const Table& table) {
    Form form;
    form.kind = Form::Kind::table;
    form.table = &table;
    return form;
}
Form named(const Table& table) {
    Form form;
    form.kind = Form::Kind::named;
    form.table = &table;
    return form;
}

const Key* Table::find(std::string_view name) const {
    for (const Key& key : keys) {
        if (key.name == name) {
            return &key;
        }
    }
    return nullptr;
}

std::vector<std::string> Table::names() const {
    std::vector<std::string> out;
    for (const Key& key : keys) {
        out.push_back(key.name);
    }
    return out;
}

namespace {

void walk(const std::string& prefix, const Table& table, std::vector<KeyPath>& out) {
    for (const auto& [name, variant] : table.variants) {
        walk(prefix, *variant, out);
    }
    for (const Key& key : table.keys) {
        const std::string path = prefix + key.name;
        out.push_back({path, &key, &table});
        for (const Form& form : key.forms) {
            if (form.kind == Form::Kind::table) {
                walk(path + ".", *form.table, out);
            } else if (form.kind == Form::Kind::named) {
                walk(path + ".*.", *form.table, out);
            } else if (form.kind == Form::Kind::list && form.element.at(0).table != nullptr) {
                walk(path + "[].", *form.element.at(0).table, out);
            }
        }
    }
}

}  // namespace

std::vector<KeyPath> all_keys() {
    std::vector<KeyPath> out;
    walk("", scene_table(), out);
    return out;
}

}  // namespace talus::scene
