// Blocks of pairs in every state, run through an instance of the contact loop, and what it takes for two answers to be
// the same.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "laws/contact_samples.h"
#include "talus/backends/cpu/pair_kernel.h"
#include "unit/backends_cpu/random_bed.h"

namespace talus::tests {

inline constexpr double dt = 1e-5;
inline constexpr std::size_t history_size = laws::largest_history<laws::PackedLaws>();

/// What is asked of the loop.
struct Case {
    std::size_t law = 0;
    bool alike = false, spinning = false, looking = true;
    bool torques = false;  // slots are to hold torques

    std::string name() const {
        return std::string(law == 0 ? "hooke" : "hertz") + (alike ? " alike" : " general") +
               (spinning ? " spinning" : "") + (looking ? " looking" : "");
    }
};

inline std::vector<Case> all_cases() {
    std::vector<Case> out;
    for (std::size_t law = 0; law < laws::packed_law_count; ++law) {
        for (unsigned k = 0; k < 8; ++k) {
            out.push_back({law, (k & 1U) != 0, (k & 2U) != 0, (k & 4U) != 0});
        }
    }
    return out;
}

/// Blocks of pairs in every state that a pair can be in, each with its own two spheres.
struct Blocks {
    cpu::Buffer<cpu::Record> record;
    cpu::Buffer<cpu::Ends> ends;
    cpu::Buffer<std::array<std::uint8_t, 8>> image;
    std::vector<std::uint8_t> crosses;
    cpu::Buffer<double> history;
    std::vector<std::uint32_t> body_at;
    std::array<std::array<double, 4>, 27> shift{};
    cpu::LedgerScales scales;
    laws::ParameterBlock params;
    cpu::AlikePairs alike;

    std::size_t blocks() const { return ends.size(); }
};

inline laws::ParameterBlock parameters(const Case& c, double friction) {
    const double spin = c.spinning ? friction : 0.0;
    const laws::TangentialSpring::Params tangential{2e3, 0.1, 0.05, 0.3, 0.5};
    return c.law == 0 ? laws::ParameterBlock::from(laws::Hooke::Params{{7e3, 0.2, 0.01}, tangential, {spin}, {spin}})
                      : laws::ParameterBlock::from(laws::Hertz::Params{{1e7, 0.3, 0.01}, tangential, {spin}, {spin}});
}

/// What random blocks have beside the usual. `flat`: positions, velocities and spins have exact zeros, as in scenes
/// with a symmetry. `coincident`: some pairs have one centre. `partners`: what the spheres of a class of alike ones
/// are.
struct Variety {
    bool flat = false, coincident = true;
    enum class Partners { same, heavier, held, blocks } partners = Partners::same;
};
inline constexpr Variety::Partners all_partners[] = {Variety::Partners::same, Variety::Partners::heavier,
                                                     Variety::Partners::held, Variety::Partners::blocks};

inline Blocks random_blocks(const Case& c, std::size_t blocks, std::uint64_t seed, const Variety& variety = {}) {
    using Partners = Variety::Partners;
    const bool flat = variety.flat;
    base::Random random(seed, c.law);
    Blocks out;
    model::Domain domain;
    domain.low = {0, 0, 0};
    domain.high = {1, 2, 3};
    domain.periodic = {true, true, false};
    for (std::uint8_t code = 0; code < 27; ++code) {
        const Vec3d s = search::image_shift(domain, code);
        out.shift[code] = {s.x, s.y, s.z, 0};
    }
    out.ends.resize(blocks);
    out.image.resize(blocks);
    out.crosses.assign(blocks, 0);
    out.history.resize(blocks * history_size * 8);
    std::fill(out.history.begin(), out.history.end(), 0.0);
    const auto vector = [&](double size) {
        const Vec3d v = random_vector(random, size);
        return flat ? Vec3d{v.x, random.uniform() < 0.5 ? 0.0 : -0.0, 0.0} : v;
    };
    const auto sphere = [&](const Vec3d& x, double radius, bool other) {
        // Of a class of alike spheres each end has one mass and inertia; the others have any.
        const bool partner = c.alike && other;
        const double mass = 4e6 * radius * radius * radius * (partner && variety.partners == Partners::heavier ? 3 : 1);
        const bool held = c.alike ? partner && variety.partners == Partners::held : random.uniform() < 0.15;
        const bool block = c.alike ? variety.partners == Partners::blocks : random.uniform() < 0.15;
        out.record.push_back({vector(1), held ? 0.0 : 1 / mass, vector(30),
                              held || block ? 0.0 : 2.5 / (mass * radius * radius), x, radius, x, 0});
        out.body_at.push_back(static_cast<std::uint32_t>((50000U + out.body_at.size() * 7919U) % 100003U));
        return static_cast<std::uint32_t>(out.record.size() - 1);
    };
    for (std::size_t k = 0; k < blocks * 8; ++k) {
        const double ri = c.alike ? 0.01 : random.uniform(0.002, 0.02);
        const double rj = c.alike ? 0.01 : random.uniform(0.002, 0.02);
        const double kind = random.uniform();
        const double distance = kind < 0.6                           ? (ri + rj) * random.uniform(0.9, 1)
                                : kind < 0.8                         ? (ri + rj) * random.uniform(1, 1.001)
                                : kind < 0.97 || !variety.coincident ? random.uniform(0.1, 1)
                                                                     : 0.0;
        const Vec3d x = vector(0.1);
        Vec3d y = x + (flat ? Vec3d{1, 0, 0} : random_direction(random)) * distance;
        std::uint8_t code = search::no_image;
        if (k / 8 % 3 == 0 && random.uniform() < 0.5) {
            code = static_cast<std::uint8_t>(random.uniform(0, 27));
            y -= Vec3d{out.shift[code][0], out.shift[code][1], out.shift[code][2]};
            out.crosses[k / 8] = 1;
        }
        const bool turned = random.uniform() < 0.5;  // either material may have the lower id
        const std::uint32_t i = sphere(x, ri, turned);
        out.ends[k / 8].i[k % 8] = i;
        out.ends[k / 8].j[k % 8] = sphere(y, rj, !turned);
        out.image[k / 8][k % 8] = code;
        if (random.uniform() < 0.7) {  // was there before
            const Vec3d spring = vector(1e-5);
            for (std::size_t h = 0; h < 3; ++h) {
                out.history[(k / 8 * history_size + h) * 8 + k % 8] = spring[static_cast<int>(h)];
            }
            out.history[(k / 8 * history_size + 3) * 8 + k % 8] = random.uniform(dt, 0.02);
        }
    }
    for (std::size_t q = 0; q < out.scales.size(); ++q) {
        out.scales[q] = cpu::LedgerScale::for_peak(q % 2 == 0 ? 1e3 : 1e-3);  // with many rare terms in between
    }
    out.params = parameters(c, 0.2);
    if (c.alike) {
        const cpu::Record& i = out.record[0];
        const cpu::Record& j = out.record[1];
        out.alike = {i.radius + j.radius, i.inverse_mass + j.inverse_mass, i.inverse_inertia + j.inverse_inertia};
    }
    return out;
}

struct Answer {
    std::vector<double> history, slot, moment, looked;
    std::vector<std::uint8_t> slides;
    cpu::LedgerSums sums;
    cpu::ContactNotes notes;

    bool touches(std::size_t contact) const {
        return history[(contact / 8 * history_size + history_size - 1) * 8 + contact % 8] > 0;
    }
    bool slid(std::size_t contact) const { return ((slides[contact / 8] >> (contact % 8)) & 1) != 0; }
    double look(std::size_t contact, std::size_t row) const {
        return looked[(contact / 8 * cpu::LookedAt::rows + row) * 8 + contact % 8];
    }
};

template <class T>
std::vector<double> doubles(const cpu::Buffer<T>& from) {
    std::vector<double> out(from.size() * sizeof(T) / sizeof(double));
    std::memcpy(out.data(), from.data(), out.size() * sizeof(double));
    return out;
}

inline Answer run(const cpu::PairKernels& kernels, const Case& c, const Blocks& blocks,
                  const std::vector<std::size_t>& borders) {
    cpu::Buffer<double> history = blocks.history;
    cpu::Buffer<cpu::Slot> slot(blocks.blocks() * 8);
    cpu::Buffer<std::array<double, 4>> moment(blocks.blocks() * 8);
    cpu::Buffer<double> looked(blocks.blocks() * cpu::LookedAt::rows * 8);
    // What other contacts have left there must not show.
    constexpr double left = -7e77;
    std::fill(slot.begin(), slot.end(), cpu::Slot{{left, left, left}, left, {left, left, left}, left});
    std::fill(moment.begin(), moment.end(), std::array<double, 4>{left, left, left, left});
    std::fill(looked.begin(), looked.end(), left);
    std::vector<std::uint32_t> slots_of(blocks.blocks());
    for (std::size_t b = 0; b < slots_of.size(); ++b) {
        slots_of[b] = static_cast<std::uint32_t>(slots_of.size() - 1 - b);
    }
    Answer out;
    out.slides.assign(blocks.blocks(), 0x5a);
    cpu::PairTask task;
    task.record = blocks.record.data();
    task.ends = blocks.ends.data();
    task.image = blocks.image.data();
    task.crosses = blocks.crosses.data();
    task.shift = blocks.shift[0].data();
    task.history = history.data();
    task.slides = out.slides.data();
    task.slots_of = slots_of.data();
    task.slot = slot.data();
    task.moment = moment.data();
    task.looked = looked.data();
    task.alike = blocks.alike;
    task.torques = c.torques;
    task.params = &blocks.params;
    task.scale = blocks.scales.data();
    task.body_at = blocks.body_at.data();
    task.dt = dt;
    task.overlap_limit = 0.02;
    task.history_size = history_size;
    task.notes = &out.notes;
    cpu::LaneTotals totals;
    totals.begin(task.scale);
    task.totals = &totals;
    task.carry = [](cpu::LaneTotals& of, cpu::LedgerSums& sums, const cpu::LedgerScale* scales) {
        of.carry_into(sums, scales);
    };
    task.sums = &out.sums;
    task.add_rare = [](cpu::LedgerSums& sums, std::size_t q, double term) { sums.rare.push_back({q, term}); };
    for (std::size_t b = 0; b + 1 < borders.size(); ++b) {
        task.begin = borders[b];
        task.end = borders[b + 1];
        kernels[c.law][c.alike ? 1 : 0][c.spinning ? 1 : 0][c.looking ? 1 : 0](task);
    }
    totals.carry_into(out.sums, task.scale);
    std::reverse(slot.begin(), slot.end());  // by contact again
    std::reverse(moment.begin(), moment.end());
    for (std::size_t b = 0; b < blocks.blocks(); ++b) {
        std::reverse(slot.data() + b * 8, slot.data() + b * 8 + 8);
        std::reverse(moment.data() + b * 8, moment.data() + b * 8 + 8);
    }
    out.history = doubles(history);
    out.slot = doubles(slot);
    out.moment = doubles(moment);
    out.looked = doubles(looked);
    return out;
}
inline Answer run(const cpu::PairKernels& kernels, const Case& c, const Blocks& blocks) {
    return run(kernels, c, blocks, {0, blocks.blocks()});
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// What bodies add up of each slot: of pairs that do not touch nothing, whatever the sign of its zeros and the levers.
inline std::vector<double> gathered(const Answer& answer, const Case& c) {
    std::vector<double> out;
    for (std::size_t k = 0; k < answer.slot.size() / 8; ++k) {
        const double* const slot = &answer.slot[k * 8];
        const auto add = [&, touches = answer.touches(k)](double number) {
            out.push_back(touches ? number : 0.0 + number);
        };
        for (std::size_t x = 0; x < 3; ++x) {
            add(slot[x]);
            add(c.torques ? slot[4 + x] : slot[4 + x] * slot[3]);
            add(c.torques ? slot[4 + x] : slot[4 + x] * slot[7]);
            if (c.spinning) {
                add(0.0 + answer.moment[k * 4 + x]);
            }
        }
    }
    return out;
}

/// Couples and levers as they are, of the pairs that touch.
inline std::vector<double> couples(const Answer& answer) {
    std::vector<double> out;
    for (std::size_t k = 0; k < answer.slot.size() / 8; ++k) {
        if (answer.touches(k)) {
            out.insert(out.end(), &answer.slot[k * 8 + 3], &answer.slot[k * 8 + 3] + 5);
        }
    }
    return out;
}

inline std::vector<bool> sliding(const Answer& answer) {
    std::vector<bool> out;
    for (std::size_t k = 0; k < answer.slides.size() * 8; ++k) {
        out.push_back(answer.touches(k) && answer.slid(k));
    }
    return out;
}

/// Bit for bit, but zeros of pairs that do not touch may have any sign.
inline bool same_looks(const Answer& a, const Answer& b) {
    const auto unsigned_zeros = [](std::vector<double> numbers) {
        for (double& number : numbers) {
            number += 0.0;
        }
        return numbers;
    };
    return same_bits(unsigned_zeros(a.looked), unsigned_zeros(b.looked));
}

inline void expect_same(const Answer& a, const Answer& b, const Case& c, const cpu::LedgerScales& scales,
                        const std::string& what) {
    EXPECT_TRUE(same_bits(a.history, b.history)) << "history, " << what;
    EXPECT_TRUE(same_bits(gathered(a, c), gathered(b, c))) << "slots, " << what;
    EXPECT_TRUE(same_bits(couples(a), couples(b))) << "couples, " << what;
    EXPECT_EQ(sliding(a), sliding(b)) << what;
    for (std::size_t q = 0; q < scales.size(); ++q) {
        EXPECT_EQ(a.sums.value(q, scales[q]), b.sums.value(q, scales[q])) << "sum " << q << ", " << what;
        EXPECT_TRUE(a.sums.grains[q] == b.sums.grains[q]) << what;
        EXPECT_EQ(a.sums.peak[q], b.sums.peak[q]) << what;
    }
    EXPECT_EQ(a.sums.rare.size(), b.sums.rare.size()) << what;
    EXPECT_EQ(a.notes.large_overlaps, b.notes.large_overlaps) << what;
    EXPECT_EQ(a.notes.largest_overlap, b.notes.largest_overlap) << what;
    EXPECT_EQ(a.notes.largest_overlap_body, b.notes.largest_overlap_body) << what;
}

}  // namespace talus::tests
