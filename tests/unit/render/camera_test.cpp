// Cameras: names, fits that touch the window's sides, rays that go where points appear.
#include "talus/render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/render/fit.h"
#include "unit/render/project.h"

namespace talus::render {
namespace {

constexpr Window window{100, 50, 600, 400};

void expect_near(const Vec3d& a, const Vec3d& b, double error = 1e-12) {
    EXPECT_NEAR(a.x, b.x, error);
    EXPECT_NEAR(a.y, b.y, error);
    EXPECT_NEAR(a.z, b.z, error);
}

TEST(Camera, NamesLookTheirWay) {
    expect_near(axes_named("front").forward, {0, 1, 0});
    expect_near(axes_named("front").right, {1, 0, 0});
    expect_near(axes_named("right").forward, {-1, 0, 0});
    expect_near(axes_named("top").forward, {0, 0, -1});
    expect_near(axes_named("top").up, {0, 1, 0});
    expect_near(axes_named("bottom").forward, {0, 0, 1});
    expect_near(axes_named("iso").forward, Vec3d{-1, 1, -1} / std::sqrt(3.0), 1e-5);
    expect_near(axes_named("90,0").forward, {-1, 0, 0});
    for (const char* name : {"front", "back", "left", "right", "top", "bottom", "iso", "quarter", "12,-34"}) {
        const Axes axes = axes_named(name);
        expect_near(math::cross(axes.right, axes.up), -axes.forward);
    }
    for (const char* name : {"", "fron", "12", "12,", "12,91", "a,b"}) {
        EXPECT_THROW(axes_named(name), base::InputError) << name;
    }
}

/// How far a fitted ball stands out of each side of the window, by its outline as rays see it.
class Fits : public ::testing::TestWithParam<bool> {};

TEST_P(Fits, TouchTwoOppositeSidesAndStayWithinAll) {
    const std::vector<Dot> dots = {{{0, 0, 0}, 0.5}, {{3, 1, 0.5}, 0.25}, {{-1, 2, 2}, 0.1}, {{0.4, -2, 1}, 0}};
    for (const char* name : {"front", "top", "quarter", "200,-30"}) {
        Lens lens;
        lens.parallel = GetParam();
        const Camera camera = fitted(dots, axes_named(name), lens, window);
        // The least distance from any ball to each of the four planes that bound the view.
        const auto clearance = [&](double x0, double y0, double x1, double y1) {
            const Ray a = camera.ray(x0, y0);
            const Ray b = camera.ray(x1, y1);
            const Vec3d along = camera.parallel ? b.origin - a.origin : b.direction - a.direction;
            const Vec3d inward = math::normalized(math::cross(along, a.direction));
            double least = HUGE_VAL;
            for (const Dot& dot : dots) {
                least = std::min(least, math::dot(inward, dot.center - a.origin) - dot.radius);
            }
            return least;
        };
        const double left = clearance(100, 50, 100, 450);
        const double right = clearance(700, 450, 700, 50);
        const double top = clearance(700, 50, 100, 50);
        const double bottom = clearance(100, 450, 700, 450);
        const double least = std::min({left, right, top, bottom});
        EXPECT_NEAR(least, 0, 1e-9) << name;
        EXPECT_NEAR(std::min(left + right, top + bottom), 0, 1e-9) << name << ": the tighter pair is touched";
    }
}
INSTANTIATE_TEST_SUITE_P(Lenses, Fits, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "parallel" : "perspective"; });

TEST(Camera, RaysGoWherePointsAppear) {
    for (const bool parallel : {false, true}) {
        const Camera camera = placed({3, -8, 4}, {0.5, 0, 1}, {0, 0, 1}, {30, parallel}, window);
        const Vec3d point{0.7, 0.3, 0.9};
        const auto [x, y] = project(camera, point);
        const Ray ray = camera.ray(x, y);
        EXPECT_NEAR(math::norm(math::cross(point - ray.origin, ray.direction)), 0, 1e-12);
        const Pixel middle = project(camera, {0.5, 0, 1});
        EXPECT_NEAR(middle.x, 400, 1e-9);
        EXPECT_NEAR(middle.y, 250, 1e-9);
    }
    EXPECT_THROW(placed({1, 2, 3}, {1, 2, 3}, {0, 0, 1}, {}, window), base::InputError);
    EXPECT_THROW(placed({0, 0, 3}, {0, 0, 0}, {0, 0, 1}, {}, window), base::InputError);
}

TEST(Camera, EyesOfAPairAgreeInThePlaneOfFocus) {
    Camera camera = placed({0, -10, 0}, {0, 0, 0}, {0, 0, 1}, {}, window);
    const Vec3d point = camera.in_focus(300, 200);
    for (const double shift : {-0.2, 0.2}) {
        camera.shift = shift;
        const Ray ray = camera.ray(300, 200);
        EXPECT_NEAR(ray.origin.x, shift, 1e-12);
        EXPECT_NEAR(math::norm(math::cross(point - ray.origin, ray.direction)), 0, 1e-12);
    }
}

TEST(Camera, StraightDownNeedsNoUp) {
    RenderOptions options;
    options.eye = "0,0,3";
    options.target = "0,0,0";
    const Camera down = Cameraman(options, false, {}, window).camera(std::nullopt, 0);
    expect_near(down.axes.forward, {0, 0, -1});
    expect_near(down.axes.up, {0, 1, 0});
    options.target = "0,0,5";
    expect_near(Cameraman(options, false, {}, window).camera(std::nullopt, 0).axes.up, {0, 1, 0});
    options.up = "0,0,1";
    EXPECT_THROW(Cameraman(options, false, {}, window), base::InputError) << "what is written is meant";
}

bool in_window(const Pixel& at) {
    return at.x > 100 && at.x < 700 && at.y > 50 && at.y < 450;
}

TEST(Cameraman, ATurntableKeepsEverythingInTheWindow) {
    const std::vector<Dot> dots = {{{0, 0, 0}, 0.5}, {{3, 1, 0.5}, 0.25}, {{-1, 2, 2}, 0.1}};
    RenderOptions options;
    options.turntable = 1;
    Cameraman cameraman(options, false, dots, window);
    for (int k = 0; k < 24; ++k) {
        const Camera camera = cameraman.camera(std::nullopt, k / 24.0);
        for (const Dot& dot : dots) {
            EXPECT_TRUE(in_window(project(camera, dot.center))) << k;
        }
    }
}

TEST(Cameraman, KeepsAFollowedGrainInTheMiddleAndAllInTheWindow) {
    // As seen from the grain: the camera fits these, wherever the grain goes.
    const std::vector<Dot> dots = {{{0, 0, 0}, 0.5}, {{3, 1, 0.5}, 0.25}, {{-1, 2, 2}, 0.1}};
    RenderOptions options;
    options.follow = 8;
    for (const bool turns : {false, true}) {
        if (turns) {
            options.turntable = 1;
        }
        Cameraman cameraman(options, false, dots, window);
        for (int k = 0; k < 12; ++k) {
            const Vec3d grain{100.0 * k, 5, -3.0 * k};
            const Camera camera = cameraman.camera(grain, turns ? k / 12.0 : 0);
            const Pixel middle = project(camera, grain);
            EXPECT_NEAR(middle.x, 400, 1e-6);
            EXPECT_NEAR(middle.y, 250, 1e-6);
            for (const Dot& dot : dots) {
                EXPECT_TRUE(in_window(project(camera, grain + dot.center))) << k;
            }
        }
    }
}

TEST(Cameraman, MovesACameraByNumbersWithTheGrains) {
    RenderOptions options;
    options.camera = "follow";
    options.eye = "0,-9,0";
    options.target = "0,0,0";
    Cameraman all(options, false, {}, window);
    expect_near(all.camera(Vec3d{1, 0, 0}, 0).eye, {0, -9, 0});
    expect_near(all.camera(Vec3d{1, 0, -3}, 0).eye, {0, -9, -3});
    options.follow = 8;
    Cameraman one(options, false, {}, window);
    expect_near(one.camera(Vec3d{1, 0, 0}, 0).eye, {1, -9, 0});
}

}  // namespace
}  // namespace talus::render
