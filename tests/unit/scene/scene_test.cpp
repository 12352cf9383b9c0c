// Sound scenes become the model that they describe.
#include "talus/scene/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <variant>

#include "scene_text.h"
#include "talus/laws/registry.h"

namespace talus::scene {
namespace {

using geometry::ShapeKind;
using math::Vec3d;

void expect_near(const Vec3d& a, const Vec3d& b) {
    EXPECT_LT(norm(a - b), 1e-12 * (1 + norm(b))) << a.x << " " << a.y << " " << a.z;
}

Scene with(const std::string& more) {
    return load_text(sound_scene() + more, "s.toml");
}

/// The sound scene with stages in place of its end.
Scene staged(const std::string& stages) {
    return load_text(replaced(sound_scene(), "end = 1\n", "") + stages, "s.toml");
}

model::Wall wall_of(const std::string& shape, const std::string& more = "") {
    return with("[[walls]]\nname = \"w\"\nmaterial = \"steel\"\nshape = { " + shape + " }\n" + more).system.walls.at(1);
}

TEST(SceneModel, SoundSceneIsTakenWithoutWarnings) {
    const Scene scene = with("");
    EXPECT_TRUE(scene.warnings.list().empty()) << scene.warnings.text();
    EXPECT_EQ(scene.engine, "soft");
    EXPECT_EQ(scene.text, sound_scene());
    ASSERT_EQ(scene.system.bodies.size(), 1U);
    EXPECT_DOUBLE_EQ(scene.system.bodies.radius[0], 0.01);
    EXPECT_NEAR(scene.system.bodies.mass[0], 4.0 / 3.0 * std::numbers::pi * 1e-6 * 1000, 1e-15);
    expect_near(scene.system.gravity, {0, 0, -9.80665});
    ASSERT_EQ(scene.plan.stages.size(), 1U);
    EXPECT_EQ(scene.plan.stages[0].until.at_time, 1.0);
    EXPECT_EQ(scene.system.seed, 1U);
    EXPECT_EQ(scene.system.clock.steps, 0);
    ASSERT_EQ(scene.system.materials.size(), 2U);
    EXPECT_EQ(scene.system.materials.list[0].name, "grain");
    EXPECT_EQ(scene.system.materials.between(0, 1).law, laws::find_law("hooke"));
    EXPECT_EQ(scene.system.materials.between(1, 1).law, -1);
    EXPECT_FALSE(scene.system.domain.any_periodic());
    EXPECT_TRUE(std::isinf(scene.system.domain.low.x));
}

TEST(SceneModel, ShapesOfEveryKind) {
    const auto kind_of = [](const std::string& shape) { return wall_of(shape).shape.kind; };
    EXPECT_EQ(kind_of("plane = { normal = [0, 1, 0] }"), ShapeKind::plane);
    EXPECT_EQ(kind_of("rectangle = { corner = [0,0,0], edge1 = [1,0,0], edge2 = [0,1,0] }"), ShapeKind::rectangle);
    EXPECT_EQ(kind_of("triangle = { corners = [[0,0,0],[1,0,0],[0,1,0]] }"), ShapeKind::triangle);
    EXPECT_EQ(kind_of("cylinder = { point = [0,0,0], axis = [1,0,0], radius = 1 }"), ShapeKind::cylinder);
    EXPECT_EQ(kind_of("ring = { radius = 1 }"), ShapeKind::ring);
    EXPECT_EQ(kind_of("line = { point = [1, 0, 0] }"), ShapeKind::line);
    EXPECT_EQ(kind_of("segment = { from = [0,0,0], to = [0,1,0] }"), ShapeKind::segment);
    EXPECT_EQ(kind_of("point = { at = [0, 0, 3] }"), ShapeKind::point);
    EXPECT_EQ(kind_of("sphere = { radius = 3 }"), ShapeKind::sphere);

    const model::Wall disk = wall_of("disk = { center = [1, 2, 3], normal = [0, 2, 0], radius = 3, hole = \"10 cm\" }");
    EXPECT_EQ(disk.shape.kind, ShapeKind::disk);
    EXPECT_DOUBLE_EQ(disk.shape.a, 0.1);
    EXPECT_DOUBLE_EQ(disk.shape.b, 3);
    expect_near(disk.base.position, {1, 2, 3});
    expect_near(disk.base.rotation.column(2), {0, 1, 0});
    expect_near(disk.pose.position, disk.base.position);

    for (const char* name : {"tube", "cylinder"}) {
        const model::Wall cone =
            wall_of(std::string(name) + " = { from = [0,0,0], to = [0,0,2], radius_from = 1, radius_to = 3 }");
        EXPECT_EQ(cone.shape.kind, ShapeKind::tube);
        EXPECT_DOUBLE_EQ(cone.shape.a, 1);
        EXPECT_DOUBLE_EQ(cone.shape.b, 3);
        EXPECT_DOUBLE_EQ(cone.shape.c, 2);
        expect_near(cone.base.position, {0, 0, 1});
    }
    EXPECT_DOUBLE_EQ(wall_of("cylinder = { from = [0,0,0], to = [0,0,2], radius = 4 }").shape.b, 4);
}

TEST(Walls, LetTheGrainsBehindThemBeSeenButFloorsAreSolid) {
    EXPECT_EQ(wall_of("plane = {}", "").opacity, 1);
    EXPECT_EQ(wall_of("disk = { radius = 1, normal = [0, 0.1, 1] }", "").opacity, 1);
    EXPECT_LT(wall_of("plane = { normal = [1, 0, 0] }", "").opacity, 0.5);
    EXPECT_LT(wall_of("cylinder = { radius = 1, from = [0, 0, 0], to = [0, 0, 1] }", "").opacity, 0.5);
    EXPECT_EQ(wall_of("cylinder = { radius = 1, from = [0, 0, 0], to = [0, 0, 1] }", "opacity = 1\n").opacity, 1);
}

TEST(SceneModel, WallsKeepTheirLookAndBehaviour) {
    const model::Wall wall = wall_of("point = {}", "behaviour = \"sticky\"\ncolour = \"#8090a0\"\nopacity = 0.25\n");
    EXPECT_EQ(wall.behaviour, model::WallBehaviour::sticky);
    EXPECT_EQ(wall.colour, "#8090a0");
    EXPECT_EQ(wall.opacity, 0.25);
    EXPECT_EQ(wall_of("point = {}").behaviour, model::WallBehaviour::normal);
    EXPECT_EQ(wall_of("point = {}", "behaviour = \"absorbing\"\n").behaviour, model::WallBehaviour::absorbing);
}

TEST(SceneModel, Motions) {
    const model::Motion motion = wall_of("disk = { center = [1, 0, 0], normal = [1, 0, 0], radius = 1 }", R"(motion = [
  { translate = { velocity = [0, 0, "2 cm/s"], start = 3 } },
  { oscillate = { amplitude = ["1 mm", 0, 0], frequency = "50 Hz", phase = "90 deg" } },
  { oscillate = { amplitude = ["1 mm", 0, 0], frequency = "600 rpm" } },
  { spin = { rate = "33 rpm" } },
  { spin = { rate = -1, axis = [0, 0, 2], through = [5, 0, 0] } },
  { keyframes = [ { time = 1 }, { time = 2, displacement = [0, 0, 1], rotation = [0, 0, "90 deg"] } ] } ]
)")
                                     .motion;
    ASSERT_EQ(motion.translations.size(), 1U);
    expect_near(motion.translations[0].velocity, {0, 0, 0.02});
    EXPECT_EQ(motion.translations[0].start, 3);
    ASSERT_EQ(motion.oscillations.size(), 2U);
    EXPECT_DOUBLE_EQ(motion.oscillations[0].omega, 100 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(motion.oscillations[0].phase, std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(motion.oscillations[1].omega, 20 * std::numbers::pi);
    ASSERT_EQ(motion.spins.size(), 2U);
    EXPECT_DOUBLE_EQ(motion.spins[0].rate, 33 * 2 * std::numbers::pi / 60);
    expect_near(motion.spins[0].axis, {1, 0, 0});
    expect_near(motion.spins[0].through, {1, 0, 0});
    expect_near(motion.spins[1].axis, {0, 0, 1});
    expect_near(motion.spins[1].through, {5, 0, 0});
    ASSERT_EQ(motion.keyframes.size(), 2U);
    expect_near(motion.keyframes[1].displacement, {0, 0, 1});
    expect_near(motion.keyframes[1].rotation, {0, 0, std::numbers::pi / 2});
}

TEST(SceneModel, DomainAndOutput) {
    const Scene scene = with(R"([domain]
low = [-1, 0, "open"]
high = [1, "80 cm", 3]
periodic = ["x"]
[output]
frames = "10 ms"
series = "1 ms"
checkpoints = "2 min"
contacts = false
[checks]
overlap_limit = 0.02
)");
    EXPECT_TRUE(scene.system.domain.periodic[0]);
    EXPECT_FALSE(scene.system.domain.periodic[1]);
    EXPECT_DOUBLE_EQ(scene.system.domain.high.y, 0.8);
    EXPECT_TRUE(std::isinf(scene.system.domain.low.z));
    EXPECT_DOUBLE_EQ(scene.plan.output.frame_interval, 0.01);
    EXPECT_DOUBLE_EQ(scene.plan.output.series_interval, 0.001);
    EXPECT_DOUBLE_EQ(scene.plan.output.checkpoint_interval, 120);
    EXPECT_FALSE(scene.plan.output.contacts);
    EXPECT_DOUBLE_EQ(scene.plan.overlap_limit, 0.02);
}

TEST(SceneModel, LastMatchingContactWins) {
    const Scene scene = load_text(replaced(sound_scene(), "[[walls]]",
                                           "[[contacts]]\nbetween = [\"st*l\", \"gr*\"]\nlaw = \"hertz\"\nyoung = 1e6\n"
                                           "restitution = 0.5\n[[walls]]"),
                                  "s.toml");
    EXPECT_EQ(scene.system.materials.between(0, 0).law, laws::find_law("hooke"));
    EXPECT_EQ(scene.system.materials.between(0, 1).law, laws::find_law("hertz"));
    EXPECT_EQ(scene.system.materials.between(1, 0).law, laws::find_law("hertz"));
}

TEST(SceneModel, ContactParametersReachTheLaw) {
    const Scene scene = load_text(replaced(sound_scene(), "kn = 8e4",
                                           "kn = \"80 kN/m\"\nkt = \"2/7 kn\"\nct = 4.98\nslip_memory = 1\n"
                                           "friction = { static = 0.2, rolling = 0.1 }"),
                                  "s.toml");
    const laws::LawInfo& law = laws::registry().at(static_cast<std::size_t>(laws::find_law("hooke")));
    std::vector<laws::ParameterFault> faults;
    const laws::ParameterBlock wanted = law.derive({{"kn", 8e4},
                                                    {"kt", 8e4 * 2 / 7},
                                                    {"ct", 4.98},
                                                    {"restitution", 0.8},
                                                    {"slip_memory", 1},
                                                    {"friction.static", 0.2},
                                                    {"friction.rolling", 0.1},
                                                    {"friction.twisting", 0}},
                                                   faults);
    EXPECT_TRUE(faults.empty());
    for (std::size_t i = 0; i < wanted.value.size(); ++i) {
        EXPECT_DOUBLE_EQ(scene.system.materials.between(0, 0).parameters.value[i], wanted.value[i]) << i;
    }
}

TEST(SceneModel, FillKeysReachTheGrains) {
    const Scene scene = with("velocity = [1, 0, 0]\nspin = [0, 0, \"1 rev/s\"]\nhold_rotation = true\n");
    expect_near(scene.system.bodies.velocity.at(0), {1, 0, 0});
    expect_near(scene.system.bodies.spin.at(0), {0, 0, 2 * std::numbers::pi});
    EXPECT_EQ(scene.system.bodies.flags.at(0), model::rotation_held);
}

TEST(SceneModel, FillsInsideWalls) {
    const std::string sphere =
        "[[walls]]\nname = \"w\"\nmaterial = \"steel\"\n"
        "shape = { sphere = { radius = \"10 cm\", center = [0, 0, 1] } }\n";
    const std::string drum =
        "[[walls]]\nname = \"w\"\nmaterial = \"steel\"\n"
        "shape = { cylinder = { point = [0, 0, 1], axis = [1, 0, 0], radius = \"10 cm\" } }\n";
    const std::string fill = "[[fill]]\nmaterial = \"grain\"\nradius = \"1 cm\"\nlattice = {}\ninside = \"w\"\n";
    const Scene ball = with(sphere + fill);
    const Scene cut = with(drum + fill + "above = { x = -0.1 }\nbelow = { x = 0.1 }\n");
    ASSERT_GT(ball.system.bodies.size(), 100U);
    ASSERT_GT(cut.system.bodies.size(), 100U);
    for (std::size_t i = 1; i < ball.system.bodies.size(); ++i) {
        EXPECT_LE(norm(ball.system.bodies.position[i] - Vec3d{0, 0, 1}), 0.09 + 1e-9);
    }
    for (std::size_t i = 1; i < cut.system.bodies.size(); ++i) {
        const Vec3d p = cut.system.bodies.position[i] - Vec3d{0, 0, 1};
        EXPECT_LE(std::hypot(p.y, p.z), 0.09 + 1e-9);
        EXPECT_LE(std::abs(p.x), 0.09 + 1e-9);
    }
    try {
        with(drum + fill);
        FAIL() << "an unbounded fill was taken";
    } catch (const base::InputError& error) {
        EXPECT_NE(std::string(error.what()).find("fill[1].inside: the cylinder \"w\" is infinite"), std::string::npos)
            << error.what();
    }
}

TEST(SceneModel, SeedsMakeTheFills) {
    const auto first = [](const std::string& seed, const std::string& fill_seed) {
        const std::string text = replaced(sound_scene(), "lattice = {}", "random = {}" + fill_seed);
        return load_text(seed + text, "s.toml").system.bodies.position.at(0);
    };
    EXPECT_TRUE(first("seed = 5\n", "") == first("seed = 5\n", ""));
    EXPECT_FALSE(first("seed = 5\n", "") == first("seed = 6\n", ""));
    EXPECT_TRUE(first("seed = 5\n", "\nseed = 9") == first("seed = 6\n", "\nseed = 9"));
}

TEST(SceneModel, StagesOfTheHopper) {
    const Scene scene = staged(R"([[walls]]
name = "funnel"
shape = { cylinder = { from = [0, 0, 1], to = [0, 0, 2], radius_from = 0.2, radius_to = 0.5 } }
material = "steel"
[[stages]]
name = "fill"
until = { settled = { energy = 1e-6, balance = 0.1, for = "50 ms", timeout = "9 s" } }
[[stages]]
name = "shave"
until = "settled"
do = [ { remove_wall = "funnel" }, { remove_above = { z = "2 m" }, whole = true } ]
[[stages]]
name = "open"
until = { count_at_most = 10, above = { z = 0 }, timeout = 8 }
do = [ { replace_wall = "floor", shape = { disk = { hole = "10 cm" } } },
       { add_wall = { name = "tray", shape = { plane = { point = [0, 0, -1] } }, material = "steel" } },
       { set_motion = "floor", motion = [ { spin = { rate = 1 } } ] },
       { gravity = [0, 0, -1] },
       { remove_inside = { ball = { radius = 1 } } },
       { set_velocity = { velocity = [0, 0, 1], add = true, below = 3 } },
       { contact = { between = ["*", "steel"], law = "hooke", kn = 5e4, restitution = 0.1 } } ]
[[measure]]
discharge = { below = { z = "-5 cm" }, hole_diameter = "20 cm" }
stage = "open"
interval = "2 ms"
)");
    const auto& stages = scene.plan.stages;
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_TRUE(stages[0].until.settled);
    EXPECT_DOUBLE_EQ(stages[0].until.settled_energy, 1e-6);
    EXPECT_DOUBLE_EQ(stages[0].until.settled_for, 0.05);
    EXPECT_EQ(stages[0].until.timeout, 9.0);
    EXPECT_TRUE(stages[1].until.settled);
    EXPECT_EQ(std::get<model::RemoveWall>(stages[1].actions.at(0)).wall, "funnel");
    const auto& shave = std::get<model::RemoveParticles>(stages[1].actions.at(1));
    EXPECT_TRUE(shave.whole);
    EXPECT_TRUE(shave.region.contains({0, 0, 2.5}));
    EXPECT_FALSE(shave.region.contains({0, 0, 1.5}));
    EXPECT_EQ(stages[2].until.count_at_most, 10);
    EXPECT_FALSE(stages[2].until.count_region.contains({0, 0, -1}));
    const auto& open = std::get<model::ReplaceWall>(stages[2].actions.at(0));
    EXPECT_EQ(open.shape.kind, ShapeKind::disk);
    EXPECT_DOUBLE_EQ(open.shape.a, 0.1);
    EXPECT_DOUBLE_EQ(open.shape.b, 0.5);  // kept from before
    EXPECT_EQ(std::get<model::AddWall>(stages[2].actions.at(1)).wall.name, "tray");
    EXPECT_EQ(std::get<model::SetMotion>(stages[2].actions.at(2)).motion.spins.size(), 1U);
    expect_near(std::get<model::SetGravity>(stages[2].actions.at(3)).gravity, {0, 0, -1});
    EXPECT_FALSE(std::get<model::RemoveParticles>(stages[2].actions.at(4)).region.contains({0, 0, 2}));
    const auto& push = std::get<model::SetVelocity>(stages[2].actions.at(5));
    EXPECT_TRUE(push.add);
    EXPECT_FALSE(push.spin);
    EXPECT_FALSE(push.region.contains({0, 0, 4}));
    ASSERT_EQ(stages[2].actions.size(), 8U);  // the wildcard covers two pairs
    const auto& contact = std::get<model::SetContact>(stages[2].actions.at(6));
    EXPECT_EQ(contact.material_a, 0);
    EXPECT_EQ(contact.material_b, 1);
    EXPECT_EQ(contact.law.law, laws::find_law("hooke"));
    const model::MeasureSpec& measure = scene.plan.measures.at(0);
    EXPECT_EQ(measure.name, "discharge");
    expect_near(measure.axis, {0, 0, 1});
    EXPECT_DOUBLE_EQ(measure.offset, -0.05);
    EXPECT_DOUBLE_EQ(measure.hole_diameter, 0.2);
    EXPECT_EQ(measure.stage, "open");
}

TEST(SceneModel, ReplacedShapesMayChangeKindAndRadii) {
    const Scene scene = staged(R"([[stages]]
name = "a"
until = { time = 1 }
do = [ { replace_wall = "floor", shape = { tube = { from = [0,0,0], to = [0,0,1], radius = 1 } } },
       { replace_wall = "floor", shape = { tube = { radius_from = 1, radius_to = 2 } } } ]
)");
    const auto& last = std::get<model::ReplaceWall>(scene.plan.stages[0].actions.at(1));
    EXPECT_DOUBLE_EQ(last.shape.b, 2);
    EXPECT_DOUBLE_EQ(last.shape.c, 1);
}

}  // namespace
}  // namespace talus::scene
