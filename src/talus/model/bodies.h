// Rigid bodies as a structure of arrays. A plain sphere is a body whose one component sphere sits at its centre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/math/vec3.h"

namespace talus::model {

using math::Vec3d;

/// Bit flags of a body.
enum BodyFlag : std::uint8_t {
    rotation_held = 1U,  // spin is kept at its value whatever the torque (a block)
    position_held = 2U,  // velocity is kept whatever the force
    at_rest = 4U,        // hard engine: lies still until something moves it
};

struct Bodies {
    // Index order is id order: ids ascend, removal keeps the order.
    std::vector<std::int64_t> id;     // permanent, never reused
    std::vector<Vec3d> position;      // m
    std::vector<Vec3d> velocity;      // m/s
    std::vector<Vec3d> spin;          // rad/s
    std::vector<Vec3d> acceleration;  // m/s2, at the current instant
    std::vector<Vec3d> spin_rate;     // rad/s2, at the current instant
    std::vector<double> radius;       // m
    std::vector<double> mass;         // kg
    std::vector<double> inertia;      // kg m2
    std::vector<std::int32_t> material;
    std::vector<std::uint8_t> flags;     // BodyFlag bits
    std::vector<std::int32_t> stuck_to;  // wall index, -1: free
    std::vector<Vec3d> stuck_at;         // m, in the wall's frame

    std::size_t size() const { return id.size(); }
    bool is_held(std::size_t i) const { return (flags[i] & position_held) != 0 || stuck_to[i] >= 0; }
    bool is_turning_held(std::size_t i) const { return (flags[i] & rotation_held) != 0 || stuck_to[i] >= 0; }
    /// Appends a sphere at rest with free rotation; in two dimensions a disc (see solid.h).
    void add_sphere(std::int64_t new_id, const Vec3d& at, double r, double density, std::int32_t material_index,
                    int dimensions = 3);
    /// Keeps the bodies whose `keep` is true, in order.
    void compact(const std::vector<char>& keep);
};

/// J, of body i if it moved like this.
inline double kinetic_energy(const Bodies& bodies, std::size_t i, const Vec3d& velocity, const Vec3d& spin) {
    return 0.5 * bodies.mass[i] * norm2(velocity) + 0.5 * bodies.inertia[i] * norm2(spin);
}
inline double kinetic_energy(const Bodies& bodies, std::size_t i) {
    return kinetic_energy(bodies, i, bodies.velocity[i], bodies.spin[i]);
}

}  // namespace talus::model
