#include "talus/engines/hard/event_queue.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace talus::engines::hard {

namespace {

constexpr double entries_per_span = 16;  // as filed at first; others come and some become void
constexpr std::size_t crowded = 512;     // entries in one span
constexpr std::int64_t deserted = 4096;  // spans in a row without entries
constexpr std::size_t sorted_by_insertion = 48;
constexpr double most_spans = 1e15;  // since the epoch

constexpr auto is_before = [](const EventQueue::Entry& a, const EventQueue::Entry& b) {
    return a.time < b.time || (a.time == b.time && a.id < b.id);
};

void sort(std::vector<EventQueue::Entry>& entries) {
    if (entries.size() > sorted_by_insertion) {
        std::sort(entries.begin(), entries.end(), is_before);
        return;
    }
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const EventQueue::Entry moving = entries[i];
        std::size_t k = i;
        for (; k > 0 && is_before(moving, entries[k - 1]); --k) {
            entries[k] = entries[k - 1];
        }
        entries[k] = moving;
    }
}

}  // namespace

void EventQueue::rebuild(const Event* events, std::size_t count, double now, double last) {
    events_ = events;
    chunks_.clear();
    free_.clear();
    far_.clear();
    order_.clear();
    next_ = 0;
    post_.fill({0, nobody});
    filed_ = 0;
    out_of_tune_ = false;
    empty_ = 0;
    read_ = 0;

    // The rate at which events fall due: from the time at which half of them are over, since a few that come at once (a
    // lattice that starts to move) say nothing about the others.
    std::vector<double> due;
    due.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (events[i].key() < never && events[i].key() <= last) {
            due.push_back(events[i].key());
        }
    }
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(64, (last < never ? due.size() : count) / 4));
    ring_.assign(size, Span{});
    mask_ = static_cast<std::uint32_t>(size - 1);
    per_span_ = 1;
    if (!due.empty()) {
        const std::size_t part = due.size() / 2;
        std::nth_element(due.begin(), due.begin() + static_cast<std::ptrdiff_t>(part), due.end());
        const double wait = due[part] - now;
        // Coarser than rounding of times, so that numbers of spans stay exact.
        const double least = (std::fabs(due[part]) + std::fabs(now)) * 1e-12 + 1e-300;
        per_span_ = 1 / std::max(wait * entries_per_span / static_cast<double>(part + 1), least);
    }
    open_ = static_cast<std::int64_t>(now * per_span_) - 1;
    ring_end_ = static_cast<double>(open_) + static_cast<double>(size);
    refill_ = open_ + static_cast<std::int64_t>(size / 2);
    for (std::size_t i = 0; i < count; ++i) {
        if (events[i].key() <= last) {
            push(static_cast<std::uint32_t>(i), events[i].key());
        }
    }
}

void EventQueue::deliver_post(std::uint32_t span) {
    for (Letter& letter : post_) {
        if (letter.span == span && letter.id != nobody) {
            file(letter.span, letter.id);
            letter.id = nobody;
        }
    }
}

void EventQueue::spill(Span& home) {
    std::uint32_t chunk = 0;
    if (free_.empty()) {
        chunk = static_cast<std::uint32_t>(chunks_.size());
        chunks_.push_back(home);
    } else {
        chunk = free_.back();
        free_.pop_back();
        chunks_[chunk] = home;
    }
    home.count = 0;
    home.more = chunk;
}

void EventQueue::insert_open(std::uint32_t id, double time) {
    const Entry entry{time, id};
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(next_);
    order_.insert(std::upper_bound(begin, order_.end(), entry, is_before), entry);
    out_of_tune_ = out_of_tune_ || order_.size() - next_ > crowded;
}

void EventQueue::gather(Span& home) {
    const auto take = [this](const Span& span) {
        for (std::uint32_t k = 0; k < span.count; ++k) {
            const std::uint32_t id = span.ids[k];
            const double time = events_[id].key();
            if (time * per_span_ < ring_end_ && static_cast<std::int64_t>(time * per_span_) == open_) {
                order_.push_back({time, id});
            }
        }
        filed_ -= span.count;
        read_ += span.count;
    };
    take(home);
    for (std::uint32_t chunk = home.more; chunk != nobody; chunk = chunks_[chunk].more) {
        take(chunks_[chunk]);
        free_.push_back(chunk);
    }
    home.count = 0;
    home.more = nobody;
}

void EventQueue::bring_near() {
    std::vector<std::uint32_t> waiting;
    waiting.swap(far_);
    std::sort(waiting.begin(), waiting.end());
    waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
    out_of_tune_ = out_of_tune_ || waiting.size() > crowded + 4 * read_;  // the ring is too short
    read_ = 0;
    if (filed_ == 0) {  // nothing until the first of them: go there at once
        double first = never;
        for (const std::uint32_t id : waiting) {
            first = std::min(first, events_[id].key());
        }
        if (first < never) {
            per_span_ = std::min(per_span_, most_spans / first);  // numbers of spans must stay exact
            open_ = static_cast<std::int64_t>(first * per_span_) - 1;
        }
    }
    ring_end_ = static_cast<double>(open_) + static_cast<double>(ring_.size());
    refill_ = open_ + static_cast<std::int64_t>(ring_.size() / 2);
    for (const std::uint32_t id : waiting) {
        push(id, events_[id].key());
    }
}

void EventQueue::open_next() {
    order_.clear();
    next_ = 0;
    if (filed_ == 0 || open_ >= refill_) {
        bring_near();
    }
    ++open_;
    const std::uint32_t span = static_cast<std::uint32_t>(open_) & mask_;
    deliver_post(span);
    gather(ring_[span]);
    sort(order_);
    const Span& later = span_after(2);
    for (std::uint32_t k = 0; k < later.count; ++k) {
        __builtin_prefetch(&events_[later.ids[k]]);
    }
    __builtin_prefetch(&span_after(3));
    empty_ = order_.empty() ? empty_ + 1 : 0;
    out_of_tune_ = out_of_tune_ || order_.size() > crowded || empty_ > deserted;
}

const EventQueue::Entry* EventQueue::front() {
    for (;;) {
        while (next_ < order_.size()) {
            const Entry& entry = order_[next_];
            if (events_[entry.id].key() == entry.time) {
                return &entry;
            }
            ++next_;
        }
        if (filed_ == 0 && far_.empty()) {
            return nullptr;
        }
        open_next();
    }
}

}  // namespace talus::engines::hard
