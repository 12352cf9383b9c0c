#include "talus/analysis/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace talus::analysis {

namespace {

std::string with_unit(const std::string& number, std::string_view unit) {
    return unit.empty() ? number : number + " " + std::string(unit);
}

int decimal_exponent(double x) {
    return static_cast<int>(std::floor(std::log10(std::abs(x))));
}

}  // namespace

std::string with_error(double value, std::optional<double> error, std::string_view unit) {
    if (!error || !std::isfinite(*error) || *error <= 0 || !std::isfinite(value)) {
        return with_unit(fmt::format("{:.4g}", value), unit);
    }
    const double larger = std::max(std::abs(value), *error);
    // Far from one, a common power of ten goes outside.
    const int outside = larger >= 1e6 || larger < 1e-3 ? decimal_exponent(larger) : 0;
    const double scale = std::pow(10.0, outside);
    const double v = value / scale;
    const double e = *error / scale;
    const int first = decimal_exponent(e);
    const bool begins_with_one = e / std::pow(10.0, first) < 1.95;
    const int decimals = std::max(0, -first + (begins_with_one ? 1 : 0));
    const std::string number = fmt::format("{:.{}f} ± {:.{}f}", v, decimals, e, decimals);
    return with_unit(outside == 0 ? number : fmt::format("({})e{:+d}", number, outside), unit);
}

std::vector<std::string> report(std::span<const std::unique_ptr<Measure>> measures) {
    std::vector<std::string> lines;
    for (const std::unique_ptr<Measure>& measure : measures) {
        lines.push_back(measure->text());
    }
    return lines;
}

std::string report(const EnergyBalance& balance) {
    return fmt::format("energy ledger: closes to {:.1e} of the largest entry ({:.4g} J)", std::abs(balance.relative()),
                       balance.largest);
}

}  // namespace talus::analysis
