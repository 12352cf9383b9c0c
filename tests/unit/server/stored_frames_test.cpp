// A folder of frames that is not as it should be, or changes while somebody looks.
#include "talus/server/stored_frames.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "talus/output/atomic_file.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/server/stored_run.h"
#include "temporary_folder.h"

namespace talus::server {
namespace {

class Stored : public ::testing::Test {
protected:
    Stored() {
        output::make_folder(folder_ / "frames");
        request_.viewer = 1;
        exchange_.enter();
    }
    /// A frame of so many grains.
    void write(std::int64_t number, int grains) const {
        model::System system;
        system.materials.list = {{"glass", 2500}};
        system.materials.pair_law.resize(1);
        for (int i = 0; i < grains; ++i) {
            system.bodies.add_sphere(i, {0.03 * i, 0, 0}, 0.01, 2500, 0);
        }
        output::write_frame(output::frame_path(folder_.path(), number), {system, "grains", {}, {}});
    }
    /// What the viewer gets for `frame`; null: nothing new.
    std::shared_ptr<const Picture> look(StoredFrames& frames, std::int64_t frame) {
        request_.frame = frame;
        ++request_.version;
        exchange_.ask(request_);
        frames.show(exchange_, exchange_.requests());
        auto picture = exchange_.take_picture(1).picture;
        request_.seen = picture ? picture->identity : request_.seen;
        return picture;
    }
    static std::size_t grains(const std::shared_ptr<const Picture>& picture) { return picture->population->id.size(); }

    tests::TemporaryFolder folder_;
    Exchange exchange_;
    Request request_;
};

TEST_F(Stored, GapsAreNoGapsAndBeyondTheLastIsTheLast) {
    write(0, 1);
    write(5, 2);
    write(9, 3);
    StoredFrames frames(folder_.path());
    EXPECT_EQ(frames.count(), 3);
    EXPECT_EQ(grains(look(frames, 1)), 2U);
    EXPECT_EQ(grains(look(frames, 100)), 3U);
    EXPECT_EQ(grains(look(frames, 0)), 1U);
    EXPECT_EQ(grains(look(frames, -1)), 3U);
    EXPECT_EQ(look(frames, -1), nullptr);  // seen
}

TEST_F(Stored, AFrameThatCannotBeReadSaysSoAndNobodyWaits) {
    write(0, 1);
    std::ofstream(output::frame_path(folder_.path(), 1)) << "no frame";
    StoredFrames frames(folder_.path());
    const auto picture = look(frames, -1);
    ASSERT_NE(picture, nullptr);
    EXPECT_NE(picture->fault.find("000001.h5"), std::string::npos);
    EXPECT_EQ(picture->frame, 1);
    EXPECT_EQ(grains(picture), 0U);
    EXPECT_TRUE(exchange_.requests().empty());
    EXPECT_EQ(grains(look(frames, 0)), 1U);
}

TEST_F(Stored, AFrameThatWasReplacedIsNew) {
    write(0, 1);
    StoredFrames frames(folder_.path());
    EXPECT_EQ(grains(look(frames, 0)), 1U);
    write(0, 4);
    std::filesystem::last_write_time(output::frame_path(folder_.path(), 0),
                                     std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
    const auto picture = look(frames, 0);
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(grains(picture), 4U);
}

TEST_F(Stored, TheLastTwoFramesAreReadOnce) {
    write(0, 1);
    write(1, 2);
    StoredFrames frames(folder_.path());
    const auto* first = &frames.read(0);
    frames.read(1);
    EXPECT_EQ(&frames.read(0), first);
}

TEST_F(Stored, AFolderThatIsEmptiedAndFilledAgainIsShownToTheEnd) {
    write(0, 1);
    const auto manifest = [&](const std::string& started) {
        output::Manifest out;
        out.started = started;
        out.status = "finished";
        out.events = {{0.5, "said of " + started}};
        output::write_manifest(output::manifest_path(folder_.path()), out);
    };
    const auto series = [&](const std::string& text) { std::ofstream(output::series_path(folder_.path())) << text; };
    manifest("first");
    series("time,x\n0,1\n1,2\n");
    std::atomic<bool> stop{false};
    std::thread shown([&] { show_run(exchange_, folder_.path(), stop); });
    const auto until = [](const auto& condition) {
        while (!condition()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    };
    const auto says = [&](Topic topic, const char* text) {
        const Notice notice = exchange_.notice(topic);
        return notice.message && notice.message->head.find(text) != std::string::npos;
    };
    until([&] { return exchange_.series(0, 0).rows == 2 && says(Topic::events, "said of first"); });
    std::filesystem::remove(output::frame_path(folder_.path(), 0));
    std::filesystem::remove(output::manifest_path(folder_.path()));
    series("no table\n\"");
    until([&] { return says(Topic::state, "\"frames\":0") && says(Topic::state, "stored"); });
    series("time,y\n0,1\n");
    manifest("second");
    write(0, 3);
    until([&] { return exchange_.series(0, 0).rows == 1 && says(Topic::events, "said of second"); });
    exchange_.ask(request_);
    std::shared_ptr<const Picture> picture;
    until([&] { return (picture = exchange_.take_picture(1).picture) != nullptr; });
    EXPECT_EQ(grains(picture), 3U);
    stop.store(true);
    shown.join();
}

}  // namespace
}  // namespace talus::server
