// A scene from the walls of another code: what `talus import walls` writes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "talus/base/diagnostics.h"

namespace talus::scene {

struct ImportOptions {
    std::string length_unit;  // what a length of 1 in the file is, "1 cm"; empty: as the file says
    std::string time_unit;    // likewise, "1 s"
};

struct ImportedScene {
    std::string text;  // TOML, a whole scene with one grain as a start
    std::size_t walls = 0;
    base::Diagnostics warnings;
};

/// Reads a PKDGRAV wall file (docs/import.md). Throws base::InputError with every fault found.
ImportedScene import_walls(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace talus::scene
