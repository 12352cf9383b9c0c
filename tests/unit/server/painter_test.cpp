// Pictures of a running system and of a stored frame, against the numbers they are made from.
#include "talus/server/painter.h"

#include <gtest/gtest.h>

#include "talus/output/frame.h"
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
    const std::vector<Request> requests = {request("speed"), request("vy", true, 11)};
    model::ContactSample touch;
    touch.a = 10;
    touch.b = 11;
    touch.force = {-2, 0, 0};
    touch.normal = {1, 0, 0};
    ASSERT_TRUE(Painter::needs_contacts(requests));
    const auto picture = painter.paint(system, {touch}, requests);
    EXPECT_EQ(picture->time, 3.0);
    EXPECT_EQ(picture->identity, 6);
    EXPECT_EQ(picture->population->id, (std::vector<std::int64_t>{10, 11, 12}));
    EXPECT_EQ(picture->fields.at("speed"), (std::vector<float>{0, 5, 10}));
    EXPECT_EQ(picture->fields.at("vy"), (std::vector<float>{0, -4, -8}));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(static_cast<double>(picture->position[3 * i]) + picture->origin.x, 0.0199 * static_cast<double>(i),
                    1e-8);
        EXPECT_NEAR(static_cast<double>(picture->position[3 * i + 2]) + picture->origin.z, 1.0, 1e-8);
    }
    ASSERT_EQ(picture->chains->force, (std::vector<float>{2}));
    EXPECT_NEAR(static_cast<double>(picture->chains->ends[3]) + picture->origin.x, 0.0199, 1e-8);
    EXPECT_EQ(picture->grains.at(11).at("velocity").at(0), 3.0);
    EXPECT_EQ(picture->grains.at(11).at("material"), "steel");
    ASSERT_EQ(picture->poses.size(), 1U);
    EXPECT_EQ(picture->poses[0].position.z, 0.25);
    ASSERT_NE(picture->walls, nullptr);
    EXPECT_NE(picture->walls->find("floor"), std::string::npos);
}

TEST(Painter, NamesPopulationAndWallsAnewOnlyWhenTheyChange) {
    model::System system = three_grains();
    Painter painter;
    const std::vector<Request> requests = {request("speed")};
    const auto first = painter.paint(system, {}, requests);
    system.bodies.position[0].x += 1e-3;
    system.walls[0].pose.position.z += 1;
    const auto second = painter.paint(system, {}, requests);
    EXPECT_EQ(first->population, second->population);
    EXPECT_EQ(first->walls, second->walls);
    system.bodies.compact({1, 0, 1});
    system.walls[0].present = false;
    const auto third = painter.paint(system, {}, requests);
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
    const auto running = live.paint(system, {}, requests);
    const auto read = stored.paint(output::read_frame(folder / "frame.h5"), requests);
    EXPECT_EQ(read->population->id, running->population->id);
    EXPECT_EQ(read->population->radius, running->population->radius);
    EXPECT_EQ(read->position, running->position);
    EXPECT_EQ(read->fields, running->fields);
    EXPECT_EQ(read->grains.at(12).at("position"), running->grains.at(12).at("position"));
}

TEST(Fields, EveryOneHasAValueForEachGrain) {
    const model::System system = three_grains();
    std::vector<Request> requests;
    for (const Field& field : fields()) {
        requests.push_back(request(field.name));
    }
    requests.push_back(request("no such field"));
    Painter painter;
    const auto picture = painter.paint(system, {}, requests);
    for (const Request& each : requests) {
        EXPECT_EQ(picture->fields.at(each.field).size(), 3U) << each.field;
    }
    EXPECT_EQ(picture->fields.at("id"), (std::vector<float>{10, 11, 12}));
    EXPECT_EQ(picture->fields.at("height"), (std::vector<float>{1, 1, 1}));
    EXPECT_EQ(picture->fields.at("material"), (std::vector<float>{0, 1, 0}));
}

}  // namespace
}  // namespace talus::server
