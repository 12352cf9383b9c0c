// Exports are read back by hand: VTK arrays and cells where their head says, LAMMPS dumps as their columns say.
#include "talus/output/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/run_folder.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"
#include "unit/output/vtk_reader.h"

namespace talus::output {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A run of two frames, the second with all grains moved.
void write_run(const std::filesystem::path& run) {
    make_folder(run / "frames");
    model::System system = test::sample_system();
    const std::vector<Stress> stress(4, Stress{1, 2, 3, 4, 5, 6});
    write_frame(frame_path(run, 0), {system, "Sand", test::sample_contacts(), stress});
    system.clock.steps += 1000;
    for (auto& position : system.bodies.position) {
        position.x += 0.5;
    }
    write_frame(frame_path(run, 1), {system, "Sand", {}, {}});
}

TEST(ExportVtk, WritesGrainsWithTrueSizes) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    const auto written = export_vtk(folder.path(), folder / "vtk");
    EXPECT_EQ(written.size(), 3U + 1U + 2U * 3U);
    EXPECT_EQ(written.front().filename(), "grains.pvd");
    for (const auto& path : written) {
        EXPECT_TRUE(std::filesystem::exists(path)) << path;
    }
    const model::Bodies bodies = test::sample_bodies();
    const test::VtpFile grains = test::read_vtp(folder.path() / "vtk" / "grains_000000.vtp");
    EXPECT_EQ(grains.counts.at("NumberOfPoints"), 4U);
    EXPECT_EQ(grains.counts.at("NumberOfVerts"), 4U);
    EXPECT_EQ(grains["Points/Points"].components, 3U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(grains["Points/Points"].values[3 * i], bodies.position[i].x);
        EXPECT_EQ(grains["PointData/radius"].values[i], bodies.radius[i]);
        EXPECT_EQ(grains["PointData/diameter"].values[i], 2 * bodies.radius[i]);
        EXPECT_EQ(grains["PointData/id"].values[i], static_cast<double>(bodies.id[i]));
        EXPECT_EQ(grains["PointData/velocity"].values[3 * i + 1], bodies.velocity[i].y);
        EXPECT_EQ(grains["PointData/speed"].values[i], math::norm(bodies.velocity[i]));
        EXPECT_EQ(grains["PointData/spin"].values[3 * i], bodies.spin[i].x);
        EXPECT_EQ(grains["PointData/force"].values[3 * i + 2], bodies.mass[i] * bodies.acceleration[i].z);
        EXPECT_EQ(grains["Verts/connectivity"].values[i], static_cast<double>(i));
        EXPECT_EQ(grains["Verts/offsets"].values[i], static_cast<double>(i + 1));
    }
    EXPECT_EQ(grains["PointData/stress"].components, 6U);
    EXPECT_EQ(grains["PointData/stress"].values[3], 6);  // VTK wants xy first of the three
    EXPECT_EQ(grains["PointData/material"].values[2], 1);
    const test::VtpFile second = test::read_vtp(folder.path() / "vtk" / "grains_000001.vtp");
    EXPECT_FALSE(second.arrays.contains("PointData/stress"));
}

TEST(ExportVtk, DrawsContactsAsLines) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    export_vtk(folder.path(), folder / "vtk");
    const test::VtpFile contacts = test::read_vtp(folder.path() / "vtk" / "contacts_000000.vtp");
    EXPECT_EQ(contacts.counts.at("NumberOfLines"), 3U);
    EXPECT_EQ(contacts.counts.at("NumberOfPoints"), 6U);
    EXPECT_EQ(contacts["PointData/force_magnitude"].values[0], std::sqrt(101.0));
    EXPECT_EQ(contacts["PointData/force_magnitude"].values[5], 25);
    EXPECT_EQ(contacts["CellData/normal_force"].values[0], 10);
    EXPECT_EQ(contacts["CellData/overlap"].values[2], 0.001);
    EXPECT_EQ(contacts["CellData/b"].values[2], -1);
    EXPECT_EQ(contacts["CellData/wall"].values, (std::vector<double>{-1, -1, 0}));
    const auto& points = contacts["Points/Points"].values;
    EXPECT_EQ(points[0], 0);     // centre of grain 2 ...
    EXPECT_EQ(points[3], 0.19);  // ... to the centre of grain 3
    EXPECT_EQ(points[12], 0.19);
    EXPECT_EQ(points[17], 0);  // down to the floor
    EXPECT_EQ(contacts["Lines/connectivity"].values, (std::vector<double>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(contacts["Lines/offsets"].values, (std::vector<double>{2, 4, 6}));
    EXPECT_EQ(test::read_vtp(folder.path() / "vtk" / "contacts_000001.vtp").counts.at("NumberOfLines"), 0U);
}

TEST(ExportVtk, DrawsContactsAcrossABorderToTheImage) {
    FrameFile frame;
    frame.id = {0, 1};
    frame.position = {{0.1, 0, 0}, {9.95, 0, 0}};
    frame.radius = {0.1, 0.1};
    frame.contacts = {{0, 1, -1, {1, 0, 0}, {-1, 0, 0}, {0.025, 0, 0}, 0.05}};
    const PolyData lines = contacts_as_vtk(frame);
    EXPECT_EQ(lines.points[0].x, 0.1);
    EXPECT_DOUBLE_EQ(lines.points[1].x, -0.075);
}

TEST(ExportVtk, WritesWallsThatArePresent) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    export_vtk(folder.path(), folder / "vtk");
    const test::VtpFile walls = test::read_vtp(folder.path() / "vtk" / "walls_000000.vtp");
    const auto& wall = walls["CellData/wall"].values;
    const std::size_t polys = walls.counts.at("NumberOfPolys");
    EXPECT_EQ(wall.size(), polys);
    EXPECT_EQ(walls["Polys/connectivity"].values.size(), 3 * polys);
    EXPECT_EQ(walls["Polys/offsets"].values.back(), static_cast<double>(3 * polys));
    EXPECT_EQ(std::count(wall.begin(), wall.end(), 0.0), 2);       // the floor: a rectangle
    EXPECT_EQ(std::count(wall.begin(), wall.end(), 1.0), 2 * 72);  // the drum
    EXPECT_EQ(std::count(wall.begin(), wall.end(), 2.0), 0);       // was removed
    EXPECT_EQ(walls["CellData/force"].values[3 * (polys - 1)], 1);
    for (const double point : walls["Polys/connectivity"].values) {
        EXPECT_LT(point, static_cast<double>(walls.counts.at("NumberOfPoints")));
    }
    // The floor is cut alike in both frames, though the grains moved.
    const test::VtpFile later = test::read_vtp(folder.path() / "vtk" / "walls_000001.vtp");
    EXPECT_EQ(later["Points/Points"].values, walls["Points/Points"].values);
}

TEST(ExportVtk, CollectsFramesOverTime) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    export_vtk(folder.path(), folder / "vtk");
    for (const std::string what : {"grains", "walls", "contacts"}) {
        const auto tags = test::parse_xml(read_text_file(folder.path() / "vtk" / (what + ".pvd")));
        ASSERT_EQ(tags.size(), 4U);
        EXPECT_EQ(tags[0].attributes.at("type"), "Collection");
        EXPECT_EQ(tags[2].attributes.at("file"), what + "_000000.vtp");
        EXPECT_EQ(tags[3].attributes.at("file"), what + "_000001.vtp");
        EXPECT_EQ(std::stod(tags[2].attributes.at("timestep")), read_frame(frame_path(folder.path(), 0)).time);
        EXPECT_EQ(std::stod(tags[3].attributes.at("timestep")), read_frame(frame_path(folder.path(), 1)).time);
    }
}

TEST(ExportVtk, TakesOneFrameAndRefusesTheRest) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    EXPECT_EQ(export_vtk(frame_path(folder.path(), 1), folder / "one").size(), 7U);
    EXPECT_THAT([&] { export_vtk(folder / "nowhere", folder / "x"); },
                ThrowsMessage<base::InputError>(HasSubstr("nowhere")));
    make_folder(folder / "empty");
    EXPECT_THAT([&] { export_vtk(folder / "empty", folder / "x"); },
                ThrowsMessage<base::InputError>(HasSubstr("no frames")));
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
    write_text_file(folder / "file", "");
    EXPECT_THROW(export_vtk(folder.path(), folder / "file"), base::RunError);
}

TEST(ExportLammps, ReadsBackAsADump) {
    const tests::TemporaryFolder folder;
    write_run(folder.path());
    export_lammps_dump(folder.path(), folder / "run.dump");
    std::istringstream dump(read_text_file(folder / "run.dump"));
    for (std::int64_t index = 0; index < 2; ++index) {
        const FrameFile frame = read_frame(frame_path(folder.path(), index));
        const auto line = [&] {
            std::string text;
            std::getline(dump, text);
            return text;
        };
        ASSERT_EQ(line(), "ITEM: TIMESTEP");
        EXPECT_EQ(std::stoll(line()), frame.step);
        ASSERT_EQ(line(), "ITEM: NUMBER OF ATOMS");
        ASSERT_EQ(line(), "4");
        ASSERT_EQ(line(), "ITEM: BOX BOUNDS pp ff ff");
        EXPECT_EQ(line(), "-1 10");
        for (int k = 1; k < 3; ++k) {  // open sides: finite, around the grains
            std::istringstream bounds(line());
            double low = 0, high = 0;
            bounds >> low >> high;
            EXPECT_LE(low, -0.1 + (k == 2 ? 0.1 : 0.0));
            EXPECT_EQ(high, 5.2);
        }
        ASSERT_EQ(line(), "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz fx fy fz radius mass");
        for (std::size_t i = 0; i < 4; ++i) {
            std::istringstream row(line());
            std::int64_t id = 0;
            int type = 0;
            row >> id >> type;
            EXPECT_EQ(id, frame.id[i]);
            EXPECT_EQ(type, frame.material[i] + 1);
            for (const Vec3d& v : {frame.position[i], frame.velocity[i], frame.spin[i], frame.force[i]}) {
                for (int k = 0; k < 3; ++k) {
                    double value = 0;
                    row >> value;
                    EXPECT_EQ(value, v[k]);
                }
            }
            double radius = 0, mass = 0;
            row >> radius >> mass;
            EXPECT_EQ(radius, frame.radius[i]);
            EXPECT_EQ(mass, frame.mass[i]);
            std::string rest;
            EXPECT_FALSE(row >> rest);
        }
    }
    std::string rest;
    EXPECT_FALSE(dump >> rest);
    EXPECT_THROW(export_lammps_dump(folder / "nowhere", folder / "x"), base::InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

}  // namespace
}  // namespace talus::output
