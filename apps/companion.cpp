// What comes with the program: the gallery of scenes, the scripts that draw plots.
#include <fmt/format.h>

#include "commands.h"
#include "talus/base/diagnostics.h"

namespace talus::apps {

std::filesystem::path companion(const std::string& folder) {
    namespace fs = std::filesystem;
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {program / "../share/talus" / folder, program / folder}) {
        if (fs::is_directory(place)) {
            return fs::canonical(place);
        }
    }
    throw base::InputError(fmt::format("the folder \"{}\" of Talus was not installed with this program", folder));
}

}  // namespace talus::apps
