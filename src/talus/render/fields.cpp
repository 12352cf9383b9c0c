#include "talus/render/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "talus/analysis/stress.h"
#include "talus/base/diagnostics.h"
#include "talus/math/vec3.h"
#include "talus/output/frame_columns.h"
#include "talus/render/force_lines.h"

namespace talus::render {
namespace {

using output::FrameFile;

constexpr std::array<std::pair<const char*, const char*>, 11> units{{{"position", "m"},
                                                                     {"velocity", "m/s"},
                                                                     {"spin", "rad/s"},
                                                                     {"force", "N"},
                                                                     {"radius", "m"},
                                                                     {"mass", "kg"},
                                                                     {"stress", "Pa"},
                                                                     {"charge", "C"},
                                                                     {"electric_dipole", "C m"},
                                                                     {"magnetic_dipole", "A m2"},
                                                                     {"age", "s"}}};

std::string unit_of(const std::string& column) {
    const auto found = std::find_if(units.begin(), units.end(), [&](const auto& u) { return column == u.first; });
    return found == units.end() ? "" : found->second;
}

/// Sum of the sizes of the forces at a grain's contacts. The net force would be zero wherever grains rest.
std::vector<double> loads(const FrameFile& frame) {
    std::vector<double> out(frame.id.size(), 0);
    const auto add = [&](std::int64_t id, double force) {
        if (const std::optional<std::size_t> row = output::row_of(frame.id, id)) {
            out[*row] += force;
        }
    };
    for (const model::ContactSample& contact : frame.contacts) {
        const double force = math::norm(contact.force);
        add(contact.a, force);
        add(contact.b, force);
    }
    return out;
}

std::vector<double> pressures(const FrameFile& frame) {
    std::vector<double> out;
    for (const output::Stress& stress : frame.stress) {
        out.push_back(analysis::pressure(stress, frame.domain.dimensions));
    }
    return out;
}

std::vector<double> ages(const FrameFile& frame, const Births& births) {
    std::vector<double> out;
    for (const std::int64_t id : frame.id) {
        const auto born = births.find(id);
        out.push_back(born == births.end() ? 0 : frame.time - born->second);
    }
    return out;
}

template <class Value>
std::vector<double> of_each(const std::vector<Value>& column, const std::function<double(const Value&)>& number) {
    std::vector<double> out;
    for (const Value& value : column) {
        out.push_back(number(value));
    }
    return out;
}

/// Names of the numbers of a row of that width.
std::vector<std::string> components_of(std::size_t width) {
    if (width == 3) {
        return {"x", "y", "z"};
    }
    if (width == 6) {
        return {"xx", "yy", "zz", "yz", "xz", "xy"};
    }
    std::vector<std::string> out;
    for (std::size_t k = 0; k < width; ++k) {
        out.push_back(std::to_string(k));
    }
    return out;
}

[[noreturn]] void refuse(const std::string& name, const std::filesystem::path& path) {
    std::vector<std::string> known = {"speed", "spin", "force", "stress", "size", "height", "material", "age", "id"};
    std::vector<std::string> nearby = known;
    for (const std::string& column : output::grain_columns(path)) {
        const output::GrainColumn rows = output::read_grain_column(path, column);
        if (rows.width > 1) {
            for (const std::string& part : components_of(rows.width)) {
                nearby.push_back(fmt::format("{}.{}", column, part));
            }
        }
        if (std::find(known.begin(), known.end(), column) == known.end()) {
            known.push_back(column);
            nearby.push_back(column);
        }
    }
    std::string all;
    for (const std::string& each : known) {
        all += (all.empty() ? "" : ", ") + each;
    }
    const std::string near = base::nearest_name(name, nearby);
    throw base::InputError(path.string() + ": no field \"" + name + "\"" +
                           (near.empty() ? "" : "; did you mean \"" + near + "\"?") + " (there are " + all +
                           "; components as velocity.z)");
}

/// A column as it is stored: a number, the length of a vector, or the component behind the dot.
Field stored(const std::filesystem::path& path, const std::string& name) {
    const std::size_t dot = name.find('.');
    const std::string column = name.substr(0, dot);
    const std::vector<std::string> columns = output::grain_columns(path);
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
        refuse(name, path);
    }
    const output::GrainColumn rows = output::read_grain_column(path, column);
    const std::vector<std::string> components = components_of(rows.width);
    std::size_t chosen = 0;
    const bool length = dot == std::string::npos && rows.width > 1;
    if (dot != std::string::npos) {
        const auto found = std::find(components.begin(), components.end(), name.substr(dot + 1));
        if (found == components.end() || rows.width == 1) {
            refuse(name, path);
        }
        chosen = static_cast<std::size_t>(found - components.begin());
    }
    Field field{name, unit_of(column), {}, false};
    for (std::size_t i = 0; i < rows.values.size(); i += rows.width) {
        double sum = 0;
        for (std::size_t k = 0; length && k < rows.width; ++k) {
            sum += rows.values[i + k] * rows.values[i + k];
        }
        field.values.push_back(length ? std::sqrt(sum) : rows.values[i + chosen]);
    }
    field.has_sign = (dot != std::string::npos && column != "position") || column == "charge";
    return field;
}

}  // namespace

Births births_of(const std::vector<std::filesystem::path>& frames) {
    Births births;
    for (const std::filesystem::path& path : frames) {
        const output::FrameFile frame = output::read_frame(path);
        for (const std::int64_t id : frame.id) {
            births.emplace(id, frame.time);
        }
    }
    return births;
}

Field field_of(const FrameFile& frame, const std::filesystem::path& path, const std::string& name,
               const Births& births) {
    if (name == "speed") {
        return {"speed", "m/s", of_each<math::Vec3d>(frame.velocity, [](const auto& v) { return math::norm(v); })};
    }
    if (name == "height") {
        const math::Vec3d up = frame.domain.up();
        return {"height", "m", of_each<math::Vec3d>(frame.position, [&](const auto& x) { return math::dot(x, up); })};
    }
    if (name == "size") {
        return {"diameter", "m", of_each<double>(frame.radius, [](double r) { return 2 * r; })};
    }
    if (name == "force") {
        need_contacts(frame, path.string());
        return {"sum of contact forces", "N", loads(frame)};
    }
    if (name == "age") {
        return {"age", "s", ages(frame, births)};
    }
    if (name == "stress") {
        if (frame.stress.empty() && !frame.id.empty()) {
            throw base::InputError(path.string() + ": holds no stress of grains");
        }
        return {"pressure", "Pa", pressures(frame)};
    }
    return stored(path, name);
}

bool Range::is_wide() const {
    const double width = high - low;
    return std::isfinite(width) && width > 1e-9 * std::max(std::abs(low), std::abs(high));
}

Range natural_range(std::vector<double> values, bool has_sign) {
    values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); }),
                 values.end());
    if (values.empty()) {
        return {0, 1};
    }
    const auto quantile = [&values](double part) {
        const auto at = values.begin() + std::lround(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    double high = quantile(0.995);
    double low = quantile(0.005);
    if (has_sign) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    } else if (low >= 0 && low < 0.5 * high) {
        low = 0;
    }
    if (!has_sign && low == 0 && high == 0) {  // at rest, say
        return {0, 1};
    }
    const Range range{low, high};
    if (!range.is_wide()) {  // all the same
        const double half = high != 0 ? 0.5 * std::abs(high) : 0.5;
        return {low - half, high + half};
    }
    return range;
}

}  // namespace talus::render
