// Embedded Runge-Kutta pairs whose steps follow the error and fit evenly into a frame (SOLVER Algorithm 1 with its
// errata). Histories are frozen within a step and advance once it is accepted.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "talus/base/parallel.h"
#include "talus/engines/grains/engine.h"

namespace talus::engines::grains {

namespace {

/// A method by its table: stages, the solution that is kept and the one it is compared with.
struct Tableau {
    std::size_t stages = 0;
    std::array<double, 6> at{};                   // of the step
    std::array<std::array<double, 5>, 6> from{};  // weights of the stages before
    std::array<double, 6> kept{}, compared{};
    bool fourth_root = false;  // of the error, for the next step; otherwise its square root
};

constexpr Tableau fehlberg = {6,
                              {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2},
                              {{{},
                                {1.0 / 4},
                                {3.0 / 32, 9.0 / 32},
                                {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                                {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
                                {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}}},
                              {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0},  // fourth order
                              {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55},
                              true};

constexpr Tableau bogacki_shampine = {4,
                                      {0, 1.0 / 2, 3.0 / 4, 1},
                                      {{{}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}}},
                                      {2.0 / 9, 1.0 / 3, 4.0 / 9, 0},  // third order
                                      {7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8},
                                      false};

/// The rate of a unit quaternion that turns with `spin`, times h.
Quaterniond turning_rate(const Quaterniond& turn, const Vec3d& spin, double h) {
    return Quaterniond{0, spin * (0.5 * h)} * turn;
}

Quaterniond plus(const Quaterniond& a, const Quaterniond& b, double weight) {
    return {a.w + b.w * weight, a.v + b.v * weight};
}

}  // namespace

void Engine::frame() {
    const double length = system_.clock.step;
    const double start = system_.clock.time();
    model::IntegrationState& state = system_.integration_state;
    if (!(state.suggested > 0)) {
        state.suggested = length;
    }
    double done = 0;
    while (done < length) {
        const double left = length - done;
        if (system_.integration.method == model::Method::implicit) {
            const double h = step_implicitly(start + done, left);
            done = h >= (1 - 1e-9) * left ? length : done + h;
            now_ = start + done;
            leave_and_wrap();
            continue;
        }
        const double wanted = std::max(std::min(state.suggested, longest_step()), system_.integration.shortest);
        const double pieces = std::ceil(left / wanted - 1e-9);  // rounding must not cut a sliver off
        const double h = left / std::max(1.0, pieces);
        if (try_step(start + done, h)) {
            done = pieces <= 1 ? length : done + h;
            now_ = start + done;
            leave_and_wrap();
        }
    }
    ++system_.clock.steps;
}

double Engine::longest_step() const {
    double out = system_.clock.step;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
        const double speed = norm(system_.bodies.velocity[i]);
        out = speed * out > system_.bodies.radius[i] ? system_.bodies.radius[i] / speed : out;
    }
    return out;
}

bool Engine::try_step(double time, double h) {
    const model::IntegrationRules& rules = system_.integration;
    const Tableau& table = rules.method == model::Method::rkf45 ? fehlberg : bogacki_shampine;
    const std::size_t n = system_.bodies.size();
    model::IntegrationState& state = system_.integration_state;
    const bool shortest = h <= rules.shortest * (1 + 1e-9);
    start_.resize(n);
    // Rates hold the angular momentum in place of the spin: it alone changes by torques.
    const std::vector<Vec3d>& turning = system_.grains.turning;
    turning_.resize(n);
    motion_.resize(n);
    error2_.resize(n);
    through_ = {};
    drives_.begin(system_.walls, time);
    const auto reject = [&] {
        ++state.rejected;
        drives_.take_back(system_.walls);
        return false;
    };
    // Forces of a stage become rates where the next one needs them: one loop less for the threads to meet at.
    const auto take_forces = [&](std::size_t s, std::size_t i) {
        Motion& rate = stage_rate_[s][i];
        rate.velocity = (wrench_[i].force * nature_[i].inverse_mass + gravity_of(i)) * h;
        rate.spin = nature_[i].inverse_moment.x > 0 ? wrench_[i].torque * h : Vec3d{};
    };
    for (std::size_t s = 0; s < table.stages; ++s) {
        std::vector<Motion>& rate = stage_rate_[s];
        rate.resize(n);
        std::atomic<bool> astray = false;
        base::parallel_for(n, options_.threads, [&](std::size_t i) {
            if (s == 0) {
                start_[i] = motion_of(i);
            } else {
                take_forces(s - 1, i);
            }
            Motion m = start_[i];
            Vec3d angular = turning[i];
            for (std::size_t k = 0; k < s; ++k) {
                const Motion& r = stage_rate_[k][i];
                const double weight = table.from[s][k];
                m.position += r.position * weight;
                m.velocity += r.velocity * weight;
                m.turn = plus(m.turn, r.turn, weight);
                angular += r.spin * weight;
            }
            m.turn = normalized(m.turn);
            if (nature_[i].inverse_moment.x > 0) {
                m.spin = spin_from(i, m.turn, angular);
            }
            rate[i].position = m.velocity * h;
            rate[i].turn = turning_rate(m.turn, m.spin, h);
            if (rules.successive) {
                // All that comes later feels what was before: the motion, then gravity (Algorithm 1, lines 6-11).
                const Vec3d g = gravity_of(i);
                m.position += m.velocity * h + g * (0.5 * h * h);
                m.velocity += g * h;
                m.turn = quaternion_from_rotation_vector(m.spin * h) * m.turn;
            }
            motion_[i] = m;
            constexpr double wild = 10;  // radii: no forces are worth asking for so far away
            if (!(norm2(m.position - start_[i].position) <=
                  wild * wild * system_.bodies.radius[i] * system_.bodies.radius[i])) {
                astray = true;
            }
        });
        if (astray) {
            if (shortest) {
                refuse_lost(motion_, h);
            }
            state.suggested = std::max(0.25 * h, rules.shortest);
            return reject();
        }
        drives_.put(system_.walls, table.from[s], h);
        evaluate(motion_, time + table.at[s] * h, 0, h, Look::forces);
        if (table.kept[s] != 0 || !drives_.empty()) {
            look_outside(motion_);
            through_.add(outside_, table.kept[s]);
            drives_.note(system_.walls, outside_.walls, system_.gravity);
        }
    }
    base::parallel_for(n, options_.threads, [&](std::size_t i) {
        take_forces(table.stages - 1, i);
        Motion m = start_[i];
        Vec3d angular = turning[i];
        Vec3d apart;
        for (std::size_t s = 0; s < table.stages; ++s) {
            const Motion& r = stage_rate_[s][i];
            m.position += r.position * table.kept[s];
            m.velocity += r.velocity * table.kept[s];
            m.turn = plus(m.turn, r.turn, table.kept[s]);
            angular += r.spin * table.kept[s];
            apart += r.position * (table.compared[s] - table.kept[s]);
        }
        m.turn = normalized(m.turn);
        if (nature_[i].inverse_moment.x > 0) {
            m.spin = spin_from(i, m.turn, angular);
        }
        motion_[i] = m;
        turning_[i] = angular;
        error2_[i] = norm2(apart);
    });
    double largest2 = 0;
    for (const double error2 : error2_) {
        largest2 = error2 <= largest2 ? largest2 : error2;  // no number at all counts as the largest
    }
    const double length = system_.clock.step;
    double best = length;
    if (!(largest2 <= 0)) {
        const double root = std::sqrt(rules.tolerance * h / (2 * std::sqrt(largest2)));
        best = (table.fourth_root ? std::sqrt(root) : root) * h;
    }
    const bool accepted = best >= 0.75 * h || shortest;
    state.suggested = best > rules.shortest ? std::min(best, length) : rules.shortest;
    if (!accepted) {
        return reject();
    }
    drives_.put(system_.walls, table.kept, h);
    accept(time + h, h, &through_);
    return true;
}

void Engine::accept(double time, double h, const Outside* through) {
    refuse_lost(motion_, h);
    evaluate(motion_, time, h, h);
    base::parallel_for(motion_.size(), options_.threads, [&](std::size_t i) {
        system_.bodies.acceleration[i] = wrench_[i].force * nature_[i].inverse_mass + gravity_of(i);
        if (nature_[i].inverse_moment.x > 0) {
            system_.bodies.spin_rate[i] = spin_from(i, motion_[i].turn, wrench_[i].torque);
        }
    });
    look_outside(motion_);
    book(h, through != nullptr ? *through : outside_, false);
    model::start_drives(system_.walls, system_.gravity, time);
    publish_motion(motion_, turning_);
    model::IntegrationState& state = system_.integration_state;
    state.shortest = state.accepted == 0 ? h : std::min(state.shortest, h);
    state.longest = std::max(state.longest, h);
    ++state.accepted;
}

}  // namespace talus::engines::grains
