// Scale heights of atmospheres that are drawn from the closed form.
#include "talus/analysis/scale_heights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "normal_numbers.h"
#include "talus/base/diagnostics.h"

namespace talus::analysis {
namespace {

constexpr double radius = 0.02;  // m
constexpr double floor_at = -0.5;
constexpr double g = 2.5;  // m/s2

const SummaryValue& find(const std::vector<SummaryValue>& list, const std::string& name) {
    for (const SummaryValue& value : list) {
        if (value.name == name) {
            return value;
        }
    }
    throw std::out_of_range(name);
}

model::MeasureSpec spec_of_heights() {
    model::MeasureSpec spec;
    spec.kind = model::MeasureKind::scale_heights;
    spec.offset = floor_at;
    return spec;
}

/// Three materials of masses 1, 3 and 10 at one temperature.
struct Atmosphere {
    model::System system;
    base::Random random{29, 0};
    double kt;  // J

    explicit Atmosphere(double temperature, int grains_each = 200) : kt(temperature) {
        system.gravity = {0, 0, -g};
        for (const char* name : {"light", "medium", "heavy"}) {
            system.materials.list.push_back({name});
        }
        for (int i = 0; i < 3 * grains_each; ++i) {
            add(i % 3, i % 3 == 0 ? 1 : (i % 3 == 1 ? 3 : 10));
        }
    }
    void add(std::int32_t material, double mass) {
        system.bodies.add_sphere(static_cast<std::int64_t>(system.bodies.size()), {}, radius, 1, material);
        system.bodies.mass.back() = mass;
    }
    Snapshot at(double time) {
        model::Bodies& b = system.bodies;
        for (std::size_t i = 0; i < b.size(); ++i) {
            const double h = kt / (b.mass[i] * g);
            b.position[i] = {random.uniform(), random.uniform(), floor_at + radius + h * exponential(random)};
            b.velocity[i] = normal_vector(random) * std::sqrt(kt / b.mass[i]);
        }
        return {system, {}, time};
    }
};

TEST(ScaleHeights, OfADrawnAtmosphere) {
    const double kt = 4.5;
    Atmosphere atmosphere(kt);
    ScaleHeights measure(spec_of_heights(), atmosphere.system);
    const int samples = 200;
    for (int k = 0; k < samples; ++k) {
        measure.sample(atmosphere.at(k));
    }
    const std::vector<SummaryValue> summary = measure.summary();
    EXPECT_NEAR(find(summary, "scale_heights.kT").value, kt, 0.01 * kt);
    for (const auto& [name, mass] : {std::pair{"light", 1.0}, {"medium", 3.0}, {"heavy", 10.0}}) {
        const std::string prefix = std::string("scale_heights.") + name;
        const double h = kt / (mass * g);
        const SummaryValue height = find(summary, prefix + ".height");
        const double error = h / std::sqrt(200.0 * samples);  // an exponential deviates by its mean
        EXPECT_NEAR(height.value, h, 4 * error);
        EXPECT_NEAR(*height.error, error, 0.4 * error);
        EXPECT_NEAR(find(summary, prefix + ".expected").value, h, 0.01 * h);
        EXPECT_NEAR(find(summary, prefix + ".ratio").value, 1, 0.02);
        EXPECT_EQ(find(summary, prefix + ".mass").value, mass);
        // Uniform but for the normalization, which only brings the two curves nearer; the own mean more so.
        const double against_expected = find(summary, prefix + ".ks_expected").value;
        EXPECT_GT(against_expected, 0.43);
        EXPECT_LT(against_expected, 0.65);
        EXPECT_GT(find(summary, prefix + ".ks").value, against_expected);
        EXPECT_NEAR(find(summary, prefix + ".ks_deviation").value, 0.27, 0.08);
    }
    EXPECT_EQ(measure.text().rfind("scale_heights: light (1 kg) 1.8", 0), 0U) << measure.text();
}

TEST(ScaleHeights, EnergyCountsFromTheFloorToTheBottom) {
    Atmosphere atmosphere(1, 0);
    for (const double height : {1.0, 3.0}) {
        atmosphere.add(1, 2);
        atmosphere.system.bodies.position.back() = {0, 0, floor_at + radius + height};
        atmosphere.system.bodies.velocity.back() = {0, 2, 0};
    }
    ScaleHeights measure(spec_of_heights(), atmosphere.system);
    measure.sample({atmosphere.system, {}, 0});
    const double energy = 0.5 * 2 * 4 + 2 * g * 2;
    ASSERT_EQ(measure.columns().size(), 5U);
    EXPECT_EQ(measure.columns()[1].name, "scale_heights.medium.height");
    EXPECT_NEAR(measure.values()[0], 0.4 * energy, 1e-12);
    EXPECT_NEAR(measure.values()[1], 2, 1e-12);
    EXPECT_NEAR(measure.values()[2], 0.4 * energy / (2 * g), 1e-12);
}

TEST(ScaleHeights, HeldGrainsAndOtherDirectionsOfUp) {
    Atmosphere atmosphere(1, 0);
    atmosphere.system.gravity = {-g, 0, 0};
    atmosphere.add(0, 1);
    atmosphere.system.bodies.position.back() = {floor_at + radius + 4, 0, 0};
    atmosphere.add(2, 1e6);
    atmosphere.system.bodies.flags.back() = model::position_held;
    model::MeasureSpec spec = spec_of_heights();
    spec.axis = {1, 0, 0};
    ScaleHeights measure(spec, atmosphere.system);
    measure.sample({atmosphere.system, {}, 0});
    ASSERT_EQ(measure.columns().size(), 5U) << "held grains make no class";
    EXPECT_NEAR(measure.values()[0], 0.4 * g * 4, 1e-12);
    EXPECT_NEAR(measure.values()[1], 4, 1e-12);
}

TEST(ScaleHeights, TellsWrongDistributions) {
    Atmosphere atmosphere(2);
    ScaleHeights measure(spec_of_heights(), atmosphere.system);
    atmosphere.at(0);
    for (math::Vec3d& x : atmosphere.system.bodies.position) {
        x.z = floor_at + radius + atmosphere.random.uniform();
    }
    measure.sample({atmosphere.system, {}, 0});
    EXPECT_LT(measure.values()[3], 1e-3);
}

TEST(ScaleHeights, SamplesBeforeTheTimeAreShownOnly) {
    Atmosphere atmosphere(2);
    model::MeasureSpec spec = spec_of_heights();
    spec.after = 0.3;
    ScaleHeights measure(spec, atmosphere.system);
    measure.sample(atmosphere.at(0.2));
    EXPECT_GT(measure.values()[1], 0);
    EXPECT_EQ(measure.text(), "scale_heights: nothing to measure");
    measure.sample(atmosphere.at(0.1 * 3));
    measure.sample(atmosphere.at(0.4));
    EXPECT_EQ(measure.summary().front().samples, 2);
}

TEST(ScaleHeights, MassesOfOneMaterialAreNumbered) {
    Atmosphere atmosphere(2, 0);
    for (const double mass : {5.0, 1.0, 5.0 * (1 + 1e-12), 2.0}) {
        atmosphere.add(1, mass);
    }
    atmosphere.add(2, 5);
    const MassClasses classes = mass_classes(atmosphere.system);
    ASSERT_EQ(classes.list.size(), 4U);
    EXPECT_EQ(classes.label(0), "medium_1");
    EXPECT_EQ(classes.label(2), "medium_3");
    EXPECT_EQ(classes.list[2].mass, 5);
    EXPECT_EQ(classes.label(3), "heavy");
    for (int k = 0; k < 30; ++k) {
        atmosphere.add(0, 1 + k);
    }
    EXPECT_THROW(ScaleHeights(spec_of_heights(), atmosphere.system), base::InputError);
}

TEST(ScaleHeights, AClassThatHasGoneKeepsItsColumnsWhenResumed) {
    Atmosphere atmosphere(2, 20);
    ScaleHeights first(spec_of_heights(), atmosphere.system);
    first.sample(atmosphere.at(0));
    std::vector<char> keep;
    for (const std::int32_t material : atmosphere.system.bodies.material) {
        keep.push_back(material != 1 ? 1 : 0);
    }
    atmosphere.system.bodies.compact(keep);
    ScaleHeights second(spec_of_heights(), atmosphere.system);
    second.load(first.save());
    const Snapshot snapshot = atmosphere.at(1);
    first.sample(snapshot);
    second.sample(snapshot);
    ASSERT_EQ(second.columns().size(), 13U);
    EXPECT_EQ(second.columns()[5].name, "scale_heights.medium.height");
    EXPECT_TRUE(std::isnan(second.values()[5]));
    EXPECT_EQ(first.values()[9], second.values()[9]);
    EXPECT_EQ(first.text(), second.text());
}

}  // namespace
}  // namespace talus::analysis
