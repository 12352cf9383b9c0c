// Fills: what each entry asks for, then the carrying out.
#include <fmt/format.h>

#include <algorithm>

#include "talus/base/random.h"
#include "talus/scene/build.h"
#include "talus/scene/fill_grains.h"

namespace talus::scene {

namespace {

constexpr std::uint64_t seed_stream = 0x66696c6c;  // "fill"
constexpr double most_hard_overlap = 1e-9;         // radii

void check_order(const Build& build, const Value& keys, double low, double high) {
    if (keys.complete && !(low < high)) {
        build.fault(keys, fmt::format("low ({} m) is not below high ({} m)", low, high));
    }
}

/// A distribution about the value of the key `middle`, as wide as `width` says, cut at low and high.
template <class Size>
SizeDistribution cut_off(const Build& build, const Value& keys, const char* middle, const char* width) {
    const Size out{keys.number_or(middle, 0), keys.number_or(width, 0), keys.number_or("low", 0),
                   keys.number_or("high", 0)};
    check_order(build, keys, out.low, out.high);
    if (const double at = keys.number_or(middle, 0); keys.complete && (at < out.low || at > out.high)) {
        build.fault(keys, fmt::format("the {} lies outside low and high", middle),
                    fmt::format("low < {} < high", middle));
    }
    return out;
}

SizeDistribution size_table(const Build& build, const Value& keys) {
    TableSize out;
    for (const Value& radius : keys.list("radius")) {
        out.radius.push_back(radius.number);
    }
    for (const Value& weight : keys.list("weight")) {
        out.weight.push_back(weight.number);
    }
    if (out.radius.size() != out.weight.size() && keys.complete) {
        build.fault(keys, fmt::format("has {} radii and {} weights", out.radius.size(), out.weight.size()),
                    "as many weights as radii");
    } else if (keys.complete && std::none_of(out.weight.begin(), out.weight.end(), [](double w) { return w > 0; })) {
        build.fault(keys, "has only zero weights", "a positive weight");
    }
    return out;
}

SizeDistribution sizes(const Build& build, const Value& radius) {
    if (radius.kind == Value::Kind::number) {
        return FixedSize{radius.number};
    }
    if (const Value* keys = radius.find("uniform")) {
        const UniformSize out{keys->number_or("low", 0), keys->number_or("high", 0)};
        check_order(build, *keys, out.low, out.high);
        return out;
    }
    if (const Value* keys = radius.find("normal")) {
        return cut_off<NormalSize>(build, *keys, "mean", "deviation");
    }
    if (const Value* keys = radius.find("lognormal")) {
        return cut_off<LogNormalSize>(build, *keys, "median", "sigma");
    }
    if (const Value* keys = radius.find("power")) {
        const PowerLawSize out{keys->number_or("low", 0), keys->number_or("high", 0), keys->number_or("exponent", 3)};
        check_order(build, *keys, out.low, out.high);
        return out;
    }
    const Value* keys = radius.find("table");
    return keys != nullptr ? size_table(build, *keys) : SizeDistribution{FixedSize{}};
}

Lattice lattice(const Build& build, const Value& keys) {
    const std::string name = keys.text_or("packing", build.planar() ? "hexagonal" : "fcc");
    const bool flat = name == "hexagonal" || name == "square";
    if (flat != build.planar()) {
        build.fault(keys.at("packing"), fmt::format("\"{}\" is a lattice of {} dimensions", name, flat ? 2 : 3),
                    build.planar() ? "\"hexagonal\" or \"square\"" : "\"fcc\", \"hcp\" or \"cubic\"");
    }
    return name == "hcp"         ? Lattice::hcp
           : name == "cubic"     ? Lattice::cubic
           : name == "hexagonal" ? Lattice::hexagonal
           : name == "square"    ? Lattice::square
                                 : Lattice::fcc;
}

Placement placement(const Build& build, const Value& entry) {
    if (const Value* keys = entry.find("lattice")) {
        return LatticeFill{lattice(build, *keys), keys->vector_or("rotation", {}), keys->number_or("spacing", 1),
                           keys->number_or("jitter", 0)};
    }
    if (const Value* keys = entry.find("blocks"); keys != nullptr && build.planar()) {
        build.fault(*keys, "are solid; the scene has two dimensions", "lattice, pack or random");
        return RandomFill{};
    }
    if (const Value* keys = entry.find("blocks")) {
        return BlockFill{lattice(build, *keys), keys->text_or("orientation", "random") == "random",
                         static_cast<int>(std::min<std::int64_t>(keys->integer_or("cells", 3), 1000)),
                         keys->number_or("spacing", 1.001)};
    }
    if (const Value* path = entry.find("file")) {
        const std::filesystem::path full = build.folder / path->text;
        if (build.with_grains && !std::filesystem::is_regular_file(full)) {
            build.fault(*path, fmt::format("there is no file \"{}\"", path->text),
                        "a path relative to the scene's folder");
        }
        return FileFill{full.string()};
    }
    if (const Value* keys = entry.find("pack")) {
        const bool here = keys->has("fraction");
        if (entry.complete && here == (entry.has("count") || entry.has("fraction"))) {
            build.fault(*keys, here ? "says twice how many grains" : "does not say how many grains",
                        "fraction in pack, or count or fraction in the same fill");
        }
        return PackFill{keys->integer_or("sweeps", 4000)};
    }
    RandomFill random;
    if (const Value* keys = entry.find("random")) {
        random = {keys->number_or("gap", 0), keys->integer_or("attempts", 2000)};
        if (entry.complete && !entry.has("count") && !entry.has("fraction")) {
            build.fault(*keys, "does not say how many grains", "count or fraction in the same fill");
        }
    }
    return random;
}

/// The shapes that the fill names; tells whether they all say how dense they are.
bool take_shapes(const Build& build, const Value& entry, FillSpec& spec) {
    const Value* grain = entry.find("grain");
    if (grain == nullptr) {
        const bool turned = std::any_of(spec.moments.begin(), spec.moments.end(),
                                        [](const model::Moments& moments) { return moments.has_dipole(); });
        if (entry.has("orientation") && !turned) {
            build.fault(entry.at("orientation"), "is for grains of several spheres, or with a dipole",
                        "grain = \"…\" in the same fill");
        }
        spec.turned_at_random = entry.text_or("orientation", "random") == "random";
        return false;
    }
    if (build.planar()) {
        build.fault(*grain, "grains of several spheres are solid; the scene has two dimensions", "discs: no grain");
    }
    const std::vector<Value> names = grain->kind == Value::Kind::list ? grain->items : std::vector<Value>{*grain};
    bool dense = true;
    for (const Value& name : names) {
        const std::vector<std::int32_t> shapes = build.grain(name);
        if (!shapes.empty()) {
            spec.shapes.push_back(shapes);
        }
        for (const KnownGrain& known : build.grains) {
            dense = dense && (known.name != name.text || known.has_density);
        }
    }
    spec.as_drawn = !entry.has("radius") && !entry.has("file");
    spec.turned_at_random = entry.text_or("orientation", "random") == "random";
    return dense;
}

void check_needs(const Build& build, const Value& entry, const FillSpec& spec, bool dense) {
    const bool file = entry.has("file");
    const bool sized = entry.has("radius") || entry.has("grain");
    if (entry.complete && (file ? entry.has("radius") : !sized)) {
        build.fault(file ? entry.at("radius") : entry, file ? "the file gives the radii" : "needs the key \"radius\"",
                    file ? "no radius" : "a length (m), or a distribution");
    }
    if (entry.complete && entry.has("fraction") && !entry.has("random") && !entry.has("pack")) {
        build.fault(entry.at("fraction"), "is for random fills and packs only", "count, or random = {}");
    }
    for (const std::int32_t index : spec.materials) {
        if (index < 0 || file || dense) {
            continue;
        }
        const Value& material = build.material_values[static_cast<std::size_t>(index)];
        if (material.complete && !material.has("density")) {
            build.fault(material, fmt::format("needs the key \"density\": {} makes grains of it", entry.key),
                        "a density (kg/m3)");
        }
    }
}

}  // namespace

FillSpec build_fill(Build& build, const Value& entry, std::uint64_t place) {
    FillSpec spec;
    spec.where = entry.where;
    spec.key = entry.key;
    const Value* material = entry.find("material");
    spec.materials.clear();
    if (material != nullptr && material->kind == Value::Kind::list) {
        for (const Value& name : material->items) {
            spec.materials.push_back(build.material(name));
        }
    } else {
        spec.materials.push_back(material != nullptr ? build.material(*material) : -1);
    }
    if (const Value* radius = entry.find("radius")) {
        spec.sizes = sizes(build, *radius);
    }
    spec.placement = placement(build, entry);
    spec.region = build_region(build, entry);
    if (entry.find("count") != nullptr) {
        spec.count = entry.integer_or("count", 0);
    }
    if (entry.find("fraction") != nullptr) {
        spec.fraction = entry.number_or("fraction", 0);
    }
    if (const Value* pack = entry.find("pack"); pack != nullptr && pack->find("fraction") != nullptr) {
        spec.fraction = pack->number_or("fraction", 0);
    }
    spec.velocity = entry.vector_or("velocity", {});
    spec.velocity_spread = entry.number_or("velocity_spread", 0);
    spec.spin = entry.vector_or("spin", {});
    spec.hold_rotation = entry.boolean_or("hold_rotation", false);
    spec.hold_position = entry.boolean_or("hold_position", false);
    spec.seed = entry.has("seed") ? static_cast<std::uint64_t>(entry.integer_or("seed", 0))
                                  : base::Random(build.scene.system.seed, seed_stream + place).bits();
    if (build.engine() == "hard") {
        spec.most_overlap = most_hard_overlap;
    }
    take_moments(build, entry, spec);
    const bool dense = take_shapes(build, entry, spec);
    check_needs(build, entry, spec, dense);
    if (!spec.shapes.empty() && build.with_grains && !build.diagnostics.has_errors()) {
        spec = with_shapes(std::move(spec), build.scene.system.grains);
    }
    if (entry.complete && !entry.has("file")) {
        check_period(build, spec.where, spec.key, largest_radius(spec.sizes));
    }
    return spec;
}

void build_fills(Build& build) {
    for (const Value& entry : build.root.list("fill")) {
        build.fills.push_back(build_fill(build, entry, build.fills.size()));
    }
    if (build.fills.empty() && !build.root.has("fill")) {
        build.fault(build.root, "the scene has no grains", "at least one [[fill]]");
    }
}

void carry_out_fills(Build& build) {
    for (const FillSpec& spec : build.fills) {
        append_fill(spec, build.scene.system, build.diagnostics);
    }
    const model::Bodies& bodies = build.scene.system.bodies;
    if (bodies.size() == 0 && !build.diagnostics.has_errors()) {
        build.fault(build.root, "the fills made no grains", "a region with room for at least one grain");
    }
    check_periods_of_all(build);
}

}  // namespace talus::scene
