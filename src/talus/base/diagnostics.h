// What is wrong with an input, where, and what would be right. All faults of a file are gathered before any is thrown.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace talus::base {

struct Location {
    std::string file;
    int line = 0;    // 1-based; 0: no line known (a command-line override, say)
    int column = 0;  // 1-based
};

struct Diagnostic {
    enum class Severity { note, warning, error };
    Severity severity = Severity::error;
    Location where;
    std::string key;         // full dotted key, "materials.grain.density"
    std::string message;     // what is wrong
    std::string expected;    // what would be right; may be empty
    std::string suggestion;  // the nearest valid name; may be empty

    /// One line: `scene.toml:12:3: error: materials.grain.density: must be positive (expected …; did you mean …?)`.
    std::string text() const;
};

class Diagnostics {
public:
    void error(Location where, std::string key, std::string message, std::string expected = {},
               std::string suggestion = {});
    void warning(Location where, std::string key, std::string message);
    /// Nothing wrong, but worth knowing.
    void note(Location where, std::string key, std::string message);
    bool has_errors() const;
    const std::vector<Diagnostic>& list() const { return list_; }
    void append(const Diagnostics& other);
    /// All diagnostics, one a line.
    std::string text() const;

private:
    std::vector<Diagnostic> list_;
};

/// The input cannot be used; `talus` exits with code 2 and has written nothing.
class InputError : public std::runtime_error {
public:
    explicit InputError(Diagnostics diagnostics);
    /// One fault without a place in a file.
    explicit InputError(const std::string& message);
    const Diagnostics& diagnostics() const { return diagnostics_; }

private:
    Diagnostics diagnostics_;
};

/// A run went wrong (a NaN, a grain beyond all bounds, a full disk); `talus` exits with code 3.
class RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The candidate closest to `word` by edit distance, or empty if none is near enough to be meant.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace talus::base
