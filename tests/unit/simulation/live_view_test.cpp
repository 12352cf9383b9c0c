// The run's side of a live view, spoken to through its exchange as a server would.
#include "talus/simulation/live_view.h"

#include <gtest/gtest.h>

#include "hard_stages.h"
#include "small_hopper.h"
#include "talus/simulation/run.h"
#include "temporary_folder.h"

namespace talus::simulation {
namespace {

using RunOfATest = simulation::Run;

class Looking : public ::testing::Test {
protected:
    Looking() : run_(tests::small_hopper(50, 0.01, 0.01), folder_ / "run", {}), view_(exchange_) {
        view_.begin(run_.simulation(), folder_ / "run", {"time"});
        exchange_.enter();
        request_.viewer = 1;
    }
    void ask(std::int64_t frame) {
        request_.frame = frame;
        ++request_.version;
        exchange_.ask(request_);
    }
    std::shared_ptr<const server::Picture> attend() {
        view_.attend(run_.simulation());
        return exchange_.take_picture(1).picture;
    }
    void command(const Json& content) { exchange_.command({1, content}); }

    tests::TemporaryFolder folder_;
    RunOfATest run_;
    server::Exchange exchange_;
    LiveView view_;
    server::Request request_;
};

TEST_F(Looking, WhoWaitsForAStoredFrameHoldsUpNobody) {
    ask(0);
    EXPECT_EQ(attend(), nullptr);
    view_.stepped(100, 1e-4);  // a microsecond each
    EXPECT_EQ(view_.allowed_steps(run_.simulation(), 500), 500);
    command({{"type", "pause"}});
    const auto picture = attend();
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture->frame, 0);
}

TEST_F(Looking, AFrameThatIsNotThereIsTheLast) {
    command({{"type", "pause"}});
    ask(1000);
    const auto picture = attend();
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture->frame, 0);
    EXPECT_TRUE(exchange_.requests().empty());
}

TEST_F(Looking, APacedRunRestsAndItsPicturesAreFree) {
    command({{"type", "speed"}, {"factor", 1e-9}});
    ask(-1);
    ASSERT_NE(attend(), nullptr);
    int pictures = 0;
    ask(-1);
    for (int rests = 0; rests < 1000 && pictures < 3; ++rests) {
        EXPECT_EQ(view_.allowed_steps(run_.simulation(), 500), 0);
        view_.rest();
        if (attend() != nullptr) {
            ++pictures;
            ask(-1);
        }
    }
    EXPECT_EQ(pictures, 3);
    EXPECT_GT(view_.rested_seconds(), 0);
    EXPECT_GT(view_.seconds(), 0);
}

TEST_F(Looking, ThePaceHoldsWhileNobodyLooks) {
    command({{"type", "speed"}, {"factor", 1e-9}});
    view_.attend(run_.simulation());
    exchange_.leave(1);
    EXPECT_EQ(view_.allowed_steps(run_.simulation(), 500), 0);
}

TEST_F(Looking, APickedGrainTellsItsContacts) {
    request_.grain = run_.simulation().scene().system.bodies.id[7];
    ask(-1);
    const auto picture = attend();
    ASSERT_NE(picture, nullptr);
    for (const char* key : {"contacts", "load", "pressure", "net_force"}) {
        EXPECT_TRUE(picture->grains.at(request_.grain).contains(key)) << key;
    }
}

TEST_F(Looking, TheEndIsTold) {
    view_.end(run_.simulation(), "failed");
    EXPECT_NE(exchange_.notice(server::Topic::state).message->head.find("\"failed\""), std::string::npos);
}

TEST(LookingAtHardGrains, NoFieldIsOfferedThatNobodyKnows) {
    const tests::TemporaryFolder folder;
    server::Exchange exchange;
    LiveView view(exchange);
    RunOfATest run(tests::hard_stages("ballistic"), folder / "run", {});
    view.begin(run.simulation(), folder / "run", {"time"});
    const std::string greeting = exchange.notice(server::Topic::greeting).message->head;
    EXPECT_NE(greeting.find("\"speed\""), std::string::npos);
    EXPECT_EQ(greeting.find("\"stress\""), std::string::npos);
    EXPECT_EQ(greeting.find("\"force\""), std::string::npos);
}

}  // namespace
}  // namespace talus::simulation
