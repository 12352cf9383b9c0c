// What grains are coloured by: numbers with names and units, from a frame's file.
#include "talus/render/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "talus/base/diagnostics.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"

namespace talus::render {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Fields : public ::testing::Test {
protected:
    Fields() {
        const std::vector<output::Stress> stress(4, output::Stress{1, 2, 3, 4, 5, 6});
        output::write_frame(path(), {test::sample_system(), "", test::sample_contacts(), stress});
        frame_ = output::read_frame(path());
    }
    std::filesystem::path path() const { return folder_ / "0.h5"; }
    Field field(const std::string& name, const Births& births = {}) const {
        return field_of(frame_, path(), name, births);
    }
    tests::TemporaryFolder folder_;
    output::FrameFile frame_;
};

TEST_F(Fields, AreWhatTheFrameHolds) {
    EXPECT_DOUBLE_EQ(field("speed").values[1], math::norm(frame_.velocity[1]));
    EXPECT_EQ(field("speed").unit, "m/s");
    EXPECT_DOUBLE_EQ(field("spin").values[2], math::norm(frame_.spin[2]));
    EXPECT_EQ(field("spin").unit, "rad/s");
    EXPECT_DOUBLE_EQ(field("size").values[3], 0.4);
    EXPECT_DOUBLE_EQ(field("height").values[1], frame_.position[1].z);
    EXPECT_EQ(field("height").unit, "m");
    EXPECT_THAT(field("id").values, ElementsAre(2, 3, 7, 9));
    EXPECT_THAT(field("coordination").values, ElementsAre(3, 3, 2, 0));
    EXPECT_EQ(field("mass").values, frame_.mass);
    EXPECT_DOUBLE_EQ(field("stress").values[0], 2) << "a third of 1 + 2 + 3";
    EXPECT_EQ(field("stress").label, "pressure");
    EXPECT_DOUBLE_EQ(field("stress.yz").values[0], 4);
    EXPECT_DOUBLE_EQ(field("velocity.z").values[0], frame_.velocity[0].z);
    EXPECT_TRUE(field("velocity.z").has_sign);
    EXPECT_FALSE(field("position.z").has_sign);
    EXPECT_DOUBLE_EQ(field("force.z").values[0], frame_.force[0].z) << "one component of the net force";
}

TEST_F(Fields, ForceIsTheSumOfSizesOverContacts) {
    std::vector<double> expected(4, 0);
    for (const model::ContactSample& contact : test::sample_contacts()) {
        for (std::size_t i = 0; i < 4; ++i) {
            if (frame_.id[i] == contact.a || frame_.id[i] == contact.b) {
                expected[i] += math::norm(contact.force);
            }
        }
    }
    EXPECT_EQ(field("force").values, expected);
    EXPECT_EQ(field("force").label, "sum of contact forces");
    EXPECT_GT(expected[0], 0);
}

TEST_F(Fields, AgesCountFromTheFirstFrame) {
    const Births births = births_of({path()});
    EXPECT_THAT(field("age", births).values, ElementsAre(0, 0, 0, 0));
    EXPECT_DOUBLE_EQ(field("age", {{3, frame_.time - 2.5}}).values[1], 2.5);
}

TEST_F(Fields, UnknownOnesAreRefusedWithTheNearest) {
    const auto asking = [this](const std::string& name) { return [this, name] { field(name); }; };
    EXPECT_THAT(asking("sped"),
                ThrowsMessage<base::InputError>(
                    AllOf(HasSubstr("no field \"sped\"; did you mean \"speed\"?"),
                          HasSubstr("speed, spin, force, stress, size, height, material, age, id, coordination"))));
    EXPECT_THAT(asking("velocity.w"), ThrowsMessage<base::InputError>(HasSubstr("did you mean \"velocity.x\"?")));
    EXPECT_THAT(asking("mass.x"), ThrowsMessage<base::InputError>(HasSubstr("no field")));
    output::write_frame(path(), {test::sample_system(), "", {}, {}});
    frame_ = output::read_frame(path());
    EXPECT_THAT(asking("stress"), ThrowsMessage<base::InputError>(HasSubstr("holds no stress")));
    EXPECT_THAT(asking("force"), ThrowsMessage<base::InputError>(HasSubstr("holds no contact forces")));
    EXPECT_DOUBLE_EQ(field("force.z").values[0], frame_.force[0].z) << "the net force is there";
}

void expect_range(const Range& range, double low, double high) {
    EXPECT_DOUBLE_EQ(range.low, low);
    EXPECT_DOUBLE_EQ(range.high, high);
}

TEST(Ranges, AreNatural) {
    expect_range(natural_range({0.1, 0.2, 3}, false), 0, 3);
    expect_range(natural_range({0.9, 1, 1.1}, false), 0.9, 1.1);
    expect_range(natural_range({-3, 1, 2, -2}, true), -3, 3);
    std::vector<double> many;
    for (int i = 0; i < 1000; ++i) {
        many.push_back(i == 500 ? 1e6 : i / 1000.0);  // one of a thousand is far off
    }
    expect_range(natural_range(many, false), 0, 0.995);
    expect_range(natural_range({}, false), 0, 1);
    expect_range(natural_range({0, 0}, false), 0, 1);
    expect_range(natural_range({0}, true), -0.5, 0.5);
    expect_range(natural_range({std::numeric_limits<double>::quiet_NaN()}, false), 0, 1);
}

TEST(Ranges, OfNumbersThatAreAllTheSameAreAboutThem) {
    expect_range(natural_range({0.002, 0.002}, false), 0.001, 0.003);
    expect_range(natural_range({7, 7}, false), 3.5, 10.5);
    expect_range(natural_range({-4, -4}, false), -6, -2);
    const double next = std::nextafter(0.002, 1);  // a last digit apart
    const Range close = natural_range({0.002, next, std::nextafter(next, 1)}, false);
    EXPECT_NEAR(close.low, 0.001, 1e-15);
    EXPECT_NEAR(close.high, 0.003, 1e-15);
    EXPECT_TRUE(close.is_wide());
    EXPECT_FALSE((Range{0.002, next}.is_wide()));
    EXPECT_FALSE((Range{0, HUGE_VAL}.is_wide()));
    EXPECT_FALSE((Range{0, std::numeric_limits<double>::quiet_NaN()}.is_wide()));
    EXPECT_TRUE((Range{-1e-300, 1e-300}.is_wide()));
}

}  // namespace
}  // namespace talus::render
