// Pages that the program writes about itself, and its bench.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.h"

namespace talus::tests {
namespace {

TEST(Docs, PagesInTheTreeAreThoseOfTheProgram) {
    const std::vector<std::pair<std::string, std::string>> pages = {
        {"scene", "scene.md"}, {"schema", "scene.schema.json"}, {"laws", "laws.md"}};
    for (const auto& [page, file] : pages) {
        const Outcome outcome = talus({"docs", page});
        EXPECT_EQ(outcome.code, 0) << page;
        EXPECT_GT(outcome.out.size(), 1000U) << page;
        EXPECT_EQ(outcome.out, read_file(std::filesystem::path(TALUS_SOURCE_DIR) / "docs" / file))
            << file << " is out of date: ./dev docs writes it";
    }
    EXPECT_EQ(nlohmann::json::parse(talus({"docs", "schema"}).out).at("type"), "object");
}

TEST(Bench, PrintsWhatItPromisesAndTheSameStateOnAnyNumberOfThreads) {
    std::vector<nlohmann::json> results;
    for (const char* threads : {"1", "2"}) {
        const Outcome outcome = talus(
            {"bench", "bed", "--particles", "2000", "--steps", "20", "--repeats", "1", "--threads", threads, "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        results.push_back(nlohmann::json::parse(outcome.out));
    }
    const nlohmann::json& one = results[0];
    EXPECT_EQ(one.at("particles"), 2000);
    EXPECT_EQ(one.at("steps"), 20);
    EXPECT_GT(one.at("ns_per_particle_step").get<double>(), 0);
    EXPECT_GT(one.at("bytes_per_particle").get<double>(), 100);
    // A settled bed with friction: between the isostatic 4 and close packing, the loose top included.
    EXPECT_GT(one.at("coordination").get<double>(), 4);
    EXPECT_LT(one.at("coordination").get<double>(), 6.5);
    for (const char* phase : {"drift", "gather", "pairs", "wall contacts"}) {
        EXPECT_GT(one.at("phases").at(phase).get<double>(), 0) << phase;
    }
    EXPECT_EQ(one.at("state_hash").get<std::string>().size(), 16U);
    EXPECT_EQ(one.at("state_hash"), results[1].at("state_hash"));
    EXPECT_EQ(results[1].at("threads"), 2);
}

}  // namespace
}  // namespace talus::tests
