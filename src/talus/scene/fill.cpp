// Carrying out a fill: check it, find places, order the grains in space, append them.
#include "talus/scene/fill.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "talus/model/solid.h"
#include "talus/scene/file_fill.h"
#include "talus/scene/fill_deviates.h"
#include "talus/scene/fill_grains.h"
#include "talus/scene/fill_overlaps.h"
#include "talus/scene/fill_placements.h"

namespace talus::scene {

namespace {

// Below this number all grains share the nearest cache anyway; a small file keeps its order, line by line.
constexpr std::size_t fewest_to_sort = 256;

void check_placement(const LatticeFill& how, const auto& fault) {
    if (!(how.spacing >= 1) || !std::isfinite(how.spacing)) {
        fault(fmt::format("spacing must be 1 or more, not {}", how.spacing));
    }
    if (!(how.jitter >= 0) || !std::isfinite(how.jitter)) {
        fault(fmt::format("jitter must not be negative, not {}", how.jitter));
    }
    if (!std::isfinite(norm2(how.rotation))) {
        fault("rotation must be finite");
    }
}

void check_placement(const BlockFill& how, const auto& fault) {
    if (!(how.spacing >= 1) || !std::isfinite(how.spacing)) {
        fault(fmt::format("spacing must be 1 or more, not {}", how.spacing));
    }
    if (how.cells < 1 || how.cells > 100) {
        fault(fmt::format("cells must be 1 to 100, not {}", how.cells));
    }
}

void check_placement(const RandomFill& how, const auto& fault) {
    if (!(how.gap >= 0) || !std::isfinite(how.gap)) {
        fault(fmt::format("gap must not be negative, not {}", how.gap));
    }
    if (how.attempts < 1) {
        fault(fmt::format("attempts must be 1 or more, not {}", how.attempts));
    }
}

void check_placement(const PackFill& how, const auto& fault) {
    if (how.sweeps < 1) {
        fault(fmt::format("sweeps must be 1 or more, not {}", how.sweeps));
    }
}

void check_placement(const FileFill&, const auto&) {}

/// Reports every fault of the entry itself.
bool is_sound(const FillSpec& spec, const model::System& system, base::Diagnostics& diagnostics) {
    bool sound = true;
    const auto fault = [&](const std::string& message) {
        diagnostics.error(spec.where, spec.key, message);
        sound = false;
    };
    for (const std::int32_t material : spec.materials) {
        if (material < 0 || static_cast<std::size_t>(material) >= system.materials.size()) {
            fault(fmt::format("there is no material number {}", material));
        }
    }
    std::visit([&fault](const auto& how) { check_placement(how, fault); }, spec.placement);
    if (spec.count && *spec.count < 0) {
        fault(fmt::format("count must not be negative, not {}", *spec.count));
    }
    const bool random =
        std::holds_alternative<RandomFill>(spec.placement) || std::holds_alternative<PackFill>(spec.placement);
    if (spec.fraction && !(*spec.fraction > 0 && *spec.fraction < 1)) {
        fault(fmt::format("fraction must lie between 0 and 1, not {}", *spec.fraction));
    }
    if (spec.fraction && (spec.count || !random)) {
        fault("fraction is for random fills and packs, in place of count");
    }
    if (random && !spec.count && !spec.fraction) {
        fault("a random fill or a pack needs count or fraction");
    }
    if (!std::isfinite(norm2(spec.velocity)) || !std::isfinite(norm2(spec.spin))) {
        fault("velocity and spin must be finite");
    }
    if (!(spec.velocity_spread >= 0) || !std::isfinite(spec.velocity_spread)) {
        fault(fmt::format("velocity_spread must not be negative, not {}", spec.velocity_spread));
    }
    if (!std::holds_alternative<FileFill>(spec.placement)) {
        if (const std::string size = size_fault(spec.sizes); !size.empty()) {
            fault(size);
        }
    }
    return sound;
}

/// Whether the space can take grains at all.
bool has_room(const FillSpec& spec, const Bounds& bounds, const model::Domain& domain, double gap,
              base::Diagnostics& diagnostics) {
    const double largest = largest_radius(spec.sizes);
    if (bounds.empty()) {
        diagnostics.error(spec.where, spec.key, "the region is empty, or lies outside the domain");
        return false;
    }
    if (const std::string axes = unbounded_axes(bounds); !axes.empty()) {
        diagnostics.error(spec.where, spec.key, fmt::format("nothing bounds the region along {}", axes),
                          "a box, ball or cylinder, or a domain with bounds");
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        if (domain.periodic[static_cast<std::size_t>(i)] && domain.size()[i] < largest * (2 + gap)) {
            diagnostics.error(spec.where, spec.key,
                              fmt::format("the period along {}, {} m, is shorter than a grain of radius {} m needs",
                                          "xyz"[i], domain.size()[i], largest));
            return false;
        }
    }
    return true;
}

Placed place(const FillSpec& spec, const model::System& system, base::Diagnostics& diagnostics) {
    const auto* random = std::get_if<RandomFill>(&spec.placement);
    const double gap = random != nullptr ? random->gap : 0;
    const model::Region region = without_periodic_sides(spec.region, system.domain);
    const Bounds bounds = bounding_box(region, system.domain);
    Placed placed;
    if (!has_room(spec, bounds, system.domain, gap, diagnostics)) {
        return placed;
    }
    FillSpace space(region, bounds, system, largest_radius(spec.sizes), gap);
    const double g = norm(system.gravity);
    const Vec3d up = g > 0 ? -system.gravity / g : system.domain.up();
    if (random != nullptr) {
        return place_random(spec, *random, space, diagnostics);
    }
    if (const auto* lattice = std::get_if<LatticeFill>(&spec.placement)) {
        placed = place_lattice(spec, *lattice, space, up, diagnostics);
    } else if (const auto* blocks = std::get_if<BlockFill>(&spec.placement)) {
        placed = place_blocks(spec, *blocks, space, up, diagnostics);
    } else if (const auto* pack = std::get_if<PackFill>(&spec.placement)) {
        placed = place_pack(spec, *pack, space, diagnostics);
    }
    return placed;
}

/// A file's grains that lie in the region and the domain; periodic sides wrap round.
std::vector<Grain> from_file(const FillSpec& spec, const FileFill& how, const model::Domain& domain,
                             base::Diagnostics& diagnostics) {
    std::vector<Grain> grains = read_grains(how.path, spec.key, diagnostics, domain.planar());
    if (domain.planar()) {
        const auto leaves = [](const Grain& g) {
            return g.position.z != 0 || g.velocity.z != 0 || g.spin.x != 0 || g.spin.y != 0;
        };
        if (const auto count = std::count_if(grains.begin(), grains.end(), leaves); count > 0) {
            diagnostics.error(spec.where, spec.key,
                              fmt::format("{} of the {} grains of the file lie outside the plane z = 0, or move or "
                                          "turn out of it",
                                          count, grains.size()),
                              "z, vz, wx and wy of zero: the scene has two dimensions");
            return {};
        }
    }
    const model::Region region = without_periodic_sides(spec.region, domain);
    const auto outside = [&](Grain& grain) {
        grain.position = wrapped(domain, grain.position);
        const Vec3d& p = grain.position;
        return !region.contains(p, grain.radius) || !model::Region{{model::Box{domain.low, domain.high}}}.contains(p);
    };
    const auto removed = std::erase_if(grains, outside);
    if (removed > 0) {
        diagnostics.warning(spec.where, spec.key,
                            fmt::format("{} of the {} grains of the file lie outside the region or the domain and "
                                        "were left out",
                                        removed, removed + grains.size()));
    }
    if (spec.count && static_cast<std::size_t>(*spec.count) < grains.size()) {
        grains.resize(static_cast<std::size_t>(*spec.count));
    }
    return grains;
}

/// Interleaves the lower 21 bits of three numbers.
std::uint64_t morton(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    const auto spread = [](std::uint64_t v) {
        v &= 0x1FFFFFU;
        v = (v | (v << 32U)) & 0x001F00000000FFFFU;
        v = (v | (v << 16U)) & 0x001F0000FF0000FFU;
        v = (v | (v << 8U)) & 0x100F00F00F00F00FU;
        v = (v | (v << 4U)) & 0x10C30C30C30C30C3U;
        v = (v | (v << 2U)) & 0x1249249249249249U;
        return v;
    };
    return spread(x) | (spread(y) << 1U) | (spread(z) << 2U);
}

/// Neighbours in space become neighbours in memory: the order of a Z curve over cells of the largest diameter.
void sort_in_space(std::vector<Grain>& grains) {
    if (grains.size() < fewest_to_sort) {
        return;
    }
    Vec3d low = grains[0].position;
    double largest = 0;
    for (const Grain& grain : grains) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], grain.position[i]);
        }
        largest = std::max(largest, grain.radius);
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    order.reserve(grains.size());
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const Vec3d q = (grains[g].position - low) / (2 * largest);
        const auto cell = [](double x) { return static_cast<std::uint64_t>(std::min(x, 2097151.0)); };
        order.emplace_back(morton(cell(q.x), cell(q.y), cell(q.z)), g);
    }
    std::sort(order.begin(), order.end());
    std::vector<Grain> sorted;
    sorted.reserve(grains.size());
    for (const auto& entry : order) {
        sorted.push_back(grains[entry.second]);
    }
    grains = std::move(sorted);
}

/// kg/m3: as the file says, else the shape, else the material.
double grain_density(const Grain& grain, const model::GrainShape& shape, double of_material) {
    if (grain.mass > 0) {
        return grain.mass / (shape.volume * grain.radius * grain.radius * grain.radius);
    }
    return grain.density > 0 ? grain.density : (shape.density > 0 ? shape.density : of_material);
}

/// Any way round, every one equally likely; about z in the plane.
math::Quaterniond any_turn(base::Random& random, bool planar) {
    if (!planar) {
        return random_quaternion(random);
    }
    const DiscPoint p = disc_point(random);
    return normalized(math::Quaterniond{p.u, {0, 0, p.v}});
}

/// Gives the last body what grains of its material carry.
void add_moments(const FillSpec& spec, base::Random& turns, model::System& system) {
    const std::size_t last = system.bodies.size() - 1;
    system.fields.resize(system.bodies.size());
    if (spec.moments.empty()) {
        return;
    }
    const auto material = std::find(spec.materials.begin(), spec.materials.end(), system.bodies.material[last]);
    model::Moments moments = spec.moments[static_cast<std::size_t>(material - spec.materials.begin())];
    system.grains.resize(system.bodies);
    if (!system.grains.is_sphere(last)) {  // drawn in a frame of its own
        const auto shape = static_cast<std::size_t>(system.grains.shape[last]);
        const math::Mat3d drawn = to_matrix(system.grains.shapes[shape].drawn);
        moments.electric_dipole = transpose_times(drawn, moments.electric_dipole);
        moments.magnetic_dipole = transpose_times(drawn, moments.magnetic_dipole);
    } else if (moments.has_dipole() && spec.turned_at_random) {
        system.grains.turn[last] = any_turn(turns, system.domain.planar());
    }
    system.fields.moments[last] = moments;
}

void append(const FillSpec& spec, const std::vector<Grain>& grains, model::System& system) {
    model::Bodies& bodies = system.bodies;
    const int dimensions = system.domain.dimensions;
    std::uint8_t flags = 0;
    flags |= spec.hold_rotation ? std::uint8_t{model::rotation_held} : std::uint8_t{0};
    flags |= spec.hold_position ? std::uint8_t{model::position_held} : std::uint8_t{0};
    base::Random random = stream(spec, FillStream::velocity);
    base::Random dealing = stream(spec, FillStream::material);
    base::Random turns = stream(spec, FillStream::turn);
    Deal deal(spec.materials);
    ShapeDeal shapes(spec, system.grains);
    for (const Grain& grain : grains) {
        const std::int32_t material = deal.next(dealing);
        const double density = system.materials.list[static_cast<std::size_t>(material)].density;
        bodies.add_sphere(system.counters.next_id++, grain.position, grain.radius,
                          grain.density > 0 ? grain.density : density, material, dimensions);
        if (grain.mass > 0) {
            bodies.mass.back() = grain.mass;
            bodies.inertia.back() = model::inertia_factor(dimensions) * grain.mass * grain.radius * grain.radius;
        }
        if (!spec.shapes.empty()) {
            const std::int32_t shape = shapes.shape(grain.radius);
            const model::GrainShape& like = system.grains.shapes[static_cast<std::size_t>(shape)];
            model::shape_body(bodies, system.grains, bodies.size() - 1, shape, shapes.turn(shape),
                              grain_density(grain, like, density));
        } else if (system.grains.has_rows()) {
            system.grains.resize(bodies);
        }
        add_moments(spec, turns, system);
        Vec3d velocity = grain.velocity + spec.velocity;
        if (spec.velocity_spread > 0) {
            for (int i = 0; i < dimensions; ++i) {
                velocity[i] += spec.velocity_spread * normal_deviate(random);
            }
        }
        bodies.velocity.back() = velocity;
        bodies.spin.back() = grain.spin + spec.spin;
        bodies.flags.back() = flags;
    }
}

void tell_of_pack(const FillSpec& spec, const Placed& placed, base::Diagnostics& diagnostics) {
    const Packed& pack = *placed.pack;
    const Relaxed& relaxed = pack.relaxed;
    diagnostics.note(spec.where, spec.key,
                     fmt::format("packed {} grains to a solid fraction of {:.4f} in {} sweeps", placed.grains.size(),
                                 pack.fraction, relaxed.sweeps));
    if (relaxed.largest > spec.most_overlap) {
        diagnostics.error(
            spec.where, spec.key,
            fmt::format("the pack is left with overlaps of {:.3g} radii, in which hard grains cannot start",
                        relaxed.largest),
            "a smaller fraction, more sweeps, or another engine");
    } else if (relaxed.overlaps > 0) {
        diagnostics.warning(spec.where, spec.key,
                            fmt::format("{} pairs of the pack still overlap, by {:.3g} radii at most and {:.3g} in "
                                        "the mean: it is as dense as it can be at random, or denser",
                                        relaxed.overlaps, relaxed.largest, relaxed.mean));
    }
}

}  // namespace

void append_fill(const FillSpec& asked, model::System& system, base::Diagnostics& diagnostics) {
    const FillSpec spec = asked.shapes.empty() ? asked : with_shapes(asked, system.grains);
    if (!is_sound(spec, system, diagnostics)) {
        return;
    }
    base::Diagnostics found;
    Placed placed;
    try {
        if (const auto* file = std::get_if<FileFill>(&spec.placement)) {
            placed.grains = from_file(spec, *file, system.domain, found);
            tell_of_overlaps(spec, placed.grains, system, found);
        } else {
            placed = place(spec, system, found);
        }
    } catch (const base::InputError& error) {  // the sizes cannot be drawn
        found.error(spec.where, spec.key, error.what());
    }
    const auto count = static_cast<std::int64_t>(placed.grains.size());
    if (!found.has_errors() && count < spec.count.value_or(1)) {
        found.error(spec.where, spec.key,
                    spec.count ? fmt::format("there is room for {} of the {} grains wanted", count, *spec.count)
                               : "not a single grain fits");
    }
    if (placed.on_grain > 0) {
        found.warning(spec.where, spec.key,
                      fmt::format("{} grains were left out that would overlap others", placed.on_grain));
    }
    if (placed.on_wall > 0) {
        found.warning(spec.where, spec.key,
                      fmt::format("{} grains were left out that would touch a wall", placed.on_wall));
    }
    if (placed.pack && !found.has_errors()) {
        tell_of_pack(spec, placed, found);
    }
    diagnostics.append(found);
    if (!found.has_errors()) {
        sort_in_space(placed.grains);
        append(spec, placed.grains, system);
    }
}

}  // namespace talus::scene
