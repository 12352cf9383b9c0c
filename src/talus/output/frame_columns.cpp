#include "talus/output/frame_columns.h"

#include <utility>

#include "talus/output/hdf5_file.h"

namespace talus::output {

std::vector<std::string> grain_columns(const std::filesystem::path& frame) {
    return Hdf5File::open(frame).names_in("particles");
}

GrainColumn read_grain_column(const std::filesystem::path& frame, const std::string& name) {
    const Hdf5File file = Hdf5File::open(frame);
    Hdf5File::Numbers numbers = file.read_numbers("particles/" + name);
    if (numbers.values.size() != numbers.width * file.read_numbers("particles/id").values.size()) {
        file.fail("\"particles/" + name + "\" has another length than particles/id");
    }
    return {numbers.width, std::move(numbers.values)};
}

}  // namespace talus::output
