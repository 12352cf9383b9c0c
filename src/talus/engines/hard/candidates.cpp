#include "talus/engines/hard/candidates.h"

#include <algorithm>

namespace talus::engines::hard {

namespace {

constexpr std::uint32_t most_places = 4 * 4 * 4 * 2;  // of the joint neighbourhood of two cells
constexpr std::uint32_t group = 8;                    // predictions work on so many at a time

/// A run of cells along one axis that lies on one side of all borders.
struct Stretch {
    std::int32_t low = 0, high = -1;  // cells
    double shift = 0;                 // m, to add to target minus candidate
};

/// Cells below the axis, on it and beyond it, each in the numbers of the axis.
std::array<Stretch, 3> stretches(const GridAxis& axis, std::int32_t low, std::int32_t high) {
    const std::int32_t n = axis.cells;
    return {Stretch{low + n, std::min(high, -1) + n, axis.length}, Stretch{std::max(low, 0), std::min(high, n - 1), 0},
            Stretch{std::max(low, n) - n, high - n, -axis.length}};
}

}  // namespace

Candidates::Candidates() {
    make_room(most_places + group);
}

void Candidates::make_room(std::uint32_t more) {
    if (count_ + more + group > ids_.size()) {
        const std::size_t size = 2 * ids_.size() + more + group;
        ids_.resize(size);
        for (auto& column : shift_) {
            column.resize(size);
        }
    }
}

void Candidates::append_chunk(const Cells& cells, std::uint32_t place) {
    for (std::uint32_t c = place & ~overflow_bit; c != nobody; c = cells.chunks()[c].next) {
        const CellChunk& chunk = cells.chunks()[c];
        make_room(chunk.count);
        for (std::uint32_t k = 0; k < chunk.count; ++k) {
            ids_[count_++] = chunk.ids[k];
        }
    }
}

void Candidates::append_box(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels) {
    make_room(most_places + group);
    CollectTask task;
    task.places = cells.places() + 2 * grid.index(box.low[0], box.low[1], box.low[2]);
    task.row = 2 * grid.row();
    task.layer = 2 * grid.layer();
    task.across = box.high[0] - box.low[0] + 1;
    task.rows = box.high[1] - box.low[1] + 1;
    task.layers = box.high[2] - box.low[2] + 1;
    std::array<std::uint32_t, most_places + group> overflow;
    std::uint32_t overflows = 0;
    count_ += kernels.collect(task, ids_.data() + count_, overflow.data(), &overflows);
    for (std::uint32_t k = 0; k < overflows; ++k) {
        append_chunk(cells, overflow[k]);
    }
}

void Candidates::collect_across(const Grid& grid, const Cells& cells, const CellBox& box,
                                const PredictKernels& kernels) {
    const auto along = [&](std::uint32_t k) { return stretches(grid.axis(k), box.low[k], box.high[k]); };
    for (const Stretch& z : along(2)) {
        for (const Stretch& y : along(1)) {
            for (const Stretch& x : along(0)) {
                if (x.low > x.high || y.low > y.high || z.low > z.high) {
                    continue;
                }
                const std::uint32_t before = count_;
                append_box(grid, cells, {{x.low, y.low, z.low}, {x.high, y.high, z.high}, false}, kernels);
                for (std::uint32_t k = before; k < count_; ++k) {
                    shift_[0][k] = x.shift;
                    shift_[1][k] = y.shift;
                    shift_[2][k] = z.shift;
                }
            }
        }
    }
}

void Candidates::collect(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels,
                         std::uint32_t target) {
    count_ = 0;
    target_ = target;
    box_ = box;
    version_ = cells.version();
    shifted_ = box.wraps;
    if (shifted_) {
        collect_across(grid, cells, box, kernels);
    } else {
        append_box(grid, cells, box, kernels);
    }
    for (std::uint32_t k = count_; k % group != 0; ++k) {
        ids_[k] = target;
        shift_[0][k] = shift_[1][k] = shift_[2][k] = 0;
    }
}

void Candidates::describe(PredictTask& task) const {
    task.ids = ids_.data();
    task.count = (count_ + group - 1) / group * group;
    for (std::size_t k = 0; k < 3; ++k) {
        task.shift[k] = shift_[k].data();
    }
}

}  // namespace talus::engines::hard
