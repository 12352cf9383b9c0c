#include "talus/model/bodies.h"

#include "talus/model/solid.h"
#include "talus/model/squeeze.h"

namespace talus::model {

void Bodies::add_sphere(std::int64_t new_id, const Vec3d& at, double r, double density, std::int32_t material_index,
                        int dimensions) {
    const double m = solid_volume(dimensions, r) * density;
    id.push_back(new_id);
    position.push_back(at);
    velocity.emplace_back();
    spin.emplace_back();
    acceleration.emplace_back();
    spin_rate.emplace_back();
    radius.push_back(r);
    mass.push_back(m);
    inertia.push_back(inertia_factor(dimensions) * m * r * r);
    material.push_back(material_index);
    flags.push_back(0);
    stuck_to.push_back(-1);
    stuck_at.emplace_back();
}

void Bodies::compact(const std::vector<char>& keep) {
    squeeze(id, keep);
    squeeze(position, keep);
    squeeze(velocity, keep);
    squeeze(spin, keep);
    squeeze(acceleration, keep);
    squeeze(spin_rate, keep);
    squeeze(radius, keep);
    squeeze(mass, keep);
    squeeze(inertia, keep);
    squeeze(material, keep);
    squeeze(flags, keep);
    squeeze(stuck_to, keep);
    squeeze(stuck_at, keep);
}

}  // namespace talus::model
