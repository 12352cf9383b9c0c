#include "talus/simulation/eigenvalues.h"

#include <cmath>

#include "talus/base/diagnostics.h"

#ifdef TALUS_HAS_EIGEN
#include <Eigen/Eigenvalues>
#endif

namespace talus::simulation {

#ifdef TALUS_HAS_EIGEN

namespace {

/// Other units, powers of two, in which rows and columns of the same number are about as large (Parlett and Reinsch).
/// Eigenvalues stay as they are; Eigen finds them more exactly, which it does not see to itself.
SquareMatrix balanced(SquareMatrix a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < a.n; ++i) {
            double row = 0;
            double column = 0;
            for (std::size_t k = 0; k < a.n; ++k) {
                row += k == i ? 0 : std::abs(a(i, k));
                column += k == i ? 0 : std::abs(a(k, i));
            }
            if (!(row > 0 && column > 0)) {
                continue;
            }
            const int power = static_cast<int>(std::lround(0.5 * std::log2(row / column)));
            if (std::ldexp(column, power) + std::ldexp(row, -power) < 0.95 * (row + column)) {
                for (std::size_t k = 0; k < a.n; ++k) {
                    a(i, k) = std::ldexp(a(i, k), -power);
                    a(k, i) = std::ldexp(a(k, i), power);
                }
                changed = true;
            }
        }
    }
    return a;
}

}  // namespace

bool has_eigenvalues() {
    return true;
}

std::vector<std::complex<double>> eigenvalues(const SquareMatrix& matrix) {
    if (matrix.n == 0) {
        return {};
    }
    const SquareMatrix even = balanced(matrix);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto n = static_cast<Eigen::Index>(matrix.n);
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(Eigen::Map<const Rows>(even.value.data(), n, n), false);
    if (solver.info() != Eigen::Success) {
        throw base::RunError("the eigenvalues of a matrix were not found");
    }
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

#else

bool has_eigenvalues() {
    return false;
}

std::vector<std::complex<double>> eigenvalues(const SquareMatrix&) {
    throw base::InputError(
        "this Talus was built without Eigen, which finds eigenvalues: install libeigen3-dev, then "
        "configure and build again");
}

#endif

}  // namespace talus::simulation
