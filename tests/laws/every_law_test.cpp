// What each law of the registry must do in the general engine, by a table of laws and parameters: create no energy in
// any collision, keep its books, leave histories alone within a stage, and let meshed gears turn.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "laws/collision_run.h"
#include "talus/math/pack_power.h"

namespace talus::tests {
namespace {

/// Every law, with little and with much of everything it has.
std::vector<LawCase> cases() {
    return {
        {"hooke", {{"kn", 2e4}, {"kt", 6e3}, {"restitution", 0.6}, {"friction.static", 0.5}, {"slip_memory", 1}}},
        {"hertz", {{"young", 1e7}, {"kt", 6e3}, {"restitution", 0.6}, {"friction.static", 0.5}, {"slip_memory", 1}}},
        {"poly", {{"young", 1e7}, {"restitution", 0.8}, {"friction.static", 0.4}}},
        {"poly", {{"young", 1e7}, {"restitution", 0.3}, {"friction.static", 1}, {"slip_speed", 0}}},
        {"solver_basic", {{"young", 1e7}, {"k_beta", 20}, {"mu_s", 0.5}, {"k_t", 2}, {"mu_r", 1e-3}}},
        {"solver_basic", {{"young", 1e7}, {"alpha", 1.2}, {"beta", 0.7}, {"mu_s", 0.5}, {"k_t", 1e3}}},
        {"solver_static", {{"young", 1e7}, {"k_beta", 20}, {"mu_s", 0.5}, {"k_t", 1e4}, {"mu_r", 1e-3}}},
        {"solver_damped", {{"young", 1e7}, {"k_beta", 20}, {"mu_s", 0.5}, {"k_t", 0}}},
        {"solver_damped", {{"young", 1e7}, {"k_beta", 0}, {"mu_s", 1.5}, {"k_t", 1e-5}, {"mu_r", 1e-3}}},
        {"solver_damped", {{"young", 1e7}, {"k_beta", 20}, {"mu_s", 0.5}, {"gamma", 0.5}}},
        {"solver_object", {{"young", 1e7}, {"k_b", 20}, {"mu_tau", 1e-4}}},
        {"mindlin", {{"young", 1e7}, {"restitution", 0.6}, {"friction.static", 0.5}}},
        {"mindlin", {{"young", 1e7}, {"restitution", 1}, {"friction.static", 2}, {"friction.rolling", 0.1}}},
        {"mindlin",
         {{"young", 1e7},
          {"restitution", 0.6},
          {"friction.static", 0.5},
          {"rolling.stiffness", 0.1},
          {"rolling.friction", 0.2},
          {"cohesion.force", 0.3}}},
        {"jkr", {{"young", 1e7}, {"work_of_adhesion", 0.05}, {"restitution", 0.8}, {"friction.static", 0.5}}},
        {"jkr", {{"young", 1e7}, {"work_of_adhesion", 20}, {"restitution", 0.8}, {"friction.static", 0.5}}},
        {"hooke",
         {{"kn", 2e4},
          {"kt", 6e3},
          {"restitution", 0.6},
          {"friction.static", 0.5},
          {"rolling.stiffness", 0.1},
          {"rolling.friction", 0.2}}},
        {"hooke",
         {{"kn", 2e4},
          {"kt", 6e3},
          {"restitution", 0.6},
          {"friction.static", 0.5},
          {"cohesion.surface_tension", 0.07},
          {"cohesion.volume", 1e-9},
          {"cohesion.contact_angle", 0.5}}},
        {"hertz",
         {{"young", 1e7}, {"kt", 6e3}, {"restitution", 0.6}, {"friction.static", 0.5}, {"cohesion.force", 0.5}}},
    };
}

/// Different balls on their way to an oblique impact, both spinning.
BallPair oblique(base::Random& random) {
    BallPair pair = random_pair(random);
    for (Ball* ball : {&pair.i, &pair.j}) {
        ball->radius = random.uniform(0.005, 0.02);
        ball->mass = random.uniform(0.001, 0.01);
    }
    const Vec3d n = random_direction(random);
    pair.i.position = {};
    pair.j.position = n * ((pair.i.radius + pair.j.radius) * (1 + 1e-6));
    const Vec3d dv = pair.j.velocity - pair.i.velocity;
    const double approach = -dot(dv, n);
    pair.j.velocity -= n * (0.2 + std::abs(approach) - approach);
    return pair;
}

TEST(EveryLaw, CreatesNoEnergyInObliqueImpacts) {
    for (const LawCase& of : cases()) {
        const DerivedLaw law = derived(of);
        base::Random random(21, 3);
        double gain = -1;
        double off = 0;
        double mean_loss = 0;
        constexpr int runs = 60;
        for (int k = 0; k < runs; ++k) {
            const BallPair pair = oblique(random);
            const double mass = 1 / (1 / pair.i.mass + 1 / pair.j.mass);
            const double radius = 1 / (1 / pair.i.radius + 1 / pair.j.radius);
            const double time = law.info().collision_time(law.block, mass, radius, 1.0);
            const Collision c = collide(law, pair, time / 1000, 30000);
            gain = std::max(gain, std::max(c.most, c.after) / c.before - 1);
            off = std::max(off, std::abs(c.after + c.lost - c.before) / c.before);
            mean_loss += (1 - c.after / c.before) / runs;
        }
        std::printf("%-14s greatest gain %8.1e, books off by %.1e, mean loss %.2f\n", of.name.c_str(), gain, off,
                    mean_loss);
        EXPECT_LT(gain, 1e-4) << of.name;
        EXPECT_LT(off, 5e-3) << of.name;
        EXPECT_GT(mean_loss, 0.02) << of.name;
    }
}

TEST(EveryLaw, LeavesItsHistoryAloneWithinAStage) {
    for (const LawCase& of : cases()) {
        const DerivedLaw law = derived(of);
        base::Random random(21, 4);
        with_law(law, [&](auto kind, const auto& params) {
            using Law = decltype(kind);
            typename Law::template History<double> history{};
            for (int k = 0; k < 400; ++k) {
                const BallPair pair = random_pair(random);
                auto contact = contact_of(pair.i, pair.j, 1e-6);
                if (k % 4 == 0) {
                    contact.slip = {};
                    contact.spin = {};
                    contact.opening = 0;
                }
                if (k % 40 == 0) {
                    history = {};
                }
                contact.half_turn = {};
                history = Law::projected(history, contact.normal);
                const auto frozen = Law::respond(contact, params, history, 0.0, 1e-6);
                std::vector<double> before;
                std::vector<double> after;
                Law::for_numbers(history, [&](const double& number) { before.push_back(number); });
                Law::for_numbers(frozen.history, [&](const double& number) { after.push_back(number); });
                ASSERT_EQ(before.size(), static_cast<std::size_t>(Law::history_size));
                EXPECT_EQ(before, after) << of.name;
                for (const Vec3d& v : {frozen.force, frozen.couple, frozen.moment}) {
                    EXPECT_TRUE(std::isfinite(v.x + v.y + v.z)) << of.name;
                }
                history = Law::respond(contact, params, history, 1e-6, 1e-6).history;
                Law::for_numbers(history, [&](const double& number) { EXPECT_TRUE(std::isfinite(number)) << of.name; });
            }
        });
    }
}

/// Lane `lane` of a struct of packs gets the numbers of a struct of doubles.
template <class Wide, class Narrow>
void set_lane(Wide& wide, int lane, const Narrow& narrow) {
    static_assert(sizeof(Wide) == 4 * sizeof(Narrow));
    std::array<double, sizeof(Narrow) / sizeof(double)> numbers;
    std::memcpy(numbers.data(), &narrow, sizeof(narrow));
    for (std::size_t n = 0; n < numbers.size(); ++n) {
        std::memcpy(reinterpret_cast<std::byte*>(&wide) + (4 * n + static_cast<std::size_t>(lane)) * sizeof(double),
                    &numbers[n], sizeof(double));
    }
}

TEST(EveryLaw, AnswersAPackAsItAnswersItsContacts) {
    using math::Pack4;
    for (const LawCase& of : cases()) {
        base::Random random(21, 7);
        with_law(derived(of), [&](auto kind, const auto& params) {
            using Law = decltype(kind);
            if constexpr (Law::packs) {
                for (int k = 0; k < 200; ++k) {
                    laws::Kinematics<Pack4> contacts;
                    typename Law::template History<Pack4> histories;
                    std::array<laws::Kinematics<double>, 4> contact;
                    std::array<typename Law::template History<double>, 4> history;
                    for (std::size_t lane = 0; lane < 4; ++lane) {
                        const BallPair pair = random_pair(random);
                        contact[lane] = contact_of(pair.i, pair.j, 1e-6);
                        history[lane] = {};
                        for (int step = 0; step < k % 7; ++step) {
                            contact[lane].overlap *= random.uniform(0.5, 1.5);
                            history[lane] = Law::respond(contact[lane], params, history[lane], 1e-5, 1e-5).history;
                        }
                        set_lane(contacts, static_cast<int>(lane), contact[lane]);
                        set_lane(histories, static_cast<int>(lane), history[lane]);
                    }
                    for (const double dt : {0.0, 1e-6}) {
                        const auto all = Law::respond(contacts, params, histories, dt, 1e-6);
                        for (std::size_t lane = 0; lane < 4; ++lane) {
                            const auto l = static_cast<int>(lane);
                            const auto one = Law::respond(contact[lane], params, history[lane], dt, 1e-6);
                            EXPECT_EQ(one.force, (Vec3d{all.force.x[l], all.force.y[l], all.force.z[l]})) << of.name;
                            EXPECT_EQ(one.moment, (Vec3d{all.moment.x[l], all.moment.y[l], all.moment.z[l]}))
                                << of.name;
                            EXPECT_EQ(one.stored_tangential, all.stored_tangential[l]) << of.name;
                            if (dt > 0) {
                                EXPECT_EQ(one.sliding, all.sliding[l]) << of.name;
                                EXPECT_EQ(one.normal_damping, all.normal_damping[l]) << of.name;
                            }
                        }
                    }
                }
            }
        });
    }
}

TEST(EveryLaw, LetsMeshedGearsTurn) {
    for (const LawCase& of : cases()) {
        base::Random random(21, 5);
        with_law(derived(of), [&](auto kind, const auto& params) {
            using Law = decltype(kind);
            for (int k = 0; k < 50; ++k) {
                BallPair pair = random_pair(random);
                const auto still = contact_of(pair.i, pair.j, 1e-6);
                const Vec3d across = cross(still.normal, random_direction(random));
                pair.i.velocity = pair.j.velocity = random_vector(random, 1);
                pair.i.spin = across * (3.0 / still.lever_i);
                pair.j.spin = across * (-3.0 / still.lever_j);
                const auto r = Law::respond(contact_of(pair.i, pair.j, 1e-6), params, {}, 1e-6, 1e-6);
                EXPECT_LT(norm(r.force - still.normal * dot(r.force, still.normal)), 1e-9 * norm(r.force)) << of.name;
                EXPECT_LT(norm(r.couple), 1e-9 * norm(r.force)) << of.name;
            }
        });
    }
}

TEST(EveryLaw, NeverHasMoreFrictionThanCoulomb) {
    const auto mu = [](const LawCase& of) {
        double most = 0;
        for (const char* key : {"friction.static", "mu_s", "mu_q"}) {
            const auto it = of.values.find(key);
            most = it != of.values.end() ? std::max(most, it->second) : most;
        }
        return most > 0 ? most : 1.0;  // the default of mu_q
    };
    for (const LawCase& of : cases()) {
        base::Random random(21, 6);
        with_law(derived(of), [&](auto kind, const auto& params) {
            using Law = decltype(kind);
            int at_limit = 0;
            for (int k = 0; k < 500; ++k) {
                BallPair pair = random_pair(random);
                auto contact = contact_of(pair.i, pair.j, 1e-6);
                typename Law::template History<double> history{};
                for (int step = 0; step < 20; ++step) {
                    contact.half_turn = {};
                    history =
                        Law::projected(Law::respond(contact, params, history, 1e-4, 1e-9).history, contact.normal);
                }
                const auto r = Law::respond(contact, params, history, 1e-9, 1e-9);
                const double press = std::max(0.0, Law::press(contact, params));
                const double rubbing = norm(r.force - contact.normal * dot(r.force, contact.normal));
                EXPECT_LT(rubbing, mu(of) * press * (1 + 1e-9) + 1e-12) << of.name;
                at_limit += press > 0 && rubbing > 0.9 * mu(of) * press ? 1 : 0;
            }
            EXPECT_GT(at_limit, 50) << of.name;
        });
    }
}

TEST(EveryLaw, TimesAndDepthsOfTheRegistryBoundACollision) {
    for (const LawCase& of : cases()) {
        const DerivedLaw law = derived(of);
        for (const double speed : {0.1, 2.0}) {
            const double time = law.info().collision_time(law.block, 0.002, 0.005, speed);
            const double depth = law.info().largest_overlap(law.block, 0.002, 0.005, speed);
            const double stable = law.info().stable_step(law.block, 0.002, 0.005, speed);
            EXPECT_LT(time / 50, stable) << of.name;
            const Collision c = collide(law, meeting(speed, time / 500), time / 500, 20000);
            EXPECT_LT(c.deepest, depth * 1.001) << of.name;
            EXPECT_GT(c.deepest, depth * 0.2) << of.name;
            if (c.parted) {
                EXPECT_GT(c.duration, 0.97 * time) << of.name;
            }
            // The overlap that bears a force is the one that gives it.
            const double under = law.info().overlap_under(law.block, 0.005, 10);
            with_law(law, [&](auto kind, const auto& params) {
                const auto r = decltype(kind)::respond(head_on(under), params, {}, 1e-9, 1e-9);
                EXPECT_NEAR(-r.force.x, 10, 1e-6) << of.name;
            });
        }
    }
}

}  // namespace
}  // namespace talus::tests
