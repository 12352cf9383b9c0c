// `talus bench`: every case gets ready, says what it promises, and ends in the same state on any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A small case: above 512 grains loops use all threads.
std::vector<std::string> small_bench(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"bench", name, "--particles", "600", "--steps", "20", "--relax", "50"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

struct Expected {
    const char* name;
    double least_coordination, most_coordination;
};
void PrintTo(const Expected& expected, std::ostream* out) {
    *out << expected.name;
}

class EveryCase : public ::testing::TestWithParam<Expected> {};

TEST_P(EveryCase, SaysWhatItPromisesAndTheSameStateOnAnyNumberOfThreads) {
    const Expected expected = GetParam();
    std::vector<nlohmann::json> results;
    for (const char* threads : {"1", "2"}) {
        const Outcome outcome = talus(small_bench(expected.name, {"--repeats", "2", "--threads", threads, "--json"}));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        results.push_back(nlohmann::json::parse(outcome.out));  // throws if anything else is there
    }
    const nlohmann::json& one = results[0];
    EXPECT_EQ(one.at("case"), expected.name);
    EXPECT_EQ(one.at("particles"), 600);
    EXPECT_EQ(one.at("steps"), 20);
    EXPECT_EQ(one.at("relax"), 50);
    EXPECT_EQ(one.at("samples").size(), 2U);
    EXPECT_GT(one.at("ns_per_particle_step").get<double>(), 0);
    EXPECT_TRUE(one.at("bytes_per_particle").is_number());
    EXPECT_GE(one.at("rebuilds"), 0);
    const double coordination = one.at("coordination");
    EXPECT_GE(coordination, expected.least_coordination);
    EXPECT_LE(coordination, expected.most_coordination);
    if (coordination > 0) {
        EXPECT_NEAR(one.at("ns_per_contact_step").get<double>() * coordination / 2,
                    one.at("ns_per_particle_step").get<double>(), 1e-9 * one.at("ns_per_contact_step").get<double>());
    }
    double phases = 0;
    for (const auto& [phase, ns] : one.at("phases").items()) {
        phases += ns.get<double>();
    }
    EXPECT_GT(phases, 0);
    EXPECT_EQ(one.at("phases").contains("mesh contacts"), one.at("case") == "mixer");
    EXPECT_GT(one.at("kinetic_energy").get<double>(), 0);
    EXPECT_EQ(one.at("state_hash").get<std::string>().size(), 16U);
    EXPECT_EQ(one.at("state_hash"), results[1].at("state_hash"));
    EXPECT_EQ(results[1].at("threads"), 2);
}

// Settled with friction: between the isostatic 4 and close packing, less a loose top. Flows touch less, small grains
// between large ones often do not touch at all, and a gas hardly ever.
INSTANTIATE_TEST_SUITE_P(Bench, EveryCase,
                         ::testing::Values(Expected{"bed", 4, 6.5}, Expected{"hopper", 1, 6},
                                           Expected{"polydisperse", 0.5, 6}, Expected{"drum", 0.5, 6},
                                           Expected{"mixer", 0.5, 6}, Expected{"gas", 0, 0.2},
                                           Expected{"chute", 0.5, 5}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(CommandLine, ABenchStartsFromWhatItKeptAndEndsInTheSameState) {
    const auto hash = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = {"--repeats", "1", "--json"};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = call(small_bench("chute", all));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out).at("state_hash").get<std::string>();
    };
    const std::string plain = hash({});
    EXPECT_EQ(hash({"--cache", "kept"}), plain);
    ASSERT_TRUE(fs::exists(folder() / "kept/chute_600_50.h5"));
    EXPECT_EQ(hash({"--cache", "kept", "--threads", "2"}), plain);
}

TEST_F(CommandLine, ABenchWritesItsStartForOtherCodes) {
    const Outcome outcome = call({"bench", "gas", "--particles", "30", "--steps", "1", "--write-data", "gas.data"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read_file(folder() / "gas.data"), HasSubstr("\n30 atoms\n"));
}

TEST(Bench, EventsSayWhatTheyPromiseAndEndInTheSameState) {
    const auto result = [] {
        const Outcome outcome = talus({"bench", "events", "--particles", "500", "--packing", "0.3", "--events", "20000",
                                       "--repeats", "2", "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return nlohmann::json::parse(outcome.out);
    };
    const nlohmann::json one = result();
    EXPECT_EQ(one.at("case"), "events");
    EXPECT_EQ(one.at("particles"), 500);
    EXPECT_EQ(one.at("events"), 20000);
    EXPECT_EQ(one.at("samples").size(), 2U);
    EXPECT_GT(one.at("events_per_second").get<double>(), 0);
    EXPECT_NEAR(one.at("mean_free_time").get<double>() / one.at("expected_free_time").get<double>(), 1, 0.03);
    EXPECT_NEAR(one.at("compressibility").get<double>() / one.at("expected_compressibility").get<double>(), 1, 0.03);
    EXPECT_LT(std::fabs(one.at("energy_error").get<double>()), 1e-12);
    EXPECT_EQ(one.at("state_hash").get<std::string>().size(), 16U);
    EXPECT_EQ(one.at("state_hash"), result().at("state_hash"));
    EXPECT_EQ(talus({"bench", "events", "--packing", "0.7"}).code, 2);
}

TEST(Bench, AWrongNameIsToldWithTheNearest) {
    const Outcome outcome = talus({"bench", "shute"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("no bench case \"shute\"; did you mean \"chute\"?"));
    EXPECT_EQ(talus({"bench", "gas", "--relax", "-1"}).code, 2);
    EXPECT_EQ(talus({"bench", "gas", "--particles", "0"}).code, 2);
}

TEST(BenchCharges, EndsInTheSameStateOnAnyNumberOfThreads) {
    std::vector<std::string> states;
    for (const char* threads : {"1", "2"}) {
        const Outcome outcome = talus({"bench", "charges", "--particles", "300", "--steps", "5", "--repeats", "2",
                                       "--threads", threads, "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const nlohmann::json result = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(result.at("particles"), 300);
        EXPECT_EQ(result.at("samples").size(), 2U);
        EXPECT_GT(result.at("phases").at("fields").get<double>(), 0);
        states.push_back(result.at("state_hash"));
    }
    EXPECT_EQ(states[0], states[1]);
}

}  // namespace
}  // namespace talus::tests
