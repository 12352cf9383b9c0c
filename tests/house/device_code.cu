// The physics called from a kernel: templates are compiled for the device only where a kernel uses them, so including
// the headers would not be enough. device_code_test.py puts the includes of all headers in front of this.
#include <tuple>

#include "talus/geometry/impact.h"
#include "talus/geometry/impact_moving.h"
#include "talus/geometry/opposite.h"
#include "talus/laws/impact.h"
#include "talus/laws/visit.h"
#include "talus/math/mat3.h"
#include "talus/math/rotation.h"
#include "talus/math/vec3.h"

namespace {

using talus::math::Mat3d;
using talus::math::Vec3d;

__global__ void vectors(const Vec3d* a, const Vec3d* b, Vec3d* out) {
    const Mat3d m = Mat3d::from_columns(a[0], b[0], cross(a[0], b[0]));
    out[0] = normalized(a[0]) * dot(a[1], b[1]) + transpose_times(m, b[2]) + m * a[2] - transposed(m) * a[3];
}

__global__ void rotations(const Vec3d* rotation, const double* angle, Mat3d* out) {
    out[0] = talus::math::rotation_matrix(rotation[0]) * talus::math::rotation_matrix(rotation[1], angle[0]);
}

__global__ void shapes(const talus::geometry::Shape* shape, const Vec3d* point, talus::geometry::Nearest* out) {
    out[0] = talus::geometry::nearest(shape[0], point[0]);
    out[1] = talus::geometry::nearest_side(shape[1], point[1], out[0].direction);
    out[2] = talus::geometry::opposite_side(shape[1], point[1], out[0].direction);
}

__global__ void touches(const talus::geometry::Shape* shape, const talus::geometry::Flight* flight,
                        const talus::geometry::RelativeMotion* motion, talus::geometry::FirstTouch* out) {
    out[0] = talus::geometry::first_touch(shape[0], flight[0], 0.1, 0, 1);
    const auto gap = [&](double t) { return talus::math::Sample{t, flight[0].at(t).z}; };
    talus::geometry::SearchLimits limits{1e-13, 1e-15, 100};
    out[1] = talus::geometry::first_touch_of_convex(gap, motion[0], 0, 1, limits);
    out[2] = talus::geometry::first_touch_of_any(gap, 0.1, motion[0], 0, 1, limits);
}

__global__ void impacts(const Vec3d* normal, talus::laws::ImpactBody<double>* body,
                        const talus::laws::ImpactParams* params) {
    const double rebound = talus::laws::rebound_speed(params->restitution, 1.0, talus::laws::SlowImpacts{0.1, 0.01});
    const auto result = talus::laws::impact(normal[0], body[0], body[1], params[0], rebound);
    talus::laws::apply(result, 1.0, body[0]);
    talus::laws::apply(result, -1.0, body[1]);
    body[2].lever = talus::laws::normal_impulse_per_length(-1.0, rebound, 1.0, body[2].inverse_mass);
}

template <class Law>
__global__ void contact(const talus::laws::Kinematics<double>* kinematics, const typename Law::Params* params,
                        const typename Law::template History<double>* old,
                        talus::laws::Response<double, typename Law::template History<double>>* out, double dt) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = Law::respond(kinematics[i], params[i], old[i], dt, dt);
}

template <class Laws>
struct Kernels;
template <class... Law>
struct Kernels<std::tuple<Law...>> {
    static void launch() {
        vectors<<<1, 1>>>(nullptr, nullptr, nullptr);
        rotations<<<1, 1>>>(nullptr, nullptr, nullptr);
        shapes<<<1, 1>>>(nullptr, nullptr, nullptr);
        touches<<<1, 1>>>(nullptr, nullptr, nullptr, nullptr);
        impacts<<<1, 1>>>(nullptr, nullptr, nullptr);
        (contact<Law><<<1, 1>>>(nullptr, nullptr, nullptr, nullptr, 0.0), ...);
    }
};

}  // namespace

void launch_all() {
    Kernels<talus::laws::AllLaws>::launch();
}
