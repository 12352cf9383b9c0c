// Steps of one force evaluation: the leapfrog and POLY's midpoint method, for rigid bodies. Between two kicks angular
// momentum is constant and the orientation follows it.
#include <fmt/format.h>

#include <cmath>

#include "talus/base/diagnostics.h"
#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"
#include "talus/math/free_rotation.h"
#include "talus/model/driving.h"
#include "talus/model/leaving.h"
#include "talus/search/balls.h"

namespace talus::engines::grains {

Vec3d Engine::momentum_of_turning(std::size_t i, const Quaterniond& turn, const Vec3d& spin) const {
    if (nature_[i].turns_as_sphere) {
        return spin * system_.bodies.inertia[i];
    }
    return math::angular_momentum_of(spin, turn, system_.grains.moment[i]);
}

Vec3d Engine::spin_from(std::size_t i, const Quaterniond& turn, const Vec3d& angular_momentum) const {
    return nature_[i].turns_as_sphere ? angular_momentum * nature_[i].inverse_moment.x
                                      : math::spin_of(angular_momentum, turn, nature_[i].inverse_moment);
}

Vec3d Engine::gravity_of(std::size_t i) const {
    return nature_[i].inverse_mass > 0 ? system_.gravity : Vec3d{};
}

Motion Engine::motion_of(std::size_t i) const {
    const model::Bodies& bodies = system_.bodies;
    return {bodies.position[i], bodies.velocity[i], system_.grains.turn[i], bodies.spin[i]};
}

std::vector<Motion> Engine::motions() const {
    std::vector<Motion> out(system_.bodies.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = motion_of(i);
    }
    return out;
}

void Engine::publish_motion(const std::vector<Motion>& motion, const std::vector<Vec3d>& turning) {
    model::Bodies& bodies = system_.bodies;
    base::parallel_for(bodies.size(), options_.threads, [&](std::size_t i) {
        bodies.position[i] = motion[i].position;
        bodies.velocity[i] = motion[i].velocity;
        bodies.spin[i] = motion[i].spin;
        system_.grains.turning[i] = turning[i];
        if (nature_[i].keeps_turn) {
            system_.grains.turn[i] = motion[i].turn;
        }
    });
}

void Engine::refuse_lost(const std::vector<Motion>& motion, double h) const {
    for (std::size_t i = 0; i < motion.size(); ++i) {
        const Vec3d& v = motion[i].velocity;
        if (!(norm(v) * h <= 10 * system_.bodies.radius[i]) || !std::isfinite(norm2(motion[i].spin))) {
            throw base::RunError(fmt::format(
                "grain {} was thrown out at t = {:.6g} s (step {}): its velocity is ({:.4g}, {:.4g}, {:.4g}) m/s and "
                "its spin ({:.4g}, {:.4g}, {:.4g}) rad/s, more than ten radii in one step; a shorter time step or "
                "stiffer contacts will help",
                system_.bodies.id[i], system_.clock.time(), system_.clock.steps, v.x, v.y, v.z, motion[i].spin.x,
                motion[i].spin.y, motion[i].spin.z));
        }
    }
}

void Engine::leapfrog() {
    model::Bodies& bodies = system_.bodies;
    const double h = system_.clock.step;
    const std::size_t n = bodies.size();
    velocity_.resize(n);
    turning_.resize(n);
    motion_.resize(n);
    // A magnetic field turns velocities before the first kick and after the second, by half of a step each.
    const bool charged = system_.fields.magnetic.is_there();
    const Vec3d before_field = system_.fields.magnetic.at(system_.clock.time());
    const Vec3d after_field = system_.fields.magnetic.at(system_.clock.time() + h);
    timer_.time("drift", [&] {
        base::parallel_for(n, options_.threads, [&](std::size_t i) {
            const Quaterniond& before = system_.grains.turn[i];
            const Vec3d torque = momentum_of_turning(i, before, bodies.spin_rate[i]);
            const Vec3d velocity = charged ? gyrated(i, bodies.velocity[i], before_field) : bodies.velocity[i];
            velocity_[i] = velocity + bodies.acceleration[i] * (0.5 * h);
            turning_[i] = system_.grains.turning[i] + torque * (0.5 * h);
            Motion& m = motion_[i];
            m.position = bodies.position[i] + velocity_[i] * h;
            m.velocity = velocity_[i] + bodies.acceleration[i] * (0.5 * h);
            m.velocity = charged ? gyrated(i, m.velocity, after_field) : m.velocity;
            const bool free = nature_[i].inverse_moment.x > 0;
            if (!nature_[i].keeps_turn) {
                m.turn = before;
            } else if (!free || nature_[i].turns_as_sphere) {
                m.turn = math::turned_steadily(before, free ? spin_from(i, before, turning_[i]) : bodies.spin[i], h);
            } else {
                m.turn = math::turned_by_parts(before, turning_[i], nature_[i].inverse_moment, h);
            }
            m.spin = free ? spin_from(i, m.turn, turning_[i] + torque * (0.5 * h)) : bodies.spin[i];
        });
    });
    refuse_lost(motion_, h);
    ++system_.clock.steps;
    now_ = system_.clock.time();
    model::drift_drives(system_.walls, h, now_);
    evaluate(motion_, now_, h, h);
    timer_.time("kick", [&] {
        base::parallel_for(n, options_.threads, [&](std::size_t i) {
            bodies.acceleration[i] = wrench_[i].force * nature_[i].inverse_mass + gravity_of(i);
            const Vec3d velocity = velocity_[i] + bodies.acceleration[i] * (0.5 * h);
            motion_[i].velocity = charged ? gyrated(i, velocity, after_field) : velocity;
            if (nature_[i].inverse_moment.x > 0) {
                bodies.spin_rate[i] = spin_from(i, motion_[i].turn, wrench_[i].torque);
                turning_[i] += wrench_[i].torque * (0.5 * h);
                motion_[i].spin = spin_from(i, motion_[i].turn, turning_[i]);
            }
        });
        look_outside(motion_);
        book(h, outside_, true);
        model::kick_drives(system_.walls, system_.gravity, h, now_);
        publish_motion(motion_, turning_);
    });
}

void Engine::midpoint() {
    model::Bodies& bodies = system_.bodies;
    const double h = system_.clock.step;
    const std::size_t n = bodies.size();
    velocity_.resize(n);
    turning_.resize(n);
    motion_.resize(n);
    const auto drift = [&](std::size_t i, Motion& m) {
        m.position += m.velocity * (0.5 * h);
        if (nature_[i].keeps_turn) {
            m.turn = nature_[i].inverse_moment.x > 0
                         ? math::turned_freely(m.turn, turning_[i], nature_[i].inverse_moment, 0.5 * h)
                         : math::turned_steadily(m.turn, m.spin, 0.5 * h);
        }
    };
    const std::vector<Motion> start = motions();
    base::parallel_for(n, options_.threads, [&](std::size_t i) {
        Motion m = start[i];
        turning_[i] = system_.grains.turning[i];
        drift(i, m);
        // Forces that depend on velocities feel those that the last step's accelerations lead to (Eq. 66).
        velocity_[i] = m.velocity;
        const Vec3d torque = momentum_of_turning(i, m.turn, bodies.spin_rate[i]);
        m.velocity += bodies.acceleration[i] * (0.5 * h);
        if (nature_[i].inverse_moment.x > 0) {
            m.spin = spin_from(i, m.turn, turning_[i] + torque * (0.5 * h));
        }
        motion_[i] = m;
    });
    refuse_lost(motion_, h);
    const double middle = system_.clock.time() + 0.5 * h;
    model::halve_drives(system_.walls, h, middle);
    evaluate(motion_, middle, h, h);
    look_outside(motion_);
    ++system_.clock.steps;
    now_ = system_.clock.time();
    base::parallel_for(n, options_.threads, [&](std::size_t i) {
        Motion& m = motion_[i];
        bodies.acceleration[i] = wrench_[i].force * nature_[i].inverse_mass + gravity_of(i);
        m.velocity = velocity_[i] + bodies.acceleration[i] * h;
        if (nature_[i].inverse_moment.x > 0) {
            bodies.spin_rate[i] = spin_from(i, m.turn, wrench_[i].torque);
            turning_[i] += wrench_[i].torque * h;
        }
        drift(i, m);
        if (nature_[i].inverse_moment.x > 0) {
            m.spin = spin_from(i, m.turn, turning_[i]);
        }
    });
    book(h, outside_, false);
    model::finish_drives(system_.walls, system_.gravity, h, now_);
    publish_motion(motion_, turning_);
}

void Engine::advance(std::int64_t steps) {
    for (; steps > 0; --steps) {
        if (stale_) {
            start_anew();
        }
        published_ = false;
        now_ = system_.clock.time();
        switch (system_.integration.method) {
            case model::Method::leapfrog:
                leapfrog();
                break;
            case model::Method::midpoint:
                midpoint();
                break;
            default:
                frame();
        }
        if (!system_.integration.adaptive()) {
            leave_and_wrap();
        }
    }
    look();
}

void Engine::look() {
    if (system_.integration.method != model::Method::midpoint || stale_) {
        return;
    }
    // Its forces are those of the middle of the step; what contacts hold at its end is worked out for the eye alone.
    evaluate(motions(), system_.clock.time(), 0, system_.clock.step);
    double normal = 0;
    double tangential = 0;
    for (const Tally& tally : tally_) {
        normal += tally.stored_normal;
        tangential += tally.stored_tangential;
    }
    system_.ledger.stored = {normal, tangential};
}

void Engine::leave_and_wrap() {
    const model::Domain& domain = system_.domain;
    model::Bodies& bodies = system_.bodies;
    model::Leaving leaving(system_);
    std::vector<model::Image> wraps;
    if (domain.is_bounded()) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Vec3d& x = bodies.position[i];
            model::Image periods;
            const auto side = [&](int axis) -> signed char {
                if (!domain.periodic[static_cast<std::size_t>(axis)]) {
                    return 0;
                }
                return static_cast<signed char>(
                    std::floor((x[axis] - domain.low[axis]) / (domain.high[axis] - domain.low[axis])));
            };
            periods = {side(0), side(1), side(2)};
            if (is_outside(domain, x)) {
                leaving.leave_domain(i);
            }
            if (periods != model::Image{}) {
                const Vec3d before = x;
                x = wrapped(domain, x);
                wraps.resize(bodies.size());
                wraps[i] = periods;
                listed_at_[i].position += x - before;
                close_at_[i].position += x - before;
                if (!bodies.is_held(i)) {
                    // What a field gains by a body's jump is no work.
                    system_.ledger.gravity_reference += bodies.mass[i] * dot(system_.gravity, x - before);
                }
                if (system_.fields.electric.is_there() && !system_.fields.electric.turns()) {
                    system_.ledger.field_reference +=
                        system_.fields.moments[i].charge * dot(system_.fields.electric.value, x - before);
                }
            }
        }
    }
    if (!wraps.empty()) {
        for (Near& pair : near_) {
            const model::Image& a = wraps[parts_[pair.a].body];
            const model::Image& b = wraps[parts_[pair.b].body];
            pair.image = {static_cast<signed char>(pair.image.x + b.x - a.x),
                          static_cast<signed char>(pair.image.y + b.y - a.y),
                          static_cast<signed char>(pair.image.z + b.z - a.z)};
        }
        for (std::size_t c = 0; c < close_.size(); ++c) {
            close_pair_[c] = near_[close_[c]];
        }
    }
    if (has_traps_) {
        for (std::size_t q = 0; q < walls_.size(); ++q) {
            model::Wall& wall = system_.walls[walls_.wall[q]];
            if (walls_.touching[q] && wall.behaviour == model::WallBehaviour::absorbing) {
                leaving.absorb(parts_[walls_.body[q]].body, wall);
            }
        }
    }
    if (!leaving.empty()) {
        remove(leaving.keep());
    }
}

}  // namespace talus::engines::grains
