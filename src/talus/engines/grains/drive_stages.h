// Walls that forces move, through the stages of a Runge-Kutta step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "talus/model/driving.h"

namespace talus::engines::grains {

class DriveStages {
public:
    /// Of a step that starts at `time`.
    void begin(std::vector<model::Wall>& walls, double time) {
        free_.clear();
        for (model::Wall& wall : walls) {
            for (model::Drive& drive : wall.motion.drives) {
                if (wall.present && time >= drive.start) {
                    free_.push_back({static_cast<std::size_t>(&wall - walls.data()), drive, {}});
                }
            }
        }
    }
    bool empty() const { return free_.empty(); }

    /// Puts the drives where the stages before lead with their weights (times the step `h`).
    void put(std::vector<model::Wall>& walls, std::span<const double> weights, double h) const {
        for (const Free& free : free_) {
            model::Drive& drive = walls[free.wall].motion.drives.front();
            drive.way = free.start.way;
            drive.speed = free.start.speed;
            for (std::size_t k = 0; k < free.stages.size(); ++k) {
                drive.way += free.stages[k].speed * (weights[k] * h);
                drive.speed += free.stages[k].rate * (weights[k] * h);
            }
        }
    }
    /// Takes down what the stage gave. `Pushes` has a force and a torque for each wall.
    template <class Pushes>
    void note(const std::vector<model::Wall>& walls, const Pushes& pushes, const math::Vec3d& gravity) {
        for (Free& free : free_) {
            const model::Wall& wall = walls[free.wall];
            const model::Drive& drive = wall.motion.drives.front();
            const auto& push = pushes[free.wall];
            free.stages.push_back({drive.speed, model::drive_rate(drive, wall.pose, push.force, push.torque, gravity)});
        }
    }
    /// A rejected step has moved nothing.
    void take_back(std::vector<model::Wall>& walls) const {
        for (const Free& free : free_) {
            walls[free.wall].motion.drives.front() = free.start;
        }
    }

private:
    struct Stage {
        double speed = 0, rate = 0;
    };
    struct Free {
        std::size_t wall = 0;
        model::Drive start;
        std::vector<Stage> stages;
    };
    std::vector<Free> free_;
};

}  // namespace talus::engines::grains
