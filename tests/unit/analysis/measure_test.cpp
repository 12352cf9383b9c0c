// The common interface: when samples are taken, averages with errors, exact resumption of every kind, text.
#include "talus/analysis/measure.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "talus/analysis/report.h"
#include "talus/base/random.h"

namespace talus::analysis {
namespace {

using model::MeasureKind;

constexpr std::array all_kinds = {MeasureKind::discharge,
                                  MeasureKind::coordination,
                                  MeasureKind::packing,
                                  MeasureKind::height,
                                  MeasureKind::center_of_mass,
                                  MeasureKind::stress,
                                  MeasureKind::profile,
                                  MeasureKind::energies,
                                  MeasureKind::scale_heights,
                                  MeasureKind::surface_slope,
                                  MeasureKind::velocity_distribution,
                                  MeasureKind::displacement};

model::MeasureSpec spec_of(MeasureKind kind) {
    model::MeasureSpec spec;
    spec.kind = kind;
    spec.region.parts = {model::Box{{-1, -1, -1}, {1, 1, 1}}};
    spec.grid.along = {{-1, 1, 5}};
    return spec;
}

/// Grains that dance at random, with a random contact.
struct Dance {
    model::System system;
    std::vector<model::ContactSample> contacts;
    base::Random random{17, 0};

    Dance() {
        system.gravity = {0, 0, -10};
        for (int i = 0; i < 20; ++i) {
            system.bodies.add_sphere(i, {}, 0.1, 1000, 0);
        }
        contacts.resize(1);
        contacts[0].a = 2;
        contacts[0].b = 7;
    }
    math::Vec3d vector() { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }
    Snapshot at(double time) {
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            system.bodies.position[i] = vector();
            system.bodies.velocity[i] = vector();
        }
        contacts[0].force = vector();
        contacts[0].point = vector();
        system.ledger.stored = {random.uniform(), random.uniform()};
        return {system, contacts, time};
    }
};

/// Bits compare NaN with itself as equal.
std::vector<std::uint64_t> bits_of(const State& state) {
    std::vector<std::uint64_t> bits;
    for (const double x : state) {
        bits.push_back(std::bit_cast<std::uint64_t>(x));
    }
    return bits;
}

TEST(Measure, EveryKindIsMadeNamedAndResumesExactly) {
    for (const MeasureKind kind : all_kinds) {
        const model::MeasureSpec spec = spec_of(kind);
        Dance dance;
        const std::unique_ptr<Measure> whole = make_measure(spec, dance.system);
        const std::unique_ptr<Measure> first = make_measure(spec, dance.system);
        const std::unique_ptr<Measure> second = make_measure(spec, dance.system);
        EXPECT_EQ(whole->name(), kind_name(kind));
        EXPECT_EQ(whole->values().size(), whole->columns().size());
        for (int k = 0; k < 50; ++k) {
            const Snapshot snapshot = dance.at(0.1 * k);
            whole->offer(snapshot, "");
            (k < 23 ? first : second)->offer(snapshot, "");
            if (k == 22) {
                second->load(first->save());
            }
        }
        EXPECT_EQ(whole->values().size(), whole->columns().size()) << kind_name(kind);
        EXPECT_EQ(bits_of(whole->save()), bits_of(second->save())) << kind_name(kind);
        EXPECT_EQ(whole->text(), second->text());
        EXPECT_EQ(whole->text().rfind(kind_name(kind), 0), 0U) << whole->text();
        for (const SummaryValue& value : whole->summary()) {
            EXPECT_EQ(value.name.rfind(kind_name(kind), 0), 0U) << value.name;
        }
    }
}

TEST(Measure, EveryKindOfGridResumesExactly) {
    using Kind = model::ProfileGrid::Kind;
    for (const Kind kind : {Kind::boxes, Kind::rings}) {
        model::MeasureSpec spec = spec_of(MeasureKind::profile);
        spec.grid.kind = kind;
        spec.grid.along = {{0, 1, 3}, {-1, 1, 2}};
        if (kind == Kind::boxes) {
            spec.grid.along.push_back({-1, 1, 4});
        } else {
            spec.region = {};
        }
        Dance dance;
        const std::unique_ptr<Measure> whole = make_measure(spec, dance.system);
        const std::unique_ptr<Measure> first = make_measure(spec, dance.system);
        const std::unique_ptr<Measure> second = make_measure(spec, dance.system);
        for (int k = 0; k < 30; ++k) {
            const Snapshot snapshot = dance.at(0.1 * k);
            whole->offer(snapshot, "");
            (k < 13 ? first : second)->offer(snapshot, "");
            if (k == 12) {
                second->load(first->save());
            }
        }
        EXPECT_EQ(bits_of(whole->save()), bits_of(second->save()));
        EXPECT_EQ(whole->tables().at(0).csv(), second->tables().at(0).csv());
    }
}

TEST(Measure, SamplesOnceAnInterval) {
    model::MeasureSpec spec = spec_of(MeasureKind::height);
    spec.interval = 0.1;
    spec.start = 0.5;
    Dance dance;
    const std::unique_ptr<Measure> measure = make_measure(spec, dance.system);
    std::vector<int> taken;
    for (int k = 0; k <= 100; ++k) {
        if (measure->offer(dance.at(0.01 * k), "any")) {  // 0.01 k is not exact: 0.1 steps must be hit all the same
            taken.push_back(k);
        }
    }
    EXPECT_EQ(taken, (std::vector<int>{50, 60, 70, 80, 90, 100}));
}

TEST(Measure, SamplesOnlyInItsStageAndNeverTwiceAtOneTime) {
    model::MeasureSpec spec = spec_of(MeasureKind::height);
    spec.stage = "discharge";
    Dance dance;
    const std::unique_ptr<Measure> measure = make_measure(spec, dance.system);
    EXPECT_FALSE(measure->offer(dance.at(1), "fill"));
    EXPECT_TRUE(measure->offer(dance.at(2), "discharge"));
    EXPECT_FALSE(measure->offer(dance.at(2), "discharge"));
    EXPECT_TRUE(measure->offer(dance.at(2.5), "discharge"));
    EXPECT_EQ(measure->summary().front().samples, 2);
}

TEST(Measure, AveragesCarryTheirErrors) {
    Dance dance;
    const std::unique_ptr<Measure> measure = make_measure(spec_of(MeasureKind::center_of_mass), dance.system);
    const int samples = 4000;
    for (int k = 0; k < samples; ++k) {
        measure->sample(dance.at(k));
    }
    // The mean of 20 uniform numbers in [-1, 1], over independent samples.
    const SummaryValue x = measure->summary().front();
    EXPECT_EQ(x.samples, samples);
    const double expected = std::sqrt(1.0 / 3 / 20 / samples);
    EXPECT_NEAR(*x.error, expected, 0.3 * expected);
    EXPECT_LT(std::abs(x.value), 4 * expected);
}

TEST(Measure, InstantsWithoutGrainsDoNotCount) {
    Dance dance;
    const std::unique_ptr<Measure> measure = make_measure(spec_of(MeasureKind::height), dance.system);
    measure->sample(dance.at(0));
    model::System empty;
    measure->sample({empty, {}, 1});
    EXPECT_TRUE(std::isnan(measure->values().at(0)));
    EXPECT_EQ(measure->summary().front().samples, 1);
    const std::unique_ptr<Measure> never = make_measure(spec_of(MeasureKind::height), dance.system);
    EXPECT_EQ(never->text(), "height: nothing to measure");
}

TEST(Measure, PackingWithoutBoundsIsRefused) {
    model::MeasureSpec spec;
    spec.kind = MeasureKind::packing;
    EXPECT_THROW(make_measure(spec, model::System{}), base::InputError);
    model::System bounded;
    bounded.domain.low = {0, 0, 0};
    bounded.domain.high = {1, 1, 1};
    EXPECT_NO_THROW(make_measure(spec, bounded));
}

TEST(Measure, StressOfTwoPressedGrains) {
    model::System system;
    system.bodies.add_sphere(0, {-0.45, 0, 0}, 0.5, 1000, 0);
    system.bodies.add_sphere(1, {0.45, 0, 0}, 0.5, 1000, 0);
    model::ContactSample c;
    c.a = 0;
    c.b = 1;
    c.force = {-10, 0, 0};
    const std::vector<model::ContactSample> contacts = {c};
    const std::unique_ptr<Measure> in_box = make_measure(spec_of(MeasureKind::stress), system);
    in_box->sample({system, contacts, 0});
    EXPECT_EQ(in_box->columns().at(2).name, "stress.xx");
    EXPECT_DOUBLE_EQ(in_box->values().at(2), 10 * 0.9 / 8);
    EXPECT_DOUBLE_EQ(in_box->values().at(0), 10 * 0.9 / 8 / 3);
    // Without a region the grains' own volume is taken.
    model::MeasureSpec everywhere;
    everywhere.kind = MeasureKind::stress;
    const std::unique_ptr<Measure> own = make_measure(everywhere, system);
    own->sample({system, contacts, 0});
    EXPECT_DOUBLE_EQ(own->values().at(2), 10 * 0.9 / (2 * std::numbers::pi / 6));
}

TEST(Measure, EnergiesAreThoseOfTheLedger) {
    Dance dance;
    const Snapshot snapshot = dance.at(0);
    const std::unique_ptr<Measure> measure = make_measure(spec_of(MeasureKind::energies), dance.system);
    measure->sample(snapshot);
    const Energies e = measure_energies(dance.system);
    EXPECT_EQ(measure->columns().at(1).name, "energies.translational");
    EXPECT_EQ(measure->values().at(1), e.translational);
    EXPECT_EQ(measure->columns().at(3).name, "energies.stored_normal");
    EXPECT_EQ(measure->values().at(3), dance.system.ledger.stored.normal);
    EXPECT_EQ(measure->values().at(4), dance.system.ledger.stored.tangential);
    EXPECT_GT(measure->values().at(4), 0);
}

TEST(Table, CsvHasUnitsAndAllDigits) {
    const Table table{"t", {{"x", "m"}, {"n", ""}}, {{0.1, 2}, {1e-9, std::nan("")}}};
    EXPECT_EQ(table.csv(), "x [m],n\n0.1,2\n1e-09,\n");
}

TEST(Report, NumbersWithErrors) {
    EXPECT_EQ(with_error(13.5678, 0.0523, "kg/s"), "13.57 ± 0.05 kg/s");
    EXPECT_EQ(with_error(13.5678, 0.0123, "kg/s"), "13.568 ± 0.012 kg/s");
    EXPECT_EQ(with_error(3239.4, 12.2, "1/s"), "3239 ± 12 1/s");
    EXPECT_EQ(with_error(-0.25, 0.5, ""), "-0.2 ± 0.5");
    EXPECT_EQ(with_error(4.2e-7, 3.1e-9, "J"), "(4.20 ± 0.03)e-7 J");
    EXPECT_EQ(with_error(0.6123, {}, ""), "0.6123");
    EXPECT_EQ(with_error(0.6123, 0.0, "m"), "0.6123 m");
}

TEST(Report, OneLineAMeasure) {
    std::vector<std::unique_ptr<Measure>> measures;
    measures.push_back(make_measure(spec_of(MeasureKind::packing), model::System{}));
    measures.push_back(make_measure(spec_of(MeasureKind::discharge), model::System{}));
    EXPECT_EQ(report(measures).size(), 2U);
    EXPECT_EQ(report(EnergyBalance{2e-3, 4}), "energy ledger: closes to 5.0e-04 of the largest entry (4 J)");
}

}  // namespace
}  // namespace talus::analysis
