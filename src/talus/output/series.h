// The time series of a run as CSV: columns fixed at the start, one row a sample, numbers that read back exactly.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace talus::output {

/// Rows are flushed as they come. Throws base::RunError if a row cannot be written.
class SeriesWriter {
public:
    /// Starts a new file with its header; an earlier file of that name is replaced.
    SeriesWriter(const std::filesystem::path& path, std::vector<std::string> columns);
    /// Goes on with an existing file after its first `rows` rows; what was written after them is cut off, so that the
    /// file ends up as if the run had never stopped. base::InputError if the columns differ or rows are missing.
    static SeriesWriter resume(const std::filesystem::path& path, std::vector<std::string> columns, std::int64_t rows);

    void add(std::span<const double> row);
    /// Rows written so far: what a checkpoint has to remember.
    std::int64_t rows() const { return rows_; }
    const std::vector<std::string>& columns() const { return columns_; }
    /// Forces the rows to the disk. To be called before a checkpoint that counts on them.
    void sync();

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    SeriesWriter() = default;
    void write_line(const std::string& line);

    std::filesystem::path path_;
    std::vector<std::string> columns_;
    std::unique_ptr<std::FILE, Close> file_;
    std::int64_t rows_ = 0;
};

struct Series {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;

    /// The values of one column; base::InputError if there is none of that name.
    std::vector<double> column(const std::string& name) const;
};

/// base::InputError if it is not a table of numbers under a header. A last line without an end is left out: it belongs
/// to a run that is still writing, or died.
Series read_series(const std::filesystem::path& path);

}  // namespace talus::output
