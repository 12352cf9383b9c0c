// What a user reads when an input is wrong.
#include "talus/base/diagnostics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace talus::base {
namespace {

TEST(Diagnostic, SaysPlaceKeyFaultExpectationAndSuggestion) {
    Diagnostics list;
    list.error({"scene.toml", 12, 3}, "materials.grain.densty", "unknown key", "one of the keys of a material",
               "density");
    EXPECT_EQ(list.list().at(0).text(),
              "scene.toml:12:3: error: materials.grain.densty: unknown key; expected one of the keys of a material; "
              "did you mean \"density\"?");
}

TEST(Diagnostic, LeavesOutWhatIsNotKnown) {
    Diagnostics list;
    list.error({}, {}, "no such file");
    list.warning({"scene.toml", 0, 0}, "time.step", "longer than advised");
    EXPECT_EQ(list.list()[0].text(), "error: no such file");
    EXPECT_EQ(list.list()[1].text(), "scene.toml: warning: time.step: longer than advised");
    EXPECT_EQ(list.text(), list.list()[0].text() + "\n" + list.list()[1].text() + "\n");
}

TEST(Diagnostics, WarningsAloneAreNoErrors) {
    Diagnostics list;
    EXPECT_FALSE(list.has_errors());
    list.warning({}, "time.step", "long");
    EXPECT_FALSE(list.has_errors());
    Diagnostics other;
    other.error({}, "time.end", "must be positive");
    list.append(other);
    EXPECT_TRUE(list.has_errors());
    EXPECT_EQ(list.list().size(), 2U);
}

TEST(InputError, CarriesAllFaults) {
    Diagnostics list;
    list.error({"a.toml", 1, 1}, "x", "bad");
    list.error({"a.toml", 2, 1}, "y", "worse");
    const InputError error(list);
    EXPECT_EQ(std::string(error.what()), list.text());
    EXPECT_EQ(error.diagnostics().list().size(), 2U);
    EXPECT_TRUE(InputError("one fault").diagnostics().has_errors());
    EXPECT_EQ(std::string(InputError("one fault").what()), "one fault");
}

TEST(NearestName, FindsSlipsOfTheHand) {
    const std::vector<std::string> names = {"density", "restitution", "friction", "kn", "kt"};
    EXPECT_EQ(nearest_name("densty", names), "density");
    EXPECT_EQ(nearest_name("restituiton", names), "restitution");
    EXPECT_EQ(nearest_name("friction", names), "friction");
    EXPECT_EQ(nearest_name("Kn", names), "kn");
}

TEST(NearestName, OffersNothingFarFetched) {
    EXPECT_EQ(nearest_name("gravity", {"density", "restitution"}), "");
    EXPECT_EQ(nearest_name("gravity", {}), "");
}

}  // namespace
}  // namespace talus::base
