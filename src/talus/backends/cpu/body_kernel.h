// What the loop over bodies is told: they gather their slots, accelerate and drift. The instance for AVX-512 lives in a
// file of its own, like those of the contact loop; elsewhere sweep.cpp does the same on rows of four numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "talus/backends/cpu/workspace.h"

namespace talus::backends::cpu {

/// Plain pointers, as in PairTask.
struct BodyTask {
    Record* record = nullptr;
    Motion* motion = nullptr;
    const Flow* flow = nullptr;  // null: no body drifts
    const References* refs = nullptr;
    const std::uint8_t* higher = nullptr;
    const std::uint8_t* used = nullptr;  // of each place's references, the first ones
    const Slot* slot = nullptr;
    const std::array<double, 4>* moment = nullptr;  // null: there are none
    const std::uint8_t* special = nullptr;          // by place: more contacts, or walls
    bool torques = false;                           // slots hold torques instead of couples and levers
    Vec3d gravity;
    double step = 0;
    Vec3d low, high;  // of the domain
    // What happens to few bodies.
    void* context = nullptr;
    void (*add_special)(void* context, std::uint32_t place, double* force, double* torque) = nullptr;
    void (*beyond)(void* context, std::uint32_t place) = nullptr;                       // a border
    void (*strayed)(void* context, std::uint32_t place, const double* step) = nullptr;  // beyond its leash
};

/// Moves the bodies at some places on, which are in order of the number of references used.
using BodyKernel = void (*)(const BodyTask& task, const std::uint32_t* places, std::size_t count);
/// Null where the compiler has none.
BodyKernel wide_body_kernel();

}  // namespace talus::backends::cpu
