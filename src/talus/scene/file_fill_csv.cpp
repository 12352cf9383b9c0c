// Grains from a table with a header line.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <optional>

#include "talus/scene/file_fill.h"
#include "talus/scene/file_fill_text.h"

namespace talus::scene {

namespace {

constexpr std::array<std::string_view, 11> names = {"x",  "y",  "z",  "radius", "vx",     "vy",
                                                    "vz", "wx", "wy", "wz",     "density"};
constexpr std::size_t required = 4;  // the first so many; z only in space
constexpr std::size_t z_column = 2;
constexpr std::size_t radius_column = 3;
constexpr std::size_t density_column = 10;

using Columns = std::array<int, names.size()>;  // position of each name in the file, -1: absent

const char* such_as(bool planar) {
    return planar ? "a header such as x,y,radius" : "a header such as x,y,z,radius";
}

/// Nothing if a column is missing: the rows would only repeat what is wrong.
std::optional<Columns> read_header(const std::vector<Word>& header, int line, bool planar, FileFaults& faults) {
    Columns columns;
    columns.fill(-1);
    for (std::size_t c = 0; c < header.size(); ++c) {
        bool known = false;
        for (std::size_t n = 0; n < names.size(); ++n) {
            if (header[c].text == names[n]) {
                known = true;
                if (columns[n] >= 0) {
                    faults.error(line, header[c].column, fmt::format("the column \"{}\" is there twice", names[n]));
                }
                columns[n] = static_cast<int>(c);
            }
        }
        if (!known) {
            faults.warning(
                line, header[c].column,
                fmt::format("the column \"{}\" is ignored; known are {}", header[c].text, fmt::join(names, ", ")));
        }
    }
    std::vector<std::string_view> missing;
    for (std::size_t n = 0; n < required; ++n) {
        if (columns[n] < 0 && !(planar && n == z_column)) {
            missing.push_back(names[n]);
        }
    }
    if (!missing.empty()) {
        faults.error(line, 1, fmt::format("the header has no column {}", fmt::join(missing, ", ")), such_as(planar));
        return std::nullopt;
    }
    return columns;
}

Grain read_row(const std::vector<Word>& row, const Columns& columns, int line, FileFaults& faults) {
    std::array<double, names.size()> value{};
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (columns[n] >= 0) {
            const Word& word = row[static_cast<std::size_t>(columns[n])];
            value[n] = n == radius_column || n == density_column ? faults.positive(line, word, names[n])
                                                                 : faults.number(line, word, names[n]);
        }
    }
    return {.position = {value[0], value[1], value[2]},
            .radius = value[radius_column],
            .velocity = {value[4], value[5], value[6]},
            .spin = {value[7], value[8], value[9]},
            .density = value[density_column]};
}

}  // namespace

std::vector<Grain> read_csv(const std::string& path, const std::string& key, base::Diagnostics& diagnostics,
                            bool planar) {
    FileFaults faults(path, key, diagnostics);
    LineReader reader(path, faults);
    std::vector<Grain> grains;
    Columns columns{};
    std::size_t width = 0;  // columns of the header; 0: not read yet
    while (reader.next()) {
        const std::vector<Word> row = split_at_comma(reader.line());
        if ((row.size() == 1 && row[0].text.empty()) || row[0].text.starts_with('#')) {
            continue;
        }
        if (width == 0) {
            const std::optional<Columns> header = read_header(row, reader.number(), planar, faults);
            if (!header) {
                return {};
            }
            columns = *header;
            width = row.size();
        } else if (row.size() != width) {
            faults.error(reader.number(), row.back().column,
                         fmt::format("this line has {} fields, the header {}", row.size(), width));
        } else {
            grains.push_back(read_row(row, columns, reader.number(), faults));
        }
    }
    if (width == 0 && reader.opened()) {
        faults.error(reader.number(), 1, "there is no header line", such_as(planar));
    }
    return grains;
}

}  // namespace talus::scene
