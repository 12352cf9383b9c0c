// The list of everything a checkpoint holds, written once and used by saving and loading alike, so that the two cannot
// drift apart. An archive is called as `archive(name, value)` for values and columns and
// `archive.members(name, rows, member)` for one member of many structs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "talus/model/system.h"
#include "talus/output/members.h"

namespace talus::output {

/// Writes fields to a file.
class Saver {
public:
    static constexpr bool saving = true;
    explicit Saver(Hdf5File& file) : file_(file) {}
    template <class T>
    void operator()(const std::string& name, const T& value) {
        file_.write(name, value);
    }
    template <class Row, class Member>
    void members(const std::string& name, const std::vector<Row>& rows, Member member) {
        write_members(file_, name, rows, member);
    }

private:
    Hdf5File& file_;
};

/// Reads fields from a file.
class Loader {
public:
    static constexpr bool saving = false;
    explicit Loader(const Hdf5File& file) : file_(file) {}
    template <class T>
    void operator()(const std::string& name, T& value) {
        file_.read(name, value);
    }
    template <class Row, class Member>
    void members(const std::string& name, std::vector<Row>& rows, Member member) {
        read_members(file_, name, rows, member);
    }

private:
    const Hdf5File& file_;
};

/// Calls `column` for each column of the bodies.
template <class BodiesOf, class ForColumn>
void body_columns(BodiesOf& bodies, ForColumn column) {
    column("particles/id", bodies.id);
    column("particles/position", bodies.position);
    column("particles/velocity", bodies.velocity);
    column("particles/spin", bodies.spin);
    column("particles/acceleration", bodies.acceleration);
    column("particles/spin_rate", bodies.spin_rate);
    column("particles/radius", bodies.radius);
    column("particles/mass", bodies.mass);
    column("particles/inertia", bodies.inertia);
    column("particles/material", bodies.material);
    column("particles/flags", bodies.flags);
    column("particles/stuck_to", bodies.stuck_to);
    column("particles/stuck_at", bodies.stuck_at);
}

/// Calls `column` for each column of the flights.
template <class FlightsOf, class ForColumn>
void flight_columns(FlightsOf& flights, ForColumn column) {
    column("flights/position", flights.position);
    column("flights/velocity", flights.velocity);
    column("flights/time", flights.time);
    column("flights/anchor", flights.anchor);
    column("flights/calm", flights.calm);
    column("flights/knocks", flights.knocks);
}

template <class Archive, class SystemOf>
void exchange_scalars(Archive& archive, SystemOf& system) {
    archive("seed", system.seed);
    archive("gravity", system.gravity);
    archive("domain/low", system.domain.low);
    archive("domain/high", system.domain.high);
    archive("domain/dimensions", system.domain.dimensions);
    archive("clock/step", system.clock.step);
    archive("clock/steps", system.clock.steps);
    archive("clock/origin", system.clock.origin);
    archive("clock/origin_steps", system.clock.origin_steps);
    archive("counters/next_id", system.counters.next_id);
    archive("counters/left_domain", system.counters.left_domain);
    archive("counters/left_domain_mass", system.counters.left_domain_mass);
    archive("counters/removed_by_stage", system.counters.removed_by_stage);
    archive("counters/large_overlaps", system.counters.large_overlaps);
    archive("counters/largest_overlap", system.counters.largest_overlap);
    archive("counters/largest_overlap_id", system.counters.largest_overlap_id);
    archive("ledger/dissipated", system.ledger.dissipated);
    archive("ledger/power", system.ledger.power);
    archive("ledger/peak", system.ledger.peak);
    archive("ledger/stored_normal", system.ledger.stored.normal);
    archive("ledger/stored_tangential", system.ledger.stored.tangential);
    archive("ledger/held_work", system.ledger.held_work);
    archive("ledger/held_power", system.ledger.held_power);
    archive("ledger/gravity_reference", system.ledger.gravity_reference);
    archive("ledger/removed", system.ledger.removed);
    archive("ledger/injected", system.ledger.injected);
    archive("flights/elastic_below", system.flight_rules.elastic_below);
    archive("flights/least_rebound", system.flight_rules.least_rebound);
    archive("flights/epoch", system.flights.epoch);
    archive("flights/now", system.flights.now);
    archive("flights/collisions", system.flights.collisions);
    archive("flights/held_work", system.flights.held_work);
    archive("flights/held_energy", system.flights.held_energy);
    archive("stepping/sweeps", system.step_rules.sweeps);
    archive("stage/index", system.stage.index);
    archive("stage/entered_at", system.stage.entered_at);
    archive("stage/quiet_since", system.stage.quiet_since);
}

template <class Archive, class Walls, class PoseOf>
void exchange_pose(Archive& archive, const std::string& group, Walls& walls, PoseOf pose) {
    archive.members(
        group + "/position", walls, [=](auto& w) -> auto& { return pose(w).position; });
    archive.members(
        group + "/rotation", walls, [=](auto& w) -> auto& { return pose(w).rotation; });
    archive.members(
        group + "/velocity", walls, [=](auto& w) -> auto& { return pose(w).velocity; });
    archive.members(
        group + "/spin", walls, [=](auto& w) -> auto& { return pose(w).spin; });
}

template <class Archive, class Walls>
void exchange_walls(Archive& archive, Walls& walls) {
    archive.members(
        "walls/a", walls, [](auto& w) -> auto& { return w.shape.a; });
    archive.members(
        "walls/b", walls, [](auto& w) -> auto& { return w.shape.b; });
    archive.members(
        "walls/c", walls, [](auto& w) -> auto& { return w.shape.c; });
    archive.members(
        "walls/material", walls, [](auto& w) -> auto& { return w.material; });
    archive.members(
        "walls/present", walls, [](auto& w) -> auto& { return w.present; });
    exchange_pose(
        archive, "walls/base", walls, [](auto& w) -> auto& { return w.base; });
    exchange_pose(
        archive, "walls/pose", walls, [](auto& w) -> auto& { return w.pose; });
    const auto record = [&](const char* name, auto member) {
        archive.members(
            std::string("walls/record/") + name, walls, [=](auto& w) -> auto& { return member(w.record); });
    };
    record(
        "force", [](auto& r) -> auto& { return r.force; });
    record(
        "torque", [](auto& r) -> auto& { return r.torque; });
    record(
        "impulse", [](auto& r) -> auto& { return r.impulse; });
    record(
        "angular_impulse", [](auto& r) -> auto& { return r.angular_impulse; });
    record(
        "work", [](auto& r) -> auto& { return r.work; });
    record(
        "power", [](auto& r) -> auto& { return r.power; });
    record(
        "absorbed", [](auto& r) -> auto& { return r.absorbed; });
    record(
        "absorbed_mass", [](auto& r) -> auto& { return r.absorbed_mass; });
    record(
        "stuck", [](auto& r) -> auto& { return r.stuck; });
}

/// One part of a motion and the wall it belongs to: the motions of all walls lie in one table per kind.
template <class Item>
struct Owned {
    std::int32_t wall = 0;
    Item item;
};

template <class Archive, class Item>
void exchange_items(Archive& archive, const std::string& group, std::vector<Owned<Item>>& rows) {
    const auto field = [&](const char* name, auto member) {
        archive.members(
            group + name, rows, [=](auto& row) -> auto& { return member(row.item); });
    };
    archive.members(
        group + "/wall", rows, [](auto& row) -> auto& { return row.wall; });
    if constexpr (std::is_same_v<Item, model::Translation>) {
        field(
            "/velocity", [](auto& m) -> auto& { return m.velocity; });
        field(
            "/start", [](auto& m) -> auto& { return m.start; });
    } else if constexpr (std::is_same_v<Item, model::Oscillation>) {
        field(
            "/amplitude", [](auto& m) -> auto& { return m.amplitude; });
        field(
            "/omega", [](auto& m) -> auto& { return m.omega; });
        field(
            "/phase", [](auto& m) -> auto& { return m.phase; });
        field(
            "/start", [](auto& m) -> auto& { return m.start; });
    } else if constexpr (std::is_same_v<Item, model::Spin>) {
        field(
            "/axis", [](auto& m) -> auto& { return m.axis; });
        field(
            "/through", [](auto& m) -> auto& { return m.through; });
        field(
            "/rate", [](auto& m) -> auto& { return m.rate; });
        field(
            "/start", [](auto& m) -> auto& { return m.start; });
    } else if constexpr (std::is_same_v<Item, model::Drive>) {
        field(
            "/turns", [](auto& m) -> auto& { return m.turns; });
        field(
            "/axis", [](auto& m) -> auto& { return m.axis; });
        field(
            "/through", [](auto& m) -> auto& { return m.through; });
        field(
            "/inertia", [](auto& m) -> auto& { return m.inertia; });
        field(
            "/load", [](auto& m) -> auto& { return m.load; });
        field(
            "/damping", [](auto& m) -> auto& { return m.damping; });
        field(
            "/weight", [](auto& m) -> auto& { return m.weight; });
        field(
            "/centre", [](auto& m) -> auto& { return m.centre; });
        field(
            "/start", [](auto& m) -> auto& { return m.start; });
        field(
            "/way", [](auto& m) -> auto& { return m.way; });
        field(
            "/speed", [](auto& m) -> auto& { return m.speed; });
        field(
            "/rate", [](auto& m) -> auto& { return m.rate; });
    } else {
        static_assert(std::is_same_v<Item, model::Keyframe>);
        field(
            "/time", [](auto& m) -> auto& { return m.time; });
        field(
            "/displacement", [](auto& m) -> auto& { return m.displacement; });
        field(
            "/rotation", [](auto& m) -> auto& { return m.rotation; });
    }
}

}  // namespace talus::output
