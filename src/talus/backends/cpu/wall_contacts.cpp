// Contacts between spheres and walls: the wall is a body of infinite mass whose surface moves with its pose.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <utility>

#include "talus/backends/cpu/drift_work.h"
#include "talus/backends/cpu/friction_lag.h"
#include "talus/backends/cpu/phases.h"
#include "talus/backends/cpu/wall_sides.h"
#include "talus/base/parallel.h"
#include "talus/laws/packed_laws.h"
#include "talus/model/driving.h"
#include "talus/search/mesh_contacts.h"
#include "talus/search/wall_sweep.h"

namespace talus::backends::cpu {

namespace {

using geometry::Nearest;
using model::WallPairList;

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
    WallContacts(model::System& system, Workspace& work, WallKind which, int law)
        : system_(system), pairs_(system.wall_pairs), work_(work), meshes_(which == WallKind::mesh), law_(law) {}

    /// Pairs [begin, end), whole rows.
    WallTally run(std::uint32_t begin, std::uint32_t end) {
        const model::PairLaw* last = nullptr;
        constexpr std::uint32_t ahead = 8;
        for (std::uint32_t q = begin, next = q; q < end; q = next) {
            if (q + ahead < end) {  // bodies lie in memory by place, not by number
                const auto* later =
                    reinterpret_cast<const char*>(&work_.record[work_.place_of[pairs_.body[q + ahead]]]);
                __builtin_prefetch(later);
                __builtin_prefetch(later + 64);
            }
            const std::uint32_t sides = search::sides_of(pairs_, q, end);
            next = q + sides;
            const std::uint32_t i = pairs_.body[q];
            const model::Wall& wall = system_.walls[pairs_.wall[q]];
            const model::PairLaw& between = system_.materials.between(system_.bodies.material[i], wall.material);
            if (search::is_mesh(wall) != meshes_ || between.law != law_) {
                continue;
            }
            if (&between != last) {
                last = &between;
                params_ = between.parameters.template as<typename Law::Params>();
            }
            place_ = work_.place_of[i];
            far_listed_ = sides > 1 && !meshes_;
            if (meshes_) {
                meet_mesh(q, sides, work_.record[place_], wall);
            } else {
                meet(q, work_.record[place_], wall);
            }
        }
        return tally_;
    }

private:
    using Answer = laws::Response<double, typename Law::template History<double>>;

    /// A body and a wall, at one or two points.
    void meet(std::uint32_t q, const Record& record, const model::Wall& wall) {
        const bool touched = pairs_.touching[q] || (far_listed_ && pairs_.touching[q + 1]);
        if (!touched && work_.is_within(place_, work_.wall_wake[q])) {
            return;  // it has not moved as far as it was from the wall
        }
        work_.wall_wake[q] = Workspace::awake;
        WallSides sides;
        sides.near.acts = false;
        if (wall.present && record.inverse_mass > 0) {
            sides = find_sides(pairs_, q, far_listed_, wall, system_.domain, record.position);
        }
        const bool meets = answer(q, record, wall, sides, nullptr);
        if (!touched && !meets && sides.near.acts && wall.motion.at_rest()) {
            work_.wall_wake[q] = work_.gone_after(place_, (1 - 1e-9) * (sides.near.distance - record.radius));
        }
    }

    /// A body and a mesh: each place at which they meet is a wall of its own.
    void meet_mesh(std::uint32_t q, std::uint32_t count, const Record& record, const model::Wall& wall) {
        const bool touched =
            std::any_of(&pairs_.touching[q], &pairs_.touching[q] + count, [](auto t) { return t != 0; });
        const double travel = work_.wall_travel[pairs_.wall[q]];
        if (!touched && work_.gone(place_) + travel < work_.wall_wake[q]) {
            return;
        }
        work_.wall_wake[q] = Workspace::awake;
        const bool felt = wall.present && record.inverse_mass > 0;
        geometry::SurfaceContacts found;
        if (felt) {
            found = search::mesh_contacts(wall, system_.domain, pairs_, q, record.position, record.radius);
        }
        if (found.count == 0 && !touched) {
            if (felt) {
                const double distance = search::mesh_distance(wall, system_.domain, pairs_, q, record.position);
                work_.wall_wake[q] = work_.gone_after(place_, (1 - 1e-9) * (distance - record.radius)) + travel;
            }
            return;
        }
        const search::MeshSides followed = search::follow_sides(pairs_, q, count, found);
        for (std::uint32_t s = 0; s < count; ++s) {
            const std::int8_t contact = followed.contact[s];
            const auto* const here =
                contact == search::MeshSides::none ? nullptr : &found.of[static_cast<std::size_t>(contact)];
            if (here == nullptr && !pairs_.touching[q + s]) {
                continue;
            }
            if (followed.anew[s]) {
                end(q + s);
            }
            WallSides sides;
            sides.near.acts = false;
            if (here != nullptr) {
                sides.near = here->near;
            }
            answer(q + s, record, wall, sides, here);
        }
    }

    /// What a body and a wall do to each other; whether they touch.
    bool answer(std::uint32_t q, const Record& record, const model::Wall& wall, const WallSides& sides,
                const geometry::SurfaceContact* at_mesh) {
        const bool meets_near = reaches(record, sides.near);
        if (!far_listed_ && !sides.exchanged && meets_near == (pairs_.touching[q] != 0)) {
            if (!meets_near) {
                return false;  // the usual fate of those that are listed
            }
            if (norm2(sides.near.direction - pairs_.normal[q]) <= noticed_turn2) {
                go_on(q, record, wall, sides.near, at_mesh);
                return true;
            }
        }
        bool crosses = sides.exchanged || (far_listed_ && pairs_.touching[q + 1]);
        const Pull held = springs(q, record);
        if (sides.exchanged && far_listed_) {
            exchange(q);
        } else if (sides.exchanged) {  // the far side is out of reach: that contact has ended
            end(q);
        }
        const bool begins = pairs_.touching[q] == 0;
        const bool turns = !begins && norm2(sides.near.direction - pairs_.normal[q]) > noticed_turn2;
        const bool meets = meets_near;
        crosses |=
            (turns && meets && geometry::has_opposite(wall.shape)) || (far_listed_ && reaches(record, sides.far));
        ahead_ = {};
        changes_ = {};
        damping_ = sliding_ = 0;
        slips_ = false;
        Vec3d missing;
        if (meets) {
            const DriftWork<Law> work(system_, params_, record, work_.motion[place_].velocity, wall, at_mesh);
            if (crosses) {
                const Crossing crossing = work.across(sides);
                missing = crossing.missing;
                ahead_.add_force(crossing.change, record, system_.clock.step);
            } else {
                missing = work.missing(sides.near, begins);
            }
        }
        let_go(q, crosses, held, record, sides);
        touch_or_end(q, record, wall, sides.near);
        if (far_listed_) {
            touch_or_end(q + 1, record, wall, sides.far);
        }
        if (meets) {
            push(q, record, sides.near, missing);
        }
        return meets;
    }

    /// A contact that was there at the last step and has not turned much: no spring is let go, no side changes.
    void go_on(std::uint32_t q, const Record& record, const model::Wall& wall, const Nearest& near,
               const geometry::SurfaceContact* at_mesh) {
        ahead_ = {};
        changes_ = {};
        damping_ = sliding_ = 0;
        slips_ = false;
        const DriftWork<Law> work(system_, params_, record, work_.motion[place_].velocity, wall, at_mesh);
        const Vec3d missing = work.missing(near, false);
        touch(q, record, wall, near, pairs_.normal[q]);
        push(q, record, near, missing);
    }

    /// Adds the force that is missing, and settles what friction has lost.
    void push(std::uint32_t q, const Record& record, const Nearest& near, const Vec3d& missing) {
        WallSlot& slot = work_.wall_slot[q];
        slot.force += missing;
        slot.torque_j += cross(near.direction * near.distance, missing);  // it acts at the centre
        (slips_ ? sliding_ : damping_) -= lag_energy(changes_, record, system_.clock.step) / system_.clock.step;
        book(model::Mechanism::tangential_damping, damping_);
        book(model::Mechanism::sliding, sliding_);
    }

    static bool reaches(const Record& record, const Nearest& near) {
        return near.acts && near.distance < record.radius;
    }

    /// What the springs of both sides pull as the last step left them.
    Pull springs(std::uint32_t q, const Record& record) const {
        Pull pull;
        for (std::uint32_t k = q; k <= q + (far_listed_ ? 1 : 0); ++k) {
            if (pairs_.touching[k]) {
                pull.add(spring_force(load(k)), pairs_.normal[k], record.radius);
            }
        }
        return pull;
    }

    /// Springs turn with their contacts, and are let go where those end or jump. Near an axis that is much in a step,
    /// and slip must not lag by it; what the springs held back of the motion's work is settled (friction_lag.h).
    void let_go(std::uint32_t q, bool crosses, const Pull& held, const Record& record, const WallSides& sides) {
        Pull carried;
        bool suddenly = crosses;
        for (std::uint32_t k = q; k <= q + (far_listed_ ? 1 : 0); ++k) {
            const Nearest& near = k == q ? sides.near : sides.far;
            if (pairs_.touching[k] && reaches(record, near)) {
                carried.add(spring_force(Law::projected(load(k), near.direction)), near.direction, record.radius);
                suddenly |= has_jumped(pairs_.normal[k], near.direction);
            } else {
                suddenly |= pairs_.touching[k] != 0;
            }
        }
        if (suddenly) {
            const double h = system_.clock.step;
            ahead_.add_pull(held, carried, record, h);
            book(model::Mechanism::sliding, (lag_energy(carried, record, h) - lag_energy(held, record, h)) / h);
        }
    }

    typename Law::template History<double> load(std::uint32_t q) const {
        return load_history<Law>(&pairs_.history[q * pairs_.history_size]);
    }
    Vec3d spring_force(const typename Law::template History<double>& history) const {
        return history.tangential.spring * params_.tangential.kt;
    }

    void touch_or_end(std::uint32_t q, const Record& record, const model::Wall& wall, const Nearest& near) {
        if (!reaches(record, near)) {
            end(q);
            return;
        }
        const Vec3d last_normal = pairs_.touching[q] ? pairs_.normal[q] : near.direction;
        if (has_jumped(last_normal, near.direction)) {
            project(q, near.direction);
        }
        touch(q, record, wall, near, last_normal);
    }

    void touch(std::uint32_t q, const Record& record, const model::Wall& wall, const Nearest& near,
               const Vec3d& last_normal) {
        auto contact = wall_kinematics(record, wall, near.point, near.direction, near.distance, last_normal);
        contact.slip += cross(near.direction, ahead_.spin) * near.distance -
                        (ahead_.velocity - near.direction * dot(ahead_.velocity, near.direction));
        respond(q, contact);
        pairs_.touching[q] = 1;
        work_.special[place_] |= Workspace::at_walls;
        pairs_.normal[q] = near.direction;
        work_.wall_point[q] = near.point;
        note_overlap(tally_.notes, contact.overlap, record.radius, work_.overlap_limit, pairs_.body[q]);
    }

    /// Evaluates the law, commits the history, writes the slot and books what is dissipated. Where contacts begin and
    /// end the work is set right (drift_work.h), so the time step takes nothing.
    void respond(std::uint32_t q, const laws::Kinematics<double>& contact) {
        double* const history = &pairs_.history[q * pairs_.history_size];
        auto answer = Law::respond(contact, params_, load_history<Law>(history), system_.clock.step);
        if (answer.sliding < 0) {
            pay_for_slip(answer);
        }
        note_change(answer, contact);
        const auto raw = std::bit_cast<RawHistory<Law>>(answer.history);
        std::copy(raw.begin(), raw.end(), history);
        work_.wall_slot[q] = {answer.force,
                              answer.couple * contact.lever_i + answer.moment,
                              answer.couple * contact.lever_j - answer.moment,
                              answer.stored_normal,
                              answer.stored_tangential,
                              answer.ahead};
        book(model::Mechanism::normal_damping, answer.normal_damping);
        damping_ += answer.tangential_damping;
        sliding_ += answer.sliding;
        book(model::Mechanism::rolling, answer.rolling);
        book(model::Mechanism::twisting, answer.twisting);
    }

    /// Friction that slips takes energy and gives none. The law lets a spring grow through the half step that follows,
    /// whatever the limit: one that slips when it has hardly begun to touch would hold k_t (u h)^2 / 8 that the motion
    /// has not given. It keeps what was.
    void pay_for_slip(Answer& answer) const {
        const double h = system_.clock.step;
        const double grown = Law::released(params_, answer.history);
        const double paid = std::max(grown + answer.sliding * h, 0.0);
        if (grown > 0) {
            answer.history.tangential.spring *= std::sqrt(paid / grown);
            answer.stored_tangential -= 0.5 * (grown - paid);
            answer.sliding += (grown - paid) / h;
        }
    }

    /// By how much friction changes until the next step if the motion stays as it is.
    void note_change(const Answer& answer, laws::Kinematics<double> contact) {
        const double h = system_.clock.step;
        Vec3d change = contact.slip * (params_.tangential.kt * h);
        if (answer.slips) {
            contact.half_turn = {};
            contact.spin_sum = 0;
            const auto next = Law::respond(contact, params_, answer.history, h);
            change = cross(next.couple - answer.couple, contact.normal);
            slips_ = true;
        }
        changes_.add(change, contact.normal, contact.lever_i);
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
        if (power != 0) {  // zeros change no sum
            const auto q = static_cast<std::size_t>(mechanism);
            tally_.sums.add(q, power, work_.scales[q]);
        }
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

    /// A normal that turns by more than this in a step (squared) is near an axis.
    static constexpr double noticed_turn2 = 1e-4;

    model::System& system_;
    WallPairList& pairs_;
    Workspace& work_;
    bool meshes_;
    int law_;
    typename Law::Params params_{};
    bool far_listed_ = false;  // of the pair that is worked on
    std::uint32_t place_ = 0;  // of its body
    Foresight ahead_;
    Pull changes_;                      // of friction until the next step
    double damping_ = 0, sliding_ = 0;  // W, of friction
    bool slips_ = false;                // on one of the two sides
    WallTally tally_;
};

}  // namespace

laws::Kinematics<double> wall_kinematics(const Record& i, const model::Wall& wall, const Vec3d& point,
                                         const Vec3d& normal, double distance, const Vec3d& last_normal) {
    const model::Pose& pose = wall.pose;
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
    c.half_turn = has_jumped(last_normal, normal) ? Vec3d{} : (normal - last_normal) * 0.5;
    c.rolling_lever = c.lever_i;
    c.radius_i = i.radius;
    c.curvature = 1.0 / i.radius;
    c.inverse_mass = i.inverse_mass + model::drive_mobility(wall, point, normal);
    c.mass = 1.0 / c.inverse_mass;
    c.inertia = i.inverse_inertia > 0 ? 1.0 / i.inverse_inertia : 0.0;
    return c;
}

/// Meshes that move are looked at again once their surface may have come as near as they were.
void count_travel(const model::System& system, Workspace& work) {
    work.wall_pose.resize(system.walls.size());
    work.wall_travel.resize(system.walls.size(), 0.0);
    for (std::size_t w = 0; w < system.walls.size(); ++w) {
        const model::Wall& wall = system.walls[w];
        if (search::is_mesh(wall) && wall.present && !wall.motion.at_rest()) {
            work.wall_travel[w] += search::surface_shift(wall, work.wall_pose[w], wall.pose);
            work.wall_pose[w] = wall.pose;
        }
    }
}

void wall_contacts(model::System& system, Workspace& work, WallKind which, int threads) {
    if (which == WallKind::mesh) {
        count_travel(system, work);
    }
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
    for (int law = 0; law < static_cast<int>(laws::packed_law_count); ++law) {
        if (std::none_of(table.begin(), table.end(), [law](const model::PairLaw& p) { return p.law == law; })) {
            continue;
        }
        laws::visit_packed(law, [&](auto kind) {
            std::mutex merge;
            base::parallel_ranges(pairs.size(), threads, [&](std::size_t begin, std::size_t end) {
                WallContacts<decltype(kind)> contacts(system, work, which, law);
                const WallTally mine = contacts.run(row_start(begin), row_start(end));
                const std::lock_guard<std::mutex> lock(merge);
                work.notes.merge(mine.notes);
                work.sums.merge(mine.sums);
            });
        });
    }
}

}  // namespace talus::backends::cpu
