// Soft contacts between rigid grains of many spheres, with any law and any integrator. Plain spheres with leapfrog and
// a packed law have an engine of their own (engines/soft) that is faster; here a sphere is a grain with one part.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/base/parallel.h"
#include "talus/base/phase_timer.h"
#include "talus/engines/grains/contact_answer.h"
#include "talus/engines/soft/engine.h"
#include "talus/math/rotation.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::grains {

using math::Mat3d;
using math::Quaterniond;
using math::Vec3d;
using soft::ForceBalance;
using soft::Options;

/// Where a body is and how it moves, at whatever instant forces are asked for.
struct Motion {
    Vec3d position;    // m
    Vec3d velocity;    // m/s
    Quaterniond turn;  // principal axes to the world
    Vec3d spin;        // rad/s
};

/// What contacts do to a body.
struct Wrench {
    Vec3d force;   // N
    Vec3d torque;  // N m, about the centre of mass
};

class Engine {
public:
    /// Takes over a system whose accelerations are known (`resumed`), or works them out at the present instant.
    Engine(model::System& system, const Options& options, bool resumed);

    /// Takes steps of the clock. Bodies, walls and ledger are then those of the new instant.
    void advance(std::int64_t steps);
    /// Brings the system's list of touching contacts up to date.
    void publish();
    /// After the system was changed from outside; it must have been published before.
    void system_changed();
    /// Removes bodies (keep[i] false) and their contacts, with their energies booked as removed.
    void remove(const std::vector<char>& keep);

    std::vector<model::ContactSample> contacts() const;
    ForceBalance force_balance() const;
    std::size_t touching_pairs() const;
    int threads() const { return options_.threads; }
    std::int64_t rebuilds() const { return rebuilds_; }
    const base::PhaseTimer& timer() const { return timer_; }

    /// What contacts do to the bodies if they moved like this at `time` within a step of `step`; histories stay as they
    /// are. For integrators and for `talus measure stiffness`.
    const std::vector<Wrench>& wrenches(const std::vector<Motion>& motion, double time, double step);
    /// The bodies as they are.
    std::vector<Motion> motions() const;

private:
    /// One sphere of a grain; where it is stands in balls_, since that alone is looked at for most pairs.
    struct Part {
        Vec3d arm;      // m, from the body's centre, world frame
        Vec3d at_rest;  // m, the same in the frame of the principal axes
        double radius = 0;
        std::uint32_t body = 0;
    };
    struct Near {
        std::uint32_t a = 0, b = 0;  // parts, a of the lower body
        model::Image image;          // periods to add to b's position
    };
    /// Two bodies whose balls are near, i < j.
    struct NearBodies {
        std::uint32_t i = 0, j = 0;
        model::Image image;  // periods to add to j's position
    };
    /// What one contact gives at the instant looked at.
    struct Slot {
        Answer answer;
        Vec3d normal, point;  // unit vector away from the first part; m, beside it
        double overlap = 0;   // m
        double weight = 0;    // m, the radius that the overlap is measured by
    };
    /// What a body's own contacts add to the sums over all; those with higher bodies and with walls.
    struct Tally {
        std::array<double, model::mechanism_count> power{};
        double stored_normal = 0, stored_tangential = 0;
        std::int64_t large_overlaps = 0;
        double largest_overlap = 0;
    };
    struct Nature {
        double inverse_mass = 0;  // 0: held
        Vec3d inverse_moment;     // 1/(kg m2), principal; zero: turning held
        bool turns_as_sphere = true;
    };

    // --- lists (lists.cpp) ---
    void start_anew();
    void make_parts();
    void list(const std::vector<Motion>& motion);
    void list_pairs();
    void list_parts(std::uint32_t i, std::span<const NearBodies> partners, std::vector<Near>& listed) const;
    void list_walls();
    void take_contacts();
    bool is_listed_for(const std::vector<Motion>& motion) const;
    /// A body that has come back on the other side of the domain by these periods.
    void shift_images(std::size_t body, const model::Image& periods);

    // --- forces (forces.cpp) ---
    /// Evaluates all contacts. With `dt` > 0 histories advance and ends are booked.
    enum class Look : bool { forces, full };  // full: what contacts hold is worked out too
    void evaluate(const std::vector<Motion>& motion, double time, double dt, double step, Look look = Look::full);
    void place(const std::vector<Motion>& motion);
    Vec3d shift_of(const model::Image& image) const;
    /// From the first sphere of a pair to the second.
    Vec3d across(const Near& pair) const;
    void pair_contact(std::size_t k, const Vec3d& d, const std::vector<Motion>& motion, double dt, double step,
                      Look look);
    void end_pair_contact(std::size_t k, double dt);
    void wall_contacts(std::size_t part, const std::vector<Motion>& motion, double dt, double step, Look look);
    void wall_contact(std::size_t q, std::size_t from, const geometry::Nearest& near, const std::vector<Motion>& motion,
                      double dt, double step, Look look);
    void end_wall_contact(std::size_t q);
    /// Lists the contacts of each body that act, in the order of near_.
    void sort_out_acting();
    /// Calls work(k) for every near pair. Threads take blocks in turn: grains at the bottom touch more than those
    /// above.
    template <class Work>
    void for_pairs(const Work& work) {
        constexpr std::size_t block = 256;
        constexpr std::size_t fewest = 3000;  // below, waking other threads costs more than they save
        const std::size_t count = near_.size();
        if (options_.threads <= 1 || count < fewest) {
            for (std::size_t k = 0; k < count; ++k) {
                work(k);
            }
            return;
        }
        const auto threads = static_cast<std::size_t>(options_.threads);
        base::in_team(options_.threads, [&](std::size_t rank) {
            for (std::size_t begin = rank * block; begin < count; begin += threads * block) {
                const std::size_t end = begin + block < count ? begin + block : count;
                for (std::size_t k = begin; k < end; ++k) {
                    work(k);
                }
            }
        });
    }
    void gather(std::size_t body, const std::vector<Motion>& motion, double step);
    void hold_still(std::size_t body, const Motion& motion, const Vec3d& wall_normal, const Stiction& stiction,
                    double step);
    /// 1/kg: how much an impulse along `n` at `arm` from body's centre moves that point along n.
    double mobility(std::size_t body, const Vec3d& arm, const Vec3d& n) const;
    /// Adds what was evaluated to ledger, walls and counters: powers count for `span` seconds.
    void book(double span, bool centred);

    // --- steps (step.cpp, runge_kutta.cpp) ---
    void leapfrog();
    void midpoint();
    void frame();
    bool try_step(double time, double h);
    void refuse_lost(const std::vector<Motion>& motion, double h) const;
    void publish_motion(const std::vector<Motion>& motion, const std::vector<Vec3d>& turning);
    void leave_and_wrap();
    void look();
    Vec3d gravity_of(std::size_t i) const;
    Vec3d momentum_of_turning(std::size_t i, const Quaterniond& turn, const Vec3d& spin) const;
    Vec3d spin_from(std::size_t i, const Quaterniond& turn, const Vec3d& angular_momentum) const;

    model::System& system_;
    Options options_;
    std::vector<Part> parts_;
    std::vector<geometry::Ball> balls_;  // where the parts are
    std::vector<std::uint32_t> first_;   // parts of body i are [first_[i], first_[i + 1])
    std::vector<Nature> nature_;
    std::vector<Mat3d> inverse_inertia_;  // 1/(kg m2), world frame, of bodies that do not turn as spheres

    std::size_t history_size_ = 0;
    std::vector<Near> near_;  // ascending in (a, b, image)
    std::vector<double> near_history_;
    std::vector<Vec3d> near_normal_;
    std::vector<std::uint8_t> near_touching_;
    std::vector<Slot> near_slot_;
    std::vector<std::uint8_t> near_acts_;   // at the instant looked at
    std::vector<std::uint32_t> body_row_;   // near pairs of body i: [body_row_[i], body_row_[i + 1]) of body_near_
    std::vector<std::uint32_t> body_near_;  // 2 k + side, ascending
    model::WallPairList walls_;             // its bodies are parts
    std::vector<std::uint32_t> acting_row_, acting_;         // acting contacts of body i, as 2 k + side, ascending
    std::vector<std::uint32_t> acting_pairs_, next_acting_;  // for listing them
    std::vector<Slot> wall_slot_;
    std::vector<std::uint8_t> wall_acts_;
    std::vector<std::uint32_t> wall_parts_;  // parts with rows in walls_
    std::vector<Motion> listed_at_;
    std::vector<double> smallest_part_;  // m, radius of each body's smallest sphere
    std::vector<float> skin_;            // m, of each body
    double wall_allowance_ = 0;
    double range_ = 0;  // m, beyond touch, of the laws in use
    search::PairSearch search_;
    search::WallWatch wall_watch_;

    std::vector<Wrench> wrench_;
    std::vector<Wrench> walls_share_;  // the part of it that walls exert
    std::vector<Tally> tally_;

    std::vector<Motion> motion_;                     // work space of the steps
    std::array<std::vector<Motion>, 7> stage_rate_;  // of Runge-Kutta
    bool stale_ = true;
    bool published_ = false;
    bool has_traps_ = false;
    std::int64_t rebuilds_ = 0;
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::grains
