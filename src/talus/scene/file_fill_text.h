// Shared by the readers of text files: lines cut into words that know their column, and faults with their place.
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "talus/base/diagnostics.h"

namespace talus::scene {

struct Word {
    std::string_view text;
    int column = 0;  // 1-based
};

std::vector<Word> split_at_space(std::string_view line);
/// Fields between commas, without the blanks and the double quotes around them.
std::vector<Word> split_at_comma(std::string_view line);

/// The number a whole word stands for, whatever the locale.
std::optional<double> to_number(std::string_view text);

/// Reports the faults of one file; after the first few it only counts.
class FileFaults {
public:
    FileFaults(std::string path, std::string key, base::Diagnostics& diagnostics)
        : path_(std::move(path)), key_(std::move(key)), diagnostics_(diagnostics) {}
    ~FileFaults();
    FileFaults(const FileFaults&) = delete;
    FileFaults& operator=(const FileFaults&) = delete;

    void error(int line, int column, const std::string& message, const std::string& expected = {});
    void warning(int line, int column, const std::string& message);
    /// A finite number, or an error that names `what`.
    double number(int line, const Word& word, std::string_view what);
    /// A finite number above zero, or an error that names `what`.
    double positive(int line, const Word& word, std::string_view what);

private:
    static constexpr int most_reported = 20;
    std::string path_;
    std::string key_;
    base::Diagnostics& diagnostics_;
    int count_ = 0;
};

/// The lines of a text file, numbered from 1; line ends of any kind.
class LineReader {
public:
    LineReader(const std::string& path, FileFaults& faults);
    bool opened() const { return opened_; }
    bool next();
    std::string_view line() const { return line_; }
    int number() const { return number_; }

private:
    std::ifstream file_;
    bool opened_ = false;
    std::string line_;
    int number_ = 0;
};

}  // namespace talus::scene
