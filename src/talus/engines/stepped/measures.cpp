#include "talus/engines/stepped/measures.h"

namespace talus::engines::stepped {

std::vector<double> saved(const Measures& m) {
    return {static_cast<double>(m.collisions), static_cast<double>(m.wall_collisions),
            static_cast<double>(m.corrections), m.fastest, static_cast<double>(m.fastest_id)};
}

std::optional<Measures> loaded(const std::vector<double>& numbers) {
    if (numbers.size() != 5) {
        return std::nullopt;
    }
    const auto whole = [&](std::size_t k) { return static_cast<std::int64_t>(numbers[k]); };
    return Measures{whole(0), whole(1), whole(2), numbers[3], whole(4)};
}

}  // namespace talus::engines::stepped
