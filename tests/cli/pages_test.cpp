// Pages that the program writes about itself.
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

}  // namespace
}  // namespace talus::tests
