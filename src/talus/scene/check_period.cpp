// How long a period must be for the grains in it. Grains must not meet their own images, and cells of hard ones must
// not be their own neighbours; where held grains move those cells are wider (engines/hard).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "talus/scene/build.h"

namespace talus::scene {

namespace {

/// Diameters, with a little room for rounding.
constexpr double needed_by_soft = 2;
constexpr double needed_by_hard = 3.00005;
constexpr double needed_where_held_move = 3.3001;

void refuse_shorter(const Build& build, const base::Location& where, const std::string& key, double length,
                    const char* diameters) {
    const model::Domain& domain = build.scene.system.domain;
    for (int i = 0; i < 3; ++i) {
        if (domain.periodic[static_cast<std::size_t>(i)] && domain.size()[i] < length) {
            build.diagnostics.error(where, key,
                                    fmt::format("the periodic domain is only {} m long along {}, less than {} of the "
                                                "largest grain",
                                                domain.size()[i], "xyz"[i], diameters),
                                    fmt::format("at least {} m", length));
        }
    }
}

/// Whether some wall may hold grains and move, at whatever times of the run.
bool has_moving_sticky_wall(const Scene& scene) {
    struct Life {
        bool sticks = false, moves = false;
    };
    std::map<std::string, Life> walls;
    const auto see = [&](const model::Wall& wall) {
        Life& life = walls[wall.name];
        life.sticks = life.sticks || wall.behaviour == model::WallBehaviour::sticky;
        life.moves = life.moves || !wall.motion.at_rest();
    };
    std::for_each(scene.system.walls.begin(), scene.system.walls.end(), see);
    for (const model::Stage& stage : scene.plan.stages) {
        for (const model::Action& action : stage.actions) {
            if (const auto* added = std::get_if<model::AddWall>(&action)) {
                see(added->wall);
            } else if (const auto* motion = std::get_if<model::SetMotion>(&action)) {
                walls[motion->wall].moves = walls[motion->wall].moves || !motion->motion.at_rest();
            } else if (const auto* change = std::get_if<model::SetBehaviour>(&action)) {
                walls[change->wall].sticks =
                    walls[change->wall].sticks || change->behaviour == model::WallBehaviour::sticky;
            }
        }
    }
    return std::any_of(walls.begin(), walls.end(),
                       [](const auto& wall) { return wall.second.sticks && wall.second.moves; });
}

/// Whether grains that are held by themselves may move.
bool has_moving_held(const Build& build) {
    const Scene& scene = build.scene;
    bool held = false;
    bool moves = false;
    for (const auto* fills : {&build.fills, &scene.stage_fills}) {
        for (const FillSpec& fill : *fills) {
            held = held || fill.hold_position;
            moves = moves || (fill.hold_position && (fill.velocity != Vec3d{} || fill.velocity_spread > 0));
        }
    }
    for (const model::Stage& stage : scene.plan.stages) {
        moves = moves || std::any_of(stage.actions.begin(), stage.actions.end(), [](const model::Action& action) {
                    return std::holds_alternative<model::SetVelocity>(action);
                });
    }
    return held && moves;
}

}  // namespace

void check_period(const Build& build, const base::Location& where, const std::string& key, double largest_radius) {
    const bool hard = build.scene.engine != "soft";
    refuse_shorter(build, where, key, 2 * (hard ? needed_by_hard : needed_by_soft) * largest_radius,
                   hard ? "three diameters" : "two diameters");
}

void check_periods_of_all(const Build& build) {
    const Scene& scene = build.scene;
    double largest = 0;
    for (const double r : scene.system.bodies.radius) {
        largest = std::max(largest, r);
    }
    check_period(build, build.root.where, build.root.key, largest);
    if (scene.engine != "hard" || !scene.system.domain.any_periodic() || build.diagnostics.has_errors()) {
        return;
    }
    for (const FillSpec& fill : scene.stage_fills) {
        largest = std::max(largest, largest_radius(fill.sizes));
    }
    if (has_moving_sticky_wall(scene) || has_moving_held(build)) {
        const Value& domain = build.root.at("domain");
        refuse_shorter(build, domain.where, domain.key, 2 * needed_where_held_move * largest,
                       "3.3 diameters, which hard grains need where held or stuck ones move,");
    }
}

}  // namespace talus::scene
