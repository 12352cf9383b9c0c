// The spheres near a target, collected from cells, with the period between where a border lies between them.
#pragma once

#include <array>
#include <cstdint>

#include "talus/base/pages.h"
#include "talus/engines/hard/cells.h"
#include "talus/engines/hard/grid.h"
#include "talus/engines/hard/predict.h"

namespace talus::engines::hard {

class Candidates {
public:
    Candidates();
    /// Collects the spheres of the box, in no particular order, and fills up with `target`.
    void collect(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels,
                 std::uint32_t target);

    /// Whether collecting again would change nothing.
    bool holds(const Cells& cells, const CellBox& box, std::uint32_t target) const {
        return cells.version() == version_ && target == target_ && box == box_;
    }

    std::uint32_t size() const { return count_; }
    std::uint32_t id(std::uint32_t place) const { return ids_[place]; }
    bool is_shifted() const { return shifted_; }
    /// m, to add to target minus candidate.
    Vec3d shift(std::uint32_t place) const {
        return shifted_ ? Vec3d{shift_[0][place], shift_[1][place], shift_[2][place]} : Vec3d{};
    }
    /// Fills in the part of a task that is about candidates.
    void describe(PredictTask& task) const;

private:
    void append_chunk(const Cells& cells, std::uint32_t place);
    void append_box(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels);
    void collect_across(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels);
    void make_room(std::uint32_t more);

    base::PageVector<std::uint32_t> ids_;
    std::array<base::PageVector<double>, 3> shift_;
    std::uint32_t count_ = 0;
    std::uint32_t target_ = nobody;
    CellBox box_;
    std::int64_t version_ = -1;  // of the cells
    bool shifted_ = false;
};

}  // namespace talus::engines::hard
