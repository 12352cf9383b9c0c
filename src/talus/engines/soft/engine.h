// The soft-sphere engine (SSDEM): order of phases, clock, and what leaves the system.
#pragma once

#include <vector>

#include "talus/backends/cpu/contact_list.h"
#include "talus/backends/cpu/phases.h"
#include "talus/backends/cpu/workspace.h"
#include "talus/base/phase_timer.h"
#include "talus/model/contact_sample.h"
#include "talus/model/system.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::soft {

using math::Vec3d;

struct Options {
    int threads = 1;
    double overlap_limit = 0.01;      // of the smaller radius; see Counters::large_overlaps
    double skin = 0;                  // m; 0: chosen from the grains' sizes and speeds
    bool rebuild_every_step = false;  // for tests: a rebuild never changes a bit
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

    /// Takes `steps` time steps. Bodies, walls and ledger of the system are then those of the new instant; its pairs
    /// are brought up to date by `publish`.
    void advance(std::int64_t steps);
    /// One time step, everything published.
    void step() {
        advance(1);
        publish();
    }
    /// Brings the system's list of touching pairs up to date.
    void publish();

    /// After the system was changed from outside (walls, grains, materials, gravity): lists everything anew. The system
    /// must have been published before the change.
    void system_changed();

    /// Removes bodies (keep[i] false) and their contacts, with their energies booked as removed.
    void remove(const std::vector<char>& keep);

    std::vector<model::ContactSample> contacts() const;
    model::StoredEnergy stored_energy() const { return system_.ledger.stored; }
    ForceBalance force_balance() const;
    std::size_t touching_pairs() const;
    int threads() const { return options_.threads; }
    std::int64_t rebuilds() const { return rebuilds_; }
    std::int64_t prunes() const { return prunes_; }
    const base::PhaseTimer& timer() const { return timer_; }
    base::PhaseTimer& timer() { return timer_; }

private:
    /// Takes everything from the model and lists it.
    void start_anew();
    /// Lists what is needed for the positions as they are now.
    void refresh_lists(const backends::cpu::Drift& drift);
    using Source = backends::cpu::ContactLists::Source;
    void rebuild(Source source);
    /// After a rebuild: bodies have new places.
    void list_walls();
    /// Says how bodies drift with their neighbourhoods, and gives each its skin for the near list.
    void choose_skins();
    /// Returns the widest skin.
    double give_skins();
    /// Gives every body its margin for the next prune; false if the near list has been used up.
    bool give_margins();
    double wanted_margin(std::size_t place) const;  // m
    void cross_borders(const backends::cpu::Drift& drift);
    void refuse_lost(const backends::cpu::Drift& drift) const;
    /// Wall contacts first: they tell whether a body is caught.
    void start_contacts();
    /// When all contacts of a step are known.
    void close_contacts();
    /// The same, after which walls that forces move have their speeds.
    void close_step();
    void take_notes();
    bool is_trapped() const;
    /// A contact that ends at this very instant: takes back the half step that was booked beyond it, and what it holds
    /// from the energy stored. Returns the latter.
    double cut_short_wall(std::size_t wall_pair);
    double cut_short_pair(std::size_t contact);
    /// Body `i` is held by a sticky wall from now on; the wall receives the momentum that this takes.
    void stick(std::uint32_t i, std::uint32_t wall_index);
    void stick_and_remove(const std::vector<std::uint32_t>& outside);

    model::System& system_;
    Options options_;
    backends::cpu::Workspace work_;
    backends::cpu::ContactLists lists_;
    search::PairSearch search_;
    search::WallWatch wall_watch_;
    double mean_radius_ = 0;       // m
    std::int64_t drift_life_ = 0;  // steps that lists may last while bodies drift
    double drift_reserve_ = 0;     // steps of drifting apart that skins are made for
    double usual_prune_ = 64;      // steps from one prune to the next, of late
    double skin_factor_ = 1;       // on the skins of the near list; follows how long lists last
    bool has_traps_ = false;       // walls that stick or absorb
    bool has_meshes_ = false;      // walls of triangles
    bool stale_ = true;            // the model knows better than the workspace
    bool lists_stale_ = false;     // a body has become another: contacts must be put together anew
    bool published_ = false;
    std::int64_t rebuilds_ = 0, prunes_ = 0;
    std::int64_t last_rebuild_ = 0;  // step
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::soft
