#include "talus/model/bodies.h"

#include "talus/model/solid.h"

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
    const auto squeeze = [&keep](auto& column) {
        std::size_t out = 0;
        for (std::size_t i = 0; i < keep.size(); ++i) {
            if (keep[i]) {
                column[out++] = column[i];
            }
        }
        column.resize(out);
    };
    squeeze(id);
    squeeze(position);
    squeeze(velocity);
    squeeze(spin);
    squeeze(acceleration);
    squeeze(spin_rate);
    squeeze(radius);
    squeeze(mass);
    squeeze(inertia);
    squeeze(material);
    squeeze(flags);
    squeeze(stuck_to);
    squeeze(stuck_at);
}

}  // namespace talus::model
