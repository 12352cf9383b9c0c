#include "talus/render/force_lines.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "talus/base/diagnostics.h"
#include "talus/output/export.h"

namespace talus::render {
namespace {

struct Sum {
    math::Vec3d from, force;
    math::Vec3d ends;   // m N, by the strength of the contacts
    double weight = 0;  // N
};

}  // namespace

std::vector<ForceLine> force_lines(const output::FrameFile& frame) {
    const output::PolyData lines = output::contacts_as_vtk(frame);
    const auto& force = std::get<std::vector<math::Vec3d>>(lines.cell_data.at(0).values);
    const auto& a = std::get<std::vector<std::int64_t>>(lines.cell_data.at(3).values);
    const auto& b = std::get<std::vector<std::int64_t>>(lines.cell_data.at(4).values);
    const auto& wall = std::get<std::vector<std::int32_t>>(lines.cell_data.at(5).values);
    std::map<std::tuple<std::int64_t, std::int64_t, std::int32_t>, Sum> sums;
    for (std::size_t i = 0; i < force.size(); ++i) {
        Sum& sum = sums[{a[i], b[i], wall[i]}];
        const double strength = math::norm(force[i]);
        sum.from = lines.points[2 * i];
        sum.force += force[i];
        sum.ends += lines.points[2 * i + 1] * strength;
        sum.weight += strength;
    }
    std::vector<ForceLine> out;
    for (const auto& [pair, sum] : sums) {
        if (sum.weight > 0) {
            out.push_back({sum.from, sum.ends / sum.weight, math::norm(sum.force), std::get<2>(pair) >= 0});
        }
    }
    return out;
}

void need_contacts(const output::FrameFile& frame, const std::string& path) {
    const bool touch = std::any_of(frame.coordination.begin(), frame.coordination.end(), [](auto n) { return n > 0; });
    if (touch && frame.contacts.empty()) {
        throw base::InputError(path + ": holds no contact forces; run the scene with output.contacts = true");
    }
}

}  // namespace talus::render
