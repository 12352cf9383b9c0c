#include "talus/output/grain_archive.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "talus/output/checkpoint_fields.h"

namespace talus::output {

namespace {

/// A turn by its four numbers, the scalar first.
struct Turns {
    std::vector<double> w;
    std::vector<math::Vec3d> v;
};

Turns taken_apart(const std::vector<math::Quaterniond>& turns) {
    Turns out;
    for (const math::Quaterniond& turn : turns) {
        out.w.push_back(turn.w);
        out.v.push_back(turn.v);
    }
    return out;
}

std::vector<math::Quaterniond> put_together(const Turns& turns) {
    if (turns.w.size() != turns.v.size()) {
        throw std::runtime_error("the orientations of grains are incomplete");
    }
    std::vector<math::Quaterniond> out;
    for (std::size_t i = 0; i < turns.w.size(); ++i) {
        out.push_back({turns.w[i], turns.v[i]});
    }
    return out;
}

template <class Archive, class Shapes>
void exchange_shapes(Archive& archive, Shapes& shapes) {
    archive.members(
        "grains/shapes/volume", shapes, [](auto& s) -> auto& { return s.volume; });
    archive.members(
        "grains/shapes/moment", shapes, [](auto& s) -> auto& { return s.moment; });
    archive.members(
        "grains/shapes/reach", shapes, [](auto& s) -> auto& { return s.reach; });
    archive.members(
        "grains/shapes/density", shapes, [](auto& s) -> auto& { return s.density; });
    archive.members(
        "grains/shapes/error", shapes, [](auto& s) -> auto& { return s.error; });
}

template <class Archive, class Contacts>
void exchange_contacts(Archive& archive, Contacts& contacts) {
    archive("grains/contacts/body", contacts.body);
    archive("grains/contacts/part", contacts.part);
    archive("grains/contacts/partner", contacts.partner);
    archive("grains/contacts/partner_part", contacts.partner_part);
    archive("grains/contacts/wall", contacts.wall);
    archive("grains/contacts/image", contacts.image);
    archive("grains/contacts/normal", contacts.normal);
    archive("grains/contacts/history", contacts.history);
}

template <class Archive, class Rules, class State>
void exchange_integration(Archive& archive, Rules& rules, State& state) {
    archive("integration/tolerance", rules.tolerance);
    archive("integration/shortest", rules.shortest);
    archive("integration/suggested", state.suggested);
    archive("integration/accepted", state.accepted);
    archive("integration/rejected", state.rejected);
    archive("integration/taken_shortest", state.shortest);
    archive("integration/taken_longest", state.longest);
    archive("integration/power", state.power);
}

}  // namespace

void save_grains(Hdf5File& file, const model::System& system) {
    Saver archive(file);
    exchange_integration(archive, system.integration, system.integration_state);
    archive("integration/method", static_cast<std::uint8_t>(system.integration.method));
    archive("integration/successive", static_cast<std::uint8_t>(system.integration.successive));
    archive("grains/general", static_cast<std::uint8_t>(system.general));
    const model::Grains& grains = system.grains;
    archive("grains/shape", grains.shape);
    if (!grains.has_rows()) {
        return;
    }
    archive("grains/moment", grains.moment);
    archive("grains/turning", grains.turning);
    const Turns turns = taken_apart(grains.turn);
    archive("grains/turn_w", turns.w);
    archive("grains/turn_v", turns.v);
    const Turns anchors = taken_apart(system.flights.anchor_turn);
    archive("grains/anchor_w", anchors.w);
    archive("grains/anchor_v", anchors.v);
    std::vector<std::string> names;
    std::vector<std::uint32_t> counts;
    std::vector<geometry::Ball> balls;
    std::vector<math::Quaterniond> drawn;
    for (const model::GrainShape& shape : grains.shapes) {
        names.push_back(shape.name);
        counts.push_back(static_cast<std::uint32_t>(shape.balls.size()));
        balls.insert(balls.end(), shape.balls.begin(), shape.balls.end());
        drawn.push_back(shape.drawn);
    }
    archive("grains/shapes/name", names);
    archive("grains/shapes/balls", counts);
    archive.members(
        "grains/balls/center", balls, [](auto& b) -> auto& { return b.center; });
    archive.members(
        "grains/balls/radius", balls, [](auto& b) -> auto& { return b.radius; });
    const Turns drawn_turns = taken_apart(drawn);
    archive("grains/shapes/drawn_w", drawn_turns.w);
    archive("grains/shapes/drawn_v", drawn_turns.v);
    exchange_shapes(archive, grains.shapes);
    exchange_contacts(archive, system.grain_contacts);
    archive("grains/contacts/history_size", system.grain_contacts.history_size);
}

void load_grains(const Hdf5File& file, model::System& system) {
    Loader archive(file);
    exchange_integration(archive, system.integration, system.integration_state);
    std::uint8_t method = 0;
    std::uint8_t successive = 0;
    archive("integration/method", method);
    archive("integration/successive", successive);
    std::uint8_t general = 0;
    archive("grains/general", general);
    system.general = general != 0;
    system.integration.method = static_cast<model::Method>(method);
    system.integration.successive = successive != 0;
    model::Grains& grains = system.grains;
    archive("grains/shape", grains.shape);
    if (!grains.has_rows()) {
        return;
    }
    archive("grains/moment", grains.moment);
    archive("grains/turning", grains.turning);
    Turns turns;
    archive("grains/turn_w", turns.w);
    archive("grains/turn_v", turns.v);
    grains.turn = put_together(turns);
    Turns anchors;
    archive("grains/anchor_w", anchors.w);
    archive("grains/anchor_v", anchors.v);
    system.flights.anchor_turn = put_together(anchors);
    const std::size_t bodies = system.bodies.size();
    if ((!anchors.w.empty() && anchors.w.size() != bodies) || grains.shape.size() != bodies ||
        grains.turn.size() != bodies || grains.moment.size() != bodies || grains.turning.size() != bodies) {
        throw std::runtime_error("grains have another length than particles/id");
    }
    std::vector<std::string> names;
    std::vector<std::uint32_t> counts;
    std::vector<geometry::Ball> balls;
    archive("grains/shapes/name", names);
    archive("grains/shapes/balls", counts);
    archive.members(
        "grains/balls/center", balls, [](auto& b) -> auto& { return b.center; });
    archive.members(
        "grains/balls/radius", balls, [](auto& b) -> auto& { return b.radius; });
    Turns drawn_turns;
    archive("grains/shapes/drawn_w", drawn_turns.w);
    archive("grains/shapes/drawn_v", drawn_turns.v);
    const auto drawn = put_together(drawn_turns);
    exchange_shapes(archive, grains.shapes);
    std::size_t next = 0;
    for (std::size_t s = 0; s < grains.shapes.size(); ++s) {
        model::GrainShape& shape = grains.shapes[s];
        shape.name = names.at(s);
        shape.drawn = drawn.at(s);
        for (std::uint32_t k = 0; k < counts.at(s); ++k) {
            shape.balls.push_back(balls.at(next++));
        }
    }
    exchange_contacts(archive, system.grain_contacts);
    archive("grains/contacts/history_size", system.grain_contacts.history_size);
}

}  // namespace talus::output
