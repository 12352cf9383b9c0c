// Grains of several spheres that come to rest: as spheres do (ballistic_rest.cpp), but one that turns on the spot has
// not stayed in place.
#include <cmath>

#include "talus/engines/hard/grain_engine.h"
#include "talus/engines/hard/rest_rule.h"

namespace talus::engines::hard {

/// Called after every impact; `fixed`: on what does not give way.
void GrainEngine::note_motion(std::uint32_t i, bool fixed) {
    if (!rests_ || is_fixed(i) || !is_kept(i)) {
        return;
    }
    model::Flights& flights = system_.flights;
    const Nature& nature = nature_[i];
    const double way = norm(record_[i].position - flights.anchor[i]) +
                       nature.arm * math::way_between(turning_[i].turn, flights.anchor_turn[i]);
    if (way > RestRule::reach * nature.smallest) {
        const Vec3d left = flights.anchor[i];
        const Quaterniond left_turn = flights.anchor_turn[i];
        flights.anchor[i] = record_[i].position;
        flights.anchor_turn[i] = turning_[i].turn;
        flights.calm[i] = time();
        flights.knocks[i] = 0;
        wake_around(i, left, left_turn);
        return;
    }
    flights.knocks[i] += fixed ? 1 : 0;
    const auto is_over = [&](const RestRule& rule) {
        return rule.is_over(flights.knocks[i], time() - flights.calm[i], nature.smallest, system_.gravity);
    };
    if (is_over(RestRule{}) && (nature.sphere || is_over(RestRule::on_end()) || !stands_on_end(i))) {
        fall_asleep(i);
    }
}

/// Whether grain i touches walls and others, as far as that can be told of what trembles, in less than two points.
bool GrainEngine::stands_on_end(std::uint32_t i) {
    constexpr double wider = 1 + RestRule::carrying_gap;
    int touches = 0;
    candidates_.collect(grid_, cells_, box_around(grid_, record_[i].cell, record_[i].cell), *options_.kernels, i);
    for (std::uint32_t p = nature_[i].first; p < nature_[i].last; ++p) {
        const Vec3d at = record_[i].position + turning_[i].axes * parts_[p].arm;
        for (const WallView& view : walls_) {
            const WallContact contact = contact_with(system_.walls[view.index], view, at, {}, parts_[p].radius);
            touches += contact.distance < parts_[p].radius * wider ? 1 : 0;
        }
        for (std::uint32_t k = 0; k < candidates_.size() && touches < 2; ++k) {
            const std::uint32_t j = candidates_.id(k);
            const Place place = place_at(j, now_);
            for (std::uint32_t q = nature_[j].first; q < nature_[j].last && j != i; ++q) {
                const Vec3d d = part_of(place, parts_[q]).position - candidates_.shift(k) - at;
                touches += norm(d) < (parts_[p].radius + parts_[q].radius) * wider ? 1 : 0;
            }
        }
    }
    return touches < 2;
}

void GrainEngine::fall_asleep(std::uint32_t i) {
    count_time();
    system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::normal_damping)] += kinetic_energy(i);
    system_.bodies.flags[i] |= model::at_rest;
    record_[i].velocity = {};
    if (nature_[i].turns()) {
        turning_[i].momentum = {};
        turning_[i].spin = {};
    }
    --flying_;
    ++measures_.asleep;
    begin_flight(i);
    predict_anew(i);
}

/// A grain at rest flies again from where it lay; it must be predicted anew.
void GrainEngine::wake(std::uint32_t i) {
    count_time();
    system_.bodies.flags[i] &= static_cast<std::uint8_t>(~model::at_rest);
    system_.flights.anchor[i] = record_[i].position;
    system_.flights.anchor_turn[i] = turning_[i].turn;
    system_.flights.calm[i] = time();
    system_.flights.knocks[i] = 0;
    ++flying_;
    --measures_.asleep;
    begin_flight(i);
}

/// Grain i has moved on from where it was: those at rest that it may have carried are on their own.
void GrainEngine::wake_around(std::uint32_t i, const Vec3d& left, const Quaterniond& left_turn) {
    const Mat3d axes = to_matrix(left_turn);
    std::vector<std::uint32_t> woken;
    candidates_.collect(grid_, cells_, box_around(grid_, record_[i].cell, record_[i].cell), *options_.kernels, i);
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
        const std::uint32_t j = candidates_.id(k);
        if (is_asleep(j) && may_have_carried(i, left, axes, j)) {
            woken.push_back(j);
        }
    }
    for (const std::uint32_t j : woken) {
        wake(j);
    }
    for (const std::uint32_t j : woken) {
        predict_anew(j);
    }
}

/// Whether some sphere of grain i, if it is at `at` and turned by `axes`, is next to one of grain j.
bool GrainEngine::may_have_carried(std::uint32_t i, const Vec3d& at, const Mat3d& axes, std::uint32_t j) const {
    constexpr double wider = 1 + RestRule::carrying_gap;
    Vec3d between = record_[j].position - at;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const GridAxis& axis = grid_.axis(k);
        const auto c = static_cast<int>(k);
        between[c] -= axis.periodic ? axis.length * std::rint(between[c] / axis.length) : 0.0;
    }
    if (norm(between) > (nature_[i].radius + nature_[j].radius) * wider) {
        return false;
    }
    for (std::uint32_t p = nature_[i].first; p < nature_[i].last; ++p) {
        for (std::uint32_t q = nature_[j].first; q < nature_[j].last; ++q) {
            const Vec3d d = between + turning_[j].axes * parts_[q].arm - axes * parts_[p].arm;
            if (norm(d) < (parts_[p].radius + parts_[q].radius) * wider) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace talus::engines::hard
