// Whether time still passes: impacts may follow one another ever faster, without end (inelastic collapse).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "talus/engines/hard/record.h"
#include "talus/model/system.h"

namespace talus::engines::hard {

/// Counts events and looks at the clock once there have been many. Time may creep on by roundings for ever, so what it
/// has passed by is held against what grains take to move on by their own size.
class Standstill {
public:
    /// One more event; whether it is time to look at the clock. `flying`: bodies that may have impacts.
    bool count(std::int64_t flying) { return ++events_ > many + per_body * flying; }
    /// Whether next to no time has passed; counts anew if it has. `time`: s, on the clock.
    bool is_one(double time, const model::System& system, std::span<const Record> records, double smallest_radius);
    /// Throws base::RunError, which names the remedy.
    [[noreturn]] void refuse(double time) const;

private:
    static constexpr std::int64_t many = 100'000;
    static constexpr std::int64_t per_body = 64;

    double since_ = 0;         // s, on the clock
    std::int64_t events_ = 0;  // since then
};

}  // namespace talus::engines::hard
