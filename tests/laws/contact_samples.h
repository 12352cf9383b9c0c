// Contacts for the law tests, worked out from the bodies' motion by SSDEM's definitions and nothing of the engine.
#pragma once

#include <cmath>

#include "random_vector.h"
#include "talus/base/random.h"
#include "talus/laws/contact.h"

namespace talus::tests {

using math::Vec3d;

struct Ball {
    Vec3d position, velocity, spin;
    double radius = 0.01, mass = 0.004;

    double inertia() const { return 0.4 * mass * radius * radius; }
};

/// SSDEM Eqs. 2 and 8-10 with erratum 1: the velocity of j's surface relative to i's at the contact point.
inline laws::Kinematics<double> contact_of(const Ball& i, const Ball& j, double dt) {
    laws::Kinematics<double> c;
    const Vec3d d = j.position - i.position;
    const double distance = norm(d);
    c.normal = d / distance;
    c.overlap = i.radius + j.radius - distance;
    c.lever_i = (distance * distance + i.radius * i.radius - j.radius * j.radius) / (2 * distance);
    c.lever_j = (distance * distance + j.radius * j.radius - i.radius * i.radius) / (2 * distance);
    const Vec3d point = i.position + c.normal * c.lever_i;
    const Vec3d surface_i = i.velocity + cross(i.spin, point - i.position);
    const Vec3d surface_j = j.velocity + cross(j.spin, point - j.position);
    const Vec3d velocity = surface_j - surface_i;
    c.opening = dot(velocity, c.normal);
    c.slip = velocity - c.normal * c.opening;
    c.spin = i.spin - j.spin;
    c.spin_sum = dot(i.spin + j.spin, c.normal);
    const Vec3d dv = j.velocity - i.velocity;
    c.half_turn = (dv - c.normal * dot(dv, c.normal)) * (0.5 * dt / distance);
    c.rolling_lever = std::min(c.lever_i, c.lever_j);
    c.radius_i = i.radius;
    c.curvature = 1 / i.radius + 1 / j.radius;
    c.inverse_mass = 1 / i.mass + 1 / j.mass;
    c.mass = 1 / c.inverse_mass;
    c.inertia = 1 / (1 / i.inertia() + 1 / j.inertia());
    return c;
}

/// Two equal balls at an overlap, approaching or parting along x at `opening_speed`, nothing else.
inline laws::Kinematics<double> head_on(double overlap, double opening_speed = 0, double dt = 1e-6) {
    Ball i;
    Ball j;
    j.position = {i.radius + j.radius - overlap, 0, 0};
    j.velocity = {opening_speed, 0, 0};
    auto contact = contact_of(i, j, dt);
    contact.overlap = overlap;  // the positions would lose some of its digits
    return contact;
}

/// What the two balls feel: a law answers with a couple and a moment (laws/contact.h).
struct Torques {
    Vec3d i, j;
};
template <class Answer>
Torques torques_of(const laws::Kinematics<double>& contact, const Answer& answer) {
    return {answer.couple * contact.lever_i + answer.moment, answer.couple * contact.lever_j - answer.moment};
}

inline Vec3d random_direction(base::Random& random) {
    for (;;) {
        const Vec3d v = random_vector(random, 1);
        if (norm2(v) > 1e-4 && norm2(v) <= 1) {
            return normalized(v);
        }
    }
}

struct BallPair {
    Ball i, j;
};

/// Two overlapping balls of different size and mass, moving and spinning anyhow.
inline BallPair random_pair(base::Random& random) {
    BallPair pair;
    for (Ball* ball : {&pair.i, &pair.j}) {
        ball->radius = random.uniform(0.002, 0.02);
        ball->mass = random.uniform(0.0001, 0.01);
        ball->velocity = random_vector(random, 0.5);
        ball->spin = random_vector(random, 50);
    }
    const double smaller = std::min(pair.i.radius, pair.j.radius);
    const double distance = pair.i.radius + pair.j.radius - smaller * random.uniform(1e-6, 0.05);
    pair.i.position = random_vector(random, 0.1);
    pair.j.position = pair.i.position + random_direction(random) * distance;
    return pair;
}

}  // namespace talus::tests
