// Files of grains: what is read, and every way a file can be wrong, with the place of the fault.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>

#include "talus/geometry/make_shape.h"
#include "talus/scene/file_fill.h"
#include "temporary_folder.h"
#include "unit/scene/fill_fixture.h"
#include "wall_of.h"

namespace talus::scene {
namespace {

using testing::HasSubstr;

/// Files that are read back.
class Readers : public testing::Test {
protected:
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return path(name);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// Messages of a file that must be refused, with the folder taken out.
    std::string refused(const std::string& file) const {
        base::Diagnostics diagnostics;
        read_grains(file, "fill[2].file", diagnostics);
        EXPECT_TRUE(diagnostics.has_errors()) << file;
        std::string text = diagnostics.text();
        const std::string prefix = folder_.path().string() + "/";
        for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
            text.erase(at, prefix.size());
        }
        return text;
    }
    static std::vector<Grain> accepted(const std::string& file) {
        base::Diagnostics diagnostics;
        std::vector<Grain> grains = read_grains(file, "fill[2].file", diagnostics);
        EXPECT_EQ(diagnostics.text(), "");
        return grains;
    }

    tests::TemporaryFolder folder_;
};

// --- CSV ----------------------------------------------------------------------------------------------------------

TEST_F(Readers, CsvWithAllColumnsInAnyOrder) {
    const auto grains = accepted(write("a.csv",
                                       "# a comment\n\n"
                                       "radius, x,y,z ,vx,vy,vz,wx,wy,wz,density\r\n"
                                       "0.5,1,2,3,4,5,6,7,8,9,2500\r\n"
                                       "\n"
                                       " 1e-2 ,-1,+2.5,\"3\",0,0,0,0,0,0,1\n"));
    ASSERT_EQ(grains.size(), 2U);
    EXPECT_EQ(grains[0].position, (Vec3d{1, 2, 3}));
    EXPECT_EQ(grains[0].velocity, (Vec3d{4, 5, 6}));
    EXPECT_EQ(grains[0].spin, (Vec3d{7, 8, 9}));
    EXPECT_EQ(grains[0].density, 2500);
    EXPECT_EQ(grains[1].position, (Vec3d{-1, 2.5, 3}));
    EXPECT_EQ(grains[1].radius, 0.01);
}

TEST_F(Readers, CsvWithTheLeastColumnsAndAByteOrderMark) {
    const auto grains = accepted(write("a.csv", "\xEF\xBB\xBF\"x\",\"y\",\"z\",\"radius\"\n1,2,3,4"));
    ASSERT_EQ(grains.size(), 1U);
    EXPECT_EQ(grains[0].density, 0);
    EXPECT_EQ(grains[0].velocity, Vec3d{});
}

TEST_F(Readers, CsvFaultsHaveLineAndColumn) {
    EXPECT_EQ(refused(write("a.csv", "x,y,z,radius\n1,2,3,4\n1, 2,oops,4\n")),
              "a.csv:3:6: error: fill[2].file: z \"oops\" is not a number; expected a number\n");
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,,4\n")), HasSubstr("a.csv:2:5: error: fill[2].file: z \"\""));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3m,4\n")), HasSubstr("a.csv:2:5: error"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\nnan,2,3,4\n")),
                HasSubstr("a.csv:2:1: error: fill[2].file: x \"nan\" is not finite"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3,inf\n")),
                HasSubstr("a.csv:2:7: error: fill[2].file: radius \"inf\" is not finite"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3,1e999\n")), HasSubstr("a.csv:2:7: error"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n\n1,2,3,0\n")),
                HasSubstr("a.csv:3:7: error: fill[2].file: radius \"0\" is not positive"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3,-4\n")), HasSubstr("radius \"-4\" is not positive"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius,density\n1,2,3,4,0\n")),
                HasSubstr("a.csv:2:9: error: fill[2].file: density"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3\n")),
                HasSubstr("a.csv:2:5: error: fill[2].file: this line has 3 fields, the header 4"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius\n1,2,3,4,5\n")), HasSubstr("has 5 fields"));
}

TEST_F(Readers, CsvHeaderFaults) {
    EXPECT_THAT(refused(write("a.csv", "x,z,vx\n1,2,3\n")),
                HasSubstr("a.csv:1:1: error: fill[2].file: the header has no column y, radius"));
    EXPECT_THAT(refused(write("a.csv", "x,y,z,radius,x\n1,2,3,4,5\n")),
                HasSubstr("a.csv:1:14: error: fill[2].file: the column \"x\" is there twice"));
    EXPECT_THAT(refused(write("a.csv", "1,2,3,4\n")), HasSubstr("no column x, y, z, radius"));
    EXPECT_THAT(refused(write("a.csv", "# nothing\n")), HasSubstr("there is no header line"));
    base::Diagnostics diagnostics;
    const auto grains = read_csv(write("a.csv", "id,x,y,z,radius\n7,1,2,3,4\n"), "k", diagnostics);
    EXPECT_EQ(grains.size(), 1U);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_THAT(diagnostics.text(), HasSubstr(":1:1: warning: k: the column \"id\" is ignored"));
}

TEST_F(Readers, CsvOfThePlaneNeedsNoZ) {
    base::Diagnostics diagnostics;
    const auto grains = read_csv(write("a.csv", "x,y,radius\n1,2,4\n"), "k", diagnostics, true);
    ASSERT_EQ(grains.size(), 1U);
    EXPECT_EQ(grains[0].position, (Vec3d{1, 2, 0}));
    EXPECT_FALSE(diagnostics.has_errors());
    read_csv(write("a.csv", "y,z,radius\n1,2,4\n"), "k", diagnostics, true);
    EXPECT_THAT(diagnostics.text(), HasSubstr("the header has no column x; expected a header such as x,y,radius"));
}

TEST_F(Readers, ManyFaultsAreCounted) {
    std::string text = "x,y,z,radius\n";
    for (int i = 0; i < 50; ++i) {
        text += "1,2,3,oops\n";
    }
    base::Diagnostics diagnostics;
    read_csv(write("a.csv", text), "k", diagnostics);
    EXPECT_EQ(diagnostics.list().size(), 21U);
    EXPECT_THAT(diagnostics.text(), HasSubstr("30 more faults in this file"));
}

TEST_F(Readers, FilesThatAreNotThere) {
    for (const char* name : {"none.csv", "none.data", "none.lmp", "none.h5"}) {
        EXPECT_THAT(refused(path(name)), HasSubstr(std::string(name) + ": error: fill[2].file: cannot read"));
    }
    std::filesystem::create_directories(folder_ / "folder.csv");
    EXPECT_THAT(refused(path("folder.csv")), HasSubstr("cannot read"));
    EXPECT_THAT(refused(write("empty.csv", "")), HasSubstr("there is no header line"));
    EXPECT_THAT(refused(write("empty.data", "")), HasSubstr("there is no Atoms section"));
    EXPECT_THAT(refused(write("grains.txt", "")), HasSubstr("the ending \".txt\" tells no format"));
}

// --- LAMMPS -------------------------------------------------------------------------------------------------------

const std::string lammps_header =
    "lattice start\n\n2 atoms\n1 atom types\n\n0 0.6 xlo xhi\n0 0.6 ylo yhi\n0 1 zlo zhi\n\n";

TEST_F(Readers, LammpsDataAsThePeersWriteIt) {
    const auto grains =
        accepted(write("a.data", lammps_header + "Atoms\n\n1 1 0.02 1000 0.1 0.2 0.3\n2 1 0.03 2000 0.4 0.5 0.6\n"
                                                 "\nVelocities\n\n2 1 2 3 4 5 6\n1 0.1 0.2 0.3 0 0 0\n"));
    ASSERT_EQ(grains.size(), 2U);
    EXPECT_EQ(grains[0].radius, 0.01);
    EXPECT_EQ(grains[0].position, (Vec3d{0.1, 0.2, 0.3}));
    EXPECT_EQ(grains[0].velocity, (Vec3d{0.1, 0.2, 0.3}));
    EXPECT_EQ(grains[1].density, 2000);
    EXPECT_EQ(grains[1].velocity, (Vec3d{1, 2, 3}));
    EXPECT_EQ(grains[1].spin, (Vec3d{4, 5, 6}));
}

TEST_F(Readers, LammpsStyleHintImageFlagsAndOtherSections) {
    const auto grains =
        accepted(write("a.lmp", lammps_header + "Masses\n\n1 5\n\nPair Coeffs # granular\n\n1 hooke 3\n\n"
                                                "Atoms # sphere\n\n7 1 2 1 0 0 0 0 0 -1\n9 1 2 1 5 5 5 0 0 0\n"));
    ASSERT_EQ(grains.size(), 2U);
    EXPECT_EQ(grains[1].position, (Vec3d{5, 5, 5}));
}

TEST_F(Readers, LammpsFaultsHaveLineAndColumn) {
    const auto with = [this](const std::string& rest) { return refused(write("a.data", lammps_header + rest)); };
    const std::string second = "2 1 0.03 2000 0.4 0.5 0.6\n";
    EXPECT_THAT(with("Atoms\n\n1 1 0.02 1000 0.1 x 0.3\n" + second),
                HasSubstr("a.data:12:19: error: fill[2].file: y \"x\" is not a number"));
    EXPECT_THAT(with("Atoms\n\n1 1 0 1000 0.1 0 0.3\n" + second),
                HasSubstr("a.data:12:5: error: fill[2].file: diameter \"0\" is not positive"));
    EXPECT_THAT(with("Atoms\n\n1 1 1 -2 0.1 0 0.3\n" + second), HasSubstr("density \"-2\" is not positive"));
    EXPECT_THAT(with("Atoms\n\n1 1 1 nan 0.1 0 0.3\n" + second), HasSubstr("density \"nan\" is not finite"));
    EXPECT_THAT(with("Atoms\n\n1 1 1 2 0.1 0\n" + second),
                HasSubstr("this atom has 6 values; expected id type diameter"));
    EXPECT_THAT(with("Atoms\n\n1.5 1 1 2 0.1 0 0\n" + second), HasSubstr("\"1.5\" is not an atom id"));
    EXPECT_THAT(with("Atoms\n\n" + second + second),
                HasSubstr("a.data:13:1: error: fill[2].file: the atom id 2 is there twice"));
    EXPECT_THAT(with("Atoms\n\n" + second), HasSubstr("the header promises 2 atoms, 1 were read"));
    EXPECT_THAT(with("Atoms # atomic\n\n" + second),
                HasSubstr("the atom style is \"atomic\"; expected atom_style sphere"));
    EXPECT_THAT(with(""), HasSubstr("there is no Atoms section"));
    EXPECT_THAT(with("Atoms\n\n" + second + "1 1 1 1 1 1 1\n\nVelocities\n\n3 1 1 1 0 0 0\n"),
                HasSubstr("a.data:17:1: error: fill[2].file: no atom has the id 3"));
    EXPECT_THAT(with("Atoms\n\n" + second + "1 1 1 1 1 1 1\n\nVelocities\n\n1 1 1 1\n"),
                HasSubstr("this velocity has 4 values"));
}

// --- HDF5 ---------------------------------------------------------------------------------------------------------

void put(hid_t file, const char* name, hid_t type, std::vector<hsize_t> extent, const void* data) {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

template <class Write>
std::string make_h5(const std::string& path, Write write) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write(file);
    H5Fclose(file);
    return path;
}

const std::vector<double> two_positions = {1, 2, 3, 4, 5, 6};
const std::vector<double> two_values = {0.5, 0.25};

TEST_F(Readers, FrameRoundTrip) {
    const std::string file = make_h5(path("a.h5"), [](hid_t f) {
        const std::vector<double> velocity = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
        const std::vector<float> spin = {7, 8, 9, 10, 11, 12};  // single precision is read too
        const std::vector<double> mass = {3, 1.0 / 3};
        const std::vector<int> material = {0, 1};
        put(f, "particles/position", H5T_NATIVE_DOUBLE, {2, 3}, two_positions.data());
        put(f, "particles/velocity", H5T_NATIVE_DOUBLE, {2, 3}, velocity.data());
        put(f, "particles/spin", H5T_NATIVE_FLOAT, {2, 3}, spin.data());
        put(f, "particles/radius", H5T_NATIVE_DOUBLE, {2}, two_values.data());
        put(f, "particles/mass", H5T_NATIVE_DOUBLE, {2}, mass.data());
        put(f, "particles/material", H5T_NATIVE_INT, {2}, material.data());
    });
    model::System system = bare_system();
    FillSpec spec = spec_in({}, FileFill{file}, FixedSize{});
    EXPECT_EQ(fill(spec, system), "");
    ASSERT_EQ(system.bodies.size(), 2U);
    EXPECT_EQ(system.bodies.position[1], (Vec3d{4, 5, 6}));
    EXPECT_EQ(system.bodies.velocity[1], (Vec3d{0.4, 0.5, 0.6}));
    EXPECT_EQ(system.bodies.spin[1], (Vec3d{10, 11, 12}));
    EXPECT_EQ(system.bodies.radius[1], 0.25);
    EXPECT_EQ(system.bodies.mass[1], 1.0 / 3);
    EXPECT_EQ(system.bodies.inertia[1], 0.4 * (1.0 / 3) * 0.25 * 0.25);
}

TEST_F(Readers, FrameFaults) {
    EXPECT_THAT(refused(write("a.h5", "not at all")), HasSubstr("this is not an HDF5 file"));
    EXPECT_THAT(refused(make_h5(path("a.h5"), [](hid_t) {})), HasSubstr("there is no /particles/position"));
    const auto with = [this](std::vector<hsize_t> shape, const std::vector<double>& radius,
                             const char* extra = nullptr) {
        return refused(make_h5(path("a.h5"), [&](hid_t f) {
            put(f, "particles/position", H5T_NATIVE_DOUBLE, shape, two_positions.data());
            if (!radius.empty()) {
                put(f, "particles/radius", H5T_NATIVE_DOUBLE, {radius.size()}, radius.data());
            }
            if (extra != nullptr) {
                put(f, extra, H5T_NATIVE_DOUBLE, {2}, two_values.data());
            }
        }));
    };
    EXPECT_THAT(with({2, 3}, {}), HasSubstr("there is no /particles/radius"));
    EXPECT_THAT(with({3, 2}, two_values),
                HasSubstr("/particles/position has the wrong shape; expected 3 numbers a grain"));
    EXPECT_THAT(with({6}, two_values), HasSubstr("/particles/position has the wrong shape"));
    EXPECT_THAT(with({2, 3}, {1, 2, 3}), HasSubstr("/particles/radius has 3 rows, /particles/position 2"));
    EXPECT_THAT(with({2, 3}, {1, -2}), HasSubstr("/particles/radius: row 1 holds -2, which is not positive"));
    EXPECT_THAT(with({2, 3}, {std::nan(""), 1}), HasSubstr("/particles/radius: row 0 holds nan, which is not finite"));
    EXPECT_THAT(with({2, 3}, two_values, "particles/velocity"), HasSubstr("/particles/velocity has the wrong shape"));
}

// --- as fills -----------------------------------------------------------------------------------------------------

TEST_F(Readers, FileFillTakesGrainsAsTheyAre) {
    const std::string file = write("a.csv",
                                   "x,y,z,radius,vx,density\n"
                                   "0,0,0,1,3,100\n"
                                   "0.5,0,0,1,4,200\n"   // overlaps the first
                                   "10.2,0,0,1,5,300\n"  // a period away
                                   "5,0,7,1,6,400\n");   // outside the domain
    model::System system = bare_system();
    system.domain.low = {-5, -5, -5};
    system.domain.high = {5, 5, 5};
    system.domain.periodic = {true, false, false};
    FillSpec spec = spec_in({}, FileFill{file}, FixedSize{});
    spec.velocity = {1, 0, 0};
    EXPECT_THAT(fill(spec, system), HasSubstr("1 of the 4 grains of the file lie outside"));
    ASSERT_EQ(system.bodies.size(), 3U);
    EXPECT_EQ(system.bodies.velocity[1], (Vec3d{5, 0, 0}));
    EXPECT_NEAR(system.bodies.position[2].x, 0.2, 1e-12);
    EXPECT_NEAR(system.bodies.mass[2], 300 * 4.0 / 3.0 * std::numbers::pi, 1e-9);
    spec.count = 2;
    model::System two = bare_system();
    fill(spec, two);
    EXPECT_EQ(two.bodies.size(), 2U);
    spec.count = 9;
    EXPECT_THAT(fault_of(spec), HasSubstr("room for 4 of the 9"));
    spec.count.reset();
    spec.region.parts = {model::Ball{{0, 0, 0}, 1.2}};
    model::System region = bare_system();
    EXPECT_THAT(fill(spec, region), HasSubstr("3 of the 4 grains"));
    EXPECT_EQ(region.bodies.size(), 1U);
}

TEST_F(Readers, FileFillTellsWhatOverlaps) {
    model::System system = bare_system();
    system.walls.push_back(tests::wall_of(geometry::make_plane({0, 0, -1}, {0, 0, 1})));
    EXPECT_EQ(fill(spec_in({}, FileFill{write("a.csv", "x,y,z,radius\n0,0,0,1\n1.96,0,0,1\n")}, FixedSize{}), system),
              "")
        << "as deep as contacts of a bed may be";
    const std::string told =
        fill(spec_in({},
                     FileFill{write("b.csv",
                                    "x,y,z,radius\n0,1.5,0,1\n"   // beside the first of those already there
                                    "9,0,5,1\n9,0,5.2,0.5\n"      // one within another
                                    "20,0,-0.5,1\n30,0,0,1\n")},  // through the wall; in order
                     FixedSize{}),
             system);
    EXPECT_THAT(told, HasSubstr("2 of the 5 grains overlap others by more than 0.05 radii, by 2.6 radii at most "
                                "(grain 3 of the file)"));
    EXPECT_THAT(told, HasSubstr("1 of the 5 grains reach into a wall by more than 0.05 radii"));
}

TEST_F(Readers, FileFillWithoutGrainsOrWithFaultsAddsNothing) {
    EXPECT_THAT(fault_of(spec_in({}, FileFill{write("a.csv", "x,y,z,radius\n")}, FixedSize{})),
                HasSubstr("not a single grain"));
    EXPECT_THAT(fault_of(spec_in({}, FileFill{write("a.csv", "x,y,z,radius\n1,1,1,1\n2,2,2,oops\n")}, FixedSize{})),
                HasSubstr("a.csv:3:7: error: fill[0]: radius"));
}

TEST_F(Readers, DensityOfTheMaterialWhereTheFileHasNone) {
    model::System system = bare_system();
    fill(spec_in({}, FileFill{write("a.csv", "x,y,z,radius\n0,0,0,1\n")}, FixedSize{}), system);
    EXPECT_NEAR(system.bodies.mass[0], 2000 * 4.0 / 3.0 * std::numbers::pi, 1e-9);
}

}  // namespace
}  // namespace talus::scene
