#include "talus/scene/import_walls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "talus/geometry/extent.h"
#include "talus/scene/import_shape.h"
#include "talus/scene/units.h"
#include "talus/scene/wall_file.h"

namespace talus::scene {

namespace {

/// Where the grains' own values count; the user sets them in one entry of [[contacts]].
constexpr double assumed_restitution = 0.8;

/// Of ssdraw: sixteen colours, then greys.
constexpr std::array palette = {"#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff",
                                "#ffd700", "#ffc0cb", "#ffa500", "#f0e68c", "#ee82ee", "#b03060", "#7fffd4", "#000080"};

std::string colour_of(double index) {
    const auto i = static_cast<std::size_t>(index);
    if (i < palette.size()) {
        return palette.at(i);
    }
    return i == 16 ? "#000000" : fmt::format("#{0:02x}{0:02x}{0:02x}", i);
}

std::optional<double> unit(const std::string& text, const base::Dimension& dimension, const std::string& option) {
    if (text.empty()) {
        return std::nullopt;
    }
    QuantityFault fault;
    const Quantity quantity = parse_quantity(text, fault);
    if (!fault.message.empty() || quantity.dimension != dimension || !(quantity.value > 0)) {
        throw base::InputError(
            fmt::format("{}: \"{}\" is no unit; expected {} above zero", option, text, dimension_text(dimension)));
    }
    return quantity.value;
}

struct Material {
    double normal = grains_own, transverse = grains_own;
    bool operator==(const Material&) const = default;
};

class SceneText {
public:
    SceneText(const std::vector<FileWall>& walls, base::Diagnostics& diagnostics)
        : walls_(walls), diagnostics_(diagnostics) {
        for (const FileWall& wall : walls) {
            const Material material = material_of(wall);
            if (std::find(materials_.begin(), materials_.end(), material) == materials_.end()) {
                materials_.push_back(material);
            }
        }
        std::stable_partition(materials_.begin(), materials_.end(), [](const Material& m) { return m == Material{}; });
    }

    std::string text(const std::string& source) {
        const std::string walls = wall_tables();
        return fmt::format(
            "# Walls of a PKDGRAV file. Grains, times, gravity and how grains touch are not in such files: set them "
            "here.\n"
            "title = \"Walls of {}\"\n"
            "engine = \"hard\"\n"
            "\n[time]\nend = \"1 s\"\n"
            "\n[gravity]\nuniform = [0, 0, 0]\n"
            "\n{}\n{}\n{}\n{}",
            plain(source), material_tables(), contact_tables(), walls, fill_table());
    }

private:
    /// Sticky and absorbing walls do not bounce: their material has no values of its own.
    static Material material_of(const FileWall& wall) {
        return wall.normal_restitution <= 0 ? Material{}
                                            : Material{wall.normal_restitution, wall.transverse_restitution};
    }
    std::string name_of(const Material& material) const {
        const auto at = std::find(materials_.begin(), materials_.end(), material) - materials_.begin();
        const bool first_is_plain = materials_.front() == Material{};
        return at == 0 && first_is_plain ? "wall" : fmt::format("wall-{}", first_is_plain ? at : at + 1);
    }
    static std::string plain(std::string text) {
        std::replace_if(
            text.begin(), text.end(),
            [](char c) { return c == '"' || c == '\\' || (static_cast<unsigned char>(c) < 0x20) || c == 0x7f; }, '_');
        return text;
    }

    std::string material_tables() const {
        std::string out = "[materials.grain]\ndensity = \"2.5 g/cm3\"\n";
        for (const Material& material : materials_) {
            out += fmt::format("[materials.{}]\n", name_of(material));
        }
        return out;
    }

    static std::string contact(const std::string& between, const std::string& rest) {
        return fmt::format("[[contacts]]\nbetween = {}\nlaw = \"impact\"\n{}", between, rest);
    }
    /// A wall's own values override the grains' (HSDEM Sect. 2.1): the last entry that matches wins.
    std::string contact_tables() const {
        std::string out = contact("[\"*\", \"*\"]", fmt::format("restitution = {}\n", assumed_restitution));
        for (const Material& material : materials_) {
            if (material == Material{}) {
                continue;
            }
            std::string rest = material.normal == grains_own
                                   ? fmt::format("restitution = {}  # the grains' own\n", assumed_restitution)
                                   : fmt::format("restitution = {}\n", toml_number(material.normal));
            if (material.transverse != grains_own) {
                rest += fmt::format("tangential_restitution = {}\n", toml_number(material.transverse));
            }
            out += contact(fmt::format("[\"*\", \"{}\"]", name_of(material)), rest);
        }
        return out;
    }

    std::string wall_name(const FileWall& wall, std::size_t number) {
        const auto usable = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                   c == '.' || c == ' ';
        };
        const std::size_t first = wall.name.find_first_not_of(" \t");
        const std::size_t last = wall.name.find_last_not_of(" \t\r");
        std::string name = first == std::string::npos ? "" : wall.name.substr(first, last - first + 1);
        if (name.empty() || name.size() > 40 || !std::all_of(name.begin(), name.end(), usable) ||
            names_.contains(name)) {
            name = fmt::format("wall-{}", number);
        }
        while (names_.contains(name)) {
            name += "_";
        }
        names_.insert(name);
        return name;
    }

    std::string motion(const FileWall& wall) {
        std::vector<std::string> parts;
        if (wall.velocity != Vec3d{}) {
            parts.push_back(fmt::format("{{ translate = {{ velocity = {} }} }}", toml_vector(wall.velocity)));
        }
        if (wall.swing != 0 && wall.swing_rate != 0) {
            // sin(-w t + p) = -sin(w t - p): a scene's frequency is positive.
            const double sign = wall.swing_rate < 0 ? -1 : 1;
            const Vec3d amplitude = sign * wall.swing * normalized(wall.swing_along);
            const double phase = sign * 2 * std::numbers::pi * wall.swing_phase;
            parts.push_back(fmt::format(
                "{{ oscillate = {{ amplitude = {}, frequency = {}, phase = {} }} }}", toml_vector(amplitude),
                toml_number(std::abs(wall.swing_rate) / (2 * std::numbers::pi)), toml_number(phase)));
        }
        if (wall.spin != 0 && (wall.type == "triangle" || wall.type == "rectangle")) {
            diagnostics_.warning(wall.where, "ang-speed", fmt::format("is not used for a {}", wall.type));
        } else if (wall.spin != 0) {
            parts.push_back(fmt::format("{{ spin = {{ rate = \"{} rad/s\", axis = {} }} }}", toml_number(wall.spin),
                                        toml_vector(wall.orient)));
        }
        return parts.empty() ? "" : fmt::format("motion = [ {} ]\n", fmt::join(parts, ", "));
    }

    std::string wall_tables() {
        std::string out;
        for (std::size_t i = 0; i < walls_.size(); ++i) {
            const FileWall& wall = walls_[i];
            try {
                const ImportedShape shape = import_shape(wall);
                placed_.push_back(shape.placed);
                out += fmt::format("[[walls]]\nname = \"{}\"\nshape = {}\nmaterial = \"{}\"\n", wall_name(wall, i + 1),
                                   shape.text, name_of(material_of(wall)));
            } catch (const std::invalid_argument& fault) {
                diagnostics_.error(wall.where, fmt::format("wall {}", i + 1), fault.what());
                continue;
            }
            if (wall.normal_restitution <= 0) {  // errata 5
                out += fmt::format("behaviour = \"{}\"\n", wall.normal_restitution < 0 ? "absorbing" : "sticky");
            }
            out += motion(wall);
            if (wall.colour >= 0) {
                out += fmt::format("colour = \"{}\"\n", colour_of(wall.colour));
            }
            const double transparency = wall.transparency > 1 ? wall.transparency / 100 : wall.transparency;
            out += fmt::format("opacity = {}\n", toml_number(1 - transparency));
        }
        return out;
    }

    /// One grain somewhere between the walls: a scene needs one, and fills keep clear of walls.
    std::string fill_table() const {
        Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
        Vec3d high = -low;
        double size = 0;
        for (const geometry::Placed& wall : placed_) {
            const double bound = geometry::bounding_radius(wall.shape);
            const double reach = std::isfinite(bound) ? bound : wall.shape.a;  // of an endless cylinder, its radius
            size = std::max(size, reach);
            for (int k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], wall.position[k] - reach);
                high[k] = std::max(high[k], wall.position[k] + reach);
            }
        }
        for (int k = 0; k < 3; ++k) {
            size = std::max(size, 0.5 * (high[k] - low[k]));
        }
        size = size > 0 ? size : 1;
        for (int k = 0; k < 3; ++k) {  // flat arrangements get room on both sides
            const double spare = std::max(0.0, 0.5 * size - 0.5 * (high[k] - low[k]));
            low[k] -= spare;
            high[k] += spare;
        }
        return fmt::format(
            "# One grain as a start.\n[[fill]]\nmaterial = \"grain\"\nradius = {}\nrandom = {{}}\ncount = 1\n"
            "box = {{ low = {}, high = {} }}\n",
            toml_number(0.01 * size), toml_vector(low), toml_vector(high));
    }

    const std::vector<FileWall>& walls_;
    base::Diagnostics& diagnostics_;
    std::vector<Material> materials_;
    std::vector<geometry::Placed> placed_;
    std::set<std::string> names_;
};

}  // namespace

ImportedScene import_walls(const std::filesystem::path& file, const ImportOptions& options) {
    const FileUnits units{unit(options.length_unit, base::dimension::length, "--length-unit"),
                          unit(options.time_unit, base::dimension::time, "--time-unit")};
    base::Diagnostics diagnostics;
    const std::vector<FileWall> walls = read_wall_file(file, units, diagnostics);
    if (diagnostics.has_errors()) {
        throw base::InputError(diagnostics);
    }
    ImportedScene scene;
    scene.text = SceneText(walls, diagnostics).text(file.filename().string());
    if (diagnostics.has_errors()) {
        throw base::InputError(diagnostics);
    }
    scene.walls = walls.size();
    scene.warnings = diagnostics;
    return scene;
}

}  // namespace talus::scene
