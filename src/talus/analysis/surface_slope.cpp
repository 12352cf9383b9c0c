#include "talus/analysis/surface_slope.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>

#include "talus/analysis/report.h"
#include "talus/analysis/surface.h"

namespace talus::analysis {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Columns:
constexpr std::size_t angle_at = 0;
constexpr std::size_t residual_at = 1;
constexpr std::size_t rim_at = 4;
constexpr double all_around = 0.95;  // of the rim: beyond it there is no free surface to speak of

std::vector<Column> parts(const model::MeasureSpec& spec) {
    std::vector<Column> columns = {{"angle", "deg"}, {"residual", ""}, {"level", "m"}, {"points", ""}};
    if (!spec.surface.drum.empty()) {
        columns.push_back({"rim", ""});
    }
    return columns;
}

/// The wall of that name that is there now.
const model::Wall* find_wall(const model::System& system, const std::string& name) {
    for (const model::Wall& wall : system.walls) {
        if (wall.name == name && wall.present) {
            return &wall;
        }
    }
    return nullptr;
}

}  // namespace

SurfaceSlope::SurfaceSlope(const model::MeasureSpec& spec) : AveragedMeasure(spec, parts(spec)) {}

std::vector<double> SurfaceSlope::row(const Snapshot& snapshot) {
    const model::SurfaceSpec& surface = spec().surface;
    const LooseGrains grains = loose_grains(snapshot.system, spec().region);
    std::vector<double> values(columns().size(), nan);
    if (grains.balls.empty()) {
        return values;
    }
    const double width = surface.bin_width > 0 ? surface.bin_width : 2 * grains.mean_diameter;
    const SurfaceLine line = fit_surface(surface_points(grains, spec().axis, surface.along, width), surface);
    values[0] = line.angle;
    values[1] = line.residual / grains.mean_diameter;
    values[2] = line.level;
    values[3] = static_cast<double>(line.points);
    if (!surface.drum.empty()) {
        const model::Wall* drum = find_wall(snapshot.system, surface.drum);
        values[rim_at] = drum != nullptr ? covered_rim(grains, *drum) : nan;
    }
    return values;
}

std::vector<SummaryValue> SurfaceSlope::summary() const {
    std::vector<SummaryValue> list = AveragedMeasure::summary();
    const BlockedSeries& angle = average(angle_at);
    const Column c = column("angle_deviation", "deg");
    list.push_back({c.name, c.unit, angle.samples() > 1 ? angle.deviation() : nan, {}, angle.samples()});
    return list;
}

std::string SurfaceSlope::text() const {
    const Estimate angle = average(angle_at).estimate();
    const bool has_rim = !spec().surface.drum.empty() && average(rim_at).samples() > 0;
    if (angle.samples == 0 && !has_rim) {
        return name() + ": nothing to measure";
    }
    std::string line = name() + ": no surface";
    if (angle.samples > 0) {
        line = fmt::format("{}: {} (deviation {:.2g} deg between samples), straight to {:.2g} diameters", name(),
                           with_error(angle.value, angle.error, "deg"), average(angle_at).deviation(),
                           average(residual_at).estimate().value);
    }
    if (has_rim) {
        const double rim = average(rim_at).estimate().value;
        line += fmt::format(", rim covered to {:.0f} %{}", 100 * rim, rim > all_around ? " (centrifuging)" : "");
    }
    return line + fmt::format(" ({} samples)", angle.samples);
}

}  // namespace talus::analysis
