#include "talus/output/series.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"

namespace talus::output {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
    throw base::RunError("cannot write " + path.string() + ": " + std::strerror(errno));
}

/// A column name as CSV wants it: quoted where it holds a comma, a quote or a line end.
std::string quoted(const std::string& name) {
    if (name.find_first_of(",\"\r\n") == std::string::npos) {
        return name;
    }
    std::string out = "\"";
    for (const char c : name) {
        out += c == '"' ? "\"\"" : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
    }
    return out + "\"";
}

std::string header_of(const std::vector<std::string>& columns) {
    std::string line;
    for (const std::string& column : columns) {
        line += (line.empty() ? "" : ",") + quoted(column);
    }
    return line + "\n";
}

std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += line[i++];
        } else if (line[i] == '"') {
            inside = !inside;
        } else if (line[i] == ',' && !inside) {
            fields.emplace_back();
        } else if (line[i] != '\r') {
            fields.back() += line[i];
        }
    }
    return fields;
}

/// The complete lines of a text, each without its end.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

}  // namespace

SeriesWriter::SeriesWriter(const std::filesystem::path& path, std::vector<std::string> columns)
    : path_(path), columns_(std::move(columns)), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) {
        fail(path_);
    }
    write_line(header_of(columns_));
}

SeriesWriter SeriesWriter::resume(const std::filesystem::path& path, std::vector<std::string> columns,
                                  std::int64_t rows) {
    const std::string text = read_text_file(path);
    const std::vector<std::string_view> lines = lines_of(text);
    const std::string header = header_of(columns);
    if (lines.empty() || lines[0] != std::string_view(header).substr(0, header.size() - 1)) {
        throw base::InputError(path.string() + ": its columns are not those of the run to go on with");
    }
    if (static_cast<std::int64_t>(lines.size()) - 1 < rows) {
        throw base::InputError(
            fmt::format("{}: holds {} rows, but the checkpoint counts on {}", path.string(), lines.size() - 1, rows));
    }
    std::size_t kept = 0;  // bytes
    for (std::size_t i = 0; i <= static_cast<std::size_t>(rows); ++i) {
        kept += lines[i].size() + 1;
    }
    std::error_code error;
    std::filesystem::resize_file(path, kept, error);
    if (error) {
        throw base::RunError("cannot shorten " + path.string() + ": " + error.message());
    }
    SeriesWriter writer;
    writer.path_ = path;
    writer.columns_ = std::move(columns);
    writer.rows_ = rows;
    writer.file_.reset(std::fopen(path.c_str(), "ab"));
    if (!writer.file_) {
        fail(path);
    }
    return writer;
}

void SeriesWriter::add(std::span<const double> row) {
    if (row.size() != columns_.size()) {
        throw base::RunError(
            fmt::format("a row of {} numbers for the {} columns of {}", row.size(), columns_.size(), path_.string()));
    }
    std::string line;
    for (const double value : row) {
        fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : ",", value);
    }
    write_line(line + "\n");
    ++rows_;
}

void SeriesWriter::sync() {
    if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL) {  // EINVAL: a pipe or a device
        fail(path_);
    }
}

void SeriesWriter::write_line(const std::string& line) {
    if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0) {
        fail(path_);
    }
}

std::vector<double> Series::column(const std::string& name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) {
        base::Diagnostics faults;
        faults.error({}, name, "no such column in the series", {}, base::nearest_name(name, columns));
        throw base::InputError(std::move(faults));
    }
    const auto index = static_cast<std::size_t>(found - columns.begin());
    std::vector<double> values;
    values.reserve(rows.size());
    for (const std::vector<double>& row : rows) {
        values.push_back(row[index]);
    }
    return values;
}

Series read_series(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    const std::vector<std::string_view> lines = lines_of(text);
    if (lines.empty()) {
        throw base::InputError(path.string() + ": is not a time series (no header)");
    }
    Series series;
    series.columns = fields_of(lines[0]);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::vector<double> row;
        for (const std::string& field : fields_of(lines[i])) {
            double value = 0;
            const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
            if (error != std::errc() || end != field.data() + field.size()) {
                throw base::InputError(fmt::format("{}:{}: \"{}\" is not a number", path.string(), i + 1, field));
            }
            row.push_back(value);
        }
        if (row.size() != series.columns.size()) {
            throw base::InputError(fmt::format("{}:{}: {} numbers for {} columns", path.string(), i + 1, row.size(),
                                               series.columns.size()));
        }
        series.rows.push_back(std::move(row));
    }
    return series;
}

}  // namespace talus::output
