// From a law's index in the registry to its type: the one place that lists the laws as types.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "talus/laws/extended_law.h"
#include "talus/laws/jkr.h"
#include "talus/laws/mindlin.h"
#include "talus/laws/packed_laws.h"
#include "talus/laws/poly.h"
#include "talus/laws/solver.h"

namespace talus::laws {

/// In the order of registry(): those of PackedLaws, then what the general engine alone can run.
using AllLaws =
    std::tuple<Hooke, Hertz, Poly, SolverBasic, SolverStatic, SolverDamped, SolverObject, ExtendedLaw<HertzMindlin>,
               ExtendedLaw<AdhesiveMindlin>, ExtendedLaw<Hooke>, ExtendedLaw<Hertz>>;
inline constexpr std::size_t law_count = std::tuple_size_v<AllLaws>;

/// Calls `f(Law{})` with the law of that index.
template <class F>
void visit(int law, F&& f) {
    visit_in<AllLaws>(law, std::forward<F>(f));
}

}  // namespace talus::laws
