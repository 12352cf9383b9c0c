// What a first look at all frames says: bars, ranges of forces, the time between pictures.
#include "talus/render/survey.h"

#include <gtest/gtest.h>

#include "talus/output/run_folder.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"

namespace talus::render {
namespace {

class Surveys : public ::testing::Test {
protected:
    Surveys() {
        std::filesystem::create_directory(folder_ / "frames");
        model::System system = test::sample_system();
        std::vector<model::ContactSample> contacts = test::sample_contacts();
        for (model::ContactSample& contact : contacts) {
            contact.force = {0, 0, 2};
        }
        int number = 0;
        for (const double time : {0.0, 0.1, 0.2, 0.3, 0.301}) {  // the last one where the run ended
            system.clock = {1, 0, time, 0};
            output::write_frame(output::frame_path(folder_.path(), number++), {system, "", contacts, {}});
        }
        options_.source = folder_.path();
        options_.out = "m.mp4";
    }
    Survey surveyed() {
        ShownFrames frames(options_);
        Look look;
        look.forces = options_.forces;
        look.forces_coloured = options_.colour_by.empty();
        return survey(frames, options_, look);
    }
    tests::TemporaryFolder folder_;
    RenderOptions options_;
};

TEST_F(Surveys, TimesAreToldApartByTheirMeanInterval) {
    EXPECT_NEAR(surveyed().interval, 0.301 / 4, 1e-12);
    options_.frames = "3";
    options_.out = "p.png";
    EXPECT_NEAR(surveyed().interval, 0.03, 1e-12);
}

TEST_F(Surveys, EqualForcesHaveARangeFromZero) {
    options_.forces = true;
    const Survey all = surveyed();
    EXPECT_EQ(all.forces.low, 0);
    EXPECT_GE(all.forces.high, 2);
    EXPECT_LE(all.forces.high, 12) << "tubes can be seen";
    ASSERT_TRUE(all.bar);
    EXPECT_EQ(all.bar->label, "contact force");
    EXPECT_EQ(all.bar->range.low, 0);
}

TEST_F(Surveys, TheBarIsOfWhatHasTheColours) {
    options_.forces = true;
    options_.grain_opacity = 0.3;
    options_.colour_by = "speed";
    options_.range = {1, 4};
    const Survey both = surveyed();
    ASSERT_TRUE(both.bar);
    EXPECT_EQ(both.bar->label, "speed");
    EXPECT_EQ(both.bar->range.high, 4);
    EXPECT_EQ(both.forces.low, 0) << "tubes keep their own scale";
    options_.colour_by = "material";
    options_.range.reset();
    EXPECT_FALSE(surveyed().bar) << "a legend instead";
}

TEST_F(Surveys, AgesCountFromTheFirstFrameOfTheRun) {
    options_.source = folder_ / "frames/../frames/./000003.h5";
    options_.out = "p.png";
    options_.colour_by = "age";
    const Survey late = surveyed();
    EXPECT_EQ(late.births.at(2), 0.0);
    EXPECT_NEAR(late.bar->range.high, 0.45, 1e-9) << "half as much again as 0.3 s";
}

}  // namespace
}  // namespace talus::render
