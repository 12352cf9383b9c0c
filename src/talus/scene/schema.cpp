// docs/scene.schema.json from the list of keys.
#include <toml++/toml.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "talus/scene/keys.h"
#include "talus/scene/reference.h"

namespace talus::scene {

namespace {

using Json = nlohmann::ordered_json;

std::string plain(std::string text) {
    std::erase(text, '`');
    return text;
}

std::string definition(const Table& table) {
    return "#/$defs/" + table.id;
}

/// A default or an example, which the list of keys holds as TOML text.
Json from_toml(const std::string& text) {
    const toml::table parsed = toml::parse("value = " + text);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << toml::json_formatter{parsed};
    return Json::parse(out.str())["value"];
}

Json number_schema(const Form& form) {
    Json number = {{"type", form.kind == Form::Kind::integer ? "integer" : "number"}};
    if (std::isfinite(form.low)) {
        number[form.low_open ? "exclusiveMinimum" : "minimum"] = form.low;
    }
    if (std::isfinite(form.high)) {
        number["maximum"] = form.high;
    }
    return number;
}

Json text_number_schema() {
    return {{"type", "string"}, {"pattern", "^\\s*[-+]?\\.?[0-9]"}};
}

Json form_schema(const Form& form);

Json any_of(const std::vector<Form>& forms) {
    Json parts = Json::array();
    for (const Form& form : forms) {
        parts.push_back(form_schema(form));
        if (form.kind == Form::Kind::number) {
            parts.push_back(text_number_schema());
        }
    }
    return parts.size() == 1 ? parts[0] : Json{{"anyOf", parts}};
}

Json form_schema(const Form& form) {
    switch (form.kind) {
        case Form::Kind::number:
        case Form::Kind::integer:
            return number_schema(form);
        case Form::Kind::boolean:
            return {{"type", "boolean"}};
        case Form::Kind::text:
            return {{"type", "string"}};
        case Form::Kind::choice:
            return {{"enum", form.words}};
        case Form::Kind::relative:
            return {{"type", "string"}, {"pattern", "\\b" + form.words[0] + "$"}};
        case Form::Kind::vector: {
            Form component = form;
            component.kind = Form::Kind::number;
            std::vector<Form> forms = {component};
            if (!form.words.empty()) {
                forms.push_back(choice(form.words));
            }
            // Plane scenes have two numbers, and one about z.
            const Json array = {{"type", "array"}, {"items", any_of(forms)}, {"minItems", 2}, {"maxItems", 3}};
            if (form.planar != Form::Planar::turn) {
                return array;
            }
            return {{"anyOf", Json::array({array, number_schema(component), text_number_schema()})}};
        }
        case Form::Kind::list: {
            Json out = {{"type", "array"}, {"items", any_of(form.element)}};
            if (form.least > 0) {
                out["minItems"] = form.least;
            }
            if (form.most != std::numeric_limits<std::size_t>::max()) {
                out["maxItems"] = form.most;
            }
            return out;
        }
        case Form::Kind::table:
            return {{"$ref", definition(*form.table)}};
        case Form::Kind::named:
            return {{"type", "object"}, {"additionalProperties", {{"$ref", definition(*form.table)}}}};
    }
    return {};
}

Json key_schema(const Key& key) {
    Json out = any_of(key.forms);
    out["description"] = plain(key.doc) + (key.absent.empty() ? "" : " Without it: " + plain(key.absent) + ".");
    if (!key.fallback.empty()) {
        out["default"] = from_toml(key.fallback);
    }
    if (!key.example.empty()) {
        out["examples"] = Json::array({from_toml(key.example)});
    }
    return out;
}

Json table_schema(const Table& table) {
    Json out = {{"type", "object"}};
    if (!table.doc.empty()) {
        out["description"] = plain(table.doc);
    }
    if (!table.selector.empty()) {
        Json names = Json::array();
        Json branches = Json::array();
        for (const auto& [name, variant] : table.variants) {
            names.push_back(name);
            branches.push_back({{"if", {{"properties", {{table.selector, {{"const", name}}}}}}},
                                {"then", {{"$ref", definition(*variant)}}}});
        }
        out["properties"] = {{table.selector, {{"enum", names}}}};
        out["required"] = Json::array({table.selector});
        out["allOf"] = branches;
        return out;
    }
    Json properties = Json::object();
    Json required = Json::array();
    for (const Key& key : table.keys) {
        properties[key.name] = key_schema(key);
        if (key.required) {
            required.push_back(key.name);
        }
    }
    out["properties"] = properties;
    out["additionalProperties"] = false;
    if (!required.empty()) {
        out["required"] = required;
    }
    Json rules = Json::array();
    for (const auto& group : table.exactly_one) {
        Json one = Json::array();
        for (const std::string& name : group) {
            one.push_back({{"required", Json::array({name})}});
        }
        rules.push_back({{"oneOf", one}});
    }
    for (const auto& group : table.at_most_one) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (std::size_t j = i + 1; j < group.size(); ++j) {
                rules.push_back({{"not", {{"required", Json::array({group[i], group[j]})}}}});
            }
        }
    }
    if (!rules.empty()) {
        out["allOf"] = rules;
    }
    return out;
}

void define(const Table& table, Json& definitions) {
    if (definitions.contains(table.id)) {
        return;
    }
    definitions[table.id] = table_schema(table);
    for (const auto& [name, variant] : table.variants) {
        define(*variant, definitions);
    }
    for (const Key& key : table.keys) {
        for (const Form& form : key.forms) {
            const Form& inner = form.kind == Form::Kind::list ? form.element[0] : form;
            if (inner.table != nullptr) {
                define(*inner.table, definitions);
            }
        }
    }
}

}  // namespace

std::string scene_json_schema() {
    Json definitions = Json::object();
    define(scene_table(), definitions);
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Talus scene"}};
    schema.update(definitions[scene_table().id]);
    definitions.erase(scene_table().id);
    schema["$defs"] = definitions;
    return schema.dump(2) + "\n";
}

}  // namespace talus::scene
