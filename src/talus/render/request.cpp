#include "talus/render/request.h"

#include <fmt/format.h>
#include <unistd.h>

#include "talus/base/diagnostics.h"
#include "talus/render/colour_map.h"
#include "talus/render/fields.h"

namespace talus::render {
namespace {

void refuse_if(bool wrong, const std::string& message) {
    if (wrong) {
        throw base::InputError(message);
    }
}

void check_target(const RenderOptions& options) {
    const std::string name = options.out.string();
    refuse_if(!options.is_movie() && options.out.extension() != ".png",
              name + ": a picture ends in .png, a movie in .mp4");
    const std::filesystem::path folder = options.out.has_parent_path() ? options.out.parent_path() : ".";
    std::error_code none;
    refuse_if(!std::filesystem::is_directory(folder, none) || ::access(folder.c_str(), W_OK) != 0,
              fmt::format("{}: cannot write into {}", name, folder.string()));
    refuse_if(std::filesystem::is_directory(options.out, none), name + ": is a folder");
    if (options.is_movie()) {
        refuse_if(options.width % 2 != 0 || options.height % 2 != 0, "a movie's width and height are even numbers");
    } else {
        refuse_if(options.turntable.has_value(), "--turntable makes a movie, which ends in .mp4");
        refuse_if(options.rate.has_value(), "--rate is for movies, which end in .mp4");
    }
}

void check_colours(const RenderOptions& options) {
    const bool numbers = options.grains_by_number() || options.forces;
    const std::string nothing = "nothing is coloured by a number; give --colour-by (speed, say) or --forces too";
    refuse_if(!options.map.empty() && !numbers, "--map: " + nothing);
    refuse_if(options.range && !numbers, "--range: " + nothing);
    if (!options.map.empty()) {
        const ColourMap known(options.map);  // refuses what is not
    }
    if (options.range) {
        const Range range{options.range->first, options.range->second};
        refuse_if(!(range.low < range.high), "--range: the low end is not below the high end");
        refuse_if(!range.is_wide(), "--range: the ends are too near to one another");
    }
    const bool no_grains = !options.wire && options.grain_opacity.value_or(options.forces ? 0 : 1) <= 0;
    refuse_if(!options.colour_by.empty() && no_grains,
              "--colour-by colours grains, and these are not drawn; with --forces give --grains 0.3 too, say");
}

void check_camera(const RenderOptions& options) {
    refuse_if(options.eye.empty() != options.target.empty(), "a camera by numbers needs both --eye and --target");
    refuse_if(!options.up.empty() && options.eye.empty(), "--up is for a camera by --eye and --target");
    refuse_if(!options.eye.empty() && !options.camera.empty() && options.camera != "follow",
              "--camera and --eye both place the camera; give one of them");
}

}  // namespace

void check_request(const RenderOptions& options) {
    check_target(options);
    check_colours(options);
    check_camera(options);
}

}  // namespace talus::render
