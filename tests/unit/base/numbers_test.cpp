// Numbers in options: all of the text counts.
#include "talus/base/numbers.h"

#include <gtest/gtest.h>

namespace talus::base {
namespace {

TEST(Numbers, AreTheWholeText) {
    EXPECT_EQ(number_from("0.5"), 0.5);
    EXPECT_EQ(number_from("-1e-3"), -1e-3);
    EXPECT_EQ(whole_number_from("-12"), -12);
    for (const char* bad : {"", " 1", "1 ", "1,2", "one", "nan", "inf", "1e999", "0x10"}) {
        EXPECT_FALSE(number_from(bad)) << bad;
        EXPECT_FALSE(whole_number_from(bad)) << bad;
    }
    EXPECT_FALSE(whole_number_from("1.5"));
}

}  // namespace
}  // namespace talus::base
