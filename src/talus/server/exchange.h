// Between the thread that owns a run and the one that serves viewers. Requests and commands go one way; pictures, rows
// of the series and news the other. Neither side waits for the other beyond a short lock, and nobody's slowness is felt
// by anybody else: a viewer gets one picture for each time that it asks.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "talus/server/message.h"
#include "talus/server/picture.h"

namespace talus::server {

using ViewerId = std::uint64_t;

/// What a viewer wants to see.
struct Request {
    ViewerId viewer = 0;
    std::string field = "speed";
    bool chains = false;
    std::int64_t grain = -1;    // id of the picked grain
    std::int64_t frame = -1;    // number of a stored frame; -1: the latest there is
    std::int64_t seen = -1;     // Picture::identity of what the viewer has; -1: anything is new
    std::uint64_t version = 0;  // counts what the viewer has said: a later request is another one
};

/// What a viewer wants to be done.
struct Command {
    ViewerId viewer = 0;
    Json content;  // an object with a text "type"
};

/// Messages of which only the latest counts; a viewer that comes gets them all.
enum class Topic : std::uint8_t { greeting, state, events };
inline constexpr std::size_t topic_count = 3;

/// A message that replaces earlier ones of its topic.
struct Notice {
    std::uint64_t version = 0;  // 0: none yet
    Message message;
};

/// Rows of the series for charts: at most a few thousand, every second one of which goes when there are too many.
class SeriesBoard {
public:
    struct Part {
        std::uint64_t version = 0;  // of the board; another: all rows are sent again
        std::size_t rows = 0;       // known after this part
        Message message;            // null: nothing new
    };

    void set_columns(std::vector<std::string> columns);
    void add(std::span<const double> row);
    /// What is new to somebody who knows `rows` rows of `version`.
    Part since(std::uint64_t version, std::size_t rows) const;

private:
    static constexpr std::size_t most_rows = 4096;
    std::vector<std::string> columns_;
    std::vector<float> values_;  // row by row
    std::uint64_t version_ = 1;
    std::size_t every_ = 1;  // rows offered for one kept
    std::size_t offered_ = 0;
};

class Exchange {
public:
    // --- for the owner of the run ---
    bool is_watched() const { return watchers_.load(std::memory_order_relaxed) > 0; }
    /// Viewers that have come so far.
    int comers() const { return comers_.load(std::memory_order_relaxed); }
    /// Whether a request for the run as it is now, or a command, waits; cheap enough to ask between steps.
    bool is_asked() const { return asked_.load(std::memory_order_relaxed); }
    /// Whether somebody waits for a stored frame.
    bool is_asked_for_frames() const { return asked_for_frames_.load(std::memory_order_relaxed); }
    /// Requests stay until they are answered.
    std::vector<Request> requests() const;
    std::vector<Command> take_commands();
    /// Until somebody asks or commands something new, or the time is over.
    void wait(std::chrono::duration<double> longest);
    /// What the viewer has asked for since stays to be answered.
    void answer(const Request& request, std::shared_ptr<const Picture> picture);
    void post(Topic topic, Message message);
    void set_columns(std::vector<std::string> columns);
    /// A small run has thousands a second: they are sent together with the next picture or news.
    void add_row(std::span<const double> row);
    /// For whoever has neither: sends what rows there are.
    void show_rows() { wake(); }
    /// Seconds of processor time that serving has taken so far.
    double serving_seconds() const { return serving_seconds_.load(std::memory_order_relaxed); }

    // --- for the server ---
    /// `wake` is called from the owner's thread whenever there is something new to send.
    void on_news(std::function<void()> wake);
    void enter() {
        ++watchers_;
        ++comers_;
    }
    void leave(ViewerId viewer);
    void ask(Request request);
    void command(Command command);
    /// A picture, and the version of the request that it answers; null: there is none.
    struct Answer {
        std::shared_ptr<const Picture> picture;
        std::uint64_t version = 0;
    };
    Answer take_picture(ViewerId viewer);
    Notice notice(Topic topic) const;
    SeriesBoard::Part series(std::uint64_t version, std::size_t rows) const;
    void set_serving_seconds(double seconds) { serving_seconds_.store(seconds, std::memory_order_relaxed); }

private:
    void wake();
    void note_what_is_asked();

    mutable std::mutex mutex_;
    std::condition_variable asked_something_;
    std::map<ViewerId, Request> requests_;
    std::vector<Command> commands_;
    bool fresh_ = false;  // something was asked since the last wait
    std::map<ViewerId, Answer> pictures_;
    std::array<Notice, topic_count> notices_;
    SeriesBoard series_;
    std::function<void()> wake_;
    std::atomic<int> watchers_{0}, comers_{0};
    std::atomic<bool> asked_{false}, asked_for_frames_{false};
    std::atomic<double> serving_seconds_{0};
};

}  // namespace talus::server
