// The queue of events: a ring of short spans of time, a list of what lies beyond, and the open span in order. A sphere
// is filed by number alone; what it is filed under may change later, so a span reads the present keys when it opens and
// drops who has moved. Filing is one store, and nothing is ever searched for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/base/pages.h"
#include "talus/engines/hard/record.h"

namespace talus::engines::hard {

class EventQueue {
public:
    struct Entry {
        double time;  // s since the epoch
        std::uint32_t id;
    };

    /// Files the events of all spheres that are due from `now` to `last`. The width of a span follows the events' rate.
    void rebuild(const Event* events, std::size_t count, double now, double last = never);

    /// Files a sphere under its present key.
    void push(std::uint32_t id, double time) {
        const double at = time * per_span_;
        if (at < ring_end_) {
            const auto span = static_cast<std::int64_t>(at);
            span <= open_ ? insert_open(id, time) : post(static_cast<std::uint32_t>(span) & mask_, id);
        } else if (time < never) {
            far_.push_back(id);
        }
    }
    /// The next event, or nullptr if there is none. It stays in the queue until its sphere has another key.
    const Entry* front();
    /// Entries after the front one, in order, as far as the open span goes; some may be void.
    const Entry* upcoming() const { return order_.data() + next_ + 1; }
    const Entry* upcoming_end() const { return order_.data() + order_.size(); }
    /// Place of the front one in the open span.
    std::size_t position() const { return next_; }
    std::size_t open_size() const { return order_.size(); }
    const Entry& in_open(std::size_t place) const { return order_[place]; }
    /// Counts openings, so that whoever fetches memory ahead notices them.
    std::int64_t opened() const { return open_; }
    /// Spheres filed in the span after the open one, in no order; some may be void.
    const std::uint32_t* following() const { return span_after(1).ids.data(); }
    const std::uint32_t* following_end() const { return following() + span_after(1).count; }
    /// Whether spans have become so full or so empty that a rebuild would pay.
    bool is_out_of_tune() const { return out_of_tune_; }

private:
    /// A span's first spheres, in one cache line; the others in a chain of chunks of the same kind.
    struct alignas(64) Span {
        std::array<std::uint32_t, 14> ids;
        std::uint32_t count = 0;
        std::uint32_t more = nobody;
    };
    static_assert(sizeof(Span) == 64);

    const Span& span_after(std::int64_t spans) const {
        return ring_[static_cast<std::uint32_t>(open_ + spans) & mask_];
    }
    /// A letter on its way: filed when the memory of its span has had time to come near.
    struct Letter {
        std::uint32_t span, id;
    };
    void post(std::uint32_t span, std::uint32_t id) {
        __builtin_prefetch(&ring_[span], 1);
        Letter& oldest = post_[posted_++ % post_.size()];
        if (oldest.id != nobody) {
            file(oldest.span, oldest.id);
        }
        oldest = {span, id};
        ++filed_;
    }
    /// Files the letters to one span; the others have time.
    void deliver_post(std::uint32_t span);
    void file(std::uint32_t span, std::uint32_t id) {
        Span& home = ring_[span];
        if (home.count == home.ids.size()) {
            spill(home);
        }
        home.ids[home.count++] = id;
    }
    void spill(Span& home);
    void insert_open(std::uint32_t id, double time);
    void open_next();
    void gather(Span& home);
    void bring_near();

    const Event* events_ = nullptr;
    base::PageVector<Span> ring_;
    std::vector<Span> chunks_;
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> far_;  // spheres due at the end of the ring or later
    std::vector<Entry> order_;        // the open span
    std::size_t next_ = 0;            // its front
    std::array<Letter, 16> post_{};
    std::uint32_t posted_ = 0;  // letters so far
    std::uint32_t mask_ = 0;
    std::size_t filed_ = 0;    // entries in the ring, posted ones included
    std::size_t read_ = 0;     // entries read since the last look beyond
    double per_span_ = 1;      // 1/s
    double ring_end_ = 0;      // number of the first span beyond the ring
    std::int64_t open_ = -1;   // number of the open span
    std::int64_t refill_ = 0;  // when to look at what lies beyond
    std::int64_t empty_ = 0;   // spans without entries since the last one with any
    bool out_of_tune_ = false;
};

}  // namespace talus::engines::hard
