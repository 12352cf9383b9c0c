// Movies: the colours in the file are those of the pictures, and the file says how they are meant.
#include "talus/render/movie.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "temporary_folder.h"

namespace talus::render {
namespace {

constexpr int size = 64;

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What a shell command prints; quotes are the caller's.
std::string output_of(const std::string& command, const std::filesystem::path& folder) {
    const std::filesystem::path out = folder / "printed";
    EXPECT_EQ(std::system((command + " > '" + out.string() + "' 2>&1").c_str()), 0) << command;
    return read_file(out);
}

TEST(Movie, HoldsTheColoursOfItsPictures) {
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "no ffmpeg";
    }
    const tests::TemporaryFolder folder;
    const std::string path = (folder / "m.mp4").string();
    // As a PNG would have them, in four squares.
    const std::vector<Rgb> stored = {{0.9F, 0.1F, 0.1F}, {0.1F, 0.8F, 0.2F}, {0.1F, 0.2F, 0.9F}, {0.5F, 0.5F, 0.5F}};
    Picture picture(size, size, {});
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            picture.at(x, y) = decoded(stored[static_cast<std::size_t>(2 * (y / 32) + x / 32)]);
        }
    }
    Movie movie(path, size, size, 25);
    for (int k = 0; k < 5; ++k) {
        movie.add(picture);
    }
    movie.finish();

    output_of("ffmpeg -y -loglevel error -i '" + path + "' -frames:v 1 -pix_fmt yuv420p -f rawvideo '" +
                  (folder / "raw").string() + "'",
              folder.path());
    const std::string raw = read_file(folder / "raw");
    ASSERT_EQ(raw.size(), static_cast<std::size_t>(size * size * 3 / 2));
    const auto byte = [&](int at) {
        return static_cast<double>(static_cast<std::uint8_t>(raw[static_cast<std::size_t>(at)]));
    };
    for (int k = 0; k < 4; ++k) {
        const int x = 16 + 32 * (k % 2);
        const int y = 16 + 32 * (k / 2);
        const int chroma = size * size + y / 2 * (size / 2) + x / 2;
        const double luma = (byte(y * size + x) - 16) / 219;
        const double blue = (byte(chroma) - 128) / 224;
        const double red = (byte(chroma + size * size / 4) - 128) / 224;
        // Rec. ITU-R BT.709, items 3.2 to 3.4.
        const double r = luma + 1.5748 * red;
        const double b = luma + 1.8556 * blue;
        const Rgb& wanted = stored[static_cast<std::size_t>(k)];
        EXPECT_NEAR(r, wanted.r, 0.02) << k;
        EXPECT_NEAR((luma - 0.2126 * r - 0.0722 * b) / 0.7152, wanted.g, 0.02) << k;
        EXPECT_NEAR(b, wanted.b, 0.02) << k;
    }
    EXPECT_EQ(output_of("ffprobe -v error -show_entries stream=color_range,color_space,color_transfer,color_primaries "
                        "-of default=nw=1:nk=1 '" +
                            path + "'",
                        folder.path()),
              "tv\nbt709\niec61966-2-1\nbt709\n");
}

}  // namespace
}  // namespace talus::render
