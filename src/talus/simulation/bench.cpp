#include "talus/simulation/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "talus/base/random.h"
#include "talus/engines/soft/engine.h"
#include "talus/laws/registry.h"

namespace talus::simulation {

namespace {

using math::Vec3d;

constexpr double radius = 0.01;
constexpr double density = 1000;
constexpr double step = 2e-5;
constexpr std::int64_t tile_grains = 2000;
constexpr int tile_columns = 6;       // grains along an edge of the tile
constexpr double tile_pitch = 0.024;  // m between them at the start

/// The contact of the peers' decks: restitution 0.8, tangential damping half the normal one's rate.
model::PairLaw bed_contact(double reduced_mass) {
    const int law = laws::find_law("hooke");
    std::vector<laws::ParameterFault> faults;
    const double gamma_n = 875.7;  // 1/s
    const laws::ParameterValues values = {{"kn", 8e4},
                                          {"kt", 2.29e4},
                                          {"restitution", 0.8},
                                          {"ct", 0.5 * gamma_n * reduced_mass},
                                          {"friction.static", 0.2},
                                          {"slip_memory", 1.0}};
    return {law, laws::registry()[static_cast<std::size_t>(law)].derive(values, faults)};
}

model::System loose_tile() {
    model::System system;
    const double mass = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * density;
    system.materials.list.push_back({"grain", density});
    system.materials.pair_law.resize(1);
    system.materials.set(0, 0, bed_contact(mass / 2));
    system.gravity = {0, 0, -9.81};
    system.clock.step = step;
    const double edge = tile_columns * tile_pitch;
    system.domain.low = {0, 0, -1};
    system.domain.high = {edge, edge, 100};
    system.domain.periodic = {true, true, false};
    model::Wall floor;
    floor.name = "floor";
    system.walls.push_back(floor);
    base::Random random(20240611, 0);
    for (std::int64_t n = 0; n < tile_grains; ++n) {
        const auto column = static_cast<double>(n % tile_columns);
        const auto row = static_cast<double>(n / tile_columns % tile_columns);
        const std::int64_t whole_layers = n / (tile_columns * tile_columns);
        const auto layer = static_cast<double>(whole_layers);
        const Vec3d at{(column + 0.5) * tile_pitch + random.uniform(-0.0018, 0.0018),
                       (row + 0.5) * tile_pitch + random.uniform(-0.0018, 0.0018),
                       radius + 0.001 + layer * 0.0217 + random.uniform(-0.0007, 0.0007)};
        system.bodies.add_sphere(system.counters.next_id++, at, radius, density, 0);
        system.bodies.velocity.back() = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
                                         random.uniform(-0.5, 0.5)};
    }
    return system;
}

double resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return resident * 4096;
}

}  // namespace

model::System settled_bed(std::int64_t particles, int threads) {
    model::System tile = loose_tile();
    {
        engines::soft::Options options;
        options.threads = threads;
        engines::soft::Engine engine(tile, options, false);
        for (int k = 0; k < 30000; k += 50) {
            engine.advance(50);
            // A little drag in the later part brings the bed to rest, as in the peers' settling.
            if (k > 20000 && k < 26000) {
                for (Vec3d& v : tile.bodies.velocity) {
                    v *= 0.9;
                }
            }
        }
    }
    const auto tiles = std::max<std::int64_t>(1, (particles + tile_grains - 1) / tile_grains);
    const auto across = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(tiles))));
    const auto deep = (tiles + across - 1) / across;
    model::System bed;
    bed.materials = tile.materials;
    bed.gravity = tile.gravity;
    bed.clock.step = step;
    bed.walls = tile.walls;
    bed.domain = tile.domain;
    const double edge = tile.domain.size().x;
    bed.domain.high.x = edge * static_cast<double>(across);
    bed.domain.high.y = edge * static_cast<double>(deep);
    for (std::int64_t ty = 0; ty < deep; ++ty) {
        for (std::int64_t tx = 0; tx < across; ++tx) {
            for (std::size_t i = 0; i < tile.bodies.size(); ++i) {
                const Vec3d shift{static_cast<double>(tx) * edge, static_cast<double>(ty) * edge, 0};
                bed.bodies.add_sphere(bed.counters.next_id++, tile.bodies.position[i] + shift, radius, density, 0);
                bed.bodies.velocity.back() = tile.bodies.velocity[i];
                bed.bodies.spin.back() = tile.bodies.spin[i];
            }
        }
    }
    return bed;
}

BenchResult bench_bed(const BenchOptions& options) {
    if (options.particles < 1 || options.steps < 1 || options.threads < 1 || options.repeats < 1) {
        throw std::invalid_argument("particles, steps, threads and repeats must be positive");
    }
    const double memory_before = resident_bytes();
    model::System bed = settled_bed(options.particles, options.threads);
    engines::soft::Options engine_options;
    engine_options.threads = options.threads;
    engines::soft::Engine engine(bed, engine_options, false);
    engine.advance(500);  // histories start at zero: let the contacts load again
    BenchResult result;
    result.name = "bed";
    result.options = options;
    result.particles = static_cast<std::int64_t>(bed.bodies.size());
    const double work = static_cast<double>(result.particles) * static_cast<double>(options.steps);
    std::vector<double> samples;
    engine.timer().reset();
    const std::int64_t rebuilds = engine.rebuilds();
    for (int r = 0; r < options.repeats; ++r) {
        const auto start = std::chrono::steady_clock::now();
        engine.advance(options.steps);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        samples.push_back(seconds * 1e9 / work);
    }
    std::sort(samples.begin(), samples.end());
    result.ns_per_particle_step = samples[samples.size() / 2];
    for (const auto& [phase, seconds] : engine.timer().seconds()) {
        result.phases[phase] = seconds * 1e9 / (work * options.repeats);
    }
    result.coordination = 2.0 * static_cast<double>(engine.touching_pairs()) / static_cast<double>(result.particles);
    result.bytes_per_particle = (resident_bytes() - memory_before) / static_cast<double>(result.particles);
    engine.publish();
    result.state_hash = model::state_hash(bed);
    result.rebuilds = engine.rebuilds() - rebuilds;
    return result;
}

}  // namespace talus::simulation
