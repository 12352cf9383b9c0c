// What a stage does on entry, told from the motion of the grains, and the energy ledger that stays closed through it.
#include "talus/simulation/actions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "staged_scene.h"
#include "talus/base/diagnostics.h"

namespace talus::simulation {
namespace {

using math::Vec3d;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double radius = 0.01;
constexpr double mass = 4.0 / 3.0 * 3.14159265358979323846 * 1e-6 * 1000;  // kg

/// A stage `wait` of that length, then the stage `act` with these actions.
std::string wait_then(double wait, const std::string& actions, double then) {
    return fmt::format(
        "\n[[stages]]\nname = \"wait\"\nuntil = {{ duration = {} }}\n"
        "[[stages]]\nname = \"act\"\ndo = [ {} ]\nuntil = {{ duration = {} }}\n",
        wait, actions, then);
}

TEST(Actions, AddAWallThatCatchesGrains) {
    const StagedScene scene("0,0,0.2\n");
    Simulation simulation(
        scene.load(
            wait_then(0.05, R"({ add_wall = { name = "net", shape = { plane = {} }, material = "steel" } })", 3)),
        one_thread());
    run_to_stage(simulation, "act");
    EXPECT_EQ(simulation.system().walls.size(), 1U);
    run_to_end(simulation);
    // At rest where the spring carries the weight.
    EXPECT_NEAR(simulation.system().bodies.position[0].z, radius - mass * 10 / 2000, 1e-7);
    EXPECT_NEAR(simulation.system().walls[0].record.force.z, -mass * 10, 1e-3 * mass * 10);
}

TEST(Actions, TheMotionOfAnAddedWallCountsFromItsEntry) {
    const StagedScene scene("0,0,0.2\n");
    Simulation simulation(
        scene.load(wait_then(
            0.05,
            R"({ add_wall = { name = "lift", material = "steel", shape = { disk = { center = [0, 0, -1], radius = 1 } },)"
            R"( motion = [ { translate = { velocity = [0, 0, 2] } } ] } })",
            0.1)),
        one_thread());
    run_to_stage(simulation, "act");
    EXPECT_DOUBLE_EQ(simulation.system().walls[0].pose.position.z, -1);
    const double entered = simulation.time();
    run_to_end(simulation);
    EXPECT_NEAR(simulation.system().walls[0].pose.position.z, -1 + 2 * (simulation.time() - entered), 1e-12);
}

TEST(Actions, RemoveAWallThatCarriesAGrain) {
    const StagedScene scene("0,0,0.00997905604\n");  // already where the spring carries it
    Simulation simulation(scene.load(floor_wall + wait_then(0.05, R"({ remove_wall = "floor" })", 0.1)), one_thread());
    run_to_stage(simulation, "act");
    EXPECT_FALSE(simulation.system().walls[0].present);
    const double z = simulation.system().bodies.position[0].z;
    const double entered = simulation.time();
    run_to_end(simulation);
    // The wall pushes for half of the step in which it goes.
    const double t = simulation.time() - entered;
    const double g_step = 10 * simulation.system().clock.step;
    EXPECT_NEAR(simulation.system().bodies.velocity[0].z, -10 * t, 1.01 * g_step);
    EXPECT_NEAR(simulation.system().bodies.position[0].z, z - 5 * t * t, 1.01 * g_step * t);
}

TEST(Actions, ReplaceAWallByOneWithAHole) {
    const StagedScene scene("0,0,0.00997905604\n0.1,0,0.00997905604\n");
    Simulation simulation(scene.load(R"(
[[walls]]
name = "floor"
shape = { disk = { radius = 0.2 } }
material = "steel"
motion = [ { oscillate = { amplitude = [1e-6, 0, 0], frequency = 10 } } ]
)" + wait_then(0.05, R"({ replace_wall = "floor", shape = { disk = { hole = 0.03 } } })", 0.1)),
                          one_thread());
    run_to_end(simulation);
    const model::Wall& floor = simulation.system().walls.at(0);
    EXPECT_EQ(simulation.system().walls.size(), 1U);
    EXPECT_TRUE(floor.motion.at_rest());
    EXPECT_TRUE(floor.present);
    EXPECT_LT(simulation.system().bodies.position[0].z, -0.03) << "above the hole";
    EXPECT_NEAR(simulation.system().bodies.position[1].z, radius - mass * 10 / 2000, 1e-6) << "beside it";
}

TEST(Actions, GrainsThatStickToAReplacedWallAreNotCarriedAlong) {
    const StagedScene scene("0,0,0.02\n0.1,0,0.02\n");
    Simulation simulation(scene.load(R"(
[[walls]]
name = "floor"
shape = { disk = { radius = 0.2 } }
material = "steel"
behaviour = "sticky"
)" + wait_then(0.1, R"({ replace_wall = "floor", shape = { disk = { hole = 0.03, center = [0, 0, -1e-4] } } })", 0.1)),
                          one_thread());
    run_to_stage(simulation, "act");
    EXPECT_NEAR(simulation.system().bodies.position[1].z, radius, 1e-3);
    const double z = simulation.system().bodies.position[1].z;
    simulation.step();
    EXPECT_NEAR(simulation.system().bodies.position[1].z, z, 1e-6) << "it did not jump with the wall";
    run_to_end(simulation);
    EXPECT_LT(simulation.system().bodies.position[0].z, -0.03) << "above the hole it falls";
    EXPECT_EQ(simulation.system().bodies.stuck_to[1], 0) << "beside it, it sticks again";
    EXPECT_LT(std::abs(simulation.balance().relative()), 1e-3);
}

TEST(Actions, SetAWallInMotionFromWhereItIs) {
    const StagedScene scene("0,0,0.5\n");
    Simulation simulation(scene.load(R"(
[[walls]]
name = "plate"
shape = { rectangle = { corner = [0, 0, -1], edge1 = [1, 0, 0], edge2 = [0, 1, 0] } }
material = "steel"
motion = [ { translate = { velocity = [0.5, 0, 0] } }, { oscillate = { amplitude = [0, 0, 0.01], frequency = 7 } } ]
[[stages]]
name = "first"
until = { duration = 0.1 }
[[stages]]
name = "turn"
do = [ { set_motion = "plate", motion = [ { oscillate = { amplitude = [0, 0.02, 0], frequency = 3, phase = 1 } },
                                          { spin = { rate = 2, axis = [0, 0, 1], through = [0, 0, -1] } } ] } ]
until = { duration = 0.1 }
[[stages]]
name = "stop"
do = [ { set_motion = "plate", motion = [] } ]
until = { duration = 0.05 }
)"),
                          one_thread());
    const model::Wall& plate = simulation.system().walls[0];
    // No surface point may jump: the fastest moves at |v| + |w| r < 1.5 + 2 * 2 m/s.
    model::Pose before = plate.pose;
    while (!simulation.finished()) {
        simulation.step();
        const Vec3d corner = plate.pose.to_world({1, 1, 0}) - before.to_world({1, 1, 0});
        ASSERT_LT(norm(corner), 6 * simulation.system().clock.step) << "at t = " << simulation.time();
        before = plate.pose;
    }
    EXPECT_EQ(norm(plate.pose.velocity), 0);
    EXPECT_NEAR(plate.pose.rotation.column(0).x, std::cos(0.2), 1e-4) << "it stays as far turned as it was";
}

TEST(Actions, AWallSetSpinningTurnsAboutWhereItIs) {
    const StagedScene scene("0,0,5\n");
    Simulation simulation(scene.load(R"(
[[walls]]
name = "disk"
shape = { disk = { center = [0, 0, -1], radius = 0.3 } }
material = "steel"
motion = [ { translate = { velocity = [2, 0, 0] } }, { spin = { rate = 10, axis = [1, 0, 0] } } ]
)" + wait_then(0.1, R"({ set_motion = "disk", motion = [ { spin = { rate = 5 } } ] })", 0.2)),
                          one_thread());
    run_to_stage(simulation, "act");
    const model::Pose entered = simulation.system().walls[0].pose;
    EXPECT_NEAR(entered.position.x, 0.2, 1e-4);
    run_to_end(simulation);
    // About its own centre and its own normal, which the first motion has carried along and tilted.
    const model::Pose now = simulation.system().walls[0].pose;
    EXPECT_LT(norm(now.position - entered.position), 1e-15);
    EXPECT_LT(norm(now.rotation.column(2) - entered.rotation.column(2)), 1e-14);
    const double angle = 5 * (simulation.time() - simulation.system().stage.entered_at);
    EXPECT_LT(norm(now.spin - 5.0 * entered.rotation.column(2)), 1e-13);
    EXPECT_GT(norm(now.rotation.column(0) - entered.rotation.column(0)), 0.5 * angle);
}

TEST(Actions, RemoveGrainsByTheirCentreOrWhole) {
    // Lowest points at z - 1 cm: centre above 10 cm for the last three, all of it for the last one.
    const std::string grains = "0,0,0.05\n0,0,0.095\n0,0.05,0.1005\n0,0.1,0.105\n0,0,0.15\n";
    const StagedScene scene(grains);
    const auto left = [&](const std::string& action) {
        Simulation simulation(
            scene.load("\n[[stages]]\nname = \"shave\"\ndo = [ " + action + " ]\nuntil = { duration = 0.001 }\n"),
            one_thread());
        EXPECT_EQ(static_cast<std::size_t>(simulation.system().counters.removed_by_stage),
                  5 - simulation.system().bodies.size());
        EXPECT_THAT(simulation.take_messages().at(0), HasSubstr("removed"));
        return simulation.system().bodies.id;
    };
    EXPECT_THAT(left("{ remove_above = 0.1 }"), ElementsAre(0, 1));
    EXPECT_THAT(left("{ remove_above = 0.1, whole = true }"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(left("{ remove_below = { z = 0.1 } }"), ElementsAre(2, 3, 4));
    EXPECT_THAT(left("{ remove_below = 0.1, whole = true }"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(left("{ remove_inside = { ball = { center = [0, 0, 0.07], radius = 0.034 } } }"), ElementsAre(2, 3, 4));
    EXPECT_THAT(left("{ remove_inside = { ball = { center = [0, 0, 0.07], radius = 0.034 } }, whole = true }"),
                ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(left("{ remove_above = { z = 0.1, y = 0.04 } }"), ElementsAre(0, 1, 4)) << "all bounds must hold";
}

TEST(Actions, GravityActsFromTheInstantOn) {
    const StagedScene scene("0,0,0\n");
    Simulation simulation(scene.load(wait_then(0.05, "{ gravity = [3, 0, 1] }", 0.05)), one_thread());
    run_to_stage(simulation, "act");
    const Vec3d v = simulation.system().bodies.velocity[0];
    const double entered = simulation.time();
    EXPECT_NEAR(v.z, -10 * entered, 1e-12);
    run_to_end(simulation);
    const double t = simulation.time() - entered;
    EXPECT_NEAR(simulation.system().bodies.velocity[0].x, 3 * t, 1e-12);
    EXPECT_NEAR(simulation.system().bodies.velocity[0].z, v.z + t, 1e-12);
}

TEST(Actions, ChangeHowTwoMaterialsTouch) {
    const StagedScene scene("0,0,0.0105,0,0,-1\n", true);
    const std::string bounce =
        R"({ contact = { between = ["grain", "steel"], law = "hooke", kn = 2000, restitution = 0.9 } },
                                  { gravity = [0, 0, 0] }, { set_velocity = { velocity = [0, 0, -1] } })";
    Simulation simulation(scene.load(std::string(floor_wall) + R"(
[[stages]]
name = "before"
do = [ { gravity = [0, 0, 0] } ]
until = { duration = 0.02 }
[[stages]]
name = "after"
do = [ )" + bounce + R"( ]
until = { duration = 0.05 }
)"),
                          one_thread());
    simulation.step(static_cast<std::int64_t>(0.015 / simulation.system().clock.step));
    EXPECT_NEAR(simulation.system().bodies.velocity[0].z, 0.5, 0.01);
    run_to_end(simulation);
    EXPECT_NEAR(simulation.system().bodies.velocity[0].z, 0.9, 0.01);
    EXPECT_LT(std::abs(simulation.balance().relative()), 2e-3);
}

TEST(Actions, SetAndAddVelocities) {
    const StagedScene scene("0,0,0,1,2,3\n0,0,1,1,2,3\n", true);
    const auto after = [&](const std::string& keys) {
        auto simulation = std::make_unique<Simulation>(
            scene.load("\n[[stages]]\nname = \"kick\"\ndo = [ { gravity = [0, 0, 0] }, { set_velocity = { " + keys +
                       " } } ]\nuntil = { duration = 0.001 }\n"),
            one_thread());
        simulation->step();
        return simulation;
    };
    const auto set = after("velocity = [4, 0, 0], spin = [0, 0, 5], above = 0.5");
    EXPECT_EQ(set->system().bodies.velocity[0], (Vec3d{1, 2, 3})) << "outside the region nothing changes";
    EXPECT_EQ(set->system().bodies.velocity[1], (Vec3d{4, 0, 0}));
    EXPECT_EQ(set->system().bodies.spin[1], (Vec3d{0, 0, 5}));
    const auto add = after("velocity = [4, 0, 0], add = true");
    EXPECT_EQ(add->system().bodies.velocity[0], (Vec3d{5, 2, 3}));
    EXPECT_EQ(add->system().bodies.spin[0], (Vec3d{0, 0, 0}));
    // Both grains: (25 - 1) / 2 each, in units of the mass.
    EXPECT_NEAR(add->energies().injected, 2 * 12 * mass, 1e-12);
    EXPECT_LT(std::abs(add->balance().relative()), 1e-12);
}

TEST(Actions, AFillAddsGrainsClearOfThoseThatAreThere) {
    const StagedScene scene("0,0,0.2\n0.05,0,0.2\n");
    const std::string fill =
        "{ fill = { material = 'grain', radius = 0.01, random = {}, count = 40, velocity = [0, 0, 1],"
        " box = { low = [-0.1, -0.1, 0], high = [0.1, 0.1, 0.3] } } }";
    Simulation simulation(scene.load(wait_then(0.05, fill, 0.05)), one_thread());
    run_to_stage(simulation, "act");
    const model::System& system = simulation.system();
    ASSERT_EQ(system.bodies.size(), 42U);
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        EXPECT_EQ(system.bodies.id[i], static_cast<std::int64_t>(i));
        EXPECT_EQ(system.bodies.velocity[i].z, i < 2 ? system.bodies.velocity[0].z : 1);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_GE(norm(system.bodies.position[i] - system.bodies.position[j]), 2 * radius);
        }
    }
    run_to_end(simulation);
    EXPECT_EQ(system.bodies.size(), 42U);
    EXPECT_LT(std::abs(simulation.balance().relative()), 1e-3);
}

TEST(Actions, AFillWithoutRoomIsARunErrorAndAFileIsRefused) {
    const StagedScene scene("0,0,0.2\n");
    const auto fill = [](const std::string& keys) { return "{ fill = { material = 'grain', " + keys + " } }"; };
    Simulation simulation(
        scene.load(
            wait_then(0.01,
                      fill("radius = 0.01, random = {}, count = 40, box = { low = [0, 0, 0], high = [0.03, 0.03, "
                           "0.03] }"),
                      0.05)),
        one_thread());
    EXPECT_THAT([&] { run_to_end(simulation); }, ::testing::ThrowsMessage<base::RunError>(HasSubstr("of 40")));
    EXPECT_THAT([&] { scene.load(wait_then(0.01, fill("file = 'more.csv'"), 0.05)); },
                ::testing::ThrowsMessage<base::InputError>(HasSubstr("cannot come from a file")));
}

TEST(Actions, APackThatHardGrainsCannotStartInIsARunError) {
    Simulation simulation(scene::load_text(R"(engine = "hard"
dimensions = 2
time = {}
materials.disc = { density = 1 }
[[contacts]]
between = ["disc", "disc"]
law = "impact"
restitution = 1
[[fill]]
material = "disc"
radius = 1
lattice = {}
count = 1
box = { low = [0, 0], high = [2, 2] }
[[stages]]
name = "wait"
until = { duration = 0.1 }
[[stages]]
name = "more"
do = [ { fill = { material = "disc", radius = 1, pack = { fraction = 0.93 }, box = { low = [5, 5], high = [25, 25] } } } ]
until = { duration = 0.1 }
)",
                                           "s"),
                          one_thread());
    EXPECT_THAT([&] { run_to_end(simulation); },
                ::testing::ThrowsMessage<base::RunError>(HasSubstr("in which hard grains cannot start")));
}

TEST(Actions, ABehaviourChangesForThoseWhoComeLater) {
    const StagedScene scene("0,0,0.02\n0.1,0,0.2\n");
    Simulation simulation(scene.load(std::string("\n[[walls]]\nname = \"net\"\nshape = { plane = {} }\n"
                                                 "material = \"steel\"\nbehaviour = \"sticky\"\n") +
                                     wait_then(0.1, "{ set_behaviour = 'net', behaviour = 'normal' }", 1)),
                          one_thread());
    run_to_end(simulation);
    EXPECT_EQ(simulation.system().bodies.stuck_to[0], 0);
    EXPECT_EQ(simulation.system().bodies.stuck_to[1], -1);
    EXPECT_EQ(simulation.system().walls[0].record.stuck, 1);
}

TEST(Actions, AMissingWallIsARunError) {
    const StagedScene scene("0,0,0\n");
    scene::Scene loaded = scene.load(wait_then(0.05, "", 0.05));
    const auto engine = make_engine(loaded, {}, false);
    for (const model::Action& action :
         {model::Action(model::RemoveWall{"lid"}), model::Action(model::SetMotion{"lid", {}}),
          model::Action(model::ReplaceWall{"lid", {}, {}})}) {
        try {
            apply(action, loaded, *engine);
            FAIL() << "a wall that is not there was found";
        } catch (const base::RunError& e) {
            EXPECT_THAT(e.what(), HasSubstr("\"lid\""));
        }
    }
}

/// A small settled bed in a cup, then one kind of action each.
struct NamedAction {
    const char* name;
    const char* text;
};
void PrintTo(const NamedAction& action, std::ostream* out) {
    *out << action.text;
}

class LedgerThrough : public ::testing::TestWithParam<NamedAction> {};

TEST_P(LedgerThrough, StaysClosed) {
    std::string grains;
    for (int k = 0; k < 45; ++k) {
        grains += fmt::format("{},{},{}\n", 0.022 * (k % 3 - 1) + 1e-3 * (k % 2),
                              0.022 * (k / 3 % 3 - 1) + 1e-3 * (k % 5), 0.012 + 0.021 * (k / 9));
    }
    const StagedScene scene(grains);
    Simulation simulation(scene.load(std::string(floor_wall) + R"(
[domain]
low = [-1, -1, -0.2]
high = [1, 1, 2]
[[walls]]
name = "cup"
shape = { cylinder = { from = [0, 0, 0], to = [0, 0, 0.5], radius = 0.045 } }
material = "steel"
)" + wait_then(0.4, GetParam().text, 0.2)),
                          one_thread());
    double before = 0;
    std::size_t touching = 0;
    while (simulation.stage_name() == "wait") {
        before = simulation.balance().relative();
        touching = simulation.engine().touching_pairs();
        simulation.step();
    }
    EXPECT_GT(touching, 45U) << "a dense moment is wanted";
    EXPECT_LT(std::abs(before), 1e-3);
    run_to_end(simulation);
    EXPECT_LT(std::abs(simulation.balance().relative()), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Actions, LedgerThrough,
    ::testing::Values(
        NamedAction{
            "AddWall",
            R"({ add_wall = { name = "lid", shape = { plane = { point = [0, 0, 0.09] } }, material = "steel" } })"},
        NamedAction{"RemoveFloor", R"({ remove_wall = "floor" })"},
        NamedAction{"RemoveCup", R"({ remove_wall = "cup" })"},
        NamedAction{"ReplaceWall", R"({ replace_wall = "floor", shape = { disk = { radius = 0.05, hole = 0.025 } } })"},
        NamedAction{
            "Shake",
            R"({ set_motion = "floor", motion = [ { oscillate = { amplitude = [0, 0, 1e-3], frequency = 20 } } ] })"},
        NamedAction{"Turn", R"({ set_motion = "cup", motion = [ { spin = { rate = 5 } } ] })"},
        NamedAction{"RemoveAbove", R"({ remove_above = 0.05 })"},
        NamedAction{"RemoveInside", R"({ remove_inside = { ball = { center = [0, 0, 0.03], radius = 0.03 } } })"},
        NamedAction{"Gravity", R"({ gravity = [4, 0, -10] })"},
        NamedAction{"Contact",
                    R"({ contact = { between = ["grain", "*"], law = "hooke", kn = 4000, restitution = 0.7 } })"},
        NamedAction{"SetVelocity", R"({ set_velocity = { velocity = [0, 0, 1] } })"},
        NamedAction{"AddVelocity",
                    R"({ set_velocity = { velocity = [0.3, 0, 0], spin = [0, 20, 0], add = true, above = 0.04 } })"},
        NamedAction{"Several", R"({ remove_above = 0.06 }, { remove_wall = "cup" }, { gravity = [0, 0, -20] })"}),
    [](const ::testing::TestParamInfo<NamedAction>& test) { return test.param.name; });

}  // namespace
}  // namespace talus::simulation
