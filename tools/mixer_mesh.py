#!/usr/bin/env python3
"""Writes scenes/mixer.stl: a shaft with four pitched blades, about a thousand triangles, in millimetres."""

import math
import struct
import sys

SHAFT_RADIUS = 8.0
SHAFT_TOP = 120.0
SHAFT_BOTTOM = 4.0
BLADE_TIP = 74.0
BLADE_WIDTH = 26.0
BLADE_THICKNESS = 3.0
BLADE_MIDDLE = 22.0  # height
PITCH = math.radians(40)
AROUND, ALONG, OUT, ACROSS = 24, 8, 8, 3


def grid(triangles, point, n, m):
    """Two triangles for each cell of an n by m grid; point(i, j) is a corner."""
    for i in range(n):
        for j in range(m):
            a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]


def shaft():
    triangles = []

    def side(i, j):
        angle = 2 * math.pi * (i % AROUND) / AROUND
        z = SHAFT_BOTTOM + (SHAFT_TOP - SHAFT_BOTTOM) * j / ALONG
        return (SHAFT_RADIUS * math.cos(angle), SHAFT_RADIUS * math.sin(angle), z)

    grid(triangles, side, AROUND, ALONG)
    for i in range(AROUND):
        triangles.append((side(i, 0), (0.0, 0.0, SHAFT_BOTTOM), side(i + 1, 0)))
        triangles.append((side(i, ALONG), side(i + 1, ALONG), (0.0, 0.0, SHAFT_TOP)))
    return triangles


def blade(turn):
    """A box from inside the shaft to the tip, pitched about its length, turned about the shaft."""
    sizes = (BLADE_TIP - 4.0, BLADE_WIDTH, BLADE_THICKNESS)
    counts = (OUT, ACROSS, 1)
    triangles = []

    def place(u, v, w):
        x, y, z = 4.0 + sizes[0] * u, sizes[1] * (v - 0.5), sizes[2] * (w - 0.5)
        y, z = y * math.cos(PITCH) - z * math.sin(PITCH), y * math.sin(PITCH) + z * math.cos(PITCH)
        return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z + BLADE_MIDDLE)

    for axis in range(3):
        first, second = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, 1):
            def corner(i, j):
                at = [0.0, 0.0, 0.0]
                at[axis] = float(end)
                at[first] = (i if end else counts[first] - i) / counts[first]
                at[second] = j / counts[second]
                return place(*at)

            grid(triangles, corner, counts[first], counts[second])
    return triangles


def main():
    triangles = shaft()
    for k in range(4):
        triangles += blade(k * math.pi / 2)
    with open(sys.argv[1], "wb") as out:
        out.write(b"Talus mixer, millimetres".ljust(80))
        out.write(struct.pack("<I", len(triangles)))
        for triangle in triangles:
            # The same corner must be the same bits in all its triangles.
            corners = [tuple(round(c, 4) + 0.0 for c in corner) for corner in triangle]
            out.write(struct.pack("<12fH", 0, 0, 0, *corners[0], *corners[1], *corners[2], 0))
    print(len(triangles), "triangles")


if __name__ == "__main__":
    main()
