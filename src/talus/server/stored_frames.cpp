#include "talus/server/stored_frames.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "talus/base/diagnostics.h"
#include "talus/base/hash.h"
#include "talus/output/run_folder.h"

namespace talus::server {

namespace fs = std::filesystem;

void StoredFrames::look() {
    frames_ = output::list_frames(folder_);
}

std::int64_t StoredFrames::identity_of(std::int64_t number) const {
    const fs::path& path = frames_[static_cast<std::size_t>(number)];
    std::error_code none;
    const auto written = fs::last_write_time(path, none);
    base::Hasher hasher;
    hasher.add(static_cast<std::int64_t>(none ? 0 : written.time_since_epoch().count()));
    hasher.add(number);
    return static_cast<std::int64_t>(hasher.value() >> 1U);
}

const output::FrameFile& StoredFrames::read(std::int64_t number) {
    const std::int64_t identity = identity_of(number);
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.identity == identity; });
    if (found != kept_.end()) {
        return found->frame;
    }
    constexpr std::size_t most = 2;
    output::FrameFile frame = output::read_frame(frames_[static_cast<std::size_t>(number)]);
    while (kept_.size() >= most) {
        kept_.pop_front();
    }
    kept_.push_back({identity, std::move(frame)});
    return kept_.back().frame;
}

Known StoredFrames::known_of(const output::FrameFile& frame, bool soft) {
    return {soft, !frame.contacts.empty(), !frame.stress.empty()};
}

std::shared_ptr<const Picture> StoredFrames::picture_of(std::int64_t number, std::span<const Request> requests) {
    std::shared_ptr<Picture> picture;
    try {
        picture = painter_.paint(read(number), requests);
    } catch (const base::InputError& fault) {
        picture = std::make_shared<Picture>();
        picture->population = std::make_shared<Population>();
        picture->fault = fault.what();
    }
    picture->frame = number;
    picture->identity = identity_of(number);
    return picture;
}

void StoredFrames::show(Exchange& exchange, std::span<const Request> requests) {
    if (frames_.empty()) {
        return;  // they may yet come
    }
    std::map<std::int64_t, std::vector<Request>> by_frame;
    for (const Request& request : requests) {
        const std::int64_t last = count() - 1;
        const std::int64_t number = request.frame < 0 ? last : std::min(request.frame, last);
        if (request.seen != identity_of(number)) {
            by_frame[number].push_back(request);
        }
    }
    for (const auto& [number, wanted] : by_frame) {
        const std::shared_ptr<const Picture> picture = picture_of(number, wanted);
        for (const Request& request : wanted) {
            exchange.answer(request, picture);
        }
    }
}

}  // namespace talus::server
