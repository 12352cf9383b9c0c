// Which frames of a run are meant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace talus::render {

/// "12", "-1" (the last), "50%" (half way through), "0:-1" (from the first to the last), "0:-1:5" (every fifth of
/// them). base::InputError if the text says nothing of the kind or a frame is not there.
std::vector<std::filesystem::path> choose_frames(const std::vector<std::filesystem::path>& frames,
                                                 const std::string& text);

}  // namespace talus::render
