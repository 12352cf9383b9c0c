#include "talus/scene/import_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "talus/math/portable.h"

namespace talus::scene {

namespace {

/// The format lets the sides of a rectangle miss the right angle by this much (rad); a scene does not.
constexpr double square_enough = 1e-3;

/// The origin at time zero: an oscillation in a scene is measured from its start, in the file from its middle.
Vec3d start_of(const FileWall& wall) {
    const double phase = 2 * std::numbers::pi * wall.swing_phase;
    return wall.origin + wall.swing * math::sin(phase) * normalized(wall.swing_along);
}

ImportedShape point_at(const Vec3d& at) {
    return {fmt::format("{{ point = {{ at = {} }} }}", toml_vector(at)), geometry::make_point(at)};
}

ImportedShape rectangle(const FileWall& wall, const Vec3d& corner) {
    const Vec3d& edge1 = wall.vertex1;
    Vec3d edge2 = wall.vertex2;
    const double along = dot(edge1, edge2) / norm2(edge1);
    if (std::abs(along) * norm(edge1) <= square_enough * norm(edge2)) {
        edge2 -= along * edge1;
    }
    return {fmt::format("{{ rectangle = {{ corner = {}, edge1 = {}, edge2 = {} }} }}", toml_vector(corner),
                        toml_vector(edge1), toml_vector(edge2)),
            geometry::make_rectangle(corner, edge1, edge2)};
}

ImportedShape triangle(const FileWall& wall, const Vec3d& a) {
    const Vec3d b = a + wall.vertex1;
    const Vec3d c = a + wall.vertex2;
    return {
        fmt::format("{{ triangle = {{ corners = [{}, {}, {}] }} }}", toml_vector(a), toml_vector(b), toml_vector(c)),
        geometry::make_triangle(a, b, c)};
}

ImportedShape disk(const FileWall& wall, const Vec3d& center) {
    if (wall.radius == 0 && wall.hole == 0) {
        return point_at(center);
    }
    const std::string hole = wall.hole > 0 ? fmt::format(", hole = {}", toml_number(wall.hole)) : "";
    return {fmt::format("{{ disk = {{ center = {}, normal = {}, radius = {}{} }} }}", toml_vector(center),
                        toml_vector(wall.orient), toml_number(wall.radius), hole),
            geometry::make_disk(center, wall.orient, wall.radius, wall.hole)};
}

ImportedShape endless_cylinder(const FileWall& wall, const Vec3d& point) {
    if (wall.radius == 0) {
        return {fmt::format("{{ line = {{ point = {}, axis = {} }} }}", toml_vector(point), toml_vector(wall.orient)),
                geometry::make_line(point, wall.orient)};
    }
    return {fmt::format("{{ cylinder = {{ point = {}, axis = {}, radius = {} }} }}", toml_vector(point),
                        toml_vector(wall.orient), toml_number(wall.radius)),
            geometry::make_cylinder(point, wall.orient, wall.radius)};
}

/// The origin of a finite cylinder is the middle of its axis; it narrows towards `orient`.
ImportedShape finite_cylinder(const FileWall& wall, const Vec3d& middle) {
    if (wall.length == 0 && wall.taper > 0) {
        throw std::invalid_argument("a cylinder without length cannot have a taper");
    }
    if (wall.length == 0) {
        return wall.radius == 0
                   ? point_at(middle)
                   : ImportedShape{fmt::format("{{ ring = {{ center = {}, normal = {}, radius = {} }} }}",
                                               toml_vector(middle), toml_vector(wall.orient), toml_number(wall.radius)),
                                   geometry::make_ring(middle, wall.orient, wall.radius)};
    }
    const Vec3d half = (0.5 * wall.length) * normalized(wall.orient);
    const Vec3d from = middle - half;
    const Vec3d to = middle + half;
    const std::string ends = fmt::format("from = {}, to = {}", toml_vector(from), toml_vector(to));
    if (wall.radius == 0) {
        return {fmt::format("{{ segment = {{ {} }} }}", ends), geometry::make_segment(from, to)};
    }
    const double narrow = wall.radius * (1 - wall.taper);
    const std::string radii = wall.taper == 0 ? fmt::format("radius = {}", toml_number(wall.radius))
                                              : fmt::format("radius_from = {}, radius_to = {}",
                                                            toml_number(wall.radius), toml_number(narrow));
    return {fmt::format("{{ cylinder = {{ {}, {} }} }}", ends, radii),
            geometry::make_tube(from, to, wall.radius, narrow)};
}

ImportedShape shell(const FileWall& wall, const Vec3d& center) {
    if (wall.radius == 0) {
        return point_at(center);
    }
    if (wall.opening != 0) {
        throw std::invalid_argument(fmt::format(
            "a shell with an opening of {} degrees has no shape in a scene: spheres are whole", wall.opening));
    }
    return {fmt::format("{{ sphere = {{ center = {}, radius = {} }} }}", toml_vector(center), toml_number(wall.radius)),
            geometry::make_sphere(center, wall.radius)};
}

}  // namespace

std::string toml_number(double value) {
    return value == 0 ? "0" : fmt::format("{:.15g}", value);
}

std::string toml_vector(const Vec3d& v) {
    return fmt::format("[{}, {}, {}]", toml_number(v.x), toml_number(v.y), toml_number(v.z));
}

ImportedShape import_shape(const FileWall& wall) {
    const Vec3d start = start_of(wall);
    if (wall.type == "plane") {
        return {
            fmt::format("{{ plane = {{ point = {}, normal = {} }} }}", toml_vector(start), toml_vector(wall.orient)),
            geometry::make_plane(start, wall.orient)};
    }
    if (wall.type == "triangle") {
        return triangle(wall, start);
    }
    if (wall.type == "rectangle") {
        return rectangle(wall, start);
    }
    if (wall.type == "disk") {
        return disk(wall, start);
    }
    if (wall.type == "cylinder-infinite") {
        return endless_cylinder(wall, start);
    }
    return wall.type == "cylinder-finite" ? finite_cylinder(wall, start) : shell(wall, start);
}

}  // namespace talus::scene
