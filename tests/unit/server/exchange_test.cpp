#include "talus/server/exchange.h"

#include <gtest/gtest.h>

#include "talus/server/thinning.h"

namespace talus::server {
namespace {

TEST(Exchange, ARequestWaitsUntilItIsAnsweredOnce) {
    Exchange exchange;
    int woken = 0;
    exchange.on_news([&] { ++woken; });
    exchange.enter();
    EXPECT_TRUE(exchange.is_watched());
    EXPECT_FALSE(exchange.is_asked());
    Request request;
    request.viewer = 1;
    exchange.ask(request);
    EXPECT_TRUE(exchange.is_asked());
    EXPECT_EQ(exchange.requests().size(), 1U);
    EXPECT_EQ(exchange.requests().size(), 1U);
    exchange.answer(request, std::make_shared<Picture>());
    EXPECT_EQ(woken, 1);
    EXPECT_FALSE(exchange.is_asked());
    EXPECT_TRUE(exchange.requests().empty());
    EXPECT_NE(exchange.take_picture(1).picture, nullptr);
    EXPECT_EQ(exchange.take_picture(1).picture, nullptr);
}

TEST(Exchange, ARequestThatWasReplacedMeanwhileStaysToBeAnswered) {
    Exchange exchange;
    exchange.enter();
    Request first;
    first.viewer = 1;
    exchange.ask(first);
    Request second = first;
    second.version = 1;
    exchange.ask(second);
    exchange.answer(first, std::make_shared<Picture>());
    EXPECT_EQ(exchange.take_picture(1).version, 0U);
    EXPECT_TRUE(exchange.is_asked());
    ASSERT_EQ(exchange.requests().size(), 1U);
    EXPECT_EQ(exchange.requests()[0].version, 1U);
}

TEST(Exchange, WhoWaitsForAStoredFrameDoesNotAskTheRun) {
    Exchange exchange;
    exchange.enter();
    Request request;
    request.viewer = 1;
    request.frame = 7;
    exchange.ask(request);
    EXPECT_FALSE(exchange.is_asked());
    EXPECT_TRUE(exchange.is_asked_for_frames());
    exchange.command({1, {{"type", "pause"}}});
    EXPECT_TRUE(exchange.is_asked());
    exchange.take_commands();
    EXPECT_FALSE(exchange.is_asked());
    exchange.answer(request, std::make_shared<Picture>());
    EXPECT_FALSE(exchange.is_asked_for_frames());
}

TEST(Exchange, WhoeverLeavesIsForgotten) {
    Exchange exchange;
    exchange.enter();
    Request request;
    request.viewer = 1;
    exchange.ask(request);
    exchange.leave(1);
    EXPECT_FALSE(exchange.is_watched());
    EXPECT_TRUE(exchange.requests().empty());
    exchange.answer(request, std::make_shared<Picture>());
    EXPECT_EQ(exchange.take_picture(1).picture, nullptr);
}

TEST(Exchange, CommandsComeInOrderAndNobodyFloodsTheOwner) {
    Exchange exchange;
    for (int i = 0; i < 1000; ++i) {
        exchange.command({1, {{"type", "step"}, {"count", i}}});
    }
    const std::vector<Command> commands = exchange.take_commands();
    ASSERT_EQ(commands.size(), 256U);
    EXPECT_EQ(commands[17].content.at("count"), 17);
    EXPECT_TRUE(exchange.take_commands().empty());
    EXPECT_FALSE(exchange.is_asked());
}

TEST(Exchange, OnlyTheLatestNoticeOfATopicCounts) {
    Exchange exchange;
    EXPECT_EQ(exchange.notice(Topic::state).version, 0U);
    exchange.post(Topic::state, plain_message({{"type", "state"}, {"paused", false}}));
    exchange.post(Topic::state, plain_message({{"type", "state"}, {"paused", true}}));
    EXPECT_EQ(exchange.notice(Topic::state).version, 2U);
    EXPECT_NE(exchange.notice(Topic::state).message->head.find("true"), std::string::npos);
}

TEST(SeriesBoard, HandsOutWhatIsNewAndStaysSmall) {
    SeriesBoard board;
    board.set_columns({"time", "x"});
    SeriesBoard::Part part = board.since(0, 0);
    EXPECT_NE(part.message, nullptr);
    for (int i = 0; i < 100; ++i) {
        board.add(std::vector<double>{0.1 * i, 1.0});
    }
    part = board.since(part.version, part.rows);
    EXPECT_EQ(part.rows, 100U);
    EXPECT_EQ(board.since(part.version, part.rows).message, nullptr);
    for (int i = 100; i < 100000; ++i) {
        board.add(std::vector<double>{0.1 * i, 1.0});
    }
    const SeriesBoard::Part later = board.since(part.version, part.rows);
    EXPECT_NE(later.version, part.version);
    EXPECT_LE(later.rows, 4096U);
    EXPECT_GE(later.rows, 2048U);
}

TEST(SeriesBoard, ARowOfAnotherLengthIsLeftOut) {
    SeriesBoard board;
    board.set_columns({"time", "x"});
    board.add(std::vector<double>{1.0});
    EXPECT_EQ(board.since(0, 0).rows, 0U);
}

TEST(Thinning, FollowsTheLine) {
    Thinning thinning;
    thinning.took(1.0);
    thinning.took(0.01);
    thinning.took(1.0);
    EXPECT_EQ(thinning.one_in(), 1U);  // slow by chance
    for (int i = 0; i < 6; ++i) {
        thinning.took(1.0);
    }
    EXPECT_EQ(thinning.one_in(), 4U);
    for (int i = 0; i < 1000; ++i) {
        thinning.took(1.0);
    }
    EXPECT_EQ(thinning.one_in(), Thinning::most);
    EXPECT_EQ(Thinning::one_in_at_rest(64, 0.01), 1U);
    EXPECT_EQ(Thinning::one_in_at_rest(64, 0.3), 4U);  // 0.3 s for one in 64: 4.8 s
    EXPECT_EQ(Thinning::one_in_at_rest(64, 3), 64U);
    for (int i = 0; i < 1000; ++i) {
        thinning.took(0.15);  // neither slow nor quick: it stays
    }
    EXPECT_EQ(thinning.one_in(), Thinning::most);
    for (int i = 0; i < 6 * Thinning::enough; ++i) {
        thinning.took(0.01);
    }
    EXPECT_EQ(thinning.one_in(), 1U);
}

TEST(Thinning, BeginsWithLittleAndGrowsAtOnceOnAQuickLine) {
    Thinning thinning;
    thinning.begin(200000);
    EXPECT_EQ(thinning.one_in(), 8U);
    EXPECT_LE(200000 / thinning.one_in() * Thinning::bytes_of_sphere, Thinning::first_message);
    thinning.took(0.01);
    thinning.begin(200000);  // later crowds begin nothing
    EXPECT_EQ(thinning.one_in(), 4U);
    thinning.took(0.4);  // slow by chance, perhaps
    EXPECT_EQ(thinning.one_in(), 4U);
    EXPECT_TRUE(thinning.is_unsure());
    thinning.took(0.2);
    EXPECT_EQ(thinning.one_in(), 2U);
    EXPECT_FALSE(thinning.is_unsure());
    for (int i = 0; i < Thinning::too_many; ++i) {
        thinning.took(0.4);  // more than the line bears
    }
    EXPECT_FALSE(thinning.is_unsure());
    thinning.took(0.01);
    EXPECT_EQ(thinning.one_in(), 4U);
    Thinning small;
    small.begin(30000);
    EXPECT_EQ(small.one_in(), 1U);
}

}  // namespace
}  // namespace talus::server
