#include "talus/scene/wall_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "talus/scene/file_fill_text.h"
#include "talus/scene/wall_file_keys.h"

namespace talus::scene {

namespace {

using namespace wall_file;

// PKDGRAV's own units, as its parameter files state them.
constexpr double astronomical_unit = 1.49597892e11;  // m
constexpr double year_over_2_pi = 5.0226355648e6;    // s

constexpr std::size_t most_reported = 20;  // a file of another kind would fill the screen

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

struct Token {
    std::string text;
    base::Location where;
    std::string comment;  // of its line, if it stands alone there
};

std::vector<Token> read_tokens(const std::string& file, base::Diagnostics& diagnostics) {
    FileFaults faults(file, "", diagnostics);
    LineReader reader(file, faults);
    std::vector<Token> tokens;
    while (reader.next()) {
        const std::size_t end = std::min(reader.line().find_first_of("#!"), reader.line().size());
        std::string line(reader.line().substr(0, end));
        std::replace_if(
            line.begin(), line.end(), [](char c) { return c == ',' || c == '='; }, ' ');
        const std::vector<Word> words = split_at_space(line);
        for (const Word& word : words) {
            tokens.push_back({std::string(word.text), {file, reader.number(), word.column}, ""});
        }
        if (words.size() == 1 && end < reader.line().size()) {
            tokens.back().comment = reader.line().substr(end + 1);
        }
    }
    return tokens;
}

/// Goes through the words in order; `defaults`, `wall` and the units change what later ones mean.
class WallFileReader {
public:
    WallFileReader(std::vector<Token> tokens, const FileUnits& units, base::Diagnostics& diagnostics)
        : tokens_(std::move(tokens)),
          units_(units),
          diagnostics_(diagnostics),
          length_unit_(units.length.value_or(astronomical_unit)),
          time_unit_(units.time.value_or(year_over_2_pi)) {
        // The format's defaults count in its own units, whatever factors the file has.
        defaults_.radius *= length_unit_;
        defaults_.length *= length_unit_;
        defaults_.vertex1 *= length_unit_;
        defaults_.vertex2 *= length_unit_;
    }

    std::vector<FileWall> read() {
        while (at_ < tokens_.size()) {
            if (diagnostics_.list().size() - warned_.size() >= most_reported) {
                diagnostics_.error(tokens_[at_].where, "", "the rest of the file was not read");
                break;
            }
            take();
        }
        if (walls_.empty() && !diagnostics_.has_errors()) {
            diagnostics_.error(tokens_.empty() ? base::Location{} : tokens_.front().where, "wall",
                               "the file has no wall", "at least one");
        }
        say_units();
        return std::move(walls_);
    }

private:
    /// A file without units is easily taken for one in metres and seconds.
    void say_units() {
        if (walls_.empty()) {
            return;
        }
        const base::Location whole{walls_.front().where.file, 0, 0};
        const bool moves = std::any_of(walls_.begin(), walls_.end(), [](const FileWall& wall) {
            return wall.velocity != Vec3d{} || wall.swing * wall.swing_rate != 0 || wall.spin != 0;
        });
        if (!units_.length && !has_length_unit_) {
            diagnostics_.warning(whole, "lengthunit", "is not in the file: lengths count in astronomical units");
        }
        if (!units_.time && !has_time_unit_ && moves) {
            diagnostics_.warning(whole, "timeunit", "is not in the file: times count in years / 2 pi");
        }
    }

    void take() {
        const Token& token = tokens_[at_++];
        const std::string key = key_of(token);
        if (key == "wall") {
            walls_.push_back(defaults_);
            walls_.back().where = token.where;
            walls_.back().name = token.comment;
            block_ = Block::wall;
        } else if (key == "defaults") {
            block_ = Block::defaults;
        } else if (key == "lengthunit" || key == "timeunit") {
            take_unit(token, key);
        } else if (key == "type") {
            take_type(token);
        } else if (const auto* number = find_key(number_keys, key)) {
            take_number(token, *number);
        } else if (const auto* vector = find_key(vector_keys, key)) {
            take_vector(token, *vector);
        } else if (const auto* other = find_key(other_keys, key)) {
            take_other(token, *other);
        } else {
            diagnostics_.error(token.where, token.text, "is no word of a wall file", "a keyword",
                               base::nearest_name(key, all_names()));
            while (at_ < tokens_.size() && to_number(tokens_[at_].text)) {
                ++at_;
            }
        }
    }

    static std::string key_of(const Token& token) {
        const std::string key = lower(token.text);
        return key == "colour" ? "color" : key == "trans" ? "transparency" : key;
    }

    /// What the words of a wall are for now; null, with a fault, if they are for nothing.
    FileWall* target(const Token& token) {
        if (block_ == Block::none) {
            diagnostics_.error(token.where, token.text, "belongs to no wall", "`wall` or `defaults` before it");
            return nullptr;
        }
        return block_ == Block::wall ? &walls_.back() : &defaults_;
    }

    std::optional<double> value(const Token& key) {
        if (at_ == tokens_.size() || is_known(key_of(tokens_[at_]))) {
            diagnostics_.error(key.where, key.text, "has no value behind it", "a number");
            return std::nullopt;
        }
        const Token& token = tokens_[at_++];
        const std::optional<double> number = to_number(token.text);
        if (!number || !std::isfinite(*number)) {
            diagnostics_.error(token.where, key.text, fmt::format("\"{}\" is not a number", token.text),
                               "a finite number");
            return std::nullopt;
        }
        return number;
    }

    std::optional<Vec3d> vector(const Token& key) {
        Vec3d out;
        for (int k = 0; k < 3; ++k) {
            const std::optional<double> number = value(key);
            if (!number) {
                return std::nullopt;
            }
            out[k] = *number;
        }
        return out;
    }

    double scale(Unit unit) const {
        switch (unit) {
            case Unit::length:
                return length_unit_;
            case Unit::speed:
                return length_unit_ / time_unit_;
            case Unit::rate:
                return 1 / time_unit_;
            case Unit::none:
                break;
        }
        return 1;
    }

    /// Units end the block of a wall, as they do in PKDGRAV.
    void take_unit(const Token& token, const std::string& key) {
        block_ = block_ == Block::wall ? Block::none : block_;
        const bool length = key == "lengthunit";
        (length ? has_length_unit_ : has_time_unit_) = true;
        const std::optional<double> factor = value(token);
        if (!factor) {
            return;
        }
        if (*factor <= 0) {
            diagnostics_.error(tokens_[at_ - 1].where, token.text, "is not positive", "a positive number");
        } else if (length ? units_.length : units_.time) {
            warn(token, "is not used: the unit was given on the command line");
        } else {
            (length ? length_unit_ : time_unit_) = *factor * (length ? astronomical_unit : year_over_2_pi);
        }
    }

    void take_type(const Token& token) {
        FileWall* wall = target(token);
        if (at_ == tokens_.size()) {
            diagnostics_.error(token.where, token.text, "has no value behind it", "a type of wall");
            return;
        }
        const Token& word = tokens_[at_++];
        const std::string type = lower(word.text) == "disc" ? "disk" : lower(word.text);
        if (std::find(types.begin(), types.end(), type) == types.end()) {
            diagnostics_.error(word.where, token.text, fmt::format("\"{}\" is no type of wall", word.text),
                               fmt::format("one of {}", fmt::join(types, ", ")),
                               base::nearest_name(type, {types.begin(), types.end()}));
        } else if (wall != nullptr) {
            wall->type = type;
        }
    }

    void take_number(const Token& token, const NumberKey& key) {
        FileWall* wall = target(token);
        const std::optional<double> number = value(token);
        if (!number) {
            return;
        }
        const bool whole = key.member != &FileWall::colour || *number == std::floor(*number);
        if ((*number < key.low || *number > key.high || !whole) && !(key.also != 0 && *number == key.also)) {
            diagnostics_.error(tokens_[at_ - 1].where, token.text, fmt::format("{} is out of bounds", *number),
                               key.expected);
        } else if (wall != nullptr) {
            wall->*key.member = *number * scale(key.unit);
        }
    }

    void take_vector(const Token& token, const VectorKey& key) {
        FileWall* wall = target(token);
        const std::optional<Vec3d> numbers = vector(token);
        if (numbers && key.not_zero && *numbers == Vec3d{}) {
            diagnostics_.error(token.where, token.text, "has no length", "a vector that is not zero");
        } else if (numbers && wall != nullptr) {
            wall->*key.member = *numbers * scale(key.unit);
        }
    }

    void take_other(const Token& token, const OtherKey& key) {
        for (int k = 0; k < key.values; ++k) {
            if (!value(token)) {
                return;
            }
        }
        warn(token, key.advice);
    }

    /// Once a word.
    void warn(const Token& token, const std::string& message) {
        if (warned_.insert(lower(token.text)).second) {
            diagnostics_.warning(token.where, token.text, message);
        }
    }

    enum class Block { none, defaults, wall };

    std::vector<Token> tokens_;
    const FileUnits& units_;
    base::Diagnostics& diagnostics_;
    double length_unit_;  // m
    double time_unit_;    // s
    bool has_length_unit_ = false, has_time_unit_ = false;
    std::size_t at_ = 0;  // the next word
    Block block_ = Block::none;
    FileWall defaults_;
    std::vector<FileWall> walls_;
    std::set<std::string> warned_;
};

}  // namespace

std::vector<FileWall> read_wall_file(const std::filesystem::path& file, const FileUnits& units,
                                     base::Diagnostics& diagnostics) {
    std::vector<Token> tokens = read_tokens(file.string(), diagnostics);
    if (diagnostics.has_errors()) {
        return {};
    }
    return WallFileReader(std::move(tokens), units, diagnostics).read();
}

}  // namespace talus::scene
