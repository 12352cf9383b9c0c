// Hard spheres in event-driven flight: no time step, exact parabolas between impacts, impacts in order of time. After
// each event only what it changed is predicted again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "talus/engines/hard/candidates.h"
#include "talus/engines/hard/cells.h"
#include "talus/engines/hard/event_queue.h"
#include "talus/engines/hard/grid.h"
#include "talus/engines/hard/measures.h"
#include "talus/engines/hard/obstacle.h"
#include "talus/engines/hard/options.h"
#include "talus/engines/hard/predict.h"
#include "talus/engines/hard/standstill.h"
#include "talus/laws/impact.h"
#include "talus/model/system.h"

namespace talus::engines::hard {

class BallisticEngine {
public:
    /// Takes over where the system's flights are, or starts from its bodies if it has none. Throws base::InputError for
    /// what this engine cannot do: periods shorter than three diameters.
    BallisticEngine(model::System& system, Options options);

    /// Takes `steps` steps of the clock. In event-driven flight these are only instants at which the bodies can be
    /// looked at: no bit of the path depends on them.
    void advance_steps(std::int64_t steps);
    /// Event-driven flight: carries out all events up to the time `until` (s on the clock) and leaves the bodies as
    /// they are then.
    void advance(double until);
    /// Carries out `collisions` impacts, fewer if nothing is left to happen; returns their number. The clock then shows
    /// the last one's time.
    std::int64_t advance_events(std::int64_t collisions);
    /// After bodies, walls, gravity or the domain were changed from outside: starts anew from the bodies.
    void system_changed();
    /// Removes bodies (keep[b] false) with their energies booked as removed.
    void remove(const std::vector<char>& keep);
    /// Other impact rules or remedies; `system_changed` makes them count.
    void set_options(Options options) { options_ = std::move(options); }

    double time() const { return flights().epoch + now_; }
    const Measures& measures() const { return measures_; }
    void set_measures(const Measures& measures) { measures_ = measures; }
    /// Notes every impact in order, for tests; empty the list now and then.
    void watch(std::vector<Collision>* list) { watched_ = list; }

private:
    /// What only an impact needs.
    struct Body {
        double inverse_mass = 0;     // 1/kg
        double inverse_inertia = 0;  // 1/(kg m2)
        double radius = 0;           // m
        std::int32_t material = 0;
    };

    /// What an obstacle says: when it is touched (s since the epoch), and until when that is known.
    struct Answer {
        double time = never;
        double until = never;
    };

    model::Flights& flights() const { return system_.flights; }
    bool is_ballistic() const { return options_.step == 0; }
    bool has_obstacles() const { return !walls_.empty() || !held_.empty(); }
    bool is_kept(std::uint32_t i) const { return keep_.empty() || keep_[body_at_[i]] != 0; }
    const Held& held_at(const Record& record) const { return held_[record.count & ~held_bit]; }
    Held& held_at(const Record& record) { return held_[record.count & ~held_bit]; }
    bool near_held(std::uint32_t cell) const { return !near_held_.empty() && near_held_[grid_.index(cell)] > 0; }
    void refuse_unknown() const;
    // --- between model and memory (ballistic_load.cpp)
    void start_flights();
    void load();
    void sort_into_cells();
    bool has_moving_held() const;
    void load_bodies();
    void predict_all();
    void note_overlaps();
    // --- and back (ballistic_publish.cpp)
    Vec3d position_now(std::size_t b) const;
    void save_flights();
    void publish();
    void compact(const std::vector<char>& keep);
    void move_epoch();
    void publish_held(std::size_t b);
    double held_energy() const;
    // --- drifts between kicks (ballistic_drift.cpp)
    void kick();
    void start_drift();
    void end_drift();
    void drift(std::int64_t steps);
    double lift() const;
    // --- the loop (ballistic_engine.cpp)
    void advance_clock(std::int64_t steps);
    void set_clock();
    void run(double until, std::int64_t collisions);
    bool handle_front(double until);
    void prefetch_upcoming();
    void prefetch_cells(std::uint32_t i) const;
    void count_time(double now);
    // --- one event (ballistic_events.cpp)
    void handle(std::uint32_t i);
    void collide(std::uint32_t i, std::uint32_t j);
    void cross(std::uint32_t i);
    void cross_border(std::uint32_t i, std::uint32_t axis, bool upper);
    /// For whoever watches.
    void note_pair(std::uint32_t i, std::uint32_t j) const {
        if (watched_ != nullptr) {
            const auto& id = system_.bodies.id;
            const auto [low, high] = std::minmax(id[body_at_[i]], id[body_at_[j]]);
            watched_->push_back({time(), low, high});
        }
    }
    void withdraw(std::uint32_t i);
    void leave(std::uint32_t i);
    void take_away(std::uint32_t i);
    // --- motion and impact (ballistic_impact.cpp)
    void fly(Record& record) const;
    void impact_smoothly(std::uint32_t i, std::uint32_t j, const Vec3d& d, const laws::ImpactParams& params);
    void impact_with_spin(std::uint32_t i, std::uint32_t j, const Vec3d& d, const laws::ImpactParams& params);
    /// The impulse on sphere i times the way from the contact to its centre; `normal` points to the partner.
    void add_virial(std::uint32_t i, const Vec3d& impulse, const Vec3d& normal) {
        if (options_.stress) {
            math::add_scaled(system_.impulses.virial[body_at_[i]], symmetric_product(impulse, -normal), radius_[i]);
        }
    }
    void note_overlap(std::uint32_t i, std::uint32_t j, double distance2);
    void note_overlap(std::uint32_t i, double overlap, double radius);
    // --- walls and held grains: impacts (ballistic_walls.cpp)
    /// The rule for sphere i and another material, which is given by reference: where one rule holds for all, nobody's
    /// material is looked up, for that memory is far away.
    const laws::ImpactParams& params_between(std::uint32_t i, const std::int32_t& other) const {
        if (options_.impacts.size() == 1) {
            return options_.impacts[0];
        }
        const auto row = static_cast<std::size_t>(body_[i].material) * system_.materials.size();
        return options_.impacts[row + static_cast<std::size_t>(other)];
    }
    void hit_wall(std::uint32_t i, std::uint32_t w);
    void hit_held(std::uint32_t i, std::uint32_t j);
    Vec3d impact_on_fixed(std::uint32_t i, const Vec3d& normal, const Vec3d& surface, const laws::ImpactParams& params);
    void absorb(std::uint32_t i, model::Wall& wall);
    void stick(std::uint32_t i, std::uint32_t w, const Vec3d& image);
    // --- grains at rest (ballistic_rest.cpp)
    bool may_rest() const;
    bool is_asleep(std::uint32_t i) const { return (system_.bodies.flags[body_at_[i]] & model::at_rest) != 0; }
    /// Whether body b does not fly: held, stuck or at rest.
    bool is_fixed(std::size_t b) const {
        return system_.bodies.is_held(b) || (system_.bodies.flags[b] & model::at_rest) != 0;
    }
    void note_motion(std::uint32_t i, bool fixed);
    void fall_asleep(std::uint32_t i);
    void wake(std::uint32_t i);
    void wake_around(std::uint32_t i, const Vec3d& left);
    // --- walls and held grains: predictions (ballistic_obstacles.cpp)
    void load_obstacles();
    Answer ask(const model::Target& target, double window, const Record& record, const Vec3d& shift, double radius,
               double since, double horizon) const;
    Vec3d period_along(const Vec3d& d) const;
    Vec3d nearest_period(const Record& record, const Vec3d& at) const { return period_along(at - record.position); }
    void ask_obstacles(std::uint32_t i);
    // --- held grains (ballistic_held.cpp)
    model::Target target_of(const Held& held) const;
    Held held_body(std::size_t b) const;
    Vec3d place_of(const Held& held, double clock) const;
    const Vec3d& seen_place(Held& held, double radius) const;
    bool is_beyond(const Held& held, const Vec3d& at, double speed, double reach, double span) const;
    Answer ask_frozen(const Held& held, const Record& record, const Vec3d& shift, double radius) const;
    void hold(std::uint32_t i);
    void mark_near_held(std::uint32_t cell, int change);
    void tell_neighbours(std::uint32_t held);
    void set_refiling(std::uint32_t i);
    bool follow(std::uint32_t i);
    void refile(std::uint32_t i);
    // --- predictions (ballistic_predict.cpp)
    void collect(const CellBox& box, std::uint32_t i);
    void collect_ahead(std::uint32_t i);
    void predict(std::uint32_t i);
    void predict_anew(std::uint32_t i);
    void predict_both(std::uint32_t i, std::uint32_t j);
    Best predict_one(std::uint32_t i);
    void prefetch(const Candidates& candidates) const;
    Best in_order(std::uint32_t i, const Best& found) const;
    void set_collision(std::uint32_t i, const Best& best);
    void set_crossing(std::uint32_t i, std::uint32_t entered);
    /// Whether the partner's flight has changed since the prediction.
    bool is_void(const Event& event) const {
        return !is_wall(event.partner) && record_[event.partner].count != event.partner_count;
    }

    model::System& system_;
    Options options_;
    Grid grid_;
    Cells cells_;
    EventQueue queue_;
    Candidates candidates_;
    Candidates ahead_;  // those of the event after the present one, most likely
    PredictTask task_;
    base::PageVector<Record> record_;  // in order of cells, for nearness in memory
    base::PageVector<Event> event_;
    base::PageVector<Body> body_;
    base::PageVector<Vec3d> spin_;  // rad/s
    base::PageVector<double> radius_;
    std::vector<std::uint32_t> body_at_;    // the model's index of each record
    std::vector<char> keep_;                // by the model's index; empty while nobody has left
    std::vector<WallView> walls_;           // those that are there
    std::vector<Held> held_;                // a held record's count is its index here, with held_bit
    std::vector<ObstacleEvent> obstacle_;   // by record; empty without obstacles
    std::vector<std::int32_t> near_held_;   // by cell: held grains in it and around; empty without any
    std::vector<std::uint32_t> free_held_;  // places of held_ that are free again
    bool rests_ = false;                    // grains may come to rest
    double slack_ = 0;                      // m, how far a held grain may be beyond its cell
    double refiling_span_ = 1;              // s, a guess
    Vec3d gravity_;                         // m/s2
    double now_ = 0;                        // s since the epoch
    double counted_until_ = 0;              // s since the epoch
    double least_distance_ = 1;             // square of the smallest distance seen at an impact, of that at contact
    std::int64_t flying_ = 0;               // spheres
    Standstill standstill_;
    std::int64_t prefetched_ = -1;    // the span whose followers have been called for
    std::size_t flights_called_ = 0;  // entries of the open span whose flights have been called for
    std::size_t cells_called_ = 0;    // and those whose cells have
    std::int64_t since_tuning_ = 0;   // events since the queue was built
    bool has_gravity_ = false;
    bool equal_ = false;  // all spheres alike
    Measures measures_;
    std::vector<Collision>* watched_ = nullptr;
};

}  // namespace talus::engines::hard
