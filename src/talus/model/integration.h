// How grains of soft contacts are carried forward in time, and what a method with steps of its own remembers.
#pragma once

#include <array>
#include <cstdint>

#include "talus/model/ledger.h"

namespace talus::model {

enum class Method : std::uint8_t {
    leapfrog,  // kick, drift, kick; one force evaluation a step
    midpoint,  // POLY Sects. 6-7: drift, kick, drift
    rkf45,     // Runge-Kutta-Fehlberg with steps chosen by the error (SOLVER Algorithm 1)
    rk23,      // Bogacki-Shampine, the same way
    implicit,  // ARKODE's diagonally implicit Runge-Kutta method of third order, for stiff contacts
};

struct IntegrationRules {
    Method method = Method::leapfrog;
    // Of the last three. The clock's step is then a frame, into which their steps fit evenly.
    double tolerance = 0.01;    // m/s: error of a position in a step, twice over and by its length
    double shortest = 1.41e-4;  // s; a step as short as that is taken whatever its error
    bool successive = true;     // forces one after another, each felt by the next

    bool adaptive() const { return method != Method::leapfrog && method != Method::midpoint; }
};

/// What steps of the integrator's own choice leave behind.
struct IntegrationState {
    double suggested = 0;  // s, for the next step; 0: none yet
    std::int64_t accepted = 0, rejected = 0;
    double shortest = 0, longest = 0;             // s, of those accepted
    std::array<double, mechanism_count> power{};  // W, dissipated at the end of the last step
};

}  // namespace talus::model
