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
    exchange.answer(1, std::make_shared<Picture>());
    EXPECT_EQ(woken, 1);
    EXPECT_FALSE(exchange.is_asked());
    EXPECT_TRUE(exchange.requests().empty());
    EXPECT_NE(exchange.take_picture(1), nullptr);
    EXPECT_EQ(exchange.take_picture(1), nullptr);
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
    exchange.answer(1, std::make_shared<Picture>());
    EXPECT_EQ(exchange.take_picture(1), nullptr);
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
    EXPECT_NE(exchange.notice(Topic::state).message->find("true"), std::string::npos);
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
    for (int i = 0; i < 1000; ++i) {
        thinning.took(0.15);  // neither slow nor quick: it stays
    }
    EXPECT_EQ(thinning.one_in(), Thinning::most);
    for (int i = 0; i < 6 * Thinning::enough; ++i) {
        thinning.took(0.01);
    }
    EXPECT_EQ(thinning.one_in(), 1U);
}

}  // namespace
}  // namespace talus::server
