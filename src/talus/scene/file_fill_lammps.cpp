// Grains from a LAMMPS data file with atom_style sphere.
#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>

#include "talus/scene/file_fill.h"
#include "talus/scene/file_fill_text.h"

namespace talus::scene {

namespace {

constexpr const char* atom_line = "id type diameter density x y z, and at most three image flags";
constexpr const char* velocity_line = "id vx vy vz wx wy wz";

/// Reads section after section; atoms are found again by their id.
class LammpsReader {
public:
    LammpsReader(const std::string& path, FileFaults& faults) : faults_(faults), reader_(path, faults) {}

    std::vector<Grain> read() {
        while (reader_.next()) {
            std::string_view line = reader_.line();
            const std::size_t hash = line.find('#');
            const std::string_view comment = hash == std::string_view::npos ? "" : line.substr(hash + 1);
            const std::vector<Word> words = split_at_space(line.substr(0, hash));
            if (reader_.number() == 1 || words.empty()) {
                continue;  // the first line is a title whatever it says
            }
            if (std::isalpha(static_cast<unsigned char>(words[0].text[0])) != 0) {
                begin_section(words, comment);
            } else if (section_.empty()) {
                header(words);
            } else if (section_ == "Atoms") {
                atom(words);
            } else if (section_ == "Velocities") {
                velocity(words);
            }
        }
        if (reader_.opened()) {
            check_whole();
        }
        return std::move(grains_);
    }

private:
    void begin_section(const std::vector<Word>& words, std::string_view comment) {
        section_ = std::string(words[0].text);
        const std::vector<Word> style = split_at_space(comment);
        if (section_ == "Atoms") {
            seen_atoms_ = true;
            if (!style.empty() && style[0].text != "sphere") {
                faults_.error(reader_.number(), words[0].column, fmt::format("the atom style is \"{}\"", style[0].text),
                              "atom_style sphere");
            }
        }
    }

    void header(const std::vector<Word>& words) {
        if (words.size() == 2 && words[1].text == "atoms") {
            expected_ = static_cast<std::int64_t>(faults_.number(reader_.number(), words[0], "the number of atoms"));
        }
    }

    /// The id in the first word; -1 with an error if it is none.
    std::int64_t id_of(const Word& word) {
        std::int64_t id = -1;
        const auto [end, fault] = std::from_chars(word.text.data(), word.text.data() + word.text.size(), id);
        if (fault != std::errc() || end != word.text.data() + word.text.size() || id < 0) {
            faults_.error(reader_.number(), word.column, fmt::format("\"{}\" is not an atom id", word.text),
                          "a whole number");
            return -1;
        }
        return id;
    }

    void atom(const std::vector<Word>& words) {
        const int line = reader_.number();
        if (words.size() != 7 && words.size() != 10) {
            faults_.error(line, words.back().column, fmt::format("this atom has {} values", words.size()), atom_line);
            return;
        }
        const std::int64_t id = id_of(words[0]);
        if (id < 0) {
            return;
        }
        if (!index_.emplace(id, grains_.size()).second) {
            faults_.error(line, words[0].column, fmt::format("the atom id {} is there twice", id));
        }
        Grain grain;
        grain.radius = faults_.positive(line, words[2], "diameter") / 2;
        grain.density = faults_.positive(line, words[3], "density");
        grain.position = {faults_.number(line, words[4], "x"), faults_.number(line, words[5], "y"),
                          faults_.number(line, words[6], "z")};
        grains_.push_back(grain);
    }

    void velocity(const std::vector<Word>& words) {
        const int line = reader_.number();
        if (words.size() != 7) {
            faults_.error(line, words.back().column, fmt::format("this velocity has {} values", words.size()),
                          velocity_line);
            return;
        }
        const std::int64_t id = id_of(words[0]);
        if (id < 0) {
            return;
        }
        const auto found = index_.find(id);
        if (found == index_.end()) {
            faults_.error(line, words[0].column, fmt::format("no atom has the id {}", id));
            return;
        }
        Grain& grain = grains_[found->second];
        grain.velocity = {faults_.number(line, words[1], "vx"), faults_.number(line, words[2], "vy"),
                          faults_.number(line, words[3], "vz")};
        grain.spin = {faults_.number(line, words[4], "wx"), faults_.number(line, words[5], "wy"),
                      faults_.number(line, words[6], "wz")};
    }

    void check_whole() {
        if (!seen_atoms_) {
            faults_.error(reader_.number(), 1, "there is no Atoms section");
        } else if (expected_ >= 0 && expected_ != static_cast<std::int64_t>(grains_.size())) {
            faults_.error(reader_.number(), 1,
                          fmt::format("the header promises {} atoms, {} were read", expected_, grains_.size()));
        }
    }

    FileFaults& faults_;
    LineReader reader_;
    std::string section_;  // empty: still in the header
    bool seen_atoms_ = false;
    std::int64_t expected_ = -1;  // atoms, by the header
    std::vector<Grain> grains_;
    std::map<std::int64_t, std::size_t> index_;
};

}  // namespace

std::vector<Grain> read_lammps_data(const std::string& path, const std::string& key, base::Diagnostics& diagnostics) {
    FileFaults faults(path, key, diagnostics);
    return LammpsReader(path, faults).read();
}

}  // namespace talus::scene
