// The state of measures as a flat list of doubles, so that a checkpoint can hold it and a resumed run goes on exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/base/diagnostics.h"
#include "talus/math/vec3.h"

namespace talus::analysis {

using State = std::vector<double>;

/// Takes a saved state apart in the order in which it was written.
class StateReader {
public:
    explicit StateReader(std::span<const double> state) : rest_(state) {}

    double number() {
        if (rest_.empty()) {
            throw base::RunError("the saved state of a measure is shorter than expected");
        }
        const double value = rest_.front();
        rest_ = rest_.subspan(1);
        return value;
    }
    /// Counts and ids are exact up to 2^53.
    std::int64_t count() { return static_cast<std::int64_t>(number()); }
    /// The length of a list that follows; each entry takes at least one number, so a damaged length is caught here.
    std::size_t length() {
        const double value = number();
        if (!(value >= 0 && value <= static_cast<double>(rest_.size()))) {
            throw base::RunError("the saved state of a measure is damaged");
        }
        return static_cast<std::size_t>(value);
    }
    math::Vec3d vector() {
        const double x = number();
        const double y = number();
        const double z = number();
        return {x, y, z};
    }
    std::vector<double> numbers() {
        std::vector<double> list(length());
        for (double& value : list) {
            value = number();
        }
        return list;
    }
    void expect_end() const {
        if (!rest_.empty()) {
            throw base::RunError("the saved state of a measure is longer than expected");
        }
    }

private:
    std::span<const double> rest_;
};

inline void write(State& state, double value) {
    state.push_back(value);
}
inline void write(State& state, std::int64_t value) {
    state.push_back(static_cast<double>(value));
}
inline void write(State& state, const math::Vec3d& v) {
    state.insert(state.end(), {v.x, v.y, v.z});
}
inline void write(State& state, const std::vector<double>& list) {
    state.push_back(static_cast<double>(list.size()));
    state.insert(state.end(), list.begin(), list.end());
}

}  // namespace talus::analysis
