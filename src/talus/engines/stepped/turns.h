// Events that share grains, carried out by many threads with the same result as one after the other. Each event has a
// key of its own, and an event's turn has come when no event with a smaller key is left at either of its grains:
// whatever thread gets there first, every grain sees its events in ascending order of their keys.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace talus::engines::stepped {

struct Event {
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    std::uint64_t key = 0;
    std::uint32_t a = nobody, b = nobody;  // grains; `b` is nobody where a wall is the partner
    std::uint32_t what = 0;                // for whoever carries it out
    std::uint32_t done = 0;
    std::uint64_t next_a = 0, next_b = 0;  // the event before it at the same grain
};

class Turns {
public:
    /// Room for grains and threads. `shared` says which grains may have events of more than one thread; one thread's
    /// own need no watching, since it goes by ascending keys. Whatever was there is forgotten.
    void prepare(std::vector<char> shared, int threads) {
        shared_ = std::move(shared);
        head_.assign(shared_.size(), none);
        of_thread_.resize(static_cast<std::size_t>(threads));
        for (OfThread& mine : of_thread_) {
            mine.events.clear();
        }
    }

    /// By each thread, before the others add: takes its last events out.
    void clear(std::size_t rank) {
        OfThread& mine = of_thread_[rank];
        for (const std::uint32_t grain : mine.heads) {
            std::atomic_ref(head_[grain]).store(none, std::memory_order_relaxed);  // two threads may share it
        }
        mine.heads.clear();
        mine.events.clear();
    }

    void add(std::size_t rank, Event event) {
        OfThread& mine = of_thread_[rank];
        const std::uint64_t handle = (std::uint64_t{rank} << rank_shift) | mine.events.size();
        event.next_a = put(event.a, handle, mine);
        if (event.b != Event::nobody) {
            event.next_b = put(event.b, handle, mine);
        }
        mine.events.push_back(event);
    }

    /// By each thread, once all have added: act(event) for its own events, each at its turn. All threads go by
    /// ascending keys: the smallest that is left anywhere is always next in its thread, so they never wait for one
    /// another in a circle, and seldom at all.
    template <class Act>
    void carry_out(std::size_t rank, const Act& act) {
        OfThread& mine = of_thread_[rank];
        sort(mine);
        for (const auto& [key, k] : mine.order) {
            Event& e = mine.events[k];
            int waited = 0;
            while (!is_first(e.a, key) || (e.b != Event::nobody && !is_first(e.b, key))) {
                if (++waited > patience) {
                    std::this_thread::yield();
                }
            }
            act(e);
            std::atomic_ref(e.done).store(1, std::memory_order_release);
        }
    }

    bool empty() const {
        return std::all_of(of_thread_.begin(), of_thread_.end(), [](const OfThread& t) { return t.events.empty(); });
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    static constexpr int rank_shift = 40;
    static constexpr int patience = 1000;  // looks before another thread is given way

    struct alignas(64) OfThread {
        std::vector<Event> events;
        std::vector<std::uint32_t> heads;                            // shared grains that have events
        std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // by key
        std::vector<std::uint32_t> start;                            // of buckets, for sorting
    };

    /// Keys are mixed: buckets by their upper bits hold about one each, and little is left to put right.
    static void sort(OfThread& mine) {
        const std::size_t n = mine.events.size();
        const int bits = static_cast<int>(std::bit_width(n));  // of the number of buckets
        const auto bucket = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> (64 - bits)); };
        mine.order.resize(n);
        if (n < 2) {
            if (n == 1) {
                mine.order[0] = {mine.events[0].key, 0};
            }
            return;
        }
        mine.start.assign((std::size_t{1} << bits) + 1, 0);
        for (const Event& e : mine.events) {
            ++mine.start[bucket(e.key) + 1];
        }
        for (std::size_t k = 1; k < mine.start.size(); ++k) {
            mine.start[k] += mine.start[k - 1];
        }
        for (std::uint32_t k = 0; k < n; ++k) {
            mine.order[mine.start[bucket(mine.events[k].key)]++] = {mine.events[k].key, k};
        }
        for (std::size_t k = 1; k < n; ++k) {
            const auto moved = mine.order[k];
            std::size_t to = k;
            for (; to > 0 && moved < mine.order[to - 1]; --to) {
                mine.order[to] = mine.order[to - 1];
            }
            mine.order[to] = moved;
        }
    }

    std::uint64_t put(std::uint32_t grain, std::uint64_t handle, OfThread& mine) {
        if (shared_[grain] == 0) {
            return none;
        }
        mine.heads.push_back(grain);
        return std::atomic_ref(head_[grain]).exchange(handle, std::memory_order_acq_rel);
    }
    Event& at(std::uint64_t handle) {
        return of_thread_[handle >> rank_shift].events[handle & ((std::uint64_t{1} << rank_shift) - 1)];
    }
    bool is_first(std::uint32_t grain, std::uint64_t key) {
        if (shared_[grain] == 0) {
            return true;
        }
        for (std::uint64_t h = head_[grain]; h != none;) {
            Event& other = at(h);
            if (other.key < key && std::atomic_ref(other.done).load(std::memory_order_acquire) == 0) {
                return false;
            }
            h = other.a == grain ? other.next_a : other.next_b;
        }
        return true;
    }

    std::vector<char> shared_;         // of each grain
    std::vector<std::uint64_t> head_;  // the last event added at each shared grain
    std::vector<OfThread> of_thread_;
};

}  // namespace talus::engines::stepped
