#include "talus/scene/file_fill_text.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

namespace talus::scene {

namespace {

constexpr std::string_view blanks = " \t\r";

}  // namespace

std::vector<Word> split_at_space(std::string_view line) {
    std::vector<Word> words;
    std::size_t at = line.find_first_not_of(blanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::vector<Word> split_at_comma(std::string_view line) {
    std::vector<Word> words;
    std::size_t begin = 0;
    while (true) {
        const std::size_t comma = std::min(line.find(',', begin), line.size());
        const std::string_view field = line.substr(begin, comma - begin);
        const std::size_t first = field.find_first_not_of(blanks);
        if (first == std::string_view::npos) {
            words.push_back({{}, static_cast<int>(begin) + 1});
        } else {
            std::string_view text = field.substr(first, field.find_last_not_of(blanks) - first + 1);
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
                text = text.substr(1, text.size() - 2);
            }
            words.push_back({text, static_cast<int>(begin + first) + 1});
        }
        if (comma == line.size()) {
            return words;
        }
        begin = comma + 1;
    }
}

std::optional<double> to_number(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

FileFaults::~FileFaults() {
    if (count_ > most_reported) {
        diagnostics_.error({path_, 0, 0}, key_, fmt::format("{} more faults in this file", count_ - most_reported));
    }
}

void FileFaults::error(int line, int column, const std::string& message, const std::string& expected) {
    if (++count_ <= most_reported) {
        diagnostics_.error({path_, line, column}, key_, message, expected);
    }
}

void FileFaults::warning(int line, int column, const std::string& message) {
    diagnostics_.warning({path_, line, column}, key_, message);
}

double FileFaults::number(int line, const Word& word, std::string_view what) {
    const std::optional<double> value = to_number(word.text);
    if (!value) {
        error(line, word.column, fmt::format("{} \"{}\" is not a number", what, word.text), "a number");
        return 0;
    }
    if (!std::isfinite(*value)) {
        error(line, word.column, fmt::format("{} \"{}\" is not finite", what, word.text), "a finite number");
        return 0;
    }
    return *value;
}

double FileFaults::positive(int line, const Word& word, std::string_view what) {
    const std::optional<double> value = to_number(word.text);
    if (value && std::isfinite(*value) && *value <= 0) {
        error(line, word.column, fmt::format("{} \"{}\" is not positive", what, word.text), "a positive number");
        return 1;
    }
    return number(line, word, what);
}

LineReader::LineReader(const std::string& path, FileFaults& faults) : file_(path, std::ios::binary) {
    std::error_code ignored;
    opened_ = file_.good() && !std::filesystem::is_directory(path, ignored);
    if (!opened_) {
        faults.error(0, 0, fmt::format("cannot read \"{}\"", path), "a file that exists and may be read");
    }
}

bool LineReader::next() {
    if (!opened_ || !std::getline(file_, line_)) {
        return false;
    }
    ++number_;
    if (number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) {
        line_.erase(0, 3);  // the byte-order mark of some spreadsheets
    }
    return true;
}

}  // namespace talus::scene
