#include "talus/simulation/actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "talus/base/diagnostics.h"
#include "talus/model/motion.h"

namespace talus::simulation {

namespace {

model::Wall& find_wall(model::System& system, const std::string& name) {
    const auto it = std::find_if(system.walls.begin(), system.walls.end(),
                                 [&](const model::Wall& wall) { return wall.name == name && wall.present; });
    if (it == system.walls.end()) {
        throw base::RunError(fmt::format("a stage names the wall \"{}\", which is not there at t = {:.6g} s", name,
                                         system.clock.time()));
    }
    return *it;
}

struct Applier {
    model::System& system;
    Engine& engine;
    const std::vector<scene::FillSpec>& fills;

    void operator()(const model::AddWall& action) const {
        model::Wall wall = action.wall;
        const auto [base, motion] = model::restart_motion(wall.base, wall.motion, system.clock.time());
        wall.base = base;
        wall.motion = motion;
        wall.present = true;
        system.walls.push_back(wall);
    }
    void operator()(const model::RemoveWall& action) const {
        model::Wall& wall = find_wall(system, action.wall);
        free_stuck(wall);
        wall.present = false;
    }
    void operator()(const model::ReplaceWall& action) const {
        model::Wall& wall = find_wall(system, action.wall);
        free_stuck(wall);  // they stay where they are; those that touch the new shape stick again
        wall.shape = action.shape;
        wall.base = action.base;
        wall.motion = {};
    }
    void operator()(const model::SetMotion& action) const {
        model::Wall& wall = find_wall(system, action.wall);
        std::tie(wall.base, wall.motion) = model::restart_motion(wall.pose, action.motion, system.clock.time());
        model::take_own_axes(wall.base, wall.motion, action.own_axes);
    }
    void operator()(const model::SetBehaviour& action) const {
        find_wall(system, action.wall).behaviour = action.behaviour;
    }
    void operator()(const model::RemoveParticles& action) const {
        std::vector<char> keep(system.bodies.size(), 1);
        for (std::size_t i = 0; i < keep.size(); ++i) {
            const Vec3d& x = system.bodies.position[i];
            const bool inside =
                action.whole ? action.region.contains(x, system.bodies.radius[i]) : action.region.contains(x);
            if (inside) {
                keep[i] = 0;
                ++system.counters.removed_by_stage;
            }
        }
        engine.remove(keep);
    }
    void operator()(const model::AddParticles& action) const {
        base::Diagnostics found;
        scene::append_fill(fills.at(action.fill), system, found);
        if (found.has_errors()) {
            throw base::RunError(found.text());
        }
        // Newcomers touch nothing yet.
        for (std::vector<std::uint32_t>* row : {&system.pairs.row, &system.wall_pairs.row}) {
            if (!row->empty()) {
                row->resize(system.bodies.size() + 1, row->back());
            }
        }
    }
    void operator()(const model::SetGravity& action) const {
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            if (system.bodies.stuck_to[i] < 0 && (system.bodies.flags[i] & model::position_held) == 0) {
                system.bodies.acceleration[i] += action.gravity - system.gravity;
            }
        }
        system.gravity = action.gravity;
    }
    void operator()(const model::SetContact& action) const {
        system.materials.set(action.material_a, action.material_b, action.law);
    }
    void operator()(const model::SetVelocity& action) const {
        const auto change = [&](Vec3d& value, const std::optional<Vec3d>& wanted) {
            if (wanted) {
                value = action.add ? value + *wanted : *wanted;
            }
        };
        for (std::size_t i = 0; i < system.bodies.size(); ++i) {
            if (system.bodies.stuck_to[i] < 0 && action.region.contains(system.bodies.position[i])) {
                change(system.bodies.velocity[i], action.velocity);
                change(system.bodies.spin[i], action.spin);
            }
        }
    }

    using Vec3d = math::Vec3d;

    /// Grains that stuck to the wall are free again.
    void free_stuck(const model::Wall& wall) const {
        const auto index = static_cast<std::int32_t>(&wall - system.walls.data());
        std::replace(system.bodies.stuck_to.begin(), system.bodies.stuck_to.end(), index, -1);
    }
};

}  // namespace

void apply(const model::Action& action, scene::Scene& scene, Engine& engine) {
    model::System& system = scene.system;
    engine.publish();
    const double gravity_work = model::gravity_work(system);
    const double lifted = model::field_lift(system) - system.ledger.field_reference;
    std::visit(Applier{system, engine, scene.stage_fills}, action);
    // Whatever the action did to positions, holds and gravity itself, the work done so far stays.
    system.ledger.gravity_reference = model::gravity_lift(system) - gravity_work;
    system.ledger.field_reference = model::field_lift(system) - lifted;
    engine.system_changed();
}

}  // namespace talus::simulation
