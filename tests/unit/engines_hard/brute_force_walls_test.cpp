// The engine against the oracle without cells and queue among walls at rest and in motion, and held grains: the same
// impacts at the same times to the last bit, over several epochs, in event-driven flight and in drifts.
#include <gtest/gtest.h>

#include "against_all_pairs.h"
#include "random_fluid.h"
#include "wall_of.h"

namespace talus::tests {
namespace {

using geometry::Placed;

constexpr laws::ImpactParams elastic{};
constexpr laws::ImpactParams rubbing{0.99, 0.8, 0.1};

model::Wall turning(const Placed& placed, const Vec3d& axis, double rate) {
    model::Wall wall = wall_of(placed);
    wall.motion.spins.push_back({axis, placed.position, rate, 0});
    return wall;
}
model::Wall swinging(const Placed& placed, const Vec3d& amplitude, double omega) {
    model::Wall wall = wall_of(placed);
    wall.motion.oscillations.push_back({amplitude, omega, 0, 0});
    return wall;
}
/// A vessel about (0.5, 0.5, 0.5), as boxes of fluids are.
const Vec3d middle{0.5, 0.5, 0.5};

bool in_box(const Vec3d& /*at*/, double /*radius*/) {
    return true;
}
bool in_cylinder(const Vec3d& at, double radius) {
    return std::hypot(at.x - 0.5, at.y - 0.5) < 0.5 - 1.01 * radius;
}
bool in_ball(const Vec3d& at, double radius) {
    return norm(at - middle) < 0.5 - 1.01 * radius;
}

std::vector<model::Wall> box() {
    std::vector<model::Wall> out;
    for (int k = 0; k < 3; ++k) {
        Vec3d n;
        n[k] = 1;
        out.push_back(wall_of(geometry::make_plane({0, 0, 0}, n)));
        out.push_back(wall_of(geometry::make_plane({1, 1, 1}, n)));
    }
    return out;
}
std::vector<model::Wall> can(double turns, double amplitude) {
    const Placed side = geometry::make_tube({0.5, 0.5, 0}, {0.5, 0.5, 1}, 0.5, 0.5);
    const Placed floor = geometry::make_disk({0.5, 0.5, 0}, {0, 0, 1}, 0.5);
    const Placed lid = geometry::make_disk({0.5, 0.5, 1}, {0, 0, 1}, 0.5);
    return {turns != 0 ? turning(side, {0, 0, 1}, turns) : wall_of(side),
            amplitude != 0 ? swinging(floor, {0, 0, amplitude}, 25) : wall_of(floor), wall_of(lid)};
}
std::vector<model::Wall> with(std::vector<model::Wall> walls, const std::vector<model::Wall>& more) {
    walls.insert(walls.end(), more.begin(), more.end());
    return walls;
}

struct Case {
    const char* name;
    std::vector<model::Wall> walls;
    bool (*inside)(const Vec3d&, double);
    laws::ImpactParams params = elastic;
    std::size_t on_walls = 500;  // impacts that there must have been
    Vec3d gravity{0, 0, 0};
    std::size_t held = 0;  // every so-manieth grain is held; 0: none
    bool stuck = false;    // they ride on the first wall
    std::size_t on_held = 0;
    double step = 0;
    std::size_t impacts = 8000;
};
void PrintTo(const Case& one, std::ostream* out) {
    *out << one.name;
}

model::System scene_of(const Case& one) {
    FluidSpec spec;
    spec.periodic = {false, false, false};
    spec.bounded = true;  // no more than where to throw them; then all is open
    spec.smallest = 0.05;
    spec.largest = 0.08;
    spec.spin = 5;
    spec.walls = one.walls;
    spec.inside = one.inside;
    model::System out = random_fluid(spec);
    out.domain = {};
    out.gravity = one.gravity;
    out.clock.step = one.step > 0 ? one.step : 0.01;
    model::Bodies& b = out.bodies;
    for (std::size_t i = 0; one.held > 0 && i < b.size(); i += one.held) {
        if (one.stuck) {
            const model::Wall& wall = out.walls[0];
            b.stuck_to[i] = 0;
            b.stuck_at[i] = wall.pose.to_local(b.position[i]);
            b.velocity[i] = wall.pose.velocity_at(b.position[i]);
        } else {
            b.flags[i] |= model::position_held;
            b.velocity[i] = {};
        }
    }
    return out;
}

class WallsAgainstAllPairs : public ::testing::TestWithParam<Case> {};

TEST_P(WallsAgainstAllPairs, HaveTheSameImpactsInTheSameOrder) {
    const Case& one = GetParam();
    // At most 40 grains fly: at most 1,280 impacts an epoch.
    const std::int64_t epochs = one.step > 0 ? 0 : static_cast<std::int64_t>(one.impacts / 1280);
    const laws::SlowImpacts slow = one.params.is_smooth() ? laws::SlowImpacts{} : laws::SlowImpacts{1e-3, 1e-4};
    const AllPairs oracle =
        compare_with_all_pairs(scene_of(one), {one.params, slow, one.step, one.impacts, 1e9, one.impacts, epochs});
    EXPECT_GE(oracle.on_walls(), static_cast<std::int64_t>(one.on_walls));
    EXPECT_GE(oracle.on_held(), static_cast<std::int64_t>(one.on_held));
    const auto has = [&](model::WallBehaviour behaviour) {
        return std::any_of(one.walls.begin(), one.walls.end(),
                           [&](const model::Wall& wall) { return wall.behaviour == behaviour; });
    };
    EXPECT_EQ(oracle.absorbed() > 0, has(model::WallBehaviour::absorbing));
    EXPECT_EQ(oracle.caught() > 0, has(model::WallBehaviour::sticky));
    EXPECT_LT(oracle.largest_gap(), 1e-12) << "m, where the oracle has seen an impact";
    EXPECT_LT(oracle.largest_doubt(), 1e-9) << "s, between a search in pieces and one in one go";
}

std::vector<Case> cases() {
    using namespace geometry;
    const std::vector<model::Wall> obstacles = {
        wall_of(make_ring({0.5, 0.5, 0.5}, {0.3, 0, 1}, 0.25)), wall_of(make_segment({0.2, 0.2, 0.2}, {0.3, 0.4, 0.7})),
        wall_of(make_point({0.8, 0.7, 0.3})), wall_of(make_triangle({0.9, 0.1, 0.1}, {0.6, 0.2, 0.1}, {0.8, 0.3, 0.4})),
        wall_of(make_sphere({0.2, 0.8, 0.8}, 0.1))};
    const std::vector<model::Wall> stirrers = {
        turning(make_rectangle({0.3, 0.5, 0.35}, {0.4, 0, 0}, {0, 0, 0.3}), {0, 0, 1}, 3),
        swinging(make_ring({0.5, 0.5, 0.8}, {0, 0, 1}, 0.3), {0.05, 0, 0.05}, 11)};
    const std::vector<model::Wall> drum =
        with({turning(make_cylinder({0.5, 0.5, 0.5}, {0, 0, 1}, 0.5), {0, 0, 1}, 4)},
             {wall_of(make_plane({0, 0, 0}, {0, 0, 1})), wall_of(make_plane({0, 0, 1}, {0, 0, 1}))});
    model::Wall closing = wall_of(make_plane({0, 0, 1}, {0, 0, 1}));
    closing.motion.translations.push_back({{0, 0, -1e-3}, 0});
    model::Wall keyed = wall_of(make_rectangle({0.3, 0.3, 0.5}, {0.4, 0, 0}, {0, 0.4, 0}));
    keyed.motion.keyframes = {{0, {}, {}}, {3, {0, 0, 0.1}, {0.4, 0, 0}}, {9, {0, 0.1, -0.1}, {-0.3, 0.5, 0}}};
    model::Wall trap = wall_of(make_disk({0.5, 0.5, 0.5}, {0, 0, 1}, 0.02));
    trap.behaviour = model::WallBehaviour::absorbing;
    model::Wall glue = turning(make_disk({0.5, 0.5, 0.5}, {0, 0, 1}, 0.1), {1, 0, 0}, 2);
    glue.behaviour = model::WallBehaviour::sticky;
    const Vec3d down{0.2, 0.1, -1};

    std::vector<Case> out = {
        {"plane_box", box(), in_box},
        {"plane_box_under_gravity", box(), in_box, rubbing, 500, down},
        {"closing_box", with(box(), {closing}), in_box},
        {"shell", {wall_of(make_sphere(middle, 0.5))}, in_ball, elastic, 500, down},
        {"can", can(0, 0), in_cylinder, elastic, 500, down},
        {"obstacles", with(box(), obstacles), in_box, elastic, 500, down},
        {"drum", drum, in_cylinder, rubbing, 500, down},
        {"shaken_can", can(4, 0.04), in_cylinder, rubbing, 500, down},
        {"stirrers", with(box(), stirrers), in_box, rubbing, 500, down},
        {"keyed", with(box(), {keyed}), in_box, rubbing, 500, down},
        {"held", box(), in_box, rubbing, 500, down, 4, false, 250},
        {"stuck_on_a_drum", drum, in_cylinder, rubbing, 500, down, 4, true, 500},
        {"trap", with(box(), {trap}), in_box, rubbing, 100, down},
        {"glue", with(box(), {glue}), in_box, rubbing, 100, down},
    };
    for (std::size_t k = 0, n = out.size(); k < n; ++k) {  // and in drifts
        static const std::array names{"drum", "shaken_can", "stirrers", "stuck_on_a_drum", "obstacles"};
        if (std::find(names.begin(), names.end(), std::string(out[k].name)) != names.end()) {
            out.push_back(out[k]);
            out.back().step = 4e-3;
            out.back().impacts = 3000;
            out.back().on_walls /= 2;
            out.back().on_held /= 2;
        }
    }
    return out;
}

INSTANTIATE_TEST_SUITE_P(Vessels, WallsAgainstAllPairs, ::testing::ValuesIn(cases()), [](const auto& one) {
    return std::string(one.param.name) + (one.param.step > 0 ? "_in_drifts" : "");
});

}  // namespace
}  // namespace talus::tests
