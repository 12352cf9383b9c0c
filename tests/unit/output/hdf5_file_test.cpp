// What goes into an HDF5 file comes out again, bit for bit; faults are exceptions that name the file.
#include "talus/output/hdf5_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "temporary_folder.h"

namespace talus::output {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

void store(Hdf5File& file, const std::filesystem::path& path) {
    const auto image = file.image();
    AtomicFile target(path);
    target.write(image.data(), image.size());
    target.commit();
}

TEST(Hdf5File, ReturnsEveryTypeExactly) {
    const tests::TemporaryFolder folder;
    const std::vector<double> odd = {0.1, -0.0, 5e-324, std::numeric_limits<double>::infinity(), std::nan("7")};
    const std::vector<Vec3d> triples = {{1, 2, 3}, {1.0 / 3, -0.0, 1e300}};
    const std::vector<model::Image> images = {{-128, 0, 127}};
    Hdf5File made = Hdf5File::create();
    made.write("group/deep/odd", odd);
    made.write("group/triples", triples);
    made.write("images", images);
    made.write("empty", std::vector<std::int32_t>{});
    made.write("empty_triples", std::vector<Vec3d>{});
    made.write("bytes", std::vector<std::uint8_t>{0, 255});
    made.write("one", std::uint64_t{0xFFFFFFFFFFFFFFFFU});
    made.write("one_triple", Vec3d{7, 8, 9});
    made.write("text", std::string("Sand & Körner\n"));
    made.write("empty_text", std::string());
    made.write("texts", std::vector<std::string>{"a", "", "b, c"});
    made.write("no_texts", std::vector<std::string>{});
    made.set_attribute("time", 0.1);
    made.set_attribute("step", std::int64_t{-3});
    made.set_attribute("title", "Hopper");
    made.set_attribute("nothing", "");
    store(made, folder / "a.h5");

    const Hdf5File file = Hdf5File::open(folder / "a.h5");
    std::vector<double> odd_read;
    file.read("group/deep/odd", odd_read);
    ASSERT_EQ(odd_read.size(), odd.size());
    for (std::size_t i = 0; i < odd.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(odd_read[i]), std::bit_cast<std::uint64_t>(odd[i])) << i;
    }
    std::vector<Vec3d> triples_read;
    file.read("group/triples", triples_read);
    EXPECT_EQ(triples_read, triples);
    std::vector<model::Image> images_read;
    file.read("images", images_read);
    EXPECT_EQ(images_read, images);
    std::vector<std::int32_t> empty = {1};
    file.read("empty", empty);
    EXPECT_TRUE(empty.empty());
    file.read("empty_triples", triples_read);
    EXPECT_TRUE(triples_read.empty());
    std::vector<std::uint8_t> bytes;
    file.read("bytes", bytes);
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 255}));
    std::uint64_t one = 0;
    file.read("one", one);
    EXPECT_EQ(one, 0xFFFFFFFFFFFFFFFFU);
    Vec3d triple;
    file.read("one_triple", triple);
    EXPECT_EQ(triple, (Vec3d{7, 8, 9}));
    std::string text;
    file.read("text", text);
    EXPECT_EQ(text, "Sand & Körner\n");
    file.read("empty_text", text);
    EXPECT_EQ(text, "");
    std::vector<std::string> texts;
    file.read("texts", texts);
    EXPECT_EQ(texts, (std::vector<std::string>{"a", "", "b, c"}));
    file.read("no_texts", texts);
    EXPECT_TRUE(texts.empty());
    double time = 0;
    std::int64_t step = 0;
    file.attribute("time", time);
    file.attribute("step", step);
    file.attribute("title", text);
    EXPECT_EQ(time, 0.1);
    EXPECT_EQ(step, -3);
    EXPECT_EQ(text, "Hopper");
    file.attribute("nothing", text);
    EXPECT_EQ(text, "");
    EXPECT_TRUE(file.has("group/deep/odd"));
    EXPECT_FALSE(file.has("group/shallow/odd"));
    EXPECT_TRUE(file.has_attribute("title"));
    EXPECT_FALSE(file.has_attribute("author"));
}

TEST(Hdf5File, CompressesWithoutLoss) {
    const tests::TemporaryFolder folder;
    std::vector<Vec3d> lattice;
    for (int i = 0; i < 40000; ++i) {
        lattice.push_back({0.01 * i, 0.02 * (i % 7), -1.0 / (i + 1)});
    }
    Hdf5File plain = Hdf5File::create(0);
    Hdf5File packed = Hdf5File::create(1);
    plain.write("x", lattice);
    packed.write("x", lattice);
    EXPECT_LT(packed.image().size(), plain.image().size());
    store(packed, folder / "packed.h5");
    std::vector<Vec3d> back;
    Hdf5File::open(folder / "packed.h5").read("x", back);
    EXPECT_EQ(back, lattice);
}

TEST(Hdf5File, GivesEqualBytesForEqualContents) {
    const auto make = [] {
        Hdf5File file = Hdf5File::create();
        file.write("x", std::vector<double>{1, 2, 3});
        file.write("names", std::vector<std::string>{"a", "b"});
        file.set_attribute("time", 1.0);
        return file.image();
    };
    EXPECT_EQ(make(), make());
}

TEST(Hdf5File, MayStandBehindABlockOfText) {
    const tests::TemporaryFolder folder;
    Hdf5File made = Hdf5File::create();
    made.write("x", std::vector<double>{4});
    const auto image = made.image();
    AtomicFile target(folder / "noted.h5");
    target.write("a note in front" + std::string(512 - 15, ' '));
    target.write(image.data(), image.size());
    target.commit();
    EXPECT_TRUE(Hdf5File::recognises(folder / "noted.h5"));
    std::vector<double> x;
    Hdf5File::open(folder / "noted.h5").read("x", x);
    EXPECT_EQ(x, std::vector<double>{4});
}

TEST(Hdf5File, ReportsFaultsWithTheFileName) {
    const tests::TemporaryFolder folder;
    Hdf5File made = Hdf5File::create();
    made.write("pairs", std::vector<std::array<double, 2>>{{1, 2}});
    made.write("one", 1.0);
    made.write("list", std::vector<double>{1, 2});
    made.write("word", std::string("w"));
    store(made, folder / "a.h5");
    EXPECT_THROW(made.write("pairs", 1.0), base::RunError);  // exists already

    const Hdf5File file = Hdf5File::open(folder / "a.h5");
    std::vector<Vec3d> triples;
    std::vector<double> list;
    double one = 0;
    std::string text;
    EXPECT_THROW(file.read("pairs", triples), base::InputError);
    EXPECT_THROW(file.read("pairs", list), base::InputError);
    EXPECT_THROW(file.read("one", list), base::InputError);
    EXPECT_THROW(file.read("list", one), base::InputError);
    EXPECT_THROW(file.read("list", text), base::InputError);
    EXPECT_THROW(file.read("word", one), base::InputError);
    EXPECT_THROW(file.attribute("time", one), base::InputError);
    EXPECT_THAT([&] { file.read("missing", list); }, ThrowsMessage<base::InputError>(HasSubstr("a.h5")));
    EXPECT_THAT([&] { Hdf5File::open(folder / "b.h5"); }, ThrowsMessage<base::InputError>(HasSubstr("no such file")));
    write_text_file(folder / "c.h5", "words");
    EXPECT_THAT([&] { Hdf5File::open(folder / "c.h5"); }, ThrowsMessage<base::InputError>(HasSubstr("c.h5")));
    EXPECT_FALSE(Hdf5File::recognises(folder / "c.h5"));
    EXPECT_FALSE(Hdf5File::recognises(folder.path()));
}

TEST(AtomicFile, LeavesTheEarlierFileUntilItIsComplete) {
    const tests::TemporaryFolder folder;
    write_text_file(folder / "note", "first");
    {
        AtomicFile abandoned(folder / "note");
        abandoned.write("second");
    }
    EXPECT_EQ(read_text_file(folder / "note"), "first");
    EXPECT_FALSE(std::filesystem::exists(folder / "note.tmp"));
    write_text_file(folder / "note", "third");
    EXPECT_EQ(read_text_file(folder / "note"), "third");
    EXPECT_THROW(read_text_file(folder / "other"), base::InputError);
    EXPECT_THROW(write_text_file(folder / "note" / "below a file", "x"), base::RunError);
    EXPECT_THROW(make_folder(folder / "note" / "below a file"), base::RunError);
}

}  // namespace
}  // namespace talus::output
