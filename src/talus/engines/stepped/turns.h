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
    std::uint32_t link = nobody;           // of the thread's links, where another thread may have to wait for it
};

/// A number of its own for each sweep of each step, whatever happened before: a resumed run goes on with the same.
inline std::uint64_t round_of(std::int64_t steps, int sweep) {
    return (static_cast<std::uint64_t>(steps) << 24U) + static_cast<std::uint64_t>(sweep);
}

class Turns {
public:
    /// Room for grains and threads. `shared` says which grains may have events of more than one thread; one thread's
    /// own need no watching, since it goes by ascending keys. Whatever was there is forgotten.
    void prepare(std::vector<char> shared, int threads) {
        shared_ = std::move(shared);
        head_.assign(shared_.size(), none);
        of_thread_.resize(static_cast<std::size_t>(threads));
        for (OfThread& mine : of_thread_) {
            mine.count = 0;
            mine.links.clear();
        }
    }

    /// By each thread, before the others add: takes its last events out.
    void clear(std::size_t rank) {
        OfThread& mine = of_thread_[rank];
        for (const std::uint32_t grain : mine.heads) {
            std::atomic_ref(head_[grain]).store(none, std::memory_order_relaxed);  // two threads may share it
        }
        mine.heads.clear();
        mine.count = 0;
        mine.links.clear();
    }

    /// Room for that many more events of a thread.
    void make_room(std::size_t rank, std::size_t more) {
        OfThread& mine = of_thread_[rank];
        if (mine.events.size() < mine.count + more) {
            mine.events.resize(mine.count + more);
        }
    }

    /// There must be room. Written field by field: a copy of an event just made would wait for its parts.
    void add(std::size_t rank, std::uint64_t key, std::uint32_t a, std::uint32_t b, std::uint32_t what = 0) {
        OfThread& mine = of_thread_[rank];
        const bool first = shared_[a] != 0;
        const bool second = b != Event::nobody && shared_[b] != 0;
        Event& event = mine.events[mine.count];
        event.key = key;
        event.a = a;
        event.b = b;
        event.what = what;
        event.link = Event::nobody;
        if (first || second) {
            event.link = static_cast<std::uint32_t>(mine.links.size());
            const std::uint64_t handle = (std::uint64_t{rank} << rank_shift) | mine.count;
            mine.links.push_back({0, first ? put(a, handle, mine) : none, second ? put(b, handle, mine) : none});
        }
        ++mine.count;
    }

    /// By each thread, once all have added: act(event) for its own events, each at its turn. All threads go by
    /// ascending keys: the smallest that is left anywhere is always next in its thread, so they never wait for one
    /// another in a circle, and seldom at all. `foresee` is told of each event a little before.
    template <class Act, class Foresee>
    void carry_out(std::size_t rank, const Act& act, const Foresee& foresee) {
        OfThread& mine = of_thread_[rank];
        sort(mine);
        const std::size_t n = mine.count;
        for (std::size_t k = 0; k < n; ++k) {
            foresee(mine.order[std::min(k + foresight, n - 1)]);
            const Event& e = mine.order[k];
            if (e.link == Event::nobody) {
                act(e);
                continue;
            }
            int waited = 0;
            while (!is_first(e.a, e.key) || (e.b != Event::nobody && !is_first(e.b, e.key))) {
                if (++waited > patience) {
                    std::this_thread::yield();
                }
            }
            act(e);
            std::atomic_ref(mine.links[e.link].done).store(1, std::memory_order_release);
        }
    }

    bool empty() const {
        return std::all_of(of_thread_.begin(), of_thread_.end(), [](const OfThread& t) { return t.count == 0; });
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    static constexpr int rank_shift = 40;
    static constexpr int patience = 1000;  // looks before another thread is given way
    static constexpr std::size_t foresight = 4;

    /// An event at a shared grain, among those of all threads there.
    struct Link {
        std::uint64_t done;
        std::uint64_t next_a, next_b;  // the event before it at the same grain
    };
    struct alignas(64) OfThread {
        std::vector<Event> events;  // the first `count`
        std::size_t count = 0;
        std::vector<Link> links;
        std::vector<std::uint32_t> heads;  // shared grains that have events
        std::vector<Event> order;          // those by key
        std::vector<std::uint32_t> start;  // of buckets, for sorting
    };

    /// Keys are mixed: buckets by their upper bits hold about one each, and little is left to put right.
    static void sort(OfThread& mine) {
        const std::size_t n = mine.count;
        if (mine.order.size() < n) {
            mine.order.resize(n);
        }
        if (n < 2) {
            std::copy_n(mine.events.begin(), n, mine.order.begin());
            return;
        }
        const int bits = static_cast<int>(std::bit_width(n));  // of the number of buckets
        const auto bucket = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> (64 - bits)); };
        mine.start.assign((std::size_t{1} << bits) + 1, 0);
        for (std::size_t k = 0; k < n; ++k) {
            const Event& e = mine.events[k];
            ++mine.start[bucket(e.key) + 1];
        }
        for (std::size_t k = 1; k < mine.start.size(); ++k) {
            mine.start[k] += mine.start[k - 1];
        }
        for (std::size_t k = 0; k < n; ++k) {
            const Event& e = mine.events[k];
            mine.order[mine.start[bucket(e.key)]++] = e;
        }
        for (std::size_t k = 1; k < n; ++k) {
            if (mine.order[k - 1].key < mine.order[k].key) {
                continue;
            }
            const Event moved = mine.order[k];
            std::size_t to = k;
            for (; to > 0 && moved.key < mine.order[to - 1].key; --to) {
                mine.order[to] = mine.order[to - 1];
            }
            mine.order[to] = moved;
        }
    }

    std::uint64_t put(std::uint32_t grain, std::uint64_t handle, OfThread& mine) {
        mine.heads.push_back(grain);
        return std::atomic_ref(head_[grain]).exchange(handle, std::memory_order_acq_rel);
    }
    bool is_first(std::uint32_t grain, std::uint64_t key) {
        if (shared_[grain] == 0) {
            return true;
        }
        for (std::uint64_t h = head_[grain]; h != none;) {
            OfThread& theirs = of_thread_[h >> rank_shift];
            const Event& other = theirs.events[h & ((std::uint64_t{1} << rank_shift) - 1)];
            Link& link = theirs.links[other.link];
            if (other.key < key && std::atomic_ref(link.done).load(std::memory_order_acquire) == 0) {
                return false;
            }
            h = other.a == grain ? link.next_a : link.next_b;
        }
        return true;
    }

    std::vector<char> shared_;         // of each grain
    std::vector<std::uint64_t> head_;  // the last event added at each shared grain
    std::vector<OfThread> of_thread_;
};

}  // namespace talus::engines::stepped
