// Whole pictures against small ones that were looked at and found good, as an eye would compare them: in Oklab, over
// blocks of pixels. TALUS_WRITE_REFERENCE=1 writes them anew.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "talus/render/labels.h"
#include "talus/render/staging.h"
#include "talus/render/tracer.h"

namespace talus::render {
namespace {

constexpr int width = 192, height = 128;

std::filesystem::path reference(const std::string& name) {
    return std::filesystem::path(TALUS_SOURCE_DIR) / "tests/unit/render/reference" / (name + ".png");
}

Picture read_png(const std::filesystem::path& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0) {
        ADD_FAILURE() << path << ": " << image.message;
        return {width, height, {}};
    }
    image.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0);
    Picture picture(static_cast<int>(image.width), static_cast<int>(image.height), {});
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        const auto part = [&](std::size_t k) { return static_cast<float>(bytes[3 * i + k]) / 255; };
        picture.pixels[i] = decoded(Rgb{part(0), part(1), part(2)});
    }
    return picture;
}

/// Distances in Oklab between blocks of four by four pixels: 0.02 can just be seen.
struct Difference {
    double mean = 0, largest = 0;
};
Difference difference(const Picture& a, const Picture& b) {
    constexpr int block = 4;
    Difference out;
    if (a.width != b.width || a.height != b.height) {
        return {1, 1};
    }
    for (int y = 0; y < a.height; y += block) {
        for (int x = 0; x < a.width; x += block) {
            const auto mean = [&](const Picture& picture) {
                Rgb sum;
                for (int k = 0; k < block * block; ++k) {
                    sum += picture.at(x + k % block, y + k / block);
                }
                return to_oklab(sum * (1.0F / (block * block)));
            };
            const Oklab p = mean(a);
            const Oklab q = mean(b);
            const double apart = std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
            out.mean += apart * block * block / (a.width * a.height);
            out.largest = std::max(out.largest, apart);
        }
    }
    return out;
}

/// A heap in a glass barrel, as frames have it.
output::FrameFile heap() {
    output::FrameFile frame;
    for (int i = 0; i < 60; ++i) {
        const int layer = i / 20;
        frame.id.push_back(i);
        const double angle = 2.4 * i;
        const double r = 0.22 * std::sqrt(i % 20);
        frame.position.push_back({r * std::cos(angle), r * std::sin(angle), 0.13 + 0.24 * layer});
        frame.velocity.push_back({0.1 * i, 0, 0});
        frame.radius.push_back(0.13);
        frame.mass.push_back(1);
        frame.material.push_back(i % 2);
        if (i > 0) {
            model::ContactSample contact;
            contact.a = i - 1;
            contact.b = i;
            contact.normal =
                math::normalized(frame.position[frame.position.size() - 1] - frame.position[frame.position.size() - 2]);
            contact.point = frame.position[frame.position.size() - 2];
            contact.force = contact.normal * (i % 7 / 7.0);
            frame.contacts.push_back(contact);
        }
    }
    frame.spin.resize(60);
    frame.force.resize(60);
    frame.coordination.resize(60);
    frame.materials = {{"sand", 1, "#c8a060"}, {"slate", 1, "#506070"}};
    output::FrameWall barrel;
    barrel.name = "barrel";
    barrel.shape = {geometry::ShapeKind::tube, 1.2, 1.2, 1.4};
    barrel.position = {0, 0, 0.7};
    barrel.opacity = 0.15;
    output::FrameWall floor;
    floor.name = "floor";
    frame.walls = {barrel, floor};
    return frame;
}

Picture picture_of(const Look& look, bool by_speed) {
    const output::FrameFile frame = heap();
    Setting setting;
    setting.add(frame, look);
    const ColourMap map("dusk");
    Field field{"speed", "m/s", {}};
    for (const Vec3d& v : frame.velocity) {
        field.values.push_back(math::norm(v));
    }
    const Scale scale{map, {0, 6}};
    const Scale forces{map, {0, 1}};
    const World world = world_of(frame, look, setting, by_speed ? &field : nullptr, &scale, &forces);
    const Camera camera = fitted(dots_of(world), axes_named("quarter"), {}, {8, 8, width - 16, height - 16});
    TraceSettings settings;
    settings.samples = 16;
    return trace(world, camera, width, height, settings);
}

/// Labels alone, on white: a bar with tips, a sign and a power of ten; or a legend; both with scale, time and progress.
Picture labels_of(bool with_bar) {
    Labels labels;
    if (with_bar) {
        labels.bar = ColourBar{"a name of many words", "m/s", {-3e-3, 3e-3}, ColourMap("balance"), true, true};
    } else {
        labels.legend = {{"sand", kind_colour(0)}, {"slate", kind_colour(1)}};
    }
    labels.time = "t = " + time_text(1.98, 0.02);
    labels.progress = 0.4;
    Picture picture(480, 320, {1, 1, 1});
    const Camera camera = placed({0, -9, 0}, {0, 0, 0}, {0, 0, 1}, {}, window_for(480, 320, true, true));
    draw_labels(picture, Font(), camera, labels, {1, 1, 1});
    return picture;
}

std::vector<std::pair<std::string, Picture>> pictures() {
    Look cut;
    cut.cuts = {{{0, 1, 0}, 0}};
    Look forces;
    forces.forces = true;
    Look wire;
    wire.wire = true;
    return {{"materials", picture_of({}, false)},  {"speed_cut", picture_of(cut, true)},
            {"forces", picture_of(forces, false)}, {"wire", picture_of(wire, false)},
            {"labels_bar", labels_of(true)},       {"labels_legend", labels_of(false)}};
}

TEST(Reference, PicturesLookAsTheyDid) {
    for (const auto& [name, now] : pictures()) {
        if (std::getenv("TALUS_WRITE_REFERENCE") != nullptr) {
            const std::vector<std::uint8_t> file = png_of(now);
            std::ofstream(reference(name), std::ios::binary)
                .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
        }
        const Difference apart = difference(now, read_png(reference(name)));
        EXPECT_LT(apart.mean, 0.003) << name;
        EXPECT_LT(apart.largest, 0.04) << name;
    }
}

TEST(Reference, TheComparisonSeesAGrainThatHasMoved) {
    const Picture good = read_png(reference("materials"));
    Picture moved = good;
    for (int y = 60; y < 68; ++y) {  // a patch of eight pixels a side
        for (int x = 92; x < 100; ++x) {
            moved.at(x, y) = good.at(x + 12, y + 9);
        }
    }
    EXPECT_GT(difference(moved, good).largest, 0.04);
    EXPECT_GT(difference(picture_of({}, true), good).mean, 0.003) << "other colours";
}

TEST(Reference, TheComparisonSeesAnotherDigit) {
    const Picture good = read_png(reference("labels_bar"));
    Picture other = good;
    Font().draw(other, 150, 24, "7", 9, {0, 0, 0});
    EXPECT_GT(difference(other, good).largest, 0.04);
}

}  // namespace
}  // namespace talus::render
