// The cells of a profile: which one holds a point, how much of a ball lies in each, and along which axes vectors are
// told.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "talus/math/mat3.h"
#include "talus/model/domain.h"
#include "talus/model/plan.h"

namespace talus::analysis {

using math::Vec3d;

/// Cells are counted with the last coordinate running fastest.
class Grid {
public:
    struct Share {  // of a ball
        std::size_t cell = 0;
        double volume = 0;  // m3
    };

    virtual ~Grid() = default;
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;

    std::size_t cells() const { return cells_; }
    /// What tells where a cell is: names, and their values in m.
    virtual std::vector<std::string> coordinates() const = 0;
    virtual std::vector<double> place(std::size_t cell) const { return middle(cell); }
    /// The cell that holds the point: low sides belong to it, high sides do not. None outside grid or region.
    std::optional<std::size_t> cell_of(const Vec3d& x) const;
    /// m3; infinite where nothing bounds the cell.
    virtual double volume(std::size_t cell) const = 0;
    /// The parts of a ball in all cells, periodic images included. Replaces what `shares` holds.
    void share_out(const Vec3d& center, double radius, std::vector<Share>& shares) const;

    /// m, where bin `bin` of coordinate k begins; beyond the last one, where that ends.
    double edge(std::size_t k, int bin) const;

    /// The axes of vectors and tensors by one letter each, "xyz".
    virtual const char* letters() const { return "xyz"; }
    /// Those axes at a place, as rows.
    virtual math::Mat3d basis(const Vec3d& x) const;

protected:
    struct Span {  // of bins
        int first = 0, last = -1;
    };

    Grid(const model::ProfileGrid& grid, const model::Region& region, const model::Domain& domain);

    const model::GridAxis& axis(std::size_t k) const { return along_[k]; }
    /// Bins of coordinate k that the interval meets.
    Span span(std::size_t k, double from, double to) const;
    /// The bin of a cell along coordinate k.
    int bin(std::size_t cell, std::size_t k) const;
    std::vector<double> middle(std::size_t cell) const;

    virtual double coordinate(const Vec3d& x, std::size_t k) const = 0;
    virtual void share_out_one(const Vec3d& center, double radius, std::vector<Share>& shares) const = 0;

private:
    int bin_at(std::size_t k, double at) const;

    std::vector<model::GridAxis> along_;
    model::Region region_;
    model::Domain domain_;
    std::size_t cells_ = 1;
};

/// Throws base::InputError for a grid without cells or with too many. Rings take no region: they say themselves where
/// they begin and end.
std::unique_ptr<Grid> make_grid(const model::ProfileGrid& grid, const model::Region& region,
                                const model::Domain& domain);

}  // namespace talus::analysis
