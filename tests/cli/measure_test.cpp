// `talus measure`: tables, JSON and CSV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"
#include "talus/simulation/eigenvalues.h"

namespace talus::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CommandLine, MeasuresTheOrderOfAScene) {
    const Outcome outcome =
        call({"measure", "order", "small.toml", "--until", "0.002", "--halvings", "2", "--samples", "4"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("distance to next, m"), HasSubstr("order of the trajectory ")));
}

TEST_F(CommandLine, MeasuresTheStiffnessOfAScene) {
    if (!simulation::has_eigenvalues()) {
        GTEST_SKIP() << "Talus built without Eigen";
    }
    const Outcome table = call({"measure", "stiffness", "small.toml", "--samples", "3", "-o", "stiff.csv"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, AllOf(HasSubstr("most negative real, 1/s"), HasSubstr("\n     largest  "),
                                 HasSubstr("\n      median  "), HasSubstr("96 unknowns; explicit steps up to about ")));
    EXPECT_THAT(read_file(folder() / "stiff.csv"), StartsWith("time [s],most negative real part [1/s],"));
    const Outcome json = call({"measure", "stiffness", "small.toml", "--samples", "3", "--json"});
    const auto found = nlohmann::json::parse(json.out);
    EXPECT_EQ(found.at("samples").size(), 3U);
    EXPECT_DOUBLE_EQ(found.at("stable_step").get<double>(), 2 / found.at("largest").at("radius").get<double>());
}

TEST_F(CommandLine, MeasuresNoStiffnessOfImpacts) {
    const Outcome outcome = call({"measure", "stiffness", "small.toml", "--set", "engine=hard"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr(simulation::has_eigenvalues() ? "soft contacts" : "libeigen3-dev"));
}

}  // namespace
}  // namespace talus::tests
