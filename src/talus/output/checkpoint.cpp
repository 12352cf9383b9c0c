#include "talus/output/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "talus/base/diagnostics.h"
#include "talus/base/hash.h"
#include "talus/laws/registry.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint_fields.h"
#include "talus/output/enum_names.h"
#include "talus/output/run_folder.h"
#include "talus/output/touching_pairs.h"

namespace talus::output {
namespace {

constexpr std::int64_t checkpoint_version = 1;
// In front of the HDF5 data stands one line of text with a hash of all that follows: a truncated or damaged file is
// found out before HDF5 tries to make sense of it.
constexpr std::size_t label_size = 512;
constexpr const char* label_word = "talus-checkpoint";

std::uint64_t hash_of(const unsigned char* data, std::size_t size) {
    base::Hasher hash;
    hash.add_bytes(data, size);
    return hash.value();
}

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

template <class Motions>
auto& items_of(Motions& motion, const model::Translation*) { return motion.translations; }
template <class Motions>
auto& items_of(Motions& motion, const model::Oscillation*) { return motion.oscillations; }
template <class Motions>
auto& items_of(Motions& motion, const model::Spin*) { return motion.spins; }
template <class Motions>
auto& items_of(Motions& motion, const model::Keyframe*) { return motion.keyframes; }

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
    archive.members("materials/density", materials.list, [](auto& m) -> auto& { return m.density; });
    archive("materials/law", laws_used);
    archive.members("materials/parameters", materials.pair_law, [](auto& p) -> auto& { return p.parameters; });
}

void load_materials(Loader& archive, model::Materials& materials) {
    std::vector<std::string> names, laws_used;
    archive("materials/name", names);
    archive.members("materials/density", materials.list, [](auto& m) -> auto& { return m.density; });
    archive("materials/law", laws_used);
    archive.members("materials/parameters", materials.pair_law, [](auto& p) -> auto& { return p.parameters; });
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
    archive("wall_pairs/normal", wall_pairs.normal);
    archive("wall_pairs/history", wall_pairs.history);
    archive("wall_pairs/history_size", wall_pairs.history_size);
}

void save_system(Saver& archive, const model::System& system) {
    exchange_scalars(archive, system);
    archive("stage/entered", static_cast<std::uint8_t>(system.stage.entered));
    archive("domain/periodic",
            std::vector<std::uint8_t>(system.domain.periodic.begin(), system.domain.periodic.end()));
    std::array<double, model::mechanism_count> lost{};
    std::copy_n(system.ledger.dissipated_by_removed, lost.size(), lost.begin());
    archive("ledger/dissipated_by_removed", lost);
    body_columns(system.bodies, archive);
    save_materials(archive, system.materials);
    save_walls(archive, system.walls);
    const TouchingPairs pairs = touching_pairs(system.pairs, system.bodies);
    const TouchingWallPairs wall_pairs = touching_wall_pairs(system.wall_pairs, system.bodies);
    exchange_contacts(archive, pairs, wall_pairs);
}

void load_system(Loader& archive, model::System& system) {
    exchange_scalars(archive, system);
    std::uint8_t entered = 0;
    archive("stage/entered", entered);
    system.stage.entered = entered != 0;
    std::vector<std::uint8_t> periodic;
    archive("domain/periodic", periodic);
    for (std::size_t k = 0; k < 3; ++k) {
        system.domain.periodic[k] = periodic.at(k) != 0;
    }
    std::array<double, model::mechanism_count> lost{};
    archive("ledger/dissipated_by_removed", lost);
    std::copy(lost.begin(), lost.end(), system.ledger.dissipated_by_removed);
    body_columns(system.bodies, [&](const char* name, auto& column) {
        archive(name, column);
        if (column.size() != system.bodies.id.size()) {
            throw std::runtime_error(std::string(name) + " has another length than particles/id");
        }
    });
    load_materials(archive, system.materials);
    load_walls(archive, system.walls);
    TouchingPairs pairs;
    TouchingWallPairs wall_pairs;
    exchange_contacts(archive, pairs, wall_pairs);
    system.pairs = listed(pairs, system.bodies);
    system.wall_pairs = listed(wall_pairs, system.bodies, system.walls.size());
}

/// Checks the label in front against the rest of the file.
void verify(const std::filesystem::path& path) {
    const auto refuse = [&](const std::string& what) { throw base::InputError(path.string() + ": " + what); };
    std::error_code none;
    if (!std::filesystem::exists(path, none)) {
        refuse("no such file");
    }
    const std::string bytes = read_text_file(path);
    std::istringstream label(bytes.substr(0, label_size));
    std::string word, hash;
    std::int64_t version = 0;
    std::uint64_t size = 0;
    label >> word >> version >> hash >> size;
    if (!label || word != label_word) {
        refuse("not a Talus checkpoint");
    }
    if (version != checkpoint_version) {
        refuse(fmt::format("checkpoint format {}; this Talus reads format {}", version, checkpoint_version));
    }
    if (bytes.size() != size) {
        refuse(fmt::format("checkpoint is incomplete ({} of {} bytes)", bytes.size(), size));
    }
    const auto* body = reinterpret_cast<const unsigned char*>(bytes.data()) + label_size;
    if (hex(hash_of(body, bytes.size() - label_size)) != hash) {
        refuse("checkpoint is damaged (its contents do not match its check sum)");
    }
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const model::System& system, const CheckpointExtras& extras) {
    Hdf5File file = Hdf5File::create();
    file.set_attribute("format", label_word);
    file.set_attribute("version", checkpoint_version);
    file.set_attribute("time", system.clock.time());
    file.set_attribute("steps", system.clock.steps);
    file.set_attribute("state_hash", hex(model::state_hash(system)));
    Saver archive(file);
    save_system(archive, system);
    archive("plan_state", extras.plan_state);
    archive("scene", extras.scene_text);

    const std::vector<unsigned char> image = file.image();
    std::string label = fmt::format("{} {} {} {}\n", label_word, checkpoint_version,
                                    hex(hash_of(image.data(), image.size())), label_size + image.size());
    label.resize(label_size, '\0');
    AtomicFile target(path);
    target.write(label);
    target.write(image.data(), image.size());
    target.sync();
    target.commit(previous_checkpoint_path(path));
    sync_folder(path.parent_path());
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
    verify(path);
    const Hdf5File file = Hdf5File::open(path);
    Checkpoint out;
    out.path = path;
    try {
        Loader archive(file);
        load_system(archive, out.system);
        archive("plan_state", out.extras.plan_state);
        archive("scene", out.extras.scene_text);
    } catch (const base::InputError&) {
        throw;
    } catch (const std::exception& fault) {
        file.fail(fmt::format("checkpoint is not usable: {}", fault.what()));
    }
    std::string hash;
    file.attribute("state_hash", hash);
    if (hash != hex(model::state_hash(out.system))) {
        file.fail("the state that was loaded is not the one that was saved");
    }
    return out;
}

Checkpoint load_latest(const std::filesystem::path& run) {
    const std::filesystem::path last = checkpoint_path(run);
    const std::filesystem::path previous = previous_checkpoint_path(last);
    std::error_code none;
    if (!std::filesystem::exists(last, none) && !std::filesystem::exists(previous, none)) {
        throw base::InputError(run.string() + ": holds no checkpoint to go on from");
    }
    std::string fault;
    try {
        return load_checkpoint(last);
    } catch (const base::InputError& error) {
        fault = error.what();
    }
    try {
        Checkpoint out = load_checkpoint(previous);
        out.warning = fault + "; going on from " + previous.string();
        return out;
    } catch (const base::InputError& error) {
        throw base::InputError(fault + "; and " + error.what());
    }
}

CheckpointSummary summarise_checkpoint(const std::filesystem::path& path) {
    verify(path);
    const Hdf5File file = Hdf5File::open(path);
    CheckpointSummary out;
    file.attribute("time", out.time);
    file.attribute("steps", out.steps);
    file.attribute("state_hash", out.state_hash);
    std::vector<std::int64_t> ids, pairs, wall_pairs;
    std::vector<std::string> walls;
    file.read("particles/id", ids);
    file.read("pairs/a", pairs);
    file.read("wall_pairs/body", wall_pairs);
    file.read("walls/name", walls);
    out.grains = static_cast<std::int64_t>(ids.size());
    out.contacts = static_cast<std::int64_t>(pairs.size() + wall_pairs.size());
    out.walls = static_cast<std::int64_t>(walls.size());
    return out;
}

}  // namespace talus::output
