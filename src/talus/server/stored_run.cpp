#include "talus/server/stored_run.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"

namespace talus::server {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds look_again{500};  // at what the folder holds

/// What has come to the folder since the last look.
class Watch {
public:
    Watch(Exchange& exchange, const fs::path& folder) : exchange_(exchange), folder_(folder) {}

    void look() {
        frames_ = static_cast<std::int64_t>(output::list_frames(folder_).size());
        const fs::path series = output::series_path(folder_);
        std::error_code none;
        const auto size = fs::file_size(series, none);
        if (!none && size != series_size_) {
            series_size_ = size;
            read(series);
        }
        post_state();
    }
    std::int64_t frames() const { return frames_; }

private:
    void read(const fs::path& path) {
        const output::Series series = output::read_series(path);
        if (series.columns != columns_ || series.rows.size() < rows_) {
            columns_ = series.columns;
            rows_ = 0;
            exchange_.set_columns(columns_);
        }
        for (; rows_ < series.rows.size(); ++rows_) {
            exchange_.add_row(series.rows[rows_]);
        }
        exchange_.show_rows();
    }
    void post_state() {
        std::string status = "stored";
        if (fs::exists(output::manifest_path(folder_))) {
            status = output::read_manifest(output::manifest_path(folder_)).status;
        }
        if (frames_ != posted_frames_ || status != posted_status_) {
            posted_frames_ = frames_;
            posted_status_ = status;
            exchange_.post(Topic::state, plain_message({{"type", "state"},
                                                        {"status", status},
                                                        {"paused", true},
                                                        {"speed", 0},
                                                        {"frames", frames_},
                                                        {"changeable", nullptr},
                                                        {"end", nullptr}}));
        }
    }

    Exchange& exchange_;
    fs::path folder_;
    std::int64_t frames_ = 0, posted_frames_ = -1;
    std::string posted_status_;
    std::uintmax_t series_size_ = 0;
    std::vector<std::string> columns_;
    std::size_t rows_ = 0;
};

}  // namespace

void show_frames(Exchange& exchange, Painter& painter, const fs::path& folder, std::span<const Request> requests) {
    std::map<std::int64_t, std::vector<Request>> by_frame;
    for (const Request& request : requests) {
        if (request.seen != request.frame) {
            by_frame[request.frame].push_back(request);
        }
    }
    for (const auto& [number, wanted] : by_frame) {
        const fs::path path = output::frame_path(folder, number);
        if (!fs::exists(path)) {
            continue;  // it may yet come
        }
        std::shared_ptr<Picture> picture;
        try {
            picture = painter.paint(output::read_frame(path), wanted);
            picture->frame = number;
            picture->identity = number;
        } catch (const base::InputError& fault) {
            exchange.post(Topic::events, plain_message({{"type", "events"}, {"events", {{{"text", fault.what()}}}}}));
        }
        for (const Request& request : wanted) {
            exchange.answer(request.viewer, picture);
        }
    }
}

void show_run(Exchange& exchange, const fs::path& folder, const std::atomic<bool>& stop) {
    const std::vector<fs::path> frames = output::list_frames(folder);
    if (frames.empty()) {
        throw base::InputError(folder.string() + ": holds no frames to show");
    }
    const output::FrameFile first = output::read_frame(frames.front());
    exchange.post(Topic::greeting, plain_message({{"type", "greeting"},
                                                  {"live", false},
                                                  {"title", first.title},
                                                  {"dimensions", first.domain.dimensions},
                                                  {"step", 0},
                                                  {"fields", describe_fields()},
                                                  {"materials", describe_materials(first.materials)}}));
    Watch watch(exchange, folder);
    Painter painter;
    auto looked_at = std::chrono::steady_clock::time_point();
    while (!stop.load()) {
        if (std::chrono::steady_clock::now() - looked_at > look_again) {
            watch.look();
            looked_at = std::chrono::steady_clock::now();
        }
        exchange.take_commands();  // a stored run obeys nobody
        std::vector<Request> requests = exchange.requests();
        for (Request& request : requests) {
            if (request.frame < 0 || request.frame >= watch.frames()) {  // the latest there is
                request.frame = watch.frames() - 1;
            }
        }
        show_frames(exchange, painter, folder, requests);
        exchange.wait(std::chrono::milliseconds(100));
    }
}

}  // namespace talus::server
