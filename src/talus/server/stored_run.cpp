#include "talus/server/stored_run.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "talus/base/clocks.h"
#include "talus/base/diagnostics.h"
#include "talus/output/manifest.h"
#include "talus/output/run_folder.h"
#include "talus/output/series.h"
#include "talus/server/stored_frames.h"

namespace talus::server {

namespace fs = std::filesystem;

namespace {

constexpr double look_again = 0.5;  // s between looks at what the folder holds

/// What the folder holds, told to viewers as it changes. What cannot be read just now is left as it was: another run
/// may be about to begin there.
class Watch {
public:
    Watch(Exchange& exchange, const fs::path& folder) : exchange_(exchange), folder_(folder), frames_(folder) {}

    void look() {
        frames_.look();
        read_manifest();
        read_series();
        greet();
        post_state();
    }
    StoredFrames& frames() { return frames_; }

private:
    void read_manifest() {
        std::optional<output::Manifest> manifest;
        try {
            manifest = output::read_manifest(output::manifest_path(folder_));
        } catch (const base::InputError&) {
            status_ = "stored";  // frames alone can be looked at too
            return;
        }
        status_ = manifest->status;
        soft_ = manifest->engine.empty() || manifest->engine == "soft";
        if (manifest->started != started_) {  // another run
            started_ = manifest->started;
            greeting_ = nullptr;
            greeted_frames_ = -1;
            frames_ = StoredFrames(folder_);
            known_ = {soft_, false, false};
            series_size_ = 0;
            rows_ = 0;
            columns_.clear();
        }
        Json events = Json::array();
        for (const output::Event& event : manifest->events) {
            events.push_back({{"time", event.time}, {"text", event.text}});
        }
        if (events != events_) {
            events_ = events;
            exchange_.post(Topic::events, plain_message({{"type", "events"}, {"events", std::move(events)}}));
        }
    }
    void read_series() {
        const fs::path path = output::series_path(folder_);
        std::error_code none;
        const auto size = fs::file_size(path, none);
        if (none || size == series_size_) {
            return;
        }
        output::Series series;
        try {
            series = output::read_series(path);
        } catch (const base::InputError&) {
            return;
        }
        if (series.columns != columns_ || series.rows.size() < rows_ || size < series_size_) {
            columns_ = series.columns;
            rows_ = 0;
            exchange_.set_columns(columns_);
        }
        series_size_ = size;
        for (; rows_ < series.rows.size(); ++rows_) {
            exchange_.add_row(series.rows[rows_]);
        }
        exchange_.show_rows();
    }
    /// Title, materials and fields, as the latest frame has them; what was known once stays on offer.
    void greet() {
        const bool all_is_known = !greeting_.is_null() && known_.load && known_.stress;
        if (frames_.count() == 0 || frames_.count() == greeted_frames_ || all_is_known) {
            return;
        }
        Json greeting;
        try {
            const output::FrameFile& frame = frames_.read(frames_.count() - 1);
            const Known known = StoredFrames::known_of(frame, soft_);
            known_ = {soft_, known_.load || known.load, known_.stress || known.stress};
            greeting = {{"type", "greeting"},
                        {"live", false},
                        {"title", frame.title},
                        {"dimensions", frame.domain.dimensions},
                        {"fields", describe_fields(known_)},
                        {"materials", describe_materials(frame.materials)}};
        } catch (const base::InputError&) {
            return;
        }
        greeted_frames_ = frames_.count();
        if (greeting != greeting_) {
            greeting_ = greeting;
            exchange_.post(Topic::greeting, plain_message(std::move(greeting)));
        }
    }
    void post_state() {
        if (frames_.count() != posted_frames_ || status_ != posted_status_) {
            posted_frames_ = frames_.count();
            posted_status_ = status_;
            exchange_.post(Topic::state, plain_message({{"type", "state"},
                                                        {"status", status_},
                                                        {"paused", true},
                                                        {"speed", 0},
                                                        {"frames", posted_frames_},
                                                        {"changeable", nullptr}}));
        }
    }

    Exchange& exchange_;
    fs::path folder_;
    StoredFrames frames_;
    std::string status_, posted_status_;
    std::string started_;  // wall time at which the run began
    bool soft_ = true;
    Known known_{true, false, false};
    Json greeting_, events_ = Json::array();
    std::int64_t greeted_frames_ = -1, posted_frames_ = -1;
    std::uintmax_t series_size_ = 0;
    std::vector<std::string> columns_;
    std::size_t rows_ = 0;
};

}  // namespace

void require_frames(const fs::path& folder) {
    if (output::list_frames(folder).empty()) {
        throw base::InputError(folder.string() + ": holds no frames to show");
    }
}

void show_run(Exchange& exchange, const fs::path& folder, const std::atomic<bool>& stop) {
    Watch watch(exchange, folder);
    auto looked_at = std::chrono::steady_clock::time_point();
    while (!stop.load()) {
        if (base::seconds_since(looked_at) > look_again) {
            watch.look();
            looked_at = std::chrono::steady_clock::now();
        }
        exchange.take_commands();  // a stored run obeys nobody
        watch.frames().show(exchange, exchange.requests());
        exchange.wait(std::chrono::milliseconds(100));
    }
}

}  // namespace talus::server
