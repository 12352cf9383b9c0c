// Contacts between spheres: kinematics (SSDEM Eqs. 2, 8-12 with errata) and law of every listed pair. Pairs that touch
// are collected and worked on four at a time.
#include <algorithm>
#include <mutex>
#include <vector>

#include "talus/backends/cpu/contact_response.h"
#include "talus/backends/cpu/phases.h"
#include "talus/base/parallel.h"
#include "talus/laws/visit.h"

namespace talus::backends::cpu {

namespace {

using math::Pack;
using math::Vec3;

/// Touching pairs that wait for their force.
struct Batch {
    int count = 0;
    std::uint32_t pair[4], i[4], j[4];
    alignas(32) double d[4][4];  // from i to j: x, y, z, squared length
};

/// Kinematics of four touching pairs; n, levers and velocities follow from the vector between the centres.
TALUS_HOT laws::Kinematics<Pack> pair_kinematics(const Batch& batch, const std::vector<Record>& records, double dt,
                                                 bool needs_curvature) {
    const auto rows = [&](const std::uint32_t(&index)[4], auto member) {
        return std::array<const double*, 4>{member(records[index[0]]), member(records[index[1]]),
                                            member(records[index[2]]), member(records[index[3]])};
    };
    const auto motion = [](const Record& r) { return &r.velocity.x; };
    const auto turning = [](const Record& r) { return &r.spin.x; };
    Vec3<Pack> vi, vj, wi, wj, d;
    Pack inverse_mass_i, inverse_mass_j, inverse_inertia_i, inverse_inertia_j, distance2;
    load_columns(rows(batch.i, motion).data(), vi.x, vi.y, vi.z, inverse_mass_i);
    load_columns(rows(batch.j, motion).data(), vj.x, vj.y, vj.z, inverse_mass_j);
    load_columns(rows(batch.i, turning).data(), wi.x, wi.y, wi.z, inverse_inertia_i);
    load_columns(rows(batch.j, turning).data(), wj.x, wj.y, wj.z, inverse_inertia_j);
    const double* const distances[4] = {batch.d[0], batch.d[1], batch.d[2], batch.d[3]};
    load_columns(distances, d.x, d.y, d.z, distance2);
    const auto radii = [&](const std::uint32_t(&index)[4]) {
        return Pack(Pack::Lanes{records[index[0]].radius, records[index[1]].radius, records[index[2]].radius,
                                records[index[3]].radius});
    };
    const Pack ri = radii(batch.i);
    const Pack rj = radii(batch.j);

    laws::Kinematics<Pack> c;
    const Pack distance = sqrt(distance2);
    const Pack inverse = 1.0 / distance;
    const Pack sum = ri + rj;
    c.normal = d * inverse;
    c.overlap = sum - distance;
    c.lever_i = 0.5 * (distance + (ri - rj) * sum * inverse);
    c.lever_j = distance - c.lever_i;
    const Vec3<Pack> dv = vj - vi;
    c.velocity = dv + cross(c.normal, wi * c.lever_i + wj * c.lever_j);
    c.spin = wi - wj;
    c.spin_sum = dot(wi + wj, c.normal);
    c.turn = (dv - c.normal * dot(dv, c.normal)) * (dt * inverse);
    c.rolling_lever = math::smaller(c.lever_i, c.lever_j);
    c.radius_i = ri;
    c.curvature = needs_curvature ? 1.0 / ri + 1.0 / rj : Pack(0.0);
    c.inverse_mass = inverse_mass_i + inverse_mass_j;
    c.mass = 1.0 / c.inverse_mass;
    // Two grains whose rotation is held cannot be turned by rolling friction, whatever the moment.
    const Pack turns = inverse_inertia_i + inverse_inertia_j;
    c.inertia = select(turns > Pack(0.0), 1.0 / turns, Pack(0.0));
    return c;
}

/// One thread's share of the pairs of one law.
template <class Law>
class PairLoop {
public:
    PairLoop(model::System& system, Workspace& work, int law, bool only_law)
        : system_(system),
          pairs_(system.pairs),
          work_(work),
          law_(law),
          only_law_(only_law),
          one_material_(system.materials.size() == 1),
          periodic_(system.domain.any_periodic()),
          dt_(system.clock.step) {
        for (int axis = 0; axis < 3; ++axis) {
            period_[axis] = system.domain.periodic[static_cast<std::size_t>(axis)] ? system.domain.size()[axis] : 0.0;
        }
        params_ = system.materials.pair_law[0].parameters.template as<typename Law::Params>();
    }

    ContactNotes run(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (std::uint32_t p = pairs_.row[i]; p < pairs_.row[i + 1]; ++p) {
                if (one_material_ || choose_law(i, pairs_.partner[p])) {
                    look_at(static_cast<std::uint32_t>(i), p);
                }
            }
        }
        flush();
        return notes_;
    }

private:
    /// Takes over the parameters of the pair's materials; false if the pair has another law.
    bool choose_law(std::size_t i, std::size_t j) {
        const std::int32_t mi = system_.bodies.material[i];
        const std::int32_t mj = system_.bodies.material[j];
        if (mi == material_i_ && mj == material_j_) {
            return true;
        }
        const model::PairLaw& between = system_.materials.between(mi, mj);
        if (!only_law_ && between.law != law_) {
            return false;
        }
        flush();  // a batch has one set of parameters
        params_ = between.parameters.template as<typename Law::Params>();
        material_i_ = mi;
        material_j_ = mj;
        return true;
    }

    void look_at(std::uint32_t i, std::uint32_t p) {
        const std::uint32_t j = pairs_.partner[p];
        const Record& ri = work_.record[i];
        const Record& rj = work_.record[j];
        Vec3d d = rj.position - ri.position;
        if (periodic_) {
            const model::Image& image = pairs_.image[p];
            if (image != model::Image{}) {
                d += Vec3d{image.x * period_.x, image.y * period_.y, image.z * period_.z};
            }
        }
        const double sum = ri.radius + rj.radius;
        double distance2 = norm2(d);
        if (!(distance2 < sum * sum) || ri.inverse_mass + rj.inverse_mass == 0) {
            if (pairs_.touching[p]) {
                pairs_.touching[p] = 0;
                system_.bodies.dissipation[i].energy[static_cast<std::size_t>(model::Mechanism::sliding)] +=
                    end_contact<Law>(params_, &pairs_.history[p * pairs_.history_size]);
            }
            return;
        }
        if (distance2 == 0) {  // centres coincide: any direction will do
            d = {0, 0, 1e-9 * sum};
            distance2 = norm2(d);
        }
        pairs_.touching[p] = 1;
        const int lane = batch_.count++;
        batch_.pair[lane] = p;
        batch_.i[lane] = i;
        batch_.j[lane] = j;
        math::store(batch_.d[lane], Pack::Lanes{d.x, d.y, d.z, distance2});  // stored whole, since it is loaded whole
        if (batch_.count == Pack::width) {
            flush();
        }
    }

    void flush() {
        const int count = batch_.count;
        if (count == 0) {
            return;
        }
        for (int lane = count; lane < Pack::width; ++lane) {
            batch_.pair[lane] = batch_.pair[0];
            batch_.i[lane] = batch_.i[0];
            batch_.j[lane] = batch_.j[0];
            std::copy_n(batch_.d[0], 4, batch_.d[lane]);
        }
        const auto contact = pair_kinematics(batch_, work_.record, dt_, Law::needs_curvature);
        double* history[4];
        Slot* slot[4];
        Powers* power[4];
        for (int lane = 0; lane < Pack::width; ++lane) {
            history[lane] = &pairs_.history[batch_.pair[lane] * pairs_.history_size];
            slot[lane] = &work_.pair_slot[batch_.pair[lane]];
            power[lane] = &system_.bodies.dissipation[batch_.i[lane]].power;
        }
        respond_into<Law>(contact, params_, history, dt_, slot, power, count);
        const double limit = std::min(work_.overlap_limit, notes_.largest_overlap);
        const Pack smaller_radius =
            math::smaller(contact.radius_i, contact.lever_i + contact.lever_j + contact.overlap - contact.radius_i);
        if (any(contact.overlap > limit * smaller_radius)) {
            for (int lane = 0; lane < count; ++lane) {
                const double radius =
                    std::min(work_.record[batch_.i[lane]].radius, work_.record[batch_.j[lane]].radius);
                note_overlap(notes_, contact.overlap[lane], radius, work_.overlap_limit, batch_.i[lane]);
            }
        }
        batch_.count = 0;
    }

    model::System& system_;
    model::PairList& pairs_;
    Workspace& work_;
    const int law_;
    const bool only_law_, one_material_, periodic_;
    const double dt_;
    Vec3d period_;
    typename Law::Params params_;
    std::int32_t material_i_ = -1, material_j_ = -1;
    Batch batch_;
    ContactNotes notes_;
};

}  // namespace

void pair_contacts(model::System& system, Workspace& work, int threads) {
    work.pair_slot.resize(system.pairs.size());
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
        const auto it =
            std::lower_bound(system.pairs.row.begin(), system.pairs.row.end(), static_cast<std::uint32_t>(pair));
        return std::min(n, static_cast<std::size_t>(it - system.pairs.row.begin()));
    };
    base::parallel_ranges(total, threads, [&](std::size_t begin, std::size_t end) {
        ContactNotes mine;
        const std::size_t first = begin == 0 ? 0 : row_at(begin);
        const std::size_t last = end == total ? n : row_at(end);
        for (const int law : laws_in_use) {
            laws::visit(law, [&](auto kind) {
                PairLoop<decltype(kind)> loop(system, work, law, laws_in_use.size() == 1);
                mine.merge(loop.run(first, last));
            });
        }
        const std::lock_guard<std::mutex> lock(merge);
        work.notes.merge(mine);
    });
}

}  // namespace talus::backends::cpu
