// Where a picture is taken from: named or numbered directions, a fit to what is to be seen, rays through pixels.
#pragma once

#include <string>
#include <vector>

#include "talus/render/world.h"

namespace talus::render {

/// Unit vectors at right angles: right x up points towards the viewer.
struct Axes {
    Vec3d right, up, forward;
};
/// Looking along `forward` with `up` as far up as it can be; base::InputError if the two are parallel.
Axes look_along(const Vec3d& forward, const Vec3d& up);
/// front, back, left, right, top, bottom, iso, quarter, or "AZIMUTH,ELEVATION" in degrees: 0,0 is front, 90,0 right.
Axes axes_named(const std::string& name);
/// Turned about the world's z axis by `angle` (rad).
Vec3d turned(const Vec3d& v, double angle);

/// The part of a picture that what is to be seen is fitted into; the rest is for labels. Pixels.
struct Window {
    double left = 0, top = 0, width = 0, height = 0;
};

struct Lens {
    double view_angle = 26;  // degrees, of the window's shorter side
    bool parallel = false;   // no perspective: the same size at any distance
};

struct Ray {
    Vec3d origin, direction;  // m; a unit vector
};

struct Camera {
    Axes axes;
    Vec3d eye;         // m
    double focus = 1;  // m, distance of the plane that is to scale
    double half = 1;   // m, half the window's shorter side in that plane
    bool parallel = false;
    Window window;
    double shift = 0;  // m, of the eye to the right while the plane in focus stays: for stereo

    /// Through the point of the picture `x` pixels from the left and `y` from the top.
    Ray ray(double x, double y) const;
    /// m, the point in the plane in focus.
    Vec3d in_focus(double x, double y) const;
    /// How many pixels a metre has in that plane.
    double pixels_per_metre() const;
};

/// A ball to be seen.
struct Dot {
    Vec3d center;
    double radius = 0;
};
std::vector<Dot> dots_of(const World& world);

/// The camera from which all dots just fit into the window.
Camera fitted(const std::vector<Dot>& dots, const Axes& axes, const Lens& lens, const Window& window);
/// The camera at `eye` that has `target` in the middle of the window, in focus.
Camera placed(const Vec3d& eye, const Vec3d& target, const Vec3d& up, const Lens& lens, const Window& window);

}  // namespace talus::render
