// Mass and number of grains that fall through a plane, the steady rate, and Beverloo's law beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/analysis/measure.h"
#include "talus/analysis/steady_flow.h"

namespace talus::analysis {

/// SSDEM Eq. 41 with the bulk density (errata 8): W = 0.697 phi rho sqrt(g) (D - 2.32 d)^2.5, in kg/s. Zero for holes
/// too narrow to flow.
double beverloo_rate(double hole_diameter, double grain_diameter, double grain_density, double packing, double gravity);

/// Counts grains whose centre has passed from above the plane (axis . x >= offset) to below it, each once.
///
/// Grains are followed by id. One that was above at the last look and is gone now has passed if free flight from where
/// it was, over the time since, would have taken it below: grains that fall out of the domain or into an absorber below
/// the plane count; grains that a stage takes away from the heap above do not. A grain that returns above the plane
/// counts again only if it came round through a periodic border.
class CrossingCounter {
public:
    CrossingCounter(const Vec3d& axis, double offset, const model::Region& region);

    void look(const model::System& system, double time);

    std::int64_t count() const { return count_; }
    double mass() const { return mass_; }  // kg
    /// Of the grains that have passed.
    double mean_diameter() const { return count_ > 0 ? diameters_ / static_cast<double>(count_) : 0; }  // m
    double grain_density() const { return volume_ > 0 ? mass_ / volume_ : 0; }                          // kg/m3

    void save(State& state) const;
    void load(StateReader& reader);

private:
    enum class Place : std::uint8_t { below, above, passed };
    struct Grain {
        std::int64_t id = 0;
        double mass = 0, radius = 0;
        Vec3d position, velocity;
        Place place = Place::below;
    };

    double height(const Vec3d& x) const { return math::dot(axis_, x) - offset_; }
    void follow(const Grain& before, Grain& now, const model::Domain& domain);
    /// Books the crossing if it happened inside the region.
    bool book(const Grain& before, const Vec3d& after);

    Vec3d axis_;
    double offset_;
    model::Region region_;
    std::vector<Grain> grains_;  // at the last look, ascending ids
    double last_time_ = 0;
    std::int64_t count_ = 0;
    double mass_ = 0, volume_ = 0, diameters_ = 0;
};

class Discharge final : public Measure {
public:
    explicit Discharge(const model::MeasureSpec& spec);

    std::vector<Column> columns() const override;
    std::vector<SummaryValue> summary() const override;
    std::string text() const override;

    SteadyFlow steady_flow() const { return find_steady_flow(times_, masses_); }
    /// kg/s; zero if no hole was named or nothing has passed yet.
    double beverloo() const;
    /// The packing that goes into it.
    double packing() const;

private:
    std::vector<double> take(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    CrossingCounter counter_;
    std::vector<double> times_, masses_, counts_;  // at every sample
    double measured_packing_ = 0;                  // before the flow began
    double gravity_ = 0;                           // m/s2
};

}  // namespace talus::analysis
