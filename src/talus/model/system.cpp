// The hash of a state covers every number that the next step depends on, and the sums that must be bit-identical too.
#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "talus/base/exact_sum.h"
#include "talus/base/hash.h"
#include "talus/geometry/surface.h"
#include "talus/laws/packed_laws.h"
#include "talus/model/system.h"

namespace talus::model {
namespace {

void add(base::Hasher& hash, const Vec3d& v) {
    hash.add(v.x);
    hash.add(v.y);
    hash.add(v.z);
}

void add(base::Hasher& hash, const Pose& pose) {
    add(hash, pose.position);
    for (const Vec3d& row : pose.rotation.row) {
        add(hash, row);
    }
    add(hash, pose.velocity);
    add(hash, pose.spin);
}

void add_history(base::Hasher& hash, const std::vector<double>& history, std::size_t pair, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) {
        hash.add(history[pair * size + k]);
    }
}

void add_bodies(base::Hasher& hash, const Bodies& bodies) {
    hash.add(std::uint64_t{bodies.size()});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        hash.add(bodies.id[i]);
        add(hash, bodies.position[i]);
        add(hash, bodies.velocity[i]);
        add(hash, bodies.spin[i]);
        add(hash, bodies.acceleration[i]);
        add(hash, bodies.spin_rate[i]);
        hash.add(bodies.radius[i]);
        hash.add(bodies.mass[i]);
        hash.add(bodies.inertia[i]);
        hash.add(bodies.material[i]);
        hash.add(bodies.flags[i]);
        hash.add(bodies.stuck_to[i]);
        add(hash, bodies.stuck_at[i]);
    }
}

void add_ledger(base::Hasher& hash, const Ledger& ledger) {
    for (std::size_t m = 0; m < mechanism_count; ++m) {
        hash.add(ledger.dissipated[m]);
        hash.add(ledger.power[m]);
    }
    for (const double peak : ledger.peak) {
        hash.add(peak);
    }
    for (const double entry : {ledger.stored.normal, ledger.stored.tangential, ledger.held_work, ledger.held_power,
                               ledger.gravity_reference, ledger.removed, ledger.injected}) {
        hash.add(entry);
    }
}

/// Pairs in order of (id a, id b, image): the order of the list.
void add_pairs(base::Hasher& hash, const PairList& pairs, const Bodies& bodies) {
    hash.add(std::uint64_t{pairs.size()});
    for (std::size_t i = 0; i + 1 < pairs.row.size(); ++i) {
        for (std::size_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            hash.add(bodies.id[i]);
            hash.add(bodies.id[pairs.partner[p]]);
            hash.add(std::int32_t{pairs.image[p].x});
            hash.add(std::int32_t{pairs.image[p].y});
            hash.add(std::int32_t{pairs.image[p].z});
            add_history(hash, pairs.history, p, pairs.history_size);
        }
    }
}

void add_wall_pairs(base::Hasher& hash, const WallPairList& pairs, const Bodies& bodies) {
    using Key = std::tuple<std::int64_t, std::uint32_t, std::uint8_t, std::size_t>;
    std::vector<Key> touching;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (pairs.touching[p] != 0) {
            touching.emplace_back(bodies.id[pairs.body[p]], pairs.wall[p], pairs.side[p], p);
        }
    }
    std::sort(touching.begin(), touching.end());
    hash.add(std::uint64_t{touching.size()});
    for (const auto& [id, wall, side, p] : touching) {
        hash.add(id);
        hash.add(std::uint64_t{wall} | std::uint64_t{side} << 32U);
        add(hash, pairs.normal[p]);
        add_history(hash, pairs.history, p, pairs.history_size);
    }
}

/// Nothing where all bodies are spheres of the packed engine.
void add_grains(base::Hasher& hash, const System& system) {
    const Grains& grains = system.grains;
    for (std::size_t i = 0; i < grains.shape.size(); ++i) {
        hash.add(grains.shape[i]);
        hash.add(grains.turn[i].w);
        add(hash, grains.turn[i].v);
        add(hash, grains.moment[i]);
        add(hash, grains.turning[i]);
    }
    const GrainContacts& contacts = system.grain_contacts;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        hash.add(std::uint64_t{contacts.body[c]} | std::uint64_t{contacts.part[c]} << 32U);
        hash.add(std::uint64_t{contacts.partner[c]} | std::uint64_t{contacts.partner_part[c]} << 32U);
        for (const int code :
             {int{contacts.wall[c]}, int{contacts.image[c].x}, int{contacts.image[c].y}, int{contacts.image[c].z}}) {
            hash.add(std::int32_t{code});
        }
        add(hash, contacts.normal[c]);
        add_history(hash, contacts.history, c, contacts.history_size);
    }
    if (system.integration.adaptive()) {
        hash.add(system.integration_state.suggested);
        hash.add(system.integration_state.accepted);
        hash.add(system.integration_state.rejected);
    }
}

void add_field(base::Hasher& hash, const UniformField& field) {
    add(hash, field.value);
    add(hash, field.axis);
    hash.add(field.rate);
}

void add_fields(base::Hasher& hash, const System& system) {
    const Fields& fields = system.fields;
    if (!fields.any()) {
        return;
    }
    for (const UniformField* field : {&fields.gravity, &fields.electric, &fields.magnetic}) {
        add_field(hash, *field);
    }
    for (const bool acts : {fields.masses, fields.electric_moments, fields.magnetic_moments}) {
        hash.add(static_cast<std::uint8_t>(acts));
    }
    for (const double number : {fields.gravitational_constant, fields.electric_constant, fields.magnetic_constant,
                                system.ledger.field_reference, system.ledger.field_work, system.ledger.field_power}) {
        hash.add(number);
    }
    for (const Moments& moments : fields.moments) {
        hash.add(moments.charge);
        add(hash, moments.electric_dipole);
        add(hash, moments.magnetic_dipole);
    }
}

void add_flights(base::Hasher& hash, const Flights& flights) {
    if (flights.empty() && flights.anchor.empty()) {
        return;
    }
    hash.add(std::uint64_t{flights.time.size()});
    for (std::size_t i = 0; i < flights.time.size(); ++i) {
        add(hash, flights.position[i]);
        add(hash, flights.velocity[i]);
        hash.add(flights.time[i]);
    }
    for (std::size_t i = 0; i < flights.anchor.size(); ++i) {
        add(hash, flights.anchor[i]);
        hash.add(flights.calm[i]);
        hash.add(flights.knocks[i]);
    }
    for (const math::Quaterniond& turn : flights.anchor_turn) {
        hash.add(turn.w);
        add(hash, turn.v);
    }
    hash.add(flights.epoch);
    hash.add(flights.now);
    hash.add(flights.collisions);
    hash.add(flights.held_work);
    hash.add(flights.held_energy);
}

void add_impulses(base::Hasher& hash, const Impulses& impulses) {
    for (const auto& tensor : impulses.virial) {
        for (const double entry : tensor) {
            hash.add(entry);
        }
    }
    for (const std::uint64_t pair : impulses.met) {
        hash.add(pair);
    }
}

void add_walls(base::Hasher& hash, const std::vector<Wall>& walls) {
    hash.add(std::uint64_t{walls.size()});
    for (const Wall& wall : walls) {
        hash.add(static_cast<std::uint8_t>(wall.present));
        if (wall.shape.surface) {
            hash.add(wall.shape.surface->hash());
        }
        add(hash, wall.pose);
        add(hash, wall.record.force);
        add(hash, wall.record.torque);
        add(hash, wall.record.impulse);
        add(hash, wall.record.angular_impulse);
        hash.add(wall.record.work);
        hash.add(wall.record.power);
        hash.add(wall.record.absorbed);
        hash.add(wall.record.absorbed_mass);
        hash.add(wall.record.stuck);
        for (const Drive& drive : wall.motion.drives) {
            for (const double number : {drive.way, drive.speed, drive.rate}) {
                hash.add(number);
            }
        }
    }
}

}  // namespace

void place_walls(System& system) {
    for (Wall& wall : system.walls) {
        if (wall.present) {
            wall.pose = pose_at(wall.base, wall.motion, system.clock.time());
        }
    }
}

void move_walls(System& system) {
    for (Wall& wall : system.walls) {
        if (wall.present && !wall.motion.at_rest()) {
            wall.pose = pose_at(wall.base, wall.motion, system.clock.time());
        }
    }
}

double gravity_lift(const System& system) {
    base::ExactSum sum;
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        if (!system.bodies.is_held(i)) {
            sum += system.bodies.mass[i] * dot(system.gravity, system.bodies.position[i]);
        }
    }
    return sum.value();
}

std::uint64_t state_hash(const System& system) {
    base::Hasher hash;
    hash.add(system.clock.steps);
    hash.add(system.clock.step);
    hash.add(system.clock.time());
    add(hash, system.gravity);
    if (system.domain.planar()) {
        hash.add(std::int32_t{system.domain.dimensions});
    }
    add_bodies(hash, system.bodies);
    add_pairs(hash, system.pairs, system.bodies);
    add_wall_pairs(hash, system.wall_pairs, system.bodies);
    add_grains(hash, system);
    add_fields(hash, system);
    add_flights(hash, system.flights);
    add_impulses(hash, system.impulses);
    add_walls(hash, system.walls);
    add_ledger(hash, system.ledger);
    return hash.value();
}

}  // namespace talus::model
