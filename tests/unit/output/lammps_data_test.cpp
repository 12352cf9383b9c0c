// A LAMMPS data file says the state to the last bit, in an order that sweeps through space.
#include "talus/output/lammps_data.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace talus::test {
namespace {

model::System two_layers() {
    model::System system;
    system.materials.list = {{"grain", 2500}, {"floor", 1000}};
    system.domain.low = {-1, 0, -5};
    system.domain.high = {3, 2, 50};
    system.domain.periodic = {true, true, false};
    // Given from top to bottom; a sweep begins at the bottom. Thirds have no short decimals.
    system.bodies.add_sphere(4, {2.5, 1.0 / 3, 0.9}, 0.1, 2500, 0);
    system.bodies.add_sphere(6, {-0.5, 1.0 / 3, 0.9}, 0.1, 2500, 0);
    system.bodies.add_sphere(9, {2.5, 0.3, 1.0 / 7}, 0.05, 1000, 1);
    system.bodies.velocity[1] = {1.0 / 3, -2, 1e-17};
    system.bodies.spin[1] = {0, 5.0 / 7, -1};
    return system;
}

/// The lines of each section as numbers, headers under "".
std::map<std::string, std::vector<std::vector<double>>> sections(const std::filesystem::path& file) {
    std::map<std::string, std::vector<std::vector<double>>> out;
    std::ifstream in(file);
    std::string line, section;
    std::getline(in, line);  // the title
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::vector<double> numbers;
        std::string word;
        while (words >> word && (word[0] == '-' || std::isdigit(static_cast<unsigned char>(word[0])) != 0)) {
            numbers.push_back(std::stod(word));
        }
        if (!numbers.empty()) {
            out[section].push_back(numbers);
        } else if (!word.empty()) {
            section = word;
        }
    }
    return out;
}

TEST(LammpsData, KeepsEveryBitAndSweepsThroughSpace) {
    const tests::TemporaryFolder folder;
    output::write_lammps_data(folder / "state.data", two_layers());
    auto found = sections(folder / "state.data");
    EXPECT_EQ(found["Atoms"], (std::vector<std::vector<double>>{{10, 2, 0.1, 1000, 2.5, 0.3, 1.0 / 7},
                                                                {7, 1, 0.2, 2500, -0.5, 1.0 / 3, 0.9},
                                                                {5, 1, 0.2, 2500, 2.5, 1.0 / 3, 0.9}}));
    EXPECT_EQ(found["Velocities"],
              (std::vector<std::vector<double>>{
                  {10, 0, 0, 0, 0, 0, 0}, {7, 1.0 / 3, -2, 1e-17, 0, 5.0 / 7, -1}, {5, 0, 0, 0, 0, 0, 0}}));
}

TEST(LammpsData, TheBoxIsTheDomainWherePeriodicAndHoldsTheGrainsElsewhere) {
    const tests::TemporaryFolder folder;
    output::write_lammps_data(folder / "state.data", two_layers());
    auto header = sections(folder / "state.data")[""];
    ASSERT_EQ(header.size(), 5U);
    EXPECT_EQ(header[0], std::vector<double>{3});
    EXPECT_EQ(header[1], std::vector<double>{2});
    EXPECT_EQ(header[2], (std::vector<double>{-1, 3}));
    EXPECT_EQ(header[3], (std::vector<double>{0, 2}));
    EXPECT_LT(header[4][0], 1.0 / 7);
    EXPECT_GT(header[4][0], -5);
    EXPECT_GT(header[4][1], 0.9 + 1);
    EXPECT_LT(header[4][1], 50);
}

}  // namespace
}  // namespace talus::test
