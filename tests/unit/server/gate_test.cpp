#include "talus/server/gate.h"

#include <gtest/gtest.h>

namespace talus::server {
namespace {

TEST(Gate, LoopbackNamesAloneAreKnownWithoutAToken) {
    const Gate gate("127.0.0.1", "");
    // A port that was forwarded has another number at the far end.
    for (const char* host :
         {"127.0.0.1:8377", "localhost:8377", "[::1]:8377", "localhost:9000", "127.0.0.1", "[::1]"}) {
        EXPECT_TRUE(gate.knows_host(host)) << host;
    }
    for (const char* host : {"", ":8377", "evil.example:8377", "localhost.evil.example", "localhost:8377.evil.example",
                             "127.0.0.1:8377 ", "[::1", "[::1]x", "evil.example:localhost"}) {
        EXPECT_FALSE(gate.knows_host(host)) << host;
    }
}

TEST(Gate, OnlyPagesFromHereMayOpenTheStream) {
    const Gate gate("127.0.0.1", "");
    EXPECT_TRUE(gate.knows_origin("http://localhost:8377", "localhost:8377"));
    EXPECT_TRUE(gate.knows_origin("https://localhost:8377", "localhost:8377"));
    for (const char* origin : {"", "null", "http://localhost:8378", "http://evil.example", "http://localhost:8377/",
                               "ftp://localhost:8377"}) {
        EXPECT_FALSE(gate.knows_origin(origin, "localhost:8377")) << origin;
    }
    EXPECT_FALSE(gate.knows_origin("http://", ""));
}

TEST(Gate, BeyondTheLoopbackTheTokenCounts) {
    const Gate gate("0.0.0.0", "secret");
    EXPECT_TRUE(gate.knows_host("machine.example:8377"));
    EXPECT_TRUE(gate.knows_token("token=secret"));
    for (const char* query :
         {"", "token=", "token=secre", "token=secrets", "token=Secret", "secret", "x=1&token=secret"}) {
        EXPECT_FALSE(gate.knows_token(query)) << query;
    }
}

TEST(Gate, ATokenAtTheLoopbackDoesNotOpenItToOtherNames) {
    const Gate gate("127.0.0.1", "secret");
    EXPECT_FALSE(gate.knows_host("evil.example:8377"));
}

TEST(Gate, TokensAreLongAndNew) {
    const std::string token = random_token();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(token, random_token());
}

TEST(Gate, LoopbackAddresses) {
    EXPECT_TRUE(is_loopback("127.0.0.1"));
    EXPECT_TRUE(is_loopback("127.1.2.3"));
    EXPECT_TRUE(is_loopback("::1"));
    for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "1.127.0.1"}) {
        EXPECT_FALSE(is_loopback(address)) << address;
    }
}

}  // namespace
}  // namespace talus::server
