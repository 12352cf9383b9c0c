// Watches the energy ledger of a run: its total must not change but for a stated fraction of the energy in play.
#pragma once

#include <algorithm>

#include "physics/two_body.h"

namespace talus::tests {

class LedgerWatch {
public:
    LedgerWatch(const model::System& system, const engines::soft::Engine& engine)
        : system_(system), engine_(engine), start_(ledger_total(system, engine)), in_play_(energy()) {}

    /// To be called after steps: notes the error and the greatest energy in play so far.
    void look() {
        in_play_ = std::max(in_play_, energy());
        worst_ = std::max(worst_, std::abs(ledger_total(system_, engine_) - start_));
    }
    /// Greatest error seen, of the greatest energy that moved or was stored (or of `energy_in_play`, if that is more).
    double error(double energy_in_play = 0) const { return worst_ / std::max(in_play_, energy_in_play); }

private:
    double energy() const {
        const auto stored = engine_.stored_energy();
        return kinetic_energy(system_) + stored.normal + stored.tangential;
    }

    const model::System& system_;
    const engines::soft::Engine& engine_;
    double start_;
    double in_play_;
    double worst_ = 0;
};

}  // namespace talus::tests
