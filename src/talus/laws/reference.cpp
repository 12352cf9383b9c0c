#include "talus/laws/reference.h"

#include <fmt/format.h>

#include "talus/laws/registry.h"

namespace talus::laws {

std::string reference_markdown() {
    std::string text =
        "# Contact laws\n\n"
        "<!-- Written by `talus docs laws` from the registry in src/talus/laws/entries_*.cpp: change it there. -->\n\n"
        "A `[[contacts]]` entry names a law and its parameters for a pair of materials (see [scene.md](scene.md)). A "
        "law "
        "is put together from parts: a normal spring and dashpot, a tangential spring with its history and Coulomb "
        "limit, rolling and twisting friction. The packed engine of plain spheres runs `hooke` and `hertz`; the "
        "general "
        "engine runs all. Here $x$ is the overlap, $n$ the unit vector from one grain to the "
        "other, "
        "$u$ the relative velocity of the surfaces at the contact point, $\\mu$ the reduced mass.\n";
    for (const LawInfo& law : registry()) {
        if (!law.variant_of.empty()) {
            continue;
        }
        text += fmt::format("\n## `{}`\n\n{}\n\n{}\n\n| key | default | what it is |\n| --- | --- | --- |\n", law.name,
                            law.summary, law.formula);
        for (const ParameterInfo& p : law.parameters) {
            const std::string fallback = p.default_value ? fmt::format("{}", *p.default_value) : "";
            text += fmt::format("| `{}` | {} | {} |\n", p.key, fallback, p.doc);
        }
    }
    return text;
}

}  // namespace talus::laws
