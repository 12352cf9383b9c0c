// When turning grains meet one another and walls. Between two spheres of turning grains there is no closed form: the
// first root of their gap is isolated by a search that only skips what bounds on speed and acceleration rule out
// (geometry/impact_moving.h). A time that is found depends on the two flights alone, so that asking early, late or
// twice changes no bit.
#include <algorithm>
#include <cmath>

#include "talus/engines/hard/crossing.h"
#include "talus/engines/hard/flight.h"
#include "talus/engines/hard/grain_engine.h"
#include "talus/geometry/impact_moving.h"
#include "talus/math/free_rotation.h"

namespace talus::engines::hard {

namespace {

/// How deep a dip of two spheres into one another may be overlooked, of the sum of their radii, and what rounding
/// leaves of their distance: those of walls (model/wall_impact.cpp).
constexpr double overlooked = 1e-13;
constexpr double noise = 4 * math::epsilon;
/// Bounds are computed with rounding.
constexpr double safety = 1 + 1e-9;

}  // namespace

/// A new flight from where the body is now: predictions of the last one are void.
void GrainEngine::begin_flight(std::uint32_t i) {
    record_[i].time = now_;
    ++record_[i].count;
    Turning& turning = turning_[i];
    if (nature_[i].sphere) {
        return;
    }
    if (turning.spin == Vec3d{}) {
        turning.arc = math::TurningArc(turning.turn);
    } else if (nature_[i].turns()) {
        turning.arc = math::TurningArc(turning.turn, turning.momentum, nature_[i].inverse_moment);
    } else {  // whatever holds its spin turns it evenly, like a body with equal moments
        turning.arc = math::TurningArc(turning.turn, turning.spin, {1, 1, 1});
    }
    turning.until = now_ + turning.arc.span();
}

/// Moves a body to the present; the flight must begin anew then.
void GrainEngine::fly(std::uint32_t i) {
    Record& record = record_[i];
    Turning& turning = turning_[i];
    const double passed = now_ - record.time;
    record.position = flown<false>(record.position, record.velocity, passed, {});
    record.time = now_;
    if (passed > 0 && turning.arc.fastest() > 0) {
        turning.turn = normalized(turning.arc.orientation_at(passed));
        turning.axes = to_matrix(turning.turn);
        if (nature_[i].turns()) {
            turning.spin = math::spin_of(turning.momentum, turning.turn, nature_[i].inverse_moment);
        }
    }
}

/// A body at a time since the start of the drift.
GrainEngine::Place GrainEngine::place_at(std::uint32_t i, double time) const {
    const Record& record = record_[i];
    const math::TurningArc& arc = turning_[i].arc;
    const double passed = time - record.time;
    Place out{record.position + record.velocity * passed, record.velocity, {turning_[i].axes, {}}};
    if (arc.fastest() > 0) {
        out.turned = arc.at(passed);
    }
    return out;
}

/// While the balls about two bodies overlap, within the drift and both arcs, since its start.
GrainEngine::Span GrainEngine::span_of_balls(std::uint32_t a, std::uint32_t b, const Vec3d& shift) const {
    const Record& x = record_[a];
    const Record& y = record_[b];
    const double from = std::max(x.time, y.time);
    const Vec3d d = flown<false>(x.position, x.velocity, from - x.time, {}) -
                    flown<false>(y.position, y.velocity, from - y.time, {}) + shift;
    const Vec3d u = x.velocity - y.velocity;
    const double reach = (nature_[a].radius + nature_[b].radius) * safety;
    const double along = dot(d, u);
    const double apart = norm2(d) - reach * reach;
    const double speed2 = norm2(u);
    const double discriminant = along * along - speed2 * apart;
    if (apart > 0 && !(along < 0 && discriminant >= 0)) {
        return {};
    }
    const double root = std::sqrt(std::max(discriminant, 0.0));
    const double begin = apart > 0 ? apart / (root - along) : 0;
    const double end = speed2 > 0 ? (root - along) / speed2 : never;
    return {from + begin, std::min({from + end, options_.step, turning_[a].until, turning_[b].until})};
}

/// The first meeting of two bodies, a < b; `shift` is added to the difference of their positions, a less b.
GrainEngine::Meeting GrainEngine::meeting(std::uint32_t a, std::uint32_t b, const Vec3d& shift) const {
    const Record& x = record_[a];
    const Record& y = record_[b];
    if (nature_[a].sphere && nature_[b].sphere) {
        const double sum = nature_[a].radius + nature_[b].radius;
        return {
            meeting_time<false>(x.position, x.velocity, x.time, y.position, y.velocity, y.time, shift, {}, sum * sum),
            nature_[a].first, nature_[b].first};
    }
    const Span span = span_of_balls(a, b, shift);
    return span.begin <= span.end ? meeting_of_parts(a, b, shift, span) : Meeting{};
}

GrainEngine::Meeting GrainEngine::meeting_of_parts(std::uint32_t a, std::uint32_t b, const Vec3d& shift,
                                                   const Span& span) const {
    const double sliding = norm(record_[a].velocity - record_[b].velocity);
    const math::TurningArc& arc_a = turning_[a].arc;
    const math::TurningArc& arc_b = turning_[b].arc;
    const Place place_a = place_at(a, span.begin);
    const Place place_b = place_at(b, span.begin);
    Meeting first;
    double end = span.end;
    for (std::uint32_t p = nature_[a].first; p < nature_[a].last; ++p) {
        const geometry::Flight x = part_of(place_a, parts_[p]);
        for (std::uint32_t q = nature_[b].first; q < nature_[b].last; ++q) {
            const double sum = parts_[p].radius + parts_[q].radius;
            const double whirling = arc_a.fastest() * parts_[p].length + arc_b.fastest() * parts_[q].length;
            const auto gap = [&](const geometry::Flight& at_x, const geometry::Flight& at_y) {
                const Vec3d d = at_x.position - at_y.position + shift;
                const double distance = norm(d);
                return math::Sample{distance - sum, dot(d, at_x.velocity - at_y.velocity) / distance};
            };
            const geometry::Flight y = part_of(place_b, parts_[q]);
            if (gap(x, y).value > (sliding + whirling) * (end - span.begin) * safety) {
                continue;
            }
            geometry::FirstTouch touch{false, span.begin};
            if (whirling > 0) {
                const auto gap_at = [&](double t) {
                    return gap(part_of(place_at(a, t), parts_[p]), part_of(place_at(b, t), parts_[q]));
                };
                const geometry::RelativeMotion motion{
                    sliding + whirling, arc_a.bend() * parts_[p].length + arc_b.bend() * parts_[q].length};
                while (!touch.touches && touch.time < end) {
                    geometry::SearchLimits limits{overlooked * sum, noise * sum, model::looks_a_search};
                    touch = geometry::first_touch_of_convex(gap_at, motion, touch.time, end, limits);
                }
            } else {
                const Vec3d d = x.position - y.position + shift;
                touch.time = span.begin + time_to_contact(d, x.velocity - y.velocity, sum * sum);
                touch.touches = touch.time <= end;
            }
            if (touch.touches && (touch.time < end || first.time == never)) {
                first = {touch.time, p, q};
                end = touch.time;
            }
        }
    }
    return first;
}

void GrainEngine::predict(std::uint32_t i) {
    const Record& record = record_[i];
    Event& event = event_[i];
    event = {};
    candidates_.collect(grid_, cells_, box_around(grid_, record.cell, record.cell), *options_.kernels, i);
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
        const std::uint32_t j = candidates_.id(k);
        if (j == i || (is_fixed(i) && is_fixed(j)) || !(moves(i) || moves(j))) {
            continue;
        }
        const Meeting found = i < j ? meeting(i, j, candidates_.shift(k)) : meeting(j, i, -candidates_.shift(k));
        if (found.time < event.collision || (found.time == event.collision && j < event.partner)) {
            event.collision = found.time;
            event.partner = j;
            event.partner_count = record_[j].count;
            meeting_[i] = found;
        }
    }
    if (!is_fixed(i)) {
        ask_walls(i);
        if (touch_[i].time < event.collision) {
            event.collision = touch_[i].time;
            event.partner = wall_bit | walls_[touch_[i].wall].index;
            event.partner_count = 0;
        }
    }
    const Crossing crossing = next_crossing_straight(record, grid_, now_);
    event.crossing = crossing.time;
    event.face = crossing.face;
    if (turning_[i].until < event.crossing) {
        event.crossing = turning_[i].until;
        event.face = no_face;
    }
}

/// The first wall that the flight touches, unless it is known. Walls that the ball about the body clearly misses are
/// asked no further.
void GrainEngine::ask_walls(std::uint32_t i) {
    const Record& record = record_[i];
    WallTouch& known = touch_[i];
    if (known.count == record.count) {
        return;
    }
    known = {};
    known.count = record.count;
    double until = std::min(options_.step, turning_[i].until) - record.time;
    for (std::uint32_t w = 0; w < walls_.size(); ++w) {
        const model::Wall& wall = system_.walls[walls_[w].index];
        for (const Vec3d& image : walls_[w].images) {
            const geometry::Flight centre{record.position + image, record.velocity, {}};
            if (model::clear_until(model::Target::of(wall), centre, start_ + record.time, nature_[i].radius, 0,
                                   until) >= until) {
                continue;
            }
            for (std::uint32_t p = nature_[i].first; p < nature_[i].last; ++p) {
                const double found = touch_of_part(i, p, wall, image, until);
                if (record.time + found < known.time) {
                    known.time = record.time + found;
                    known.wall = w;
                    known.part = p;
                    until = found;
                }
            }
        }
    }
}

/// s since the own time, if before `until`.
double GrainEngine::touch_of_part(std::uint32_t i, std::uint32_t p, const model::Wall& wall, const Vec3d& image,
                                  double until) const {
    const Record& record = record_[i];
    const Part& part = parts_[p];
    const model::Target target = model::Target::of(wall);
    const double clock = start_ + record.time;
    const Vec3d start = record.position + image;
    const geometry::Flight straight{start + turning_[i].axes * part.arm, record.velocity, {}};
    const geometry::CarriedPoint turning{start, record.velocity, turning_[i].arc, part.arm};
    const bool turns = turning.turning_speed() > 0;
    for (double from = 0;;) {
        const geometry::FirstTouch found = turns
                                               ? model::first_touch(target, turning, clock, part.radius, from, until)
                                               : model::first_touch(target, straight, clock, part.radius, from, until);
        if (found.touches || !(found.time < until)) {
            return found.touches ? found.time : never;
        }
        from = found.time;
    }
}

}  // namespace talus::engines::hard
