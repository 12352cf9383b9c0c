// What tests of resumed runs share: options, files as text, and frames that must be the same, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "talus/output/frame.h"
#include "talus/output/run_folder.h"
#include "talus/simulation/run.h"

namespace talus::tests {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline simulation::RunOptions options(int threads) {
    simulation::RunOptions options;
    options.simulation.threads = threads;
    return options;
}

inline void expect_same_frames(const fs::path& a, const fs::path& b) {
    const auto frames_a = output::list_frames(a);
    const auto frames_b = output::list_frames(b);
    ASSERT_EQ(frames_a.size(), frames_b.size());
    for (std::size_t k = 0; k < frames_a.size(); ++k) {
        const output::FrameFile x = output::read_frame(frames_a[k]);
        const output::FrameFile y = output::read_frame(frames_b[k]);
        ASSERT_EQ(x.step, y.step);
        ASSERT_EQ(x.id, y.id);
        ASSERT_EQ(x.contacts.size(), y.contacts.size());
        for (std::size_t i = 0; i < x.id.size(); ++i) {
            ASSERT_TRUE(x.position[i] == y.position[i] && x.velocity[i] == y.velocity[i] && x.spin[i] == y.spin[i]);
        }
        for (std::size_t c = 0; c < x.contacts.size(); ++c) {
            ASSERT_TRUE(x.contacts[c].force == y.contacts[c].force);
        }
    }
}

inline void expect_same_run(const simulation::RunResult& result, const fs::path& folder,
                            const simulation::RunResult& expected, const fs::path& other) {
    ASSERT_TRUE(result.finished);
    EXPECT_EQ(result.manifest.state_hash, expected.manifest.state_hash);
    EXPECT_EQ(result.manifest.steps, expected.manifest.steps);
    EXPECT_EQ(result.manifest.result, expected.manifest.result);
    EXPECT_EQ(result.impacts, expected.impacts);
    EXPECT_EQ(contents(output::series_path(folder)), contents(output::series_path(other)));
    expect_same_frames(folder, other);
}

}  // namespace talus::tests
