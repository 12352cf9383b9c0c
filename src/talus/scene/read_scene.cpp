// TOML text to checked values: parse, override, hold the list of keys against it.
#include <optional>
#include <sstream>

#include "talus/scene/overrides.h"
#include "talus/scene/reader.h"

namespace talus::scene {

Value read_scene(std::string_view toml, const std::string& file, const std::vector<std::string>& overrides,
                 std::string& applied, base::Diagnostics& diagnostics) {
    toml::table parsed;
    try {
        parsed = toml::parse(toml, file);
    } catch (const toml::parse_error& error) {
        const toml::source_position& at = error.source().begin;
        diagnostics.error({file, static_cast<int>(at.line), static_cast<int>(at.column)}, "",
                          "is no valid TOML: " + std::string(error.description()));
        return {};
    }
    applied = std::string(toml);
    for (const std::string& text : overrides) {
        apply_override(text, parsed, diagnostics);
    }
    if (!overrides.empty()) {
        std::ostringstream out;
        out.imbue(std::locale::classic());
        out << toml::toml_formatter{parsed} << "\n";
        applied = out.str();
    }
    const std::optional<std::int64_t> dimensions = parsed["dimensions"].value<std::int64_t>();
    return Reader(file, dimensions == 2 ? 2 : 3, diagnostics).table(parsed, scene_table(), "");
}

}  // namespace talus::scene
