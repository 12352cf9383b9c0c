#include "talus/laws/collision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "talus/math/portable.h"
#include "talus/math/portable_log.h"

namespace talus::laws {

namespace {

double fifth_root(double x) {
    // Newton; setup only, and + - * / alone keep the bits the same everywhere.
    if (x <= 0) {
        return 0;
    }
    double scale = 1;
    while (x > 32) {
        x /= 32;
        scale *= 2;
    }
    while (x < 1) {
        x *= 32;
        scale /= 2;
    }
    double y = 1.5;
    for (int i = 0; i < 60; ++i) {
        y = (4 * y + x / (y * y * y * y)) / 5;
    }
    return y * scale;
}

using std::numbers::pi;
constexpr double largest_damping = 1e4;  // of sqrt(k_n mass): far beyond anything useful

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t k = 0; k < 3; ++k) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    return c;
}

/// One step of the engine's scheme on (x or spring, v, acceleration), as a matrix.
Matrix step_matrix(double w2, double a, bool history, double h) {
    // A history has the dashpot of TangentialSpring beside its own: k_t (w h)^2 h / 4 adds w^4 h^3 / 8 to a.
    a += history ? w2 * w2 * h * h * h / 8 : 0.0;
    Matrix m{};
    for (std::size_t column = 0; column < 3; ++column) {
        const double x = column == 0 ? 1 : 0;
        const double v = column == 1 ? 1 : 0;
        const double acceleration = column == 2 ? 1 : 0;
        const double v_half = v + h / 2 * acceleration;
        const double predicted = v_half + h / 2 * acceleration;
        const double x_new = history ? x + h / 2 * predicted : x + h * v_half;
        const double acceleration_new = -w2 * x_new - 2 * a * predicted;
        m[0][column] = history ? x_new + h / 2 * predicted : x_new;
        m[1][column] = v_half + h / 2 * acceleration_new;
        m[2][column] = acceleration_new;
    }
    return m;
}

bool is_stable(double w2, double a, bool history, double h) {
    // Scale time by h, so that the matrix has no units; then look at the growth over 2^14 steps.
    Matrix m = step_matrix(w2 * h * h, a * h, history, 1.0);
    for (int doubling = 0; doubling < 14; ++doubling) {
        m = product(m, m);
        for (const auto& row : m) {
            for (const double value : row) {
                if (!(std::abs(value) < 1e6)) {
                    return false;
                }
            }
        }
    }
    return true;
}

}  // namespace

double damping_ratio(double restitution) {
    if (restitution <= 0) {
        return 1;
    }
    const double ln = math::log(restitution);
    return -ln / std::sqrt(pi * pi + ln * ln);
}

double tangential_restitution(double ct_scaled, double kt_over_kn, double normal_damping_ratio, double mobility) {
    // Times in units of 1/w_0n.
    const double normal = std::sqrt(1 - normal_damping_ratio * normal_damping_ratio);
    const double duration = pi / normal;
    const double natural2 = mobility * kt_over_kn;
    const double decay = mobility / 2 * ct_scaled;
    const double damped2 = natural2 - decay * decay;
    if (damped2 > 0) {
        const double damped = std::sqrt(damped2);
        const double phase = damped * duration;
        return math::exp(-decay * duration) * (math::cos(phase) - decay / damped * math::sin(phase));
    }
    const double rate = std::sqrt(-damped2);
    const double x2 = rate * rate * duration * duration;
    if (x2 < 1e-4) {  // near critical damping the difference below would cancel: cosh x and sinh x / x by their series
        const double cosh = 1 + x2 / 2 * (1 + x2 / 12);
        const double sinh_over_x = 1 + x2 / 6 * (1 + x2 / 20);
        return math::exp(-decay * duration) * (cosh - decay * duration * sinh_over_x);
    }
    // exp(-decay t) (cosh - decay/rate sinh), without overflow
    const double slow = math::exp((rate - decay) * duration);
    const double fast = math::exp((-rate - decay) * duration);
    return 0.5 * (slow * (1 - decay / rate) + fast * (1 + decay / rate));
}

std::optional<double> tangential_damping(double restitution, double kt_over_kn, double normal_damping_ratio,
                                         double mobility) {
    const auto excess = [&](double c) {
        return tangential_restitution(c, kt_over_kn, normal_damping_ratio, mobility) - restitution;
    };
    if (excess(0) == 0) {
        return 0.0;
    }
    // The first crossing on a fine grid, then bisection: the smallest damping that does it.
    double low = 0;
    for (double high = 1e-3; high < largest_damping; low = high, high *= 1.02) {
        if (excess(low) * excess(high) <= 0) {
            for (int i = 0; i < 200; ++i) {
                const double middle = 0.5 * (low + high);
                (excess(low) * excess(middle) <= 0 ? high : low) = middle;
            }
            return 0.5 * (low + high);
        }
    }
    return std::nullopt;
}

TangentialRange tangential_range(double kt_over_kn, double normal_damping_ratio, double mobility) {
    TangentialRange range{1, -1};
    const auto include = [&](double c) {
        const double value = tangential_restitution(c, kt_over_kn, normal_damping_ratio, mobility);
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    };
    include(0);
    for (double c = 1e-3; c < largest_damping; c *= 1.02) {
        include(c);
    }
    return range;
}

double stable_step(double w2, double a, bool history) {
    double low = 0;
    double high = std::min(w2 > 0 ? 4 / std::sqrt(w2) : 1e300, a > 0 ? 4 / a : 1e300);
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (is_stable(w2, a, history, middle) ? low : high) = middle;
    }
    return low;
}

double hertz_stiffness(double modulus, double radius) {
    return 4.0 / 3.0 * modulus * std::sqrt(radius);
}

double hertz_overlap(double modulus, double mass, double radius, double speed) {
    // (2/5) k x^(5/2) = (1/2) m v^2
    const double root = fifth_root(1.25 * mass * speed * speed / hertz_stiffness(modulus, radius));
    return root * root;
}

double hertz_collision_time(double modulus, double mass, double radius, double speed) {
    return speed > 0 ? 2.943275 * hertz_overlap(modulus, mass, radius, speed) / speed : 1e300;
}

double hertz_overlap_under(double modulus, double radius, double force) {
    // x = (F / k)^(2/3), by bisection on x^3 = (F/k)^2
    const double target = force / hertz_stiffness(modulus, radius);
    const double wanted = target * target;
    double low = 0;
    double high = 1 + wanted;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (middle * middle * middle < wanted ? low : high) = middle;
    }
    return high;
}

}  // namespace talus::laws
