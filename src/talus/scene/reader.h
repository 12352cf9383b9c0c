// Holds the list of keys against parsed TOML. Only this file's users see toml++.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "talus/base/diagnostics.h"
#include "talus/scene/keys.h"
#include "talus/scene/value.h"

namespace talus::scene {

/// Overrides are parsed under a file name that begins so; their places have no line.
inline constexpr std::string_view override_mark = "--set ";

class Reader {
public:
    /// `dimensions` of the scene: vectors of a plane one have two numbers.
    Reader(std::string file, int dimensions, base::Diagnostics& diagnostics)
        : file_(std::move(file)), dimensions_(dimensions), diagnostics_(diagnostics) {}

    Value table(const toml::table& node, const Table& keys, const std::string& path);

private:
    Value value(const toml::node& node, const std::vector<Form>& forms, const std::string& path);
    Value numeric(const toml::node& node, const std::vector<Form>& forms, const std::string& path);
    Value string(const toml::node& node, const std::vector<Form>& forms, const std::string& path);
    Value array(const toml::array& node, const std::vector<Form>& forms, const std::string& path);
    Value vector(const toml::array& node, const Form& form, const std::string& path);
    Value turn(const toml::node& node, const Form& form, const std::string& path);
    void check_plane(const toml::array& node, const Form& form, Value& out);
    std::string describe(const std::vector<Form>& forms) const;
    Value list(const toml::array& node, const Form& form, const std::string& path);
    Value named(const toml::table& node, const Form& form, const std::string& path);
    void unit_text(const std::string& text, const Form& form, const std::vector<Form>& forms, Value& out);
    void members(const toml::table& node, const Table& keys, const std::string& path, Value& out);
    void defaults(const Table& keys, const std::string& path, Value& out);
    void groups(const Table& keys, Value& out);

    Value start(const toml::node& node, const std::string& path) const;
    void fault(Value& value, std::string message, std::string expected = {}, std::string suggestion = {});
    bool check_range(double number, const Form& form, Value& value);

    std::string file_;
    int dimensions_;
    base::Diagnostics& diagnostics_;
};

}  // namespace talus::scene
