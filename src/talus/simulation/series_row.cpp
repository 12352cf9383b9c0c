#include "talus/simulation/series_row.h"

#include <algorithm>
#include <limits>
#include <set>

namespace talus::simulation {

namespace {

std::vector<std::string> wall_names(const Simulation& simulation) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    };
    for (const model::Wall& wall : simulation.scene().system.walls) {
        add(wall.name);
    }
    for (const model::Stage& stage : simulation.plan().stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* added = std::get_if<model::AddWall>(&action)) {
                add(added->wall.name);
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Names of walls that forces move at some time.
std::set<std::string> driven_walls(const Simulation& simulation) {
    std::set<std::string> names;
    const auto see = [&](const std::string& name, const model::Motion& motion) {
        if (!motion.drives.empty()) {
            names.insert(name);
        }
    };
    for (const model::Wall& wall : simulation.scene().system.walls) {
        see(wall.name, wall.motion);
    }
    for (const model::Stage& stage : simulation.plan().stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* added = std::get_if<model::AddWall>(&action)) {
                see(added->wall.name, added->wall.motion);
            } else if (const auto* set = std::get_if<model::SetMotion>(&action)) {
                see(set->wall, set->motion);
            }
        }
    }
    return names;
}

/// The wall of that name that is there now, or the last one of that name.
const model::Wall* find_wall(const model::System& system, const std::string& name) {
    const model::Wall* found = nullptr;
    for (const model::Wall& wall : system.walls) {
        if (wall.name == name && (found == nullptr || wall.present)) {
            found = &wall;
        }
    }
    return found;
}

void append(std::vector<double>& row, const math::Vec3d& v) {
    row.insert(row.end(), {v.x, v.y, v.z});
}

}  // namespace

std::vector<std::string> series_columns(const Simulation& simulation) {
    std::vector<std::string> columns = {"time",
                                        "step",
                                        "stage",
                                        "grains",
                                        "contacts",
                                        "wall_contacts",
                                        "energy.translational",
                                        "energy.rotational",
                                        "energy.stored_normal",
                                        "energy.stored_tangential",
                                        "energy.potential"};
    for (const char* mechanism : model::mechanism_names) {
        columns.push_back(std::string("energy.lost.") + mechanism);
    }
    for (const char* name :
         {"energy.gravity_work", "energy.wall_work", "energy.held_work", "energy.removed", "energy.injected",
          "energy.balance_error", "momentum.x", "momentum.y", "momentum.z", "angular_momentum.x", "angular_momentum.y",
          "angular_momentum.z", "left_domain", "removed_by_stage", "overlap.largest", "overlap.beyond_limit"}) {
        columns.emplace_back(name);
    }
    if (simulation.system().fields.any()) {
        for (const char* name : {"energy.mutual_gravity", "energy.mutual_electric", "energy.mutual_magnetic",
                                 "energy.field_potential", "energy.field_work"}) {
            columns.emplace_back(name);
        }
    }
    for (const auto& [name, count] : simulation.engine().counts()) {
        columns.push_back(name);
    }
    const std::set<std::string> driven = driven_walls(simulation);
    for (const std::string& name : wall_names(simulation)) {
        for (const char* part : {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z", "impulse.x",
                                 "impulse.y", "impulse.z", "absorbed"}) {
            columns.push_back("wall." + name + "." + part);
        }
        if (driven.contains(name)) {
            for (const char* part : {"way", "speed"}) {
                columns.push_back("wall." + name + "." + part);
            }
        }
    }
    for (const auto& measure : simulation.measures()) {
        for (const analysis::Column& column : measure->columns()) {
            columns.push_back(column.name);
        }
    }
    return columns;
}

std::vector<double> series_row(const Simulation& simulation) {
    const model::System& system = simulation.system();
    const analysis::Energies energies = simulation.energies();
    const auto count = [](const std::vector<std::uint8_t>& touching) {
        return static_cast<double>(std::count(touching.begin(), touching.end(), std::uint8_t{1}));
    };
    const double of_walls = count(system.grain_contacts.wall);
    const double between_grains = static_cast<double>(system.grain_contacts.size()) - of_walls;
    std::vector<double> row = {simulation.time(),
                               static_cast<double>(system.clock.steps),
                               static_cast<double>(system.stage.index),
                               static_cast<double>(system.bodies.size()),
                               static_cast<double>(system.pairs.size()) + between_grains,
                               count(system.wall_pairs.touching) + of_walls,
                               energies.translational,
                               energies.rotational,
                               energies.stored.normal,
                               energies.stored.tangential,
                               energies.potential};
    row.insert(row.end(), energies.dissipated.begin(), energies.dissipated.end());
    row.insert(row.end(), {energies.gravity_work, energies.wall_work, energies.held_work, energies.removed,
                           energies.injected, simulation.balance(energies).relative()});
    append(row, analysis::momentum(system));
    append(row, analysis::angular_momentum(system));
    row.insert(row.end(),
               {static_cast<double>(system.counters.left_domain), static_cast<double>(system.counters.removed_by_stage),
                system.counters.largest_overlap, static_cast<double>(system.counters.large_overlaps)});
    if (system.fields.any()) {
        row.insert(row.end(), {energies.mutual.gravity, energies.mutual.electric, energies.mutual.magnetic,
                               energies.field_potential, energies.field_work});
    }
    for (const auto& [name, number] : simulation.engine().counts()) {
        row.push_back(static_cast<double>(number));
    }
    const std::set<std::string> driven = driven_walls(simulation);
    for (const std::string& name : wall_names(simulation)) {
        const model::Wall* wall = find_wall(system, name);
        if (wall == nullptr) {
            row.insert(row.end(), driven.contains(name) ? 12 : 10, std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        append(row, wall->record.force);
        append(row, wall->record.torque);
        append(row, wall->record.impulse);
        row.push_back(static_cast<double>(wall->record.absorbed));
        if (driven.contains(name)) {
            const model::Drive drive = wall->motion.drives.empty() ? model::Drive{} : wall->motion.drives.front();
            row.insert(row.end(), {drive.way, drive.speed});
        }
    }
    for (const auto& measure : simulation.measures()) {
        row.insert(row.end(), measure->values().begin(), measure->values().end());
    }
    return row;
}

}  // namespace talus::simulation
