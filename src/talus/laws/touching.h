// When a contact exists: the default of most laws, which act while the surfaces overlap and not beyond. A law that
// holds on to a partner at a distance (a liquid bridge, adhesion) hides these with its own.
#pragma once

#include "talus/laws/contact.h"

namespace talus::laws {

struct Touching {
    /// Whether there is a contact, given what it remembers.
    template <class T, class Params, class History>
    TALUS_HD static bool acts(const Kinematics<T>& contact, const Params&, const History&) {
        return contact.overlap > 0;
    }
    /// m, the greatest gap at which a contact that exists can still act; `radius_j` is 0 for a wall.
    template <class Params>
    TALUS_HD static double range(const Params&, double /*radius_i*/, double /*radius_j*/) {
        return 0;
    }
};

}  // namespace talus::laws
