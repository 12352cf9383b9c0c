#include "talus/geometry/mesh_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "talus/geometry/grain_forms.h"

namespace talus::geometry {

namespace {

/// How far spheres may stick out, in thicknesses of the layer over the whole surface that makes up the wanted error.
constexpr std::array outward = {0.0, 0.5, 1.0, 2.0};
constexpr double sliver = 0.8;          // of the distance, by which a neighbour lies deeper that may stand for a point
constexpr double least_overlap = 0.05;  // of the smaller radius, with some sphere chosen before
constexpr int samples_of_mesh = 4000;
constexpr int samples_of_ball = 200;

/// Points in the middle of cubes, and what is known of each.
class Grid {
public:
    Grid(const Mesh& mesh, int cells, double margin) {
        constexpr double far = std::numeric_limits<double>::infinity();
        Vec3d low{far, far, far};
        Vec3d high = -low;
        for (const Vec3d& p : mesh.points) {
            for (int i = 0; i < 3; ++i) {
                low[i] = std::min(low[i], p[i]);
                high[i] = std::max(high[i], p[i]);
            }
        }
        const Vec3d size = high - low;
        cell = std::max({size.x, size.y, size.z}) / cells;
        for (int i = 0; i < 3; ++i) {
            // An odd number: the middle of the mesh, where symmetric ones want a sphere, is one of the points.
            const int half = static_cast<int>(std::ceil((0.5 * size[i] + margin) / cell + 0.5));
            count_[static_cast<std::size_t>(i)] = 2 * half + 1;
            low_[i] = 0.5 * (low[i] + high[i]) - (half + 0.5) * cell;
        }
        inside.assign(static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
                          static_cast<std::size_t>(count_[2]),
                      0);
        covered = inside;
        find_inside(mesh);
    }

    Vec3d at(std::size_t index) const {
        const auto nx = static_cast<std::size_t>(count_[0]);
        const auto ny = static_cast<std::size_t>(count_[1]);
        return middle(static_cast<int>(index % nx), static_cast<int>(index / nx % ny),
                      static_cast<int>(index / (nx * ny)));
    }

    /// The points of the cube of three by three by three about a point inside.
    std::array<std::size_t, 27> around(std::size_t i) const {
        const auto nx = static_cast<std::size_t>(count_[0]);
        const auto layer = nx * static_cast<std::size_t>(count_[1]);
        std::array<std::size_t, 27> out{};
        for (std::size_t k = 0; k < out.size(); ++k) {
            out[k] = i + (k % 3 + (k / 3 % 3) * nx + (k / 9) * layer) - (1 + nx + layer);
        }
        return out;
    }

    template <class F>
    void in_ball(const Ball& ball, F&& each) const {
        const auto range = [&](int i, double center, double radius) {
            const int first = static_cast<int>(std::ceil((center - radius - low_[i]) / cell - 0.5));
            const int last = static_cast<int>(std::floor((center + radius - low_[i]) / cell - 0.5));
            return std::pair(std::max(first, 0), std::min(last, count_[static_cast<std::size_t>(i)] - 1));
        };
        const auto [z0, z1] = range(2, ball.center.z, ball.radius);
        for (int z = z0; z <= z1; ++z) {
            const double dz = low_.z + (z + 0.5) * cell - ball.center.z;
            const double at_z = std::sqrt(std::max(ball.radius * ball.radius - dz * dz, 0.0));
            const auto [y0, y1] = range(1, ball.center.y, at_z);
            for (int y = y0; y <= y1; ++y) {
                const double dy = low_.y + (y + 0.5) * cell - ball.center.y;
                const auto [x0, x1] = range(0, ball.center.x, std::sqrt(std::max(at_z * at_z - dy * dy, 0.0)));
                for (int x = x0; x <= x1; ++x) {
                    each(index(x, y, z));
                }
            }
        }
    }

    double cell = 0;  // m
    std::vector<char> inside;
    std::vector<char> covered;

private:
    Vec3d middle(int x, int y, int z) const { return low_ + Vec3d{x + 0.5, y + 0.5, z + 0.5} * cell; }
    std::size_t index(int x, int y, int z) const {
        return static_cast<std::size_t>(x) +
               static_cast<std::size_t>(count_[0]) *
                   (static_cast<std::size_t>(y) + static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(z));
    }

    /// Along x every crossing of the surface turns inside to outside.
    void find_inside(const Mesh& mesh) {
        for (const auto& t : mesh.triangles) {
            const std::array<Vec3d, 3> p = {mesh.points[static_cast<std::size_t>(t[0])],
                                            mesh.points[static_cast<std::size_t>(t[1])],
                                            mesh.points[static_cast<std::size_t>(t[2])]};
            const auto [y0, y1] = rows(1, p);
            const auto [z0, z1] = rows(2, p);
            for (int z = z0; z <= z1; ++z) {
                for (int y = y0; y <= y1; ++y) {
                    const Vec3d row = middle(0, y, z);
                    if (is_crossed(t, mesh, row.y, row.z)) {
                        const Vec3d n = cross(p[1] - p[0], p[2] - p[0]);
                        const double x = p[0].x - ((row.y - p[0].y) * n.y + (row.z - p[0].z) * n.z) / n.x;
                        flip(std::clamp(static_cast<int>(std::ceil((x - low_.x) / cell - 0.5)), 0, count_[0]), y, z);
                    }
                }
            }
        }
    }
    std::pair<int, int> rows(int i, const std::array<Vec3d, 3>& p) const {
        const auto [least, most] = std::minmax({p[0][i], p[1][i], p[2][i]});
        return {std::max(static_cast<int>((least - low_[i]) / cell) - 1, 0),
                std::min(static_cast<int>((most - low_[i]) / cell) + 1, count_[static_cast<std::size_t>(i)] - 1)};
    }
    /// Sides are taken from their lower-numbered end, so that a row through one counts for exactly one of two
    /// triangles.
    static bool is_crossed(const std::array<std::int32_t, 3>& t, const Mesh& mesh, double y, double z) {
        bool inside = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [i, j] = std::minmax(t[k], t[(k + 1) % 3]);
            const Vec3d& a = mesh.points[static_cast<std::size_t>(i)];
            const Vec3d& b = mesh.points[static_cast<std::size_t>(j)];
            if ((a.y > y) != (b.y > y) && z < a.z + (b.z - a.z) * ((y - a.y) / (b.y - a.y))) {
                inside = !inside;
            }
        }
        return inside;
    }
    void flip(int from, int y, int z) {
        for (int x = from; x < count_[0]; ++x) {
            inside[index(x, y, z)] ^= 1;
        }
    }

    Vec3d low_;
    std::array<int, 3> count_{};
};

/// Points that a ball would add to what is covered, less those that it would put outside.
std::int64_t gain(const Grid& grid, const Ball& ball) {
    std::int64_t sum = 0;
    grid.in_ball(ball, [&](std::size_t i) { sum += grid.covered[i] != 0 ? 0 : (grid.inside[i] != 0 ? 1 : -1); });
    return sum;
}

bool hangs_on(const Ball& ball, const std::vector<Ball>& chosen) {
    return chosen.empty() || std::any_of(chosen.begin(), chosen.end(), [&](const Ball& other) {
               const double least = least_overlap * std::min(ball.radius, other.radius);
               return norm(other.center - ball.center) < ball.radius + other.radius - least;
           });
}

bool lies_in(const Ball& ball, const Ball& other) {
    return norm(ball.center - other.center) + ball.radius <= other.radius;
}

/// The spheres to choose from, best first. What a sphere would add hardly ever grows while others are chosen: it is
/// worked out anew only for the one that comes first.
class Choice {
public:
    Choice(const Grid& grid, const MeshTree& surface, double layer) {
        std::vector<double> depth(grid.inside.size(), 0);  // m
        for (std::size_t i = 0; i < depth.size(); ++i) {
            depth[i] = grid.inside[i] != 0 ? surface.distance(grid.at(i)) : 0;
        }
        for (std::size_t i = 0; i < depth.size(); ++i) {
            if (grid.inside[i] != 0 && !is_held(grid, depth, i)) {
                for (const double part : outward) {
                    const double size = (depth[i] + part * layer) / grid.cell;
                    queue_.push({static_cast<std::int64_t>(5 * size * size * size) + 1, balls_.size()});
                    balls_.push_back({grid.at(i), depth[i] + part * layer});
                }
            }
        }
    }

    /// The sphere that adds most, or nothing if none adds anything.
    const Ball* best(const Grid& grid, const std::vector<Ball>& chosen) {
        std::vector<Entry> apart;
        const Ball* found = nullptr;
        while (!queue_.empty() && found == nullptr) {
            const Entry first = queue_.top();
            queue_.pop();
            const Ball& ball = balls_[first.second];
            const Entry now{gain(grid, ball), first.second};
            if (now.first <= 0) {
                continue;
            }
            if (!queue_.empty() && now < queue_.top()) {
                queue_.push(now);
            } else if (hangs_on(ball, chosen)) {
                found = &ball;
            } else {
                apart.push_back(now);
            }
        }
        for (const Entry& entry : apart) {
            queue_.push(entry);
        }
        return found;
    }

private:
    using Entry = std::pair<std::int64_t, std::size_t>;

    /// Whether a neighbour's sphere holds this one but for a sliver: only those of the middle planes are worth a look.
    static bool is_held(const Grid& grid, const std::vector<double>& depth, std::size_t i) {
        const auto around = grid.around(i);
        return std::any_of(around.begin(), around.end(), [&](std::size_t k) {
            return k != i && depth[k] - depth[i] > sliver * norm(grid.at(k) - grid.at(i));
        });
    }

    std::vector<Ball> balls_;
    std::priority_queue<Entry> queue_;
};

/// m, from the surface of the union to the mesh and from the mesh out to the union.
double largest_distance(const Mesh& mesh, const MeshTree& surface, const std::vector<Ball>& balls) {
    const auto outside = [&](const Vec3d& p) {  // how far outside all balls but rounding
        double least = std::numeric_limits<double>::infinity();
        for (const Ball& ball : balls) {
            least = std::min(least, norm(p - ball.center) - ball.radius);
        }
        return least;
    };
    double out = 0;
    for (const Ball& ball : balls) {
        for (const Vec3d& direction : spread_directions(samples_of_ball)) {
            const Vec3d p = ball.center + direction * ball.radius;
            if (outside(p) > -1e-9 * ball.radius) {
                out = std::max(out, surface.distance(p));
            }
        }
    }
    const double area = mesh_area(mesh);
    for (const auto& t : mesh.triangles) {
        const Vec3d& a = mesh.points[static_cast<std::size_t>(t[0])];
        const Vec3d ab = mesh.points[static_cast<std::size_t>(t[1])] - a;
        const Vec3d ac = mesh.points[static_cast<std::size_t>(t[2])] - a;
        const double share = 0.5 * norm(cross(ab, ac)) / area;
        const int n = static_cast<int>(std::ceil(std::sqrt(2 * share * samples_of_mesh)));
        for (int i = 0; i <= n && n > 0; ++i) {
            for (int j = 0; i + j <= n; ++j) {
                out = std::max(out, outside(a + (ab * static_cast<double>(i) + ac * static_cast<double>(j)) /
                                                    static_cast<double>(n)));
            }
        }
    }
    return out;
}

}  // namespace

MeshFill fill_mesh(const Mesh& mesh, const MeshFillRules& rules) {
    const double volume = mesh_volume(mesh);
    const double layer = rules.error * volume / mesh_area(mesh);
    Grid grid(mesh, rules.cells, layer * outward.back());
    const MeshTree surface(mesh);
    Choice choice(grid, surface, layer);
    const auto whole = std::count(grid.inside.begin(), grid.inside.end(), 1);
    auto wrong = whole;
    MeshFill out;
    if (whole == 0) {
        out.error = 1;
        return out;
    }
    while (true) {
        out.error = static_cast<double>(wrong) / static_cast<double>(whole);
        if (out.error <= rules.error) {  // the grid does not see all: the volume itself must be right as well
            out.volume_error = union_moments(out.balls, 1e-4).volume / volume - 1;
            out.error = std::max(out.error, std::abs(out.volume_error));
        }
        const bool enough = out.error <= rules.error || static_cast<int>(out.balls.size()) >= rules.spheres;
        const Ball* next = enough ? nullptr : choice.best(grid, out.balls);
        if (next == nullptr) {
            break;
        }
        grid.in_ball(*next, [&](std::size_t i) {
            wrong += grid.covered[i] != 0 ? 0 : (grid.inside[i] != 0 ? -1 : 1);
            grid.covered[i] = 1;
        });
        std::erase_if(out.balls, [&](const Ball& ball) { return lies_in(ball, *next); });
        out.balls.push_back(*next);
    }
    if (!out.balls.empty()) {
        out.volume_error = union_moments(out.balls, 1e-4).volume / volume - 1;
        out.error = std::max(out.error, std::abs(out.volume_error));
        out.distance = largest_distance(mesh, surface, out.balls);
    }
    return out;
}

}  // namespace talus::geometry
