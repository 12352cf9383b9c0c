// Hard grains of many spheres in drifts: predicted collisions of rigid bodies that turn as they fly (the bonded
// aggregates that HSDEM plans). Kick, drift with collisions, kick, as in ballistic_drift.cpp; a plain sphere is a grain
// with one part. Where there are no others BallisticEngine is faster.
#pragma once

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
#include "talus/engines/hard/standstill.h"
#include "talus/geometry/carried_point.h"
#include "talus/laws/rigid_impact.h"
#include "talus/math/turning_arc.h"
#include "talus/model/system.h"

namespace talus::engines::hard {

using math::Mat3d;
using math::Quaterniond;

class GrainEngine {
public:
    /// `options.step` must be positive: grains of many spheres have no ballistic flights. Throws base::InputError for
    /// periods shorter than three balls that hold a grain.
    GrainEngine(model::System& system, Options options, bool resumed);

    void advance_steps(std::int64_t steps);
    /// After the system was changed from outside: starts anew from the bodies.
    void system_changed();
    void remove(const std::vector<char>& keep);
    /// Other impact rules or remedies; `system_changed` makes them count.
    void set_options(Options options) { options_ = std::move(options); }

    const Measures& measures() const { return measures_; }
    void set_measures(const Measures& measures) { measures_ = measures; }
    /// Notes every impact in order, for tests.
    void watch(std::vector<Collision>* list) { watched_ = list; }

private:
    /// A sphere that a grain is made of.
    struct Part {
        Vec3d arm;          // m, in the frame of the principal axes
        double length = 0;  // m, of the arm
        double radius = 0;  // m
    };
    /// What of a body never changes.
    struct Nature {
        double inverse_mass = 0;            // 1/kg; 0: held
        Vec3d inverse_moment;               // 1/(kg m2), principal; zero: turning held
        double radius = 0;                  // m, of the ball that holds it
        double smallest = 0;                // m, radius of the smallest part
        double arm = 0;                     // m, of the farthest part
        std::uint32_t first = 0, last = 0;  // parts
        bool sphere = true;
        bool turns() const { return inverse_moment.x > 0; }
    };
    /// How a body is turned and turns at its own time, and from then on.
    struct Turning {
        Quaterniond turn;      // principal axes to the world
        Mat3d axes;            // the same as a matrix
        Vec3d momentum;        // kg m2/s, angular
        Vec3d spin;            // rad/s
        math::TurningArc arc;  // from the own time on
        double until = never;  // s since the start of the drift: the arc holds until then
    };
    /// When and where two bodies meet; `part_a` is of the one with the lower index.
    struct Meeting {
        double time = never;  // s since the start of the drift
        std::uint32_t part_a = 0, part_b = 0;
    };
    /// The first wall that a flight touches.
    struct WallTouch {
        double time = never;
        std::uint32_t wall = 0;  // place among the views
        std::uint32_t part = 0;
        std::uint32_t count = nobody;  // of the flight
    };
    /// A body at one instant.
    struct Place {
        Vec3d position, velocity;  // m, m/s
        math::TurningArc::Turned turned;
    };
    struct Span {
        double begin = never, end = -never;  // s
    };

    double time() const { return start_ + now_; }
    double smallest_part() const;  // m, radius
    std::uint32_t size() const { return static_cast<std::uint32_t>(record_.size()); }
    bool is_kept(std::uint32_t i) const { return keep_.empty() || keep_[i] != 0; }
    bool is_asleep(std::uint32_t i) const { return (system_.bodies.flags[i] & model::at_rest) != 0; }
    /// Whether no impact and no weight changes its path.
    bool is_fixed(std::uint32_t i) const { return nature_[i].inverse_mass == 0 || is_asleep(i); }
    bool moves(std::uint32_t i) const { return record_[i].velocity != Vec3d{} || turning_[i].arc.fastest() > 0; }
    double kinetic_energy(std::uint32_t i) const;
    const laws::ImpactParams& params_between(std::uint32_t i, std::int32_t other_material) const;

    // --- between model and memory (grain_engine.cpp)
    void start();
    void load();
    void load_body(std::uint32_t i);
    void load_cells();
    void give_back();
    void compact(const std::vector<char>& keep);
    void note_overlaps();
    void note_overlap(std::uint32_t i, double overlap, double radius);

    // --- drifts and events (grain_drift.cpp)
    void drift();
    void kick();
    double lift() const;
    void run();
    void handle(std::uint32_t i);
    void cross(std::uint32_t i);
    void cross_border(std::uint32_t i, std::uint32_t axis, bool upper);
    void leave(std::uint32_t i);
    void take_away(std::uint32_t i);
    void count_time();

    // --- predictions (grain_predict.cpp)
    void begin_flight(std::uint32_t i);
    void fly(std::uint32_t i);
    void predict(std::uint32_t i);
    void predict_anew(std::uint32_t i) {
        predict(i);
        queue_.push(i, event_[i].key());
    }
    Meeting meeting(std::uint32_t a, std::uint32_t b, const Vec3d& shift) const;
    Meeting meeting_of_parts(std::uint32_t a, std::uint32_t b, const Vec3d& shift, const Span& span) const;
    Span span_of_balls(std::uint32_t a, std::uint32_t b, const Vec3d& shift) const;
    void ask_walls(std::uint32_t i);
    double touch_of_part(std::uint32_t i, std::uint32_t p, const model::Wall& wall, const Vec3d& image,
                         double until) const;
    Place place_at(std::uint32_t i, double time) const;
    static geometry::Flight part_of(const Place& place, const Part& part) {
        const Vec3d arm = place.turned.axes * part.arm;
        return {place.position + arm, place.velocity + math::cross(place.turned.spin, arm), {}};
    }
    bool is_void(const Event& event) const {
        return !is_wall(event.partner) && record_[event.partner].count != event.partner_count;
    }

    // --- impacts (grain_impact.cpp)
    void collide(std::uint32_t a, std::uint32_t b, std::uint32_t part_a, std::uint32_t part_b);
    void hit_wall(std::uint32_t i);
    laws::RigidBody at_contact(std::uint32_t i, const Vec3d& arm) const;
    laws::Impact<double> impact(const Vec3d& normal, const laws::RigidBody& a, const laws::RigidBody& b,
                                const laws::ImpactParams& rule);
    void strike(std::uint32_t i, const Vec3d& arm, const Vec3d& impulse);

    // --- grains at rest (grain_rest.cpp)
    void note_motion(std::uint32_t i, bool fixed);
    bool stands_on_end(std::uint32_t i);
    void fall_asleep(std::uint32_t i);
    void wake(std::uint32_t i);
    void wake_around(std::uint32_t i, const Vec3d& left, const Quaterniond& left_turn);
    bool may_have_carried(std::uint32_t i, const Vec3d& at, const Mat3d& axes, std::uint32_t j) const;

    model::System& system_;
    Options options_;
    Measures measures_;
    Grid grid_;
    Cells cells_;
    EventQueue queue_;
    Candidates candidates_;
    // By the model's index.
    std::vector<Record> record_;
    std::vector<Event> event_;
    std::vector<Meeting> meeting_;  // of the event, if it is a collision
    std::vector<WallTouch> touch_;
    std::vector<Nature> nature_;
    std::vector<Turning> turning_;
    std::vector<Part> parts_;
    std::vector<WallView> walls_;
    std::vector<char> keep_;    // empty while nobody has left
    double start_ = 0;          // s, on the clock: when the drift began
    double now_ = 0;            // s since then
    double counted_until_ = 0;  // s since then
    std::int64_t flying_ = 0;   // bodies that are neither held nor at rest
    Standstill standstill_;
    bool rests_ = false;  // grains may come to rest
    std::vector<Collision>* watched_ = nullptr;
};

}  // namespace talus::engines::hard
