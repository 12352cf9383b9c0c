#include "talus/render/render.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "talus/base/diagnostics.h"
#include "talus/output/atomic_file.h"
#include "talus/output/export.h"
#include "talus/output/run_folder.h"
#include "talus/render/cut.h"
#include "talus/render/fit.h"
#include "talus/render/frame_choice.h"
#include "talus/render/labels.h"
#include "talus/render/movie.h"
#include "talus/render/stereo.h"

namespace talus::render {
namespace {

using output::FrameFile;
using Paths = std::vector<std::filesystem::path>;

void check_target(const RenderOptions& options) {
    const std::string ending = options.out.extension().string();
    if (ending != ".png" && ending != ".mp4") {
        throw base::InputError(fmt::format("{}: a picture ends in .png, a movie in .mp4", options.out.string()));
    }
    const std::filesystem::path folder = options.out.has_parent_path() ? options.out.parent_path() : ".";
    std::error_code none;
    if (!std::filesystem::is_directory(folder, none) || ::access(folder.c_str(), W_OK) != 0) {
        throw base::InputError(fmt::format("{}: cannot write into {}", options.out.string(), folder.string()));
    }
    if (std::filesystem::is_directory(options.out, none)) {
        throw base::InputError(fmt::format("{}: is a folder", options.out.string()));
    }
    if (ending == ".mp4" && (options.width % 2 != 0 || options.height % 2 != 0)) {
        throw base::InputError("a movie's width and height are even numbers");
    }
}

/// All frames of the run that a source belongs to, for ages.
Paths siblings(const std::filesystem::path& frame) {
    const Paths all = output::list_frames(std::filesystem::absolute(frame).parent_path().parent_path());
    return all.empty() ? Paths{frame} : all;
}

/// Not more numbers than a range needs, evenly taken.
void add_some(std::vector<double>& to, const std::vector<double>& values) {
    constexpr std::size_t enough = 20'000;
    const std::size_t stride = 1 + values.size() / enough;
    for (std::size_t i = 0; i < values.size(); i += stride) {
        to.push_back(values[i]);
    }
}

class Session {
public:
    explicit Session(const RenderOptions& options) : options_(options), movie_(options.out.extension() == ".mp4") {
        check_target(options_);
        const std::string still = "-1";
        const std::string all = movie_ && !options_.turntable ? "0:-1" : still;
        frames_ = choose_frames(output::frames_of(options_.source), options_.frames.empty() ? all : options_.frames);
        if (!movie_ && frames_.size() > 1) {
            throw base::InputError(
                fmt::format("{}: {} frames make a movie, which ends in .mp4", options_.out.string(), frames_.size()));
        }
        background_ = colour_from_text(options_.background);
        look_.wire = options_.wire;
        look_.forces = options_.forces;
        look_.grain_opacity = options_.grain_opacity;
        look_.wall_opacity = options_.wall_opacity;
        look_.hidden_walls = options_.hide;
        look_.ground = options_.ground;
        look_.by_material = options_.colour_by == "material";
        survey();
    }

    std::size_t make() {
        const FrameFile first = output::read_frame(frames_.front());
        const bool with_bar = options_.labels && (bar_ || !legend_of(first).empty());
        const int eyes = options_.stereo == Stereo::pair ? 2 : 1;
        const Window window = window_for(options_.width / eyes, options_.height, options_.labels, with_bar);
        Cameraman cameraman(options_, first.domain.dimensions == 2, dots(), window);
        cameraman.camera(first, 0);  // refuses what cannot be followed, before anything is written
        if (!movie_) {
            const std::vector<std::uint8_t> file = png_of(picture(first, cameraman.camera(first, 0), std::nullopt));
            output::AtomicFile target(options_.out);
            target.write(file.data(), file.size());
            target.commit();
            return 1;
        }
        const std::size_t count =
            frames_.size() > 1 ? frames_.size()
                               : static_cast<std::size_t>(std::lround(options_.turntable.value_or(0) * options_.rate));
        if (count < 1) {
            throw base::InputError("one frame makes no movie; give --frames 0:-1, or --turntable");
        }
        Movie movie(options_.out, options_.width, options_.height, options_.rate);
        FrameFile frame = first;
        for (std::size_t k = 0; k < count; ++k) {
            if (frames_.size() > 1) {
                frame = output::read_frame(frames_[k]);
            }
            path_ = frames_[std::min(k, frames_.size() - 1)];
            const double part = static_cast<double>(k) / static_cast<double>(count);
            const double done = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 1;
            movie.add(picture(frame, cameraman.camera(frame, options_.turntable ? part : 0), done));
            if (options_.progress) {
                options_.progress(k + 1, count);
            }
        }
        movie.finish();
        return count;
    }

private:
    /// What all frames together say: sizes, ranges, names.
    void survey() {
        std::vector<double> values, forces;
        std::string label, unit;
        bool has_sign = false;
        const bool by_field = !options_.colour_by.empty() && !look_.by_material;
        if (options_.colour_by == "age") {
            births_ = births_of(siblings(frames_.back()), std::filesystem::absolute(frames_.back()));
        }
        std::vector<std::string> walls;
        double before = -1;
        for (const std::filesystem::path& path : frames_) {
            const FrameFile frame = output::read_frame(path);
            setting_.add(frame, look_);
            if (by_field) {
                const Field field = field_of(frame, path, options_.colour_by, births_);
                add_some(values, field.values);
                label = field.label;
                unit = field.unit;
                has_sign = field.has_sign;
            }
            std::vector<double> magnitudes;
            for (const model::ContactSample& contact : frame.contacts) {
                magnitudes.push_back(math::norm(contact.force));
            }
            add_some(forces, magnitudes);
            for (const output::FrameWall& wall : frame.walls) {
                walls.push_back(wall.name);
            }
            interval_ = before >= 0 ? frame.time - before : frame.time / 10;  // a still has three digits
            before = frame.time;
        }
        check_names(walls);
        for (const std::string& text : options_.cuts) {
            look_.cuts.push_back(cut_from_text(text, setting_.grains));
        }
        if (by_field || options_.forces) {
            map_.emplace(!options_.map.empty() ? options_.map : has_sign ? "balance" : "dusk");
            const bool of_forces = !by_field;
            const std::vector<double>& shown = of_forces ? forces : values;
            Range range = natural_range(shown, has_sign);
            if (options_.range) {
                range = {options_.range->first, options_.range->second};
            }
            const auto beyond = [&](auto outside) { return std::any_of(shown.begin(), shown.end(), outside); };
            bar_.emplace(ColourBar{of_forces ? "contact force" : label, of_forces ? "N" : unit, range, *map_,
                                   beyond([&](double v) { return v < range.low; }),
                                   beyond([&](double v) { return v > range.high; })});
            force_range_ = of_forces ? range : natural_range(forces, false);
        }
    }

    void check_names(const std::vector<std::string>& walls) const {
        for (const std::string& name : look_.hidden_walls) {
            if (name != "all" && std::find(walls.begin(), walls.end(), name) == walls.end()) {
                const std::string near = base::nearest_name(name, walls);
                throw base::InputError(fmt::format("--hide: there is no wall \"{}\"{}", name,
                                                   near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
            }
        }
    }

    World world(const FrameFile& frame) const {
        std::optional<Field> field;
        std::optional<Scale> scale, force_scale;
        if (bar_) {
            force_scale.emplace(Scale{*map_, force_range_});
            if (!options_.colour_by.empty() && !look_.by_material) {
                field = field_of(frame, path_, options_.colour_by, births_);
                scale.emplace(Scale{*map_, bar_->range});
            }
        }
        return world_of(frame, look_, setting_, field ? &*field : nullptr, scale ? &*scale : nullptr,
                        force_scale ? &*force_scale : nullptr);
    }

    /// All that the camera has to make room for.
    std::vector<Dot> dots() {
        std::vector<Dot> out;
        for (const std::filesystem::path& path : frames_) {
            path_ = path;
            const std::vector<Dot> here = dots_of(world(output::read_frame(path)));
            if (frames_.size() == 1) {
                out = here;
            } else {
                const std::vector<Dot> few = outermost(here);
                out.insert(out.end(), few.begin(), few.end());
            }
        }
        path_ = frames_.front();
        return out;
    }

    std::vector<std::pair<std::string, Rgb>> legend_of(const FrameFile& frame) const {
        std::vector<std::pair<std::string, Rgb>> out;
        for (std::size_t k = 0; look_.by_material && k < frame.materials.size(); ++k) {
            if (std::find(frame.material.begin(), frame.material.end(), static_cast<std::int32_t>(k)) !=
                frame.material.end()) {
                out.emplace_back(frame.materials[k].name, material_colour(frame, k));
            }
        }
        return out;
    }

    Picture picture(const FrameFile& frame, const Camera& camera, std::optional<double> progress) const {
        TraceSettings settings;
        const double megapixels = 1e-6 * options_.width * options_.height;
        settings.samples =
            options_.samples > 0 ? options_.samples : static_cast<int>(std::clamp(12.6 / megapixels, 6.0, 32.0));
        settings.threads = options_.threads > 0 ? options_.threads
                                                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        settings.background = background_;
        const World shown = world(frame);
        Labels labels;
        labels.legend = legend_of(frame);
        if (bar_) {
            labels.bar.emplace(*bar_);
        }
        labels.time = "t = " + time_text(frame.time, interval_);
        labels.progress = progress;
        const auto annotate = [&](Picture& picture) {
            if (options_.labels) {
                draw_labels(picture, font_, camera, labels, background_);
            }
        };
        return stereo_picture(shown, camera, options_, settings, annotate);
    }

    const RenderOptions& options_;
    bool movie_;
    Paths frames_;
    std::filesystem::path path_;  // of the frame at hand
    Rgb background_;
    Look look_;
    Setting setting_;
    Births births_;
    std::optional<ColourMap> map_;
    std::optional<ColourBar> bar_;
    Range force_range_;
    double interval_ = 0;  // s, between frames
    Font font_;
};

}  // namespace

std::size_t render(const RenderOptions& options) {
    return Session(options).make();
}

}  // namespace talus::render
