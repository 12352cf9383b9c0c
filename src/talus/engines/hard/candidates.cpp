#include "talus/engines/hard/candidates.h"

namespace talus::engines::hard {

namespace {

constexpr std::uint32_t most_places = 4 * 4 * 4 * 2;  // of the joint neighbourhood of two cells
constexpr std::uint32_t group = 8;                    // predictions work on so many at a time

/// The cell within the axis, and by how much a candidate there is displaced by the period.
std::int32_t wrapped(const GridAxis& axis, std::int32_t cell, double& shift) {
    shift = 0;
    if (cell < 0) {
        shift = axis.length;  // the candidate's image lies one period lower
        return cell + axis.cells;
    }
    if (cell >= axis.cells) {
        shift = -axis.length;
        return cell - axis.cells;
    }
    return cell;
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

void Candidates::append_cell(const Cells& cells, std::size_t cell) {
    make_room(2);
    for (std::size_t k = 2 * cell; k < 2 * cell + 2; ++k) {
        const std::uint32_t place = cells.places()[k];
        if (is_overflow(place)) {
            append_chunk(cells, place);
        } else if (place != nobody) {
            ids_[count_++] = place;
        }
    }
}

void Candidates::collect_across(const Grid& grid, const Cells& cells, const CellBox& box) {
    Vec3d shift;
    for (std::int32_t z = box.low[2]; z <= box.high[2]; ++z) {
        const std::int32_t cz = wrapped(grid.axis(2), z, shift.z);
        for (std::int32_t y = box.low[1]; y <= box.high[1]; ++y) {
            const std::int32_t cy = wrapped(grid.axis(1), y, shift.y);
            for (std::int32_t x = box.low[0]; x <= box.high[0]; ++x) {
                const std::int32_t cx = wrapped(grid.axis(0), x, shift.x);
                const std::uint32_t before = count_;
                append_cell(cells, grid.index(cx, cy, cz));
                for (std::uint32_t k = before; k < count_; ++k) {
                    shift_[0][k] = shift.x;
                    shift_[1][k] = shift.y;
                    shift_[2][k] = shift.z;
                }
            }
        }
    }
}

void Candidates::collect(const Grid& grid, const Cells& cells, const CellBox& box, const PredictKernels& kernels,
                         std::uint32_t target) {
    count_ = 0;
    shifted_ = box.wraps;
    if (shifted_) {
        collect_across(grid, cells, box);
    } else {
        CollectTask task;
        task.places = cells.places() + 2 * grid.index(box.low[0], box.low[1], box.low[2]);
        task.row = 2 * grid.row();
        task.layer = 2 * grid.layer();
        task.across = box.high[0] - box.low[0] + 1;
        task.rows = box.high[1] - box.low[1] + 1;
        task.layers = box.high[2] - box.low[2] + 1;
        std::uint32_t overflows = 0;
        count_ = kernels.collect(task, ids_.data(), overflow_.data(), &overflows);
        for (std::uint32_t k = 0; k < overflows; ++k) {
            append_chunk(cells, overflow_[k]);
        }
    }
    for (std::uint32_t k = count_; k % group != 0; ++k) {
        ids_[k] = target;
        for (auto& column : shift_) {
            column[k] = 0;
        }
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
