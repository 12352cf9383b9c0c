#include "talus/model/grains.h"

#include <numbers>
#include <utility>

#include "talus/math/free_rotation.h"
#include "talus/math/portable_power.h"

namespace talus::model {

GrainShape make_grain_shape(std::string name, const std::vector<geometry::Ball>& balls, double tolerance) {
    const geometry::MassProperties p = geometry::mass_properties(balls, tolerance);
    GrainShape out;
    out.name = std::move(name);
    out.reach = p.reach;
    out.error = p.error;
    for (const geometry::Ball& ball : balls) {
        out.balls.push_back({p.axes * (ball.center - p.center) / p.reach, ball.radius / p.reach});
    }
    const double reach2 = p.reach * p.reach;
    out.volume = p.volume / (reach2 * p.reach);
    out.moment = Vec3d{p.moment[0], p.moment[1], p.moment[2]} / (reach2 * reach2 * p.reach);
    out.drawn = quaternion_from_matrix(math::transposed(p.axes));
    return out;
}

void Grains::resize(const Bodies& bodies) {
    for (std::size_t i = shape.size(); i < bodies.size(); ++i) {
        shape.push_back(-1);
        turn.push_back({});
        moment.push_back(Vec3d{1, 1, 1} * bodies.inertia[i]);
        turning.push_back(bodies.spin[i] * bodies.inertia[i]);
    }
}

void shape_body(Bodies& bodies, Grains& grains, std::size_t i, std::int32_t shape, const Quaterniond& turn,
                double density) {
    grains.resize(bodies);
    const GrainShape& like = grains.shapes[static_cast<std::size_t>(shape)];
    const double reach = bodies.radius[i];
    const double reach3 = reach * reach * reach;
    bodies.mass[i] = density * like.volume * reach3;
    grains.shape[i] = shape;
    grains.turn[i] = turn;
    grains.moment[i] = like.moment * (density * reach3 * reach * reach);
    const Vec3d& m = grains.moment[i];
    bodies.inertia[i] = (m.x + m.y + m.z) / 3;
}

double solid_radius(const Bodies& bodies, const Grains& grains, std::size_t i) {
    if (grains.is_sphere(i)) {
        return bodies.radius[i];
    }
    const double volume = grains.shapes[static_cast<std::size_t>(grains.shape[i])].volume;
    return bodies.radius[i] * math::cube_root(volume / (4.0 / 3.0 * std::numbers::pi));
}

std::vector<geometry::Ball> spheres_of(const Bodies& bodies, const Grains& grains, std::size_t i) {
    if (grains.is_sphere(i)) {
        return {{bodies.position[i], bodies.radius[i]}};
    }
    const math::Mat3d axes = to_matrix(grains.turn[i]);
    std::vector<geometry::Ball> out = grains.shapes[static_cast<std::size_t>(grains.shape[i])].balls;
    for (geometry::Ball& ball : out) {
        ball.center = bodies.position[i] + axes * ball.center * bodies.radius[i];
        ball.radius *= bodies.radius[i];
    }
    return out;
}

Vec3d angular_momentum(const Bodies& bodies, const Grains& grains, std::size_t i, const Vec3d& spin) {
    if (grains.is_sphere(i)) {
        return spin * bodies.inertia[i];
    }
    return math::angular_momentum_of(spin, grains.turn[i], grains.moment[i]);
}

double turning_energy(const Bodies& bodies, const Grains& grains, std::size_t i) {
    if (grains.is_sphere(i)) {
        return 0.5 * bodies.inertia[i] * norm2(bodies.spin[i]);
    }
    return 0.5 * dot(angular_momentum(bodies, grains, i, bodies.spin[i]), bodies.spin[i]);
}

}  // namespace talus::model
