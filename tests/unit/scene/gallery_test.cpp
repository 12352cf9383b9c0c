// Every scene of the gallery is sound, and stays the same when its text as run is read again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "talus/model/system.h"
#include "talus/scene/scene.h"

namespace talus::scene {
namespace {

TEST(Gallery, ScenesAreSoundAndSurviveBeingWrittenAnew) {
    const std::filesystem::path folder = std::filesystem::path(TALUS_SOURCE_DIR) / "scenes";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    ASSERT_FALSE(files.empty());
    for (const std::filesystem::path& file : files) {
        try {
            const Scene scene = load(file, {"checks.overlap_limit=0.5"});  // an override has the text written anew
            EXPECT_GT(scene.system.bodies.size(), 0U) << file;
            const Scene again = load_text(scene.text, "again", {}, file.parent_path());
            EXPECT_EQ(model::state_hash(again.system), model::state_hash(scene.system)) << file;
            EXPECT_EQ(again.plan.stages.size(), scene.plan.stages.size()) << file;
        } catch (const base::InputError& error) {
            ADD_FAILURE() << error.what();
        }
    }
}

}  // namespace
}  // namespace talus::scene
