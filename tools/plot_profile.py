#!/usr/bin/env python3
"""Draws the table of a profile: curves with error bars along one coordinate, maps over two.

usage: plot_profile.py TABLE.csv [QUANTITY ...] [--at y=0.1] [-o FILE]      (writes TABLE.png)
"""
import argparse
import pathlib
import sys

import numpy
import plot_file

USUAL = ("speed", "angular_velocity", "packing")


def read_table(path):
    """(coordinates in order, {column: values}, {column: unit}); coordinates stand first, before volume and samples."""
    table = numpy.genfromtxt(path, delimiter=",", names=True, deletechars="", replace_space=" ", ndmin=1,
                             encoding="utf-8")
    values, units = {}, {}
    for head in table.dtype.names:
        name, _, unit = head.partition(" [")
        values[name], units[name] = table[head], unit.rstrip("]")
    names = list(values)
    if "samples" not in names or not any(name in names for name in ("volume", "low")):
        raise ValueError("not the table of a profile: it needs columns \"samples\" and \"volume\" or \"low\"")
    before = names[:names.index("samples")]
    return [name for name in before if name not in ("low", "high", "volume")], values, units


def usual_quantities(values):
    """What is drawn if nobody says what."""
    found = [name for name in USUAL if name in values]
    if not found:
        raise ValueError(f"has none of {', '.join(USUAL)}; say what to draw")
    return found


class Grid:
    """The table as an array with one axis a coordinate, cut down to the coordinates with more than one bin."""

    def __init__(self, coordinates, values, at):
        self.values = values
        self.axes = {name: numpy.unique(values[name]) for name in coordinates}
        self.shape = [len(places) for places in self.axes.values()]
        self.cut = [slice(None) if count > 1 else 0 for count in self.shape]
        free = [name for name in coordinates if len(self.axes[name]) > 1]
        if len(free) > 2 and not at:
            at = {"y": self.axes["y"][len(self.axes["y"]) // 2]}
        for name, place in at.items():
            if name not in self.axes:
                raise ValueError(f"there is no coordinate {name!r}, only {', '.join(self.axes)}")
            self.cut[coordinates.index(name)] = int(numpy.argmin(abs(self.axes[name] - place)))
        self.free = [name for name, cut in zip(coordinates, self.cut) if isinstance(cut, slice)]
        self.where = ", ".join(f"{name} = {self.axes[name][self.cut[coordinates.index(name)]]:.4g} m" for name in at)

    def of(self, name):
        if name not in self.values:
            known = [column for column in self.values if column + "_error" in self.values]
            raise ValueError(f"there is no quantity {name!r}, only {', '.join(known)}")
        return self.values[name].reshape(self.shape)[tuple(self.cut)]


def draw_panel(axes, grid, quantity, label):
    if len(grid.free) == 1:
        axes.errorbar(grid.axes[grid.free[0]], grid.of(quantity), yerr=grid.of(quantity + "_error"), capsize=2, lw=1)
        axes.set(xlabel=f"{grid.free[0]} (m)", ylabel=label)
        axes.grid(alpha=0.3)
        return
    across, up = grid.free
    field = axes.pcolormesh(grid.axes[across], grid.axes[up], grid.of(quantity).T, shading="nearest")
    axes.figure.colorbar(field, ax=axes, label=label)
    arrows = ["velocity_" + across, "velocity_" + up]
    if quantity == "speed" and all(name in grid.values for name in arrows):
        axes.quiver(grid.axes[across], grid.axes[up], grid.of(arrows[0]).T, grid.of(arrows[1]).T, color="white",
                    width=0.004)
    axes.set(xlabel=f"{across} (m)", ylabel=f"{up} (m)", aspect="equal")


class Profile:
    """A table ready to be drawn; ValueError if it cannot be. No quantities: the usual ones that it has."""

    def __init__(self, path, quantities=(), at=None):
        self.name = path.stem
        coordinates, values, self.units = read_table(path)
        if not any(values["samples"] > 0):
            raise ValueError("has no samples yet")
        self.quantities = list(quantities) or usual_quantities(values)
        self.grid = Grid(coordinates, values, at or {})
        if not 1 <= len(self.grid.free) <= 2:
            raise ValueError(f"{len(self.grid.free)} coordinates are left to draw along; one or two can be, see --at")
        for quantity in self.quantities:
            self.grid.of(quantity)

    def size(self):
        """Width and height in inches."""
        width = 5.0
        if len(self.grid.free) == 2:  # a map is as wide as it is, beside its colour bar
            across, up = (numpy.ptp(self.grid.axes[name]) for name in self.grid.free)
            width = min(8, 3.6 * across / up) + 1.9
        return width * len(self.quantities), 4.5

    def draw_on(self, figure):
        axes = figure.subplots(1, len(self.quantities), squeeze=False)
        for panel, quantity in zip(axes[0], self.quantities):
            unit = self.units.get(quantity)
            draw_panel(panel, self.grid, quantity, f"{quantity} ({unit})" if unit else quantity)
        figure.suptitle(self.name + (f" at {self.grid.where}" if self.grid.where else ""))


def draw(path, quantities, at, target):
    profile = Profile(path, quantities, at)
    import matplotlib
    matplotlib.use("Agg")  # no display needed
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=profile.size(), layout="constrained")
    profile.draw_on(figure)
    plot_file.save(figure, target)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("quantities", nargs="*", metavar="QUANTITY",
                        help=f"those of {', '.join(USUAL)} that there are, by default")
    parser.add_argument("--at", action="append", default=[], metavar="AXIS=M", help="cut a grid there")
    parser.add_argument("-o", "--out", type=pathlib.Path)
    options = parser.parse_args(arguments)
    target = options.out or options.table.with_suffix(".png")
    try:
        at = {name: float(place) for name, _, place in (text.partition("=") for text in options.at)}
        draw(options.table, options.quantities, at, target)
    except (OSError, ValueError) as fault:
        print(f"plot: {options.table}: {fault}", file=sys.stderr)
        return 1
    print(f"plot: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
