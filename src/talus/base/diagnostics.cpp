#include "talus/base/diagnostics.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace talus::base {

std::string Diagnostic::text() const {
    std::string out;
    if (!where.file.empty()) {
        out += where.file + ":";
        if (where.line > 0) {
            out += std::to_string(where.line) + ":" + std::to_string(where.column) + ":";
        }
        out += " ";
    }
    out += severity == Severity::error ? "error: " : severity == Severity::warning ? "warning: " : "note: ";
    if (!key.empty()) {
        out += key + ": ";
    }
    out += message;
    if (!expected.empty()) {
        out += "; expected " + expected;
    }
    if (!suggestion.empty()) {
        out += "; did you mean \"" + suggestion + "\"?";
    }
    return out;
}

void Diagnostics::error(Location where, std::string key, std::string message, std::string expected,
                        std::string suggestion) {
    list_.push_back({Diagnostic::Severity::error, std::move(where), std::move(key), std::move(message),
                     std::move(expected), std::move(suggestion)});
}

void Diagnostics::warning(Location where, std::string key, std::string message) {
    list_.push_back({Diagnostic::Severity::warning, std::move(where), std::move(key), std::move(message), {}, {}});
}

void Diagnostics::note(Location where, std::string key, std::string message) {
    list_.push_back({Diagnostic::Severity::note, std::move(where), std::move(key), std::move(message), {}, {}});
}

bool Diagnostics::has_errors() const {
    return std::any_of(list_.begin(), list_.end(),
                       [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error; });
}

void Diagnostics::append(const Diagnostics& other) {
    list_.insert(list_.end(), other.list_.begin(), other.list_.end());
}

std::string Diagnostics::text() const {
    std::string out;
    for (const Diagnostic& d : list_) {
        out += d.text() + "\n";
    }
    return out;
}

InputError::InputError(Diagnostics diagnostics)
    : std::runtime_error(diagnostics.text()), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(const std::string& message) : std::runtime_error(message) {
    diagnostics_.error({}, {}, message);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
    const auto distance = [](std::string_view a, std::string_view b) {
        std::vector<std::size_t> row(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) {
            row[j] = j;
        }
        for (std::size_t i = 1; i <= a.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
            }
        }
        return row[b.size()];
    };
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t d = distance(word, candidate);
        if (d < best_distance) {
            best_distance = d;
            best = candidate;
        }
    }
    return best;
}

}  // namespace talus::base
