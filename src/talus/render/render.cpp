#include "talus/render/render.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "talus/base/diagnostics.h"
#include "talus/base/parallel.h"
#include "talus/output/atomic_file.h"
#include "talus/render/fit.h"
#include "talus/render/movie.h"
#include "talus/render/request.h"
#include "talus/render/staging.h"
#include "talus/render/stereo.h"
#include "talus/render/survey.h"

namespace talus::render {
namespace {

constexpr int usual_rate = 25;  // pictures a second

Look look_of(const RenderOptions& options) {
    Look look;
    look.wire = options.wire;
    look.forces = options.forces;
    look.forces_coloured = options.colour_by.empty();
    look.grain_opacity = options.grain_opacity;
    look.wall_opacity = options.wall_opacity;
    look.hidden_walls = options.hide;
    look.ground = options.ground;
    look.by_material = options.colour_by == "material";
    return look;
}

TraceSettings settings_of(const RenderOptions& options) {
    TraceSettings settings;
    const double megapixels = 1e-6 * options.width * options.height;
    settings.samples =
        options.samples > 0 ? options.samples : static_cast<int>(std::clamp(12.6 / megapixels, 6.0, 32.0));
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    settings.threads = std::min(options.threads > 0 ? options.threads : cores, base::most_threads());
    settings.background = colour_from_text(options.background);
    return settings;
}

class Session {
public:
    explicit Session(const RenderOptions& options)
        : options_(options),
          settings_(settings_of(options)),
          frames_(options),
          look_(look_of(options)),
          survey_(survey(frames_, options, look_)) {
        if (look_.by_material) {
            legend_ = survey_.setting.materials();
        }
    }

    std::size_t make() {
        const bool with_bar = options_.labels && (survey_.bar || !legend_.empty());
        const int eyes = options_.stereo == Stereo::pair ? 2 : 1;
        const Window window = window_for(options_.width / eyes, options_.height, options_.labels, with_bar);
        Cameraman cameraman(options_, frames_.frame(0).domain.dimensions == 2, dots(), window);
        if (!options_.is_movie()) {
            const std::vector<std::uint8_t> file =
                png_of(picture(0, cameraman.camera(frames_.followed(0), 0), std::nullopt));
            output::AtomicFile target(options_.out);
            target.write(file.data(), file.size());
            target.commit();
            return 1;
        }
        const int rate = options_.rate.value_or(usual_rate);
        const std::size_t count = frames_.size() > 1
                                      ? frames_.size()
                                      : static_cast<std::size_t>(std::lround(options_.turntable.value_or(0) * rate));
        if (count < 1) {
            throw base::InputError("one frame makes no movie; give --frames 0:-1, or --turntable");
        }
        Movie movie(options_.out, options_.width, options_.height, rate);
        for (std::size_t k = 0; k < count; ++k) {
            if (options_.stop != nullptr && options_.stop->load()) {
                return 0;
            }
            const std::size_t number = std::min(k, frames_.size() - 1);
            const double part = static_cast<double>(k) / static_cast<double>(count);
            const double done = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 1;
            movie.add(picture(number, cameraman.camera(frames_.followed(number), options_.turntable ? part : 0), done));
            if (options_.progress) {
                options_.progress(k + 1, count);
            }
        }
        movie.finish();
        return count;
    }

private:
    World world(std::size_t number, const Look& look, bool coloured) {
        const output::FrameFile& frame = frames_.frame(number);
        const ColourMap map = survey_.bar ? survey_.bar->map : ColourMap("dusk");
        const Scale forces{map, survey_.forces};
        if (!coloured || !options_.grains_by_number()) {
            return world_of(frame, look, survey_.setting, nullptr, nullptr, &forces);
        }
        const Field field = field_of(frame, frames_.path(number), options_.colour_by, survey_.births);
        const Scale scale{map, survey_.bar->range};
        return world_of(frame, look, survey_.setting, &field, &scale, &forces);
    }

    /// All that the camera has to make room for. One that follows sees walls pass by, and makes room for grains alone.
    std::vector<Dot> dots() {
        Look look = look_;
        if (options_.follows()) {
            look.hidden_walls = {"all"};
        }
        std::vector<Dot> out;
        for (std::size_t k = 0; k < frames_.size(); ++k) {
            std::vector<Dot> here = dots_of(world(k, look, false));
            if (frames_.size() > 1) {
                here = outermost(here);
            }
            const Vec3d origin = frames_.followed(k).value_or(Vec3d{});
            for (const Dot& dot : here) {
                out.push_back({dot.center - origin, dot.radius});
            }
        }
        return out;
    }

    Picture picture(std::size_t number, const Camera& camera, std::optional<double> progress) {
        const World shown = world(number, look_, true);
        const Labels labels{survey_.bar, legend_, "t = " + time_text(frames_.frame(number).time, survey_.interval),
                            progress};
        return stereo_picture(shown, camera, options_, settings_, [&](Picture& picture) {
            if (options_.labels) {
                draw_labels(picture, font_, camera, labels, settings_.background);
            }
        });
    }

    const RenderOptions& options_;
    TraceSettings settings_;
    ShownFrames frames_;
    Look look_;
    Survey survey_;
    std::vector<std::pair<std::string, Rgb>> legend_;
    Font font_;
};

}  // namespace

std::size_t render(const RenderOptions& options) {
    check_request(options);
    return Session(options).make();
}

}  // namespace talus::render
