// The laws of POLY and SOLVER: parameters, how they are derived, times and depths.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/laws/collision.h"
#include "talus/laws/entries.h"
#include "talus/laws/poly.h"
#include "talus/laws/solver.h"
#include "talus/math/portable_power.h"

namespace talus::laws::entries {

namespace {

namespace dimension = base::dimension;

// --- poly ---------------------------------------------------------------------------------------------------------

ParameterBlock derive_poly(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    need_positive(values, "young", "a modulus in Pa", faults);
    if (!given(values, "restitution")) {
        faults.push_back({"restitution", "is missing", "a number from 0 to 1"});
    }
    Poly::Params p{};
    const double restitution = value_or(values, "restitution", 1);
    p.normal = {hertz_modulus(values), restitution * restitution};
    p.tangential = {value_or(values, "friction.static", 0), value_or(values, "slip_speed", 0), mobility(values)};
    return ParameterBlock::from(p);
}
double collision_poly(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_collision_time(block.as<Poly::Params>().normal.modulus, mass, radius, speed);
}
double overlap_poly(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_overlap(block.as<Poly::Params>().normal.modulus, mass, radius, speed);
}
double stable_poly(const ParameterBlock& block, double mass, double radius, double speed) {
    // The tangent stiffness at the deepest point; friction never turns the slip round.
    const double modulus = block.as<Poly::Params>().normal.modulus;
    const double k = hertz_stiffness(modulus, radius);
    return stable_step(1.5 * k * std::sqrt(hertz_overlap(modulus, mass, radius, speed)) / mass, 0, false);
}
double static_poly(const ParameterBlock& block, double radius, double force) {
    return hertz_overlap_under(block.as<Poly::Params>().normal.modulus, radius, force);
}

LawInfo poly() {
    return {
        "poly",
        "Hertzian spring that pushes less on the way out, with friction that fades at small slip (POLY).",
        "Normal: $N = \\tfrac{\\sqrt2}{3}\\tilde E\\sqrt{\\tilde r}\\,x^{3/2}$ on the way in and $\\delta N$ on the "
        "way "
        "out (Eqs. 56-57), which gives the restitution $\\sqrt\\delta$ at every speed. $\\tilde E$ and $\\tilde r$ are "
        "harmonic means: of $E/(1-\\sigma^2)$, which for a pair of one material is its own value, and of the radii, "
        "$\\tilde r = 2R$ at a flat wall. `young`, `poisson`, `restitution` and `friction` are those of the pair.\n\n"
        "Tangential: $F_T = \\mu N u_t/(\\nu + |u_t|)$ (Eq. 53), without memory, and never more than a twentieth of "
        "the slip in one step.",
        {
            {"young", dimension::pressure, "Young's modulus E in Pa.", std::nullopt, 0, 1e300, "", true},
            {"poisson", dimension::none, "Poisson's ratio sigma.", 0.25, -1, 0.5, ""},
            {"restitution", dimension::none, "Normal restitution, 0 to 1: the root of POLY's delta.", std::nullopt, 0,
             1, ""},
            {"friction.static", dimension::none, "Coulomb coefficient mu.", 0.0, 0, 1e9, ""},
            {"slip_speed", dimension::velocity, "nu in m/s: the slip at which friction has half of its strength.", 1e-3,
             0, 1e300, ""},
        },
        Poly::history_size,
        derive_poly,
        collision_poly,
        stable_poly,
        overlap_poly,
        static_poly,
    };
}

// --- SOLVER: what its four models share ------------------------------------------------------------------------------

std::vector<ParameterInfo> normal_parameters(const std::string& k_beta, double young, const std::string& modulus) {
    return {
        {"young", dimension::pressure, "Young's modulus in Pa" + modulus + ".", young, 0, 1e300, "", true},
        {"poisson", dimension::none, "Poisson's ratio.", 0.3, -1, 0.5, ""},
        {"alpha", dimension::none, "Exponent of the elastic force.", 1.5, 1, 3, ""},
        {"beta", dimension::none, "Exponent of the overlap in the damping.", 0.5, 0, 3, ""},
        {k_beta, dimension::none, "Strength of the damping, N s/m^(3/2) for an exponent of 1/2.", 50.0, 0, 1e300, ""},
    };
}

NormalViscoelastic::Params normal(const ParameterValues& values, double modulus, std::string_view k_beta,
                                  std::vector<ParameterFault>& faults) {
    need_positive(values, "young", "a modulus in Pa", faults);
    return {modulus, value_or(values, "alpha", 1.5), value_or(values, k_beta, 50), value_or(values, "beta", 0.5)};
}

/// N/m^alpha.
double stiffness(const NormalViscoelastic::Params& p, double radius) {
    return hertz_stiffness(p.modulus, radius);
}
double deepest(const NormalViscoelastic::Params& p, double mass, double radius, double speed) {
    if (p.alpha == 1.5) {
        return hertz_overlap(p.modulus, mass, radius, speed);
    }
    // k x^(alpha + 1) / (alpha + 1) = (1/2) m v^2
    return math::power(0.5 * (p.alpha + 1) * mass * speed * speed / stiffness(p, radius), 1 / (p.alpha + 1));
}

template <class Law>
double overlap_solver(const ParameterBlock& block, double mass, double radius, double speed) {
    return deepest(block.as<typename Law::Params>().normal, mass, radius, speed);
}
template <class Law>
double collision_solver(const ParameterBlock& block, double mass, double radius, double speed) {
    const NormalViscoelastic::Params p = block.as<typename Law::Params>().normal;
    if (p.alpha == 1.5) {
        return hertz_collision_time(p.modulus, mass, radius, speed);
    }
    // pi x/v for a linear spring, 2 x/v for a wall; between them this errs by 2 %, to the short side.
    const double factor = 2 + (std::numbers::pi - 2) * 2 / (p.alpha + 1);
    return speed > 0 ? factor * deepest(p, mass, radius, speed) / speed : 1e300;
}
template <class Law>
double static_solver(const ParameterBlock& block, double radius, double force) {
    const NormalViscoelastic::Params p = block.as<typename Law::Params>().normal;
    return p.alpha == 1.5 ? hertz_overlap_under(p.modulus, radius, force)
                          : math::power(force / stiffness(p, radius), 1 / p.alpha);
}
/// At the deepest point of a collision without damping. Friction without a spring never turns the slip round.
double stable_normal(const NormalViscoelastic::Params& p, double mass, double radius, double speed) {
    const double x = deepest(p, mass, radius, speed);
    const double w2 = p.alpha * stiffness(p, radius) * math::power(x, p.alpha - 1) / mass;
    return stable_step(w2, p.k_beta * math::power(x, p.beta) / (2 * mass), false);
}
template <class Law>
double stable_solver(const ParameterBlock& block, double mass, double radius, double speed) {
    return stable_normal(block.as<typename Law::Params>().normal, mass, radius, speed);
}
template <>
double stable_solver<SolverDamped>(const ParameterBlock& block, double mass, double radius, double speed) {
    const auto p = block.as<SolverDamped::Params>();
    const double x = deepest(p.normal, mass, radius, speed);
    const TangentialSaturating::Params& t = p.tangential;
    const double tangent =
        t.slack > 0 ? t.gamma * t.friction / t.slack * stiffness(p.normal, radius) * math::power(x, p.normal.alpha - 1)
                    : 0.0;
    const double normal_limit = stable_normal(p.normal, mass, radius, speed);
    if (!(tangent > 0)) {
        return normal_limit;
    }
    return std::min(normal_limit,
                    stable_step(t.mobility * tangent / mass, 0.5 * t.mobility * t.kt * tangent / mass, true));
}

const char* const normal_formula =
    "Normal: $N = k x^\\alpha - k_\\beta x^\\beta\\dot u_n$ with $k = \\tfrac43 E^*\\sqrt{R^*}$ and "
    "$E^* = E/(2(1-\\nu^2))$ for a pair of one material (Hertz for $\\alpha = 3/2$; other exponents take the same "
    "numbers in SI units). A tensile force carries no friction.\n\n";
const char* const spin_formula =
    "\n\nSpin: $M = -\\mu_r N\\,\\omega/|\\omega|$ with $\\omega$ the relative spin, so that $\\mu_r$ is a length; "
    "never more than a twentieth of the relative spin in one step.";

ParameterInfo mu_s() {
    return {"mu_s", dimension::none, "Coulomb coefficient.", 0.0, 0, 1e9, ""};
}
ParameterInfo mu_r() {
    return {"mu_r", dimension::length, "Resistance to the relative spin in m.", 0.0, 0, 1e300, ""};
}

template <class Law>
LawInfo solver(std::string name, std::string summary, std::string formula, std::vector<ParameterInfo> parameters,
               ParameterBlock (*derive)(const ParameterValues&, std::vector<ParameterFault>&)) {
    return {std::move(name), std::move(summary),    std::move(formula), std::move(parameters), Law::history_size,
            derive,          collision_solver<Law>, stable_solver<Law>, overlap_solver<Law>,   static_solver<Law>};
}

// --- the four -----------------------------------------------------------------------------------------------------

/// Basic and static differ in what kt multiplies.
template <class Law>
ParameterBlock derive_sliding(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    typename Law::Params p{};
    p.normal = normal(values, hertz_modulus(values), "k_beta", faults);
    p.tangential = {value_or(values, "mu_s", 0), value_or(values, "k_t", 0), mobility(values)};
    p.rolling = {value_or(values, "mu_r", 0)};
    return ParameterBlock::from(p);
}

ParameterBlock derive_damped(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    SolverDamped::Params p{};
    p.normal = normal(values, hertz_modulus(values), "k_beta", faults);
    const double mu = value_or(values, "mu_s", 0);
    const double poisson = value_or(values, "poisson", 0.3);
    p.tangential = {mu, value_or(values, "k_t", 0), value_or(values, "gamma", 1.5),
                    mu * (2 - poisson) / (2 * (1 - poisson)), mobility(values)};
    p.rolling = {value_or(values, "mu_r", 0)};
    return ParameterBlock::from(p);
}

ParameterBlock derive_object(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    SolverObject::Params p{};
    p.normal = normal(values, 2 * hertz_modulus(values), "k_b", faults);
    p.tangential = {value_or(values, "mu_q", 0), value_or(values, "k_q", 0), mobility(values)};
    p.rolling = {value_or(values, "mu_tau", 0)};
    p.hold = {value_or(values, "mu_q", 0), value_or(values, "k_s", 0), value_or(values, "k_tau", 0),
              value_or(values, "t_q", 0)};
    need_positive(values, "t_q", "a time in s", faults);
    return ParameterBlock::from(p);
}

std::vector<LawInfo> solvers() {
    const std::vector<ParameterInfo> grains = normal_parameters("k_beta", 1e8, "");
    constexpr base::Dimension spin_drag{1, 0, 1};
    return {
        solver<SolverBasic>(
            "solver_basic", "Viscoelastic spheres with viscous friction up to Coulomb's limit (SOLVER Sect. 2.3.2).",
            std::string(normal_formula) +
                "Tangential: $F_T = \\min(\\mu_s N, k_t|u_t|)\\,u_t/|u_t|$ (Eq. 2), and never more than a twentieth of "
                "the slip in one step." +
                spin_formula,
            joined(grains,
                   {mu_s(), {"k_t", dimension::damping, "Viscous friction in kg/s.", 0.0, 0, 1e300, ""}, mu_r()}),
            derive_sliding<SolverBasic>),
        solver<SolverStatic>(
            "solver_static",
            "Viscoelastic spheres with friction that grows with the path slipped (SOLVER Sect. 2.3.3).",
            std::string(normal_formula) +
                "Tangential: $F_T = \\min(\\mu_s N, k_t\\delta)\\,u_t/|u_t|$ with $\\delta = \\int|u_t|dt$ over the "
                "contact (Eqs. 3-4), and never more than a twentieth of the slip in one step." +
                spin_formula,
            joined(grains, {mu_s(),
                            {"k_t", dimension::stiffness, "Growth of friction with the path, N/m.", 0.0, 0, 1e300, ""},
                            mu_r()}),
            derive_sliding<SolverStatic>),
        solver<SolverDamped>(
            "solver_damped",
            "Viscoelastic spheres with a tangential spring that saturates, and damping (SOLVER Sect. 2.3.4).",
            std::string(normal_formula) +
                "Tangential: $F_T = \\mu_s N\\,(1-(1-|\\delta|/\\delta_{max})^\\gamma)\\,\\delta/|\\delta| + d_t u_t$, "
                "at most $\\mu_s N$, with the displacement $\\delta$ of the contact, at most "
                "$\\delta_{max} = \\mu_s\\frac{2-\\nu}{2(1-\\nu)}x$, and $d_t$ the time $k_t$ times the tangent "
                "stiffness (Eq. 5 and its erratum). The default $\\gamma = 3/2$ is Mindlin's; the paper's list has "
                "1/2. When pressure or overlap change, the spring keeps its displacement or its force, whichever "
                "holds less energy: with the displacement alone it would gain." +
                spin_formula,
            joined(grains,
                   {mu_s(),
                    {"k_t", dimension::time, "Tangential damping over tangent stiffness, s.", 0.0, 0, 1e300, ""},
                    {"gamma", dimension::none, "Exponent of the tangential spring.", 1.5, 0.1, 5, ""},
                    mu_r()}),
            derive_damped),
        solver<SolverObject>(
            "solver_object", "Grains on objects: viscous friction, drag on spin, and stiction (SOLVER Sect. 2.3.5).",
            "Normal: $N = k x^\\alpha - k_b x^\\beta\\dot u_n$ with $k = \\tfrac43 E/(1-\\nu^2)\\sqrt{R^*}$. "
            "Tangential: "
            "$F_T = \\min(\\mu_q N, k_q|u_t|)\\,u_t/|u_t|$, spin: $M = -\\mu_\\tau N\\omega$ (Eq. 6), both never more "
            "than a twentieth of the motion in one step.\n\nStiction acts on a body once its forces are summed "
            "(Eq. 7, Algorithm 2): while tangential forces stay below $\\mu_q N$ they are undone, and in the time "
            "`t_q` the parts `k_s` of its momentum along the object and `k_tau` of its angular momentum are taken "
            "away. The paper's own k_s and k_tau, a mass and a moment of inertia, are written as those parts here.",
            joined(normal_parameters("k_b", 2e8, " of grain and object together"),
                   {{"mu_q", dimension::none, "Coulomb coefficient of friction and stiction.", 1.0, 0, 1e9, ""},
                    {"k_q", dimension::damping, "Viscous friction in kg/s.", 1.0, 0, 1e300, ""},
                    {"mu_tau", spin_drag, "Drag on the relative spin in m s.", 0.0005, 0, 1e300, ""},
                    {"k_s", dimension::none, "Part of the momentum that stiction takes in `t_q`.", 1.0, 0, 1, ""},
                    {"k_tau", dimension::none, "Part of the angular momentum that stiction takes in `t_q`.", 0.1, 0, 1,
                     ""},
                    {"t_q", dimension::time, "Duration of stiction in s.", 0.001, 0, 1e300, ""}}),
            derive_object),
    };
}

}  // namespace

std::vector<LawInfo> papers() {
    std::vector<LawInfo> laws = solvers();
    laws.insert(laws.begin(), poly());
    return laws;
}

}  // namespace talus::laws::entries
