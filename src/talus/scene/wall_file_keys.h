// The words of a PKDGRAV wall file: which member of a wall each sets, in which unit, and what it may be.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "talus/scene/wall_file.h"

namespace talus::scene::wall_file {

inline constexpr double no_limit = HUGE_VAL;

enum class Unit { none, length, speed, rate };

struct NumberKey {
    std::string_view name;
    double FileWall::*member;
    Unit unit = Unit::none;
    double low = -no_limit, high = no_limit;
    const char* expected = "a number";
    double also = 0;  // allowed beside the range
};
inline constexpr std::array number_keys = {
    NumberKey{"osc-ampl", &FileWall::swing, Unit::length},
    NumberKey{"osc-freq", &FileWall::swing_rate, Unit::rate},
    NumberKey{"osc-phase", &FileWall::swing_phase, Unit::none, 0, 1, "a part of a turn, 0 to 1"},
    NumberKey{"radius", &FileWall::radius, Unit::length, 0, no_limit, "a number that is not negative"},
    NumberKey{"hole-radius", &FileWall::hole, Unit::length, 0, no_limit, "a number that is not negative"},
    NumberKey{"length", &FileWall::length, Unit::length, 0, no_limit, "a number that is not negative"},
    NumberKey{"taper", &FileWall::taper, Unit::none, 0, 1, "a number from 0 to 1"},
    NumberKey{"open-angle", &FileWall::opening, Unit::none, 0, 180, "degrees from 0 to 180"},
    NumberKey{"ang-speed", &FileWall::spin, Unit::rate},
    NumberKey{"epsn", &FileWall::normal_restitution, Unit::none, -no_limit, 1,
              "a restitution up to 1, 0 for a sticky wall, less for an absorbing one, or 99 for the grains' own",
              grains_own},
    NumberKey{"epst", &FileWall::transverse_restitution, Unit::none, -1, 1,
              "a restitution from -1 to 1, or 99 for the grains' own", grains_own},
    NumberKey{"color", &FileWall::colour, Unit::none, 0, 255, "a whole number from 0 to 255"},
    NumberKey{"transparency", &FileWall::transparency, Unit::none, 0, 100, "a part, 0 to 1, or per cent up to 100"},
};

struct VectorKey {
    std::string_view name;
    Vec3d FileWall::*member;
    Unit unit = Unit::none;
    bool not_zero = false;
};
inline constexpr std::array vector_keys = {
    VectorKey{"origin", &FileWall::origin, Unit::length},
    VectorKey{"orient", &FileWall::orient, Unit::none, true},
    VectorKey{"vertex1", &FileWall::vertex1, Unit::length, true},
    VectorKey{"vertex2", &FileWall::vertex2, Unit::length, true},
    VectorKey{"velocity", &FileWall::velocity, Unit::speed},
    VectorKey{"osc-vec", &FileWall::swing_along, Unit::none, true},
};

/// Known to the format, but with no place in a wall of a scene: how many values follow, and what is said about it.
struct OtherKey {
    std::string_view name;
    int values;
    const char* advice;
};
inline constexpr const char* unused = "is not used";
inline constexpr const char* stepwise = "is not taken over: walls of a scene move smoothly";
inline constexpr const char* of_contacts = "is not taken over: it belongs to [[contacts]]";
inline constexpr const char* reactive = "is not taken over: a wall of a scene is driven by its motion alone";
inline constexpr std::array other_keys = {
    OtherKey{"time", 1, unused},
    OtherKey{"massunit", 1, unused},
    OtherKey{"step", 1, stepwise},
    OtherKey{"k_n", 1, of_contacts},
    OtherKey{"k_t", 1, of_contacts},
    OtherKey{"mu_s", 1, of_contacts},
    OtherKey{"mu_r", 1, of_contacts},
    OtherKey{"mu_t", 1, of_contacts},
    OtherKey{"beta_s", 1, of_contacts},
    OtherKey{"cohesion_model", 1, of_contacts},
    OtherKey{"cohesive_coeff", 1, of_contacts},
    OtherKey{"inner_overlap_boundary", 1, of_contacts},
    OtherKey{"k_n_outer", 1, of_contacts},
    OtherKey{"k_t_outer", 1, of_contacts},
    OtherKey{"k_n_inner", 1, of_contacts},
    OtherKey{"k_t_inner", 1, of_contacts},
    OtherKey{"mass", 1, reactive},
    OtherKey{"assembly", 1, reactive},
    OtherKey{"cog", 3, reactive},
    OtherKey{"rot-vec", 3, reactive},
    OtherKey{"ixj-vec", 3, reactive},
    OtherKey{"iyj-vec", 3, reactive},
    OtherKey{"izj-vec", 3, reactive},
    OtherKey{"pxj-vec", 3, reactive},
    OtherKey{"pyj-vec", 3, reactive},
    OtherKey{"pzj-vec", 3, reactive},
};

inline constexpr std::array<std::string_view, 7> types = {
    "plane", "triangle", "rectangle", "disk", "cylinder-infinite", "cylinder-finite", "shell"};

/// The entry of a table of keys, or null.
template <class Key, std::size_t n>
const Key* find_key(const std::array<Key, n>& keys, std::string_view name) {
    const auto* found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
    return found == keys.end() ? nullptr : found;
}

inline std::vector<std::string> all_names() {
    std::vector<std::string> names = {"wall", "defaults", "type", "lengthunit", "timeunit"};
    const auto add = [&](const auto& keys) {
        for (const auto& key : keys) {
            names.emplace_back(key.name);
        }
    };
    add(number_keys);
    add(vector_keys);
    add(other_keys);
    return names;
}

inline bool is_known(const std::string& name) {
    static const std::vector<std::string> names = all_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace talus::scene::wall_file
