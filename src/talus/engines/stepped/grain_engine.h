// Time-stepped hard grains of many spheres: AHS with the impact rule of rigid bodies. The step is that of engine.h, but
// what meets are spheres that grains are made of. A plain sphere is a grain with one part; where there are no others
// engine.h is faster.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <vector>

#include "talus/base/hash.h"
#include "talus/base/phase_timer.h"
#include "talus/engines/stepped/books.h"
#include "talus/engines/stepped/engine.h"
#include "talus/engines/stepped/turns.h"
#include "talus/laws/rigid_impact.h"
#include "talus/math/rotation.h"
#include "talus/model/system.h"
#include "talus/search/pair_search.h"
#include "talus/search/wall_sweep.h"

namespace talus::engines::stepped {

using math::Mat3d;
using math::Quaterniond;

class GrainEngine {
public:
    GrainEngine(model::System& system, const Options& options, bool resumed);

    void advance(std::int64_t steps);
    /// After the system was changed from outside.
    void system_changed();
    void remove(const std::vector<char>& keep);

    const Measures& measures() const { return measures_; }
    void set_measures(const Measures& measures) { measures_ = measures; }
    int threads() const { return options_.threads; }
    std::int64_t rebuilds() const { return rebuilds_; }
    const base::PhaseTimer& timer() const { return timer_; }

private:
    struct Body {
        Vec3d position;           // m
        Vec3d velocity;           // m/s
        Vec3d spin;               // rad/s
        double inverse_mass = 0;  // 1/kg; 0: held
        Mat3d inverse_inertia;    // 1/(kg m2), in the world's frame; zero: does not turn
        Vec3d turning;            // kg m2/s, angular momentum about the centre
        Quaterniond turn;         // principal axes to the world
    };
    /// What of a body never changes.
    struct Nature {
        Vec3d inverse_moment;  // 1/(kg m2), principal; zero: turning held
        double arm = 0;        // m, from the centre to the farthest centre of a part
        double smallest = 0;   // m, radius of the smallest part
        bool sphere = true;
        bool turns() const { return inverse_moment.x > 0; }
    };
    struct Part {
        Vec3d arm;  // m, from the body's centre
        double radius = 0;
        Vec3d at_rest;  // m, the arm in the frame of the principal axes
        Vec3d before;   // m, its centre before the last move
        std::uint32_t body = 0;
    };
    struct Near {
        std::uint32_t a, b;  // parts, of the lower body first
        friend auto operator<=>(const Near&, const Near&) = default;
    };
    struct Reference {
        Vec3d position;
        Quaterniond turn;
    };
    /// Where a listed part meets a wall.
    struct WallContact {
        Vec3d normal;         // from the part to the wall
        Vec3d point;          // m
        double distance = 0;  // m
        bool acts = true;
    };
    struct alignas(64) OfThread : Books {
        bool spent = false;  // a grain has used up its skin
    };
    struct Range {
        std::size_t begin, end;  // bodies
    };

    /// Radii of its smallest part: room for what moving a grain apart from others adds to its way after the last look.
    static constexpr double correction_room = 0.01;

    int team() const;
    Range share(std::size_t rank) const { return {share_[rank], share_[rank + 1]}; }
    void start_anew();
    void make_parts(std::size_t i);
    void give_back();

    // One step (grain_step.cpp).
    void step();
    void kick(std::size_t rank);
    void collide_and_move(int sweeps);
    void move(std::size_t rank);
    void turn(std::size_t i, OfThread& mine);
    void wrap(std::size_t i, OfThread& mine);
    void after_move();
    void move_apart(int sweeps);
    void close_step();
    /// What all threads have written down.
    Books& all_books();

    // Impacts (grain_impacts.cpp).
    void find_impacts(std::size_t rank);
    void collide(const Event& event, OfThread& mine);
    void collide_pair(const Event& event, OfThread& mine);
    void collide_wall(const Event& event, OfThread& mine);
    void strike(std::uint32_t body, const Vec3d& arm, const Vec3d& impulse);
    laws::RigidBody at_contact(std::uint32_t body, const Vec3d& arm) const {
        const Body& b = body_[body];
        return {b.velocity, b.spin, b.inverse_mass, b.inverse_inertia, arm};
    }

    // Overlaps (grain_overlaps.cpp).
    void find_overlaps(std::size_t rank);
    void part(const Event& event, OfThread& mine);
    void part_from_walls(std::size_t rank);
    void shift(std::uint32_t body, const Vec3d& by, OfThread& mine);

    // Lists (grain_lists.cpp).
    void place(std::size_t i);
    void rebuild();
    void refresh_lists();
    void list_pairs();
    void list_walls();
    void share_out();
    void note_spent(std::size_t rank);
    /// m, a bound on the way of a body's parts in the next step.
    double way_ahead(std::size_t i) const {
        return (norm(body_[i].velocity) + 2 * nature_[i].arm * norm(body_[i].spin)) * system_.clock.step;
    }
    /// Whether a grain may have come near others that are not listed, or would within another step.
    bool is_spent(std::size_t i) const;
    /// Where a listed part meets its wall; of a mesh the deepest place, whatever the pair's side.
    WallContact wall_contact(std::size_t pair) const;
    /// The same, kept for the step; of a mesh the places that come within reach of it, one a side.
    const WallContact& meet_wall(std::size_t pair);

    // Who meets whom as one word, and its place in the order of a sweep.
    static std::uint64_t pair_word(const Near& pair) { return (std::uint64_t{pair.a} << 32U) | pair.b; }
    std::uint64_t wall_word(std::uint32_t pair) const;
    /// Mixed anew in every sweep, so that no grain and no direction comes first for long; still one of its own for
    /// each word.
    std::uint64_t key_of(std::uint64_t word) const { return base::mix_bits(word + base::mix_bits(round_)); }

    Vec3d center(const Part& part) const { return body_[part.body].position + part.arm; }
    Vec3d velocity(const Part& part) const {
        return body_[part.body].velocity + cross(body_[part.body].spin, part.arm);
    }
    /// From one part to the nearest copy of another. A function of the positions alone, however they were listed.
    Vec3d between(const Part& a, const Part& b) const {
        Vec3d d = center(b) - center(a);
        if (system_.domain.any_periodic()) {
            d.x -= period_.x * std::rint(d.x * inverse_period_.x);
            d.y -= period_.y * std::rint(d.y * inverse_period_.y);
            d.z -= period_.z * std::rint(d.z * inverse_period_.z);
        }
        return d;
    }
    const laws::ImpactParams& params(std::uint32_t body, std::int32_t other_material) const {
        return system_.materials.between(system_.bodies.material[body], other_material).impact;
    }

    model::System& system_;
    Options options_;
    Measures measures_;
    std::vector<Body> body_;
    std::vector<Nature> nature_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> first_;  // parts of body i are [first_[i], first_[i + 1])
    std::vector<Near> near_;            // ascending
    std::vector<std::uint32_t> row_;    // near pairs whose first part is of body i are [row_[i], row_[i + 1])
    model::WallPairList wall_pairs_;    // rows by part
    std::vector<WallContact> wall_contact_;
    std::vector<Reference> reference_;  // when parts were listed
    std::vector<float> skin_;           // m, of each body
    std::vector<std::size_t> share_;    // bodies of each thread
    search::PairSearch search_;
    search::WallWatch wall_watch_;
    double wall_allowance_ = 0;      // m, how far a wall may move between two lists
    Vec3d period_, inverse_period_;  // m, 1/m; zero along open axes
    Turns turns_;
    std::vector<OfThread> of_thread_;
    backends::cpu::LedgerScales scales_{};
    std::uint64_t round_ = 0;  // mixed into the keys of a sweep
    std::int64_t rebuilds_ = 0;
    bool stale_ = true;
    bool rebuild_ = false;  // before the next scan
    base::PhaseTimer timer_;
};

}  // namespace talus::engines::stepped
