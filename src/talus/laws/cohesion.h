// What draws grains together: a constant force while they touch, or a liquid bridge that forms at touch and holds until
// it breaks.
#pragma once

#include <cmath>

#include "talus/laws/contact.h"

namespace talus::laws {

struct Cohesion {
    struct Params {
        double force;    // N, constant, while the surfaces overlap
        double tension;  // N/m, 4 pi gamma cos(theta): the bridge pulls with tension R* at touch
        double volume;   // m3, of the bridge
        double rupture;  // m, the gap at which it breaks: (1 + theta/2) V^(1/3) (Lian, Thornton and Adams 1993)
    };

    /// N, the attraction. The bridge is that of Rabinovich, Esayanur and Moudgil (2005); with the height of its wetted
    /// caps put in it reads tension R* (1 - s / sqrt(s^2 + q)), q = V / (pi R*), at the gap s.
    TALUS_HD static double pull(const Kinematics<double>& contact, const Params& p) {
        const double bridge = p.tension / contact.curvature;
        if (contact.overlap > 0) {
            return p.force + bridge;
        }
        const double gap = -contact.overlap;
        if (!(gap < p.rupture)) {
            return 0;
        }
        return bridge * (1 - gap / std::sqrt(gap * gap + spread(contact, p)));
    }
    /// J, held: 0 where a bridge breaks, so that all it gives up is lost when it forms.
    TALUS_HD static double stored(const Kinematics<double>& contact, const Params& p) {
        if (contact.overlap > 0) {
            return -(p.force + p.tension / contact.curvature) * contact.overlap - formed(contact, p);
        }
        return held_at(contact, p, smaller(-contact.overlap, p.rupture));
    }
    /// J, lost when the bridge forms.
    TALUS_HD static double formed(const Kinematics<double>& contact, const Params& p) {
        return -held_at(contact, p, 0);
    }

private:
    TALUS_HD static double spread(const Kinematics<double>& contact, const Params& p) {
        constexpr double pi = 3.14159265358979323846;
        return p.volume * contact.curvature / pi;
    }
    TALUS_HD static double held_at(const Kinematics<double>& contact, const Params& p, double gap) {
        const double q = spread(contact, p);
        const double last = std::sqrt(p.rupture * p.rupture + q);
        const double here = std::sqrt(gap * gap + q);
        return -p.tension / contact.curvature * ((p.rupture - gap) - (last - here));
    }
};

}  // namespace talus::laws
