// Whoever looks at a run changes no bit of it; what a viewer changes on purpose is recorded, and the same changes at
// the same steps give the same run.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "hard_stages.h"
#include "restart/same_run.h"
#include "small_hopper.h"
#include "talus/base/diagnostics.h"
#include "talus/output/manifest.h"
#include "talus/server/exchange.h"
#include "talus/simulation/live_view.h"
#include "temporary_folder.h"

namespace talus {
namespace {

using simulation::Json;
using simulation::LiveView;
using RunOfATest = simulation::Run;
using simulation::RunOptions;
using simulation::RunResult;

/// A viewer without a browser: holds the run up from the start, gives a command with every picture, the last of which
/// lets it go, and looks on until it is told to leave.
class Viewer {
public:
    Viewer(server::Exchange& exchange, std::vector<Json> commands)
        : exchange_(exchange), commands_(std::move(commands)) {
        exchange_.enter();
        exchange_.command({1, {{"type", "pause"}}});
        thread_ = std::thread([this] { look(); });
    }
    ~Viewer() { leave(); }
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;
    void leave() {
        left_.store(true);
        if (thread_.joinable()) {
            thread_.join();
        }
    }
    int pictures() const { return pictures_.load(); }

private:
    void look() {
        server::Request request;
        request.viewer = 1;
        const std::vector<std::string> fields = {"speed", "coordination", "stress", "force", "nonsense"};
        std::size_t command = 0;
        while (!left_.load()) {
            request.field = fields[static_cast<std::size_t>(pictures_.load()) % fields.size()];
            request.chains = pictures_.load() % 2 == 1;
            exchange_.ask(request);
            if (command < commands_.size()) {
                exchange_.command({1, commands_[command++]});
            }
            while (!left_.load()) {
                if (const auto picture = exchange_.take_picture(1).picture) {
                    EXPECT_TRUE(picture->fields.contains(request.field));
                    ++pictures_;
                    break;
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }
        exchange_.leave(1);
    }

    server::Exchange& exchange_;
    std::vector<Json> commands_;
    std::atomic<bool> left_{false};
    std::atomic<int> pictures_{0};
    std::thread thread_;
};

class Watched : public ::testing::Test {
protected:
    RunResult plain(scene::Scene scene, const std::string& name, const std::vector<output::Change>& replay = {}) {
        RunOptions options = tests::options(2);
        options.replay = replay;
        return RunOfATest(std::move(scene), folder_ / name, options).go();
    }
    RunResult watched(scene::Scene scene, const std::string& name, const std::vector<Json>& commands) {
        server::Exchange exchange;
        LiveView view(exchange, std::chrono::seconds(0));
        Viewer viewer(exchange, commands);
        RunOptions options = tests::options(2);
        options.view = &view;
        RunResult result = RunOfATest(std::move(scene), folder_ / name, options).go();
        viewer.leave();
        EXPECT_GT(viewer.pictures(), 0);
        return result;
    }
    tests::TemporaryFolder folder_;
};

const std::vector<Json> hold_up = {{{"type", "step"}, {"count", 3}},
                                   {{"type", "step"}},
                                   {{"type", "unheard of"}},
                                   {{"type", "change"}, {"what", {{"gravity", "up"}}}},
                                   {{"type", "speed"}, {"factor", 1.0}},
                                   {{"type", "resume"}},
                                   {{"type", "speed"}}};

TEST_F(Watched, ASoftRunHasTheSameBits) {
    const auto scene = [] { return tests::small_hopper(300, 0.03, 0.03); };
    const RunResult expected = plain(scene(), "plain");
    tests::expect_same_run(watched(scene(), "watched", hold_up), folder_ / "watched", expected, folder_ / "plain");
}

TEST_F(Watched, AHardRunHasTheSameBits) {
    const RunResult expected = plain(tests::hard_stages("ballistic"), "plain");
    tests::expect_same_run(watched(tests::hard_stages("ballistic"), "watched", hold_up), folder_ / "watched", expected,
                           folder_ / "plain");
}

TEST_F(Watched, WhatWasChangedCanBeRepeated) {
    const auto scene = [] { return tests::small_hopper(300, 0.03, 0.03); };
    const RunResult unchanged = plain(scene(), "unchanged");
    const RunResult changed =
        watched(scene(), "changed",
                {{{"type", "step"}, {"count", 300}},
                 {{"type", "change"}, {"what", {{"gravity", {1.0, 0.0, -5.0}}}}},
                 {{"type", "step"}, {"count", 100}},
                 {{"type", "change"}, {"what", {{"wall", "barrel"}, {"velocity", {0.1, 0.0, 0.0}}, {"spin", 3.0}}}},
                 {{"type", "change"}, {"what", {{"between", {"grain", "steel"}}, {"friction", 0.7}}}},
                 {{"type", "resume"}}});
    ASSERT_EQ(changed.manifest.changes.size(), 3U);
    EXPECT_GT(changed.manifest.changes[1].step, 0);
    EXPECT_NE(changed.manifest.state_hash, unchanged.manifest.state_hash);
    const output::Manifest kept = output::read_manifest(output::manifest_path(folder_ / "changed"));
    const RunResult again = plain(scene(), "again", kept.changes);
    tests::expect_same_run(again, folder_ / "again", changed, folder_ / "changed");
}

TEST_F(Watched, ARepeatedRunCanBeStoppedAndResumed) {
    const auto scene = [] { return tests::small_hopper(100, 0.02, 0.02); };
    const double step = scene().system.clock.step;
    const std::vector<output::Change> changes = {{100, 100 * step, R"({"gravity":[0,0,-1]})"},
                                                 {400, 400 * step, R"({"gravity":[0,0,-20]})"}};
    const RunResult expected = plain(scene(), "whole", changes);
    ASSERT_EQ(expected.manifest.changes.size(), 2U);
    EXPECT_EQ(expected.manifest.changes[1].step, 400);
    RunOptions options = tests::options(2);
    options.replay = changes;
    options.stop_after = 250;
    EXPECT_FALSE(RunOfATest(scene(), folder_ / "parts", options).go().finished);
    options.stop_after.reset();
    const RunResult result = RunOfATest::resume(folder_ / "parts", options)->go();
    EXPECT_EQ(result.manifest.changes.size(), 2U);
    tests::expect_same_run(result, folder_ / "parts", expected, folder_ / "whole");
    // The run has kept what is still to be repeated: nobody need name it again.
    options.stop_after = 250;
    EXPECT_FALSE(RunOfATest(scene(), folder_ / "kept", options).go().finished);
    const RunResult kept = RunOfATest::resume(folder_ / "kept", tests::options(2))->go();
    EXPECT_EQ(kept.manifest.changes.size(), 2U);
    tests::expect_same_run(kept, folder_ / "kept", expected, folder_ / "whole");
}

TEST_F(Watched, AChangeFromThePageTakesNothingFromARepeatedRun) {
    const auto scene = [] { return tests::small_hopper(100, 0.02, 0.02); };
    server::Exchange exchange;
    LiveView view(exchange, std::chrono::seconds(0));
    exchange.enter();
    exchange.command({1, {{"type", "change"}, {"what", {{"gravity", {0.0, 0.0, -3.0}}}}}});
    RunOptions options = tests::options(2);
    options.view = &view;
    options.replay = {{100, 0, R"({"gravity":[0,0,-1]})"}, {400, 0, R"({"gravity":[0,0,-20]})"}};
    RunOfATest run(scene(), folder_ / "both", options);
    std::thread leaving([&] { exchange.leave(1); });
    const RunResult result = run.go();
    leaving.join();
    ASSERT_EQ(result.manifest.changes.size(), 3U);
    EXPECT_EQ(result.manifest.changes[1].step, 100);
    EXPECT_EQ(result.manifest.changes[2].step, 400);
}

TEST_F(Watched, AChangeThatCannotBeRepeatedFailsTheRunInWords) {
    for (const char* what : {R"({"wall":"nowhere"})", R"({"between":["grain"],"friction":1})"}) {
        RunOptions options = tests::options(2);
        options.overwrite = true;
        options.replay = {{100, 0, what}};
        RunOfATest run(tests::small_hopper(50, 0.01, 0.01), folder_ / "wrong", options);
        try {
            run.go();
            FAIL() << what;
        } catch (const base::RunError& fault) {
            EXPECT_NE(std::string(fault.what()).find("--replay: the change at step 100"), std::string::npos);
        }
        EXPECT_EQ(output::read_manifest(output::manifest_path(folder_ / "wrong")).status, "failed");
    }
}

TEST_F(Watched, WhatWasSaidAfterTheCheckpointIsSaidOnce) {
    const auto scene = [] { return tests::small_hopper(50, 0.01, 0.01); };
    RunOptions options = tests::options(2);
    options.replay = {{10, 0, R"({"gravity":[0,0,-1]})"}, {200, 0, R"({"wall":"nowhere"})"}};
    RunOfATest run(scene(), folder_ / "crashed", options);
    EXPECT_THROW(run.go(), base::RunError);
    options.replay = {{10, 0, R"({"gravity":[0,0,-1]})"}};
    const RunResult result = RunOfATest::resume(folder_ / "crashed", options)->go();
    int said = 0;
    for (const output::Event& event : result.manifest.events) {
        said += event.text.find("gravity") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(said, 1);
}

TEST_F(Watched, AFailedRunIsToldToItsViewers) {
    server::Exchange exchange;
    LiveView view(exchange, std::chrono::seconds(0));
    exchange.enter();
    RunOptions options = tests::options(2);
    options.view = &view;
    options.replay = {{10, 0, R"({"wall":"nowhere"})"}};
    RunOfATest run(tests::small_hopper(50, 0.01, 0.01), folder_ / "failed", options);
    EXPECT_THROW(run.go(), base::RunError);
    EXPECT_NE(exchange.notice(server::Topic::state).message->head.find("failed"), std::string::npos);
    EXPECT_NE(exchange.notice(server::Topic::events).message->head.find("nowhere"), std::string::npos);
}

TEST_F(Watched, AViewerWhoVanishesWhileTheRunIsPausedDoesNotStopIt) {
    server::Exchange exchange;
    LiveView view(exchange, std::chrono::milliseconds(20));
    exchange.enter();
    exchange.command({1, {{"type", "pause"}}});
    RunOptions options = tests::options(2);
    options.view = &view;
    RunOfATest run(tests::small_hopper(100, 0.01, 0.01), folder_ / "alone", options);
    std::thread viewer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        exchange.leave(1);
    });
    const RunResult result = run.go();
    EXPECT_TRUE(result.finished);
    viewer.join();
    EXPECT_GT(view.rested_seconds(), 0);
    EXPECT_TRUE(result.manifest.timings.contains("view"));
}

}  // namespace
}  // namespace talus
