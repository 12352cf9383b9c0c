#include "talus/engines/stepped/grain_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "talus/base/diagnostics.h"
#include "talus/base/float_mode.h"
#include "talus/base/parallel.h"
#include "talus/math/free_rotation.h"
#include "talus/model/leaving.h"

namespace talus::engines::stepped {

namespace {

Vec3d spin_from(const Vec3d& turning, const Quaterniond& turn, const Vec3d& inverse_moment, bool sphere) {
    return sphere ? turning * inverse_moment.x : math::spin_of(turning, turn, inverse_moment);
}

}  // namespace

GrainEngine::GrainEngine(model::System& system, const Options& options, bool resumed)
    : system_(system), options_(options) {
    options_.threads = std::clamp(options_.threads, 1, base::most_threads());
    base::pin_float_mode(options_.threads);
    if (!resumed) {
        system_.ledger.gravity_reference = model::gravity_lift(system_);
    }
    system_changed();
}

void GrainEngine::system_changed() {
    if (system_.step_rules.after_overlap) {
        throw base::RunError("grains of several spheres collide ahead of an overlap, not within it");
    }
    for (const model::Wall& wall : system_.walls) {
        if (wall.present && wall.behaviour == model::WallBehaviour::sticky) {
            throw base::RunError(fmt::format(
                "wall {} is sticky: time-stepped grains of several spheres cannot be held by walls", wall.name));
        }
    }
    system_.grains.resize(system_.bodies);
    model::place_walls(system_);
    stale_ = true;
}

int GrainEngine::team() const {
    return body_.size() < base::serial_limit ? 1 : options_.threads;
}

void GrainEngine::start_anew() {
    const model::Domain& domain = system_.domain;
    const std::size_t n = system_.bodies.size();
    body_.resize(n);
    nature_.resize(n);
    reference_.resize(n);
    skin_.resize(n);
    parts_.clear();
    first_.assign(1, 0);
    double smallest = model::Domain::unbounded;
    for (std::size_t i = 0; i < n; ++i) {
        make_parts(i);
        smallest = std::min(smallest, nature_[i].smallest);
    }
    constexpr double wall_skin = 0.2;
    wall_allowance_ = n > 0 ? wall_skin * smallest : 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = domain.periodic[static_cast<std::size_t>(axis)];
        period_[axis] = periodic ? domain.high[axis] - domain.low[axis] : 0.0;
        inverse_period_[axis] = periodic ? 1 / period_[axis] : 0.0;
    }
    system_.impulses.resize(n);
    of_thread_.resize(static_cast<std::size_t>(options_.threads));
    stale_ = false;
    rebuild();
}

void GrainEngine::make_parts(std::size_t i) {
    const model::Bodies& bodies = system_.bodies;
    model::Grains& grains = system_.grains;
    const auto index = static_cast<std::uint32_t>(i);
    Nature& nature = nature_[i];
    nature = {};
    nature.sphere = grains.is_sphere(i);
    nature.smallest = bodies.radius[i];
    if (nature.sphere) {
        parts_.push_back({{}, bodies.radius[i], {}, bodies.position[i], index});
    } else {
        for (const geometry::Ball& ball : grains.shapes[static_cast<std::size_t>(grains.shape[i])].balls) {
            const Vec3d at_rest = ball.center * bodies.radius[i];
            const double radius = ball.radius * bodies.radius[i];
            parts_.push_back({{}, radius, at_rest, bodies.position[i], index});
            nature.arm = std::max(nature.arm, norm(at_rest));
            nature.smallest = std::min(nature.smallest, radius);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(parts_.size()));
    if (!bodies.is_turning_held(i)) {
        const Vec3d moment = nature.sphere ? Vec3d{1, 1, 1} * bodies.inertia[i] : grains.moment[i];
        nature.inverse_moment = {1 / moment.x, 1 / moment.y, 1 / moment.z};
    }
    // Whoever has set the spin means the angular momentum too.
    if (spin_from(grains.turning[i], grains.turn[i], nature.inverse_moment, nature.sphere) != bodies.spin[i]) {
        grains.turning[i] = model::angular_momentum(bodies, grains, i, bodies.spin[i]);
    }
    body_[i] = {
        bodies.position[i], bodies.velocity[i], bodies.spin[i], bodies.is_held(i) ? 0.0 : 1 / bodies.mass[i], {},
        grains.turning[i],  grains.turn[i]};
    place(i);
}

void GrainEngine::give_back() {
    model::Bodies& bodies = system_.bodies;
    base::parallel_for(body_.size(), options_.threads, [&](std::size_t i) {
        bodies.position[i] = body_[i].position;
        bodies.velocity[i] = body_[i].velocity;
        bodies.spin[i] = body_[i].spin;
        system_.grains.turning[i] = body_[i].turning;
        system_.grains.turn[i] = body_[i].turn;
    });
}

void GrainEngine::remove(const std::vector<char>& keep) {
    model::Bodies& bodies = system_.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!keep[i]) {
            model::book_removal(system_, i);
        }
    }
    system_.impulses.compact(keep);
    bodies.compact(keep);
    system_.grains.compact(keep);
    stale_ = true;
}

/// Arms and inertia as the body is turned now.
void GrainEngine::place(std::size_t i) {
    const Vec3d& inverse = nature_[i].inverse_moment;
    Mat3d& inertia = body_[i].inverse_inertia;
    if (nature_[i].sphere) {
        inertia = {{{inverse.x, 0, 0}, {0, inverse.y, 0}, {0, 0, inverse.z}}};
        return;
    }
    const Mat3d axes = to_matrix(body_[i].turn);
    for (std::uint32_t p = first_[i]; p < first_[i + 1]; ++p) {
        parts_[p].arm = axes * parts_[p].at_rest;
    }
    inertia = math::in_world(axes, inverse);
}

void GrainEngine::turn(std::size_t i, OfThread& mine) {
    Body& body = body_[i];
    const Nature& nature = nature_[i];
    if (!nature.turns()) {  // its spin is kept, and turns it
        if (!nature.sphere && norm2(body.spin) > 0) {
            body.turn = math::turned_steadily(body.turn, body.spin, system_.clock.step);
            place(i);
        }
        return;
    }
    if (nature.sphere) {
        body.spin = body.turning * nature.inverse_moment.x;
        return;
    }
    const double before = dot(body.turning, body.spin);
    body.turn = math::turned_by_parts(body.turn, body.turning, nature.inverse_moment, system_.clock.step);
    body.spin = spin_from(body.turning, body.turn, nature.inverse_moment, false);
    place(i);
    // Turning by parts keeps the energy to the square of the step.
    mine.lose(model::Mechanism::time_step, 0.5 * (before - dot(body.turning, body.spin)), scales_);
}

}  // namespace talus::engines::stepped
