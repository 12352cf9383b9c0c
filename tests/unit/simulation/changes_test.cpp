#include "talus/simulation/changes.h"

#include <gtest/gtest.h>

#include "small_hopper.h"
#include "talus/base/diagnostics.h"
#include "talus/laws/friction.h"
#include "talus/model/motion.h"

namespace talus::simulation {
namespace {

using math::Vec3d;

class Changes : public ::testing::Test {
protected:
    Changes() : system_(tests::small_hopper(8, 0.01, 0.01).system) {}
    model::System system_;
};

TEST_F(Changes, GravityIsSet) {
    const model::Action action = change_action({{"gravity", {1, 2, 3}}}, system_);
    EXPECT_EQ(std::get<model::SetGravity>(action).gravity, (Vec3d{1, 2, 3}));
}

TEST_F(Changes, AWallTurnsAboutItsOwnAxisOrTheOneItHas) {
    const Json what = {{"wall", "barrel"}, {"spin", 2.0}};
    auto motion = std::get<model::SetMotion>(change_action(what, system_)).motion;
    ASSERT_EQ(motion.spins.size(), 1U);
    EXPECT_TRUE(motion.translations.empty());
    EXPECT_EQ(motion.spins[0].axis, (Vec3d{0, 0, 1}));
    EXPECT_EQ(motion.spins[0].rate, 2.0);
    // A wall that is carried along turns about the line as it is by now.
    system_.walls[0].motion.translations.push_back({{1, 0, 0}, 0});
    system_.walls[0].motion.spins.push_back({{0, 1, 0}, {0.5, 0, 0}, 7, 0});
    system_.clock.step = 0.5;
    system_.clock.steps = 4;
    motion = std::get<model::SetMotion>(change_action(what, system_)).motion;
    EXPECT_EQ(motion.spins[0].axis, (Vec3d{0, 1, 0}));
    EXPECT_EQ(motion.spins[0].through, (Vec3d{2.5, 0, 0}));
    EXPECT_EQ(motion.spins[0].rate, 2.0);
}

TEST_F(Changes, FrictionIsSetForForcesAndForImpacts) {
    const Json what = {{"between", {"grain", "steel"}}, {"friction", 0.75}};
    const auto action = std::get<model::SetContact>(change_action(what, system_));
    const model::PairLaw& before = system_.materials.between(0, 1);
    EXPECT_EQ(laws::friction_of(before.law, before.parameters), 0.3);
    EXPECT_EQ(laws::friction_of(action.law.law, action.law.parameters), 0.75);
    EXPECT_EQ(action.law.impact.friction, 0.75);
    EXPECT_EQ(action.law.impact.restitution, before.impact.restitution);
    int differences = 0;
    for (std::size_t i = 0; i < before.parameters.value.size(); ++i) {
        differences += before.parameters.value[i] != action.law.parameters.value[i] ? 1 : 0;
    }
    EXPECT_EQ(differences, 1);
}

TEST_F(Changes, NonsenseIsRefused) {
    for (const char* text :
         {"null", "{}", "[]", R"({"gravity": 1})", R"({"gravity": [1, 2]})", R"({"gravity": [1, 2, "x"]})",
          R"({"gravity": [0, 0, 1e300]})", R"({"wall": "nowhere"})", R"({"wall": 7})",
          R"({"wall": "barrel", "spin": "fast"})", R"({"wall": "barrel", "velocity": [1]})", R"({"friction": 1})",
          R"({"between": ["grain"], "friction": 1})", R"({"between": ["grain", "gold"], "friction": 1})",
          R"({"between": ["grain", "steel"], "friction": -1})"}) {
        EXPECT_THROW(change_action(Json::parse(text), system_), base::InputError) << text;
    }
}

TEST_F(Changes, InThePlaneNothingLeadsOutOfIt) {
    system_.domain.dimensions = 2;
    EXPECT_THROW(change_action({{"gravity", {0, 0, -1}}}, system_), base::InputError);
    EXPECT_NO_THROW(change_action({{"gravity", {0, -1, 0}}}, system_));
    EXPECT_THROW(change_action({{"wall", "barrel"}, {"velocity", {0, 0, 1}}}, system_), base::InputError);
}

TEST_F(Changes, WhatCanBeChangedIsOfferedWithItsValue) {
    const Json offered = changeable(system_);
    EXPECT_EQ(offered.at("gravity").at(2), system_.gravity.z);
    EXPECT_EQ(offered.at("walls").size(), 3U);
    ASSERT_EQ(offered.at("contacts").size(), 2U);  // nothing was said of steel on steel
    EXPECT_EQ(offered.at("contacts").at(0).at("friction"), 0.3);
}

TEST_F(Changes, AreToldInWords) {
    EXPECT_EQ(change_text({{"gravity", {0, 0, -1}}}), "gravity set to [0,0,-1] m/s2");
    EXPECT_EQ(change_text({{"between", {"a", "b"}}, {"friction", 0.5}}), "friction between \"a\" and \"b\" set to 0.5");
}

}  // namespace
}  // namespace talus::simulation
