// Random grains in a workspace with their lists, as the engine keeps them, for tests of lists and of the contact loop.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "talus/backends/cpu/contact_list.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/random.h"
#include "talus/laws/packed_laws.h"

namespace talus::tests {

namespace cpu = backends::cpu;
using math::Vec3d;

struct BedSpec {
    std::size_t count = 300;
    Vec3d box{1, 1, 1};
    std::array<bool, 3> periodic{false, false, false};
    double smallest = 0.03, largest = 0.06;  // m
    std::int32_t materials = 1;
    bool rolling = false;
    std::uint64_t seed = 0;
};

/// Lower body, higher body, image of the higher one.
using PairKey = std::tuple<std::uint32_t, std::uint32_t, int>;

class Bed {
public:
    using Source = cpu::ContactLists::Source;

    explicit Bed(const BedSpec& spec) : random_(spec.seed, 0) {
        system.domain.periodic = spec.periodic;
        for (int axis = 0; axis < 3; ++axis) {
            if (spec.periodic[static_cast<std::size_t>(axis)]) {
                system.domain.low[axis] = -0.25 * spec.box[axis];
                system.domain.high[axis] = 0.75 * spec.box[axis];
            }
        }
        for (std::size_t i = 0; i < spec.count; ++i) {
            const auto material = static_cast<std::int32_t>(random_.uniform(0, spec.materials));
            Vec3d x;
            for (int axis = 0; axis < 3; ++axis) {
                x[axis] = random_.uniform(-0.25 * spec.box[axis], 0.75 * spec.box[axis]);
            }
            system.bodies.add_sphere(static_cast<std::int64_t>(3 * i), x, random_.uniform(spec.smallest, spec.largest),
                                     1000, material);
            system.bodies.velocity.back() = vector(1);
            system.bodies.spin.back() = vector(20);
        }
        system.pairs.history_size = laws::largest_history<laws::PackedLaws>();
        system.clock.step = 1e-5;
        describe_materials(spec);
        work.spin_friction = spec.rolling;
    }

    /// Takes everything from the model: bodies in cell order, near pairs, contacts. `margin` in m, varied by body.
    void start(double skin, double margin, int threads) {
        const auto n = static_cast<std::uint32_t>(system.bodies.size());
        work.body_at.resize(n);
        work.place_of.resize(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            work.body_at[i] = work.place_of[i] = i;
        }
        cpu::make_room(work);
        cpu::take_bodies(system, work, threads);
        rebuild(skin, margin, Source::model, threads);
    }
    /// Sorts the bodies anew where they are now and lists them.
    void rebuild(double skin, double margin, Source source, int threads) {
        const std::vector<std::uint32_t> old_place = cpu::sort_bodies(system, work, 1);
        const std::size_t n = work.places();
        work.outer.assign(n + 2, static_cast<float>(skin));
        work.wraps.assign(n + 2, model::Image{});
        work.special.assign(n, 0);
        constexpr std::size_t stride = sizeof(cpu::Record) / sizeof(double);
        search_.find({&work.record.data()->position.x, stride, n}, work.outer, system.domain, threads, work.near);
        prune(margin, source, threads, old_place);
    }
    void prune(double margin, Source source, int threads, const std::vector<std::uint32_t>& old_place = {}) {
        work.margin.assign(work.places() + 2, 0.0F);
        for (std::size_t s = 0; s < work.places(); ++s) {  // not a function of the place, which changes
            work.margin[s] = static_cast<float>(margin * (0.5 + 0.1 * (work.body_at[s] % 5)));
            work.flow[s] = {};
            work.record[s].home = work.record[s].position;
            work.record[s].leash2 = static_cast<double>(work.margin[s]) * static_cast<double>(work.margin[s]);
        }
        lists.prune(system, work, source, threads, old_place);
    }

    Vec3d vector(double size) {
        return {random_.uniform(-size, size), random_.uniform(-size, size), random_.uniform(-size, size)};
    }
    base::Random& random() { return random_; }

    /// From the centre of the lower body to the image of the higher one.
    Vec3d separation(const PairKey& key) const {
        const auto& [a, b, code] = key;
        return work.record[work.place_of[b]].position - work.record[work.place_of[a]].position +
               search::image_shift(system.domain, static_cast<std::uint8_t>(code));
    }
    double gap(const PairKey& key) const {
        return norm(separation(key)) - system.bodies.radius[std::get<0>(key)] - system.bodies.radius[std::get<1>(key)];
    }

    /// The contacts in the list, by their bodies.
    std::map<PairKey, std::size_t> listed() const {
        std::map<PairKey, std::size_t> out;
        for (std::size_t k = 8; k < work.contacts.blocks * 8; ++k) {
            const std::uint32_t i = work.contacts.ends[k / 8].i[k % 8];
            const std::uint32_t j = work.contacts.ends[k / 8].j[k % 8];
            if (i < work.places()) {
                out.emplace(PairKey{work.body_at[i], work.body_at[j], work.contacts.image[k / 8][k % 8]}, k);
            }
        }
        return out;
    }
    std::vector<double> history(std::size_t contact) const {
        std::vector<double> out(work.contacts.history_size);
        for (std::size_t k = 0; k < out.size(); ++k) {
            out[k] = work.contacts.history[(contact / 8 * out.size() + k) * 8 + contact % 8];
        }
        return out;
    }
    void set_history(std::size_t contact, const std::vector<double>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            work.contacts.history[(contact / 8 * values.size() + k) * 8 + contact % 8] = values[k];
        }
    }

    model::System system;
    cpu::Workspace work;
    cpu::ContactLists lists;

private:
    /// Both laws in turn; the first and the last of several materials do not meet.
    void describe_materials(const BedSpec& spec) {
        const auto count = static_cast<std::size_t>(spec.materials);
        system.materials.list.resize(count);
        system.materials.pair_law.resize(count * count);
        const double friction = spec.rolling ? 0.1 : 0.0;
        for (std::int32_t a = 0; a < spec.materials; ++a) {
            for (std::int32_t b = a; b < spec.materials; ++b) {
                if (count > 2 && a == 0 && b == spec.materials - 1) {
                    continue;
                }
                const laws::TangentialSpring::Params tangential{2e3 + 100 * a, 0.1, 0.05, 0.3 + 0.1 * b, 0.5};
                model::PairLaw pair;
                pair.law = (a + b) % 2;
                pair.parameters = pair.law == 0 ? laws::ParameterBlock::from(laws::Hooke::Params{
                                                      {7e3 + 1e3 * b, 0.2, 0}, tangential, {friction}, {friction}})
                                                : laws::ParameterBlock::from(laws::Hertz::Params{
                                                      {1e6 + 1e5 * a, 0.3, 0}, tangential, {friction}, {friction}});
                system.materials.set(a, b, pair);
            }
        }
    }

    base::Random random_;
    search::PairSearch search_;
};

}  // namespace talus::tests
