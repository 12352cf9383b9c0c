// The registry: laws by name, parameters checked and turned into the law's own, times and depths by closed forms.
#include "talus/laws/registry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "talus/laws/collision.h"
#include "talus/laws/visit.h"

namespace talus::tests {
namespace {

const laws::LawInfo& law(const char* name) {
    return laws::registry()[static_cast<std::size_t>(laws::find_law(name))];
}

std::vector<laws::ParameterFault> faults_of(const char* name, const laws::ParameterValues& values) {
    std::vector<laws::ParameterFault> faults;
    law(name).derive(values, faults);
    return faults;
}

TEST(Registry, NamesFollowTheOrderOfTheTypes) {
    ASSERT_EQ(laws::registry().size(), laws::law_count);
    EXPECT_EQ(laws::find_law("hooke"), 0);
    EXPECT_EQ(laws::find_law("hertz"), 1);
    EXPECT_EQ(laws::find_law("hook"), -1);
    std::set<std::string> names;
    for (std::size_t i = 0; i < laws::law_count; ++i) {
        const laws::LawInfo& info = laws::registry()[i];
        laws::visit(static_cast<int>(i),
                    [&](auto kind) { EXPECT_EQ(info.history_size, decltype(kind)::history_size); });
        EXPECT_FALSE(info.summary.empty());
        EXPECT_FALSE(info.formula.empty());
        names.insert(info.name);
        std::set<std::string> keys;
        for (const laws::ParameterInfo& p : info.parameters) {
            EXPECT_FALSE(p.doc.empty()) << p.key;
            EXPECT_LT(p.low, p.high) << p.key;
            EXPECT_TRUE(keys.insert(p.key).second) << p.key;
        }
    }
    EXPECT_EQ(names.size(), laws::law_count);
}

TEST(Registry, PackedLawsComeFirstAndHaveGeneralForms) {
    for (std::size_t i = 0; i < laws::law_count; ++i) {
        const laws::LawInfo& info = laws::registry()[i];
        EXPECT_EQ(info.packed, i < laws::packed_law_count) << info.name;
        EXPECT_EQ(info.general.empty(), !info.packed) << info.name;
        if (info.packed) {
            EXPECT_EQ(law(info.general.c_str()).variant_of, info.name);
        }
    }
    const int hooke = laws::find_law("hooke");
    EXPECT_EQ(laws::form_of(hooke, {{"kn", 1e4}, {"friction.rolling", 0.1}}), hooke);
    EXPECT_EQ(laws::form_of(hooke, {{"kn", 1e4}, {"cohesion.force", 0.1}}), laws::find_law("hooke+"));
    EXPECT_EQ(laws::form_of(hooke, {{"kn", 1e4}, {"rolling.stiffness", 0.1}}), laws::find_law("hooke+"));
    const int mindlin = laws::find_law("mindlin");
    EXPECT_EQ(laws::form_of(mindlin, {{"cohesion.force", 0.1}}), mindlin);
}

TEST(Registry, FaultsNameTheKey) {
    struct Row {
        const char* law;
        laws::ParameterValues values;
        const char* key;
    };
    const Row rows[] = {
        {"hooke", {{"restitution", 0.5}}, "kn"},
        {"hooke", {{"kn", 0.0}, {"restitution", 0.5}}, "kn"},
        {"hooke", {{"kn", 1e4}}, "restitution"},
        {"hooke", {{"kn", 1e4}, {"restitution", 0.5}, {"cn", 1.0}}, "cn"},
        {"hooke",
         {{"kn", 1e4}, {"kt", 2e4 / 7}, {"restitution", 1.0}, {"ct", 1.0}, {"tangential_restitution", -0.5}},
         "ct"},
        {"hertz", {{"restitution", 0.5}, {"poisson", 0.3}}, "young"},
        {"hertz", {{"young", 1e7}, {"poisson", 0.3}}, "restitution"},
        {"poly", {{"restitution", 0.5}}, "young"},
        {"poly", {{"young", 1e7}}, "restitution"},
        {"solver_basic", {{"young", 0.0}}, "young"},
        {"solver_object", {{"young", 1e7}, {"t_q", 0.0}}, "t_q"},
        {"mindlin", {{"restitution", 0.5}}, "young"},
        {"mindlin", {{"young", 1e7}, {"restitution", 0.5}, {"rolling.friction", 0.1}}, "rolling.stiffness"},
        {"mindlin", {{"young", 1e7}, {"restitution", 0.5}, {"rolling.stiffness", 0.1}}, "rolling.friction"},
        {"mindlin",
         {{"young", 1e7},
          {"restitution", 0.5},
          {"rolling.stiffness", 0.1},
          {"rolling.friction", 0.1},
          {"friction.rolling", 0.1}},
         "friction.rolling"},
        {"mindlin",
         {{"young", 1e7},
          {"restitution", 0.5},
          {"cohesion.force", 1.0},
          {"cohesion.surface_tension", 0.07},
          {"cohesion.volume", 1e-9}},
         "cohesion.force"},
        {"hooke+", {{"kn", 1e4}, {"restitution", 0.5}, {"cohesion.surface_tension", 0.07}}, "cohesion.volume"},
        {"hertz+", {{"young", 1e7}, {"restitution", 0.5}, {"cohesion.volume", 1e-9}}, "cohesion.surface_tension"},
        {"jkr", {{"young", 1e7}, {"restitution", 0.5}}, "work_of_adhesion"},
    };
    for (const Row& row : rows) {
        const auto faults = faults_of(row.law, row.values);
        ASSERT_FALSE(faults.empty()) << row.law << " " << row.key;
        EXPECT_EQ(faults[0].key, row.key);
        EXPECT_FALSE(faults[0].message.empty());
        EXPECT_FALSE(faults[0].expected.empty());
    }
    EXPECT_TRUE(faults_of("hooke", {{"kn", 1e4}, {"restitution", 0.5}}).empty());
    EXPECT_TRUE(faults_of("hooke", {{"kn", 1e4}, {"cn", 0.5}}).empty());
    EXPECT_TRUE(faults_of("hertz", {{"young", 1e7}, {"poisson", 0.3}, {"restitution", 0.5}}).empty());
}

TEST(Registry, HookeTimesAndDepths) {
    std::vector<laws::ParameterFault> faults;
    const double mass = 0.002;
    for (const double e : {1.0, 0.5, 0.2}) {
        const auto block = law("hooke").derive({{"kn", 8e4}, {"restitution", e}}, faults);
        const double ratio = laws::damping_ratio(e);
        const double expected = std::numbers::pi * std::sqrt(mass / (8e4 * (1 - ratio * ratio)));
        EXPECT_NEAR(law("hooke").collision_time(block, mass, 0.005, 1), expected, 1e-12);
        EXPECT_NEAR(laws::suggested_step(law("hooke"), block, mass, 0.005, 1), expected / 50, 1e-13);
        EXPECT_NEAR(law("hooke").largest_overlap(block, mass, 0.005, 3), 3 * std::sqrt(mass / 8e4), 1e-15);
        EXPECT_NEAR(law("hooke").overlap_under(block, 0.005, 16), 2e-4, 1e-16);
    }
    // cn alone gives the same damping as the restitution it stands for.
    const double cn = 2 * laws::damping_ratio(0.5) * std::sqrt(8e4 * mass);
    const auto by_cn = law("hooke").derive({{"kn", 8e4}, {"cn", cn}}, faults);
    const auto by_e = law("hooke").derive({{"kn", 8e4}, {"restitution", 0.5}}, faults);
    EXPECT_NEAR(law("hooke").collision_time(by_cn, mass, 0.005, 1), law("hooke").collision_time(by_e, mass, 0.005, 1),
                1e-12);
    EXPECT_TRUE(faults.empty());
}

TEST(Registry, HertzTimesAndDepths) {
    std::vector<laws::ParameterFault> faults;
    const auto block = law("hertz").derive({{"young", 1e8}, {"poisson", 0.25}, {"restitution", 1.0}}, faults);
    ASSERT_TRUE(faults.empty());
    const double modulus = 1e8 / (2 * (1 - 0.0625));
    const double k = 4.0 / 3.0 * modulus * std::sqrt(0.005);
    for (const double speed : {1e-3, 0.5, 20.0}) {
        const double deepest = std::pow(1.25 * 0.002 * speed * speed / k, 0.4);
        EXPECT_NEAR(law("hertz").largest_overlap(block, 0.002, 0.005, speed) / deepest, 1, 1e-10);
        EXPECT_NEAR(law("hertz").collision_time(block, 0.002, 0.005, speed) / (2.943275 * deepest / speed), 1, 1e-6);
    }
    for (const double force : {1e-6, 1.0, 1e4}) {
        EXPECT_NEAR(law("hertz").overlap_under(block, 0.005, force) / std::pow(force / k, 2.0 / 3.0), 1, 1e-10);
    }
}

}  // namespace
}  // namespace talus::tests
