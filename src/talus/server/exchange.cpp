#include "talus/server/exchange.h"

#include <algorithm>
#include <utility>

namespace talus::server {

void SeriesBoard::set_columns(std::vector<std::string> columns) {
    columns_ = std::move(columns);
    values_.clear();
    every_ = 1;
    offered_ = 0;
    ++version_;
}

void SeriesBoard::add(std::span<const double> row) {
    const std::size_t width = columns_.size();
    if (row.size() != width || width == 0) {
        return;
    }
    if (offered_++ % every_ != 0) {
        return;
    }
    for (const double value : row) {
        values_.push_back(static_cast<float>(value));
    }
    if (values_.size() > most_rows * width) {
        std::size_t kept = 0;
        for (std::size_t from = 0; from < values_.size(); from += 2 * width, kept += width) {
            std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from), width,
                        values_.begin() + static_cast<std::ptrdiff_t>(kept));
        }
        values_.resize(kept);
        every_ *= 2;
        ++version_;
    }
}

SeriesBoard::Part SeriesBoard::since(std::uint64_t version, std::size_t rows) const {
    const std::size_t width = columns_.size();
    const std::size_t count = width > 0 ? values_.size() / width : 0;
    const bool anew = version != version_;
    const std::size_t first = anew ? 0 : rows;
    Part part{version_, count, nullptr};
    if (anew || first < count) {
        MessageWriter writer;
        writer.add("values", std::span(values_).subspan(first * width));
        Json header = {{"type", "series"}, {"anew", anew}, {"rows", count - first}};
        if (anew) {
            header["columns"] = columns_;
        }
        part.message = writer.close(std::move(header));
    }
    return part;
}

// --- the owner ------------------------------------------------------------------------------------------------------

std::vector<Request> Exchange::requests() const {
    const std::lock_guard lock(mutex_);
    std::vector<Request> out;
    for (const auto& [viewer, request] : requests_) {
        out.push_back(request);
    }
    return out;
}

std::vector<Command> Exchange::take_commands() {
    const std::lock_guard lock(mutex_);
    std::vector<Command> commands = std::exchange(commands_, {});
    note_what_is_asked();
    return commands;
}

void Exchange::wait(std::chrono::duration<double> longest) {
    std::unique_lock lock(mutex_);
    asked_something_.wait_for(lock, longest, [this] { return fresh_; });
    fresh_ = false;
}

void Exchange::answer(const Request& request, std::shared_ptr<const Picture> picture) {
    {
        const std::lock_guard lock(mutex_);
        const auto waiting = requests_.find(request.viewer);
        if (waiting == requests_.end()) {
            return;  // gone in the meantime
        }
        if (waiting->second.version == request.version) {
            requests_.erase(waiting);
        }
        pictures_[request.viewer] = {std::move(picture), request.version};
        note_what_is_asked();
    }
    wake();
}

void Exchange::post(Topic topic, Message message) {
    {
        const std::lock_guard lock(mutex_);
        Notice& notice = notices_[static_cast<std::size_t>(topic)];
        ++notice.version;
        notice.message = std::move(message);
    }
    wake();
}

void Exchange::set_columns(std::vector<std::string> columns) {
    const std::lock_guard lock(mutex_);
    series_.set_columns(std::move(columns));
}

void Exchange::add_row(std::span<const double> row) {
    const std::lock_guard lock(mutex_);
    series_.add(row);
}

void Exchange::note_what_is_asked() {
    const auto frames =
        std::count_if(requests_.begin(), requests_.end(), [](const auto& entry) { return entry.second.frame >= 0; });
    asked_.store(!commands_.empty() || static_cast<std::size_t>(frames) < requests_.size(), std::memory_order_relaxed);
    asked_for_frames_.store(frames > 0, std::memory_order_relaxed);
}

void Exchange::wake() {
    std::function<void()> wake;
    {
        const std::lock_guard lock(mutex_);
        wake = wake_;
    }
    if (wake) {
        wake();
    }
}

// --- the server -----------------------------------------------------------------------------------------------------

void Exchange::on_news(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
}

void Exchange::leave(ViewerId viewer) {
    const std::lock_guard lock(mutex_);
    requests_.erase(viewer);
    pictures_.erase(viewer);
    note_what_is_asked();
    --watchers_;
    fresh_ = true;
    asked_something_.notify_all();
}

void Exchange::ask(Request request) {
    const std::lock_guard lock(mutex_);
    requests_[request.viewer] = std::move(request);
    note_what_is_asked();
    fresh_ = true;
    asked_something_.notify_all();
}

void Exchange::command(Command command) {
    const std::lock_guard lock(mutex_);
    constexpr std::size_t most = 256;  // nobody clicks that fast: what is beyond is not meant
    if (commands_.size() < most) {
        commands_.push_back(std::move(command));
    }
    note_what_is_asked();
    fresh_ = true;
    asked_something_.notify_all();
}

Exchange::Answer Exchange::take_picture(ViewerId viewer) {
    const std::lock_guard lock(mutex_);
    const auto found = pictures_.find(viewer);
    if (found == pictures_.end()) {
        return {};
    }
    Answer answer = std::move(found->second);
    pictures_.erase(found);
    return answer;
}

Notice Exchange::notice(Topic topic) const {
    const std::lock_guard lock(mutex_);
    return notices_[static_cast<std::size_t>(topic)];
}

SeriesBoard::Part Exchange::series(std::uint64_t version, std::size_t rows) const {
    const std::lock_guard lock(mutex_);
    return series_.since(version, rows);
}

}  // namespace talus::server
