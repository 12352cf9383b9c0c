#include "talus/engines/grains/contact_answer.h"

#include <algorithm>
#include <bit>

#include "talus/laws/visit.h"

namespace talus::engines::grains {

namespace {

template <class Law>
using Numbers = std::array<double, static_cast<std::size_t>(Law::history_size)>;

template <class Law>
typename Law::template History<double> load(const double* history) {
    Numbers<Law> raw;
    std::copy_n(history, raw.size(), raw.begin());
    return std::bit_cast<typename Law::template History<double>>(raw);
}

template <class Law>
void save(const typename Law::template History<double>& from, double* history) {
    const auto raw = std::bit_cast<Numbers<Law>>(from);
    std::copy(raw.begin(), raw.end(), history);
}

template <class Law>
bool acts(const laws::Kinematics<double>& contact, const typename Law::Params& params,
          const typename Law::template History<double>& history) {
    if constexpr (requires { Law::range(typename Law::Params{}, 1.0, 1.0); }) {
        return Law::acts(contact, params, history);
    } else {
        return contact.overlap > 0;
    }
}

}  // namespace

std::size_t history_numbers() {
    return laws::largest_history<laws::AllLaws>();
}

double range(const model::PairLaw& law, double radius_i, double radius_j) {
    double out = 0;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        if constexpr (requires { Law::range(typename Law::Params{}, 1.0, 1.0); }) {
            out = Law::range(law.parameters.as<typename Law::Params>(), radius_i, radius_j);
        }
    });
    return out;
}

Stiction stiction(const model::PairLaw& law) {
    Stiction out;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        if constexpr (requires(const typename Law::Params& params) { Law::stiction(params); }) {
            const laws::Stiction hold = Law::stiction(law.parameters.as<typename Law::Params>());
            out = {hold.mu_q, hold.k_s, hold.k_tau, hold.t_q};
        }
    });
    return out;
}

// All in one piece, so that the compiler leaves out what only a whole answer needs.
[[gnu::flatten]] std::optional<Push> push(const model::PairLaw& law, const laws::Kinematics<double>& contact,
                                          const double* history, double step) {
    std::optional<Push> out;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        const auto params = law.parameters.as<typename Law::Params>();
        const auto old = load<Law>(history);
        if (acts<Law>(contact, params, old)) {
            const auto answer = Law::respond(contact, params, old, 0.0, step);
            out = Push{answer.force, answer.moment};
        }
    });
    return out;
}

std::optional<Answer> respond(const model::PairLaw& law, const laws::Kinematics<double>& contact, double* history,
                              double dt, double step) {
    std::optional<Answer> out;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        const auto params = law.parameters.as<typename Law::Params>();
        const auto old = load<Law>(history);
        if (!acts<Law>(contact, params, old)) {
            return;
        }
        const auto answer = Law::respond(contact, params, old, dt, step);
        out.emplace();
        out->force = answer.force;
        out->moment = answer.moment;
        out->stored_normal = answer.stored_normal;
        out->stored_tangential = answer.stored_tangential;
        if (dt > 0) {
            out->power = {answer.normal_damping, answer.tangential_damping, answer.sliding,
                          answer.rolling,        answer.twisting,           answer.time_step};
            save<Law>(answer.history, history);
        }
    });
    return out;
}

double project(const model::PairLaw& law, const Vec3d& normal, double* history) {
    double lost = 0;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        const auto params = law.parameters.as<typename Law::Params>();
        const auto old = load<Law>(history);
        const auto kept = Law::projected(old, normal);
        lost = Law::released(params, old) - Law::released(params, kept);
        save<Law>(kept, history);
    });
    return lost;
}

double released(const model::PairLaw& law, const double* history) {
    double out = 0;
    laws::visit(law.law, [&](auto kind) {
        using Law = decltype(kind);
        out = Law::released(law.parameters.as<typename Law::Params>(), load<Law>(history));
    });
    return out;
}

}  // namespace talus::engines::grains
