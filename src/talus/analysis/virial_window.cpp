#include "talus/analysis/virial_window.h"

namespace talus::analysis {

std::optional<std::vector<Tensor6>> VirialWindow::take(const Snapshot& snapshot) {
    const std::vector<Tensor6>& sums = snapshot.system.impulses.virial;
    const std::vector<std::int64_t>& ids = snapshot.system.bodies.id;
    if (sums.size() != ids.size() || sums.empty()) {
        return grain_virial(snapshot.system, snapshot.contacts);
    }
    const double span = snapshot.time - time_;
    const bool known = begun_ && span > 0;
    std::vector<Tensor6> out;
    if (known) {
        out.resize(ids.size());
        std::size_t k = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            while (k < ids_.size() && ids_[k] < ids[i]) {
                ++k;
            }
            const bool was_there = k < ids_.size() && ids_[k] == ids[i];
            out[i] = (was_there ? sums[i] + last_[k] * -1 : sums[i]) * (1 / span);
        }
    }
    if (!begun_ || span > 0) {
        ids_ = ids;
        last_ = sums;
        time_ = snapshot.time;
        begun_ = true;
    }
    return known ? std::optional(out) : std::nullopt;
}

void VirialWindow::save(State& state) const {
    write(state, begun_ ? 1.0 : 0.0);
    write(state, time_);
    write(state, static_cast<std::int64_t>(ids_.size()));
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        write(state, ids_[i]);
        for (const double entry : last_[i]) {
            write(state, entry);
        }
    }
}

void VirialWindow::load(StateReader& reader) {
    begun_ = reader.number() != 0;
    time_ = reader.number();
    ids_.assign(reader.length(), 0);
    last_.assign(ids_.size(), Tensor6{});
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        ids_[i] = reader.count();
        for (double& entry : last_[i]) {
            entry = reader.number();
        }
    }
}

}  // namespace talus::analysis
