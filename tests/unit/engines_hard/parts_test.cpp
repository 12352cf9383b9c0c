// The parts one by one: cells that overflow, the queue against sorting, crossings against a search in small steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "talus/base/random.h"
#include "talus/engines/hard/cells.h"
#include "talus/engines/hard/crossing.h"
#include "talus/engines/hard/event_queue.h"

namespace talus::engines::hard {
namespace {

std::multiset<std::uint32_t> members(const Cells& cells, std::size_t cell) {
    std::multiset<std::uint32_t> out;
    for (std::size_t k = 2 * cell; k < 2 * cell + 2; ++k) {
        const std::uint32_t place = cells.places()[k];
        if (!is_overflow(place)) {
            if (place != nobody) {
                out.insert(place);
            }
            continue;
        }
        for (std::uint32_t c = place & ~overflow_bit; c != nobody; c = cells.chunks()[c].next) {
            out.insert(cells.chunks()[c].ids.begin(), cells.chunks()[c].ids.begin() + cells.chunks()[c].count);
        }
    }
    return out;
}

TEST(Cells, HoldAnyNumberOfSpheres) {
    Cells cells;
    cells.reset(3);
    std::map<std::size_t, std::multiset<std::uint32_t>> expected;
    base::Random random(5, 0);
    for (int k = 0; k < 5000; ++k) {
        const std::size_t cell = random.bits() % 3;
        auto& here = expected[cell];
        if (here.size() < 60 && (here.empty() || random.uniform() < 0.5)) {
            const auto id = static_cast<std::uint32_t>(k);
            cells.insert(cell, id);
            here.insert(id);
        } else {
            auto leaving = here.begin();
            std::advance(leaving, static_cast<std::ptrdiff_t>(random.bits() % here.size()));
            cells.remove(cell, *leaving);
            here.erase(leaving);
        }
        ASSERT_EQ(members(cells, cell), here) << k;
    }
}

TEST(EventQueue, GivesEventsInOrderWhileTheyChange) {
    // Keys spread over many orders of magnitude, so that spans, what lies beyond and jumps all come in.
    base::Random random(6, 0);
    std::vector<Event> events(500);
    const auto later = [&](double now) {
        double wait = random.uniform();
        for (std::uint64_t k = random.bits() % 8; k > 0; --k) {
            wait *= k % 2 == 0 ? 0.1 : 4;
        }
        return random.uniform() < 0.01 ? never : now + wait;
    };
    for (Event& event : events) {
        event.collision = later(0);
    }
    EventQueue queue;
    queue.rebuild(events.data(), events.size(), 0);
    double now = 0;
    for (int k = 0; k < 20000; ++k) {
        const auto first = std::min_element(events.begin(), events.end(),
                                            [](const Event& a, const Event& b) { return a.key() < b.key(); });
        const EventQueue::Entry* front = queue.front();
        ASSERT_NE(front, nullptr);
        ASSERT_EQ(front->time, first->key()) << k;
        ASSERT_EQ(front->id, static_cast<std::uint32_t>(first - events.begin())) << k;
        now = front->time;
        const std::uint32_t changed[] = {front->id, static_cast<std::uint32_t>(random.bits() % events.size())};
        for (const std::uint32_t id : changed) {
            events[id].collision = k % 7 == 0 ? now : later(now);  // some at once
            queue.push(id, events[id].key());
        }
        if (queue.is_out_of_tune() && k % 50 == 0) {
            queue.rebuild(events.data(), events.size(), now);
        }
    }
    for (Event& event : events) {
        event.collision = never;
    }
    EXPECT_EQ(queue.front(), nullptr);
}

TEST(Crossing, AgreesWithASearchInSmallSteps) {
    model::Domain domain;
    const Grid grid(domain, {0, 0, 0}, {10, 10, 10}, 1, 1000);
    base::Random random(7, 0);
    int returned = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec3d g = k % 3 == 0 ? Vec3d{} : Vec3d{0, random.uniform(-3, 3), random.uniform(-3, 3)};
        Record record;
        record.position = {random.uniform(2, 8), random.uniform(2, 8), random.uniform(2, 8)};
        record.velocity = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        record.time = random.uniform();
        record.cell = grid.cell_of(record.position);
        const Crossing found = next_crossing(record, grid, g, record.time, no_face);
        ASSERT_LT(found.time, never);
        const auto at = [&](double t) { return record.position + record.velocity * t + g * (0.5 * t * t); };
        // Inside until then, outside through that face right after.
        const double wait = found.time - record.time;
        for (int s = 1; s < 200; ++s) {
            ASSERT_EQ(grid.cell_of(at(wait * s / 200)), record.cell) << k;
        }
        const std::uint32_t step = 1U << (10U * (found.face / 2));
        const std::uint32_t beyond = found.face % 2 != 0 ? record.cell + step : record.cell - step;
        ASSERT_EQ(grid.cell_of(at(wait + 1e-7)), beyond) << k;
        if (k % 3 == 0) {
            const Crossing straight = next_crossing_straight(record, grid, record.time);
            ASSERT_EQ(straight.time, found.time);
            ASSERT_EQ(straight.face, found.face);
        } else {  // and on: the flight may come back through the same face
            record.cell = beyond;
            const Crossing next = next_crossing(record, grid, g, found.time, opposite(found.face));
            returned += next.face == opposite(found.face) ? 1 : 0;
            ASSERT_GE(next.time, found.time);
            const double middle = 0.5 * (found.time + next.time) - record.time;
            ASSERT_EQ(grid.cell_of(at(middle)), beyond) << k;
        }
    }
    EXPECT_GT(returned, 20);
}

}  // namespace
}  // namespace talus::engines::hard
