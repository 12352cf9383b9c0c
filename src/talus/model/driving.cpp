#include "talus/model/driving.h"

#include "talus/math/rotation.h"

namespace talus::model {

namespace {

template <class Walls, class Use>
void for_drives(Walls& walls, const Use& use) {
    for (auto& wall : walls) {
        if (wall.present) {
            for (auto& drive : wall.motion.drives) {
                use(wall, drive);
            }
        }
    }
}

/// N | N m, of the grains, along or about the drive's axis.
double push_of(const Drive& drive, const Pose& pose, const Vec3d& force, const Vec3d& torque) {
    return dot(drive.axis, drive.turns ? torque + cross(pose.position - drive.through, force) : force);
}

/// The new rate. The wall worked with the speed that the old one led to half a step later, and its work is put right;
/// returns by how much its power was too high (W).
double take_rate(Wall& wall, Drive& drive, const Vec3d& gravity, double h) {
    WallRecord& record = wall.record;
    const double rate = drive_rate(drive, wall.pose, record.force, record.torque, gravity);
    const double more = (rate - drive.rate) * (0.5 * h);
    const double power = push_of(drive, wall.pose, record.force, record.torque) * more;
    record.work -= power * h;
    drive.speed += more;
    drive.rate = rate;
    return power;
}

}  // namespace

double drive_rate(const Drive& drive, const Pose& pose, const Vec3d& force, const Vec3d& torque, const Vec3d& gravity) {
    double push = drive.load - drive.damping * drive.speed + push_of(drive, pose, force, torque);
    if (drive.turns) {
        const Vec3d arm = math::rotation_matrix(drive.axis, drive.way) * drive.centre;
        push += dot(drive.axis, cross(arm, gravity)) * drive.weight;
    } else {
        push += dot(drive.axis, gravity) * drive.weight;
    }
    return push / drive.inertia;
}

double drive_mobility(const Wall& wall, const Vec3d& point, const Vec3d& n) {
    double sum = 0;
    for (const Drive& drive : wall.motion.drives) {
        const double along = dot(drive.axis, drive.turns ? cross(point - drive.through, n) : n);
        sum += along * along / drive.inertia;
    }
    return sum;
}

void start_drives(std::vector<Wall>& walls, const Vec3d& gravity, double time) {
    for_drives(walls, [&](const Wall& wall, Drive& drive) {
        drive.rate =
            time < drive.start ? 0 : drive_rate(drive, wall.pose, wall.record.force, wall.record.torque, gravity);
    });
}

void drift_drives(std::vector<Wall>& walls, double h, double time) {
    for_drives(walls, [&](const Wall&, Drive& drive) {
        if (time > drive.start) {
            const double half = drive.speed + drive.rate * (0.5 * h);
            drive.way += half * h;
            drive.speed = half + drive.rate * (0.5 * h);
        }
    });
}

void kick_drives(std::vector<Wall>& walls, const Vec3d& gravity, double h, double time) {
    for_drives(walls, [&](Wall& wall, Drive& drive) {
        if (time < drive.start) {
            return;
        }
        wall.record.power -= take_rate(wall, drive, gravity, time > drive.start ? h : 0.0);
        wall.pose = pose_at(wall.base, wall.motion, time);
    });
}

void halve_drives(std::vector<Wall>& walls, double h, double middle) {
    for_drives(walls, [&](const Wall&, Drive& drive) {
        if (middle > drive.start) {
            drive.way += drive.speed * (0.5 * h);
            drive.speed += drive.rate * (0.5 * h);
        }
    });
}

void finish_drives(std::vector<Wall>& walls, const Vec3d& gravity, double h, double time) {
    for_drives(walls, [&](Wall& wall, Drive& drive) {
        if (time - 0.5 * h > drive.start) {
            take_rate(wall, drive, gravity, h);
            drive.speed += drive.rate * (0.5 * h);
            drive.way += drive.speed * (0.5 * h);
            wall.pose = pose_at(wall.base, wall.motion, time);
        }
    });
}

double drive_energy(const std::vector<Wall>& walls) {
    double sum = 0;
    for_drives(walls, [&](const Wall&, const Drive& drive) { sum += 0.5 * drive.inertia * drive.speed * drive.speed; });
    return sum;
}

}  // namespace talus::model
