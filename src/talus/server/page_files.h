// The built page, read once into a fixed table: what is not in it does not exist, whatever path is asked for.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace talus::server {

struct PageFile {
    std::string type;  // as in Content-Type
    std::string bytes;
    bool lasting = false;  // its name changes with its content, so that browsers may keep it
};

class PageFiles {
public:
    /// Reads the files of a folder. base::InputError if there is no index.html in it.
    explicit PageFiles(const std::filesystem::path& folder);
    /// By the path of a request, "/" being index.html; null: no such file.
    const PageFile* find(std::string_view path) const;

private:
    std::map<std::string, PageFile, std::less<>> files_;
};

}  // namespace talus::server
