// The series reads back exactly, and a resumed file equals one that was never interrupted.
#include "talus/output/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "temporary_folder.h"

namespace talus::output {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::vector<std::string> columns = {"time", "kinetic", "force on \"a, b\""};

std::vector<double> row_at(int i) {
    return {0.1 * i, 1.0 / (i + 3), i % 2 == 0 ? -0.0 : 1e-310};
}

TEST(Series, ReadsBackExactly) {
    const tests::TemporaryFolder folder;
    SeriesWriter writer(folder / "series.csv", columns);
    for (int i = 0; i < 20; ++i) {
        writer.add(row_at(i));
    }
    writer.sync();
    EXPECT_EQ(writer.rows(), 20);
    const Series series = read_series(folder / "series.csv");
    EXPECT_EQ(series.columns, columns);
    ASSERT_EQ(series.rows.size(), 20U);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(series.rows[static_cast<std::size_t>(i)], row_at(i));
    }
    EXPECT_TRUE(std::signbit(series.rows[0][2]));
    EXPECT_EQ(series.column("kinetic")[4], 1.0 / 7);
    EXPECT_THAT([&] { series.column("kinetik"); }, ThrowsMessage<base::InputError>(HasSubstr("kinetic")));
}

TEST(Series, UsesTheShortestForm) {
    const tests::TemporaryFolder folder;
    SeriesWriter writer(folder / "series.csv", {"a", "b", "c"});
    writer.add(std::vector<double>{0.1, 1e22, std::nan("")});
    EXPECT_EQ(read_text_file(folder / "series.csv"), "a,b,c\n0.1,1e+22,nan\n");
    EXPECT_TRUE(std::isnan(read_series(folder / "series.csv").rows[0][2]));
}

TEST(Series, ResumedFileEqualsAnUninterruptedOne) {
    const tests::TemporaryFolder folder;
    SeriesWriter whole(folder / "whole.csv", columns);
    {
        SeriesWriter first(folder / "cut.csv", columns);
        for (int i = 0; i < 14; ++i) {  // ran on after the checkpoint at row 10, then died in the middle of a row
            first.add(row_at(i));
        }
    }
    std::ofstream(folder / "cut.csv", std::ios::app) << "1.4,0.0";
    SeriesWriter second = SeriesWriter::resume(folder / "cut.csv", columns, 10);
    EXPECT_EQ(second.rows(), 10);
    for (int i = 0; i < 30; ++i) {
        whole.add(row_at(i));
        if (i >= 10) {
            second.add(row_at(i));
        }
    }
    EXPECT_EQ(second.rows(), 30);
    EXPECT_EQ(read_text_file(folder / "cut.csv"), read_text_file(folder / "whole.csv"));
}

TEST(Series, RefusesToResumeWhatDoesNotFit) {
    const tests::TemporaryFolder folder;
    {
        SeriesWriter writer(folder / "series.csv", columns);
        writer.add(row_at(0));
    }
    std::ofstream(folder / "series.csv", std::ios::app) << "1,2,3";  // no line end: not a whole row
    const std::string before = read_text_file(folder / "series.csv");
    EXPECT_THROW(SeriesWriter::resume(folder / "series.csv", {"time", "other"}, 0), base::InputError);
    EXPECT_THAT([&] { SeriesWriter::resume(folder / "series.csv", columns, 2); },
                ThrowsMessage<base::InputError>(HasSubstr("holds 1 rows")));
    EXPECT_THROW(SeriesWriter::resume(folder / "missing.csv", columns, 0), base::InputError);
    EXPECT_EQ(read_text_file(folder / "series.csv"), before);
    EXPECT_EQ(read_series(folder / "series.csv").rows.size(), 1U);
}

TEST(Series, ReportsFaults) {
    const tests::TemporaryFolder folder;
    EXPECT_THROW(SeriesWriter("/dev/full", columns), base::RunError);
    EXPECT_THROW(SeriesWriter(folder / "no" / "series.csv", columns), base::RunError);
    SeriesWriter writer(folder / "series.csv", columns);
    EXPECT_THROW(writer.add(std::vector<double>{1, 2}), base::RunError);
    write_text_file(folder / "words.csv", "time\nsoon\n");
    EXPECT_THAT([&] { read_series(folder / "words.csv"); }, ThrowsMessage<base::InputError>(HasSubstr("words.csv:2")));
    write_text_file(folder / "ragged.csv", "a,b\n1,2\n1\n");
    EXPECT_THROW(read_series(folder / "ragged.csv"), base::InputError);
    write_text_file(folder / "empty.csv", "");
    EXPECT_THROW(read_series(folder / "empty.csv"), base::InputError);
}

}  // namespace
}  // namespace talus::output
