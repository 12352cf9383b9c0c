#!/usr/bin/env python3
"""Reports the discharge of a hopper in windows of time, with its drift, beside SSDEM's Table 1, and draws it.

For runs of scenes/hopper_sim2.toml and scenes/hopper_sim7.toml, and any other with walls "barrel" and "floor" and a
measure "discharge".

usage: hopper.py RUN [-o FILE] [--window S] [--skip S]
"""
import argparse
import csv
import json
import pathlib

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection

# SSDEM Table 1, by radius of hopper and hole in cm: name, rate in kg/s.
PAPER = {(25, 10): ("Sim. 2", 13.57), (50, 10): ("Sim. 7", 13.10)}


def read(run):
    with open(run / "series.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    number = lambda text: float(text) if text else float("nan")
    return {name: np.array([number(row[name]) for row in rows]) for name in rows[0]}


def geometry(frame):
    """Radius and height of the barrel and radius of the hole, in m."""
    with h5py.File(frame) as file:
        names = [name.decode() if isinstance(name, bytes) else name for name in file["walls/name"][:]]
        barrel, floor = names.index("barrel"), names.index("floor")
        return file["walls/a"][barrel], file["walls/c"][barrel], file["walls/a"][floor]


def windows(time, mass, width, begin=0.0):
    """Middles of the windows of `width` seconds from `begin` on, and the mean rate in each."""
    starts = begin + width * np.arange(int((time[-1] - begin) / width + 1e-6))
    at = np.interp(np.append(starts, starts[-1] + width), time, mass)
    return starts + width / 2, np.diff(at) / width


def drift(middle, rate, width):
    """Relative change of the rate over all windows by a straight line, with its error from the scatter about it."""
    (slope, _), covariance = np.polyfit(middle, rate, 1, cov=True)
    scale = len(rate) * width / rate.mean()
    return slope * scale, np.sqrt(covariance[0, 0]) * scale


def report(time, mass, width, skip, paper):
    if time[-1] < skip + 4 * width:
        print(f"{time[-1]:.2f} s of flow: too short for four windows of {width} s after the first {skip} s")
        return
    middle, rate = windows(time, mass, width, skip)
    for m, r in zip(middle, rate):
        print(f"{m - width / 2:5.2f} to {m + width / 2:5.2f} s after opening: {r:7.3f} kg/s")
    mean, error = rate.mean(), rate.std(ddof=1) / np.sqrt(len(rate))
    print(f"mean of the windows: {mean:.3f} +- {error:.3f} kg/s")
    print("drift over them: {:.1%} +- {:.1%}".format(*drift(middle, rate, width)))
    if paper is not None:
        print(f"SSDEM {paper[0]}: {paper[1]:.2f} kg/s; this run is {mean / paper[1] - 1:+.1%} from it")


def slice_of(axes, frame, shape):
    radius, height, hole = shape
    with h5py.File(frame) as file:
        x, size = np.array(file["particles/position"]), np.array(file["particles/radius"])
        speed = np.linalg.norm(np.array(file["particles/velocity"]), axis=1)
        time = float(file.attrs["time"])
    cut = np.abs(x[:, 1]) < size
    width = 2 * np.sqrt(size[cut] ** 2 - x[cut, 1] ** 2)
    axes.add_collection(EllipseCollection(width, width, 0 * width, units="xy", offsets=x[cut][:, [0, 2]],
                                          offset_transform=axes.transData, array=speed[cut], cmap="viridis",
                                          linewidths=0.1, edgecolors="black", clim=(0, 2)))
    axes.plot([-radius, -radius], [0, height], [radius, radius], [0, height], color="0.3")
    axes.plot([-radius, -hole], [0, 0], [hole, radius], [0, 0], color="0.3")
    axes.set(aspect="equal", xlim=(-1.2 * radius, 1.2 * radius), ylim=(-2 * hole, height + hole), xlabel="x (m)",
             title=f"t = {time:.2f} s")


def draw(run, time, mass, opened, shape, paper, target):
    figure = plt.figure(figsize=(10, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 4, width_ratios=[1, 1, 1, 2.6])
    frames = sorted((run / "frames").glob("[0-9]*.h5"))
    times = []
    for frame in frames:
        with h5py.File(frame) as file:
            times.append(float(file.attrs["time"]))
    for column, after in enumerate([0.0, 0.8, 2.2]):
        axes = figure.add_subplot(grid[:, column])
        slice_of(axes, frames[int(np.argmin(np.abs(np.array(times) - opened - after)))], shape)
        if column == 0:
            axes.set_ylabel("z (m)")
        else:
            axes.set_yticklabels([])
    axes = figure.add_subplot(grid[0, 3])
    axes.plot(*windows(time, mass, 0.05), color="tab:blue", lw=0.8, label="Talus, per 50 ms")
    if paper is not None:
        axes.axhline(paper[1], color="tab:red", ls="--", label=f"SSDEM {paper[0]}")
    axes.set(ylabel="discharge (kg/s)", ylim=(0, None), xlim=(0, None))
    axes.legend(loc="lower right")
    axes = figure.add_subplot(grid[1, 3])
    axes.plot(time, mass, color="tab:blue")
    axes.set(xlabel="time after opening (s)", ylabel="mass out (kg)", xlim=(0, None))
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, dpi=110, metadata={"Software": None})
    print(f"picture: {target}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("-o", "--out", type=pathlib.Path, help="the picture; hopper.png in the run's folder by default")
    parser.add_argument("--window", type=float, default=0.25, help="length of a window, s")
    parser.add_argument("--skip", type=float, default=0.25, help="time after the opening before the first window, s")
    options = parser.parse_args()
    series = read(options.run)
    flowing = np.isfinite(series["discharge.mass"])
    if not flowing.any():
        parser.exit(1, f"{options.run}: the hole has not been opened yet\n")
    opened = series["time"][flowing][0]
    time, mass = series["time"][flowing] - opened, series["discharge.mass"][flowing]
    shape = geometry(sorted((options.run / "frames").glob("[0-9]*.h5"))[-1])
    paper = PAPER.get((round(100 * shape[0]), round(100 * shape[2])))
    report(time, mass, options.window, options.skip, paper)
    result = json.loads((options.run / "manifest.json").read_text(encoding="utf-8")).get("result") or {}
    for key in sorted(result):
        if key.startswith("discharge"):
            print(key, result[key])
    draw(options.run, time, mass, opened, shape, paper, options.out or options.run / "hopper.png")


if __name__ == "__main__":
    main()
