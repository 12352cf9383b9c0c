// Laws of every kind in scenes: their keys reach the law, extra parts choose its general form, and combinations that
// make no sense are told.
#include <gtest/gtest.h>

#include "fault_table.h"
#include "talus/laws/registry.h"
#include "talus/laws/visit.h"

namespace talus::scene {
namespace {

const char* const sound_law = "law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\n";

TEST(ContactLaws, EveryLawIsTakenAndExtraPartsMakeItGeneral) {
    struct Row {
        const char* keys;
        const char* law;
    };
    const Row rows[] = {
        {"law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\nfriction = { rolling = 0.1 }\n", "hooke"},
        {"law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\ncohesion = { force = \"1 mN\" }\n", "hooke+"},
        {"law = \"hooke\"\nkn = { max_speed = 2 }\nrestitution = 0.8\n"
         "rolling = { stiffness = \"0.1 N m\", friction = 0.2, damping = 0.5 }\n",
         "hooke+"},
        {"law = \"hertz\"\nyoung = \"10 MPa\"\nrestitution = 0.8\n"
         "cohesion = { surface_tension = \"72 mN/m\", volume = \"2 mm3\", contact_angle = \"30 deg\" }\n",
         "hertz+"},
        {"law = \"mindlin\"\nyoung = { max_speed = 2 }\nrestitution = 0.8\nfriction = { static = 0.5 }\n", "mindlin"},
        {"law = \"jkr\"\nyoung = \"10 MPa\"\nwork_of_adhesion = \"50 mJ/m2\"\nrestitution = 0.8\n", "jkr"},
        {"law = \"poly\"\nyoung = \"10 MPa\"\nrestitution = 0.8\nslip_speed = \"1 mm/s\"\n", "poly"},
        {"law = \"solver_basic\"\nmu_s = 0.5\nk_t = 1\n", "solver_basic"},
        {"law = \"solver_static\"\nmu_s = 0.5\nk_t = \"1 kN/m\"\nmu_r = \"1 mm\"\n", "solver_static"},
        {"law = \"solver_damped\"\nmu_s = 0.5\nk_t = \"1 us\"\n", "solver_damped"},
        {"law = \"solver_object\"\nt_q = \"1 ms\"\n", "solver_object"},
    };
    for (const Row& row : rows) {
        const Scene scene = load_text(replaced(sound_scene(), sound_law, row.keys), "s.toml");
        EXPECT_EQ(scene.system.materials.between(0, 0).law, laws::find_law(row.law)) << row.keys;
        EXPECT_GT(scene.suggested_step, 0);
        EXPECT_LT(scene.suggested_step, scene.stable_step) << row.keys;
    }
}

TEST(ContactLaws, KeysReachTheExtraParts) {
    const Scene scene = load_text(replaced(sound_scene(), sound_law,
                                           "law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\n"
                                           "rolling = { stiffness = 0.1, friction = 0.2 }\n"
                                           "cohesion = { force = \"1 mN\" }\n"),
                                  "s.toml");
    const auto p = scene.system.materials.between(0, 0).parameters.as<laws::ExtendedLaw<laws::Hooke>::Params>();
    EXPECT_EQ(p.core.normal.kn, 8e4);
    EXPECT_EQ(p.rolling.stiffness, 0.1);
    EXPECT_EQ(p.rolling.damping, 0.3);
    EXPECT_EQ(p.rolling.friction, 0.2);
    EXPECT_DOUBLE_EQ(p.cohesion.force, 1e-3);
    EXPECT_EQ(p.cohesion.rupture, 0);
}

TEST(ContactLaws, HardGrainsNeedARestitution) {
    const std::string hard = "engine = \"hard\"\n" + sound_scene();
    expect_told(replaced(hard, sound_law, "law = \"solver_basic\"\n"), {"contacts[0].law", "has no restitution"});
    EXPECT_EQ(faults_of(replaced(hard, sound_law, "law = \"poly\"\nyoung = 1e7\nrestitution = 0.5\n")), "");
}

TEST(ContactLaws, HardGrainsHaveNoPartsThatNeedLastingContacts) {
    const std::string hooke = "law = \"hooke\"\nkn = 8e4\nrestitution = 0.8\n";
    for (const char* engine : {"hard", "stepped"}) {
        const std::string scene = "engine = \"" + std::string(engine) + "\"\n" + sound_scene();
        const struct {
            const char *keys, *told;
        } left_out[] = {{"friction = { static = 0.5, rolling = 0.1 }\n", "contacts[0].friction.rolling"},
                        {"friction = { static = 0.5, twisting = 0.1 }\n", "contacts[0].friction.twisting"},
                        {"rolling = { stiffness = 0.1, friction = 0.2 }\n", "contacts[0].rolling.stiffness"}};
        for (const auto& row : left_out) {
            const Scene loaded = load_text(replaced(scene, sound_law, hooke + row.keys), "s.toml");
            const std::string told = loaded.warnings.text();
            EXPECT_NE(told.find(std::string("warning: ") + row.told + ": is left out"), std::string::npos) << told;
        }
        const struct {
            const char *keys, *told;
        } rows[] = {{"cohesion = { force = \"1 mN\" }\n", "contacts[0].cohesion.force"},
                    {"cohesion = { surface_tension = \"72 mN/m\", volume = \"2 mm3\" }\n",
                     "contacts[0].cohesion.surface_tension"}};
        for (const auto& row : rows) {
            expect_told(replaced(scene, sound_law, hooke + row.keys), {row.told, "engine = \"soft\""});
        }
        expect_told(replaced(scene, sound_law,
                             "law = \"jkr\"\nyoung = \"10 MPa\"\nwork_of_adhesion = \"50 mJ/m2\"\n"
                             "restitution = 0.8\n"),
                    {"contacts[0].work_of_adhesion", "engine = \"soft\""});
    }
}

class ContactLawFaults : public testing::TestWithParam<Fault> {};

TEST_P(ContactLawFaults, AreTold) {
    expect_told(replaced(sound_scene(), GetParam().what, GetParam().with), GetParam().fragments);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ContactLawFaults,
    testing::Values(
        Fault{"two_kinds_of_rolling",
              sound_law,
              std::string(sound_law) + "friction = { rolling = 0.1 }\nrolling = { stiffness = 0.1, friction = 0.2 }\n",
              {"contacts[0].friction.rolling", "together with rolling"}},
        Fault{"rolling_without_a_limit",
              sound_law,
              std::string(sound_law) + "rolling = { stiffness = 0.1 }\n",
              {"contacts[0].rolling.friction", "is missing"}},
        Fault{"two_kinds_of_cohesion",
              sound_law,
              std::string(sound_law) + "cohesion = { force = 1, surface_tension = 0.07, volume = 1e-9 }\n",
              {"contacts[0].cohesion.force", "liquid bridge"}},
        Fault{"a_bridge_without_liquid",
              sound_law,
              std::string(sound_law) + "cohesion = { surface_tension = 0.07 }\n",
              {"contacts[0].cohesion.volume", "is missing"}},
        Fault{"mindlin_has_its_own_kt",
              sound_law,
              "law = \"mindlin\"\nyoung = 1e7\nrestitution = 0.8\nkt = 1e4\n",
              {"contacts[0].kt"}},
        Fault{"jkr_has_its_own_attraction",
              sound_law,
              "law = \"jkr\"\nyoung = 1e7\nwork_of_adhesion = 0.1\nrestitution = 0.8\ncohesion = { force = 1 }\n",
              {"contacts[0].cohesion"}},
        Fault{"jkr_without_adhesion",
              sound_law,
              "law = \"jkr\"\nyoung = 1e7\nrestitution = 0.8\n",
              {"contacts[0].work_of_adhesion", "is missing", "mindlin"}},
        Fault{"general_forms_are_not_for_scenes",
              sound_law,
              "law = \"hooke+\"\nkn = 8e4\nrestitution = 0.8\n",
              {"contacts[0].law", "hooke"}}),
    fault_name);

}  // namespace
}  // namespace talus::scene
