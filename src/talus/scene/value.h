// A scene after the list of keys has been held against it: every value typed, in SI, in range, with its place in the
// file. Defaults of keys that were left out are filled in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/math/vec3.h"
#include "talus/scene/keys.h"

namespace talus::scene {

using math::Vec3d;

struct Member;

struct Value {
    enum class Kind { faulty, number, integer, boolean, text, relative, vector, list, table };

    Kind kind = Kind::faulty;
    bool given = true;     // false: a default
    bool complete = true;  // false: a fault was reported here or below
    base::Location where;
    std::string key;    // full path, "walls[1].shape.disk.hole"
    double number = 0;  // SI; the multiple of a relative value
    std::int64_t integer = 0;
    bool boolean = false;
    std::string text;  // also the key a relative value refers to
    Vec3d vector;      // SI; a component written as a word is NaN
    std::vector<Value> items;
    std::vector<Member> members;

    /// The member, or null where it is absent or was at fault.
    const Value* find(std::string_view name) const;
    /// Whether the file itself gives the member, faulty or not.
    bool has(std::string_view name) const;
    /// The member, or the table itself where it is absent or was at fault: a place to point at.
    const Value& at(std::string_view name) const;
    // What a member says, or the second argument where it is absent or was at fault.
    double number_or(std::string_view name, double otherwise) const;
    Vec3d vector_or(std::string_view name, const Vec3d& otherwise) const;
    std::string text_or(std::string_view name, const std::string& otherwise) const;
    bool boolean_or(std::string_view name, bool otherwise) const;
    std::int64_t integer_or(std::string_view name, std::int64_t otherwise) const;
    /// The entries of a list member; empty where absent.
    const std::vector<Value>& list(std::string_view name) const;
};

/// A name and its value: what std::pair would be, which clang cannot complete inside the type it holds.
struct Member {
    Member(std::string name, Value value) : first(std::move(name)), second(std::move(value)) {}
    std::string first;
    Value second;
};

/// Parses TOML, applies `overrides` ("dotted.key=value"), and holds the list of keys against the result. `applied` gets
/// the TOML with the overrides in it. Faults go to `diagnostics`.
Value read_scene(std::string_view toml, const std::string& file, const std::vector<std::string>& overrides,
                 std::string& applied, base::Diagnostics& diagnostics);

}  // namespace talus::scene
