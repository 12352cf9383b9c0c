// Grains of many spheres: a library of shapes, and for each body which shape it has and how that is turned. Bodies
// keep all that spheres have too; their radius is that of the smallest ball about the centre that holds the grain.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/geometry/sphere_union.h"
#include "talus/math/rotation.h"
#include "talus/model/bodies.h"
#include "talus/model/squeeze.h"

namespace talus::model {

using math::Quaterniond;

/// A rigid set of spheres in the frame of its principal axes about its centre of mass, in units of its reach: the
/// smallest ball about the centre that holds it has radius 1.
struct GrainShape {
    std::string name;
    std::vector<geometry::Ball> balls;
    double volume = 0;   // in units of reach^3, overlaps counted once
    Vec3d moment;        // principal moments for density 1, in units of reach^5, ascending
    Quaterniond drawn;   // carries the principal frame to the one the shape was drawn in
    double reach = 0;    // m, as drawn
    double density = 0;  // kg/m3; 0: that of the material
    double error = 0;    // relative, of the volume, as estimated
};

/// The shape that balls make; they must be free of faults (geometry::grain_fault).
GrainShape make_grain_shape(std::string name, const std::vector<geometry::Ball>& balls, double tolerance = 1e-4);

struct Grains {
    std::vector<GrainShape> shapes;
    // A row a body; none where every body is a sphere.
    std::vector<std::int32_t> shape;  // -1: a sphere
    std::vector<Quaterniond> turn;    // carries the principal axes to the world
    std::vector<Vec3d> moment;        // kg m2, principal
    std::vector<Vec3d> turning;       // kg m2/s, angular momentum; kept, so that spins never round it away

    /// Whether any body is more than a sphere.
    bool any() const {
        return std::any_of(shape.begin(), shape.end(), [](std::int32_t s) { return s >= 0; });
    }
    /// Whether orientations are kept, of spheres too: an engine for grains is at work.
    bool has_rows() const { return !shape.empty(); }
    /// Bodies beyond the rows are spheres that were added since.
    bool is_sphere(std::size_t i) const { return i >= shape.size() || shape[i] < 0; }
    /// Rows for new bodies, which are spheres.
    void resize(const Bodies& bodies);
    void compact(const std::vector<char>& keep) {
        squeeze(shape, keep);
        squeeze(turn, keep);
        squeeze(moment, keep);
        squeeze(turning, keep);
    }
};

/// Makes body `i` a grain of that shape, as large as the body's radius says, with mass and moments to match.
void shape_body(Bodies& bodies, Grains& grains, std::size_t i, std::int32_t shape, const Quaterniond& turn,
                double density);

/// m, radius of the sphere that holds as much solid.
double solid_radius(const Bodies& bodies, const Grains& grains, std::size_t i);
/// The spheres of body `i` where they are.
std::vector<geometry::Ball> spheres_of(const Bodies& bodies, const Grains& grains, std::size_t i);

/// kg m2/s, about its centre, if it turned like this.
Vec3d angular_momentum(const Bodies& bodies, const Grains& grains, std::size_t i, const Vec3d& spin);
/// J, of its turning.
double turning_energy(const Bodies& bodies, const Grains& grains, std::size_t i);
/// J, of all its motion.
inline double kinetic_energy(const Bodies& bodies, const Grains& grains, std::size_t i) {
    return 0.5 * bodies.mass[i] * norm2(bodies.velocity[i]) + turning_energy(bodies, grains, i);
}

}  // namespace talus::model
