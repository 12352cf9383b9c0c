#include "talus/laws/friction.h"

#include "talus/laws/visit.h"

namespace talus::laws {

namespace {

/// Calls `f(contact)` with the part of the parameters that has the tangential ones.
template <class Params, class F>
void visit_contact(Params& params, F f) {
    if constexpr (requires { params.core; }) {
        f(params.core);
    } else {
        f(params);
    }
}

}  // namespace

std::optional<double> friction_of(int law, const ParameterBlock& parameters) {
    std::optional<double> out;
    if (law >= 0) {
        visit(law, [&](auto type) {
            auto params = parameters.as<typename decltype(type)::Params>();
            visit_contact(params, [&](auto& contact) { out = contact.tangential.friction; });
        });
    }
    return out;
}

ParameterBlock with_friction(int law, const ParameterBlock& parameters, double friction) {
    ParameterBlock out = parameters;
    if (law < 0) {
        return out;
    }
    visit(law, [&](auto type) {
        auto params = parameters.as<typename decltype(type)::Params>();
        visit_contact(params, [&](auto& contact) {
            // The reach of a spring that saturates is proportional to the coefficient.
            if constexpr (requires { contact.tangential.slack; }) {
                const double before = contact.tangential.friction;
                contact.tangential.slack = before > 0 ? contact.tangential.slack * (friction / before) : 0.0;
            }
            if constexpr (requires { contact.hold; }) {
                contact.hold.mu_q = friction;
            }
            contact.tangential.friction = friction;
        });
        out = ParameterBlock::from(params);
    });
    return out;
}

}  // namespace talus::laws
