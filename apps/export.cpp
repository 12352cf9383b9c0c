// `talus export`: frames for other programs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "talus/simulation/toolbox.h"

namespace talus::apps {

void add_export(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "Write frames as VTK (ParaView) or as a LAMMPS dump (OVITO)");
    auto source = std::make_shared<std::string>();
    auto format = std::make_shared<std::string>("vtk");
    auto target = std::make_shared<std::string>();
    command->add_option("source", *source, "Run folder or frame file")->required();
    command->add_option("--format", *format, "vtk or lammps")->check(CLI::IsMember({"vtk", "lammps"}));
    command->add_option("-o,--out", *target, "Folder (vtk) or file (lammps); beside the frames by default");
    command->callback([=] {
        namespace fs = std::filesystem;
        const fs::path from = *source;
        const fs::path base = fs::is_directory(from) ? from : from.parent_path();
        if (*format == "vtk") {
            const fs::path folder = target->empty() ? base / "vtk" : fs::path(*target);
            const auto written = simulation::export_vtk(from, folder);
            fmt::print("wrote {} files to {}; open {} in ParaView\n", written.size(), folder.string(),
                       written.empty() ? "" : written.front().filename().string());
        } else {
            const fs::path file = target->empty() ? base / "talus.dump" : fs::path(*target);
            simulation::export_lammps_dump(from, file);
            fmt::print("wrote {}\n", file.string());
        }
    });
}

}  // namespace talus::apps
