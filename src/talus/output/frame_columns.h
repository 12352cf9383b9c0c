// Any column that a frame holds of its grains, by the name it has in the file, also those this Talus does not know.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace talus::output {

/// Names of the columns in `particles/`.
std::vector<std::string> grain_columns(const std::filesystem::path& frame);

struct GrainColumn {
    std::size_t width = 1;       // numbers a grain
    std::vector<double> values;  // grain by grain, in order of id
};
/// base::InputError if it is no column of numbers with a row for every grain.
GrainColumn read_grain_column(const std::filesystem::path& frame, const std::string& name);

}  // namespace talus::output
