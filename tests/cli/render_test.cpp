// `talus render` as a person uses it: pictures, movies, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "program.h"

namespace talus::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Render : public CommandLine {
protected:
    void SetUp() override {
#ifndef TALUS_HAS_RENDER
        GTEST_SKIP() << "built without Embree, libpng or FreeType";
#endif
        CommandLine::SetUp();
        ASSERT_EQ(call({"run", "small.toml", "--threads", "1", "--out", "run"}).code, 0);
    }
    Outcome render(std::vector<std::string> more, const std::string& out = "p.png") const {
        std::vector<std::string> all = {"render", "run", "--size", "64x48", "-o", out};
        all.insert(all.end(), more.begin(), more.end());
        return call(all);
    }
    std::string picture(const std::vector<std::string>& more) const {
        const Outcome outcome = render(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read_file(folder() / "p.png");
    }
};

bool has_ffmpeg() {
    return std::system("ffmpeg -version > /dev/null 2>&1") == 0;
}

TEST_F(Render, TheSameInputIsTheSameBytes) {
    const std::string once = picture({"--threads", "1"});
    EXPECT_EQ(once.substr(1, 3), "PNG");
    EXPECT_EQ(picture({"--threads", "2"}), once);
    EXPECT_EQ(picture({"--frame", "-1"}), once);
    EXPECT_EQ(call({"render", "run/frames/000002.h5", "--size", "64x48", "-o", "q.png"}).code, 0);
    EXPECT_EQ(read_file(folder() / "q.png"), once);
}

TEST_F(Render, EveryOptionMakesAnotherPicture) {
    // A wall that is to be seen, of another size than the grains are spread.
    const std::string plate =
        "[[walls]]\nname = \"plate\"\nmaterial = \"steel\"\nshape = { rectangle = { corner = "
        "[0.06, 0, 0], edge1 = [0, 0.1, 0], edge2 = [0, 0, 0.1] } }\n";
    write("walled.toml", small_scene() + plate);
    ASSERT_EQ(call({"run", "walled.toml", "--threads", "1", "--out", "run", "--overwrite"}).code, 0);
    const std::string plain = picture({});
    std::vector<std::string> seen = {plain};
    const std::vector<std::vector<std::string>> cases = {{"--frame", "0"},
                                                         {"--colour-by", "speed"},
                                                         {"--color-by", "velocity.z"},
                                                         {"--colour-by", "material"},
                                                         {"--colour-by", "age"},
                                                         {"--colour-by", "id", "--map", "sea"},
                                                         {"--colour-by", "id", "--range", "0:4"},
                                                         {"--style", "wire"},
                                                         {"--forces"},
                                                         {"--grains", "0.4"},
                                                         {"--cut", "x<middle"},
                                                         {"--camera", "iso"},
                                                         {"--camera", "70,40"},
                                                         {"--eye", "0.2,-0.3,0.1", "--target", "0.02,0.02,0.02"},
                                                         {"--parallel"},
                                                         {"--zoom", "2"},
                                                         {"--follow", "3"},
                                                         {"--stereo", "pair"},
                                                         {"--stereo", "anaglyph"},
                                                         {"--background", "#203040"},
                                                         {"--bare"},
                                                         {"--no-ground"},
                                                         {"--colour-by", "spin"},
                                                         {"--colour-by", "size"},
                                                         {"--colour-by", "height"},
                                                         {"--style", "wire", "--colour-by", "speed"},
                                                         {"--hide", "plate"},
                                                         {"--walls", "0.3"},
                                                         {"--camera", "follow"},
                                                         {"--view-angle", "50"},
                                                         {"--samples", "2"}};
    for (const std::vector<std::string>& options : cases) {
        const std::string other = picture(options);
        EXPECT_THAT(seen, ::testing::Not(::testing::Contains(other))) << options[0] << " changes nothing";
        seen.push_back(other);
    }
}

TEST_F(Render, BadInputIsNamedAndNothingIsWritten) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--colour-by", "sped"}, "no field \"sped\"; did you mean \"speed\"?"},
        {{"--frame", "7"}, "there is no frame 7; there are frames 0 to 2"},
        {{"--frames", "0:-1"}, "3 frames make a movie, which ends in .mp4"},
        {{"--map", "duk", "--colour-by", "speed"}, "did you mean \"dusk\"?"},
        {{"--camera", "frnt"}, "did you mean \"front\"?"},
        {{"--hide", "flor"}, "did you mean \"floor\"?"},
        {{"--cut", "y"}, "expected what is to go"},
        {{"--eye", "1,2,3"}, "needs both --eye and --target"},
        {{"--follow", "99"}, "no grain 99"},
        {{"--colour-by", "id", "--range", "2:1"}, "the low end is not below"},
        {{"--colour-by", "id", "--range", "1:1.0000000000001"}, "too near to one another"},
        {{"--colour-by", "id", "--range", "0:inf"}, "\"0:inf\" is not two numbers"},
        {{"--background", "blue"}, "\"#rrggbb\""},
    };
    for (const auto& [options, message] : cases) {
        const Outcome outcome = render(options);
        EXPECT_EQ(outcome.code, 2) << message;
        EXPECT_THAT(outcome.err, HasSubstr(message));
    }
    EXPECT_EQ(render({}, "p.gif").code, 2);
    EXPECT_THAT(render({}, "p.gif").err, HasSubstr("a picture ends in .png, a movie in .mp4"));
    EXPECT_THAT(render({}, "no/p.png").err, HasSubstr("cannot write into no"));
    for (const std::string size : {"100.7x50", "100", "100x", "8x8"}) {
        const Outcome outcome = call({"render", "run", "--size", size, "-o", "p.png"});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("--size: ")) << size;
    }
    fs::create_directory(folder() / "empty");
    const Outcome empty = call({"render", "empty", "-o", "p.png"});
    EXPECT_EQ(empty.code, 2);
    EXPECT_THAT(empty.err, HasSubstr("holds no frames"));
    EXPECT_EQ(call({"render", "small.toml", "-o", "p.png"}).code, 2);
    EXPECT_FALSE(fs::exists(folder() / "p.png"));
}

TEST_F(Render, OptionsThatWouldDoNothingAreRefused) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--map", "sea"}, "--map: nothing is coloured by a number"},
        {{"--range", "0:1"}, "--range: nothing is coloured by a number"},
        {{"--range", "0:1", "--colour-by", "material"}, "--range: nothing is coloured by a number"},
        {{"--turntable", "4"}, "--turntable makes a movie, which ends in .mp4"},
        {{"--rate", "10"}, "--rate is for movies, which end in .mp4"},
        {{"--up", "0,1,0"}, "--up is for a camera by --eye and --target"},
        {{"--camera", "top", "--eye", "0,0,1", "--target", "0,0,0"}, "give one of them"},
        {{"--forces", "--colour-by", "speed"}, "these are not drawn; with --forces give --grains 0.3 too"},
    };
    for (const auto& [options, message] : cases) {
        const Outcome outcome = render(options);
        EXPECT_EQ(outcome.code, 2) << message;
        EXPECT_THAT(outcome.err, HasSubstr(message));
    }
    EXPECT_FALSE(fs::exists(folder() / "p.png"));
    EXPECT_EQ(render({"--forces", "--colour-by", "speed", "--grains", "0.3"}).code, 0);
}

TEST_F(Render, ForcesThatWereNotStoredAreMissed) {
    ASSERT_EQ(call({"run", "small.toml", "--threads", "1", "--out", "run", "--overwrite", "--set",
                    "output.contacts=false", "--set", "contacts[0].restitution=0.1", "--set", "time.end=0.1"})
                  .code,
              0);
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--forces"}, {"--colour-by", "force"}}) {
        const Outcome outcome = render(options);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("holds no contact forces; run the scene with output.contacts = true"));
    }
}

TEST_F(Render, AgesDoNotDependOnHowAFrameIsNamed) {
    const std::string frame = (folder() / "run/frames/000002.h5").string();
    const auto aged = [&](const std::string& name, const fs::path& from) {
        const std::string out = (folder() / "age.png").string();
        EXPECT_EQ(talus({"render", name, "--size", "64x48", "--colour-by", "age", "-o", out}, from).code, 0);
        return read_file(out);
    };
    const std::string whole = aged(frame, folder());
    EXPECT_EQ(aged("./000002.h5", folder() / "run/frames"), whole);
    EXPECT_EQ(aged("000002.h5", folder() / "run/frames"), whole);
    EXPECT_EQ(aged("run/../run/frames/000002.h5", folder()), whole);
}

TEST_F(Render, FewerThreadsThanCoresWillDo) {
    const std::string plain = picture({});
    for (const char* threads : {"", "7"}) {
        std::vector<std::string> words = {"render", "run", "--size", "64x48", "-o", "t.png"};
        if (*threads != 0) {
            words.insert(words.end(), {"--threads", threads});
        }
        const auto limited = [] { ::setenv("OMP_THREAD_LIMIT", "1", 1); };
        const Outcome outcome = Process(talus_command(words), folder(), limited).wait();
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read_file(folder() / "t.png"), plain);
    }
}

TEST_F(Render, ALookStraightDownNeedsNoUp) {
    const Outcome outcome = render({"--eye", "0.02,0.02,0.5", "--target", "0.02,0.02,0"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Render, MoviesAreMadeByFfmpegInOnePiece) {
    if (!has_ffmpeg()) {
        GTEST_SKIP() << "no ffmpeg";
    }
    const Outcome movie = render({"--colour-by", "speed"}, "m.mp4");
    EXPECT_EQ(movie.code, 0) << movie.err;
    EXPECT_THAT(movie.out, HasSubstr("wrote m.mp4 (3 pictures)"));
    const std::string bytes = read_file(folder() / "m.mp4");
    EXPECT_EQ(bytes.substr(4, 4), "ftyp");
    ASSERT_EQ(render({"--colour-by", "speed", "--threads", "2"}, "n.mp4").code, 0);
    EXPECT_EQ(read_file(folder() / "n.mp4"), bytes);
    const Outcome turn = render({"--turntable", "0.2"}, "t.mp4");
    EXPECT_THAT(turn.out, HasSubstr("(5 pictures)")) << turn.err;
    EXPECT_EQ(call({"render", "run", "--size", "63x48", "-o", "odd.mp4"}).code, 2);
    EXPECT_EQ(render({"--frame", "1"}, "one.mp4").code, 2);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder())) {
        EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    }
}

TEST_F(Render, MoviesMayHaveOddNamesAndFollowGrains) {
    if (!has_ffmpeg()) {
        GTEST_SKIP() << "no ffmpeg";
    }
    for (const std::string name : {"a:b.mp4", "-m.mp4"}) {
        const Outcome outcome =
            call({"render", "run", "--size", "64x48", "--follow", "3", "--turntable", "1", "--out=" + name});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read_file(folder() / name).substr(4, 4), "ftyp");
    }
}

TEST_F(Render, AStoppedMovieLeavesNothing) {
    if (!has_ffmpeg()) {
        GTEST_SKIP() << "no ffmpeg";
    }
    for (const int signal : {SIGINT, SIGTERM}) {
        Process process(talus_command({"render", "run", "--size", "64x48", "--turntable", "1000", "-o", "m.mp4"}),
                        folder());
        ASSERT_TRUE(process.wait_for([&] { return fs::exists(folder() / "m.mp4.tmp"); }));
        process.signal(signal);
        const Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 4) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("stopped; nothing was written"));
        EXPECT_FALSE(fs::exists(folder() / "m.mp4.tmp"));
        EXPECT_FALSE(fs::exists(folder() / "m.mp4"));
    }
}

TEST_F(Render, AMovieWithoutFfmpegIsRefused) {
    const auto without = [] { ::setenv("PATH", "/nowhere", 1); };
    const Outcome outcome =
        Process(talus_command({"render", "run", "--size", "64x48", "-o", "m.mp4"}), folder(), without).wait();
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("movies need ffmpeg"));
    EXPECT_FALSE(fs::exists(folder() / "m.mp4"));
}

TEST_F(Render, AnFfmpegThatFailsLeavesNothing) {
    write("ffmpeg", "#!/bin/sh\necho no such codec >&2\nexit 1\n");
    fs::permissions(folder() / "ffmpeg", fs::perms::owner_all);
    const std::string path = folder().string();
    const auto broken = [&path] { ::setenv("PATH", path.c_str(), 1); };
    const Outcome outcome =
        Process(talus_command({"render", "run", "--size", "64x48", "-o", "m.mp4"}), folder(), broken).wait();
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("ffmpeg failed to make m.mp4"), HasSubstr("no such codec")));
    EXPECT_FALSE(fs::exists(folder() / "m.mp4"));
    EXPECT_FALSE(fs::exists(folder() / "m.mp4.tmp"));
}

}  // namespace
}  // namespace talus::tests
