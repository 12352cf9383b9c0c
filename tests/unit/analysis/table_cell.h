// Reads one number out of a table by the name of its column.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "talus/analysis/measure.h"

namespace talus::analysis {

inline double cell(const Table& table, std::size_t row, const std::string& name) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k].name == name) {
            return table.rows.at(row).at(k);
        }
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
}

}  // namespace talus::analysis
