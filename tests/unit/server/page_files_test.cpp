#include "talus/server/page_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "talus/base/diagnostics.h"
#include "temporary_folder.h"

namespace talus::server {
namespace {

class Page : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    tests::TemporaryFolder folder_;
};

TEST_F(Page, IsATableOfWhatWasThere) {
    write("index.html", "<p>");
    write("assets/main-1.js", "1");
    write("secret.txt", "no");
    const PageFiles page(folder_.path());
    ASSERT_NE(page.find("/"), nullptr);
    EXPECT_EQ(page.find("/")->bytes, "<p>");
    EXPECT_FALSE(page.find("/index.html")->lasting);
    ASSERT_NE(page.find("/assets/main-1.js"), nullptr);
    EXPECT_EQ(page.find("/assets/main-1.js")->type, "text/javascript; charset=utf-8");
    EXPECT_TRUE(page.find("/assets/main-1.js")->lasting);
    for (const char* path : {"", "/secret.txt", "/assets", "/assets/", "/../index.html", "/assets/../index.html",
                             "/assets/..%2findex.html", "//index.html", "index.html", "/etc/passwd"}) {
        EXPECT_EQ(page.find(path), nullptr) << path;
    }
}

TEST_F(Page, WithoutAnIndexIsRefused) {
    write("main.js", "1");
    EXPECT_THROW(PageFiles(folder_.path()), base::InputError);
    EXPECT_THROW(PageFiles(folder_ / "nowhere"), base::InputError);
}

}  // namespace
}  // namespace talus::server
