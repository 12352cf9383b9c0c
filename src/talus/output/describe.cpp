#include "talus/output/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "talus/base/diagnostics.h"
#include "talus/math/vec3.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/enum_names.h"
#include "talus/output/frame.h"
#include "talus/output/hdf5_file.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"

namespace talus::output {
namespace {

/// Lines of `name: value`, aligned.
class Sheet {
public:
    explicit Sheet(const std::string& head) : text_(head + "\n") {}
    void line(const std::string& name, const std::string& value) {
        fmt::format_to(std::back_inserter(text_), "  {:<12} {}\n", name, value);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string range_text(const std::vector<double>& values, const char* unit) {
    if (values.empty()) {
        return "none";
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return *low == *high ? fmt::format("{:.6g} {}", *low, unit) : fmt::format("{:.6g} to {:.6g} {}", *low, *high, unit);
}

std::string describe_frame(const std::filesystem::path& path) {
    const FrameFile frame = read_frame(path);
    Sheet sheet(path.string() + ": Talus frame");
    double mass = 0, energy = 0;
    for (std::size_t i = 0; i < frame.id.size(); ++i) {
        mass += frame.mass[i];
        energy += 0.5 * frame.mass[i] * math::norm2(frame.velocity[i]);
    }
    sheet.line("title", frame.title);
    sheet.line("time", fmt::format("{:.9g} s (step {})", frame.time, frame.step));
    sheet.line("grains", std::to_string(frame.id.size()) + (frame.domain.planar() ? " discs in the plane" : ""));
    sheet.line("radius", range_text(frame.radius, "m"));
    sheet.line("mass", fmt::format("{:.6g} kg in all", mass));
    sheet.line("energy", fmt::format("{:.6g} J of translation", energy));
    const auto with_walls = std::count_if(frame.contacts.begin(), frame.contacts.end(),
                                          [](const model::ContactSample& contact) { return contact.wall >= 0; });
    sheet.line("contacts", fmt::format("{} between grains, {} with walls",
                                       frame.contacts.size() - static_cast<std::size_t>(with_walls), with_walls));
    for (std::size_t i = 0; i < frame.walls.size(); ++i) {
        const FrameWall& wall = frame.walls[i];
        sheet.line(i == 0 ? "walls" : "", fmt::format("{}: \"{}\" ({}{})", i, wall.name, name_of(wall.shape.kind),
                                                      wall.present ? "" : ", removed"));
    }
    return sheet.text();
}

std::string checkpoint_line(const CheckpointSummary& summary) {
    return fmt::format("{:.9g} s (step {}), {} grains, {} contacts, state {}", summary.time, summary.steps,
                       summary.grains, summary.contacts, summary.state_hash);
}

std::string describe_checkpoint(const std::filesystem::path& path) {
    const CheckpointSummary summary = summarise_checkpoint(path);
    Sheet sheet(path.string() + ": Talus checkpoint, complete");
    sheet.line("time", fmt::format("{:.9g} s (step {})", summary.time, summary.steps));
    sheet.line("grains", std::to_string(summary.grains));
    sheet.line("contacts", std::to_string(summary.contacts));
    sheet.line("walls", std::to_string(summary.walls));
    sheet.line("state hash", summary.state_hash);
    return sheet.text();
}

/// The table of a measure: other columns than a series, and cells without a value.
std::string describe_table(const std::filesystem::path& path, const std::string& text) {
    Sheet sheet(path.string() + ": Talus table of a measure");
    sheet.line("rows", std::to_string(std::count(text.begin(), text.end(), '\n') - 1));
    sheet.line("columns", text.substr(0, text.find('\n')));
    return sheet.text();
}

std::string describe_series(const std::filesystem::path& path) {
    const Series series = read_series(path);
    Sheet sheet(path.string() + ": Talus time series");
    sheet.line("rows", std::to_string(series.rows.size()));
    if (!series.rows.empty()) {
        sheet.line(series.columns[0], fmt::format("{:.9g} to {:.9g}", series.rows.front()[0], series.rows.back()[0]));
    }
    std::string columns;
    for (const std::string& column : series.columns) {
        columns += (columns.empty() ? "" : ", ") + column;
    }
    sheet.line("columns", columns);
    return sheet.text();
}

/// A measure's result is written as { value, unit, error }; anything else is shown as it is.
std::string result_text(const nlohmann::ordered_json& value) {
    if (!value.is_object() || !value.contains("value")) {
        return value.is_string() ? value.get<std::string>() : value.dump();
    }
    const auto number = [&](const char* key) {
        const auto& entry = value.at(key);
        return entry.is_number() ? fmt::format("{:.6g}", entry.get<double>()) : entry.dump();
    };
    std::string text = number("value");
    if (value.contains("error")) {
        text += " +- " + number("error");
    }
    if (value.contains("unit") && value.at("unit").is_string() && !value.at("unit").get<std::string>().empty()) {
        text += " " + value.at("unit").get<std::string>();
    }
    return text;
}

void add_result(Sheet& sheet, const std::string& result) {
    const auto json = nlohmann::ordered_json::parse(result, nullptr, false);
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        sheet.line(first ? "result" : "", key + ": " + result_text(value));
        first = false;
    }
}

std::string describe_manifest(const std::filesystem::path& path, const std::string& head) {
    const Manifest manifest = read_manifest(path);
    Sheet sheet(head);
    sheet.line("title", manifest.title);
    sheet.line("status", manifest.status);
    sheet.line("scene", manifest.scene_file);
    sheet.line("engine", fmt::format("{}, {} thread{}, Talus {} {}", manifest.engine, manifest.threads,
                                     manifest.threads == 1 ? "" : "s", manifest.version, manifest.revision));
    sheet.line("machine", fmt::format("{}, {} cores, {:.1f} GB", manifest.hardware.cpu, manifest.hardware.cores,
                                      static_cast<double>(manifest.hardware.memory) / 1e9));
    sheet.line("started", manifest.started);
    if (!manifest.ended.empty()) {
        sheet.line("ended", manifest.ended);
    }
    sheet.line("reached",
               fmt::format("{:.9g} s in {} steps, {} grains", manifest.time, manifest.steps, manifest.grains));
    if (!manifest.state_hash.empty()) {
        sheet.line("state hash", manifest.state_hash);
    }
    bool first = true;
    for (const StageRecord& stage : manifest.stages) {
        sheet.line(first ? "stages" : "", stage.end ? fmt::format("\"{}\" {:.6g} to {:.6g} s, ended by {}", stage.name,
                                                                  stage.start, *stage.end, stage.ended_by)
                                                    : fmt::format("\"{}\" from {:.6g} s on", stage.name, stage.start));
        first = false;
    }
    add_result(sheet, manifest.result);
    for (const std::string& warning : manifest.warnings) {
        sheet.line("warning", warning);
    }
    return sheet.text();
}

std::string describe_run(const std::filesystem::path& folder) {
    std::error_code none;
    const bool has_manifest = std::filesystem::exists(manifest_path(folder), none);
    const bool has_checkpoint = std::filesystem::exists(checkpoint_path(folder), none);
    const std::vector<std::filesystem::path> frames = list_frames(folder);
    if (!has_manifest && !has_checkpoint && frames.empty()) {
        throw base::InputError(folder.string() + ": not a Talus run folder (no manifest, frames or checkpoint)");
    }
    std::string text = folder.string() + ": Talus run\n";
    if (has_manifest) {
        text = describe_manifest(manifest_path(folder), folder.string() + ": Talus run");
    }
    Sheet sheet("");
    if (frames.empty()) {
        sheet.line("frames", "none");
    } else {
        sheet.line("frames", fmt::format("{}, {} to {}", frames.size(), frames.front().filename().string(),
                                         frames.back().filename().string()));
    }
    if (has_checkpoint) {
        try {
            sheet.line("checkpoint", checkpoint_line(summarise_checkpoint(checkpoint_path(folder))));
        } catch (const base::InputError& fault) {
            sheet.line("checkpoint", fault.what());
        }
    }
    if (std::filesystem::exists(series_path(folder), none)) {
        try {
            sheet.line("series", fmt::format("{} rows", read_series(series_path(folder)).rows.size()));
        } catch (const base::InputError& fault) {
            sheet.line("series", fault.what());
        }
    }
    return text + sheet.text().substr(1);  // without the empty head
}

std::string describe_hdf5(const std::filesystem::path& path) {
    const Hdf5File file = Hdf5File::open(path);
    std::string format;
    if (file.has_attribute("format")) {
        file.attribute("format", format);
    }
    if (format == "talus-frame") {
        return describe_frame(path);
    }
    file.fail("an HDF5 file, but not one of Talus");
}

}  // namespace

std::string describe(const std::filesystem::path& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none)) {
        throw base::InputError(path.string() + ": no such file or folder");
    }
    if (std::filesystem::is_directory(path, none)) {
        return describe_run(path);
    }
    if (is_checkpoint(path)) {
        return describe_checkpoint(path);
    }
    const std::string extension = path.extension().string();
    if (extension == ".h5" || Hdf5File::recognises(path)) {
        return describe_hdf5(path);
    }
    if (extension == ".csv") {
        const std::string text = read_text_file(path);
        const bool measured = text.substr(0, text.find('\n')).find("volume [m3],samples") != std::string::npos;
        return measured ? describe_table(path, text) : describe_series(path);
    }
    if (extension == ".json") {
        return describe_manifest(path, path.string() + ": Talus manifest");
    }
    if (extension == ".toml") {
        return path.string() + ": a scene; `talus check` says what it would do, `talus run` runs it\n";
    }
    if (extension == ".vtp" || extension == ".pvd") {
        return path.string() + ": a VTK file; ParaView opens it\n";
    }
    throw base::InputError(path.string() +
                           ": not a file that Talus knows (run folder, frame or checkpoint .h5, series .csv, "
                           "manifest .json, scene .toml)");
}

}  // namespace talus::output
