#include "talus/server/page_files.h"

#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "talus/base/diagnostics.h"

namespace talus::server {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 4> types = {{{".html", "text/html; charset=utf-8"},
                                                                       {".js", "text/javascript; charset=utf-8"},
                                                                       {".css", "text/css; charset=utf-8"},
                                                                       {".svg", "image/svg+xml"}}};

}  // namespace

PageFiles::PageFiles(const std::filesystem::path& folder) {
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
        for (const auto& [ending, type] : types) {
            if (entry.is_regular_file() && entry.path().extension() == ending) {
                std::ifstream file(entry.path(), std::ios::binary);
                const std::string name = "/" + entry.path().lexically_relative(folder).generic_string();
                files_[name] = {type, {std::istreambuf_iterator<char>(file), {}}, name.starts_with("/assets/")};
            }
        }
    }
    const auto index = files_.find("/index.html");
    if (index == files_.end()) {
        throw base::InputError(folder.string() + ": the page of the view is not there");
    }
    files_["/"] = index->second;
}

const PageFile* PageFiles::find(std::string_view path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : &found->second;
}

}  // namespace talus::server
