// The live view as the command line offers it: a server with its page, for a run or for a folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "talus/output/manifest.h"
#include "talus/server/exchange.h"
#include "talus/server/server.h"

namespace talus::simulation {

/// Serves from its construction to its end.
class View {
public:
    /// `options.page` may be empty: the page that was installed or built with this program.
    explicit View(server::ServerOptions options);
    server::Exchange& exchange() { return exchange_; }
    const std::string& url() const { return server_.url(); }

private:
    server::Exchange exchange_;
    server::Server server_;
};

/// base::InputError if there is nothing to show in `folder`.
void require_frames(const std::filesystem::path& folder);
/// Shows what a run left in `folder`, or still adds to it, until `stop` is set.
void view_folder(View& view, const std::filesystem::path& folder, const std::atomic<bool>& stop);

/// The changes that a manifest records, to be carried out again.
std::vector<output::Change> recorded_changes(const std::filesystem::path& manifest);

}  // namespace talus::simulation
