// Contacts between spheres and walls: the wall is a body of infinite mass whose surface moves with its pose.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <utility>

#include "talus/backends/cpu/drift_work.h"
#include "talus/backends/cpu/phases.h"
#include "talus/backends/cpu/wall_sides.h"
#include "talus/base/parallel.h"
#include "talus/laws/visit.h"

namespace talus::backends::cpu {

namespace {

using geometry::Nearest;
using model::WallPairList;

laws::Kinematics<double> kinematics_at(const Record& i, const model::Pose& pose, const Nearest& near,
                                       const Vec3d& last_normal) {
    return wall_kinematics(i, pose, near.point, near.direction, near.distance, last_normal);
}

/// Histories are stored as plain numbers, so that lists, checkpoints and devices need not know the law.
template <class Law>
using RawHistory = std::array<double, static_cast<std::size_t>(Law::history_size)>;

template <class Law>
typename Law::template History<double> load_history(const double* history) {
    RawHistory<Law> raw;
    std::copy_n(history, raw.size(), raw.begin());
    return std::bit_cast<typename Law::template History<double>>(raw);
}

/// One thread's part of what the phase notices and sums up.
struct WallTally {
    ContactNotes notes;
    LedgerSums sums;
};

void note_overlap(ContactNotes& notes, double overlap, double radius, double limit, std::size_t body) {
    if (overlap > limit * radius) {
        ++notes.large_overlaps;
    }
    const double ratio = overlap / radius;
    const auto named = static_cast<std::int64_t>(body);
    if (ratio > notes.largest_overlap || (ratio == notes.largest_overlap && named < notes.largest_overlap_body)) {
        notes.largest_overlap = ratio;
        notes.largest_overlap_body = named;
    }
}

/// All listed contacts of one law. A body's pairs are worked on by one thread, in order.
template <class Law>
class WallContacts {
public:
    WallContacts(model::System& system, Workspace& work, int law)
        : system_(system), pairs_(system.wall_pairs), work_(work), law_(law) {}

    /// Pairs [begin, end), whole rows.
    WallTally run(std::uint32_t begin, std::uint32_t end) {
        const model::PairLaw* last = nullptr;
        for (std::uint32_t q = begin, next = q; q < end; q = next) {
            far_listed_ = q + 1 < end && pairs_.side[q + 1] != 0;
            next = q + (far_listed_ ? 2 : 1);
            const std::uint32_t i = pairs_.body[q];
            const model::Wall& wall = system_.walls[pairs_.wall[q]];
            const model::PairLaw& between = system_.materials.between(system_.bodies.material[i], wall.material);
            if (between.law != law_) {
                continue;
            }
            if (&between != last) {
                last = &between;
                params_ = between.parameters.template as<typename Law::Params>();
            }
            place_ = work_.place_of[i];
            meet(q, work_.record[place_], wall);
        }
        return tally_;
    }

private:
    /// A body and a wall, at one or two points.
    void meet(std::uint32_t q, const Record& record, const model::Wall& wall) {
        const bool touched = pairs_.touching[q] || (far_listed_ && pairs_.touching[q + 1]);
        if (!touched && work_.budget[place_] >= work_.wall_wake[q]) {
            return;  // it has not moved as far as it was from the wall
        }
        work_.wall_wake[q] = Workspace::awake;
        WallSides sides;
        sides.near.acts = false;
        if (wall.present && record.inverse_mass > 0) {
            sides = find_sides(pairs_, q, far_listed_, wall, system_.domain, record.position);
        }
        bool crosses = sides.exchanged || (far_listed_ && pairs_.touching[q + 1]);
        if (sides.exchanged && far_listed_) {
            exchange(q);
        } else if (sides.exchanged) {  // the far side is out of reach: that contact has ended
            end(q);
        }
        const bool begins = pairs_.touching[q] == 0;
        const bool turns = !begins && norm2(sides.near.direction - pairs_.normal[q]) > noticed_turn2;
        touch_or_end(q, record, wall, sides.near);
        if (far_listed_) {
            touch_or_end(q + 1, record, wall, sides.far);
        }
        if (!touched && !pairs_.touching[q] && sides.near.acts && wall.motion.at_rest()) {
            work_.wall_wake[q] = work_.budget[place_] - (1 - 1e-9) * (sides.near.distance - record.radius);
        }
        if (pairs_.touching[q]) {
            crosses |= (turns && geometry::has_opposite(wall.shape)) || (far_listed_ && pairs_.touching[q + 1]);
            correct_work(q, begins, crosses, record, wall, sides);
        }
    }

    void touch_or_end(std::uint32_t q, const Record& record, const model::Wall& wall, const Nearest& near) {
        if (!near.acts || near.distance >= record.radius) {
            end(q);
            return;
        }
        const std::uint32_t i = pairs_.body[q];
        const Vec3d& last_normal = pairs_.touching[q] ? pairs_.normal[q] : near.direction;
        if (has_jumped(last_normal, near.direction)) {
            project(q, near.direction);
        }
        const auto contact = kinematics_at(record, wall.pose, near, last_normal);
        respond(q, contact);
        pairs_.touching[q] = 1;
        pairs_.normal[q] = near.direction;
        work_.wall_point[q] = near.point;
        note_overlap(tally_.notes, contact.overlap, record.radius, work_.overlap_limit, i);
    }

    /// Evaluates the law, commits the history, writes the slot and books what is dissipated. Where contacts begin and
    /// end the work is set right (correct_work), so the time step takes nothing.
    void respond(std::uint32_t q, const laws::Kinematics<double>& contact) {
        double* const history = &pairs_.history[q * pairs_.history_size];
        const auto answer = Law::respond(contact, params_, load_history<Law>(history), system_.clock.step);
        const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
        std::copy(raw.begin(), raw.end(), history);
        work_.wall_slot[q] = {answer.force, answer.couple * contact.lever_i + answer.moment,
                              answer.couple * contact.lever_j - answer.moment, answer.stored_normal,
                              answer.stored_tangential};
        book(model::Mechanism::normal_damping, answer.normal_damping);
        book(model::Mechanism::tangential_damping, answer.tangential_damping);
        book(model::Mechanism::sliding, answer.sliding);
        book(model::Mechanism::rolling, answer.rolling);
        book(model::Mechanism::twisting, answer.twisting);
    }

    /// A normal that has jumped: the part of the spring that stands out of the new tangent plane is lost.
    void project(std::uint32_t q, const Vec3d& normal) {
        double* const history = &pairs_.history[q * pairs_.history_size];
        const auto old = load_history<Law>(history);
        const auto kept = Law::projected(old, normal);
        const auto raw = std::bit_cast<RawHistory<Law>>(kept);
        std::copy(raw.begin(), raw.end(), history);
        book(model::Mechanism::sliding,
             (Law::released(params_, old) - Law::released(params_, kept)) / system_.clock.step);
    }

    void book(model::Mechanism mechanism, double power) {
        const auto q = static_cast<std::size_t>(mechanism);
        tally_.sums.add(q, power, work_.scales[q]);
    }

    /// Ends a contact: its history is forgotten, and what its spring still held is lost.
    void end(std::uint32_t q) {
        if (pairs_.touching[q]) {
            pairs_.touching[q] = 0;
            double* const history = &pairs_.history[q * pairs_.history_size];
            book(model::Mechanism::sliding, Law::released(params_, load_history<Law>(history)) / system_.clock.step);
            std::fill_n(history, Law::history_size, 0.0);
        }
    }

    /// The two contacts with a round wall change places, nearest first.
    void exchange(std::uint32_t q) {
        std::swap(pairs_.touching[q], pairs_.touching[q + 1]);
        std::swap(pairs_.normal[q], pairs_.normal[q + 1]);
        double* const history = &pairs_.history[q * pairs_.history_size];
        std::swap_ranges(history, history + pairs_.history_size, history + pairs_.history_size);
    }

    /// Where a contact has begun in the last drift, ends in the next one, or crosses an axis (drift_work.h).
    void correct_work(std::uint32_t q, bool begins, bool crosses, const Record& record, const model::Wall& wall,
                      const WallSides& sides) {
        const double h = system_.clock.step;
        const Vec3d& normal = sides.near.direction;
        const Vec3d wall_velocity = wall.pose.velocity_at(sides.near.point);
        const bool may_end = 2 * h * dot(wall_velocity - record.velocity, normal) > record.radius - sides.near.distance;
        if (!begins && !may_end && !crosses) {
            return;
        }
        // Relative to the wall: the last drift, and the next one if the acceleration stays as it was.
        const Vec3d& half_step_velocity = work_.motion[place_].velocity;
        const Vec3d last = (half_step_velocity - wall_velocity) * h;
        const Vec3d next = (2.0 * record.velocity - half_step_velocity - wall_velocity) * h;
        // A smooth wall leaves the motion along it alone. Across an axis all that the round wall can push counts.
        const auto along = [&](const Vec3d& drift) {
            if (!crosses) {
                return normal * dot(normal, drift);
            }
            const Vec3d axis = wall.pose.rotation.column(2);
            const bool is_straight =
                wall.shape.kind != geometry::ShapeKind::sphere && std::abs(dot(normal, axis)) < 1e-9;
            return is_straight ? drift - axis * dot(axis, drift) : drift;
        };
        const ElasticEnd here = elastic(record, wall, sides);
        Vec3d force;
        if (begins || crosses) {
            const ElasticEnd there = elastic(record, wall, sides_at(record.position - last, wall, normal, crosses));
            force += missing_force(there, here, last, along(last));
        }
        if (may_end) {
            const ElasticEnd there = elastic(record, wall, sides_at(record.position + next, wall, normal, crosses));
            if (there.energy == 0) {
                force += missing_force(here, there, next, along(next));
            }
        }
        if (!crosses && norm2(force) > norm2(here.force)) {
            return;  // a grain that grazes a curved wall or began inside: there is no beginning to make up for
        }
        WallSlot& slot = work_.wall_slot[q];
        slot.force += force;
        slot.torque_j += cross(normal * sides.near.distance, force);  // it acts at the body's centre
    }

    WallSides sides_at(const Vec3d& x, const model::Wall& wall, const Vec3d& last, bool both) const {
        WallSides out;
        out.near = search::nearest_wall_point(wall, system_.domain, x, last);
        if (both) {
            out.far = search::opposite_wall_point(wall, system_.domain, x, last);
        }
        return out;
    }

    ElasticEnd elastic(const Record& record, const model::Wall& wall, const WallSides& sides) const {
        ElasticEnd out;
        const auto contact = kinematics_at(record, wall.pose, sides.near, sides.near.direction);
        add_elastic<Law>(out, contact, params_, sides.near, system_.clock.step);
        add_elastic<Law>(out, contact, params_, sides.far, system_.clock.step);
        return out;
    }

    /// A normal that turns by more than this in a step (squared) is near an axis.
    static constexpr double noticed_turn2 = 1e-4;

    model::System& system_;
    WallPairList& pairs_;
    Workspace& work_;
    int law_;
    typename Law::Params params_{};
    bool far_listed_ = false;  // of the pair that is worked on
    std::uint32_t place_ = 0;  // of its body
    WallTally tally_;
};

}  // namespace

laws::Kinematics<double> wall_kinematics(const Record& i, const model::Pose& pose, const Vec3d& point,
                                         const Vec3d& normal, double distance, const Vec3d& last_normal) {
    laws::Kinematics<double> c;
    c.normal = normal;
    c.overlap = i.radius - distance;
    c.lever_i = distance;
    c.lever_j = 0;
    const Vec3d velocity = pose.velocity_at(point) - i.velocity + cross(normal, i.spin) * distance;
    c.opening = dot(velocity, normal);
    c.slip = velocity - normal * c.opening;
    c.spin = i.spin - pose.spin;
    c.spin_sum = dot(i.spin + pose.spin, normal);
    c.turn = has_jumped(last_normal, normal) ? Vec3d{} : normal - last_normal;
    c.rolling_lever = c.lever_i;
    c.radius_i = i.radius;
    c.curvature = 1.0 / i.radius;
    c.inverse_mass = i.inverse_mass;
    c.mass = 1.0 / i.inverse_mass;
    c.inertia = i.inverse_inertia > 0 ? 1.0 / i.inverse_inertia : 0.0;
    return c;
}

void wall_contacts(model::System& system, Workspace& work, int threads) {
    const WallPairList& pairs = system.wall_pairs;
    work.wall_slot.resize(pairs.size());
    work.wall_point.resize(pairs.size());
    work.wall_wake.resize(pairs.size(), Workspace::awake);
    // Shares are counted in pairs, since most bodies have none, and begin with a body's first pair.
    const auto row_start = [&pairs](std::size_t q) {
        while (q > 0 && q < pairs.size() && pairs.body[q] == pairs.body[q - 1]) {
            ++q;
        }
        return static_cast<std::uint32_t>(q);
    };
    const auto& table = system.materials.pair_law;
    for (int law = 0; law < static_cast<int>(laws::law_count); ++law) {
        if (std::none_of(table.begin(), table.end(), [law](const model::PairLaw& p) { return p.law == law; })) {
            continue;
        }
        laws::visit(law, [&](auto kind) {
            std::mutex merge;
            base::parallel_ranges(pairs.size(), threads, [&](std::size_t begin, std::size_t end) {
                WallContacts<decltype(kind)> contacts(system, work, law);
                const WallTally mine = contacts.run(row_start(begin), row_start(end));
                const std::lock_guard<std::mutex> lock(merge);
                work.notes.merge(mine.notes);
                work.sums.merge(mine.sums);
            });
        });
    }
}

}  // namespace talus::backends::cpu
