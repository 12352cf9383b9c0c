// The oracle: event-driven spheres without cells and without a queue. After every event all pairs with all their
// periodic images, all borders, walls and held grains are asked again, and the earliest event is taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "asked_obstacles.h"
#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"

namespace talus::tests {

using engines::hard::Collision;
using engines::hard::never;
using math::Vec3d;

class AllPairs {
public:
    /// `step`: s, 0 for event-driven flight; otherwise gravity kicks at both ends of drifts this long.
    AllPairs(const model::System& system, const laws::ImpactParams& params, const laws::SlowImpacts& slow,
             double step = 0, std::int64_t epoch_collisions = 64)
        : system_(system),
          params_(params),
          slow_(slow),
          step_(step),
          epoch_collisions_(epoch_collisions),
          gravity_(step > 0 ? Vec3d{} : system.gravity),
          epoch_(system.clock.time()),
          time_(system.bodies.size(), 0.0),
          flying_(system.bodies.size()) {
        for (std::size_t w = 0; w < system_.walls.size(); ++w) {
            obstacles_.push_back(wall_obstacle(system_, w));
        }
        for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
            if (system_.bodies.is_held(b)) {
                hold(b);
            }
        }
        asked_.assign(system_.bodies.size(), {});
    }

    /// Carries out `count` impacts, or those up to the time `until` (s since the epoch).
    std::vector<Collision> run(std::size_t count, double until) {
        std::vector<Collision> out;
        while (out.size() < count) {
            const Next next = earliest(until);
            if (next.time > until || next.time == never) {
                break;
            }
            now_ = next.time;
            if (next.kind == Kind::border) {
                cross(next);
            } else {
                const std::int64_t other = next.kind == Kind::impact ? system_.bodies.id[next.j] : hit(next);
                if (next.kind == Kind::impact) {
                    collide(next);
                }
                const std::int64_t own = system_.bodies.id[next.i];
                out.push_back(
                    {epoch_ + now_, other < 0 ? own : std::min(own, other), other < 0 ? other : std::max(own, other)});
                ++collisions_;
            }
            if (step_ == 0 && collisions_ >= std::max<std::int64_t>(1, epoch_collisions_ * flying() / 2)) {
                until -= now_;
                move_epoch();
            }
        }
        return out;
    }

    /// Takes steps of kick, drift, kick until there have been `count` impacts.
    std::vector<Collision> run_drifts(std::size_t count) {
        std::vector<Collision> out;
        while (out.size() < count) {
            kick();
            epoch_ = system_.clock.time();
            begin_flights();
            const std::vector<Collision> drift = run(static_cast<std::size_t>(-1), step_);
            out.insert(out.end(), drift.begin(), drift.end());
            now_ = step_;
            fly_all();
            kick();
            ++system_.clock.steps;
        }
        return out;
    }

    const model::Bodies& bodies() const { return system_.bodies; }
    std::size_t left() const { return left_; }
    std::int64_t absorbed() const { return absorbed_; }
    std::int64_t caught() const { return caught_; }  // by sticky walls
    std::int64_t epochs() const { return epochs_; }
    std::int64_t steps() const { return system_.clock.steps; }
    std::int64_t on_walls() const { return on_walls_; }
    std::int64_t on_held() const { return on_held_; }
    bool flies(std::size_t b) const { return time_[b] < never; }
    /// m, the largest distance from contact at an impact on a wall or a held grain.
    double largest_gap() const { return largest_gap_; }
    /// The largest difference between the time of a touch that was searched in pieces and a search in one go, over
    /// the sum of 1 s and that time.
    double largest_doubt() const { return largest_doubt_; }

private:
    enum class Kind { impact, border, obstacle };
    struct Next {
        double time = never;
        std::size_t i = 0, j = 0;  // j: also the obstacle's place in the list
        Vec3d shift;
        Kind kind = Kind::impact;
        int axis = -1;  // of a border
        bool upper = false;
    };

    std::int64_t flying() const { return static_cast<std::int64_t>(flying_); }
    geometry::Flight flight(std::size_t i) const {
        return {system_.bodies.position[i], system_.bodies.velocity[i], gravity_};
    }
    double reach(std::size_t i, const Obstacle& obstacle) const {
        return system_.bodies.radius[i] + (obstacle.is_wall ? 0 : system_.bodies.radius[obstacle.index]);
    }
    /// Body b no longer flies: it is held or sticks.
    void hold(std::size_t b) {
        obstacles_.push_back(held_obstacle(system_, b, epoch_ + now_));
        time_[b] = never;
        --flying_;
    }

    double meeting(std::size_t i, std::size_t j, const Vec3d& shift) const {
        const model::Bodies& b = system_.bodies;
        const double sum = b.radius[i] + b.radius[j];
        return engines::hard::meeting_time<true>(b.position[i], b.velocity[i], time_[i], b.position[j], b.velocity[j],
                                                 time_[j], shift, gravity_, sum * sum);
    }

    /// The first time after `now` at which coordinate k passes a border outward, by the plain quadratic formula's
    /// branches.
    double border_time(std::size_t i, int k, bool upper) const {
        const double sign = upper ? 1 : -1;
        const double border = upper ? system_.domain.high[k] : system_.domain.low[k];
        const double gap = sign * (border - system_.bodies.position[i][k]);
        const double v = sign * system_.bodies.velocity[i][k];
        const double a = sign * gravity_[k];
        double wait = never;
        if (gap == never) {
            return never;
        }
        if (a == 0) {
            wait = v > 0 ? std::max(gap, 0.0) / v : never;
        } else if (v > 0) {
            const double square = v * v + 2 * a * std::max(gap, 0.0);
            wait = square >= 0 ? 2 * std::max(gap, 0.0) / (v + std::sqrt(square)) : never;
        } else if (a > 0) {
            wait = (std::sqrt(std::max(v * v + 2 * a * gap, 0.0)) - v) / a;
        }
        return time_[i] + wait;
    }

    Next earliest(double until) {
        Next next;
        const std::size_t n = system_.bodies.size();
        for (std::size_t i = 0; i < n; ++i) {  // borders come before impacts at the same time
            for (int k = 0; k < 3 && time_[i] < never; ++k) {
                for (const bool upper : {false, true}) {
                    const double time = border_time(i, k, upper);
                    if (time < next.time) {
                        next = {time, i, i, {}, Kind::border, k, upper};
                    }
                }
            }
        }
        const Vec3d period = system_.domain.size();
        const auto images = [&](std::size_t k) { return system_.domain.periodic[k] ? 1 : 0; };
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n && time_[i] < never; ++j) {
                if (time_[j] == never) {
                    continue;
                }
                for (int z = -images(2); z <= images(2); ++z) {
                    for (int y = -images(1); y <= images(1); ++y) {
                        for (int x = -images(0); x <= images(0); ++x) {
                            const Vec3d shift{x == 0 ? 0 : x * period.x, y == 0 ? 0 : y * period.y,
                                              z == 0 ? 0 : z * period.z};
                            const double time = meeting(i, j, shift);
                            if (time < next.time) {
                                next = {time, i, j, shift};
                            }
                        }
                    }
                }
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            asked_[i].resize(obstacles_.size());
            for (std::size_t k = 0; k < obstacles_.size() && time_[i] < never; ++k) {
                Asked& known = asked_[i][k];
                const Obstacle& obstacle = obstacles_[k];
                ask(obstacle, flight(i), time_[i], epoch_, reach(i, obstacle), std::min(next.time, until), known);
                if (known.touch < next.time) {
                    next = {known.touch, i, k, {}, Kind::obstacle};
                }
            }
        }
        return next;
    }

    void fly(std::size_t i, double time) {
        model::Bodies& b = system_.bodies;
        b.position[i] = engines::hard::flown<true>(b.position[i], b.velocity[i], time - time_[i], gravity_);
        b.velocity[i] = engines::hard::speeded<true>(b.velocity[i], time - time_[i], gravity_);
        time_[i] = time;
        asked_[i].clear();  // a new flight
    }
    void fly_all() {
        for (std::size_t i = 0; i < time_.size(); ++i) {
            if (flies(i)) {
                fly(i, now_);
            }
        }
    }
    void begin_flights() {
        for (std::size_t i = 0; i < time_.size(); ++i) {
            time_[i] = flies(i) ? 0 : never;
            asked_[i].clear();
        }
        now_ = 0;
    }
    /// All flights begin anew, and times count from now on.
    void move_epoch() {
        fly_all();
        epoch_ += now_;
        begin_flights();
        collisions_ = 0;
        ++epochs_;
    }
    void kick() {
        for (std::size_t i = 0; i < time_.size(); ++i) {
            if (flies(i)) {
                system_.bodies.velocity[i] += system_.gravity * (0.5 * step_);
            }
        }
    }

    void cross(const Next& next) {
        fly(next.i, next.time);
        if (!system_.domain.periodic[static_cast<std::size_t>(next.axis)]) {
            time_[next.i] = never;
            --flying_;
            ++left_;
            return;
        }
        system_.bodies.position[next.i][next.axis] =
            next.upper ? system_.domain.low[next.axis] : system_.domain.high[next.axis];
    }

    void collide(const Next& next) {
        const std::size_t i = next.i;
        const std::size_t j = next.j;
        fly(i, next.time);
        fly(j, next.time);
        model::Bodies& b = system_.bodies;
        const Vec3d d = b.position[i] - b.position[j] + next.shift;
        const double opening = dot(d, b.velocity[i] - b.velocity[j]);
        if (params_.is_smooth()) {
            const bool elastic = -opening < slow_.elastic_below * norm(d);
            const double scaled = elastic ? -opening : params_.restitution * -opening;
            const double per_length =
                laws::normal_impulse_per_length(opening, scaled, norm2(d), 1 / b.mass[i] + 1 / b.mass[j]);
            b.velocity[i] -= d * (per_length * (1 / b.mass[i]));
            b.velocity[j] += d * (per_length * (1 / b.mass[j]));
            return;
        }
        laws::ImpactBody<double> one{b.velocity[i], b.spin[i], 1 / b.mass[i], 1 / b.inertia[i], b.radius[i]};
        laws::ImpactBody<double> two{b.velocity[j], b.spin[j], 1 / b.mass[j], 1 / b.inertia[j], b.radius[j]};
        const Vec3d normal = -d / norm(d);
        const double approach = dot(one.velocity - two.velocity, normal);
        const double rebound = laws::rebound_speed(params_.restitution, approach, slow_);
        const auto result = laws::impact(normal, one, two, params_, rebound);
        laws::apply(result, 1.0, one);
        laws::apply(result, -1.0, two);
        b.velocity[i] = one.velocity;
        b.spin[i] = one.spin;
        b.velocity[j] = two.velocity;
        b.spin[j] = two.spin;
    }

    /// An impact on what does not give way; returns the partner as the engine tells it.
    std::int64_t hit(const Next& next) {
        const std::size_t i = next.i;
        const Obstacle obstacle = obstacles_[next.j];
        check_time(next, obstacle);
        fly(i, next.time);
        model::Bodies& b = system_.bodies;
        const TouchedAt at = touched_at(obstacle, b, i, epoch_ + now_);
        largest_gap_ = std::max(largest_gap_, std::fabs(at.gap));
        if (!obstacle.is_wall) {
            ++on_held_;
            bounce(i, at);
            return b.id[obstacle.index];
        }
        ++on_walls_;
        const auto behaviour = system_.walls[obstacle.index].behaviour;
        if (behaviour == model::WallBehaviour::absorbing) {
            time_[i] = never;
            --flying_;
            ++absorbed_;
        } else if (behaviour == model::WallBehaviour::sticky) {
            b.stuck_to[i] = static_cast<std::int32_t>(obstacle.index);
            b.stuck_at[i] = obstacle.pose(epoch_ + now_).to_local(b.position[i]);
            hold(i);
            ++caught_;
        } else {
            bounce(i, at);
        }
        return -1 - static_cast<std::int64_t>(obstacle.index);
    }

    /// Pieces of time are the engine's own way to cut a search; the touch must not depend on them by more than
    /// rounding.
    void check_time(const Next& next, const Obstacle& obstacle) {
        if (obstacle.window == never) {
            return;
        }
        const double begun = time_[next.i];
        const double first = std::max(0.0, obstacle.since - epoch_ - begun);
        const geometry::FirstTouch whole =
            model::first_touch(obstacle.target(), flight(next.i), epoch_ + begun, reach(next.i, obstacle), first,
                               (next.time - begun) * (1 + 1e-9) + 1e-9);
        const double off = whole.touches ? std::fabs(begun + whole.time - next.time) : 1.0;
        largest_doubt_ = std::max(largest_doubt_, off / (1 + next.time));
    }

    /// HSDEM Eqs. 6-8 with a partner of infinite mass.
    void bounce(std::size_t i, const TouchedAt& at) {
        model::Bodies& b = system_.bodies;
        laws::ImpactBody<double> one{b.velocity[i], b.spin[i], 1 / b.mass[i], 1 / b.inertia[i], b.radius[i]};
        const laws::ImpactBody<double> two{at.surface, {}, 0, 0, 0};
        const double approach = std::max(dot(one.velocity - at.surface, at.normal), 0.0);
        const double least = engines::hard::least_parting * (norm(one.velocity) + norm(at.surface));
        const double rebound = std::max(laws::rebound_speed(params_.restitution, approach, slow_), least);
        laws::apply(laws::impact(at.normal, one, two, params_, rebound), 1.0, one);
        b.velocity[i] = one.velocity;
        if (!params_.is_smooth()) {
            b.spin[i] = one.spin;
        }
    }

    model::System system_;
    laws::ImpactParams params_;
    laws::SlowImpacts slow_;
    double step_;  // s
    std::int64_t epoch_collisions_;
    Vec3d gravity_;  // m/s2, in flight
    double epoch_;   // s, on the clock
    double now_ = 0;
    std::vector<double> time_;  // own times, s since the epoch; infinite for who does not fly
    std::vector<Obstacle> obstacles_;
    std::vector<std::vector<Asked>> asked_;  // by body and obstacle
    std::size_t flying_;
    std::size_t left_ = 0;
    std::int64_t collisions_ = 0;  // since the epoch
    std::int64_t epochs_ = 0, absorbed_ = 0, caught_ = 0, on_walls_ = 0, on_held_ = 0;
    double largest_gap_ = 0, largest_doubt_ = 0;
};

}  // namespace talus::tests
