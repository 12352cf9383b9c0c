// Which Talus this is: goes into manifests, checkpoints and `talus --version`, so that a result can be traced.
#pragma once

#include <string_view>

namespace talus::base {

/// The release, "0.1.0".
std::string_view version();
/// The commit it was built from, "1753b4a" or "1753b4a-dirty" if files were changed; empty outside a git checkout.
std::string_view revision();

}  // namespace talus::base
