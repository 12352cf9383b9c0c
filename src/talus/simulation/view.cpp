#include "talus/simulation/view.h"

#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/server/stored_run.h"

namespace talus::simulation {

namespace fs = std::filesystem;

namespace {

/// Installed with the program, or built beside it.
fs::path page_folder() {
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& folder : {program / "../share/talus/viewer", program / "viewer"}) {
        if (fs::exists(folder / "index.html")) {
            return fs::canonical(folder);
        }
    }
    throw base::InputError(
        "this talus was built without the page of its view: npm was not there. Install nodejs and npm and build again");
}

server::ServerOptions with_page(server::ServerOptions options) {
    if (options.page.empty()) {
        options.page = page_folder();
    }
    return options;
}

}  // namespace

View::View(server::ServerOptions options) : server_(with_page(std::move(options)), exchange_) {}

void require_frames(const fs::path& folder) {
    server::require_frames(folder);
}

void view_folder(View& view, const fs::path& folder, const std::atomic<bool>& stop) {
    server::show_run(view.exchange(), folder, stop);
}

std::vector<output::Change> recorded_changes(const fs::path& manifest) {
    return output::read_manifest(manifest).changes;
}

}  // namespace talus::simulation
