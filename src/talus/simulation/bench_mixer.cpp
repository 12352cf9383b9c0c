// A mixer of a thousand triangles that turns in a bed: what a mesh costs. The mesh is that of tools/mixer_mesh.py.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "talus/geometry/make_shape.h"
#include "talus/geometry/surface.h"
#include "talus/math/portable.h"
#include "talus/simulation/bench_cases.h"
#include "talus/simulation/bench_parts.h"

namespace talus::simulation {

namespace {

using geometry::Mesh;

constexpr double slenderness = 0.72;  // height of the filling over the vessel's radius, as in scenes/mixer.toml
constexpr double froude = 0.4;        // rate^2 radius / g of the vessel's radius
constexpr std::int64_t starting_steps = 4000;

// The mixer, in parts of the vessel's radius.
constexpr double shaft_radius = 0.1, shaft_bottom = 0.05, shaft_top = 1.5;
constexpr double blade_root = 0.05, blade_tip = 0.925, blade_width = 0.325, blade_thickness = 0.0375;
constexpr double blade_height = 0.275;
constexpr double pitch = 40.0 * std::numbers::pi / 180;  // rad
constexpr int around = 24, along = 8, out = 8, across = 3, blades = 4;

/// Two triangles for each cell of an n by m grid; corner(i, j) is the index of a point.
template <class Corner>
void add_grid(Mesh& mesh, int n, int m, const Corner& corner) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            mesh.triangles.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
            mesh.triangles.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
        }
    }
}

void add_shaft(Mesh& mesh, double unit) {
    for (int i = 0; i < around; ++i) {
        const math::SinCos angle = math::sincos(2 * std::numbers::pi * i / around);
        for (int j = 0; j <= along; ++j) {
            mesh.points.push_back(Vec3d{shaft_radius * angle.cos, shaft_radius * angle.sin,
                                        shaft_bottom + (shaft_top - shaft_bottom) * j / along} *
                                  unit);
        }
    }
    const auto side = [](int i, int j) { return (i % around) * (along + 1) + j; };
    add_grid(mesh, around, along, side);
    const auto middle = static_cast<std::int32_t>(mesh.points.size());
    mesh.points.push_back(Vec3d{0, 0, shaft_bottom} * unit);
    mesh.points.push_back(Vec3d{0, 0, shaft_top} * unit);
    for (int i = 0; i < around; ++i) {
        mesh.triangles.push_back({side(i, 0), middle, side(i + 1, 0)});
        mesh.triangles.push_back({side(i, along), side(i + 1, along), middle + 1});
    }
}

/// A box from inside the shaft to the tip, pitched about its length, turned about the shaft.
void add_blade(Mesh& mesh, double turn, double unit) {
    const math::SinCos tilt = math::sincos(pitch);
    const math::SinCos about = math::sincos(turn);
    const auto first = static_cast<std::int32_t>(mesh.points.size());
    for (int i = 0; i <= out; ++i) {
        for (int j = 0; j <= across; ++j) {
            for (int k = 0; k <= 1; ++k) {
                const double x = blade_root + (blade_tip - blade_root) * i / out;
                const double v = blade_width * (static_cast<double>(j) / across - 0.5);
                const double w = blade_thickness * (k - 0.5);
                const double y = v * tilt.cos - w * tilt.sin;
                const double z = v * tilt.sin + w * tilt.cos;
                mesh.points.push_back(
                    Vec3d{x * about.cos - y * about.sin, x * about.sin + y * about.cos, z + blade_height} * unit);
            }
        }
    }
    const auto at = [first](int i, int j, int k) { return first + (i * (across + 1) + j) * 2 + k; };
    for (const int end : {0, 1}) {
        add_grid(mesh, out, across, [&](int i, int j) { return at(i, j, end); });
        add_grid(mesh, out, 1, [&](int i, int k) { return at(i, end * across, k); });
        add_grid(mesh, across, 1, [&](int j, int k) { return at(end * out, j, k); });
    }
}

geometry::Placed mixer_of(double unit) {
    Mesh mesh;
    add_shaft(mesh, unit);
    for (int k = 0; k < blades; ++k) {
        add_blade(mesh, 2 * std::numbers::pi * k / blades, unit);
    }
    geometry::Placed placed;
    placed.shape.kind = geometry::ShapeKind::mesh;
    placed.shape.surface = std::make_shared<const geometry::Surface>(std::move(mesh));
    placed.shape.a = placed.shape.surface->reach();
    return placed;
}

}  // namespace

model::System turning_mixer(std::int64_t particles, int threads) {
    const double radius = barrel_radius(particles, slenderness);
    const geometry::Placed mixer = mixer_of(radius);
    const auto is_clear = [&](const Vec3d& at) {
        const double beside = shaft_radius * radius + bench_grain::radius;
        return at.x * at.x + at.y * at.y > beside * beside &&
               mixer.shape.surface->nearest(at).distance > bench_grain::radius;
    };
    const model::System tile = packed_tile(std::min<std::int64_t>(particles, 1000), 12000, threads);
    model::System vessel = bench_system(bench_grain::kn, {0.4, 0.4});
    for (const Vec3d& at : cut_out(tile, particles, radius, is_clear)) {
        vessel.bodies.add_sphere(vessel.counters.next_id++, at, bench_grain::radius, bench_grain::density,
                                 grain_material);
    }
    vessel.domain.low = {-1.1 * radius, -1.1 * radius, -0.1 * radius};
    vessel.domain.high = {1.1 * radius, 1.1 * radius, 4 * radius};
    vessel.walls.push_back(placed_wall("vessel", geometry::make_cylinder({0, 0, 0}, {0, 0, 1}, radius)));
    vessel.walls.push_back(placed_wall("floor", geometry::make_disk({0, 0, 0}, {0, 0, 1}, 1.05 * radius)));
    vessel.walls.push_back(placed_wall("mixer", mixer));
    model::Wall& turning = vessel.walls.back();
    turning.motion.spins.push_back({{0, 0, 1}, {0, 0, 0}, std::sqrt(froude * 9.81 / radius), 0});
    settle(vessel, {bench_grain::coarse_step, starting_steps, 0, 0}, threads);
    turning.base.rotation = turning.pose.rotation;  // the clock begins anew
    return repeated(vessel, {1, 1}, bench_grain::step, 0);
}

}  // namespace talus::simulation
