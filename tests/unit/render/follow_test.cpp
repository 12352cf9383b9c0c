// What a camera follows: grains one by one or together, across periodic borders.
#include "talus/render/follow.h"

#include <gtest/gtest.h>

#include "talus/base/diagnostics.h"

namespace talus::render {
namespace {

using math::Vec3d;

/// Grains 3 (1 kg) and 8 (3 kg) in a box that goes on along x after 10 m.
output::FrameFile frame_of(const Vec3d& three, const Vec3d& eight) {
    output::FrameFile frame;
    frame.id = {3, 8};
    frame.position = {three, eight};
    frame.radius = {0.5, 0.5};
    frame.mass = {1, 3};
    frame.domain.low.x = 0;
    frame.domain.high.x = 10;
    frame.domain.periodic = {true, false, false};
    return frame;
}

void expect_near(const Vec3d& a, const Vec3d& b) {
    EXPECT_NEAR(a.x, b.x, 1e-12);
    EXPECT_NEAR(a.y, b.y, 1e-12);
    EXPECT_NEAR(a.z, b.z, 1e-12);
}

TEST(Follower, FindsAGrainAndKeepsItsLastPlace) {
    Follower one(8);
    expect_near(one.at(frame_of({1, 0, 0}, {2, 0, 0})), {2, 0, 0});
    output::FrameFile left = frame_of({1, 0, 0}, {5, 0, 0});
    left.id = {3, 9};
    expect_near(one.at(left), {2, 0, 0});
    Follower none(5);
    EXPECT_THROW(none.at(left), base::InputError);
}

TEST(Follower, TheMiddleDoesNotJumpWhenGrainsCrossABorder) {
    Follower all({});
    expect_near(all.at(frame_of({9, 0, 0}, {9.4, 0, 4})), {9.3, 0, 3});
    expect_near(all.at(frame_of({9.4, 0, 0}, {9.8, 0, 0})), {9.7, 0, 0});
    expect_near(all.at(frame_of({9.8, 0, 0}, {0.2, 0, 0})), {0.1, 0, 0});
    expect_near(all.at(frame_of({0.2, 0, 0}, {0.6, 0, 0})), {0.5, 0, 0});
    output::FrameFile empty;
    expect_near(all.at(empty), {0.5, 0, 0});
}

TEST(Follower, CompanyGathersOnBothSidesOfABorder) {
    output::FrameFile frame = frame_of({9.5, 0, 0}, {0.4, 0, 0});
    frame.sphere_grain = {3, 8};
    frame.sphere_position = {{9.6, 0, 0}, {0.5, 0, 0}};
    frame.sphere_radius = {0.4, 0.4};
    model::ContactSample contact;
    contact.a = 3;
    contact.b = 8;
    contact.point = {9.95, 0, 0};
    frame.contacts = {contact};
    gather_about(frame, {0.4, 0, 0});
    expect_near(frame.position[0], {-0.5, 0, 0});
    expect_near(frame.position[1], {0.4, 0, 0});
    expect_near(frame.sphere_position[0], {-0.4, 0, 0});
    expect_near(frame.contacts[0].point, {-0.05, 0, 0});
    frame.domain.periodic = {false, false, false};
    gather_about(frame, {9, 0, 0});
    expect_near(frame.position[0], {-0.5, 0, 0});
}

}  // namespace
}  // namespace talus::render
