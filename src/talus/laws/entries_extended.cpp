// mindlin, jkr and the general forms of the packed laws: a core with elastic rolling and cohesion.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/laws/collision.h"
#include "talus/laws/entries.h"
#include "talus/laws/extended_law.h"
#include "talus/laws/jkr.h"
#include "talus/laws/mindlin.h"
#include "talus/laws/packed_laws.h"
#include "talus/math/portable.h"
#include "talus/math/portable_power.h"

namespace talus::laws::entries {

namespace {

using std::numbers::pi;
namespace dimension = base::dimension;

// --- the cores ----------------------------------------------------------------------------------------------------

/// Setting up a core: parameters, times and depths, and what it pulls with at touch (N, for an effective radius).
template <class Core>
struct Setup;

/// A packed law brings what its entry says.
template <std::size_t index>
struct PackedSetup {
    static const LawInfo& info() {
        static const LawInfo law = packed()[index];
        return law;
    }
    static double pull(const ParameterBlock& /*core*/, double /*radius*/) { return 0; }
};
template <>
struct Setup<Hooke> : PackedSetup<0> {};
template <>
struct Setup<Hertz> : PackedSetup<1> {};

TangentialMindlin::Params mindlin_spring(const ParameterValues& values, double ratio) {
    const double poisson = value_or(values, "poisson", 0);
    return {2 * (1 - poisson) / (2 - poisson),
            2 * NormalJkr::sqrt_5_6 * ratio * value_or(values, "tangential_damping", 1),
            value_or(values, "friction.static", 0), value_or(values, "slip_memory", 1), mobility(values)};
}

ParameterBlock derive_mindlin(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    need_positive(values, "young", "a modulus in Pa", faults);
    HertzMindlin::Params p{};
    p.normal = {hertz_modulus(values), normal_ratio(values, faults), value_or(values, "cn", 0)};
    p.tangential = mindlin_spring(values, p.normal.damping_ratio);
    p.rolling = {value_or(values, "friction.rolling", 0)};
    p.twisting = {value_or(values, "friction.twisting", 0)};
    return ParameterBlock::from(p);
}
ParameterBlock derive_jkr(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    need_positive(values, "young", "a modulus in Pa", faults);
    need_positive(values, "work_of_adhesion", "an energy for each area in J/m2; without it the law is mindlin", faults);
    AdhesiveMindlin::Params p{};
    p.normal = {hertz_modulus(values), value_or(values, "work_of_adhesion", 0), normal_ratio(values, faults),
                value_or(values, "cn", 0)};
    p.tangential = mindlin_spring(values, p.normal.damping_ratio);
    p.rolling = {value_or(values, "friction.rolling", 0)};
    p.twisting = {value_or(values, "friction.twisting", 0)};
    return ParameterBlock::from(p);
}

/// Hertz's, for both.
template <class Core>
double hertzian_time(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_collision_time(block.as<typename Core::Params>().normal.modulus, mass, radius, speed);
}
template <class Core>
double hertzian_overlap(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_overlap(block.as<typename Core::Params>().normal.modulus, mass, radius, speed);
}
double mindlin_overlap_under(const ParameterBlock& block, double radius, double force) {
    return hertz_overlap_under(block.as<HertzMindlin::Params>().normal.modulus, radius, force);
}
double jkr_overlap_under(const ParameterBlock& block, double radius, double force) {
    return NormalJkr::overlap_under(radius, block.as<AdhesiveMindlin::Params>().normal, force);
}
/// With the stiffnesses and dampings of the deepest point.
template <class Core>
double mindlin_stable(const ParameterBlock& block, double mass, double radius, double speed) {
    const auto p = block.as<typename Core::Params>();
    const double x = hertz_overlap(p.normal.modulus, mass, radius, speed);
    const double kn = 2 * p.normal.modulus * std::sqrt(radius * x);
    const double kt = p.tangential.ratio * kn;
    const double cn = 2 * NormalJkr::sqrt_5_6 * p.normal.damping_ratio * std::sqrt(kn * mass) + p.normal.cn;
    const double ct = p.tangential.damping * std::sqrt(kt * mass);
    const double m = p.tangential.mobility;
    return std::min(stable_step(kn / mass, cn / (2 * mass), false),
                    stable_step(m * kt / mass, 0.5 * m * ct / mass, true));
}

template <class Core>
LawInfo mindlin_core(ParameterBlock (*derive)(const ParameterValues&, std::vector<ParameterFault>&),
                     double (*overlap_under)(const ParameterBlock&, double, double)) {
    LawInfo info;
    info.derive = derive;
    info.collision_time = hertzian_time<Core>;
    info.stable_step = mindlin_stable<Core>;
    info.largest_overlap = hertzian_overlap<Core>;
    info.overlap_under = overlap_under;
    return info;
}
template <>
struct Setup<HertzMindlin> {
    static const LawInfo& info() {
        static const LawInfo law = mindlin_core<HertzMindlin>(derive_mindlin, mindlin_overlap_under);
        return law;
    }
    static double pull(const ParameterBlock& /*core*/, double /*radius*/) { return 0; }
};
template <>
struct Setup<AdhesiveMindlin> {
    static const LawInfo& info() {
        static const LawInfo law = mindlin_core<AdhesiveMindlin>(derive_jkr, jkr_overlap_under);
        return law;
    }
    /// At no overlap does it push less than Hertz's force by more than this.
    static double pull(const ParameterBlock& core, double radius) {
        return NormalJkr::pull_off(radius, core.as<AdhesiveMindlin::Params>().normal);
    }
};

// --- what the extension adds --------------------------------------------------------------------------------------

ElasticRolling::Params derive_rolling(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    if (!given(values, "rolling.stiffness") && !given(values, "rolling.damping") &&
        !given(values, "rolling.friction")) {
        return {};
    }
    need_positive(values, "rolling.stiffness", "a stiffness in N m per rad", faults);
    need_positive(values, "rolling.friction", "mu_r: the moment is at most mu_r R* N", faults);
    if (value_or(values, "friction.rolling", 0) > 0) {
        faults.push_back({"friction.rolling", "is given together with rolling",
                          "one of the two: a moment of fixed size, or an elastic one"});
    }
    return {value_or(values, "rolling.stiffness", 0), value_or(values, "rolling.damping", 0.3),
            value_or(values, "rolling.friction", 0)};
}

Cohesion::Params derive_cohesion(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    bool bridge = false;
    for (const char* key : {"cohesion.surface_tension", "cohesion.volume", "cohesion.contact_angle"}) {
        bridge = bridge || given(values, key);
    }
    if (!bridge) {
        return {value_or(values, "cohesion.force", 0), 0, 0, 0};
    }
    if (given(values, "cohesion.force")) {
        faults.push_back({"cohesion.force", "is given together with a liquid bridge",
                          "either force, or surface_tension and volume"});
    }
    need_positive(values, "cohesion.surface_tension", "a surface tension in N/m", faults);
    need_positive(values, "cohesion.volume", "the volume of a bridge in m3", faults);
    const double angle = value_or(values, "cohesion.contact_angle", 0);
    const double volume = value_or(values, "cohesion.volume", 0);
    return {0, 4 * pi * value_or(values, "cohesion.surface_tension", 0) * math::cos(angle), volume,
            (1 + 0.5 * angle) * math::cube_root(volume)};
}

template <class Core>
ParameterBlock derive_extended(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    typename ExtendedLaw<Core>::Params p{};
    p.core = Setup<Core>::info().derive(values, faults).template as<typename Core::Params>();
    p.rolling = derive_rolling(values, faults);
    p.cohesion = derive_cohesion(values, faults);
    return ParameterBlock::from(p);
}

/// The core of a block, and what attraction does to a collision: it deepens it by at most twice the overlap at which
/// the core bears the attraction (for linear and for Hertzian springs), as an impact at a higher speed would.
template <class Core>
struct Drawn {
    ParameterBlock core;
    double pull = 0;   // N, at touch
    double depth = 0;  // m, at most
    double speed = 0;  // m/s
    Drawn(const typename ExtendedLaw<Core>::Params& p, double mass, double radius, double impact)
        : core(ParameterBlock::from(p.core)) {
        const LawInfo& law = Setup<Core>::info();
        const double added = p.cohesion.force + p.cohesion.tension * radius;
        const double own = Setup<Core>::pull(core, radius);
        pull = added + own;
        depth = law.largest_overlap(core, mass, radius, impact);
        if (pull > 0) {
            depth += 2 * law.overlap_under(core, radius, pull);
        }
        speed = std::sqrt(impact * impact + 2 * pull * depth / mass);
    }
};

template <class Core>
double collision_extended(const ParameterBlock& block, double mass, double radius, double speed) {
    const Drawn<Core> drawn(block.as<typename ExtendedLaw<Core>::Params>(), mass, radius, speed);
    return Setup<Core>::info().collision_time(drawn.core, mass, radius, drawn.speed);
}
template <class Core>
double overlap_extended(const ParameterBlock& block, double mass, double radius, double speed) {
    return Drawn<Core>(block.as<typename ExtendedLaw<Core>::Params>(), mass, radius, speed).depth;
}
template <class Core>
double static_extended(const ParameterBlock& block, double radius, double force) {
    const auto p = block.as<typename ExtendedLaw<Core>::Params>();
    return Setup<Core>::info().overlap_under(ParameterBlock::from(p.core), radius,
                                             force + p.cohesion.force + p.cohesion.tension * radius);
}
template <class Core>
double stable_extended(const ParameterBlock& block, double mass, double radius, double speed) {
    const auto p = block.as<typename ExtendedLaw<Core>::Params>();
    const Drawn<Core> drawn(p, mass, radius, speed);
    const double limit = Setup<Core>::info().stable_step(drawn.core, mass, radius, drawn.speed);
    if (!(p.rolling.stiffness > 0)) {
        return limit;
    }
    // The reduced moment of inertia is that of a ball at a wall; two balls have four times as much.
    const double w2 = p.rolling.stiffness / (0.4 * mass * radius * radius);
    return std::min(limit, stable_step(w2, p.rolling.damping * std::sqrt(w2), true));
}

template <class Core>
LawInfo entry(std::string name, std::string summary, std::string formula, std::vector<ParameterInfo> parameters) {
    return {std::move(name),
            std::move(summary),
            std::move(formula),
            std::move(parameters),
            ExtendedLaw<Core>::history_size,
            derive_extended<Core>,
            collision_extended<Core>,
            stable_extended<Core>,
            overlap_extended<Core>,
            static_extended<Core>};
}

LawInfo general_form(LawInfo entry, const std::string& of) {
    entry.variant_of = of;
    return entry;
}

/// Those of hertz, less what Mindlin's spring settles.
std::vector<ParameterInfo> mindlin_parameters() {
    std::vector<ParameterInfo> out = {
        {"young", dimension::pressure, "Young's modulus in Pa.", std::nullopt, 0, 1e300, "", true},
        {"poisson", dimension::none, "Poisson's ratio.", 0.25, -1, 0.5, ""}};
    for (const ParameterInfo& p : shared_parameters()) {
        if (p.key == "slip_memory") {
            out.push_back({"tangential_damping", dimension::none,
                           "Tangential damping as a part of that which goes with the restitution.", 1.0, 0, 1e9, ""});
            out.push_back(p);
            out.back().default_value = 1.0;
        } else if (p.key != "kt" && p.key != "ct") {
            out.push_back(p);
        }
    }
    return out;
}

const char* const mindlin_formula =
    "Tangential: $F^* = k_t S + C_t u_t$ with $k_t = 8 G^* a = \\frac{2(1-\\nu)}{2-\\nu}\\,2E^*a$ and "
    "$C_t = 2\\sqrt{5/6}\\,\\xi\\sqrt{k_t\\mu}$, at most $\\mu_s N$ as in `hooke`. While the contact circle grows the "
    "spring keeps its force, while it shrinks its displacement; what it loses by that counts as damping.";

}  // namespace

std::vector<ParameterInfo> rolling_parameters() {
    constexpr double none = 1e300;
    std::vector<ParameterInfo> out = {
        {"rolling.stiffness", dimension::energy,
         "Elastic rolling resistance, in place of `friction.rolling`: the moment for each radian rolled, N m.",
         std::nullopt, 0, none, ""},
        {"rolling.damping", dimension::none, "Its damping as a part of the critical one, 0.3 if not given.",
         std::nullopt, 0, none, ""},
        {"rolling.friction", dimension::none,
         "mu_r: the moment is at most mu_r R* N, with R* the reduced radius of the contact.", std::nullopt, 0, 1e9, ""},
    };
    for (ParameterInfo& p : out) {
        p.extra = true;
    }
    return out;
}

std::vector<ParameterInfo> cohesion_parameters() {
    constexpr base::Dimension volume{3, 0, 0};
    std::vector<ParameterInfo> out = {
        {"cohesion.force", dimension::force, "Constant attraction of grains that touch, N.", std::nullopt, 0, 1e300,
         ""},
        {"cohesion.surface_tension", dimension::stiffness, "Surface tension of a liquid bridge, N/m.", std::nullopt, 0,
         1e300, ""},
        {"cohesion.volume", volume, "Volume of a liquid bridge, m3.", std::nullopt, 0, 1e300, ""},
        {"cohesion.contact_angle", dimension::none, "Contact angle of the liquid, 0 if not given; at most 90 degrees.",
         std::nullopt, 0, 0.5 * pi, ""},
    };
    for (ParameterInfo& p : out) {
        p.extra = true;
    }
    return out;
}

std::vector<LawInfo> extended() {
    std::vector<ParameterInfo> jkr = mindlin_parameters();
    jkr.insert(jkr.begin() + 2,
               {"work_of_adhesion", dimension::stiffness,
                "w in J/m2: twice the surface energy for two bodies of one material.", std::nullopt, 0, 1e300, ""});
    return {
        entry<HertzMindlin>("mindlin", "Hertz's spring with constant restitution and Mindlin's tangential spring.",
                            "Normal: that of `hertz`.\n\n" + std::string(mindlin_formula) +
                                "\n\nRolling, twisting and cohesion are those of `hooke`.",
                            joined(joined(mindlin_parameters(), rolling_parameters()), cohesion_parameters())),
        entry<AdhesiveMindlin>(
            "jkr", "Adhesive elastic spheres after Johnson, Kendall and Roberts, with Mindlin's tangential spring.",
            "Normal: $x = a^2/R^* - \\sqrt{2\\pi w a/E^*}$ gives the contact radius $a$ and "
            "$F = \\frac{4E^*a^3}{3R^*} - \\sqrt{8\\pi w E^* a^3}$ the force, to which comes the dashpot of `hertz` "
            "with "
            "this $a$. Grains snap together at touch and hold on to a gap of $3a^2/R^*$ with "
            "$a^3 = \\pi w R^{*2}/(8E^*)$; the greatest pull is $\\tfrac32\\pi w R^*$. What they lose by snapping "
            "counts "
            "as normal damping when the contact begins. The restitution is that of fast impacts: slow ones stick.\n\n" +
                std::string(mindlin_formula) +
                " Friction lives on $F + 3\\pi w R^*$, the force and twice the greatest pull.\n\nRolling and twisting "
                "are those of `hooke`.",
            joined(jkr, rolling_parameters())),
        general_form(entry<Hooke>("hooke+", "hooke with elastic rolling or cohesion.", "See `hooke`.", {}), "hooke"),
        general_form(entry<Hertz>("hertz+", "hertz with elastic rolling or cohesion.", "See `hertz`.", {}), "hertz"),
    };
}

}  // namespace talus::laws::entries
