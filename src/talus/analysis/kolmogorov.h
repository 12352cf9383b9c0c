// The test of Kolmogorov and Smirnov: how far samples stray from the distribution they should come from.
#pragma once

#include <cstddef>
#include <span>

namespace talus::analysis {

/// Largest distance between the empirical distribution of samples and the expected one. `expected` holds the expected
/// cumulative probability at each sample, in ascending order, and must not be empty.
double kolmogorov_distance(std::span<const double> expected);

/// Probability that as many independent samples of the expected distribution stray at least that far (Stephens 1970:
/// good from about four samples on).
double kolmogorov_probability(double distance, std::size_t samples);

}  // namespace talus::analysis
