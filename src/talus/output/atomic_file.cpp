#include "talus/output/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "talus/base/diagnostics.h"

namespace talus::output {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* doing, int error) {
    throw base::RunError("cannot " + std::string(doing) + " " + path.string() + ": " + std::strerror(error));
}

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        fail(to, "replace", errno);
    }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
    temporary_ += ".tmp";
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        fail(temporary_, "create", errno);
    }
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        ::unlink(temporary_.c_str());
    }
}

void AtomicFile::write(const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t done = ::write(descriptor_, bytes, size);
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail(path_, "write", errno);
        }
        bytes += done;
        size -= static_cast<std::size_t>(done);
    }
}

void AtomicFile::sync() {
    if (::fsync(descriptor_) != 0) {
        fail(path_, "write", errno);
    }
}

void AtomicFile::commit(const std::filesystem::path& previous) {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) {  // some network file systems report a full disk only here
        const int error = errno;
        ::unlink(temporary_.c_str());
        fail(path_, "write", error);
    }
    std::error_code none;
    if (!previous.empty() && std::filesystem::exists(path_, none)) {
        rename_file(path_, previous);
    }
    rename_file(temporary_, path_);
}

void sync_folder(const std::filesystem::path& folder) {
    const std::filesystem::path name = folder.empty() ? "." : folder;
    const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(name, "open", errno);
    }
    const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: the file system has no such thing
    const int error = errno;
    ::close(descriptor);
    if (!synced) {
        fail(name, "sync", error);
    }
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

std::string read_text_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) {
        throw base::InputError(path.string() + ": cannot be read");
    }
    return text;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw base::RunError("cannot create folder " + folder.string() + ": " + error.message());
    }
}

}  // namespace talus::output
