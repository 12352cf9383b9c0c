#include "talus/simulation/bench_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "talus/base/random.h"
#include "talus/laws/registry.h"

namespace talus::simulation {

namespace {

constexpr std::uint64_t seed = 20240611;
enum Stream : std::uint64_t { lattice_stream, shake_stream };

model::PairLaw contact(double kn, double reduced_mass, double friction) {
    const int law = laws::find_law("hooke");
    std::vector<laws::ParameterFault> faults;
    const double gamma_n = 875.7 * std::sqrt(kn / bench_grain::kn);  // 1/s, keeps the restitution
    const laws::ParameterValues values = {{"kn", kn},
                                          {"kt", kn * (2.29e4 / 8e4)},
                                          {"cn", gamma_n * reduced_mass},
                                          {"ct", 0.5 * gamma_n * reduced_mass},
                                          {"friction.static", friction},
                                          {"slip_memory", 1.0}};
    return {law, laws::registry()[static_cast<std::size_t>(law)].derive(values, faults)};
}

}  // namespace

model::System bench_system(double kn, const BenchFriction& friction) {
    model::System system;
    system.materials.list = {{"grain", bench_grain::density}, {"fixed", bench_grain::density}};
    system.materials.pair_law.resize(4);
    system.materials.set(grain_material, grain_material, contact(kn, bench_grain::mass / 2, friction.grains));
    system.materials.set(grain_material, fixed_material, contact(kn, bench_grain::mass, friction.fixed));
    system.materials.set(fixed_material, fixed_material, contact(kn, bench_grain::mass, friction.fixed));
    system.gravity = {0, 0, -9.81};
    system.clock.step = bench_grain::step;
    return system;
}

void run_steps(engines::soft::Engine& engine, std::int64_t steps) {
    engine.advance(steps);
    engine.publish();
}

Settling Settling::with_grains(std::int64_t grains, std::int64_t meant) const {
    const double share = std::sqrt(static_cast<double>(grains) / static_cast<double>(meant));
    const auto scaled = [share](std::int64_t count) {
        return static_cast<std::int64_t>(share * static_cast<double>(count));
    };
    return {step, scaled(steps), scaled(drag_from), scaled(drag_to)};
}

void settle(model::System& system, const Settling& how, int threads) {
    constexpr std::int64_t stride = 50;  // steps between two strokes of the drag
    system.clock = {};
    system.clock.step = how.step;
    engines::soft::Options options;
    options.threads = threads;
    engines::soft::Engine engine(system, options, false);
    for (std::int64_t done = 0; done < how.steps; done += stride) {
        run_steps(engine, std::min(stride, how.steps - done));
        if (done >= how.drag_from && done < how.drag_to) {
            for (std::size_t i = 0; i < system.bodies.size(); ++i) {
                system.bodies.velocity[i] *= 0.9;
                system.bodies.spin[i] *= 0.9;
            }
        }
    }
}

std::int64_t add_loosely(model::System& system, std::int64_t count, const Vec3d& low, const Vec3d& high,
                         const std::function<bool(const Vec3d&)>& inside) {
    const auto sites = [&](double extent) {
        return static_cast<std::int64_t>(std::floor(extent / lattice_pitch + 0.5));
    };
    const std::int64_t columns = sites(high.x - low.x);
    const std::int64_t rows = sites(high.y - low.y);
    base::Random random(seed, lattice_stream);
    std::int64_t placed = 0;
    for (std::int64_t site = 0; placed < count; ++site) {
        const auto column = static_cast<double>(site % columns);
        const auto row = static_cast<double>(site / columns % rows);
        const std::int64_t layer = site / (columns * rows);
        const Vec3d at{low.x + (column + 0.5) * lattice_pitch + random.uniform(-0.0018, 0.0018),
                       low.y + (row + 0.5) * lattice_pitch + random.uniform(-0.0018, 0.0018),
                       low.z + 0.001 + bench_grain::radius + static_cast<double>(layer) * lattice_layer +
                           random.uniform(-0.0007, 0.0007)};
        const Vec3d velocity{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
        if (at.z + bench_grain::radius > high.z) {
            break;
        }
        if (inside(at)) {
            system.bodies.add_sphere(system.counters.next_id++, at, bench_grain::radius, bench_grain::density,
                                     grain_material);
            system.bodies.velocity.back() = velocity;
            ++placed;
        }
    }
    return placed;
}

TileCounts tile_counts(std::int64_t particles, std::int64_t tile_grains) {
    for (std::int64_t tiles = std::max<std::int64_t>(1, (particles + tile_grains - 1) / tile_grains);; ++tiles) {
        for (std::int64_t y = 1; y * y <= tiles; ++y) {
            if (tiles % y == 0 && tiles / y <= 2 * y) {
                return {tiles / y, y};
            }
        }
    }
}

model::System repeated(const model::System& tile, const TileCounts& counts, double step, double shake) {
    model::System out;
    out.domain = tile.domain;
    out.materials = tile.materials;
    out.walls = tile.walls;
    for (model::Wall& wall : out.walls) {
        wall.record = {};
    }
    out.gravity = tile.gravity;
    out.clock.step = step;
    const Vec3d size = tile.domain.size();
    // An axis that is not repeated may be unbounded.
    const auto shift = [](std::int64_t n, double length) { return n == 0 ? 0.0 : static_cast<double>(n) * length; };
    out.domain.high.x += shift(counts.x - 1, size.x);
    out.domain.high.y += shift(counts.y - 1, size.y);
    base::Random random(seed, shake_stream);
    for (std::int64_t y = 0; y < counts.y; ++y) {
        for (std::int64_t x = 0; x < counts.x; ++x) {
            for (std::size_t i = 0; i < tile.bodies.size(); ++i) {
                const std::int32_t material = tile.bodies.material[i];
                out.bodies.add_sphere(
                    out.counters.next_id++, tile.bodies.position[i] + Vec3d{shift(x, size.x), shift(y, size.y), 0},
                    tile.bodies.radius[i], tile.materials.list[static_cast<std::size_t>(material)].density, material);
                out.bodies.flags.back() = tile.bodies.flags[i];
                out.bodies.spin.back() = tile.bodies.spin[i];
                const Vec3d push{random.uniform(-shake, shake), random.uniform(-shake, shake),
                                 random.uniform(-shake, shake)};
                if ((tile.bodies.flags[i] & model::position_held) == 0) {
                    out.bodies.velocity.back() = tile.bodies.velocity[i] + push;
                }
            }
        }
    }
    return out;
}

double barrel_radius(std::int64_t particles, double slenderness) {
    const double needed = static_cast<double>(particles) * bench_grain::volume / 0.58;
    double radius = 4 * bench_grain::radius;
    while (std::numbers::pi * radius * radius * radius * slenderness < needed) {
        radius += 0.5 * bench_grain::radius;
    }
    return radius;
}

std::vector<Vec3d> cut_out(const model::System& tile, std::int64_t particles, double radius,
                           const std::function<bool(const Vec3d&)>& inside) {
    const Vec3d size = tile.domain.size();
    double top = 0;
    for (const Vec3d& x : tile.bodies.position) {
        top = std::max(top, x.z + bench_grain::radius);
    }
    const double reach = radius - bench_grain::radius;
    const auto across = static_cast<std::int64_t>(radius / size.x) + 1;
    std::vector<Vec3d> found;
    for (std::int64_t storey = 0; static_cast<std::int64_t>(found.size()) < particles; ++storey) {
        for (std::int64_t y = -across; y < across; ++y) {
            for (std::int64_t x = -across; x < across; ++x) {
                const Vec3d shift{static_cast<double>(x) * size.x, static_cast<double>(y) * size.y,
                                  static_cast<double>(storey) * top};
                for (const Vec3d& in_tile : tile.bodies.position) {
                    const Vec3d at = in_tile + shift;
                    if (at.x * at.x + at.y * at.y < reach * reach && inside(at)) {
                        found.push_back(at);
                    }
                }
            }
        }
    }
    std::vector<double> heights;
    heights.reserve(found.size());
    for (const Vec3d& at : found) {
        heights.push_back(at.z);
    }
    const auto last = heights.begin() + static_cast<std::ptrdiff_t>(particles - 1);
    std::nth_element(heights.begin(), last, heights.end());
    const double rim = *last;
    std::erase_if(found, [rim](const Vec3d& at) { return at.z > rim; });
    found.resize(static_cast<std::size_t>(particles));  // copies of a grain are equally high
    return found;
}

model::Wall placed_wall(const std::string& name, const geometry::Placed& placed) {
    model::Wall wall;
    wall.name = name;
    wall.shape = placed.shape;
    wall.base.position = placed.position;
    wall.base.rotation = placed.rotation;
    wall.material = fixed_material;
    return wall;
}

}  // namespace talus::simulation
