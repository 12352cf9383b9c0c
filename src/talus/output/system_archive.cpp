#include "talus/output/system_archive.h"
#include "talus/output/mesh_archive.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "talus/laws/registry.h"
#include "talus/output/checkpoint_fields.h"
#include "talus/output/enum_names.h"
#include "talus/output/field_archive.h"
#include "talus/output/grain_archive.h"
#include "talus/output/touching_pairs.h"

namespace talus::output {
namespace {

template <class Motions>
auto& items_of(Motions& motion, const model::Translation*) {
    return motion.translations;
}
template <class Motions>
auto& items_of(Motions& motion, const model::Oscillation*) {
    return motion.oscillations;
}
template <class Motions>
auto& items_of(Motions& motion, const model::Spin*) {
    return motion.spins;
}
template <class Motions>
auto& items_of(Motions& motion, const model::Keyframe*) {
    return motion.keyframes;
}
template <class Motions>
auto& items_of(Motions& motion, const model::Drive*) {
    return motion.drives;
}

template <class Item>
void save_motions(Saver& archive, const char* group, const std::vector<model::Wall>& walls) {
    std::vector<Owned<Item>> rows;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        for (const Item& item : items_of(walls[w].motion, static_cast<const Item*>(nullptr))) {
            rows.push_back({static_cast<std::int32_t>(w), item});
        }
    }
    exchange_items(archive, group, rows);
}

template <class Item>
void load_motions(Loader& archive, const char* group, std::vector<model::Wall>& walls) {
    std::vector<Owned<Item>> rows;
    exchange_items(archive, group, rows);
    for (const Owned<Item>& row : rows) {
        items_of(walls.at(static_cast<std::size_t>(row.wall)).motion, static_cast<const Item*>(nullptr))
            .push_back(row.item);
    }
}

void save_walls(Saver& archive, const std::vector<model::Wall>& walls) {
    std::vector<std::string> names, kinds, behaviours;
    for (const model::Wall& wall : walls) {
        names.push_back(wall.name);
        kinds.push_back(name_of(wall.shape.kind));
        behaviours.push_back(name_of(wall.behaviour));
    }
    archive("walls/name", names);
    archive("walls/kind", kinds);
    archive("walls/behaviour", behaviours);
    exchange_walls(archive, walls);
    save_motions<model::Translation>(archive, "walls/translations", walls);
    save_motions<model::Oscillation>(archive, "walls/oscillations", walls);
    save_motions<model::Spin>(archive, "walls/spins", walls);
    save_motions<model::Keyframe>(archive, "walls/keyframes", walls);
    save_motions<model::Drive>(archive, "walls/drives", walls);
}

void load_walls(Loader& archive, std::vector<model::Wall>& walls) {
    std::vector<std::string> names, kinds, behaviours;
    archive("walls/name", names);
    archive("walls/kind", kinds);
    archive("walls/behaviour", behaviours);
    exchange_walls(archive, walls);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        walls[i].name = names.at(i);
        const auto kind = shape_kind(kinds.at(i));
        const auto behaviour = wall_behaviour(behaviours.at(i));
        if (!kind || !behaviour) {
            throw std::runtime_error("wall \"" + names[i] + "\" has a shape or behaviour unknown to this Talus");
        }
        walls[i].shape.kind = *kind;
        walls[i].behaviour = *behaviour;
    }
    load_motions<model::Translation>(archive, "walls/translations", walls);
    load_motions<model::Oscillation>(archive, "walls/oscillations", walls);
    load_motions<model::Spin>(archive, "walls/spins", walls);
    load_motions<model::Keyframe>(archive, "walls/keyframes", walls);
    load_motions<model::Drive>(archive, "walls/drives", walls);
}

template <class Archive, class Laws>
void exchange_parameters(Archive& archive, Laws& laws) {
    archive.members(
        "materials/parameters", laws, [](auto& p) -> auto& { return p.parameters; });
    archive.members(
        "materials/impact/restitution", laws, [](auto& p) -> auto& { return p.impact.restitution; });
    archive.members(
        "materials/impact/tangential", laws, [](auto& p) -> auto& { return p.impact.tangential; });
    archive.members(
        "materials/impact/friction", laws, [](auto& p) -> auto& { return p.impact.friction; });
}

/// Laws go by name, so that another order of the registry breaks no file.
void save_materials(Saver& archive, const model::Materials& materials) {
    std::vector<std::string> names, laws_used;
    for (const model::Material& material : materials.list) {
        names.push_back(material.name);
    }
    for (const model::PairLaw& pair : materials.pair_law) {
        laws_used.push_back(pair.law < 0 ? "" : laws::registry().at(static_cast<std::size_t>(pair.law)).name);
    }
    archive("materials/name", names);
    archive.members(
        "materials/density", materials.list, [](auto& m) -> auto& { return m.density; });
    archive("materials/law", laws_used);
    exchange_parameters(archive, materials.pair_law);
}

void load_materials(Loader& archive, model::Materials& materials) {
    std::vector<std::string> names, laws_used;
    archive("materials/name", names);
    archive.members(
        "materials/density", materials.list, [](auto& m) -> auto& { return m.density; });
    archive("materials/law", laws_used);
    exchange_parameters(archive, materials.pair_law);
    if (materials.pair_law.size() != materials.list.size() * materials.list.size()) {
        throw std::runtime_error("the table of contact laws is incomplete");
    }
    for (std::size_t i = 0; i < materials.list.size(); ++i) {
        materials.list[i].name = names.at(i);
    }
    for (std::size_t i = 0; i < materials.pair_law.size(); ++i) {
        const std::string& name = laws_used.at(i);
        materials.pair_law[i].law = name.empty() ? -1 : laws::find_law(name);
        if (!name.empty() && materials.pair_law[i].law < 0) {
            throw std::runtime_error("contact law \"" + name + "\" is unknown to this Talus");
        }
    }
}

template <class Archive, class Pairs, class WallPairs>
void exchange_contacts(Archive& archive, Pairs& pairs, WallPairs& wall_pairs) {
    archive("pairs/a", pairs.a);
    archive("pairs/b", pairs.b);
    archive("pairs/image", pairs.image);
    archive("pairs/history", pairs.history);
    archive("pairs/history_size", pairs.history_size);
    archive("wall_pairs/body", wall_pairs.body);
    archive("wall_pairs/wall", wall_pairs.wall);
    archive("wall_pairs/side", wall_pairs.side);
    archive("wall_pairs/normal", wall_pairs.normal);
    archive("wall_pairs/history", wall_pairs.history);
    archive("wall_pairs/history_size", wall_pairs.history_size);
}

std::vector<double> flat(const std::vector<std::array<double, 6>>& tensors) {
    std::vector<double> out;
    out.reserve(6 * tensors.size());
    for (const auto& tensor : tensors) {
        out.insert(out.end(), tensor.begin(), tensor.end());
    }
    return out;
}

}  // namespace

void save_system(Hdf5File& file, const model::System& system) {
    Saver archive(file);
    exchange_scalars(archive, system);
    archive("stage/entered", static_cast<std::uint8_t>(system.stage.entered));
    archive("flights/ballistic", static_cast<std::uint8_t>(system.flight_rules.ballistic));
    archive("flights/stuck_motion", static_cast<std::uint8_t>(system.flight_rules.stuck_motion));
    archive("flights/resting", static_cast<std::uint8_t>(system.flight_rules.resting));
    archive("stepping/after_overlap", static_cast<std::uint8_t>(system.step_rules.after_overlap));
    archive("stepping/met", system.impulses.met);
    archive("impulses/virial", flat(system.impulses.virial));
    archive("impulses/framed", flat(system.impulses.framed));
    archive("impulses/framed_at", system.impulses.framed_at);
    archive("domain/periodic", std::vector<std::uint8_t>(system.domain.periodic.begin(), system.domain.periodic.end()));
    body_columns(system.bodies, archive);
    flight_columns(system.flights, archive);
    save_materials(archive, system.materials);
    save_walls(archive, system.walls);
    Meshes meshes{system.meshes, {}};
    for (const model::Wall& wall : system.walls) {
        meshes.add_wall(wall.shape);
    }
    write_meshes(file, meshes);
    const TouchingPairs pairs = touching_pairs(system.pairs, system.bodies);
    const TouchingWallPairs wall_pairs = touching_wall_pairs(system.wall_pairs, system.bodies);
    exchange_contacts(archive, pairs, wall_pairs);
    save_grains(file, system);
    save_fields(file, system);
}

model::System load_system(const Hdf5File& file) {
    Loader archive(file);
    model::System system;
    exchange_scalars(archive, system);
    std::uint8_t entered = 0;
    archive("stage/entered", entered);
    system.stage.entered = entered != 0;
    std::uint8_t ballistic = 0;
    std::uint8_t stuck_motion = 0;
    archive("flights/ballistic", ballistic);
    std::uint8_t resting = 0;
    archive("flights/stuck_motion", stuck_motion);
    archive("flights/resting", resting);
    system.flight_rules.resting = resting != 0;
    system.flight_rules.ballistic = ballistic != 0;
    system.flight_rules.stuck_motion = static_cast<model::StuckMotion>(stuck_motion);
    std::uint8_t after_overlap = 0;
    archive("stepping/after_overlap", after_overlap);
    system.step_rules.after_overlap = after_overlap != 0;
    archive("stepping/met", system.impulses.met);
    archive("impulses/framed_at", system.impulses.framed_at);
    std::vector<std::uint8_t> periodic;
    archive("domain/periodic", periodic);
    for (std::size_t k = 0; k < 3; ++k) {
        system.domain.periodic[k] = periodic.at(k) != 0;
    }
    body_columns(system.bodies, [&](const char* name, auto& column) {
        archive(name, column);
        if (column.size() != system.bodies.id.size()) {
            throw std::runtime_error(std::string(name) + " has another length than particles/id");
        }
    });
    const auto load_tensors = [&](const std::string& name, std::vector<math::Tensor6>& tensors) {
        std::vector<double> entries;
        archive(name.c_str(), entries);
        if (!entries.empty() && entries.size() != 6 * system.bodies.id.size()) {
            throw std::runtime_error(name + " has another length than particles/id");
        }
        tensors.resize(entries.size() / 6);
        for (std::size_t k = 0; k < entries.size(); ++k) {
            tensors[k / 6][k % 6] = entries[k];
        }
    };
    load_tensors("impulses/virial", system.impulses.virial);
    load_tensors("impulses/framed", system.impulses.framed);
    flight_columns(system.flights, [&](const char* name, auto& column) {
        archive(name, column);
        if (!column.empty() && column.size() != system.bodies.id.size()) {
            throw std::runtime_error(std::string(name) + " has another length than particles/id");
        }
    });
    load_materials(archive, system.materials);
    load_walls(archive, system.walls);
    Meshes meshes = read_meshes(file);
    take_meshes(file, meshes, system.walls);
    system.meshes = std::move(meshes.list);
    TouchingPairs pairs;
    TouchingWallPairs wall_pairs;
    exchange_contacts(archive, pairs, wall_pairs);
    system.pairs = listed(pairs, system.bodies);
    system.wall_pairs = listed(wall_pairs, system.bodies, system.walls.size());
    load_grains(file, system);
    load_fields(file, system);
    return system;
}

}  // namespace talus::output
