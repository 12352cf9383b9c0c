// Time-stepped hard grains (AHS): whatever would overlap within the next step collides before it, by the impact rules
// of rigid grains; what overlaps after it all the same is moved apart.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/base/hash.h"
#include "talus/base/phase_timer.h"
#include "talus/engines/stepped/books.h"
#include "talus/engines/stepped/measures.h"
#include "talus/engines/stepped/turns.h"
#include "talus/laws/impact.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::stepped {

struct Options {
    int threads = 1;
    double overlap_limit = 0.01;      // of the smaller radius; see Counters::large_overlaps
    double skin = 0;                  // m; 0: chosen from sizes and speeds
    bool rebuild_every_step = false;  // for tests: a rebuild never changes a bit
};

class Engine {
public:
    Engine(model::System& system, const Options& options, bool resumed);

    void advance(std::int64_t steps);
    /// After the system was changed from outside.
    void system_changed();
    void remove(const std::vector<char>& keep);

    const Measures& measures() const { return measures_; }
    void set_measures(const Measures& measures) { measures_ = measures; }
    int threads() const { return options_.threads; }
    std::int64_t rebuilds() const { return rebuilds_; }
    const base::PhaseTimer& timer() const { return timer_; }
    void reset_timer() { timer_.reset(); }

private:
    /// What the scans read, in cell order.
    struct alignas(64) Record {
        Vec3d position;           // m
        double radius = 0;        // m
        Vec3d velocity;           // m/s
        double inverse_mass = 0;  // 1/kg; 0: held
    };
    struct Turning {
        Vec3d spin;                  // rad/s
        double inverse_inertia = 0;  // 1/(kg m2); 0: does not turn
    };
    /// Where a listed grain meets a wall.
    struct WallContact {
        Vec3d normal;         // from the grain to the wall
        Vec3d point;          // m
        double distance = 0;  // m
        bool acts = true;
    };
    struct Candidate {
        std::uint32_t a, b;  // places
    };
    struct alignas(64) OfThread : Books {
        std::vector<Candidate> candidates;
        std::vector<std::uint64_t> met;  // see model::Impulses
        double fastest2 = 0;             // radii squared, the longest way of a grain in this step
        bool spent = false;              // a grain has used up its skin
    };
    struct Range {
        std::size_t begin, end;
    };

    /// radii: room for what moving grains apart adds to their way after it was last looked at.
    static constexpr double correction_room = 0.01;

    int team() const;
    Range share(std::size_t rank) const { return {share_[rank], share_[rank + 1]}; }

    // The model to cell order and back.
    void start_anew();
    void give_back();

    // One step.
    void step();
    void kick(std::size_t rank);
    void collide_and_move(int sweeps);
    void move_apart(int sweeps);
    void find_impacts(std::size_t rank);
    /// act(event) for the thread's events, each at its turn.
    template <class Act>
    void carry_out(std::size_t rank, const Act& act);
    void collide(const Event& event, OfThread& mine);
    void collide_pair(const Event& event, OfThread& mine);
    void collide_wall(const Event& event, OfThread& mine);
    void strike_pair(const Event& event, const Vec3d& d, const laws::ImpactParams& rule, OfThread& mine);
    void strike_wall(const Event& event, const laws::ImpactParams& rule, OfThread& mine);
    void collide_overlapping(const Event& event, OfThread& mine);
    void take_met();
    void move(std::size_t rank);
    void after_move();
    void find_overlaps(std::size_t rank);
    void part(const Event& event, OfThread& mine);
    void part_from_walls(std::size_t rank);
    void shift(std::uint32_t place, const Vec3d& by, OfThread& mine);
    void note_overlap(std::uint32_t place, double overlap, double radius, OfThread& mine) const;
    void close_step();
    void stick_and_remove(const Books& books);
    void refuse_lost(std::int64_t lost) const;
    /// What all threads have written down.
    Books& all_books();
    void receive(const Event& event, std::int32_t wall, const Vec3d& impulse, const Vec3d& point, const Vec3d& surface,
                 OfThread& mine) const;

    // Lists.
    void sort_places();
    void rebuild();
    /// Lists anew if a grain has used up its skin.
    void refresh_lists();
    void note_spent(std::size_t rank);
    void list_walls();
    bool walls_have_moved() const;
    void follow_walls();
    /// Whether a grain may have come near others that are not listed, or would within another step.
    bool is_spent(std::size_t place, double h) const {
        const Record& record = record_[place];
        const double room = static_cast<double>(skin_[place]) - 0.5 * correction_room * record.radius;
        const double moved2 = norm2(record.position - reference_[place]);
        const double next2 = norm2(record.velocity) * (h * h);
        // (a + b)^2 <= 2 (a^2 + b^2): nearly always enough, and without roots.
        return 2 * (moved2 + next2) > room * room && std::sqrt(moved2) + std::sqrt(next2) > room;
    }
    // Who meets whom as one word, and its place in the order of a sweep.
    std::uint64_t pair_word(std::uint32_t a, std::uint32_t b) const {
        return (static_cast<std::uint64_t>(id_[a]) << 32U) | static_cast<std::uint64_t>(id_[b]);
    }
    std::uint64_t wall_word(std::uint32_t pair) const;
    /// Mixed anew in every sweep, so that no grain and no direction comes first for long; still one of its own for
    /// each word.
    std::uint64_t key_of(std::uint64_t word) const { return base::mix_bits(word + base::mix_bits(round_)); }
    const laws::ImpactParams& params(std::uint32_t place, std::int32_t other_material) const {
        return system_.materials.between(material_[place], other_material).impact;
    }
    /// From one centre to the nearest copy of another's. A function of the positions alone, however they were listed.
    template <bool periodic>
    Vec3d between(const Record& a, const Record& b) const {
        Vec3d d = b.position - a.position;
        if constexpr (periodic) {
            d.x -= period_.x * std::rint(d.x * inverse_period_.x);
            d.y -= period_.y * std::rint(d.y * inverse_period_.y);
            d.z -= period_.z * std::rint(d.z * inverse_period_.z);
        }
        return d;
    }
    Vec3d between(const Record& a, const Record& b) const {
        return system_.domain.any_periodic() ? between<true>(a, b) : between<false>(a, b);
    }
    using Candidates = std::span<const Candidate>;
    /// The listed pairs of a thread that pass test(record of one, record of the other, way from one to the other).
    template <bool periodic, class Test>
    Candidates scan(std::size_t rank, const Test& test);
    void add_pair(std::size_t rank, const Candidate& c);
    template <bool periodic>
    void scan_impacts(std::size_t rank);
    template <bool periodic>
    void scan_overlaps(std::size_t rank);
    /// Where a listed grain meets its wall; of a mesh the deepest place, whatever the pair's side.
    WallContact wall_contact(std::size_t pair) const;
    /// The same, kept for the step; of a mesh the places that come within reach of it, one a side.
    const WallContact& meet_wall(std::size_t pair);
    double wall_distance(std::size_t pair) const;
    /// Whether a listed grain cannot have come to the wall yet, nor will within another step.
    bool is_far(std::size_t pair) const {
        const std::size_t s = wall_pairs_.body[pair];
        const double h = system_.clock.step;
        const double room = wall_room_[pair];
        // (a + b)^2 <= 2 (a^2 + b^2)
        return room > 0 &&
               2 * (norm2(record_[s].position - reference_[s]) + norm2(record_[s].velocity) * (h * h)) < room * room;
    }

    model::System& system_;
    Options options_;
    Measures measures_;
    std::vector<Record> record_;
    std::vector<Turning> turning_;
    std::vector<std::uint32_t> body_at_;
    std::vector<math::Tensor6> virial_;   // see model::Impulses
    std::vector<std::int64_t> id_;        // of each place
    std::vector<std::int32_t> material_;  // of each place
    std::vector<std::uint32_t> held_;     // places of held grains, ascending by body
    std::vector<Vec3d> reference_;        // m, positions when the pairs were listed
    std::vector<Vec3d> before_;           // m, positions before the last move
    std::vector<float> skin_;             // m
    std::vector<std::size_t> share_;      // places of each thread
    search::NearList near_;
    search::PairSearch search_;
    model::WallPairList wall_pairs_;         // rows by place
    std::vector<WallContact> wall_contact_;  // one a listed pair
    std::vector<double> wall_room_;          // m, how far each could move towards its wall when they were listed
    search::WallWatch wall_watch_;
    Vec3d period_, inverse_period_;  // m, 1/m; zero along open axes
    Turns turns_;
    std::vector<OfThread> of_thread_;
    backends::cpu::LedgerScales scales_{};
    std::uint64_t round_ = 0;  // mixed into the keys of a sweep
    double mean_radius_ = 0;   // m
    double skin_factor_ = 1;
    std::int64_t last_rebuild_ = 0, rebuilds_ = 0;
    int lists_since_sorted_ = 0;
    bool stale_ = true;
    bool rebuild_ = false;  // before the next scan
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::stepped
