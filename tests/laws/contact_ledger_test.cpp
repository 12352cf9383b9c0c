// The books of a contact from its first step to the one after its last: what the finite step took or gave, what the
// springs still held, and whether all of it adds up to the change of kinetic energy.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "laws/contact_samples.h"
#include "talus/laws/collision.h"
#include "talus/laws/packed_laws.h"

namespace talus::tests {
namespace {

constexpr double dt = 2e-6;

laws::Hooke::Params hooke_of(double kn, double restitution, double friction) {
    return {{kn, laws::damping_ratio(restitution), 0}, {kn * 2 / 7, 0, 0, friction, 1}, {0}, {0}};
}
laws::Hertz::Params hertz_of(double modulus, double restitution, double friction) {
    return {{modulus, laws::damping_ratio(restitution), 0}, {2e4, 0, 0, friction, 1}, {0}, {0}};
}

TEST(ContactLedger, ALinearSpringBeginsWithHalfOfKxTimesTheMissingWay) {
    const auto params = hooke_of(8e4, 0.7, 0.3);
    for (const double speed : {0.1, 1.0, 5.0}) {
        for (const double part : {0.1, 0.5, 0.99}) {  // of the step that was spent in touch
            const double x = part * speed * dt;
            const auto r = laws::Hooke::respond(head_on(x, -speed), params, {}, dt);
            EXPECT_NEAR(r.time_step * dt, 8e4 * x * (dt * speed - x) / 2, 1e-12 * 8e4 * x * dt * speed);
            EXPECT_GE(r.time_step, 0);
        }
        // One that was there before owes nothing.
        laws::Hooke::History<double> old{};
        old.age = dt;
        EXPECT_EQ(laws::Hooke::respond(head_on(speed * dt, -speed), params, old, dt).time_step, 0);
    }
}

TEST(ContactLedger, GrainsThatWerePutThereOverlappingOweTheStepNothing) {
    for (const double speed : {0.0, 1.0, -1.0}) {  // apart, and together but not all the way in one step
        EXPECT_EQ(laws::Hooke::respond(head_on(1e-4, speed), hooke_of(8e4, 0.7, 0.3), {}, dt).time_step, 0);
        EXPECT_EQ(laws::Hertz::respond(head_on(1e-4, speed), hertz_of(1e8, 0.7, 0.3), {}, dt).time_step, 0);
    }
}

TEST(ContactLedger, AHertzianSpringBeginsWithForceTimesHalfTheWayLessWhatItHolds) {
    const auto params = hertz_of(1e8, 0.7, 0.3);
    const double k = 4.0 / 3.0 * 1e8 * std::sqrt(0.005);
    for (const double x : {1e-8, 1e-6}) {
        const double speed = 1.5 * x / dt;
        const auto r = laws::Hertz::respond(head_on(x, -speed), params, {}, dt);
        const double expected = k * std::pow(x, 1.5) * (dt * speed / 2 - 0.4 * x);
        EXPECT_NEAR(r.time_step * dt / expected, 1, 1e-12);
    }
}

TEST(ContactLedger, AnEndGivesUpTheTangentialSpringAndTheLastNormalOvershoot) {
    base::Random random(12, 0);
    for (int k = 0; k < 1000; ++k) {
        const auto hooke = hooke_of(random.uniform(1e3, 1e5), random.uniform(0.1, 1), 0.5);
        const auto hertz = hertz_of(random.uniform(1e6, 1e9), random.uniform(0.1, 1), 0.5);
        const double speed = random.uniform(0.1, 2);
        const double gap = random.uniform(0, 1) * speed * dt;
        const double x = speed * dt - gap;  // overlap of the step before
        const Vec3d spring = random_vector(random, 1e-5);
        const auto contact = head_on(-gap, speed);
        const auto of_hooke = laws::Hooke::end(contact, hooke, {{spring}, 0.01}, dt);
        const double kn = hooke.normal.kn;
        EXPECT_NEAR(of_hooke.sliding * dt, 0.5 * hooke.tangential.kt * norm2(spring), 1e-12 * kn * norm2(spring));
        EXPECT_NEAR(of_hooke.time_step * dt, kn * x * (x - dt * speed) / 2, 1e-12 * kn * x * dt * speed);
        const auto of_hertz = laws::Hertz::end(contact, hertz, {{spring}, 0.01}, dt);
        const double force = 4.0 / 3.0 * hertz.normal.modulus * std::sqrt(0.005) * std::pow(x, 1.5);
        EXPECT_NEAR(of_hertz.sliding * dt, 0.5 * 2e4 * norm2(spring), 1e-16);
        EXPECT_NEAR(of_hertz.time_step * dt, force * (0.4 * x - dt * speed / 2), 1e-10 * force * dt * speed);
    }
}

TEST(ContactLedger, AnEndWithoutOvershootBooksTheSpringAlone) {
    const Vec3d spring{0, 1e-6, 2e-6};
    const auto params = hooke_of(8e4, 0.7, 0.3);
    // Made to end while it still overlaps.
    EXPECT_EQ(laws::Hooke::end(head_on(1e-5, 1), params, {{spring}, 0.01}, dt).time_step, 0);
    EXPECT_GT(laws::Hooke::end(head_on(1e-5, 1), params, {{spring}, 0.01}, dt).sliding, 0);
    // Grains that part so slowly that the step before cannot have overlapped.
    EXPECT_EQ(laws::Hooke::end(head_on(-1e-5, 0.1), params, {{spring}, 0.01}, dt).time_step, 0);
    EXPECT_EQ(laws::Hertz::end(head_on(-1e-5, 0.1), hertz_of(1e8, 0.7, 0.3), {{}, 0.01}, dt).sliding, 0);
}

struct Books {
    double residual = 0;   // of the initial kinetic energy
    double time_step = 0;  // of the same
};

double kinetic(const BallPair& pair) {
    double sum = 0;
    for (const Ball* ball : {&pair.i, &pair.j}) {
        sum += 0.5 * ball->mass * norm2(ball->velocity) + 0.5 * ball->inertia() * norm2(ball->spin);
    }
    return sum;
}

/// Accelerations of both balls.
struct Rates {
    Vec3d i, j, turn_i, turn_j;
};
void kick(BallPair& pair, const Rates& a, double time) {
    pair.i.velocity += a.i * time;
    pair.j.velocity += a.j * time;
    pair.i.spin += a.turn_i * time;
    pair.j.spin += a.turn_j * time;
}

/// One whole collision in the engine's order of a step: half kick, drift, prediction, force, half kick.
template <class Law>
Books collide(const typename Law::Params& params, BallPair pair, double h) {
    const double initial = kinetic(pair);
    typename Law::template History<double> history{};
    Rates a;
    double lost = 0;
    Books books;
    for (int step = 0; step < 100000; ++step) {
        kick(pair, a, 0.5 * h);
        pair.i.position += pair.i.velocity * h;
        pair.j.position += pair.j.velocity * h;
        BallPair predicted = pair;
        kick(predicted, a, 0.5 * h);
        const auto contact = contact_of(predicted.i, predicted.j, h);
        a = {};
        if (contact.overlap > 0) {
            const auto r = Law::respond(contact, params, history, h);
            history = r.history;
            const Torques torque = torques_of(contact, r);
            a = {r.force / pair.i.mass, -r.force / pair.j.mass, torque.i / pair.i.inertia(),
                 torque.j / pair.j.inertia()};
            lost += h * (r.normal_damping + r.tangential_damping + r.sliding);
            books.time_step += h * r.time_step / initial;
        } else if (history.age > 0) {
            const auto end = Law::end(contact, params, history, h);
            lost += h * end.sliding;
            books.time_step += h * end.time_step / initial;
            books.residual = (kinetic(pair) + lost - initial) / initial + books.time_step;
            return books;
        }
        kick(pair, a, 0.5 * h);
    }
    ADD_FAILURE() << "they never parted";
    return books;
}

/// The worst books over phases of the first contact, for balls that meet at 1 m/s with slip and spin.
template <class Law>
Books worst(const typename Law::Params& params, double slip, double h) {
    constexpr int phases = 40;
    Books out;
    for (int k = 0; k < phases; ++k) {
        BallPair pair;
        pair.i.velocity = {1, 0, 0};
        pair.j.velocity = {0, slip, 0};
        pair.i.spin = {0, 5 * slip, 30 * slip};
        pair.j.position = {0.02 + h * (3 + static_cast<double>(k) / phases), 0, 0};
        const Books books = collide<Law>(params, pair, h);
        out.residual = std::max(out.residual, std::abs(books.residual));
        out.time_step = std::max(out.time_step, std::abs(books.time_step));
    }
    return out;
}

TEST(ContactLedger, ClosesOverAWholeCollisionToSecondOrderOrBetter) {
    const double half_period = std::numbers::pi * std::sqrt(0.002 / 8e4);
    const double hertzian = 2.943 * std::pow(1.25 * 0.002 / (4.0 / 3.0 * 1e8 * std::sqrt(0.005)), 0.4);
    for (const double e : {1.0, 0.8, 0.3}) {
        for (const double slip : {0.0, 1.0}) {
            for (const double friction : {0.0, 0.3, std::numeric_limits<double>::infinity()}) {
                const auto hooke = hooke_of(8e4, e, friction);
                const auto hertz = hertz_of(1e8, e, friction);
                // Not a whole number of steps in half a period, or phases repeat.
                const Books coarse = worst<laws::Hooke>(hooke, slip, half_period / 49.4);
                const Books fine = worst<laws::Hooke>(hooke, slip, half_period / 197.6);
                const Books hertz_coarse = worst<laws::Hertz>(hertz, slip, hertzian / 49.4);
                const Books hertz_fine = worst<laws::Hertz>(hertz, slip, hertzian / 197.6);
                std::printf(
                    "e %.1f slip %g mu %-4g: residual hooke %.1e/%.1e (time step %.1e) hertz %.1e/%.1e (%.1e)\n", e,
                    slip, friction, coarse.residual, fine.residual, coarse.time_step, hertz_coarse.residual,
                    hertz_fine.residual, hertz_coarse.time_step);
                EXPECT_LT(coarse.residual, 5e-5);
                EXPECT_LT(fine.residual, coarse.residual / 12);
                EXPECT_LT(hertz_coarse.residual, 3e-4);
                EXPECT_LT(hertz_fine.residual, hertz_coarse.residual / 11);
                // So the books need the entry: without it they would be out by more than they are.
                EXPECT_GT(coarse.time_step, 4 * coarse.residual);
            }
        }
    }
}

TEST(ContactLedger, AnUndampedLinearCollisionClosesToFourthOrder) {
    const double half_period = std::numbers::pi * std::sqrt(0.002 / 8e4);
    const auto params = hooke_of(8e4, 1, 0);
    const double coarse = worst<laws::Hooke>(params, 0, half_period / 49.4).residual;
    const double fine = worst<laws::Hooke>(params, 0, half_period / 98.8).residual;
    EXPECT_LT(coarse, 2e-6);
    EXPECT_LT(fine, 1.1 / 16 * coarse);
}

}  // namespace
}  // namespace talus::tests
