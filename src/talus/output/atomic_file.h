// A file that appears under its name only when it is complete: written beside it, then renamed. A run that dies or a
// disk that fills up leaves the earlier file as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace talus::output {

class AtomicFile {
public:
    /// Opens `path` + ".tmp" for writing. Throws base::RunError, as all members do, naming the file and the cause.
    explicit AtomicFile(std::filesystem::path path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    /// Removes the temporary file unless committed.
    ~AtomicFile();

    void write(const void* data, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Forces the contents to the disk, so that they survive a power cut.
    void sync();
    /// Closes and renames. What was under the name before is kept as `previous` if that is not empty.
    void commit(const std::filesystem::path& previous = {});

private:
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

/// Makes the renames in a folder survive a power cut.
void sync_folder(const std::filesystem::path& folder);

/// Replaces a file by `text` in one go.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// The whole file; base::InputError if it cannot be read.
std::string read_text_file(const std::filesystem::path& path);

/// Creates a folder and its parents; base::RunError if that fails.
void make_folder(const std::filesystem::path& folder);

}  // namespace talus::output
