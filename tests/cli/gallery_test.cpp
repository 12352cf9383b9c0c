// Every scene of the gallery ends with a picture and with curves, as `./dev run` makes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;

class Gallery : public CommandLine {
protected:
    static std::vector<fs::path> scenes() {
        std::vector<fs::path> out;
        for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(TALUS_SOURCE_DIR) / "scenes")) {
            if (entry.path().extension() == ".toml") {
                out.push_back(entry.path());
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    /// Runs a scene until its first frame and the first line of its series are there, and interrupts it.
    void begin(const fs::path& scene, const fs::path& out) const {
        Process process(talus_command({"run", scene.string(), "--threads", "1", "--quiet", "--out", out.string()}),
                        folder());
        const auto lines = [&] {
            const std::string text = read_file(out / "series.csv");
            return std::count(text.begin(), text.end(), '\n');
        };
        process.wait_for([&] { return fs::exists(out / "frames/000000.h5") && lines() > 1; });
        process.signal(SIGINT);
        const Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 4) << scene << outcome.err;
    }
    /// Whether it is a picture that is not all of one colour: those of this size are small files.
    static bool shows_something(const fs::path& png) {
        const std::string bytes = read_file(png);
        return bytes.substr(1, 3) == "PNG" && bytes.size() > 1500;
    }
};

TEST_F(Gallery, FullEverySceneEndsWithAPicture) {
#ifndef TALUS_HAS_RENDER
    GTEST_SKIP() << "built without Embree, libpng or FreeType";
#endif
    const bool has_matplotlib = std::system("/usr/bin/python3 -c 'import matplotlib' > /dev/null 2>&1") == 0;
    for (const fs::path& scene : scenes()) {
        const fs::path out = folder() / scene.stem();
        begin(scene, out);
        const fs::path picture = out / "picture.png";
        const Outcome drawn = call({"render", out.string(), "--frame", "50%", "--colour-by", "speed", "--size",
                                    "128x72", "-o", picture.string()});
        EXPECT_EQ(drawn.code, 0) << scene << drawn.err;
        EXPECT_TRUE(shows_something(picture)) << scene;
        if (has_matplotlib) {
            const Outcome plotted = call({"plot", out.string()});
            EXPECT_EQ(plotted.code, 0) << scene << plotted.err;
        }
    }
}

}  // namespace
}  // namespace talus::tests
