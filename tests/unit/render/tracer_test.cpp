// The tracer: which pixels a ball covers, what lies before what, shadows, cuts, glass, and the same bytes always.
#include "talus/render/tracer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/render/stereo.h"
#include "unit/render/project.h"

namespace talus::render {
namespace {

constexpr int side = 100;

/// A hundred pixels a side, ten a metre, the origin in the middle, seen from the front without perspective.
Camera ten_pixels_a_metre() {
    Camera camera;
    camera.axes = axes_named("front");
    camera.eye = {0, -20, 0};
    camera.focus = 20;
    camera.half = 5;
    camera.parallel = true;
    camera.window = {0, 0, side, side};
    return camera;
}

Picture traced(const World& world, const Camera& camera = ten_pixels_a_metre(), int threads = 1) {
    TraceSettings settings;
    settings.threads = threads;
    return trace(world, camera, side, side, settings);
}

bool is_white(const Rgb& c) {
    return c.r > 0.999F && c.g > 0.999F && c.b > 0.999F;
}
bool is_red(const Rgb& c) {
    return c.r > 2 * c.b;
}

TEST(Tracer, ABallCoversTheRightPixels) {
    World world;
    world.balls = {{{1.5, 7, -0.5}, 2.25, {0.8F, 0, 0}}};  // at pixel (65, 55), radius 22.5
    const Picture picture = traced(world);
    int covered = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const double distance = std::hypot(x + 0.5 - 65, y + 0.5 - 55);
            if (distance < 22.5 - 0.71) {  // all of the pixel is inside
                EXPECT_TRUE(is_red(picture.at(x, y))) << x << " " << y;
            } else if (distance > 22.5 + 0.71) {
                EXPECT_TRUE(is_white(picture.at(x, y))) << x << " " << y;
            }
            covered += is_red(picture.at(x, y)) ? 1 : 0;
        }
    }
    EXPECT_NEAR(covered, M_PI * 22.5 * 22.5, 2 * M_PI * 22.5 * 0.5);
}

TEST(Tracer, TheNearerOneIsSeen) {
    World world;
    world.balls = {{{0, 3, 0}, 2, {0.8F, 0, 0}}, {{0, -3, 0}, 1, {0, 0, 0.8F}}};
    const Picture picture = traced(world);
    EXPECT_GT(picture.at(50, 50).b, 2 * picture.at(50, 50).r);
    EXPECT_TRUE(is_red(picture.at(50 + 15, 50)));
}

TEST(Tracer, TheSameBytesOnAnyNumberOfThreads) {
    World world;
    world.ground = -1;
    for (int i = 0; i < 60; ++i) {
        world.balls.push_back({{0.7 * (i % 8) - 2.5, 0.9 * (i % 5), 0.5 * (i / 8) - 1}, 0.4, {0.5F, 0.4F, 0.3F}});
    }
    const std::vector<std::uint8_t> once = png_of(traced(world));
    EXPECT_EQ(png_of(traced(world)), once);
    EXPECT_EQ(png_of(traced(world, ten_pixels_a_metre(), 2)), once);
    EXPECT_EQ(png_of(traced(world, ten_pixels_a_metre(), 3)), once);
}

TEST(Tracer, UnitsDoNotMatter) {
    // The same world in kilometres and in microns, far from the origin.
    const auto picture_in = [](double unit, const Vec3d& origin) {
        World world;
        for (int i = 0; i < 9; ++i) {
            world.balls.push_back({origin + Vec3d{i % 3 - 1.0, 0, i / 3 - 1.0} * unit, 0.5 * unit, {0.6F, 0.5F, 0.2F}});
        }
        Camera camera = ten_pixels_a_metre();
        camera.eye = origin + camera.eye * unit;
        camera.focus *= unit;
        camera.half *= unit;
        return traced(world, camera);
    };
    const Picture one = picture_in(1, {});
    for (const auto& [unit, origin] : {std::pair{1e3, Vec3d{}}, {1e-6, Vec3d{}}, {1e-3, Vec3d{7, -5, 3}}}) {
        const Picture other = picture_in(unit, origin);
        double apart = 0;
        for (std::size_t i = 0; i < one.pixels.size(); ++i) {
            apart += std::abs(static_cast<double>(luminance(one.pixels[i]) - luminance(other.pixels[i])));
        }
        EXPECT_LT(apart / static_cast<double>(one.pixels.size()), 1e-3) << unit;
    }
}

TEST(Tracer, ShadowsFallOnTheGroundAndFadeOut) {
    World world;
    world.balls = {{{0, 0, 1}, 1, {0.5F, 0.5F, 0.5F}}};
    Camera camera = ten_pixels_a_metre();
    camera.axes = axes_named("0,45");
    camera.eye = camera.axes.forward * -20.0;
    EXPECT_TRUE(is_white(traced(world, camera).at(60, 52)));
    world.ground = 0;
    const Picture picture = traced(world, camera);
    const auto under = project(camera, {0.9, -0.1, 0});
    EXPECT_LT(luminance(picture.at(static_cast<int>(under.x), static_cast<int>(under.y))), 0.85F);
    EXPECT_TRUE(is_white(picture.at(2, 2)));
    EXPECT_TRUE(is_white(picture.at(97, 97)));
}

TEST(Tracer, ACutShowsFlatFaces) {
    World world;
    world.balls = {{{0, 0, 0}, 3, {0.8F, 0, 0}}};
    world.cuts = {{{0, 1, 0}, 0}};  // what lies at y < 0 goes: the face is as wide as the ball
    const Picture picture = traced(world);
    const Rgb middle = picture.at(50, 50);
    for (const int x : {25, 40, 60, 75}) {
        EXPECT_NEAR(picture.at(x, 50).r, middle.r, 0.02F) << "one flat face, evenly lit";
    }
    EXPECT_TRUE(is_white(picture.at(50, 15)));
    world.cuts = {{{0, 1, 0}, 2.5}};  // near the back: a face of radius sqrt(9 - 6.25)
    const Picture back = traced(world);
    EXPECT_TRUE(is_red(back.at(50 + 15, 50)));
    EXPECT_TRUE(is_white(back.at(50 + 19, 50)));
    world.cuts = {{{0, 1, 0}, 3.1}};
    EXPECT_TRUE(is_white(traced(world).at(50, 50))) << "nothing is left";
}

TEST(Tracer, ACutShowsTheFaceOfABallThatATubeCrosses) {
    World world;
    world.balls = {{{0, 0, 0}, 3, {0.8F, 0, 0}}};
    world.tubes = {{{-4, 1, 0}, {4, 1, 0}, 0.5, {0, 0, 0.8F}}};
    world.cuts = {{{0, 1, 0}, 0}};
    const Picture picture = traced(world);
    EXPECT_TRUE(is_red(picture.at(50, 50))) << "the tube is inside";
    EXPECT_FALSE(is_red(picture.at(50 + 35, 50))) << "here it stands out";
}

Sheet pane(const Rgb& colour, double opacity, double half = 4) {
    Sheet out;
    out.points = {{-half, 0, -half}, {half, 0, -half}, {half, 0, half}, {-half, 0, half}};
    out.normals.assign(4, {0, 1, 0});
    out.triangles = {{0, 1, 2}, {0, 2, 3}};
    out.colour = colour;
    out.opacity = opacity;
    return out;
}

/// The largest step from a pixel to the mean of its neighbours, within a ball of radius 3 about the middle.
float roughest(const Picture& picture) {
    float most = 0;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            if (std::hypot(x + 0.5 - 50, y + 0.5 - 50) < 25) {
                const float around = (luminance(picture.at(x - 1, y)) + luminance(picture.at(x + 1, y)) +
                                      luminance(picture.at(x, y - 1)) + luminance(picture.at(x, y + 1))) /
                                     4;
                most = std::max(most, std::abs(luminance(picture.at(x, y)) - around));
            }
        }
    }
    return most;
}

TEST(Tracer, BallsThatPressOnAPaneHaveNoSpots) {
    Camera slanting = ten_pixels_a_metre();
    slanting.axes = axes_named("25,20");
    slanting.eye = slanting.axes.forward * -20.0;
    for (const Camera& camera : {ten_pixels_a_metre(), slanting}) {
        for (const double overlap : {0.0, 1e-6, 0.005 * 3, 0.02 * 3}) {
            World world;
            world.balls = {{{0, 3 - overlap, 0}, 3, {0.6F, 0.1F, 0.1F}}};
            world.sheets = {pane({0.8F, 0.8F, 0.9F}, 0.5, 9)};
            const Vec3d middle = camera.axes.forward * math::dot(camera.axes.forward, world.balls[0].center);
            Camera aimed = camera;
            aimed.eye += world.balls[0].center - middle;
            EXPECT_LT(roughest(traced(world, aimed)), 0.02F) << overlap;
        }
    }
}

TEST(Tracer, ABallBeforeAPaneIsNotBehindIt) {
    World world;
    world.balls = {{{0, -3, 0}, 3, {0.6F, 0.1F, 0.1F}}};
    const Picture bare = traced(world);
    world.sheets = {pane({0.8F, 0.8F, 0.9F}, 0.5)};
    const Picture before = traced(world);
    for (const int x : {30, 50, 70}) {
        EXPECT_NEAR(before.at(x, 50).g, bare.at(x, 50).g, 0.02F);
    }
}

TEST(Tracer, AClearBallHasItsOpacityFromFrontToBack) {
    World world;
    world.balls = {{{0, 0, 0}, 3, {0, 0, 0}}};
    world.ball_opacity = 0.4;
    EXPECT_NEAR(traced(world).at(50, 50).g, 0.6F, 0.005F) << "white behind a black ball";
}

TEST(Tracer, SmallBallsInAWideWorldDoNotShadeThemselves) {
    World world;
    world.balls = {{{0, 0, 0}, 3, {0.6F, 0.6F, 0.6F}}};
    const Picture alone = traced(world);
    world.balls.push_back({{1e6, 1e6, 1e6}, 3, {0.6F, 0.6F, 0.6F}});
    world.extent = {Vec3d{5e5, 5e5, 5e5}, 1e6, extent_of(World{{world.balls[0]}, {}, {}, {}, 1, {}, {}}).reach};
    const Picture wide = traced(world);
    double apart = 0;
    for (int x = 24; x <= 50; ++x) {  // the side that faces the lamp
        apart += std::abs(static_cast<double>(luminance(wide.at(x, 45)) - luminance(alone.at(x, 45))));
    }
    EXPECT_LT(apart / 27, 0.02);
}

TEST(Tracer, GlassLetsItsShareThrough) {
    World world;
    world.balls = {{{0, 2, 0}, 1, {0.8F, 0, 0}}};
    world.sheets = {pane({0, 0, 1}, 0.25)};
    const Picture through = traced(world);
    EXPECT_NEAR(through.at(20, 20).r, 0.75F, 0.02F) << "white behind blue glass";
    EXPECT_TRUE(is_red(through.at(50, 50)));
    world.sheets[0].opacity = 1;
    const Picture solid = traced(world);
    EXPECT_LT(solid.at(50, 50).r, 0.15F) << "the gloss of a blue wall";
    EXPECT_TRUE(is_white(solid.at(5, 50)));
}

TEST(Tracer, TubesHaveTheirWidth) {
    World world;
    world.tubes = {{{-3, 0, 0}, {3, 0, 0}, 0.5, {0.8F, 0, 0}}};
    const Picture picture = traced(world);
    EXPECT_TRUE(is_red(picture.at(30, 46)));
    EXPECT_TRUE(is_red(picture.at(70, 53)));
    EXPECT_TRUE(is_white(picture.at(50, 43)));
    EXPECT_TRUE(is_white(picture.at(50, 56)));
    EXPECT_TRUE(is_red(picture.at(16, 50))) << "a round end";
    EXPECT_TRUE(is_white(picture.at(13, 50)));
}

TEST(Stereo, NearThingsShiftApartAndPairsStandSideBySide) {
    World world;
    world.balls = {{{0, -5, 0}, 1, {0.8F, 0.05F, 0.05F}}};
    Camera camera = placed({0, -20, 0}, {0, 0, 0}, {0, 0, 1}, {30, false}, {0, 0, 100, 100});
    RenderOptions options;
    options.width = 200;
    options.height = 100;
    options.stereo = Stereo::pair;
    int annotated = 0;
    const Picture pair = stereo_picture(world, camera, options, {}, [&](Picture& half) {
        EXPECT_EQ(half.width, 100);
        ++annotated;
    });
    EXPECT_EQ(annotated, 2);
    const auto middle = [&](int from) {
        double sum = 0;
        double count = 0;
        for (int x = from; x < from + 100; ++x) {
            if (is_red(pair.at(x, 50))) {
                sum += x - from;
                ++count;
            }
        }
        return sum / count;
    };
    // By the theorem of rays: eyes 0.8 m apart, 20 m to the focus, a ball 15 m off: shifted by 0.8 / 3 in focus.
    EXPECT_NEAR(middle(0) - middle(100), 0.8 / 3 * camera.pixels_per_metre(), 0.7);

    options.stereo = Stereo::anaglyph;
    options.width = 100;
    const Picture anaglyph = stereo_picture(world, camera, options, {}, [](Picture&) {});
    const double shift = 0.8 / 6 * camera.pixels_per_metre();
    const double edge = 50 - 1.0 * 20 / 15 * camera.pixels_per_metre();
    const Rgb left_rim = anaglyph.at(static_cast<int>(edge), 50);  // the right eye sees the ball there, the left white
    EXPECT_GT(shift, 1);
    EXPECT_GT(left_rim.r, left_rim.g + 0.3F);
}

}  // namespace
}  // namespace talus::render
