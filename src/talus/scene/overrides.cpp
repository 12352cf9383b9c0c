#include "talus/scene/overrides.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "talus/scene/reader.h"

namespace talus::scene {

namespace {

/// "stages[2].until" as stages, 2, until; quotes protect dots. Empty: not a path.
std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> out(1);
    char quote = 0;
    for (const char c : path) {
        if (quote != 0) {
            quote = c == quote ? char{0} : quote;
            if (quote != 0) {
                out.back() += c;
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '.' || c == '[') {
            out.emplace_back();
        } else if (c != ']' && c != ' ') {
            out.back() += c;
        }
    }
    for (const std::string& part : out) {
        if (part.empty()) {
            return {};
        }
    }
    return out;
}

std::optional<std::size_t> as_index(const std::string& part) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    return error == std::errc{} && end == part.data() + part.size() ? std::optional(index) : std::nullopt;
}

/// A TOML string that stands for exactly this text.
std::string literal(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + "\"";
}

/// `part1.part2 = value` as a table; the nodes remember that they came from the command line.
toml::table parse_value(const std::vector<std::string>& parts, std::size_t first, const std::string& value,
                        const std::string& source) {
    std::string key;
    for (std::size_t i = first; i < parts.size(); ++i) {
        key += (key.empty() ? "" : ".") + literal(parts[i]);
    }
    try {
        const bool one_line = value.find('\n') == std::string::npos;
        return toml::parse(key + " = " + (one_line ? value : literal(value)), source);
    } catch (const toml::parse_error&) {
        return toml::parse(key + " = " + literal(value), source);
    }
}

/// The entry of a list by index or by its name; null if there is none.
toml::node* entry_of(toml::array& array, const std::string& part) {
    if (const auto index = as_index(part)) {
        return array.get(*index);
    }
    for (toml::node& entry : array) {
        if (entry.is_table() && entry.as_table()->get_as<std::string>("name") != nullptr &&
            entry.as_table()->get_as<std::string>("name")->get() == part) {
            return &entry;
        }
    }
    return nullptr;
}

/// toml++ has no in-place assignment of a node of another type to a list.
void replace_entry(toml::array& array, toml::node* entry, toml::node& with) {
    for (auto it = array.begin(); it != array.end(); ++it) {
        if (&*it == entry) {
            array.replace(it, std::move(with));
            return;
        }
    }
}

}  // namespace

void apply_override(const std::string& text, toml::table& scene, base::Diagnostics& diagnostics) {
    const std::string source = std::string(override_mark) + text;
    const std::size_t equals = text.find('=');
    const std::vector<std::string> parts =
        equals == std::string::npos ? std::vector<std::string>{} : split_path(text.substr(0, equals));
    if (parts.empty()) {
        diagnostics.error({source, 0, 0}, "", "cannot be read",
                          "dotted.key=value, such as materials.grain.density=2000");
        return;
    }
    const std::string value = text.substr(equals + 1);
    toml::node* here = &scene;
    std::string path;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        if (toml::table* table = here->as_table()) {
            path += (path.empty() ? "" : ".") + parts[i];
            toml::node* next = table->get(parts[i]);
            if (next == nullptr || last) {
                toml::table parsed = parse_value(parts, i, value, source);
                table->insert_or_assign(parts[i], std::move(*parsed.get(parts[i])));
                return;
            }
            here = next;
        } else if (toml::array* array = here->as_array()) {
            toml::node* next = entry_of(*array, parts[i]);
            if (next == nullptr) {
                diagnostics.error(
                    {source, 0, 0}, path, fmt::format("has no entry {}", parts[i]),
                    array->empty() ? "nothing: the list is empty"
                                   : fmt::format("an index from 0 to {}, or the name of an entry", array->size() - 1));
                return;
            }
            path += "[" + parts[i] + "]";
            if (last) {
                toml::table parsed = parse_value(parts, i, value, source);
                replace_entry(*array, next, *parsed.get(parts[i]));
                return;
            }
            here = next;
        } else {
            diagnostics.error({source, 0, 0}, path, fmt::format("is a plain value and has no key \"{}\"", parts[i]),
                              fmt::format("{}=value", path));
            return;
        }
    }
}

}  // namespace talus::scene
