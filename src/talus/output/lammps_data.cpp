#include "talus/output/lammps_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "talus/output/atomic_file.h"

namespace talus::output {
namespace {

using math::Vec3d;

struct Box {
    Vec3d low, high;
};

double largest_radius(const model::System& system) {
    double largest = 0;
    for (const double r : system.bodies.radius) {
        largest = std::max(largest, r);
    }
    return largest;
}

Box box_of(const model::System& system) {
    Box box{system.domain.low, system.domain.high};
    const double largest = largest_radius(system);
    for (int axis = 0; axis < 3; ++axis) {
        if (system.domain.periodic[static_cast<std::size_t>(axis)]) {
            continue;
        }
        if (system.domain.planar() && axis == 2) {
            box.low.z = -0.5;
            box.high.z = 0.5;
            continue;
        }
        const auto less = [axis](const Vec3d& a, const Vec3d& b) { return a[axis] < b[axis]; };
        const auto& x = system.bodies.position;
        const auto [lowest, highest] = std::minmax_element(x.begin(), x.end(), less);
        box.low[axis] = x.empty() ? 0 : (*lowest)[axis] - largest;
        box.high[axis] = x.empty() ? 1 : (*highest)[axis] + 20 * largest;
    }
    return box;
}

std::vector<std::size_t> sweep_order(const model::System& system, const Box& box) {
    const double width = 4 * largest_radius(system);
    std::vector<std::array<double, 3>> bin;  // z, y, x
    for (const Vec3d& x : system.bodies.position) {
        const Vec3d from = x - box.low;
        bin.push_back({std::floor(from.z / width), std::floor(from.y / width), std::floor(from.x / width)});
    }
    std::vector<std::size_t> order(bin.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return bin[a] < bin[b]; });
    return order;
}

}  // namespace

void write_lammps_data(const std::filesystem::path& path, const model::System& system) {
    const model::Bodies& bodies = system.bodies;
    const Box box = box_of(system);
    const std::vector<std::size_t> order = sweep_order(system, box);
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "grains as Talus made them\n\n{} atoms\n{} atom types\n\n", bodies.size(),
                   system.materials.size());
    fmt::format_to(to, "{} {} xlo xhi\n{} {} ylo yhi\n{} {} zlo zhi\n\nAtoms # sphere\n\n", box.low.x, box.high.x,
                   box.low.y, box.high.y, box.low.z, box.high.z);
    for (const std::size_t i : order) {
        const Vec3d& x = bodies.position[i];
        const double density = system.materials.list[static_cast<std::size_t>(bodies.material[i])].density;
        fmt::format_to(to, "{} {} {} {} {} {} {}\n", bodies.id[i] + 1, bodies.material[i] + 1, 2 * bodies.radius[i],
                       density, x.x, x.y, x.z);
    }
    out += "\nVelocities\n\n";
    for (const std::size_t i : order) {
        const Vec3d& v = bodies.velocity[i];
        const Vec3d& w = bodies.spin[i];
        fmt::format_to(to, "{} {} {} {} {} {} {}\n", bodies.id[i] + 1, v.x, v.y, v.z, w.x, w.y, w.z);
    }
    write_text_file(path, out);
}

}  // namespace talus::output
