#include "talus/analysis/profile.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "talus/analysis/stress.h"
#include "talus/base/exact_sum.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Quantities of a cell, in the order of `Cell::values`.
constexpr std::size_t quantity_count = 21;
constexpr std::size_t grains_at = 0;
constexpr std::size_t speed_at = 2;
constexpr std::size_t temperature_at = 6;
constexpr std::size_t pressure_at = 7;
constexpr std::size_t stress_at = 9;  // the first of six

constexpr bool is_contact_stress(std::size_t quantity) {
    return quantity == pressure_at || (quantity >= stress_at && quantity < stress_at + 6);
}

/// Their names and units; vectors and tensors are told along the axes with these letters.
std::vector<Column> quantities(const char* letters) {
    std::vector<Column> list = {{"grains", ""}, {"packing", ""}, {"speed", "m/s"}};
    for (std::size_t k = 0; k < 3; ++k) {
        list.push_back({std::string("velocity_") + letters[k], "m/s"});
    }
    list.push_back({"temperature", "m2/s2"});
    list.push_back({"pressure", "Pa"});
    list.push_back({"kinetic_pressure", "Pa"});
    for (const char* kind : {"stress_", "kinetic_"}) {
        for (const std::string component : tensor_names) {
            list.push_back({std::string(kind) + letters[component[0] - 'x'] + letters[component[1] - 'x'], "Pa"});
        }
    }
    return list;
}

/// One cell at one instant.
struct Cell {
    int grains = 0;
    base::ExactSum solid;  // m3
    double speeds = 0;     // m/s, summed
    StressSum stress;
    int dimensions = 3;

    explicit Cell(int dimensions_of) : stress(dimensions_of), dimensions(dimensions_of) {}

    std::array<double, quantity_count> values(double volume) const {
        const bool finite = volume < std::numeric_limits<double>::infinity();
        const double v = finite ? volume : stress.solid_volume();
        const Vec3d velocity = grains > 0 ? stress.mean_velocity() : Vec3d{nan, nan, nan};
        constexpr Tensor6 none = {nan, nan, nan, nan, nan, nan};
        const Tensor6 s = v > 0 ? stress.contact(v) : none;
        const Tensor6 k = v > 0 ? stress.kinetic(v) : none;
        return {static_cast<double>(grains),
                finite && volume > 0 ? solid.value() / volume : nan,
                grains > 0 ? speeds / grains : nan,
                velocity.x,
                velocity.y,
                velocity.z,
                stress.temperature(),
                pressure(s, dimensions),
                pressure(k, dimensions),
                s[0],
                s[1],
                s[2],
                s[3],
                s[4],
                s[5],
                k[0],
                k[1],
                k[2],
                k[3],
                k[4],
                k[5]};
    }
};

}  // namespace

Profile::Profile(const model::MeasureSpec& spec, const model::Domain& domain) : Measure(spec, 0) {
    try {
        grid_ = make_grid(spec.grid, spec.region, domain);
    } catch (const base::InputError& fault) {
        throw base::InputError("measure \"" + name() + "\": " + fault.what());
    }
    averages_.resize(grid_->cells() * quantity_count);
}

std::vector<double> Profile::take(const Snapshot& snapshot) {
    const model::Bodies& bodies = snapshot.system.bodies;
    const std::optional<std::vector<Tensor6>> virial = window_.take(snapshot);
    std::vector<Cell> cells(grid_->cells(), Cell(snapshot.system.domain.dimensions));
    std::vector<Grid::Share> shares;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d& x = bodies.position[i];
        grid_->share_out(x, model::solid_radius(bodies, snapshot.system.grains, i), shares);
        for (const Grid::Share& share : shares) {
            cells[share.cell].solid += share.volume;
        }
        if (const auto own = grid_->cell_of(x)) {
            Cell& cell = cells[*own];
            ++cell.grains;
            cell.speeds += math::norm(bodies.velocity[i]);
            cell.stress.add(bodies, i, virial ? (*virial)[i] : Tensor6{}, grid_->basis(x));
        }
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const auto values = cells[k].values(grid_->volume(k));
        for (std::size_t q = 0; q < values.size(); ++q) {
            if (!std::isnan(values[q]) && (virial || !is_contact_stress(q))) {
                averages_[k * quantity_count + q].add(values[q]);
            }
        }
    }
    return {};
}

std::vector<SummaryValue> Profile::summary() const {
    const Column cells = column("cells", "");
    const Column samples = column("samples", "");
    return {{cells.name, cells.unit, static_cast<double>(grid_->cells()), {}, 0},
            {samples.name, samples.unit, static_cast<double>(averages_.front().samples()), {}, 0}};
}

std::vector<Table> Profile::tables() const {
    Table table;
    table.name = name();
    for (const std::string& coordinate : grid_->coordinates()) {
        table.columns.push_back({coordinate, "m"});
    }
    table.columns.push_back({"volume", "m3"});
    table.columns.push_back({"samples", ""});
    for (const Column& q : quantities(grid_->letters())) {
        table.columns.push_back(q);
        table.columns.push_back({q.name + "_error", q.unit});
    }
    // Motion is known only at instants with grains in the cell; these numbers say at how many.
    table.columns.push_back({"speed_samples", ""});
    table.columns.push_back({"temperature_samples", ""});
    for (std::size_t k = 0; k < grid_->cells(); ++k) {
        const BlockedSeries* cell = &averages_[k * quantity_count];
        const double volume = grid_->volume(k);
        std::vector<double> row = grid_->place(k);
        row.push_back(std::isfinite(volume) ? volume : nan);
        row.push_back(static_cast<double>(cell[grains_at].samples()));
        for (std::size_t q = 0; q < quantity_count; ++q) {
            const Estimate e = cell[q].estimate();
            row.push_back(e.samples > 0 ? e.value : nan);
            row.push_back(e.samples > 1 ? e.error : nan);
        }
        row.push_back(static_cast<double>(cell[speed_at].samples()));
        row.push_back(static_cast<double>(cell[temperature_at].samples()));
        table.rows.push_back(std::move(row));
    }
    return {table};
}

std::string Profile::text() const {
    return fmt::format("{}: {} cells, averaged over {} samples", name(), grid_->cells(), averages_.front().samples());
}

void Profile::save_state(State& state) const {
    for (const BlockedSeries& average : averages_) {
        average.save(state);
    }
    window_.save(state);
}

void Profile::load_state(StateReader& reader) {
    for (BlockedSeries& average : averages_) {
        average.load(reader);
    }
    window_.load(reader);
}

}  // namespace talus::analysis
