// One member of many structs as one column of a file, and back.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "talus/output/hdf5_file.h"

namespace talus::output {

/// bool has no dataset type of its own.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class Row, class Member>
using MemberOf = Stored<std::remove_cvref_t<std::invoke_result_t<Member, const Row&>>>;

/// Writes `member(row)` of each row as the column `name`.
template <class Row, class Member>
void write_members(Hdf5File& file, const std::string& name, const std::vector<Row>& rows, Member member) {
    std::vector<MemberOf<Row, Member>> column;
    column.reserve(rows.size());
    for (const Row& row : rows) {
        column.emplace_back(member(row));
    }
    file.write(name, column);
}

/// Reads the column `name` into `member(row)`. The first column read into empty rows decides how many there are.
template <class Row, class Member>
void read_members(const Hdf5File& file, const std::string& name, std::vector<Row>& rows, Member member) {
    std::vector<MemberOf<Row, Member>> column;
    file.read(name, column);
    if (rows.empty()) {
        rows.resize(column.size());
    }
    if (rows.size() != column.size()) {
        file.fail("\"" + name + "\" has " + std::to_string(column.size()) + " rows instead of " +
                  std::to_string(rows.size()));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto& target = member(rows[i]);
        target = static_cast<std::remove_cvref_t<decltype(target)>>(column[i]);
    }
}

}  // namespace talus::output
