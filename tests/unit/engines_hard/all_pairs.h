// The oracle: event-driven spheres without cells and without a queue. After every event all pairs with all their
// periodic images, and all borders, are asked again, and the earliest event is taken.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "talus/engines/hard/ballistic_engine.h"
#include "talus/engines/hard/flight.h"

namespace talus::tests {

using engines::hard::Collision;
using engines::hard::never;
using math::Vec3d;

class AllPairs {
public:
    AllPairs(const model::System& system, const laws::ImpactParams& params, const laws::SlowImpacts& slow)
        : system_(system), params_(params), slow_(slow), time_(system.bodies.size(), 0.0) {}

    /// Carries out `count` impacts, or those up to the time `until`.
    std::vector<Collision> run(std::size_t count, double until) {
        std::vector<Collision> out;
        while (out.size() < count) {
            const Next next = earliest();
            if (next.time > until || next.time == never) {
                break;
            }
            if (next.axis >= 0) {
                cross(next);
            } else {
                collide(next);
                const auto& id = system_.bodies.id;
                out.push_back({next.time, id[next.i], id[next.j]});
            }
        }
        return out;
    }
    const model::Bodies& bodies() const { return system_.bodies; }
    std::size_t left() const { return left_; }

private:
    struct Next {
        double time = never;
        std::size_t i = 0, j = 0;
        Vec3d shift;
        int axis = -1;  // of a border; -1: an impact
        bool upper = false;
    };

    double meeting(std::size_t i, std::size_t j, const Vec3d& shift) const {
        const model::Bodies& b = system_.bodies;
        const double sum = b.radius[i] + b.radius[j];
        return engines::hard::meeting_time<true>(b.position[i], b.velocity[i], time_[i], b.position[j], b.velocity[j],
                                                 time_[j], shift, system_.gravity, sum * sum);
    }

    /// The first time after `now` at which coordinate k passes a border outward, by the plain quadratic formula's
    /// branches.
    double border_time(std::size_t i, int k, bool upper) const {
        const double sign = upper ? 1 : -1;
        const double border = upper ? system_.domain.high[k] : system_.domain.low[k];
        const double gap = sign * (border - system_.bodies.position[i][k]);
        const double v = sign * system_.bodies.velocity[i][k];
        const double a = sign * system_.gravity[k];
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

    Next earliest() const {
        Next next;
        const std::size_t n = system_.bodies.size();
        for (std::size_t i = 0; i < n; ++i) {  // borders come before impacts at the same time
            for (int k = 0; k < 3 && time_[i] < never; ++k) {
                for (const bool upper : {false, true}) {
                    const double time = border_time(i, k, upper);
                    if (time < next.time) {
                        next = {time, i, i, {}, k, upper};
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
                                next = {time, i, j, shift, -1, false};
                            }
                        }
                    }
                }
            }
        }
        return next;
    }

    void fly(std::size_t i, double time) {
        model::Bodies& b = system_.bodies;
        b.position[i] = engines::hard::flown<true>(b.position[i], b.velocity[i], time - time_[i], system_.gravity);
        b.velocity[i] = engines::hard::speeded<true>(b.velocity[i], time - time_[i], system_.gravity);
        time_[i] = time;
    }

    void cross(const Next& next) {
        fly(next.i, next.time);
        if (!system_.domain.periodic[static_cast<std::size_t>(next.axis)]) {
            time_[next.i] = never;
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

    model::System system_;
    laws::ImpactParams params_;
    laws::SlowImpacts slow_;
    std::vector<double> time_;  // own times; infinite for who has left
    std::size_t left_ = 0;
};

}  // namespace talus::tests
