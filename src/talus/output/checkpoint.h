// Checkpoints: a whole System, bit for bit, and what the facade needs to go on (layout: docs/files.md).
#pragma once

#include <filesystem>
#include <string>

#include "talus/model/system.h"

namespace talus::output {

/// What belongs to a run but not to the System; opaque here.
struct CheckpointExtras {
    std::string plan_state;  // JSON: where measures, writers and rules stand
    std::string scene_text;  // the scene as run
};

struct Checkpoint {
    model::System system;
    CheckpointExtras extras;
    std::filesystem::path path;  // the file it came from
    std::string warning;         // non-empty: the latest file was unusable and an earlier one was taken
};

/// Writes to a temporary name, syncs file and folder, renames; the file that was there before becomes
/// `checkpoint.previous.h5`. base::RunError if anything fails: the earlier checkpoint is then as it was.
void save_checkpoint(const std::filesystem::path& path, const model::System& system, const CheckpointExtras& extras);

/// The touching pairs come back as valid pair lists that hold nothing else; an engine lists pairs anew before it steps.
/// base::InputError, naming the file, if it is missing, truncated, damaged or of another version.
Checkpoint load_checkpoint(const std::filesystem::path& path);

/// The last checkpoint of a run folder, or the one before it, with a warning, if the last is unusable.
Checkpoint load_latest(const std::filesystem::path& run);

/// Whether a file begins like a checkpoint; it may yet be damaged.
bool is_checkpoint(const std::filesystem::path& path);

/// The headline of a checkpoint, without its contents: for `talus info`.
struct CheckpointSummary {
    double time = 0;  // s
    std::int64_t steps = 0;
    std::int64_t grains = 0;
    std::int64_t contacts = 0;  // touching, walls included
    std::int64_t walls = 0;
    std::string state_hash;  // 16 hexadecimal digits
};
CheckpointSummary summarise_checkpoint(const std::filesystem::path& path);

}  // namespace talus::output
