// `talus render`: pictures and movies.
#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "stop_signal.h"
#include "talus/base/diagnostics.h"
#include "talus/base/numbers.h"
#include "talus/simulation/pictures.h"

namespace talus::apps {
namespace {

struct RenderArguments {
    simulation::RenderOptions options;
    std::string size, range, style = "spheres", stereo = "none";
    bool bare = false, no_ground = false;
};

/// "1920x1080" as two numbers, each as `read` takes it; `separator` stands between.
template <class Read>
auto two_numbers(const std::string& text, char separator, const std::string& option, const std::string& kind,
                 const Read& read) {
    const std::size_t at = text.find(separator);
    const auto first = read(text.substr(0, at));
    const auto second = at == std::string::npos ? first : read(text.substr(at + 1));
    if (at == std::string::npos || !first || !second) {
        throw base::InputError(
            fmt::format("{}: \"{}\" is not two {} with \"{}\" between", option, text, kind, separator));
    }
    return std::pair(*first, *second);
}

void add_camera_options(CLI::App& command, RenderArguments& a) {
    simulation::RenderOptions& o = a.options;
    command.add_option("--camera", o.camera,
                       "front, back, left, right, top, bottom, iso, quarter (default), follow, or AZIMUTH,ELEVATION in "
                       "degrees; fitted to what there is to see");
    command.add_option("--eye", o.eye, "Where the camera is: x,y,z in m; with --target");
    command.add_option("--target", o.target, "What it looks at: x,y,z in m");
    command.add_option(
        "--up", o.up,
        "What is up for a camera by --eye: x,y,z; 0,0,1 by default, 0,1,0 for a look straight up or down");
    command.add_option("--view-angle", o.view_angle, "Degrees across the shorter side (26)")
        ->check(CLI::Range(1.0, 120.0));
    command.add_flag("--parallel", o.parallel, "No perspective");
    command.add_option("--zoom", o.zoom, "Enlarge the middle")->check(CLI::PositiveNumber);
    command.add_option("--follow", o.follow, "Keep the grain of this id in the middle");
    command.add_option("--stereo", a.stereo, "pair (side by side) or anaglyph (red-cyan)")
        ->check(CLI::IsMember({"none", "pair", "anaglyph"}));
}

void add_look_options(CLI::App& command, RenderArguments& a) {
    simulation::RenderOptions& o = a.options;
    command.add_option("--colour-by,--color-by", o.colour_by,
                       "speed, spin, force, stress, size, material, age, id, or any stored field (velocity.z)");
    command.add_option("--map", o.map, "Colour map: dusk, sea, grey, or balance for what has a sign");
    command.add_option("--range", a.range, "LOW:HIGH of the colour bar");
    command.add_option("--style", a.style, "spheres, or wire: a few lines a grain")
        ->check(CLI::IsMember({"spheres", "wire"}));
    command.add_flag("--forces", o.forces, "Contact forces as tubes, in place of the grains");
    command.add_option("--grains", o.grain_opacity, "Opacity of the grains")->check(CLI::Range(0.0, 1.0));
    command.add_option("--walls", o.wall_opacity, "Opacity of all walls, instead of the scene's")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--hide", o.hide, "Leave out a wall, by name; \"all\" for all")->allow_extra_args(false);
    command.add_option("--cut", o.cuts, "Cut away what fulfils this: y<0, z>0.1, x<middle, 1,0,-1<0.2 (m)")
        ->allow_extra_args(false);
    command.add_option("--background", o.background, "\"#rrggbb\"; white by default");
    command.add_flag("--bare", a.bare, "No colour bar, scale bar or time");
    command.add_flag("--no-ground", a.no_ground, "No shadows on the ground");
}

void run(RenderArguments& a) {
    simulation::RenderOptions& o = a.options;
    if (!a.size.empty()) {
        const auto [width, height] = two_numbers(a.size, 'x', "--size", "whole numbers", base::whole_number_from);
        if (!(width >= 16 && width <= 16384 && height >= 16 && height <= 16384)) {
            throw base::InputError("--size: pictures are 16 to 16384 pixels wide and high");
        }
        o.width = static_cast<int>(width);
        o.height = static_cast<int>(height);
    }
    if (!a.range.empty()) {
        o.range = two_numbers(a.range, ':', "--range", "numbers", base::number_from);
    }
    o.wire = a.style == "wire";
    o.stereo = std::map<std::string, simulation::Stereo>{{"none", simulation::Stereo::none},
                                                         {"pair", simulation::Stereo::pair},
                                                         {"anaglyph", simulation::Stereo::anaglyph}}
                   .at(a.stereo);
    o.labels = !a.bare;
    o.ground = !a.no_ground;
    if (::isatty(STDERR_FILENO) != 0) {
        o.progress = [](std::size_t done, std::size_t all) {
            fmt::print(stderr, "\r{} of {} pictures{}", done, all, done == all ? "\n" : "");
        };
    }
    if (o.is_movie()) {  // of a single picture nothing is left to clean up
        o.stop = &heed_stop_signals();
    }
    const std::size_t count = simulation::make_pictures(o);
    if (count == 0) {
        fmt::print(stderr, "stopped; nothing was written\n");
        throw CLI::RuntimeError(interrupted);
    }
    fmt::print("wrote {}{}\n", o.out.string(), count > 1 ? fmt::format(" ({} pictures)", count) : "");
}

}  // namespace

void add_render(CLI::App& app) {
    CLI::App* command = app.add_subcommand("render", "Draw frames by ray tracing: a picture (.png) or a movie (.mp4)");
    auto a = std::make_shared<RenderArguments>();
    simulation::RenderOptions& o = a->options;
    command->add_option("source", o.source, "Run folder or frame file")->required();
    command->add_option("-o,--out", o.out, "picture.png or movie.mp4")->required();
    command->add_option("--frames,--frame", o.frames,
                        "12, -1 (the last), 50% (half way), 0:-1 (all), 0:-1:5; the last by default, all for a movie");
    command->add_option("--size", a->size, "WIDTHxHEIGHT in pixels; 1920x1080 by default");
    command->add_option("--samples", o.samples, "Rays a pixel (6 at 1920x1080); more are smoother and slower")
        ->check(CLI::Range(1, 4096));
    command->add_option("--threads", o.threads, "Threads; all cores by default. Pictures do not depend on it")
        ->check(CLI::PositiveNumber);
    add_look_options(*command, *a);
    add_camera_options(*command, *a);
    command->add_option("--rate", o.rate, "Pictures a second of a movie")->check(CLI::Range(1, 240));
    command->add_option("--turntable", o.turntable, "Go round once, in this many seconds if there is one frame")
        ->check(CLI::PositiveNumber);
    command->callback([a] { run(*a); });
}

}  // namespace talus::apps
