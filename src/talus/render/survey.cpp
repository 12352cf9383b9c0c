#include "talus/render/survey.h"

#include <fmt/format.h>

#include <algorithm>

#include "talus/base/diagnostics.h"
#include "talus/render/cut.h"
#include "talus/render/force_lines.h"

namespace talus::render {
namespace {

/// Not more numbers than a range needs, evenly taken.
void add_some(std::vector<double>& to, const std::vector<double>& values) {
    const std::size_t stride = stride_for(values.size(), 20'000);
    for (std::size_t i = 0; i < values.size(); i += stride) {
        to.push_back(values[i]);
    }
}

void check_names(const std::vector<std::string>& hidden, const std::vector<std::string>& walls) {
    for (const std::string& name : hidden) {
        if (name != "all" && std::find(walls.begin(), walls.end(), name) == walls.end()) {
            const std::string near = base::nearest_name(name, walls);
            throw base::InputError(fmt::format("--hide: there is no wall \"{}\"{}", name,
                                               near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
        }
    }
}

/// Numbers of one kind from all frames.
struct Numbers {
    std::string label, unit;
    bool has_sign = false;
    std::vector<double> values;
};

ColourBar bar_of(const Numbers& shown, const Range& natural, const RenderOptions& options) {
    const ColourMap map(!options.map.empty() ? options.map : shown.has_sign ? "balance" : "dusk");
    const Range range = options.range ? Range{options.range->first, options.range->second} : natural;
    const auto beyond = [&](auto outside) { return std::any_of(shown.values.begin(), shown.values.end(), outside); };
    return {shown.label, shown.unit, range, map, beyond([&](double v) { return v < range.low; }), beyond([&](double v) {
                return v > range.high;
            })};
}

}  // namespace

Survey survey(ShownFrames& frames, const RenderOptions& options, Look& look) {
    Survey out;
    Numbers field;
    Numbers forces{"contact force", "N", false, {}};
    if (options.colour_by == "age") {
        out.births = births_of(frames.history());
    }
    std::vector<std::string> walls;
    double first_time = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const output::FrameFile& frame = frames.frame(k);
        out.setting.add(frame, look);
        if (options.grains_by_number()) {
            const Field here = field_of(frame, frames.path(k), options.colour_by, out.births);
            field = {here.label, here.unit, here.has_sign, std::move(field.values)};
            add_some(field.values, here.values);
        }
        if (options.forces) {
            need_contacts(frame, frames.path(k).string());
            std::vector<double> strengths;
            for (const ForceLine& line : force_lines(frame)) {
                strengths.push_back(line.force);
            }
            add_some(forces.values, strengths);
        }
        for (const output::FrameWall& wall : frame.walls) {
            walls.push_back(wall.name);
        }
        first_time = k == 0 ? frame.time : first_time;
        out.interval = k == 0 ? frame.time / 10 : (frame.time - first_time) / static_cast<double>(k);
    }
    check_names(look.hidden_walls, walls);
    for (const std::string& text : options.cuts) {
        look.cuts.push_back(cut_from_text(text, out.setting.grains()));
    }
    out.forces = {0, natural_range(forces.values, false).high};
    if (options.grains_by_number()) {
        out.bar = bar_of(field, natural_range(field.values, field.has_sign), options);
    } else if (look.forces && look.forces_coloured) {
        out.bar = bar_of(forces, out.forces, options);
        out.forces = out.bar->range;
    }
    return out;
}

}  // namespace talus::render
