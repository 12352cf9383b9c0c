#include "talus/scene/scene.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

/// TOML tables are read in order of their keys; people read faults in order of lines.
[[noreturn]] void refuse(const base::Diagnostics& diagnostics) {
    std::vector<base::Diagnostic> list = diagnostics.list();
    std::stable_sort(list.begin(), list.end(), [](const base::Diagnostic& a, const base::Diagnostic& b) {
        return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    base::Diagnostics sorted;
    for (base::Diagnostic& d : list) {
        if (d.severity == base::Diagnostic::Severity::error) {
            sorted.error(d.where, d.key, d.message, d.expected, d.suggestion);
        } else if (d.severity == base::Diagnostic::Severity::warning) {
            sorted.warning(d.where, d.key, d.message);
        }
    }
    throw base::InputError(sorted);
}

struct Source {
    std::string_view toml;
    const std::string& name;
    std::vector<std::string> overrides;
    std::filesystem::path folder;
};

Scene read(const Source& source, bool with_grains, std::vector<model::MeshSource> meshes = {}) {
    Scene scene;
    scene.system.meshes = std::move(meshes);
    base::Diagnostics diagnostics;
    Value root = read_scene(source.toml, source.name, source.overrides, scene.text, diagnostics);
    if (root.kind != Value::Kind::table) {
        throw base::InputError(diagnostics);  // no TOML at all
    }
    root.key = "scene";
    root.where = {source.name, 1, 1};
    Build build{root, scene, diagnostics, source.folder, with_grains};
    build_output(build);
    build_materials(build);
    build_grains(build);
    build_domain(build);
    build_integration(build);
    build_fields(build);
    build_contacts(build);
    build_walls(build);
    build_fills(build);
    build_stages(build);
    build_measures(build);
    check_fields(build);
    check_pairs(build);
    const auto stop_at_faults = [&diagnostics] {
        if (diagnostics.has_errors()) {
            refuse(diagnostics);
        }
    };
    stop_at_faults();
    if (with_grains) {
        carry_out_fills(build);
        stop_at_faults();
        resolve_contacts(build);
        stop_at_faults();
        check_engine(build);
        stop_at_faults();
        choose_time_step(build);
        stop_at_faults();
    }
    scene.warnings = diagnostics;
    return scene;
}

}  // namespace

Scene load_text(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides,
                const std::filesystem::path& folder) {
    return read({toml, name, overrides, folder}, true);
}

Scene load_without_grains(std::string_view toml, const std::string& name, std::vector<model::MeshSource> meshes) {
    return read({toml, name, {}, "."}, false, std::move(meshes));
}

Scene load(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in || std::filesystem::is_directory(file)) {
        base::Diagnostics diagnostics;
        diagnostics.error({file.string(), 0, 0}, "", "cannot be read", "a scene file (TOML)");
        throw base::InputError(diagnostics);
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    Scene scene = load_text(text.str(), file.string(), overrides, folder);
    scene.source = file;
    return scene;
}

}  // namespace talus::scene
