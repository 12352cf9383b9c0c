// What the phases of a step of grains hand to one another: plain data of grains, their spheres and contacts.
#pragma once

#include <compare>
#include <cstdint>

#include "talus/engines/grains/contact_answer.h"
#include "talus/math/mat3.h"
#include "talus/math/rotation.h"
#include "talus/model/domain.h"
#include "talus/model/materials.h"

namespace talus::engines::grains {

using math::Mat3d;
using math::Quaterniond;

/// Where a body is and how it moves, at whatever instant forces are asked for.
struct Motion {
    Vec3d position;    // m
    Vec3d velocity;    // m/s
    Quaterniond turn;  // principal axes to the world
    Vec3d spin;        // rad/s
};

/// One sphere of a grain; where it is stands in balls_, since that alone is looked at for most pairs.
struct Part {
    Vec3d arm;      // m, from the body's centre, world frame
    Vec3d at_rest;  // m, the same in the frame of the principal axes
    std::uint32_t body = 0;
};
struct Near {
    std::uint32_t a = 0, b = 0;  // parts, a of the lower body; or bodies whose balls are near
    model::Image image;          // periods to add to b's position
    friend auto operator<=>(const Near&, const Near&) = default;
};

/// What one contact gives at the instant looked at.
struct Slot {
    Vec3d force;                   // N, on the first body
    Vec3d torque, counter_torque;  // N m, on the first and on the second, about their centres
    double room = 0;               // vectors are written four numbers at a time
};
/// A pair of spheres near enough for its law to be asked.
struct Hit {
    Vec3d d;  // m, from the first to the second
    const model::PairLaw* law = nullptr;
    std::uint32_t at = 0;  // in close_
};

/// What is known of a contact beside that, once there is a full look.
struct Detail {
    Answer answer;
    Vec3d normal, point;  // unit vector away from the first part; m, beside it
    double overlap = 0;   // m
    double weight = 0;    // m, the radius that the overlap is measured by
};

/// What a grain is, as far as forces move it.
struct Nature {
    double inverse_mass = 0;  // 0: held
    Vec3d inverse_moment;     // 1/(kg m2), principal; zero: turning held
    bool turns_as_sphere = true;
    bool keeps_turn = false;  // its orientation matters: it is no sphere, or has a dipole
};

/// Whether a contact acts at the instant looked at, or has just ended.
enum class Acts : std::uint8_t { no, yes, ended };

}  // namespace talus::engines::grains
