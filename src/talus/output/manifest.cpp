#include "talus/output/manifest.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"

namespace talus::output {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order a reader wants them

constexpr int manifest_version = 1;

Json to_json(const StageRecord& stage) {
    Json out = {{"name", stage.name}, {"start", stage.start}};
    out["end"] = stage.end ? Json(*stage.end) : Json();
    out["ended_by"] = stage.ended_by;
    return out;
}

StageRecord stage_from(const Json& json) {
    StageRecord stage;
    stage.name = json.at("name");
    stage.start = json.at("start");
    if (!json.at("end").is_null()) {
        stage.end = json.at("end").get<double>();
    }
    stage.ended_by = json.at("ended_by");
    return stage;
}

Json to_json(const Manifest& manifest, const Json& result) {
    Json out = {{"format", "talus-manifest"}, {"format_version", manifest_version}};
    out["title"] = manifest.title;
    out["status"] = manifest.status;
    out["result"] = result;
    out["engine"] = manifest.engine;
    out["dimensions"] = manifest.dimensions;
    out["seed"] = manifest.seed;
    out["steps"] = manifest.steps;
    out["time"] = manifest.time;
    out["grains"] = manifest.grains;
    out["state_hash"] = manifest.state_hash;
    out["stages"] = Json::array();
    for (const StageRecord& stage : manifest.stages) {
        out["stages"].push_back(to_json(stage));
    }
    out["warnings"] = manifest.warnings;
    out["events"] = Json::array();
    for (const Event& event : manifest.events) {
        out["events"].push_back({{"time", event.time}, {"text", event.text}});
    }
    out["changes"] = Json::array();
    for (const Change& change : manifest.changes) {
        out["changes"].push_back({{"step", change.step}, {"time", change.time}, {"what", Json::parse(change.what)}});
    }
    out["version"] = manifest.version;
    out["revision"] = manifest.revision;
    out["threads"] = manifest.threads;
    out["hardware"] = {
        {"cpu", manifest.hardware.cpu}, {"cores", manifest.hardware.cores}, {"memory", manifest.hardware.memory}};
    out["started"] = manifest.started;
    out["ended"] = manifest.ended;
    out["resumed"] = manifest.resumed;
    out["timings"] = manifest.timings;
    out["scene_file"] = manifest.scene_file;
    out["scene"] = manifest.scene_text;
    return out;
}

Manifest manifest_from(const Json& json) {
    Manifest out;
    out.title = json.at("title");
    out.status = json.at("status");
    out.result = json.at("result").dump();
    out.engine = json.at("engine");
    out.dimensions = json.value("dimensions", 3);
    out.seed = json.at("seed");
    out.steps = json.at("steps");
    out.time = json.at("time");
    out.grains = json.at("grains");
    out.state_hash = json.at("state_hash");
    for (const Json& stage : json.at("stages")) {
        out.stages.push_back(stage_from(stage));
    }
    out.warnings = json.at("warnings").get<std::vector<std::string>>();
    for (const Json& event : json.at("events")) {
        out.events.push_back({event.at("time"), event.at("text")});
    }
    for (const Json& change : json.value("changes", Json::array())) {  // earlier manifests have none
        out.changes.push_back({change.at("step"), change.at("time"), change.at("what").dump()});
    }
    out.version = json.at("version");
    out.revision = json.at("revision");
    out.threads = json.at("threads");
    out.hardware = {json.at("hardware").at("cpu"), json.at("hardware").at("cores"), json.at("hardware").at("memory")};
    out.started = json.at("started");
    out.ended = json.at("ended");
    out.resumed = json.at("resumed").get<std::vector<std::string>>();
    out.timings = json.at("timings").get<std::map<std::string, double>>();
    out.scene_file = json.at("scene_file");
    out.scene_text = json.at("scene");
    return out;
}

}  // namespace

Hardware this_machine() {
    Hardware out;
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            out.cpu = line.substr(colon + 2);
            break;
        }
    }
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    out.cores = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    out.memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGESIZE)};
    return out;
}

std::string wall_time() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

void write_manifest(const std::filesystem::path& path, const Manifest& manifest) {
    const Json result = Json::parse(manifest.result, nullptr, false);
    if (!result.is_object()) {
        throw base::RunError("the result for " + path.string() + " is not a JSON object: " + manifest.result);
    }
    // Bytes that are not UTF-8 (a name in an old encoding) are replaced rather than losing the whole manifest.
    write_text_file(path, to_json(manifest, result).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Manifest read_manifest(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || json.value("format", "") != "talus-manifest") {
            throw base::InputError(path.string() + ": not a Talus manifest");
        }
        if (json.at("format_version") != manifest_version) {
            throw base::InputError(fmt::format("{}: manifest format {}; this Talus reads format {}", path.string(),
                                               json.at("format_version").dump(), manifest_version));
        }
        return manifest_from(json);
    } catch (const Json::exception& fault) {
        throw base::InputError(path.string() + ": manifest is not usable: " + fault.what());
    }
}

}  // namespace talus::output
