// Constant cohesion and liquid bridges: closed forms, hysteresis, and grains that stick.
#include "talus/laws/cohesion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "laws/collision_run.h"

namespace talus::tests {
namespace {

using laws::Cohesion;
using std::numbers::pi;
using Law = laws::ExtendedLaw<laws::Hooke>;

constexpr double tension = 0.07;
constexpr double volume = 2e-9;
constexpr double angle = 0.4;

DerivedLaw bridged() {
    return derived({"hooke",
                    {{"kn", 1e4},
                     {"restitution", 1},
                     {"cohesion.surface_tension", tension},
                     {"cohesion.volume", volume},
                     {"cohesion.contact_angle", angle}}});
}

TEST(Cohesion, AConstantForceActsWhileGrainsTouch) {
    const auto law = derived({"hooke", {{"kn", 1e4}, {"restitution", 1}, {"cohesion.force", 0.5}}});
    EXPECT_EQ(law.info().name, "hooke+");
    const auto p = law.block.as<Law::Params>();
    EXPECT_NEAR(Law::respond(head_on(1e-4), p, {}, 1e-9, 1e-9).force.x, 0.5 - 1, 1e-12);
    EXPECT_NEAR(law.info().overlap_under(law.block, 0.005, 0), 0.5e-4, 1e-12);
    EXPECT_EQ(Law::range(p, 0.01, 0.01), 0);
    // It does as much work on the way in as on the way out.
    const double h = law.info().collision_time(law.block, 0.002, 0.005, 1) / 1000;
    EXPECT_NEAR(parting_speed(collide(law, meeting(1, h), h)), 1, 1e-3);
}

TEST(Cohesion, ABridgeIsRabinovichs) {
    const auto p = bridged().block.as<Law::Params>().cohesion;
    for (const double gap : {0.0, 1e-5, 2e-4, 1e-3}) {
        const double r = 0.01;  // the radius of two equal spheres
        const double cap = gap / 2 * (-1 + std::sqrt(1 + 2 * volume / (pi * r * gap * gap)));
        const double expected = 2 * pi * r * tension * std::cos(angle) / (gap > 0 ? 1 + gap / (2 * cap) : 1.0);
        EXPECT_NEAR(Cohesion::pull(head_on(-gap), p) / expected, 1, 1e-9) << gap;
    }
    EXPECT_NEAR(p.rupture / ((1 + angle / 2) * std::cbrt(volume)), 1, 1e-14);
    EXPECT_EQ(Cohesion::pull(head_on(-p.rupture), p), 0);
    // At a flat wall the reduced radius is the grain's: twice the force.
    auto wall = head_on(1e-6);
    wall.curvature = 100;
    EXPECT_NEAR(Cohesion::pull(wall, p) / Cohesion::pull(head_on(1e-6), p), 2, 1e-12);
}

TEST(Cohesion, WhatABridgeHoldsIsTheIntegralOfItsPull) {
    const auto p = bridged().block.as<Law::Params>().cohesion;
    constexpr int n = 20000;
    for (const double from : {-1e-4, 0.0, 3e-4}) {
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            sum += Cohesion::pull(head_on(-(from + (p.rupture - from) * (k + 0.5) / n)), p) * (p.rupture - from) / n;
        }
        EXPECT_NEAR(-Cohesion::stored(head_on(-from), p) / sum, 1, 1e-5);
    }
}

TEST(Cohesion, ABridgeFormsAtTouchAndHoldsUntilItBreaks) {
    const auto p = bridged().block.as<Law::Params>();
    Law::History<double> none{};
    Law::History<double> old{};
    old.age = 1e-3;
    old.tangential.spring = {0, 1e-6, 0};
    EXPECT_FALSE(Law::acts(head_on(-1e-4), p, none));
    EXPECT_TRUE(Law::acts(head_on(-1e-4), p, old));
    EXPECT_TRUE(Law::acts(head_on(-0.999 * p.cohesion.rupture), p, old));
    EXPECT_FALSE(Law::acts(head_on(-1.001 * p.cohesion.rupture), p, old));
    EXPECT_EQ(Law::range(p, 0.01, 0), p.cohesion.rupture);
    // Surfaces that have come apart do not rub.
    const auto r = Law::respond(head_on(-1e-4), p, old, 1e-6, 1e-6);
    EXPECT_GT(r.force.x, 0);
    EXPECT_EQ(r.couple, Vec3d{});
    EXPECT_EQ(r.history.tangential.spring, Vec3d{});
    EXPECT_GT(r.history.age, old.age);
}

TEST(Cohesion, GrainsNeedTheEnergyOfTheBridgeToPart) {
    const DerivedLaw law = bridged();
    const auto p = law.block.as<Law::Params>();
    const double needed = Cohesion::formed(head_on(0), p.cohesion);
    const double limit = std::sqrt(2 * needed / 0.002);
    for (const double part : {0.8, 1.2, 4.0}) {
        const double speed = part * limit;
        const double h = law.info().collision_time(law.block, 0.002, 0.005, speed) / 500;
        const Collision c = collide(law, meeting(speed, h), h, 400000);
        EXPECT_EQ(c.parted, part > 1) << part;
        if (c.parted) {
            EXPECT_NEAR(parting_speed(c) / speed, std::sqrt(1 - 1 / (part * part)), 0.01);
            EXPECT_GT(norm(c.last.j.position - c.last.i.position), 0.02 + p.cohesion.rupture);
            EXPECT_NEAR(c.lost / needed, 1, 0.02);
        }
    }
}

TEST(Cohesion, FrictionBearsTheLoadThatCohesionAdds) {
    const auto p = derived({"hooke",
                            {{"kn", 1e4},
                             {"kt", 1e4},
                             {"restitution", 1},
                             {"friction.static", 0.5},
                             {"slip_memory", 1},
                             {"cohesion.force", 1}}})
                       .block.as<Law::Params>();
    // In balance with its cohesion, nothing pulls from outside and the contact still rubs.
    auto contact = head_on(1e-4);
    contact.slip = {0, 1, 0};
    Law::History<double> history{};
    for (int k = 0; k < 1000; ++k) {
        history = Law::respond(contact, p, history, 1e-6, 1e-6).history;
    }
    const auto r = Law::respond(contact, p, history, 1e-6, 1e-6);
    EXPECT_NEAR(r.force.x, 0, 1e-12);
    EXPECT_NEAR(r.force.y, 0.5, 1e-9);
}

}  // namespace
}  // namespace talus::tests
