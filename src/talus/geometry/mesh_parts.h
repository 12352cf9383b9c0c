// What the readers of mesh files share: words of a text line by line, and corners that come triangle by triangle.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "talus/base/hash.h"
#include "talus/geometry/mesh.h"

namespace talus::geometry::detail {

[[noreturn]] inline void refuse_mesh(const std::string& path, const std::string& what) {
    throw std::invalid_argument("the mesh \"" + path + "\" " + what);
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
        refuse_mesh(path_, what + " in line " + std::to_string(number_));
    }

    template <class T>
    T number(std::string_view word) const {
        word.remove_prefix(word.starts_with('+') ? 1 : 0);
        T value{};
        const auto [end, fail] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (fail != std::errc() || end != word.data() + word.size()) {
            fault("has \"" + std::string(word) + "\" where a number is expected,");
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
    explicit Soup(const std::string& path) : path_(path) {}

    void corner(const Vec3d& at) {
        if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z)) {
            refuse_mesh(path_, "has a point that is not finite, in face " + std::to_string(faces_ + 1));
        }
        const auto next = static_cast<std::int32_t>(mesh_.points.size());
        const auto [found, is_new] = known_.emplace(Place{at.x + 0.0, at.y + 0.0, at.z + 0.0}, next);  // no -0
        if (is_new) {
            mesh_.points.push_back(at);
        }
        open_.push_back(found->second);
    }
    std::size_t corners() const { return open_.size(); }
    /// A face of the corners since the last one, as a fan. Triangles with two corners in one place are no part of the
    /// surface.
    void close() {
        for (std::size_t k = 2; k < open_.size(); ++k) {
            const std::array<std::int32_t, 3> t = {open_[0], open_[k - 1], open_[k]};
            if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
                mesh_.triangles.push_back(t);
            } else {
                ++collapsed_;
            }
        }
        ++faces_;
        open_.clear();
    }
    ReadMesh take() { return {std::move(mesh_), collapsed_}; }

private:
    using Place = std::array<double, 3>;
    struct Hash {
        std::size_t operator()(const Place& p) const {
            base::Hasher hash;
            for (const double x : p) {
                hash.add(x);
            }
            return hash.value();
        }
    };
    const std::string& path_;
    Mesh mesh_;
    std::size_t faces_ = 0, collapsed_ = 0;
    std::vector<std::int32_t> open_;
    std::unordered_map<Place, std::int32_t, Hash> known_;
};

/// From the bytes of a .ply file (mesh_ply.cpp).
ReadMesh read_ply(const std::string& path, std::string_view bytes);

}  // namespace talus::geometry::detail
