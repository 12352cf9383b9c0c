// Contacts between spheres: kinematics (SSDEM Eqs. 2, 8-12 with errata) and law of every listed pair.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "talus/backends/cpu/contact_response.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/laws/visit.h"

namespace talus::backends::cpu {

namespace {

/// Kinematics of a touching pair; d points from i to j, and n, levers and velocities follow from it.
inline laws::Kinematics<double> pair_kinematics(const Record& i, const Record& j, const Vec3d& d, double distance2,
                                                double dt, bool needs_curvature) {
    laws::Kinematics<double> c;
    const double distance = std::sqrt(distance2);
    const double inverse = 1.0 / distance;
    const double sum = i.radius + j.radius;
    c.normal = distance > 0 ? d * inverse : Vec3d{0, 0, 1};
    c.overlap = sum - distance;
    c.lever_i = distance > 0 ? 0.5 * (distance + (i.radius - j.radius) * sum * inverse) : i.radius;
    c.lever_j = distance - c.lever_i;
    const Vec3d dv = j.velocity - i.velocity;
    c.velocity = dv + cross(c.normal, i.spin * c.lever_i + j.spin * c.lever_j);
    c.spin = i.spin - j.spin;
    c.spin_sum = dot(i.spin + j.spin, c.normal);
    c.turn = distance > 0 ? (dv - c.normal * dot(dv, c.normal)) * (dt * inverse) : Vec3d{};
    c.rolling_lever = std::min(c.lever_i, c.lever_j);
    c.radius_i = i.radius;
    c.curvature = needs_curvature ? 1.0 / i.radius + 1.0 / j.radius : 0.0;
    c.inverse_mass = i.inverse_mass + j.inverse_mass;
    c.mass = 1.0 / c.inverse_mass;
    const double turning = i.inverse_inertia + j.inverse_inertia;
    c.inertia = turning > 0 ? 1.0 / turning : 0.0;
    return c;
}

template <class Law>
void contacts_of_law(model::System& system, Workspace& work, int law, bool only_law, std::size_t begin, std::size_t end,
                     ContactNotes& notes) {
    model::PairList& pairs = system.pairs;
    const double dt = system.clock.step;
    const bool periodic = system.domain.any_periodic();
    const Vec3d period = periodic ? Vec3d{system.domain.periodic[0] ? system.domain.size().x : 0.0,
                                          system.domain.periodic[1] ? system.domain.size().y : 0.0,
                                          system.domain.periodic[2] ? system.domain.size().z : 0.0}
                                  : Vec3d{};
    const bool one_material = system.materials.size() == 1;
    typename Law::Params params = system.materials.pair_law[0].parameters.as<typename Law::Params>();
    std::int32_t material_i = -1;
    std::int32_t material_j = -1;
    for (std::size_t i = begin; i < end; ++i) {
        const Record& ri = work.record[i];
        model::Dissipation& lost = system.bodies.dissipation[i];
        for (std::uint32_t p = pairs.row[i]; p < pairs.row[i + 1]; ++p) {
            const std::uint32_t j = pairs.partner[p];
            if (!one_material) {
                const std::int32_t mi = system.bodies.material[i];
                const std::int32_t mj = system.bodies.material[j];
                if (mi != material_i || mj != material_j) {
                    const model::PairLaw& between = system.materials.between(mi, mj);
                    if (!only_law && between.law != law) {
                        continue;
                    }
                    params = between.parameters.as<typename Law::Params>();
                    material_i = mi;
                    material_j = mj;
                }
            }
            const Record& rj = work.record[j];
            Vec3d d = rj.position - ri.position;
            if (periodic) {
                const model::Image& image = pairs.image[p];
                d += Vec3d{image.x * period.x, image.y * period.y, image.z * period.z};
            }
            const double sum = ri.radius + rj.radius;
            const double distance2 = norm2(d);
            double* history = &pairs.history[p * pairs.history_size];
            if (!(distance2 < sum * sum) || ri.inverse_mass + rj.inverse_mass == 0) {
                if (pairs.touching[p]) {
                    pairs.touching[p] = 0;
                    lost.energy[static_cast<std::size_t>(model::Mechanism::sliding)] +=
                        end_contact<Law>(params, history);
                }
                continue;
            }
            pairs.touching[p] = 1;
            const auto contact = pair_kinematics(ri, rj, d, distance2, dt, Law::needs_curvature);
            respond_into<Law>(contact, params, history, dt, work.pair_slot[p], work.pair_stored[p], lost.power);
            note_overlap(notes, contact.overlap, std::min(ri.radius, rj.radius), work.overlap_limit, i);
        }
    }
}

}  // namespace

void pair_contacts(model::System& system, Workspace& work, int threads) {
    work.pair_slot.resize(system.pairs.size());
    work.pair_stored.resize(system.pairs.size());
    // Laws in use; with one law no pair needs to be asked for its own.
    std::vector<int> laws_in_use;
    for (const model::PairLaw& pair : system.materials.pair_law) {
        if (pair.law >= 0 && std::find(laws_in_use.begin(), laws_in_use.end(), pair.law) == laws_in_use.end()) {
            laws_in_use.push_back(pair.law);
        }
    }
    std::mutex merge;
    // Shares of equal numbers of pairs rather than bodies.
    const std::size_t n = system.bodies.size();
    const std::size_t total = system.pairs.size();
    const auto row_at = [&](std::size_t pair) {
        const auto it = std::lower_bound(system.pairs.row.begin(), system.pairs.row.end(),
                                         static_cast<std::uint32_t>(pair));
        return std::min(n, static_cast<std::size_t>(it - system.pairs.row.begin()));
    };
    base::parallel_ranges(total, threads, [&](std::size_t begin, std::size_t end) {
        ContactNotes mine;
        const std::size_t first = begin == 0 ? 0 : row_at(begin);
        const std::size_t last = end == total ? n : row_at(end);
        for (const int law : laws_in_use) {
            laws::visit(law, [&](auto kind) {
                contacts_of_law<decltype(kind)>(system, work, law, laws_in_use.size() == 1, first, last, mine);
            });
        }
        const std::lock_guard<std::mutex> lock(merge);
        work.notes.merge(mine);
    });
}

}  // namespace talus::backends::cpu
