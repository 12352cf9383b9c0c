// What a file or folder is, in words: `talus info`.
#pragma once

#include <filesystem>
#include <string>

namespace talus::output {

/// Lines of text about a run folder, frame, checkpoint, series, manifest or scene. base::InputError if the path does
/// not exist, is damaged or is nothing that Talus knows.
std::string describe(const std::filesystem::path& path);

}  // namespace talus::output
