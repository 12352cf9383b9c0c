#!/usr/bin/env python3
"""Draws docs/images/hopper_sim2.png from a run of scenes/hopper_sim2.toml and prints the discharge rate over windows.

usage: hopper_sim2.py RUN [-o FILE]
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

PAPER_RATE = 13.57  # kg/s, SSDEM Table 1, Sim. 2


def read(run):
    with open(run / "series.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    number = lambda text: float(text) if text else float("nan")
    return {name: np.array([number(row[name]) for row in rows]) for name in rows[0]}


def rates(time, mass, width):
    """Mean rate in windows of `width` seconds."""
    starts = np.arange(time[0], time[-1] - width + 1e-9, width)
    at = np.interp(np.append(starts, starts[-1] + width), time, mass)
    return starts + width / 2, np.diff(at) / width


def slice_of(axes, frame):
    with h5py.File(frame) as file:
        x, radius = np.array(file["particles/position"]), np.array(file["particles/radius"])
        speed = np.linalg.norm(np.array(file["particles/velocity"]), axis=1)
        time = float(file.attrs["time"])
    cut = np.abs(x[:, 1]) < radius
    width = 2 * np.sqrt(radius[cut] ** 2 - x[cut, 1] ** 2)
    axes.add_collection(EllipseCollection(width, width, 0 * width, units="xy", offsets=x[cut][:, [0, 2]],
                                          offset_transform=axes.transData, array=speed[cut], cmap="viridis",
                                          linewidths=0.1, edgecolors="black", clim=(0, 2)))
    axes.plot([-0.25, -0.25], [0, 0.85], [0.25, 0.25], [0, 0.85], color="0.3")
    axes.plot([-0.25, -0.1], [0, 0], [0.1, 0.25], [0, 0], color="0.3")
    axes.set(aspect="equal", xlim=(-0.3, 0.3), ylim=(-0.3, 0.9), title=f"t = {time:.2f} s", xlabel="x (m)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("-o", "--out", type=pathlib.Path, default=pathlib.Path("docs/images/hopper_sim2.png"))
    options = parser.parse_args()
    series = read(options.run)
    flowing = np.isfinite(series["discharge.mass"])
    time, mass = series["time"][flowing], series["discharge.mass"][flowing]
    opened = time[0]
    for middle, rate in zip(*rates(time - opened, mass, 0.25)):
        print(f"{middle - 0.125:5.2f} to {middle + 0.125:5.2f} s after opening: {rate:6.2f} kg/s")
    result = json.loads((options.run / "manifest.json").read_text())["result"]
    for key in sorted(result):
        if key.startswith("discharge"):
            print(key, result[key])

    figure = plt.figure(figsize=(10, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 4, width_ratios=[1, 1, 1, 2.6])
    frames = sorted((options.run / "frames").glob("[0-9]*.h5"))
    times = []
    for frame in frames:
        with h5py.File(frame) as file:
            times.append(float(file.attrs["time"]))
    for column, after in enumerate([0.0, 0.8, 2.2]):
        axes = figure.add_subplot(grid[:, column])
        slice_of(axes, frames[int(np.argmin(np.abs(np.array(times) - opened - after)))])
        if column == 0:
            axes.set_ylabel("z (m)")
        else:
            axes.set_yticklabels([])
    axes = figure.add_subplot(grid[0, 3])
    axes.plot(*rates(time - opened, mass, 0.05), color="tab:blue", lw=0.8, label="Talus, per 50 ms")
    axes.axhline(PAPER_RATE, color="tab:red", ls="--", label="SSDEM Sim. 2")
    axes.set(ylabel="discharge (kg/s)", ylim=(0, 18), xlim=(0, None))
    axes.legend(loc="lower right")
    axes = figure.add_subplot(grid[1, 3])
    axes.plot(time - opened, mass, color="tab:blue")
    axes.set(xlabel="time after opening (s)", ylabel="mass out (kg)", xlim=(0, None))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(options.out, dpi=110, metadata={"Software": None})
    print(f"picture: {options.out}")


if __name__ == "__main__":
    main()
