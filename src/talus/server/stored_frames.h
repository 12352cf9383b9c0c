// The stored frames of a run folder as pictures for viewers. What another program does to the folder meanwhile is taken
// as it comes: frames may appear, go, be replaced or be unreadable.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <vector>

#include "talus/output/frame.h"
#include "talus/server/exchange.h"
#include "talus/server/painter.h"

namespace talus::server {

class StoredFrames {
public:
    explicit StoredFrames(std::filesystem::path folder) : folder_(std::move(folder)) { look(); }

    /// At which frames there are now.
    void look();
    /// Viewers count them from zero without a gap, whatever their files are called.
    std::int64_t count() const { return static_cast<std::int64_t>(frames_.size()); }

    /// Answers requests for frames that their viewers have not got yet; a frame beyond the last is the last. Of one
    /// that cannot be read there is a picture that says so.
    void show(Exchange& exchange, std::span<const Request> requests);

    /// The frame with that number; base::InputError if it cannot be read.
    const output::FrameFile& read(std::int64_t number);
    /// What a frame knows of contacts; `soft`: of grains that touch for a while.
    static Known known_of(const output::FrameFile& frame, bool soft);

private:
    /// A frame that was read, for as long as its file is the same.
    struct Kept {
        std::int64_t identity = 0;
        output::FrameFile frame;
    };
    std::int64_t identity_of(std::int64_t number) const;
    std::shared_ptr<const Picture> picture_of(std::int64_t number, std::span<const Request> requests);

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> frames_;
    std::deque<Kept> kept_;  // the last two: one looks to and fro
    Painter painter_;
};

}  // namespace talus::server
