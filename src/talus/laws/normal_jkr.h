// Adhesive elastic spheres after Johnson, Kendall and Roberts (1971), in terms of the contact radius a:
//   x = a^2/R* - sqrt(2 pi w a / E*),  F = 4 E* a^3 / (3 R*) - sqrt(8 pi w E* a^3).
#pragma once

#include <cmath>

#include "talus/laws/contact.h"
#include "talus/math/portable_power.h"

namespace talus::laws {

struct NormalJkr {
    struct Params {
        double modulus;        // Pa, E*
        double adhesion;       // J/m2, w: work of adhesion
        double damping_ratio;  // as in NormalHertz
        double cn;             // kg/s, added
    };
    struct Force {
        double repulsion, damping, elastic, stored;  // as in NormalHooke; stored is 0 at pull-off
        double root;                                 // sqrt(2 E* a mass), kg/s
        double press;                                // N, for friction: the repulsion and twice the pull-off
    };
    /// With y = sqrt(a) and c = sqrt(2 pi w / E*): x = y^4/R* - c y and F = E* (4/3 y^6/R* - 2 c y^3).
    struct Shape {
        double radius;  // m, R*
        double c;       // m^(1/2)
        double lowest;  // y of the pull-off, where x is least
    };

    TALUS_HD static Force respond(const Kinematics<double>& contact, const Params& p, double opening) {
        const Shape shape = shape_of(1 / contact.curvature, p);
        const double y = contact_root(shape, contact.overlap);
        const double elastic = force(shape, p, y);
        const double tangent = 2 * p.modulus * y * y;
        const double root = std::sqrt(tangent * contact.mass);
        const double damping = 2 * sqrt_5_6 * p.damping_ratio * root + p.cn;
        const double repulsion = elastic - damping * opening;
        return {repulsion, damping, elastic, energy(shape, p, y), root, repulsion + 2 * pull_off(shape.radius, p)};
    }

    TALUS_HD static double change(const Kinematics<double>& contact, const Params& p, const Force& now, double opening,
                                  double dt) {
        return now.elastic - spring(contact, p, contact.overlap + dt * opening).force -
               dt * now.damping * now.repulsion * contact.inverse_mass;
    }
    TALUS_HD static Spring<double> spring(const Kinematics<double>& contact, const Params& p, double overlap) {
        const Shape shape = shape_of(1 / contact.curvature, p);
        const double y = contact_root(shape, overlap);
        return {force(shape, p, y), energy(shape, p, y)};
    }
    /// Half a period at the present contact circle, as in NormalHertz.
    TALUS_HD static double duration(const Kinematics<double>& contact, const Params& p) {
        const double y = contact_root(shape_of(1 / contact.curvature, p), contact.overlap);
        return pi * std::sqrt(contact.mass / (2 * p.modulus * y * y));
    }

    /// N, the greatest pull, (3/2) pi w R*.
    TALUS_HD static double pull_off(double radius, const Params& p) { return 1.5 * pi * p.adhesion * radius; }
    /// m, the gap at which a contact that is drawn apart breaks: 3 a^2/R* at its least a.
    TALUS_HD static double longest_gap(double radius, const Params& p) {
        const double y = shape_of(radius, p).lowest;
        return 3 * y * y * y * y / radius;
    }
    /// J, lost when spheres that touch snap together: what is held at x = 0, with the sign turned.
    TALUS_HD static double snap(double radius, const Params& p) {
        const Shape shape = shape_of(radius, p);
        return -energy(shape, p, contact_root(shape, 0));
    }
    /// m, the overlap at rest under a force (N): F is a quadratic in y^3.
    TALUS_HD static double overlap_under(double radius, const Params& p, double load) {
        const Shape shape = shape_of(radius, p);
        const double z =
            0.375 * radius * (2 * shape.c + std::sqrt(4 * shape.c * shape.c + 16 * load / (3 * radius * p.modulus)));
        const double y = math::cube_root(z);
        return y * z / radius - shape.c * y;
    }

    static constexpr double pi = 3.14159265358979323846;
    static constexpr double sqrt_5_6 = 0.91287092917527685576;
    static constexpr bool needs_curvature = true;

private:
    TALUS_HD static Shape shape_of(double radius, const Params& p) {
        const double c = std::sqrt(2 * pi * p.adhesion / p.modulus);
        return {radius, c, math::cube_root(0.25 * c * radius)};
    }

    /// The stable root y of x = y^4/R* - c y. The right side is convex and the start lies beyond the root, so that
    /// Newton's steps come down to it and stop where rounding ends their descent.
    TALUS_HD static double contact_root(const Shape& shape, double overlap) {
        const double lift = shape.radius * larger(overlap, 0.0);
        // (A + B)^4 >= A^4 + B^3 (A + B) with A^4 = R* x and B^3 = c R*; B is the pull-off's times the cube root of 4.
        double y = std::sqrt(std::sqrt(lift)) + 1.5874010519681996 * shape.lowest;
        for (int k = 0; k < 60; ++k) {
            const double cube = y * y * y;
            const double slope = 4 * cube - shape.c * shape.radius;
            if (!(slope > 0)) {
                break;
            }
            const double next = y - (cube * y - shape.c * shape.radius * y - shape.radius * overlap) / slope;
            if (!(next < y)) {
                break;
            }
            y = next;
        }
        return larger(y, shape.lowest);
    }

    TALUS_HD static double force(const Shape& shape, const Params& p, double y) {
        const double cube = y * y * y;
        return p.modulus * cube * ((4.0 / 3.0) * cube / shape.radius - 2 * shape.c);
    }
    /// J, the integral of F dx from the pull-off.
    TALUS_HD static double energy(const Shape& shape, const Params& p, double y) {
        return p.modulus * (work(shape, y) - work(shape, shape.lowest));
    }
    TALUS_HD static double work(const Shape& shape, double y) {
        const double cube = y * y * y / shape.radius;
        return y * y * y * y * ((8.0 / 15.0) * cube * cube - (4.0 / 3.0) * shape.c * cube + 0.5 * shape.c * shape.c);
    }
};

}  // namespace talus::laws
