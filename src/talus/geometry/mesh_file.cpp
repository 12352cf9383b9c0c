// Meshes from STL files, text or binary, and from OBJ files: of the latter the points and faces only.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "talus/geometry/mesh.h"

namespace talus::geometry {

namespace {

constexpr std::size_t stl_header = 80;    // bytes, then the number of triangles
constexpr std::size_t stl_triangle = 50;  // bytes: a normal, three corners, two bytes for whatever

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw std::invalid_argument(fmt::format("the mesh \"{}\" {}", path, what));
}

/// The words of a text, line by line.
class Words {
public:
    Words(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

    /// The words of the next line that has any; empty at the end.
    std::vector<std::string_view> line() {
        std::vector<std::string_view> out;
        while (out.empty() && !rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            std::string_view line = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            while (true) {
                const std::size_t begin = line.find_first_not_of(" \t\r");
                if (begin == std::string_view::npos) {
                    break;
                }
                line.remove_prefix(begin);
                const std::size_t length = std::min(line.find_first_of(" \t\r"), line.size());
                out.push_back(line.substr(0, length));
                line.remove_prefix(length);
            }
        }
        return out;
    }
    [[noreturn]] void fault(const std::string& what) const {
        refuse(path_, fmt::format("{} in line {}", what, number_));
    }

    template <class T>
    T number(std::string_view word) const {
        word.remove_prefix(word.starts_with('+') ? 1 : 0);
        T value{};
        const auto [end, fail] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fail != std::errc() || end != word.data() + word.size()) {
            fault(fmt::format("has \"{}\" where a number is expected,", word));
        }
        return value;
    }
    Vec3d point(const std::vector<std::string_view>& words) const {
        if (words.size() < 4) {
            fault("has a point with fewer than three numbers");
        }
        return {number<double>(words[1]), number<double>(words[2]), number<double>(words[3])};
    }

private:
    const std::string& path_;
    std::string_view rest_;
    int number_ = 0;
};

/// Corners that come triangle by triangle; the same place is the same point.
class Soup {
public:
    void corner(const Vec3d& at) {
        const auto next = static_cast<std::int32_t>(mesh_.points.size());
        const auto [found, is_new] = known_.emplace(std::array<double, 3>{at.x, at.y, at.z}, next);
        if (is_new) {
            mesh_.points.push_back(at);
        }
        open_.push_back(found->second);
    }
    std::size_t corners() const { return open_.size(); }
    /// A face of the corners since the last one, as a fan. Faces without area are no part of the surface.
    void close() {
        for (std::size_t k = 2; k < open_.size(); ++k) {
            const std::array<std::int32_t, 3> t = {open_[0], open_[k - 1], open_[k]};
            if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
                mesh_.triangles.push_back(t);
            }
        }
        open_.clear();
    }
    Mesh take() { return std::move(mesh_); }

private:
    Mesh mesh_;
    std::vector<std::int32_t> open_;
    std::map<std::array<double, 3>, std::int32_t> known_;
};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t k = 4; k-- > 0;) {
        out = (out << 8U) | static_cast<unsigned char>(bytes[at + k]);
    }
    return out;
}

Mesh binary_stl(std::string_view bytes) {
    Soup soup;
    const std::size_t count = word_at(bytes, stl_header);
    for (std::size_t t = 0; t < count; ++t) {
        for (std::size_t k = 1; k < 4; ++k) {
            const std::size_t at = stl_header + 4 + t * stl_triangle + k * 12;
            const auto value = [&](std::size_t i) {
                return static_cast<double>(std::bit_cast<float>(word_at(bytes, at + 4 * i)));
            };
            soup.corner({value(0), value(1), value(2)});
        }
        soup.close();
    }
    return soup.take();
}

Mesh text_stl(const std::string& path, std::string_view text) {
    Soup soup;
    Words words(path, text);
    for (auto line = words.line(); !line.empty(); line = words.line()) {
        if (line[0] == "vertex") {
            soup.corner(words.point(line));
        } else if (line[0] == "endloop") {
            if (soup.corners() != 3) {
                words.fault(fmt::format("has a loop of {} points that ends", soup.corners()));
            }
            soup.close();
        }
    }
    if (soup.corners() != 0) {
        refuse(path, "ends within a triangle");
    }
    return soup.take();
}

Mesh stl(const std::string& path, std::string_view bytes) {
    const std::size_t start = stl_header + 4;
    // Binary files may begin with "solid" as well: the length decides.
    if (bytes.size() >= start && bytes.size() == start + stl_triangle * word_at(bytes, stl_header)) {
        return binary_stl(bytes);
    }
    if (bytes.starts_with("solid")) {
        return text_stl(path, bytes);
    }
    refuse(path, "is no STL file: it neither begins with \"solid\" nor is as long as its header says");
}

Mesh obj(const std::string& path, std::string_view text) {
    std::vector<Vec3d> points;
    Soup soup;
    Words words(path, text);
    for (auto line = words.line(); !line.empty(); line = words.line()) {
        if (line[0] == "v") {
            points.push_back(words.point(line));
        } else if (line[0] == "f") {
            for (std::size_t k = 1; k < line.size(); ++k) {
                const auto index = words.number<long>(line[k].substr(0, line[k].find('/')));
                const auto count = static_cast<long>(points.size());
                if (index == 0 || index > count || index < -count) {
                    words.fault(fmt::format("has no point {}, which is named", index));
                }
                soup.corner(points[static_cast<std::size_t>(index > 0 ? index - 1 : count + index)]);
            }
            soup.close();
        }
    }
    return soup.take();
}

}  // namespace

Mesh read_mesh(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file || content.str().empty()) {
        refuse(path, "cannot be read, or is empty");
    }
    const std::string bytes = content.str();
    const auto ends = [&](const char* low, const char* high) { return path.ends_with(low) || path.ends_with(high); };
    Mesh mesh;
    if (ends(".stl", ".STL")) {
        mesh = stl(path, bytes);
    } else if (ends(".obj", ".OBJ")) {
        mesh = obj(path, bytes);
    } else {
        refuse(path, "is neither .stl nor .obj");
    }
    for (const Vec3d& p : mesh.points) {
        if (!std::isfinite(norm2(p))) {
            refuse(path, "has a point that is not finite");
        }
    }
    if (const auto fault = mesh_fault(mesh)) {
        refuse(path, *fault);
    }
    return mesh;
}

}  // namespace talus::geometry
