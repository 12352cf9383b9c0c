// Heights of grains by mass against those of an isothermal atmosphere (HSDEM Sect. 3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/analysis/averaged_measures.h"

namespace talus::analysis {

/// Grains of one material and mass.
struct MassClass {
    std::int32_t material = 0;
    double mass = 0;  // kg

    bool holds(std::int32_t other_material, double other_mass) const;
};

/// The classes of a run, by material, then mass.
struct MassClasses {
    std::vector<MassClass> list;
    std::vector<std::string> materials;  // names

    /// The material's name, with a number if the material has several masses.
    std::string label(std::size_t k) const;
};

/// Those of the grains that are not held.
MassClasses mass_classes(const model::System& system);

/// The height of a grain is that of its bottom above the floor. In equilibrium it is distributed as exp(-z/h) with
/// h = kT/(m g), so that the mean height of a class of equal grains is its scale height (HSDEM Eqs. 26-29). kT follows
/// from the grains themselves, 2/5 of the mean of m v^2/2 + m g z (Eq. 31 with errata 3). Held grains do not count.
class ScaleHeights final : public AveragedMeasure {
public:
    /// The classes are the masses in the system at this moment; throws base::InputError if there are too many.
    ScaleHeights(const model::MeasureSpec& spec, const model::System& system);

    /// The averages, and for each class its mass, the measured height over the expected one, and the scatter of the
    /// Kolmogorov-Smirnov probability between snapshots.
    std::vector<SummaryValue> summary() const override;
    std::string text() const override;

private:
    ScaleHeights(const model::MeasureSpec& spec, MassClasses classes);

    std::vector<double> row(const Snapshot& snapshot) override;
    void save_state(State& state) const override;
    void load_state(StateReader& reader) override;

    MassClasses classes_;
};

}  // namespace talus::analysis
