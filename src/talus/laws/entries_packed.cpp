// The laws of the packed engine: parameters, how they are derived, times and depths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/laws/collision.h"
#include "talus/laws/entries.h"
#include "talus/laws/packed_laws.h"

namespace talus::laws::entries {

namespace {

using std::numbers::pi;
namespace dimension = base::dimension;

TangentialSpring::Params tangential(const ParameterValues& values) {
    return {value_or(values, "kt", 0),          value_or(values, "ct", 0), 0.0, value_or(values, "friction.static", 0),
            value_or(values, "slip_memory", 0), mobility(values)};
}

// --- hooke --------------------------------------------------------------------------------------------------------

ParameterBlock derive_hooke(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    Hooke::Params p{};
    p.normal = {value_or(values, "kn", 0), normal_ratio(values, faults), value_or(values, "cn", 0)};
    p.tangential = tangential(values);
    p.rolling = {value_or(values, "friction.rolling", 0)};
    p.twisting = {value_or(values, "friction.twisting", 0)};
    if (!(p.normal.kn > 0)) {
        faults.push_back({"kn", given(values, "kn") ? "must be positive" : "is missing", "a stiffness in N/m"});
        return {};
    }
    const auto wanted = values.find("tangential_restitution");
    if (wanted != values.end()) {
        if (given(values, "ct")) {
            faults.push_back({"ct", "is given together with tangential_restitution", "one of the two"});
        }
        const double ratio = std::min(p.normal.damping_ratio, NormalHooke::largest_ratio);
        const double kt_over_kn = p.tangential.kt / p.normal.kn;
        const auto damping = tangential_damping(wanted->second, kt_over_kn, ratio, p.tangential.mobility);
        if (damping) {
            p.tangential.ct_scaled = *damping;
        } else {
            const TangentialRange range = tangential_range(kt_over_kn, ratio, p.tangential.mobility);
            faults.push_back({"tangential_restitution",
                              fmt::format("{} cannot be had with kt = {:.4g} kn: the tangential spring has run through "
                                          "too much of its period when the grains part",
                                          wanted->second, kt_over_kn),
                              fmt::format("a value from {:.4g} to {:.4g}, or another kt", range.low, range.high)});
        }
    }
    return ParameterBlock::from(p);
}

/// Rates of the tangential oscillator: w2 and half the damping rate.
struct Rates {
    double w2, a;
};
Rates tangential_rates(const TangentialSpring::Params& p, double mass, double root) {
    return {p.mobility * p.kt / mass, 0.5 * p.mobility * (p.ct + p.ct_scaled * root) / mass};
}

double collision_hooke(const ParameterBlock& block, double mass, double /*radius*/, double /*speed*/) {
    const auto p = block.as<Hooke::Params>();
    const double w2 = p.normal.kn / mass;
    const double most = NormalHooke::largest_ratio * std::sqrt(w2);
    const double a = std::min(p.normal.damping_ratio * std::sqrt(w2) + p.normal.cn / (2 * mass), most);
    return pi / std::sqrt(w2 - a * a);
}
double stable_hooke(const ParameterBlock& block, double mass, double /*radius*/, double /*speed*/) {
    const auto p = block.as<Hooke::Params>();
    const double root = std::sqrt(p.normal.kn * mass);
    const double damping = 2 * p.normal.damping_ratio * root + p.normal.cn;
    const Rates rates = tangential_rates(p.tangential, mass, root);
    return std::min(stable_step(p.normal.kn / mass, damping / (2 * mass), false), stable_step(rates.w2, rates.a, true));
}
double overlap_hooke(const ParameterBlock& block, double mass, double /*radius*/, double speed) {
    return speed * std::sqrt(mass / block.as<Hooke::Params>().normal.kn);
}
double static_hooke(const ParameterBlock& block, double /*radius*/, double force) {
    return force / block.as<Hooke::Params>().normal.kn;
}

// --- hertz --------------------------------------------------------------------------------------------------------

ParameterBlock derive_hertz(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    Hertz::Params p{};
    p.normal = {hertz_modulus(values), normal_ratio(values, faults), value_or(values, "cn", 0)};
    p.tangential = tangential(values);
    p.rolling = {value_or(values, "friction.rolling", 0)};
    p.twisting = {value_or(values, "friction.twisting", 0)};
    need_positive(values, "young", "a modulus in Pa", faults);
    return ParameterBlock::from(p);
}
double overlap_hertz(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_overlap(block.as<Hertz::Params>().normal.modulus, mass, radius, speed);
}
double collision_hertz(const ParameterBlock& block, double mass, double radius, double speed) {
    return hertz_collision_time(block.as<Hertz::Params>().normal.modulus, mass, radius, speed);
}
double stable_hertz(const ParameterBlock& block, double mass, double radius, double speed) {
    const auto p = block.as<Hertz::Params>();
    const double x = overlap_hertz(block, mass, radius, speed);
    const double k = hertz_stiffness(p.normal.modulus, radius);
    const double w2 = 1.5 * k * std::sqrt(x) / mass;  // the tangent stiffness at the deepest point
    const double damping =
        NormalHertz::sqrt5 * p.normal.damping_ratio * std::sqrt(mass * k * std::sqrt(x)) + p.normal.cn;
    const Rates rates = tangential_rates(p.tangential, mass, std::sqrt(w2) * mass);
    return std::min(stable_step(w2, damping / (2 * mass), false), stable_step(rates.w2, rates.a, true));
}
double static_hertz(const ParameterBlock& block, double radius, double force) {
    return hertz_overlap_under(block.as<Hertz::Params>().normal.modulus, radius, force);
}

}  // namespace

std::vector<ParameterInfo> shared_parameters() {
    return {
        {"restitution", dimension::none,
         "Normal restitution of a head-on collision, 0 to 1; 0 means critical damping (SSDEM Eq. 15).", std::nullopt, 0,
         1, ""},
        {"cn", dimension::damping, "Normal damping in kg/s, instead of `restitution`.", std::nullopt, 0, 1e300, ""},
        {"kt", dimension::stiffness,
         "Tangential stiffness in N/m; `\"2/7 kn\"` makes the tangential period equal to the normal one.", 0.0, 0,
         1e300, "kn"},
        {"ct", dimension::damping, "Tangential damping in kg/s.", std::nullopt, 0, 1e300, ""},
        {"friction.static", dimension::none, "Coulomb coefficient mu_s of the contact (SSDEM Eq. 18).", 0.0, 0, 1e9,
         ""},
        {"friction.rolling", dimension::none,
         "Rolling friction mu_r of contacts that outlast a collision (SSDEM Eq. 20).", 0.0, 0, 1e9, ""},
        {"friction.twisting", dimension::none,
         "Twisting friction mu_t of contacts that outlast a collision (SSDEM Eq. 21).", 0.0, 0, 1e9, ""},
        {"slip_memory", dimension::none,
         "SSDEM's b: the fraction of its greatest force that the tangential spring keeps when the contact slips; 1 is "
         "plain Coulomb sliding.",
         0.0, 0, 1, ""},
    };
}

double normal_ratio(const ParameterValues& values, std::vector<ParameterFault>& faults) {
    const bool by_restitution = given(values, "restitution");
    if (by_restitution && given(values, "cn")) {
        faults.push_back({"cn", "is given together with restitution", "one of the two"});
    }
    if (!by_restitution && !given(values, "cn")) {
        faults.push_back({"restitution", "is missing", "a number from 0 to 1, or cn in kg/s"});
    }
    return by_restitution ? damping_ratio(values.find("restitution")->second) : 0.0;
}

std::vector<LawInfo> packed() {
    std::vector<ParameterInfo> hooke = shared_parameters();
    hooke.insert(hooke.begin(), {"kn", dimension::stiffness,
                                 "Normal stiffness in N/m; or a table that works it out from the greatest speed, the "
                                 "depth of the bed or a sound speed.",
                                 std::nullopt, 0, 1e300, "", true});
    hooke.insert(hooke.begin() + 5, {"tangential_restitution", dimension::none,
                                     "Wanted tangential restitution, instead of `ct` (SSDEM Eq. 35, by iteration).",
                                     std::nullopt, -1, 1, ""});
    std::vector<ParameterInfo> hertz = shared_parameters();
    for (ParameterInfo& p : hertz) {
        if (p.key == "kt") {
            p.doc = "Tangential stiffness in N/m.";
            p.relative_to.clear();
        }
    }
    hertz.insert(hertz.begin(),
                 {{"young", dimension::pressure, "Young's modulus in Pa.", std::nullopt, 0, 1e300, "", true},
                  {"poisson", dimension::none, "Poisson's ratio.", 0.25, -1, 0.5, ""}});
    for (std::vector<ParameterInfo>* parameters : {&hooke, &hertz}) {
        *parameters = joined(joined(*parameters, rolling_parameters()), cohesion_parameters());
    }
    return {
        {"hooke", "Linear spring and dashpot with tangential history, static, rolling and twisting friction (SSDEM).",
         "Normal: $N = k_n x - C_n \\dot u_n$ with $C_n = 2\\xi\\sqrt{k_n\\mu}$ and "
         "$\\xi = -\\ln\\varepsilon_n/\\sqrt{\\pi^2 + \\ln^2\\varepsilon_n}$ (Eq. 15); $\\mu$ is the reduced mass.\n\n"
         "Tangential: $F^* = k_t S + C_t u_t$, $F_T = F^*\\min(1, \\mu_s \\max(0, N)/|F^*|)$; $S$ is the integral of "
         "$u_t$ over the contact, turned with it at every step. On slipping, $S$ keeps at most $b\\mu_s N/k_t$ of its "
         "length (nothing if $C_t|u_t|$ alone exceeds the limit).\n\n"
         "Rolling: $M = -\\mu_r l N\\,\\omega_\\perp/|\\omega_\\perp|$, twisting: "
         "$M = -\\mu_t r_c N\\,\\mathrm{sign}(\\omega\\cdot n)\\,n$, with $\\omega$ the relative spin, $l$ the shorter "
         "lever and $r_c$ the radius of the contact circle; both only after the contact has lasted a collision "
         "(Eq. 38), and never more than a twentieth of the relative spin in one step.\n\n"
         "Two more parts may be asked for; they need the general engine. Elastic rolling: $M = -(k_r\\alpha + "
         "C_r\\omega_\\perp)$, at most $\\mu_r R^* N$, with $\\alpha$ the integral of $\\omega_\\perp$, shortened "
         "to the limit when it slips, and $C_r = 2\\eta\\sqrt{k_r I}$. Cohesion: a constant force while grains touch, "
         "or a liquid bridge that forms at touch and pulls with "
         "$4\\pi\\gamma\\cos\\theta R^*\\,(1 - s/\\sqrt{s^2 + V/(\\pi R^*)})$ at the gap $s$ (Rabinovich et al. "
         "2005) until it breaks at $s = (1+\\theta/2)V^{1/3}$; what its forming loses counts as normal damping. "
         "Friction does not count cohesion as unloading.",
         hooke, Hooke::history_size, derive_hooke, collision_hooke, stable_hooke, overlap_hooke, static_hooke, true,
         "hooke+"},
        {"hertz", "Hertzian spring with constant restitution; tangential and rolling parts as in hooke.",
         "Normal: $N = k x^{3/2} - C_n\\dot u_n$ with $k = \\tfrac43 E^*\\sqrt{R^*}$, $E^* = E/(2(1-\\nu^2))$ and "
         "$C_n = \\sqrt5\\,\\xi\\sqrt{\\mu k}\\,x^{1/4}$, which gives the restitution asked for at every speed. Walls "
         "count as flat: $R^* = R$.\n\nThe other parts are those of `hooke`; a contact counts as lasting after half a "
         "period at its present overlap.",
         hertz, Hertz::history_size, derive_hertz, collision_hertz, stable_hertz, overlap_hertz, static_hertz, true,
         "hertz+"},
    };
}

}  // namespace talus::laws::entries
