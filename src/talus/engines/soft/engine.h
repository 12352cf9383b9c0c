// The soft-sphere engine (SSDEM): order of phases, clock, and what leaves the system.
#pragma once

#include <vector>

#include "talus/backends/cpu/workspace.h"
#include "talus/base/phase_timer.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"

namespace talus::engines::soft {

using math::Vec3d;

struct Options {
    int threads = 1;
    double overlap_limit = 0.01;      // of the smaller radius; see Counters::large_overlaps
    double skin = 0;                  // m; 0: chosen from the grains' sizes
    bool rebuild_every_step = false;  // for tests: a rebuild never changes a bit
};

/// Energy held by the springs of all contacts, J.
struct StoredEnergy {
    double normal = 0, tangential = 0;
};

/// Mean magnitudes for the settled rule, N.
struct ForceBalance {
    double mean_net = 0;      // of the net force on a grain
    double mean_contact = 0;  // of the force of a contact
};

class Engine {
public:
    /// Takes over a system whose accelerations are known (`resumed`), or works them out at the present instant.
    Engine(model::System& system, const Options& options, bool resumed);

    /// One time step.
    void step();

    /// After the system was changed from outside (walls, grains, materials, gravity): lists everything anew.
    void system_changed();

    /// Removes bodies (keep[i] false) and their contacts, with their energies booked as removed.
    void remove(const std::vector<char>& keep);

    std::vector<model::ContactSample> contacts() const;
    StoredEnergy stored_energy() const;
    ForceBalance force_balance() const;
    std::size_t touching_pairs() const;
    int threads() const { return options_.threads; }
    std::int64_t rebuilds() const { return rebuilds_; }
    const base::PhaseTimer& timer() const { return timer_; }
    base::PhaseTimer& timer() { return timer_; }

private:
    void place_walls();
    void rebuild_lists();
    void choose_skin();
    bool lists_are_stale(double farthest2) const;
    void evaluate_contacts();
    void take_notes();
    /// A wall contact that ends at this very instant: takes back the half step that was booked beyond it.
    void cut_short(std::size_t wall_pair);
    /// Body `i` is held by a sticky wall from now on; the wall receives the momentum that this takes.
    void stick(std::uint32_t i, std::uint32_t wall_index);
    void stick_and_remove(const std::vector<std::uint32_t>& outside);

    model::System& system_;
    Options options_;
    backends::cpu::Workspace work_;
    std::vector<Vec3d> reference_;             // positions at the last rebuild
    std::vector<model::Pose> wall_reference_;  // poses at the last rebuild
    std::vector<char> always_listed_;          // walls that sweep too fast for the skin
    double skin_ = 0;                          // m
    std::int64_t last_rebuild_ = 0;            // step of the last rebuild
    bool stale_ = true;
    std::int64_t rebuilds_ = 0;
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::soft
