// What `talus render` can be asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace talus::render {

enum class Stereo { none, pair, anaglyph };

struct RenderOptions {
    std::filesystem::path source;  // a run folder or a frame file
    std::filesystem::path out;     // .png or .mp4
    std::string frames;            // "12", "-1", "50%", "0:-1", "0:-1:5"; empty: the last, or all for a movie
    int width = 1920, height = 1080;
    int samples = 0;  // rays a pixel; 0: as many as take about the same time for any size of picture
    int threads = 0;  // 0: all cores

    std::string camera;                // a name or two angles; empty: chosen by the frame
    std::string eye, target, up;       // "x,y,z" in m
    std::optional<double> view_angle;  // degrees
    bool parallel = false;
    double zoom = 1;
    std::optional<std::int64_t> follow;  // id of a grain
    Stereo stereo = Stereo::none;

    bool wire = false;
    bool forces = false;
    std::string colour_by;  // empty: materials
    std::string map;        // empty: chosen by the field
    std::optional<std::pair<double, double>> range;
    std::vector<std::string> hide;
    std::vector<std::string> cuts;
    std::optional<double> wall_opacity, grain_opacity;
    std::string background = "#ffffff";
    bool labels = true;
    bool ground = true;

    std::optional<int> rate;          // pictures a second of a movie, instead of 25
    std::optional<double> turntable;  // s, for one turn of a still frame; with several frames their time is the turn's
    std::function<void(std::size_t done, std::size_t all)> progress;  // may be empty
    const std::atomic<bool>* stop = nullptr;  // asked between pictures of a movie: whether to leave it at that

    bool is_movie() const { return out.extension() == ".mp4"; }
    bool follows() const { return camera == "follow" || follow.has_value(); }
    bool grains_by_number() const { return !colour_by.empty() && colour_by != "material"; }
};

}  // namespace talus::render
