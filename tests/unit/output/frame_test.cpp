// A frame that was written reads back the same, and anything else is refused with the file's name.
#include "talus/output/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/hdf5_file.h"
#include "talus/output/run_folder.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"

namespace talus::output {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Frame, ReadsBackAsWritten) {
    const tests::TemporaryFolder folder;
    model::System system = test::sample_system();
    system.walls[1].colour = "#102030";
    system.walls[1].opacity = 0.25;
    system.materials.list.at(1).colour = "#405060";
    const std::vector<Stress> stress(4, Stress{1, 2, 3, 4, 5, 6});
    write_frame(folder / "000000.h5", {system, "Sand", test::sample_contacts(), stress});
    const FrameFile frame = read_frame(folder / "000000.h5");
    EXPECT_EQ(frame.title, "Sand");
    EXPECT_EQ(frame.time, system.clock.time());
    EXPECT_EQ(frame.step, system.clock.steps);
    EXPECT_EQ(frame.domain.high, system.domain.high);
    EXPECT_EQ(frame.domain.periodic, system.domain.periodic);
    EXPECT_EQ(frame.materials.at(1).name, "steel");
    EXPECT_EQ(frame.id, system.bodies.id);
    EXPECT_EQ(frame.position, system.bodies.position);
    EXPECT_EQ(frame.velocity, system.bodies.velocity);
    EXPECT_EQ(frame.spin, system.bodies.spin);
    EXPECT_EQ(frame.radius, system.bodies.radius);
    EXPECT_EQ(frame.mass, system.bodies.mass);
    EXPECT_EQ(frame.material, system.bodies.material);
    EXPECT_EQ(frame.force[1], system.bodies.acceleration[1] * system.bodies.mass[1]);
    EXPECT_EQ(frame.coordination, (std::vector<std::int32_t>{3, 3, 2, 0}));
    EXPECT_EQ(frame.stress, stress);
    ASSERT_EQ(frame.contacts.size(), 3U);
    const model::ContactSample expected = test::sample_contacts()[2];
    EXPECT_EQ(frame.contacts[2].a, expected.a);
    EXPECT_EQ(frame.contacts[2].b, expected.b);
    EXPECT_EQ(frame.contacts[2].wall, expected.wall);
    EXPECT_EQ(frame.contacts[2].force, expected.force);
    EXPECT_EQ(frame.contacts[2].normal, expected.normal);
    EXPECT_EQ(frame.contacts[2].point, expected.point);
    EXPECT_EQ(frame.contacts[2].overlap, expected.overlap);
    ASSERT_EQ(frame.walls.size(), 3U);
    EXPECT_EQ(frame.walls[1].name, system.walls[1].name);
    EXPECT_EQ(frame.walls[1].shape.kind, geometry::ShapeKind::tube);
    EXPECT_EQ(frame.walls[1].shape.b, 0.25);
    EXPECT_EQ(frame.walls[1].position, system.walls[1].pose.position);
    EXPECT_EQ(frame.walls[1].rotation, system.walls[1].pose.rotation);
    EXPECT_EQ(frame.walls[1].force, system.walls[1].record.force);
    EXPECT_EQ(frame.walls[1].torque, system.walls[1].record.torque);
    EXPECT_TRUE(frame.walls[1].present);
    EXPECT_FALSE(frame.walls[2].present);
    EXPECT_EQ(frame.walls[1].colour, system.walls[1].colour);
    EXPECT_EQ(frame.walls[1].opacity, system.walls[1].opacity);
    EXPECT_EQ(frame.materials.at(1).colour, system.materials.list.at(1).colour);
}

TEST(Frame, MayHoldNothing) {
    const tests::TemporaryFolder folder;
    write_frame(folder / "0.h5", {model::System{}, "", {}, {}});
    const FrameFile frame = read_frame(folder / "0.h5");
    EXPECT_TRUE(frame.id.empty());
    EXPECT_TRUE(frame.contacts.empty());
    EXPECT_TRUE(frame.walls.empty());
    EXPECT_TRUE(frame.stress.empty());
}

TEST(Frame, FindsTheGrainsOfSpheres) {
    FrameFile frame;
    frame.id = {2, 5, 9};
    EXPECT_EQ(row_of(frame.id, 5), 1U);
    EXPECT_FALSE(row_of(frame.id, 4));
    EXPECT_FALSE(row_of(frame.id, 10));
    EXPECT_TRUE(grain_rows_of_spheres(frame).empty());
    frame.sphere_grain = {9, 2, 9};
    EXPECT_EQ(grain_rows_of_spheres(frame), (std::vector<std::size_t>{2, 0, 2}));
    frame.sphere_grain = {7};
    EXPECT_THROW(grain_rows_of_spheres(frame), base::InputError);
}

TEST(Frame, RefusesWhatIsNotAFrame) {
    const tests::TemporaryFolder folder;
    save_checkpoint(folder / "checkpoint.h5", test::sample_system(), {});
    EXPECT_THAT([&] { read_frame(folder / "checkpoint.h5"); },
                ThrowsMessage<base::InputError>(HasSubstr("not a Talus frame")));
    write_frame(folder / "0.h5", {test::sample_system(), "", {}, {}});
    const std::string good = read_text_file(folder / "0.h5");
    write_text_file(folder / "0.h5", good.substr(0, good.size() / 2));
    EXPECT_THAT([&] { read_frame(folder / "0.h5"); }, ThrowsMessage<base::InputError>(HasSubstr("0.h5")));
    Hdf5File newer = Hdf5File::create();
    newer.set_attribute("format", "talus-frame");
    newer.set_attribute("version", std::int64_t{99});
    const auto image = newer.image();
    write_text_file(folder / "1.h5", {reinterpret_cast<const char*>(image.data()), image.size()});
    EXPECT_THAT([&] { read_frame(folder / "1.h5"); }, ThrowsMessage<base::InputError>(HasSubstr("format 99")));
    EXPECT_THROW(write_frame(folder / "0.h5" / "below.h5", {model::System{}, "", {}, {}}), base::RunError);
}

TEST(RunFolder, ListsAndDiscardsFramesByNumber) {
    const tests::TemporaryFolder folder;
    make_folder(folder / "frames");
    for (const std::int64_t index : {0, 2, 10, 1000000, 999999}) {
        write_text_file(frame_path(folder.path(), index), "x");
    }
    write_text_file(folder.path() / "frames" / "notes.h5", "x");
    write_text_file(folder.path() / "frames" / "000003.h5.tmp", "x");
    const auto names = [&] {
        std::vector<std::string> out;
        for (const auto& path : list_frames(folder.path())) {
            out.push_back(path.filename().string());
        }
        return out;
    };
    EXPECT_EQ(names(), (std::vector<std::string>{"000000.h5", "000002.h5", "000010.h5", "999999.h5", "1000000.h5"}));
    discard_frames_from(folder.path(), 10);
    EXPECT_EQ(names(), (std::vector<std::string>{"000000.h5", "000002.h5"}));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "frames" / "notes.h5"));
    EXPECT_TRUE(list_frames(folder / "nowhere").empty());
}

}  // namespace
}  // namespace talus::output
