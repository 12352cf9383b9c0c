// `talus info` knows every file that Talus writes, and says plainly what it does not know.
#include "talus/output/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/checkpoint.h"
#include "talus/output/frame.h"
#include "talus/output/hdf5_file.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"
#include "temporary_folder.h"
#include "unit/model/sample_system.h"

namespace talus::output {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(Describe, KnowsARunFolderAndItsFiles) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path run = folder / "run";
    make_folder(run / "frames");
    const model::System system = test::sample_system();
    write_frame(frame_path(run, 0), {system, "Sand", test::sample_contacts(), {}});
    write_frame(frame_path(run, 1), {system, "Sand", {}, {}});
    save_checkpoint(checkpoint_path(run), system, {});
    SeriesWriter series(series_path(run), {"time", "kinetic"});
    series.add(std::vector<double>{0, 1});
    series.add(std::vector<double>{0.5, 1});
    Manifest manifest;
    manifest.title = "Sand";
    manifest.status = "finished";
    manifest.stages = {{"fill", 0, 1.5, "settled"}};
    manifest.warnings = {"mind the gap"};
    manifest.result = R"({"discharge": {"value": 13.571428571, "error": 0.25, "unit": "kg/s"},
                          "count": {"value": 7, "unit": ""}, "note": "steady", "odd": {"value": null, "unit": 3}})";
    write_manifest(manifest_path(run), manifest);
    const std::string hash = hash_text(model::state_hash(system));

    EXPECT_THAT(describe(run),
                AllOf(HasSubstr("Talus run"), HasSubstr("Sand"), HasSubstr("finished"),
                      HasSubstr("\"fill\" 0 to 1.5 s, ended by settled"), HasSubstr("mind the gap"),
                      HasSubstr("discharge: 13.5714 +- 0.25 kg/s"), HasSubstr("count: 7\n"), HasSubstr("note: steady"),
                      HasSubstr("odd: null\n"), HasSubstr("2, 000000.h5 to 000001.h5"), HasSubstr("4 grains"),
                      HasSubstr(hash), HasSubstr("2 rows")));
    EXPECT_THAT(describe(frame_path(run, 0)),
                AllOf(HasSubstr("Talus frame"), HasSubstr("step 123456789"), HasSubstr("0.1 to 0.2 m"),
                      HasSubstr("2 between grains, 1 with walls"), HasSubstr("2: \"gone\" (disk, removed)")));
    EXPECT_THAT(describe(checkpoint_path(run)), AllOf(HasSubstr("Talus checkpoint"), HasSubstr(hash)));
    EXPECT_THAT(describe(series_path(run)),
                AllOf(HasSubstr("Talus time series"), HasSubstr("0 to 0.5"), HasSubstr("time, kinetic")));
    EXPECT_THAT(describe(manifest_path(run)), AllOf(HasSubstr("Talus manifest"), HasSubstr("finished")));

    std::filesystem::resize_file(checkpoint_path(run), 1000);
    EXPECT_THAT(describe(run), HasSubstr("incomplete"));
    EXPECT_THAT([&] { describe(checkpoint_path(run)); }, ThrowsMessage<base::InputError>(HasSubstr("incomplete")));
    std::filesystem::remove(manifest_path(run));
    EXPECT_THAT(describe(run), AllOf(HasSubstr("Talus run"), Not(HasSubstr("finished")), HasSubstr("000001.h5")));
}

TEST(Describe, KnowsTheTableOfAProfile) {
    const tests::TemporaryFolder folder;
    write_text_file(folder / "flow.csv",
                    "r [m],z [m],volume [m3],samples,speed [m/s]\n0.1,0.5,2,7,\n0.3,0.5,2,7,1.5\n");
    EXPECT_THAT(describe(folder / "flow.csv"),
                AllOf(HasSubstr("Talus table"), HasSubstr("rows         2"), HasSubstr("samples,speed [m/s]")));
}

TEST(Describe, KnowsAScene) {
    const tests::TemporaryFolder folder;
    write_text_file(folder / "hopper.toml", "title = \"x\"\n");
    EXPECT_THAT(describe(folder / "hopper.toml"), HasSubstr("a scene"));
}

TEST(Describe, SaysWhatItDoesNotKnow) {
    const tests::TemporaryFolder folder;
    const auto refuses = [](const std::filesystem::path& path, const std::string& why) {
        EXPECT_THAT([&] { describe(path); },
                    ThrowsMessage<base::InputError>(AllOf(HasSubstr(path.string()), HasSubstr(why))));
    };
    refuses(folder / "nothing", "no such file");
    refuses(folder.path(), "not a Talus run folder");
    write_text_file(folder / "notes.txt", "hello");
    refuses(folder / "notes.txt", "not a file that Talus knows");
    write_text_file(folder / "data.csv", "name\nBob\n");
    refuses(folder / "data.csv", "not a number");
    write_text_file(folder / "data.json", "{}");
    refuses(folder / "data.json", "not a Talus manifest");
    write_text_file(folder / "rubbish.h5", "rubbish");
    refuses(folder / "rubbish.h5", "not an HDF5 file");
    Hdf5File other = Hdf5File::create();
    other.write("x", 1.0);
    const auto image = other.image();
    write_text_file(folder / "other.h5", {reinterpret_cast<const char*>(image.data()), image.size()});
    refuses(folder / "other.h5", "not one of Talus");
}

}  // namespace
}  // namespace talus::output
