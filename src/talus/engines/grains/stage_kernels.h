// What contacts of one law answer, several at a time: forces of a stage of a step, whose histories stay as they are, or
// all that can be said of them. One table of functions for each width of pack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "talus/engines/grains/contact_data.h"
#include "talus/geometry/sphere_union.h"
#include "talus/laws/visit.h"

namespace talus::engines::grains {

/// What the functions read, and where they write.
struct StageView {
    // Of spheres and of grains.
    const Part* parts = nullptr;
    const geometry::Ball* balls = nullptr;
    const Motion* motion = nullptr;
    const Nature* nature = nullptr;
    const Mat3d* inverse_inertia = nullptr;  // 1/(kg m2), world frame
    // Of close pairs, and of those listed, where the close ones are `listed`.
    const Near* pairs = nullptr;
    const std::uint32_t* listed = nullptr;
    double* history = nullptr;
    std::size_t history_size = 0;
    Vec3d* normal = nullptr;
    std::uint8_t* touching = nullptr;
    // Of close pairs.
    Slot* slots = nullptr;
    Acts* acts = nullptr;
    Detail* details = nullptr;
    double dt = 0;    // s, by which histories advance; 0: they stay
    double step = 0;  // s
};

struct StageKernels {
    static constexpr std::size_t widest = 8;
    std::size_t width = 0;  // hits that a function takes, all of one law
    // Null where a law does not take packs.
    using Push = void (*)(const StageView& view, const Hit* hits);
    std::array<Push, laws::law_count> push{};
    /// The whole answer. Returns which hits had one, as bits: those whose normal has jumped or that only just miss are
    /// left as they were.
    using Tell = unsigned (*)(const StageView& view, const Hit* hits);
    std::array<Tell, laws::law_count> tell{};
};

const StageKernels& packed_stage_kernels();  // four at a time
const StageKernels& wide_stage_kernels();    // eight; of width 0 where the compiler has none

/// The widest that this processor has, unless TALUS_SIMD asks for less.
const StageKernels& stage_kernels();

}  // namespace talus::engines::grains
