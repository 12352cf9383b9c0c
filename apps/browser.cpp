#include "browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace talus::apps {

namespace {

namespace fs = std::filesystem;

/// A page that leads to `url`, readable by its owner alone; nothing if it cannot be written.
fs::path write_way_to(const std::string& url) {
    const char* own = std::getenv("XDG_RUNTIME_DIR");
    std::error_code none;
    const fs::path folder = own != nullptr ? fs::path(own) : fs::temp_directory_path(none);
    std::string name = (folder / "talus-view-XXXXXX.html").string();
    const int file = ::mkstemps(name.data(), 5);  // with mode 0600
    if (file < 0) {
        return {};
    }
    const std::string text =
        fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={}\"><title>Talus</title>\n", url);
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
    if (!written) {
        fs::remove(name, none);
        return {};
    }
    return name;
}

/// A program of its own: no child of this one, not stopped by its Ctrl-C, and with none of its sockets and files.
void start(const std::string& program, const std::string& argument) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::fork() == 0) {  // nobody waits for the grandchild
            ::setsid();
            const int nowhere = ::open("/dev/null", O_RDWR);
            for (const int stream : {0, 1, 2}) {
                ::dup2(nowhere, stream);
            }
            ::close_range(3, ~0U, 0);
            ::execlp(program.c_str(), program.c_str(), argument.c_str(), static_cast<char*>(nullptr));
        }
        ::_exit(0);
    }
    if (child > 0) {
        ::waitpid(child, nullptr, 0);
    }
}

}  // namespace

Browser::~Browser() {
    std::error_code none;
    if (!file_.empty()) {
        fs::remove(file_, none);
    }
}

void Browser::open(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        return;
    }
    if (url.find('#') == std::string::npos) {
        start("xdg-open", url);
        return;
    }
    file_ = write_way_to(url);
    if (!file_.empty()) {
        start("xdg-open", file_.string());
    }
}

}  // namespace talus::apps
