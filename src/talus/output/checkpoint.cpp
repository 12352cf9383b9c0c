#include "talus/output/checkpoint.h"

#include <fmt/format.h>

#include <exception>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <system_error>

#include "talus/base/diagnostics.h"
#include "talus/base/hash.h"
#include "talus/output/atomic_file.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/system_archive.h"

namespace talus::output {
namespace {

constexpr std::int64_t checkpoint_version = 9;
// In front of the HDF5 data stands one line of text with a hash of all that follows: a truncated or damaged file is
// found out before HDF5 tries to make sense of it.
constexpr std::size_t label_size = 512;
constexpr const char* label_word = "talus-checkpoint";

std::uint64_t hash_of(const unsigned char* data, std::size_t size) {
    base::Hasher hash;
    hash.add_bytes(data, size);
    return hash.value();
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
    if (hash_text(hash_of(body, bytes.size() - label_size)) != hash) {
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
    file.set_attribute("state_hash", hash_text(model::state_hash(system)));
    save_system(file, system);
    file.write("plan_state", extras.plan_state);
    file.write("scene", extras.scene_text);

    const std::vector<unsigned char> image = file.image();
    std::string label = fmt::format("{} {} {} {}\n", label_word, checkpoint_version,
                                    hash_text(hash_of(image.data(), image.size())), label_size + image.size());
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
        out.system = load_system(file);
        file.read("plan_state", out.extras.plan_state);
        file.read("scene", out.extras.scene_text);
    } catch (const base::InputError&) {
        throw;
    } catch (const std::exception& fault) {
        file.fail(fmt::format("checkpoint is not usable: {}", fault.what()));
    }
    std::string hash;
    file.attribute("state_hash", hash);
    if (hash != hash_text(model::state_hash(out.system))) {
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

bool is_checkpoint(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string word;
    return static_cast<bool>(stream >> std::setw(64) >> word) && word == label_word;
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
