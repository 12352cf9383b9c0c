// Opens the page of a view in a browser that has nothing else of this program.
#pragma once

#include <filesystem>
#include <string>

namespace talus::apps {

/// The page, opened where there is a desktop to open it on. Nothing hangs on it: the address has been printed.
class Browser {
public:
    Browser() = default;
    ~Browser();
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    /// An address with a token goes by way of a file that only its owner can read, since everybody can read the
    /// arguments of a program; the file is gone with this object.
    void open(const std::string& url);

private:
    std::filesystem::path file_;
};

}  // namespace talus::apps
