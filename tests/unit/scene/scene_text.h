// A small sound scene for tests to change.
#pragma once

#include <string>

namespace talus::scene {

/// One grain of 1 cm above a steel floor; line 1 is `[time]`. Tests append tables or replace text.
inline std::string sound_scene() {
    return R"([time]
end = 1
[gravity]
uniform = [0, 0, "-1 g0"]
[materials.grain]
density = "1 g/cm3"
[materials.steel]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 8e4
restitution = 0.8
[[walls]]
name = "floor"
shape = { disk = { radius = "50 cm" } }
material = "steel"
[[fill]]
material = "grain"
radius = "1 cm"
lattice = {}
count = 1
box = { low = [0, 0, "1 cm"], high = ["4 cm", "4 cm", "5 cm"] }
)";
}

/// The text with the first `what` replaced; a test whose text is not found must fail, so it comes back empty.
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? std::string() : text.replace(at, what.size(), with);
}

}  // namespace talus::scene
