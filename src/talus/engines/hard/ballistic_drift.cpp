// The engine of HSDEM: kick, drift with collisions, kick. A drift is a flight without gravity, so the events of one are
// those of the event-driven mode; times count from its start.
#include <limits>

#include "talus/base/exact_sum.h"
#include "talus/engines/hard/ballistic_engine.h"

namespace talus::engines::hard {

/// Half a kick for all that gravity moves. What the kicks give and what the fall through the field gives differ by what
/// happened within the drift; the ledger has it as the work of the finite step.
void BallisticEngine::kick() {
    const Vec3d change = system_.gravity * (0.5 * options_.step);
    base::ExactSum given;  // J; records may come in any order
    for (std::size_t i = 0; i < record_.size(); ++i) {
        Record& record = record_[i];
        if (is_flying(record) && is_kept(static_cast<std::uint32_t>(i))) {
            given += system_.bodies.mass[body_at_[i]] * dot(change, record.velocity + change * 0.5);
            record.velocity += change;
        }
    }
    system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::time_step)] -= given.value();
}

/// Starts a drift at the present: all flights begin anew.
void BallisticEngine::start_drift() {
    for (Record& record : record_) {
        if (is_flying(record)) {
            record.time = 0;
            ++record.count;
        }
    }
    flights().epoch = system_.clock.time();
    now_ = 0;
    counted_until_ = 0;
    predict_all();
    queue_.rebuild(event_.data(), event_.size(), now_, options_.step);
}

void BallisticEngine::end_drift() {
    now_ = options_.step;
    count_time(now_);
    for (Record& record : record_) {
        if (is_flying(record)) {
            fly(record);
        }
    }
}

/// m g.x of all that gravity can move: also of what lies at rest, or coming to rest would look like work.
double BallisticEngine::lift() const {
    base::ExactSum out;
    for (std::uint32_t i = 0; i < record_.size(); ++i) {
        if ((is_flying(record_[i]) || is_asleep(i)) && is_kept(i)) {
            out += system_.bodies.mass[body_at_[i]] * dot(system_.gravity, record_[i].position);
        }
    }
    return out.value();
}

void BallisticEngine::drift(std::int64_t steps) {
    double& step_loss = system_.ledger.dissipated[static_cast<std::size_t>(model::Mechanism::time_step)];
    for (std::int64_t n = 0; n < steps; ++n) {
        if (flights().collisions >= options_.epoch_collisions * flying_ / 2 + 1 && keep_.empty()) {
            save_flights();
            flights().collisions = 0;
            load();  // in order of cells again
        }
        const double reference = system_.ledger.gravity_reference;
        const double before = lift();
        kick();
        start_drift();
        run(options_.step, std::numeric_limits<std::int64_t>::max());
        end_drift();
        kick();
        step_loss += (lift() - before) - (system_.ledger.gravity_reference - reference);
        ++system_.clock.steps;
    }
}

}  // namespace talus::engines::hard
