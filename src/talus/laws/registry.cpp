#include "talus/laws/registry.h"

#include <algorithm>
#include <cstddef>

#include "talus/laws/entries.h"

namespace talus::laws {

namespace {

/// In the order of AllLaws (visit.h).
std::vector<LawInfo> make_registry() {
    std::vector<LawInfo> laws = entries::packed();
    for (const auto& family : {entries::papers(), entries::extended()}) {
        laws.insert(laws.end(), family.begin(), family.end());
    }
    return laws;
}

}  // namespace

const std::vector<LawInfo>& registry() {
    static const std::vector<LawInfo> laws = make_registry();
    return laws;
}

int find_law(std::string_view name) {
    const auto& laws = registry();
    for (std::size_t i = 0; i < laws.size(); ++i) {
        if (laws[i].name == name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

int form_of(int law, const ParameterValues& values) {
    const LawInfo& info = registry()[static_cast<std::size_t>(law)];
    const bool asked = std::any_of(info.parameters.begin(), info.parameters.end(), [&](const ParameterInfo& parameter) {
        return parameter.extra && values.contains(parameter.key);
    });
    return asked && !info.general.empty() ? find_law(info.general) : law;
}

double suggested_step(const LawInfo& law, const ParameterBlock& parameters, double mass, double radius, double speed) {
    return law.collision_time(parameters, mass, radius, speed) / 50;
}

}  // namespace talus::laws
