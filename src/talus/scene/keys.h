// The one list of what a scene may say. Reading, error messages, docs/scene.md and docs/scene.schema.json all follow
// it.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "talus/base/dimension.h"

namespace talus::scene {

struct Table;

/// One way to write a value.
struct Form {
    enum class Kind {
        number,  // a TOML number in SI, or a string with a unit
        integer,
        boolean,
        text,
        choice,    // one of `words`
        relative,  // a multiple of another key, "2/7 kn"; `words` holds that key
        vector,    // three numbers of one dimension, or two in the plane; a component may be one of `words`
        list,      // an array whose entries have the form `element[0]`
        table,
        named,  // a table of tables under names of the user's choice
    };
    /// Angles are plain numbers in SI, so a turning rate and a frequency need telling apart: 1 Hz is 2 pi rad/s.
    enum class Turning { none, rate, frequency };
    /// What a vector means where the scene has two dimensions: a place or velocity lies in the plane, a turn is about
    /// z, a direction may be either.
    enum class Planar { inside, turn, direction };

    Kind kind = Kind::text;
    base::Dimension dimension;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false;  // `low` itself is not allowed
    Turning turning = Turning::none;
    Planar planar = Planar::inside;
    std::vector<std::string> words;
    const Table* table = nullptr;
    std::vector<Form> element;
    std::size_t least = 0;  // entries of a list
    std::size_t most = std::numeric_limits<std::size_t>::max();

    Form positive() const;      // > 0
    Form not_negative() const;  // >= 0
    Form between(double lowest, double highest) const;
    Form rate() const;       // an angular velocity
    Form frequency() const;  // cycles per second
    Form turn() const;       // a vector about whose direction something turns
    Form direction() const;  // a vector of which only the direction counts
    /// "a time (s)", "one of "x", "y"": for messages and the docs.
    std::string describe(int dimensions = 3) const;
};

Form number(base::Dimension dimension);
Form integer(double low);
Form boolean();
Form text();
Form choice(std::vector<std::string> words);
Form relative(std::string key);
Form vector(base::Dimension dimension, std::vector<std::string> words = {});
Form list(Form element, std::size_t least = 0, std::size_t most = std::numeric_limits<std::size_t>::max());
Form table(const Table& table);
Form named(const Table& table);

/// A key of a table.
struct Key {
    std::string name{};
    std::vector<Form> forms{};  // any one of them
    std::string doc{};          // one sentence
    std::string fallback{};     // the default as TOML text; empty: none
    std::string absent{};       // what happens without the key, where no single value says it; for the docs
    bool required = false;
    std::string example{};  // as TOML text; may be empty
};

struct Table {
    std::string id{};     // unique; names the table in docs and schema: "walls", "shape.disk"
    std::string title{};  // heading in the docs
    std::string doc{};
    std::vector<Key> keys{};
    /// Groups of which exactly one key must be given, or at most one.
    std::vector<std::vector<std::string>> exactly_one{}, at_most_one{};
    /// If not empty: the value of this key picks the table that holds all keys (the law of a contact).
    std::string selector{};
    std::vector<std::pair<std::string, const Table*>> variants{};

    const Key* find(std::string_view name) const;
    std::vector<std::string> names() const;
};

/// The whole scene.
const Table& scene_table();

// Its parts, for readers of one part and for the tables that share them.
const Table& contact_table();
const Table& grain_table();
const Table& wall_table();
const Table& shape_table();
const Table& shape_change_table();  // as a shape, but every key may be left out
const Table& motion_table();
const Table& free_table();
const Table& hinge_table();
const Table& servo_table();
const Table& fill_table();
const Table& stage_table();
const Table& measure_table();
const Table& fields_table();
const Table& forces_table();
/// charge, electric_dipole, magnetic_dipole: of a material or a fill.
std::vector<Key> moment_keys(const std::string& absent);
/// Keys that bound a region: box, ball, cylinder, circle, inside, outside, above, below.
std::vector<Key> region_keys();
/// The table with these keys added.
Table with_region(Table table);
/// A region on its own.
const Table& region_table();
/// `"2 m"` along z, or `{ x = …, y = …, z = … }`.
std::vector<Form> axis_bound_forms();

/// A key with its path from the root of the scene, `walls[].shape.disk.radius`; `*` stands for a name of the user's.
struct KeyPath {
    std::string path;
    const Key* key = nullptr;
    const Table* table = nullptr;  // that holds the key
};
std::vector<KeyPath> all_keys();

}  // namespace talus::scene
