// Pictures of a running system and of a stored frame, against the numbers they are made from.
#include "talus/server/painter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "talus/output/frame.h"
#include "talus/server/chains.h"
#include "temporary_folder.h"

namespace talus::server {
namespace {

/// Three spheres of which the first two touch, above a floor that moves.
model::System three_grains() {
    model::System system;
    system.materials.list = {{"glass", 2500}, {"steel", 7800}};
    system.materials.pair_law.resize(4);
    for (int i = 0; i < 3; ++i) {
        system.bodies.add_sphere(10 + i, {0.0199 * i, 0.5, 1.0}, 0.01, 2500, i % 2);
        system.bodies.velocity[static_cast<std::size_t>(i)] = {3.0 * i, -4.0 * i, 0};
    }
    model::Wall floor;
    floor.name = "floor";
    floor.shape = {geometry::ShapeKind::rectangle, 1, 2, 0};
    floor.motion.translations.push_back({{0, 0, 1}, 0});
    floor.pose.position = {0, 0, 0.25};
    system.walls.push_back(floor);
    system.clock = {0.5, 6, 0, 0};
    return system;
}

Request request(const std::string& field, bool chains = false, std::int64_t grain = -1) {
    Request out;
    out.viewer = 1;
    out.field = field;
    out.chains = chains;
    out.grain = grain;
    return out;
}

TEST(Painter, ShowsARunningSystem) {
    const model::System system = three_grains();
    Painter painter;
    const std::vector<Request> requests = {request("speed"), request("velocity.y", true, 11)};
    model::ContactSample touch;
    touch.a = 10;
    touch.b = 11;
    touch.force = {-2, 0, 0};
    touch.normal = {1, 0, 0};
    ASSERT_TRUE(Painter::needs_contacts(requests));
    const auto picture = painter.paint(system, {touch}, {}, requests);
    EXPECT_EQ(picture->time, 3.0);
    EXPECT_EQ(picture->identity, 6);
    EXPECT_EQ(picture->population->id, (std::vector<std::int64_t>{10, 11, 12}));
    EXPECT_EQ(picture->fields.at("speed"), (std::vector<float>{0, 5, 10}));
    EXPECT_EQ(picture->fields.at("velocity.y"), (std::vector<float>{0, -4, -8}));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(static_cast<double>(picture->position[3 * i]) + picture->origin.x, 0.0199 * static_cast<double>(i),
                    1e-8);
        EXPECT_NEAR(static_cast<double>(picture->position[3 * i + 2]) + picture->origin.z, 1.0, 1e-8);
    }
    ASSERT_EQ(picture->chains->force, (std::vector<float>{2}));
    EXPECT_NEAR(static_cast<double>(picture->chains->ends[3]) + picture->origin.x, 0.0199, 1e-8);
    EXPECT_EQ(picture->grains.at(11).at("velocity").at(0), 3.0);
    EXPECT_EQ(picture->grains.at(11).at("material"), "steel");
    EXPECT_EQ(picture->grains.at(11).at("load"), 2.0);
    EXPECT_EQ(picture->grains.at(11).at("contacts"), 0);  // the system has no pair on its list
    ASSERT_NE(picture->walls, nullptr);
    EXPECT_NE(picture->walls->head.find("0.25"), std::string::npos);
    EXPECT_TRUE(picture->poses.empty());
}

TEST(Painter, NamesPopulationAndWallsAnewOnlyWhenTheyChange) {
    model::System system = three_grains();
    Painter painter;
    const std::vector<Request> requests = {request("speed")};
    const auto first = painter.paint(system, {}, {}, requests);
    system.bodies.position[0].x += 1e-3;
    system.walls[0].pose.position.z += 1;
    const auto second = painter.paint(system, {}, {}, requests);
    EXPECT_EQ(first->population, second->population);
    EXPECT_EQ(first->walls, second->walls);
    system.bodies.compact({1, 0, 1});
    system.walls[0].present = false;
    const auto third = painter.paint(system, {}, {}, requests);
    EXPECT_NE(third->population, second->population);
    EXPECT_NE(third->walls, second->walls);
    EXPECT_EQ(third->population->id, (std::vector<std::int64_t>{10, 12}));
}

TEST(Painter, AStoredFrameShowsTheSame) {
    const model::System system = three_grains();
    const tests::TemporaryFolder folder;
    output::write_frame(folder / "frame.h5", {system, "three", {}, {}});
    const std::vector<Request> requests = {request("speed", false, 12)};
    Painter live, stored;
    const auto running = live.paint(system, {}, {}, requests);
    const auto read = stored.paint(output::read_frame(folder / "frame.h5"), requests);
    EXPECT_EQ(read->population->id, running->population->id);
    EXPECT_EQ(read->population->radius, running->population->radius);
    EXPECT_EQ(read->position, running->position);
    EXPECT_EQ(read->fields, running->fields);
    EXPECT_EQ(read->grains.at(12).at("position"), running->grains.at(12).at("position"));
}

Json fields_of(const Known& known) {
    Json names = Json::array();
    for (const Json& field : describe_fields(known)) {
        names.push_back(field.at("name"));
    }
    return names;
}

TEST(Fields, EveryOneHasAValueForEachGrain) {
    const model::System system = three_grains();
    std::vector<Request> requests;
    for (const Json& name : fields_of({})) {
        requests.push_back(request(name));
    }
    requests.push_back(request("no such field"));
    Painter painter;
    const auto picture = painter.paint(system, {}, {}, requests);
    for (const Json& name : fields_of({})) {
        EXPECT_EQ(picture->fields.at(name).size(), 3U) << name;
    }
    EXPECT_TRUE(picture->fields.at("no such field").empty());
    EXPECT_EQ(picture->fields.at("id"), (std::vector<float>{10, 11, 12}));
    EXPECT_EQ(picture->fields.at("height"), (std::vector<float>{1, 1, 1}));
    EXPECT_EQ(picture->fields.at("size"), (std::vector<float>{0.02F, 0.02F, 0.02F}));
    EXPECT_EQ(picture->fields.at("material"), (std::vector<float>{0, 1, 0}));
}

TEST(Fields, WhatContactsWouldTellIsLeftOutWhereThereAreNone) {
    const Json names = fields_of({false, false, false});
    EXPECT_EQ(names.size() + 3, fields_of({}).size());
    for (const char* name : {"coordination", "force", "stress"}) {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 0) << name;
    }
    Painter painter;
    const auto picture = painter.paint(three_grains(), {}, {false, false, false},
                                       std::vector<Request>{request("stress", false, 11), request("force")});
    EXPECT_TRUE(picture->fields.at("stress").empty());
    EXPECT_TRUE(picture->fields.at("force").empty());
    EXPECT_FALSE(picture->grains.at(11).contains("pressure"));
}

TEST(Fields, ForceIsTheSumOfTheForcesAtAGrainsContacts) {
    const model::System system = three_grains();
    model::ContactSample left, right;
    left.a = 10;
    left.b = 11;
    left.force = {-2, 0, 0};
    right.a = 11;
    right.b = 12;
    right.force = {-3, 0, 0};
    Painter painter;
    const auto picture = painter.paint(system, {left, right}, {}, std::vector<Request>{request("force", true)});
    EXPECT_EQ(picture->fields.at("force"), (std::vector<float>{2, 5, 3}));
    EXPECT_EQ(picture->chains->force, (std::vector<float>{3, 2}));  // the strongest first
}

TEST(Chains, NoMoreThanTheStrongestAreKept) {
    const model::System system = three_grains();
    std::vector<model::ContactSample> contacts(Chains::most + 100);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        contacts[c].a = 10;
        contacts[c].b = 11;
        contacts[c].force = {static_cast<double>(c), 0, 0};
    }
    const auto chains = chains_of(columns_of(system), contacts, {});
    ASSERT_EQ(chains->force.size(), Chains::most);
    EXPECT_EQ(chains->force.front(), static_cast<float>(contacts.size() - 1));
    EXPECT_EQ(chains->force.back(), 100.0F);
}

}  // namespace
}  // namespace talus::server
