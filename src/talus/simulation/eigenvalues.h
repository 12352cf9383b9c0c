// Eigenvalues of a real matrix without any symmetry, by Eigen where Talus was built with it.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace talus::simulation {

/// A square matrix, row by row.
struct SquareMatrix {
    explicit SquareMatrix(std::size_t size) : n(size), value(size * size) {}
    double& operator()(std::size_t row, std::size_t column) { return value[row * n + column]; }
    double operator()(std::size_t row, std::size_t column) const { return value[row * n + column]; }

    std::size_t n;
    std::vector<double> value;
};

/// Whether this Talus was built with Eigen.
bool has_eigenvalues();

/// Throws base::InputError without Eigen, and base::RunError where the iteration does not end.
std::vector<std::complex<double>> eigenvalues(const SquareMatrix& matrix);

}  // namespace talus::simulation
