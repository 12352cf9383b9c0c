#!/usr/bin/env python3
"""Draws the time series of a run: energies, discharge, heights, slopes, counts, as far as its series.csv has them.

usage: plot_run.py OUTDIR      (writes OUTDIR/plot.png)
"""
import csv
import pathlib
import re
import sys

MOST_CURVES = 8  # a panel
# Title, unit of the axis, pattern of the columns. A discharge has the name its scene gave it: NAME.mass, NAME.rate.
PANELS = [
    ("energy", "J", r"energy\.(translational|rotational|stored\w*|potential)"),
    ("energy lost", "J", r"energy\.lost\.\w+"),
    ("discharged mass", "kg", r"(?!energy\.|wall\.).+\.mass"),
    ("discharge rate", "kg/s", r"(?!energy\.|wall\.).+\.rate"),
    ("scale height", "m", r"(?!energy\.|wall\.)[^.]+\..+\.(height|expected)"),
    ("slope of the surface", "degrees", r"(?!energy\.|wall\.).+\.angle"),
    ("mean-square displacement", "m²", r"(?!energy\.|wall\.).+\.msd"),
    ("number", "", r"grains|contacts|wall_contacts"),
    ("impacts", "", r"impacts\.\w+"),
]


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return float("nan")


def read_series(path):
    """{column: values}, in the order of the file; lines that begin with # are remarks."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if line.strip() and not line.startswith("#")))
    if not rows:
        return {}
    names = [name.strip() for name in rows[0]]
    body = [row + [""] * (len(names) - len(row)) for row in rows[1:]]
    return {name: [number(row[i]) for row in body] for i, name in enumerate(names)}


def time_column(series):
    return "time" if "time" in series else next(iter(series))


def says_something(values):
    return any(value == value and value != 0 for value in values)  # a NaN differs from itself


def choose(series):
    """[(title, unit, columns)] of the panels that have something to show; an unknown series is shown as it is."""
    shown = [name for name in series if name != time_column(series) and says_something(series[name])]
    panels = []
    for title, unit, pattern in PANELS:
        names = [name for name in shown if re.fullmatch(pattern, name)]
        if names:
            panels.append((title, unit, names[:MOST_CURVES]))
    return panels or [("series", "", shown[:MOST_CURVES])]


def draw(series, title, target):
    import matplotlib
    matplotlib.use("Agg")  # no display needed
    from matplotlib import pyplot

    time = time_column(series)
    panels = choose(series)
    figure, axes = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(9, 1 + 2.6 * len(panels)))
    for axis, (name, unit, columns) in zip(axes[:, 0], panels):
        for column in columns:
            style = "--" if column.endswith(".expected") else "-"
            axis.plot(series[time], series[column], style, label=column, linewidth=1.2)
        axis.set_ylabel(f"{name} ({unit})" if unit else name)
        axis.grid(alpha=0.3)
        if columns:
            axis.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    axes[-1, 0].set_xlabel("time (s)")
    axes[0, 0].set_title(title)
    figure.savefig(target, dpi=120, bbox_inches="tight")


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip())
        return 2
    folder = pathlib.Path(arguments[0])
    path = folder / "series.csv"
    if not path.is_file():
        print(f"plot: no {path}; nothing to draw", file=sys.stderr)
        return 1
    series = read_series(path)
    if not series or not next(iter(series.values())):
        print(f"plot: {path} has no lines yet; nothing to draw", file=sys.stderr)
        return 1
    target = folder / "plot.png"
    draw(series, folder.name, target)
    print(f"plot: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
