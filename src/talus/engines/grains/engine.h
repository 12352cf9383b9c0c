// Soft contacts between rigid grains of many spheres, with any law and any integrator. Plain spheres with leapfrog and
// a packed law have an engine of their own (engines/soft) that is faster; here a sphere is a grain with one part.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "talus/base/parallel.h"
#include "talus/base/phase_timer.h"
#include "talus/engines/grains/contact_answer.h"
#include "talus/engines/grains/contact_data.h"
#include "talus/engines/grains/drive_stages.h"
#include "talus/engines/grains/meeting.h"
#include "talus/engines/grains/stage_kernels.h"
#include "talus/engines/soft/engine.h"
#include "talus/math/pack.h"
#include "talus/math/rotation.h"
#include "talus/model/contact_sample.h"
#include "talus/model/point_sources.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::grains {

using soft::ForceBalance;
using soft::Options;

/// What contacts and fields do to a body.
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

    /// What contacts and fields do to the bodies if they moved like this at `time` within a step of `step`; histories
    /// stay as they are. For `talus measure stiffness`.
    const std::vector<Wrench>& wrenches(const std::vector<Motion>& motion, double time, double step);
    /// The bodies as they are.
    std::vector<Motion> motions() const;

private:
    Motion motion_of(std::size_t i) const;
    struct Listed {
        Near near;
        float gap = 0;  // m, at most what it was then
        friend auto operator<=>(const Listed&, const Listed&) = default;
    };
    /// Pairs of bodies whose balls are near; those that body i leads are [row[i], row[i + 1]), in no order.
    struct NearBodies {
        std::vector<Near> pairs;
        std::vector<std::uint32_t> row;
    };
    /// What a body's own contacts add to the sums over all; those with higher bodies and with walls.
    struct Tally {
        std::array<double, model::mechanism_count> power{};
        double stored_normal = 0, stored_tangential = 0;
        std::int64_t large_overlaps = 0;
        double largest_overlap = 0;
    };
    // --- lists (lists.cpp, close_pairs.cpp) ---
    void start_anew();
    void make_parts();
    /// Where the bodies are while the next looks are made, and how far they may go from there: from the motion that
    /// was accepted last out to `motion`, or about `motion` if it is `kept`.
    void choose_close(const std::vector<Motion>& motion, bool kept);
    /// Lists what bodies can touch from there, and some way farther. What touches now is always listed: a step that is
    /// tried and rejected forgets nothing.
    void list();
    /// Of the listed pairs, those that can touch before the bodies have gone a little farther.
    void pick_close();
    /// Of these parts, those that can touch a wall before that.
    void pick_close_walls(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& picked) const;
    bool is_close_for(const std::vector<Motion>& motion) const;
    /// Whether what is listed holds for all that the close pairs will be asked for.
    bool is_listed_for_close() const;
    void list_pairs();
    NearBodies near_bodies();
    void list_parts(std::span<const Near> partners, std::vector<Listed>& listed) const;
    /// Makes what threads have listed, in their order, the list; what touches keeps its history.
    void take_listed(const std::vector<std::vector<Listed>>& shares);
    void list_walls();
    void take_contacts();
    /// m, that a body's spheres go in a step at its present speed.
    double way_ahead(std::size_t i) const;
    /// m, a bound on how far a body's spheres are from where they were.
    double way_between(std::size_t i, const Motion& a, const Motion& b) const;

    // --- forces (forces.cpp, sums.cpp) ---
    /// Evaluates all contacts. With `dt` > 0 histories advance and ends are booked.
    enum class Look : bool { forces, full };  // full: what contacts hold is worked out too
    void evaluate(const std::vector<Motion>& motion, double time, double dt, double step, Look look = Look::full);
    void place(const std::vector<Motion>& motion);
    Vec3d shift_of(const model::Image& image) const;
    /// From the first sphere of a pair to the second.
    Vec3d across(const Near& pair) const {
        const Vec3d d = balls_[pair.b].center - balls_[pair.a].center;
        return pair.image == model::Image{} ? d : d + shift_of(pair.image);
    }
    /// Which of four close pairs, from the c-th on, are near enough for their laws to be asked, one bit each; rows lead
    /// from the first sphere to the second.
    unsigned which_meet(std::size_t c, math::Row (&across)[4]) const;
    /// From the first sphere of a pair to the second, if they are near enough for their law to be asked.
    std::optional<Vec3d> meets(const Near& pair) const {
        const Vec3d d = across(pair);
        const double reach = balls_[pair.a].radius + balls_[pair.b].radius + range_;
        const double distance2 = norm2(d);
        return distance2 < reach * reach && distance2 > 0 ? std::optional(d) : std::nullopt;
    }
    /// Calls `full(hits, count)` for the pairs of a thread that meet, several of one law at a time, the first again in
    /// places from `count` on, and `gone(c)` for those that do not. Contacts do not act unless somebody says so.
    template <class Full, class Gone>
    void for_hits(base::SharedBlocks& pairs, const StageKernels& kernels, const Full& full, const Gone& gone);
    StageView view(const std::vector<Motion>& motion, double dt, double step);
    /// A thread's part of the pushes of all close pairs in a stage of a step.
    void push_pairs(base::SharedBlocks& pairs, const std::vector<Motion>& motion, double step);
    /// All that can be said of them; with `dt` > 0 histories advance.
    void answer_pairs(base::SharedBlocks& pairs, const std::vector<Motion>& motion, double dt, double step);
    Side<double> side(const Part& part, const std::vector<Motion>& motion) const;
    void pair_contact(std::size_t at, const Vec3d& d, const std::vector<Motion>& motion, double dt, double step,
                      Look look);
    void end_pair_contact(std::size_t c, double dt);
    void wall_contacts(std::size_t part, const std::vector<Motion>& motion, double dt, double step, Look look);
    /// The history is that of pair `from`; `anew`: of a contact that has ended, another begins in its place.
    void wall_contact(std::size_t q, std::size_t from, const geometry::Nearest& near, const std::vector<Motion>& motion,
                      double dt, double step, Look look, bool anew = false);
    void mesh_contacts(std::uint32_t q, std::uint32_t sides, const std::vector<Motion>& motion, double dt, double step,
                       Look look);
    template <Look look>
    void gather(std::size_t body, const std::vector<Motion>& motion, double step);
    /// Stiction of a body on walls whose mean normal is `n`, against contacts and `others` (SOLVER Algorithm 2).
    void hold_still(std::size_t body, const Motion& motion, const Vec3d& n, const Stiction& stiction, double step,
                    const Wrench& others);
    /// What the bodies and whatever moves them from outside do to each other: walls, and what holds bodies.
    struct Outside {
        struct OnWall {
            Vec3d force, torque;  // N; N m, about the wall's place
            double power = 0;     // W, of the wall
        };
        std::vector<OnWall> walls;
        double held = 0;    // W, of what holds bodies
        double fields = 0;  // W, of fields that turn

        void add(const Outside& other, double weight);
    };
    /// Works that out for the instant looked at.
    void look_outside(const std::vector<Motion>& motion);
    /// Adds what was evaluated to ledger, walls and counters: powers count for `span` seconds, through which the
    /// outside did what `through` tells.
    void book(double span, const Outside& through, bool centred);

    // --- fields (fields.cpp) ---
    /// What acts on the bodies over a distance, into field_wrench_.
    void feel_fields(const std::vector<Motion>& motion, double time);
    void feel_others();
    double power_of_turning_fields(const std::vector<Motion>& motion) const;
    /// A velocity after half a step in a magnetic field.
    Vec3d gyrated(std::size_t i, const Vec3d& velocity, const Vec3d& magnetic) const;

    // --- steps (step.cpp, runge_kutta.cpp) ---
    void leapfrog();
    void midpoint();
    void frame();
    bool try_step(double time, double h);
    /// Takes one step of ARKODE's choice (implicit.cpp), at most `left` long; returns its length.
    double step_implicitly(double time, double left);
    /// The equations of motion for it; not 0 if this far away nothing is to be found.
    int implicit_rates(double time, const double* y, double* rate);
    /// Makes motion_ and turning_ the bodies' own, at `time`, after a step of `h` through which the outside did as told
    /// (null: as at its end).
    void accept(double time, double h, const Outside* through);
    /// s: in a longer step some grain would go farther than its own radius, and might pass through another.
    double longest_step() const;
    void refuse_lost(const std::vector<Motion>& motion, double h) const;
    void publish_motion(const std::vector<Motion>& motion, const std::vector<Vec3d>& turning);
    void leave_and_wrap();
    void look();
    /// Makes accelerations those of what was evaluated last.
    void take_accelerations();
    Vec3d gravity_of(std::size_t i) const;
    Vec3d momentum_of_turning(std::size_t i, const Quaterniond& turn, const Vec3d& spin) const;
    Vec3d spin_from(std::size_t i, const Quaterniond& turn, const Vec3d& angular_momentum) const;

    static constexpr std::size_t fewest_to_share = 500;  // contacts; below, other threads cost more than they save
    static constexpr std::size_t pair_block = 128, wall_block = 16, body_block = 32;
    int threads_for(std::size_t contacts) const { return contacts < fewest_to_share ? 1 : options_.threads; }

    model::System& system_;
    Options options_;
    std::vector<Part> parts_;
    std::vector<geometry::Ball> balls_;  // where the parts are
    std::vector<std::uint32_t> first_;   // parts of body i are [first_[i], first_[i + 1])
    std::vector<std::uint32_t> owner_;   // Part::body of each, close together for those who look at many
    std::vector<Nature> nature_;
    std::vector<Mat3d> inverse_inertia_;  // 1/(kg m2), world frame; zero for bodies that turn as spheres

    std::size_t history_size_ = 0;
    std::vector<Near> near_;       // ascending in (a, b, image)
    std::vector<float> near_gap_;  // m, when listed
    std::vector<double> near_history_;
    std::vector<Vec3d> near_normal_;
    std::vector<std::uint8_t> near_touching_;
    // The same of the list before this one.
    std::vector<Near> last_near_;
    std::vector<double> last_history_;
    std::vector<Vec3d> last_normal_;
    std::vector<std::uint8_t> last_touching_;
    model::WallPairList walls_;  // its bodies are parts
    std::vector<Detail> wall_detail_;
    std::vector<Acts> wall_acts_;
    std::vector<std::uint32_t> close_;  // of near_, ascending: those that are looked at
    std::vector<Near> close_pair_;      // of each
    std::vector<Acts> acts_;            // of close_, at the instant looked at
    std::vector<Slot> slot_;
    std::vector<Detail> detail_;
    // Contacts of body i in close_: with lower bodies, own_ from own_row_[i] on, ascending; then with higher ones,
    // which lie together from led_row_[i] on.
    std::vector<std::uint32_t> own_row_, own_, led_row_;
    std::vector<Motion> close_at_;
    std::vector<float> close_skin_;          // m, of each body
    std::vector<float> way_;                 // m, that each body may be from where it was listed
    std::vector<float> wall_gap_;            // m, of walls_ when listed, less what the wall may move
    std::vector<std::uint32_t> wall_parts_;  // parts that may touch a wall
    std::vector<Motion> listed_at_;
    std::vector<double> smallest_part_;  // m, radius of each body's smallest sphere
    std::vector<float> skin_;            // m, of each body
    double wall_allowance_ = 0;
    double range_ = 0;                // m, beyond touch, of the laws in use
    std::vector<Stiction> stiction_;  // as Materials::pair_law
    search::PairSearch search_;
    search::WallWatch wall_watch_;

    std::vector<Wrench> wrench_;
    std::vector<Wrench> field_wrench_;  // empty: there are no fields
    struct {
        Vec3d gravity, electric, magnetic;  // m/s2, V/m, T
    } field_now_;
    model::PointSources sources_;
    std::vector<double> distance_sums_;
    bool electric_dipoles_ = false;  // some grain has one
    struct Held {
        Wrench by;               // what stiction adds
        std::uint32_t wall = 0;  // the first that holds the body
    };
    std::vector<Held> held_;
    Outside outside_;
    std::vector<Tally> tally_;

    // Work space of the steps.
    std::vector<Motion> motion_, start_;
    std::vector<Vec3d> velocity_, turning_;          // m/s, of half a step ago; kg m2/s
    std::vector<double> error2_;                     // m2, of a Runge-Kutta step
    DriveStages drives_;                             // of a Runge-Kutta step
    Outside through_;                                // a Runge-Kutta step, by the weights of its stages
    std::array<std::vector<Motion>, 6> stage_rate_;  // times the step; angular momentum in place of the spin
    double now_ = 0;                                 // s, within a step of the clock too
    bool stale_ = true;
    bool published_ = false;
    bool has_traps_ = false;
    std::int64_t rebuilds_ = 0;
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::grains
