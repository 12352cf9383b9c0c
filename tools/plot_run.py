#!/usr/bin/env python3
"""Draws what a run measured: its time series (series.csv) and the tables of its profiles. The script of `talus plot`.

usage: plot_run.py OUTDIR [WHAT ...] [-o FILE]

WHAT is energy, losses, discharge, heights, packing, coordination, slope, displacement, numbers, impacts, a column of the series or the first
words of some (wall.floor.force), or the name of a profile. Without it all is drawn that there is of these.
FILE ends in .png, .svg or .pdf; OUTDIR/plot.png by default.
"""
import argparse
import csv
import difflib
import pathlib
import re
import sys

import plot_file

MOST_CURVES = 8  # a panel
# Title, unit of the axis, pattern of the columns. A discharge has the name its scene gave it: NAME.mass, NAME.rate.
PANELS = [
    ("energy", "J", r"energy\.(translational|rotational|stored\w*|potential)"),
    ("energy of fields", "J", r"energy\.(mutual_\w+|field_\w+)"),
    ("energy lost", "J", r"energy\.lost\.\w+"),
    ("discharged mass", "kg", r"(?!energy\.|wall\.).+\.mass"),
    ("discharge rate", "kg/s", r"(?!energy\.|wall\.).+\.rate"),
    ("scale height", "m", r"(?!energy\.|wall\.)[^.]+\..+\.(height|expected)"),
    ("height", "m", r"(?!energy\.|wall\.).+\.(p99|max)"),
    ("packing", "", r"(?!energy\.|wall\.).+\.fraction"),
    ("coordination", "contacts a grain", r"(?!energy\.|wall\.).+\.(mean|without_rattlers)"),
    ("slope of the surface", "degrees", r"(?!energy\.|wall\.).+\.angle"),
    ("mean-square displacement", "m²", r"(?!energy\.|wall\.).+\.msd"),
    ("number", "", r"grains|contacts|wall_contacts"),
    ("impacts", "", r"impacts\.\w+"),
]

# What a person asks for: titles of panels.
GROUPS = {
    "energy": ["energy", "energy of fields"],
    "losses": ["energy lost"],
    "discharge": ["discharged mass", "discharge rate"],
    "heights": ["scale height", "height"],
    "packing": ["packing"],
    "coordination": ["coordination"],
    "slope": ["slope of the surface"],
    "displacement": ["mean-square displacement"],
    "numbers": ["number"],
    "impacts": ["impacts"],
}


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


def chosen_panels(series, wanted):
    """The panels that words ask for; ValueError, with the nearest word, if one asks for nothing that is there."""
    if not wanted:
        return choose(series)
    present = choose(series)
    panels = []
    for word in wanted:
        columns = [name for name in series if name == word or name.startswith(word + ".")]
        found = [panel for panel in present if panel[0] in GROUPS.get(word, [])]
        if not found and columns:
            found = [(word, "", columns[:MOST_CURVES])]
        if not found:
            known = [group for group, titles in GROUPS.items() if any(panel[0] in titles for panel in present)]
            near = difflib.get_close_matches(word, known + list(series), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"nothing to draw as {word!r}{hint} (there are {', '.join(known + list(series))})")
        panels += found
    return panels


def draw_series(figure, series, panels, title):
    time = time_column(series)
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
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


def draw(series, panels, profiles, title, target):
    """The panels of the series above one another, and below them a row for each profile."""
    import matplotlib
    matplotlib.use("Agg")  # no display needed
    from matplotlib import pyplot

    sizes = [(9, 1 + 2.6 * len(panels))] if panels else []
    sizes += [profile.size() for profile in profiles]
    heights = [height for _, height in sizes]
    figure = pyplot.figure(figsize=(max(width for width, _ in sizes), sum(heights)), layout="constrained")
    parts = figure.subfigures(len(sizes), 1, squeeze=False, height_ratios=heights)[:, 0]
    if panels:
        draw_series(parts[0], series, panels, title)
    for part, profile in zip(parts[len(sizes) - len(profiles):], profiles):
        profile.draw_on(part)
    plot_file.save(figure, target)


def profiles_of(folder, wanted):
    """The profiles that words ask for, or all that can be drawn; and the words that are left."""
    import plot_profile

    tables = {path.stem: path for path in sorted(folder.glob("*.csv")) if path.name != "series.csv"}
    profiles = []
    for name in wanted or tables:
        try:
            if name in tables:
                profiles.append(plot_profile.Profile(tables[name]))
        except ValueError as fault:
            if wanted:  # else a table of another kind, or with too many coordinates
                raise ValueError(f"{tables[name]}: {fault}") from fault
    return profiles, [word for word in wanted if word not in tables]


def draw_run(folder, wanted, target):
    if target.suffix not in plot_file.ENDINGS:
        raise ValueError(f"{target}: a plot ends in {', '.join(plot_file.ENDINGS)}")
    if not target.parent.is_dir():
        raise ValueError(f"{target}: no such folder")
    profiles, words = profiles_of(folder, wanted)
    series, panels = {}, []
    if words or not wanted:
        path = folder / "series.csv"
        if not path.is_file():
            raise ValueError(f"no {path}; nothing to draw")
        series = read_series(path)
        if not series or not next(iter(series.values())):
            raise ValueError(f"{path} has no lines yet; nothing to draw")
        panels = chosen_panels(series, words)
    draw(series, panels, profiles, folder.resolve().name, target)


def main(arguments):
    parser = argparse.ArgumentParser(prog="talus plot", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, metavar="OUTDIR")
    parser.add_argument("wanted", nargs="*", metavar="WHAT")
    parser.add_argument("-o", "--out", type=pathlib.Path)
    options = parser.parse_args(arguments)
    target = options.out or options.folder / "plot.png"
    try:
        draw_run(options.folder, options.wanted, target)
    except ImportError as missing:
        print(f"plot: needs Debian's python3-matplotlib ({missing})", file=sys.stderr)
        return 2
    except (OSError, ValueError) as fault:
        print(f"plot: {fault}", file=sys.stderr)
        return 2
    print(f"plot: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
