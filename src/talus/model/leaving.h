// Grains that leave a run at one instant: counted, booked, and told apart from those that stay.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/model/system.h"

namespace talus::model {

class Leaving {
public:
    explicit Leaving(System& system) : system_(system) {}

    /// Beyond an open side of the domain.
    void leave_domain(std::size_t i);
    /// Into an absorbing wall.
    void absorb(std::size_t i, Wall& wall);

    bool empty() const { return keep_.empty(); }
    /// Which bodies stay; empty if all do.
    const std::vector<char>& keep() const { return keep_; }

private:
    /// False if it has left already.
    bool drop(std::size_t i);

    System& system_;
    std::vector<char> keep_;
};

/// Books that body `i` takes its kinetic energy along, and that gravity has nothing more to do with it.
void book_removal(System& system, std::size_t i);

}  // namespace talus::model
