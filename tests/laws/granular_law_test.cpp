// What every contact law must do: treat both partners alike, keep momenta, and never create energy.
#include <gtest/gtest.h>

#include <limits>

#include "laws/contact_samples.h"
#include "talus/laws/packed_laws.h"

namespace talus::tests {
namespace {

constexpr double dt = 1e-6;

template <class Law>
typename Law::Params some_parameters(base::Random& random);

template <>
laws::Hooke::Params some_parameters<laws::Hooke>(base::Random& random) {
    return {{random.uniform(1e3, 1e5), random.uniform(0, 1), 0},
            {random.uniform(1e3, 1e5), random.uniform(0, 2), random.uniform(0, 0.3), random.uniform(0, 1.5),
             random.uniform(0, 1)},
            {random.uniform(0, 0.3)},
            {random.uniform(0, 0.3)}};
}
template <>
laws::Hertz::Params some_parameters<laws::Hertz>(base::Random& random) {
    const auto hooke = some_parameters<laws::Hooke>(random);
    return {{random.uniform(1e6, 1e9), random.uniform(0, 1), 0}, hooke.tangential, hooke.rolling, hooke.twisting};
}

template <class Law>
class GranularLaws : public testing::Test {
protected:
    struct Sample {
        BallPair pair;
        typename Law::Params params;
        typename Law::template History<double> history;
    };
    static Sample sample(base::Random& random) {
        Sample s{random_pair(random), some_parameters<Law>(random), {}};
        const auto contact = contact_of(s.pair.i, s.pair.j, dt);
        const Vec3d spring = random_vector(random, 1e-5);
        s.history.tangential.spring = spring - contact.normal * dot(spring, contact.normal);
        s.history.age = random.uniform() < 0.2 ? 0.0 : random.uniform(0, 0.05);
        return s;
    }
};

template <class Tuple>
struct Types;
template <class... Law>
struct Types<std::tuple<Law...>> {
    using type = testing::Types<Law...>;
};
TYPED_TEST_SUITE(GranularLaws, typename Types<laws::PackedLaws>::type);

TYPED_TEST(GranularLaws, AnswerTheSameWhoeverIsNamedFirst) {
    base::Random random(3, 0);
    double worst = 0;
    for (int k = 0; k < 5000; ++k) {
        auto s = this->sample(random);
        const auto contact = contact_of(s.pair.i, s.pair.j, dt);
        const auto swapped = contact_of(s.pair.j, s.pair.i, dt);
        const auto one = TypeParam::respond(contact, s.params, s.history, dt);
        s.history.tangential.spring = -s.history.tangential.spring;
        const auto other = TypeParam::respond(swapped, s.params, s.history, dt);
        const Torques here = torques_of(contact, one);
        const Torques there = torques_of(swapped, other);
        const double torque = norm(here.i) + norm(here.j);
        worst = std::max({worst, norm(one.force + other.force) / norm(one.force), norm(here.i - there.j) / torque,
                          norm(here.j - there.i) / torque,
                          norm(one.history.tangential.spring + other.history.tangential.spring) /
                              (norm(one.history.tangential.spring) + 1e-12)});
        EXPECT_NEAR(one.stored_tangential, other.stored_tangential, 1e-9 * one.stored_tangential);
        EXPECT_NEAR(one.stored_normal, other.stored_normal, 1e-9 * one.stored_normal);
    }
    std::printf("exchange of partners: worst relative difference %.1e\n", worst);
    EXPECT_LT(worst, 1e-8);  // overlaps of 1e-6 radii lose six digits when worked out from the positions
}

TYPED_TEST(GranularLaws, KeepAngularMomentum) {
    base::Random random(3, 1);
    for (int k = 0; k < 5000; ++k) {
        const auto s = this->sample(random);
        const auto contact = contact_of(s.pair.i, s.pair.j, dt);
        const auto r = TypeParam::respond(contact, s.params, s.history, dt);
        const Torques torque = torques_of(contact, r);
        const Vec3d sum = torque.i + torque.j + cross(s.pair.i.position - s.pair.j.position, r.force);
        EXPECT_LT(norm(sum), 1e-13 * (norm(torque.i) + norm(torque.j) + 0.04 * norm(r.force)));
        // The force acts at the contact point: of i's torque, all but the moment is its lever times n x force.
        const Vec3d about_i = cross(contact.normal * contact.lever_i, r.force) + r.moment;
        EXPECT_LT(norm(torque.i - about_i), 1e-13 * 0.02 * norm(r.force));
    }
}

TYPED_TEST(GranularLaws, NeverCreateEnergy) {
    // In the limit of a short step: power given to the motion plus the growth of what the springs store.
    base::Random random(3, 2);
    const double instant = 1e-12;
    int slipping = 0;
    for (int k = 0; k < 20000; ++k) {
        auto s = this->sample(random);
        s.history.age += 2 * instant;  // a contact that goes on
        const Ball& i = s.pair.i;
        const Ball& j = s.pair.j;
        const auto contact = contact_of(i, j, instant);
        const auto r = TypeParam::respond(contact, s.params, s.history, instant);
        const Torques torque = torques_of(contact, r);
        const double given = dot(r.force, i.velocity - j.velocity) + dot(torque.i, i.spin) + dot(torque.j, j.spin);
        auto closer = contact;
        closer.overlap *= 1 + 1e-6;
        const auto deeper = TypeParam::respond(closer, s.params, s.history, instant);
        const double elastic = (deeper.stored_normal - r.stored_normal) / (1e-6 * contact.overlap);
        const double normal = -elastic * contact.opening;
        const double kt = s.params.tangential.kt;
        const double tangential =
            0.5 * kt * (norm2(r.history.tangential.spring) - norm2(s.history.tangential.spring)) / instant;
        const double scale =
            std::abs(given) + std::abs(normal) + 0.5 * kt * norm2(s.history.tangential.spring) / instant * 1e-10;
        EXPECT_LT(given + normal + tangential, 1e-5 * scale) << k;
        for (const double lost : {r.normal_damping, r.tangential_damping, r.sliding, r.rolling, r.twisting}) {
            EXPECT_GT(lost, -1e-5 * scale);
        }
        // And the ledger says where it went.
        const double booked = r.normal_damping + r.tangential_damping + r.sliding + r.rolling + r.twisting;
        EXPECT_NEAR(booked, -(given + normal + tangential), 2e-5 * (scale + std::abs(tangential)));
        EXPECT_EQ(r.time_step, 0);  // of contacts that begin alone
        EXPECT_EQ(r.slips, r.sliding != 0);
        EXPECT_FALSE(r.begins);
        slipping += r.slips ? 1 : 0;
    }
    EXPECT_GT(slipping, 2000);
}

TYPED_TEST(GranularLaws, LookingAtWhatSpringsHoldChangesNothingElse) {
    base::Random random(3, 5);
    for (int k = 0; k < 1000; ++k) {
        const auto s = this->sample(random);
        const auto contact = contact_of(s.pair.i, s.pair.j, dt);
        const auto looked = TypeParam::template respond<double, true>(contact, s.params, s.history, dt);
        const auto blind = TypeParam::template respond<double, false>(contact, s.params, s.history, dt);
        EXPECT_EQ(looked.force, blind.force);
        EXPECT_EQ(looked.couple, blind.couple);
        EXPECT_EQ(looked.moment, blind.moment);
        EXPECT_EQ(looked.history.tangential.spring, blind.history.tangential.spring);
        EXPECT_EQ(looked.history.age, blind.history.age);
        EXPECT_EQ(looked.normal_damping, blind.normal_damping);
        EXPECT_EQ(looked.tangential_damping, blind.tangential_damping);
        EXPECT_EQ(looked.sliding, blind.sliding);
        EXPECT_EQ(looked.time_step, blind.time_step);
        EXPECT_EQ(looked.begins, s.history.age == 0);
    }
}

TYPED_TEST(GranularLaws, AnswerNothingForPairsThatDoNotTouch) {
    // In a pack such pairs have neither overlap nor motion nor history; spheres that fill it up are points far away.
    base::Random random(3, 6);
    for (int k = 0; k < 1000; ++k) {
        auto s = this->sample(random);
        auto contact = contact_of(s.pair.i, s.pair.j, dt);
        contact.overlap = contact.opening = 0;
        contact.slip = {};
        if (k % 3 == 0) {
            contact.lever_i = contact.lever_j = contact.rolling_lever = 1e100;
            contact.radius_i = 0;
            contact.curvature = std::numeric_limits<double>::infinity();
        }
        const auto r = TypeParam::respond(contact, s.params, {}, dt);
        EXPECT_EQ(r.force, Vec3d{});
        EXPECT_EQ(r.couple, Vec3d{});
        EXPECT_EQ(r.moment, Vec3d{});
        EXPECT_EQ(r.history.tangential.spring, Vec3d{});
        for (const double number : {r.stored_normal, r.stored_tangential, r.normal_damping, r.tangential_damping,
                                    r.sliding, r.rolling, r.twisting, r.time_step}) {
            EXPECT_EQ(number, 0);
        }
        EXPECT_FALSE(r.slips);
        EXPECT_FALSE(r.begins);
    }
}

TYPED_TEST(GranularLaws, MeshedGearsFeelNoSlip) {
    base::Random random(3, 4);
    for (int k = 0; k < 200; ++k) {
        auto s = this->sample(random);
        s.params.rolling = {0};
        s.params.twisting = {0};
        s.history.tangential.spring = {};
        Ball& i = s.pair.i;
        Ball& j = s.pair.j;
        const auto still = contact_of(i, j, dt);
        const Vec3d across = cross(still.normal, random_direction(random));
        i.velocity = j.velocity = random_vector(random, 1);
        i.spin = across * (3.0 / still.lever_i);
        j.spin = across * (-3.0 / still.lever_j);
        const auto r = TypeParam::respond(contact_of(i, j, dt), s.params, s.history, dt);
        const Vec3d tangential = r.force - still.normal * dot(r.force, still.normal);
        EXPECT_LT(norm(tangential), 1e-10);
        EXPECT_LT(norm(r.couple), 1e-10);
        EXPECT_EQ(r.moment, Vec3d{});
    }
}

TYPED_TEST(GranularLaws, HistoryHasTheSizeItSays) {
    EXPECT_EQ(static_cast<std::size_t>(TypeParam::history_size) * sizeof(double),
              sizeof(typename TypeParam::template History<double>));
    EXPECT_LE(static_cast<std::size_t>(TypeParam::history_size), laws::largest_history<laws::PackedLaws>());
}

}  // namespace
}  // namespace talus::tests
