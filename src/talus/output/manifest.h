// The manifest of a run: what was run, on what, how it went and what came out; JSON for people and scripts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace talus::output {

struct Hardware {
    std::string cpu;          // model as the system names it
    int cores = 0;            // hardware threads this process may use
    std::int64_t memory = 0;  // bytes
};

/// The machine this runs on.
Hardware this_machine();

/// The wall clock as "2025-11-15T18:20:54Z".
std::string wall_time();

struct StageRecord {
    std::string name;
    double start = 0;           // s of simulated time
    std::optional<double> end;  // absent: still running
    std::string ended_by;       // "time", "duration", "settled", "count", "timeout", "interrupted"
};

struct Event {
    double time = 0;  // s of simulated time
    std::string text;
};

/// Something that a person changed while the run went on (docs/view.md); carried out again at the same step, it gives
/// the same run.
struct Change {
    std::int64_t step = 0;
    double time = 0;   // s of simulated time
    std::string what;  // a JSON object
};

struct Manifest {
    std::string title;
    std::string scene_file;  // name as given on the command line
    std::string scene_text;  // the scene as run, overrides included
    std::string version;     // of the program
    std::string revision;    // commit it was built from; may be empty
    std::uint64_t seed = 0;
    std::string engine;
    int dimensions = 3;
    int threads = 1;
    Hardware hardware;
    std::string status = "running";         // "running", "finished", "interrupted", "failed"
    std::string started;                    // wall time
    std::string ended;                      // wall time; empty while running
    std::vector<std::string> resumed;       // wall times at which the run was taken up again
    std::map<std::string, double> timings;  // s of wall time by phase
    std::int64_t steps = 0;
    double time = 0;          // s of simulated time
    std::int64_t grains = 0;  // at the end
    std::string state_hash;   // of the last state, 16 hexadecimal digits; empty while running
    std::vector<StageRecord> stages;
    std::vector<std::string> warnings;
    std::vector<Event> events;
    std::vector<Change> changes;  // in order
    std::string result = "{}";    // a JSON object, from the measures
};

/// Replaces the file in one go. base::RunError if it cannot be written or `result` is not a JSON object.
void write_manifest(const std::filesystem::path& path, const Manifest& manifest);
/// base::InputError if the file is missing, not JSON or not a manifest.
Manifest read_manifest(const std::filesystem::path& path);

/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace talus::output
