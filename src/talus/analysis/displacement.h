// How far grains have come since the measure began, and how fast they diffuse.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/analysis/measure.h"

namespace talus::analysis {

using math::Vec3d;

/// Follows the grains of the first sample (held ones apart) by id; those that leave are forgotten. Bodies know only
/// where they are inside a periodic domain, so each sample adds the shortest way from the last place: between two
/// samples a grain must come less than half a period along each periodic axis.
class Displacement final : public Measure {
public:
    explicit Displacement(const model::MeasureSpec& spec, int dimensions = 3)
        : Measure(spec, 5), dimensions_(dimensions) {}

    std::vector<Column> columns() const override;
    std::vector<SummaryValue> summary() const override;
    std::string text() const override;

    /// m2/s: a sixth (in the plane a fourth) of the slope of the mean square over the second half of the time (NaN with
    /// fewer than three samples there). Points of one curve are correlated, so its error is found from ten curves of a
    /// tenth of the grains each.
    Estimate diffusion() const;

private:
    static constexpr std::size_t groups = 10;

    struct Grain {
        std::int64_t id = 0;
        Vec3d last;   // m
        Vec3d moved;  // m, since the first sample
    };
    struct Point {
        double time = 0;    // s
        double square = 0;  // m2, mean over all grains
        std::array<double, groups> of_group{};
    };

    std::vector<double> take(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    void begin(const model::Bodies& bodies, const model::Region& region);
    void follow(const model::System& system);

    int dimensions_;
    std::vector<Grain> grains_;  // by id
    std::int64_t grains_at_start_ = 0;
    std::vector<Point> points_;
};

}  // namespace talus::analysis
