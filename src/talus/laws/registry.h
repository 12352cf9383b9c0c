// The list of contact laws. Scene parsing, checkpoints and the docs page derive from it: a new law is one header with
// its physics, one entry in registry.cpp, one test file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "talus/base/dimension.h"
#include "talus/laws/parameter_block.h"

namespace talus::laws {

/// One parameter as a scene writes it in a [[contacts]] entry.
struct ParameterInfo {
    std::string key;  // "kn", or dotted for a sub-table: "friction.static"
    base::Dimension dimension;
    std::string doc;                      // one sentence, unit included
    std::optional<double> default_value;  // absent: the parameter may stay unset (`derive` says if one is needed)
    double low = 0;                       // smallest allowed value
    double high = 1e300;                  // largest allowed value
    std::string relative_to;              // non-empty: may be written as a multiple of that key, `kt = "2/7 kn"`
    bool stiffness = false;               // the normal one: a scene may work it out from speed, depth or sound
    bool extra = false;                   // if given, the law's `general` form is meant
};

/// Why a set of parameters cannot be used.
struct ParameterFault {
    std::string key;
    std::string message;
    std::string expected;
};

using ParameterValues = std::map<std::string, double, std::less<>>;  // SI; only what was given, plus defaults
/// Not a parameter of any law but of all: 2 where the grains are discs. Absent: 3.
inline constexpr std::string_view dimensions_value = "dimensions";

struct LawInfo {
    std::string name;     // as in `law = "hooke"`
    std::string summary;  // one sentence
    std::string formula;  // Markdown, for the docs page
    std::vector<ParameterInfo> parameters;
    int history_size = 0;  // doubles
    /// Checks the values and turns them into the law's own parameters.
    ParameterBlock (*derive)(const ParameterValues&, std::vector<ParameterFault>&) = nullptr;
    /// Duration of a two-body collision (s): reduced mass (kg), effective radius (m), impact speed (m/s).
    double (*collision_time)(const ParameterBlock&, double mass, double radius, double speed) = nullptr;
    /// Longest step (s) at which a two-body collision is integrated without growth of energy.
    double (*stable_step)(const ParameterBlock&, double mass, double radius, double speed) = nullptr;
    /// Largest overlap (m) in a head-on collision without damping.
    double (*largest_overlap)(const ParameterBlock&, double mass, double radius, double speed) = nullptr;
    /// Overlap (m) at which the normal force balances `force` (N).
    double (*overlap_under)(const ParameterBlock&, double radius, double force) = nullptr;
    bool packed = false;       // the packed engine runs it; the general engine runs all
    std::string general{};     // of a packed law: the law that does the same and has the extra parts too
    std::string variant_of{};  // of such a law: the name under which scenes ask for it
};

const std::vector<LawInfo>& registry();
/// Index of a law by name, or -1.
int find_law(std::string_view name);
/// The law itself, or its general form where the values ask for a part that only that one has.
int form_of(int law, const ParameterValues& values);

/// Eq. 39 of SSDEM: a fiftieth of a collision.
double suggested_step(const LawInfo& law, const ParameterBlock& parameters, double mass, double radius, double speed);

}  // namespace talus::laws
