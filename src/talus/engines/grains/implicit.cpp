// Implicit steps for stiff contacts: ARKODE of SUNDIALS solves a diagonally implicit Runge-Kutta method of third order,
// by Newton's method with a matrix-free linear solver. It is set up anew for every step, so that nothing but the length
// of the next step needs to be remembered.
#include <fmt/format.h>

#include "talus/base/diagnostics.h"
#include "talus/engines/grains/engine.h"

#ifdef TALUS_HAS_ARKODE
#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include <algorithm>
#include <cmath>
#include <memory>
#endif

namespace talus::engines::grains {

#ifdef TALUS_HAS_ARKODE

namespace {

constexpr std::size_t numbers = 13;  // of a body: position, velocity, quaternion, angular momentum
constexpr double wild = 10;          // radii: so far no trial may go
constexpr double largest_growth = 5;

struct Context {
    SUNContext it = nullptr;
    Context() {
        if (SUNContext_Create(nullptr, &it) != 0) {
            throw base::RunError("SUNDIALS cannot be started");
        }
    }
    ~Context() { SUNContext_Free(&it); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

template <auto release>
struct Release {
    template <class Any>
    void operator()(Any* any) const {
        release(any);
    }
};
using Vector = std::unique_ptr<_generic_N_Vector, Release<N_VDestroy>>;
using Solver = std::unique_ptr<_generic_SUNLinearSolver, Release<SUNLinSolFree>>;
struct FreeArkode {
    void operator()(void* memory) const { ARKStepFree(&memory); }
};

Vector wrap(std::vector<double>& values, const Context& context) {
    return Vector(N_VMake_Serial(static_cast<sunindextype>(values.size()), values.data(), context.it));
}

void ignore(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*message*/, void* /*data*/) {}

}  // namespace

int Engine::implicit_rates(double time, const double* y, double* rate) {
    const std::size_t n = system_.bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
        const double* of = y + numbers * i;
        Motion& m = motion_[i];
        m = start_[i];
        m.position = {of[0], of[1], of[2]};
        m.velocity = {of[3], of[4], of[5]};
        if (nature_[i].keeps_turn) {
            m.turn = normalized(Quaterniond{of[6], {of[7], of[8], of[9]}});
        }
        if (nature_[i].inverse_moment.x > 0) {
            m.spin = spin_from(i, m.turn, {of[10], of[11], of[12]});
        }
        const double far = wild * system_.bodies.radius[i];
        if (!(norm2(m.position - start_[i].position) <= far * far) ||
            !std::isfinite(norm2(m.velocity) + norm2(m.spin))) {
            return 1;  // ARKODE tries a shorter step
        }
    }
    evaluate(motion_, time, 0, system_.integration_state.suggested, Look::forces);
    for (std::size_t i = 0; i < n; ++i) {
        const Motion& m = motion_[i];
        const bool turns = nature_[i].inverse_moment.x > 0;
        const Vec3d push = wrench_[i].force * nature_[i].inverse_mass + gravity_of(i);
        const Quaterniond turning = nature_[i].keeps_turn ? Quaterniond{0, m.spin * 0.5} * m.turn : Quaterniond{0, {}};
        double* out = std::copy_n(&m.velocity[0], 3, rate + numbers * i);
        out = std::copy_n(&push[0], 3, out);
        *out++ = turning.w;
        out = std::copy_n(&turning.v[0], 3, out);
        const Vec3d torque = turns ? wrench_[i].torque : Vec3d{};
        std::copy_n(&torque[0], 3, out);
    }
    return 0;
}

double Engine::step_implicitly(double time, double left) {
    const model::IntegrationRules& rules = system_.integration;
    model::IntegrationState& state = system_.integration_state;
    const std::size_t n = system_.bodies.size();
    start_ = motions();
    motion_ = start_;
    turning_.resize(n);
    std::vector<double> y;
    std::vector<double> allowed;  // errors
    y.reserve(numbers * n);
    for (std::size_t i = 0; i < n; ++i) {
        const Motion& m = start_[i];
        const Vec3d& turning = system_.grains.turning[i];
        y.insert(y.end(), {m.position.x, m.position.y, m.position.z, m.velocity.x, m.velocity.y, m.velocity.z, m.turn.w,
                           m.turn.v.x, m.turn.v.y, m.turn.v.z, turning.x, turning.y, turning.z});
        const double speed = 0.5 * rules.tolerance;
        const double way = speed * system_.clock.step;
        const double radius = system_.bodies.radius[i];
        allowed.insert(allowed.end(), 3, way);
        allowed.insert(allowed.end(), 3, speed);
        allowed.insert(allowed.end(), 4, way / radius);
        allowed.insert(allowed.end(), 3, speed * system_.bodies.mass[i] * radius);
    }
    const Context context;
    const Vector at = wrap(y, context);
    const Vector errors = wrap(allowed, context);
    const auto rates = [](realtype when, N_Vector from, N_Vector to, void* self) {
        return static_cast<Engine*>(self)->implicit_rates(when, N_VGetArrayPointer(from), N_VGetArrayPointer(to));
    };
    const Solver solver(SUNLinSol_SPGMR(at.get(), SUN_PREC_NONE, 0, context.it));
    const std::unique_ptr<void, FreeArkode> memory(ARKStepCreate(nullptr, rates, time, at.get(), context.it));
    const double longest = std::min(std::max(longest_step(), rules.shortest), left);
    const double first = std::min(std::max(state.suggested, rules.shortest), longest);
    realtype reached = time;
    const auto fails = [](int answer) { return answer < 0; };
    ARKStepSetErrHandlerFn(memory.get(), ignore, nullptr);
    if (fails(ARKStepSetUserData(memory.get(), this)) || fails(ARKStepSetOrder(memory.get(), 3)) ||
        fails(ARKStepSVtolerances(memory.get(), 0, errors.get())) ||
        fails(ARKStepSetLinearSolver(memory.get(), solver.get(), nullptr)) ||
        fails(ARKStepSetInitStep(memory.get(), first)) || fails(ARKStepSetMaxStep(memory.get(), longest)) ||
        fails(ARKStepSetMinStep(memory.get(), std::min(rules.shortest, left))) ||
        fails(ARKStepSetMaxFirstGrowth(memory.get(), largest_growth)) ||
        fails(ARKStepSetStopTime(memory.get(), time + left)) ||
        fails(ARKStepEvolve(memory.get(), time + left, at.get(), &reached, ARK_ONE_STEP))) {
        throw base::RunError(fmt::format(
            "no implicit step of {:.3g} s or more can be solved at t = {:.6g} s; a smaller integration.shortest or a "
            "larger integration.tolerance will help",
            rules.shortest, time));
    }
    realtype taken = 0;
    realtype next = 0;
    long failed = 0;
    ARKStepGetLastStep(memory.get(), &taken);
    ARKStepGetCurrentStep(memory.get(), &next);
    ARKStepGetNumErrTestFails(memory.get(), &failed);
    for (std::size_t i = 0; i < n; ++i) {
        const double* of = &y[numbers * i];
        Motion& m = motion_[i];
        m.position = {of[0], of[1], of[2]};
        m.velocity = {of[3], of[4], of[5]};
        m.turn = nature_[i].keeps_turn ? normalized(Quaterniond{of[6], {of[7], of[8], of[9]}}) : m.turn;
        turning_[i] = {of[10], of[11], of[12]};
        m.spin = nature_[i].inverse_moment.x > 0 ? spin_from(i, m.turn, turning_[i]) : start_[i].spin;
    }
    state.suggested = std::min(next, system_.clock.step);
    state.rejected += failed;
    accept(time + taken, taken, nullptr);
    return taken;
}

#else

double Engine::step_implicitly(double time, double /*left*/) {
    throw base::RunError(fmt::format("t = {:.6g} s: Talus was built without SUNDIALS (libsundials-dev)", time));
}

#endif

}  // namespace talus::engines::grains
