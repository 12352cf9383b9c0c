#!/usr/bin/env python3
"""The tumbler of HSDEM Sect. 3.2: the slope of its surface against the Froude number.

tumbler.py sweep OUT [--froude 0.001 ...]   runs scenes/tumbler.toml for each Froude number
tumbler.py plot  OUT [-o FILE]              tells and draws what `sweep` left in OUT, also of runs that are not done yet

Runs that are there already are not repeated. A run takes 10 minutes to half an hour of one core, so start several.
"""
import argparse
import math
import pathlib

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, run, table

FROUDE = [0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 1.5]
RADIUS = 0.03  # m
GRAVITY = 9.80665  # m/s2
RIM = (0.0285, 0.03)  # m, centres of grains next to those that stick
LAST_FRAMES = 4
LAST_PART = 0.4  # of the time of turning is taken for steady
BLOCKS = 4


def duration(froude):
    """s of turning: slow drums must turn far enough for the grains to flow."""
    return 1.0 if froude < 0.03 or froude >= 1 else 0.6


def sweep(options):
    for froude in options.froude:
        rate = math.sqrt(froude * GRAVITY / RADIUS)
        run(options.talus, "tumbler.toml", options.out / f"{froude:g}",
            {"stages.tumble.do.0.motion": f'[ {{ spin = {{ rate = "{rate:.4g} rad/s" }} }} ]',
             "stages.tumble.until.duration": f'"{duration(froude)} s"'}, 1)


def steady(series):
    """Slope (degrees) with its error by blocks and the spread of samples, how straight (diameters), part of the rim
    that is covered, seconds of turning."""
    turning = np.isfinite(series["surface_slope.angle"])
    time = series["time"][turning]
    chosen = time >= time[-1] - LAST_PART * (time[-1] - time[0])
    angle = np.abs(series["surface_slope.angle"][turning][chosen])
    blocks = np.array([block.mean() for block in np.array_split(angle, BLOCKS)])
    return {"angle": angle.mean(), "error": blocks.std(ddof=1) / math.sqrt(BLOCKS), "spread": angle.std(),
            "straight": series["surface_slope.residual"][turning][chosen].mean(),
            "rim": series["surface_slope.rim"][turning][chosen].mean(), "turned": time[-1] - time[0]}


def carried_over(path):
    """Free grains next to the rim that the wall has carried over its top, up to a quarter turn beyond, as a part of a
    whole layer there. The drum turns so that grains go up at negative x."""
    over = layer = 0
    for file in sorted((path / "frames").glob("*.h5"))[-LAST_FRAMES:]:
        with h5py.File(file) as frame:
            position = frame["particles/position"][:]
        distance = np.hypot(position[:, 0], position[:, 2])
        angle = np.degrees(np.arctan2(position[:, 2], position[:, 0]))[(distance > RIM[0]) & (distance < RIM[1])]
        over += np.count_nonzero((angle > 0) & (angle < 90))
        layer += np.count_nonzero((angle > -150) & (angle < -60))
    return over / layer


def plot(options):
    rows = sorted((float(path.name), steady(table(path / "series.csv")) | {"over": carried_over(path)})
                  for path in options.out.iterdir() if (path / "series.csv").exists())
    print("| Fr | slope, degrees | spread | straight to, diameters | rim covered | carried over the top | "
          "s of turning |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for froude, of in rows:
        print(f"| {froude:g} | {of['angle']:.1f} ± {of['error']:.1f} | {of['spread']:.1f} | {of['straight']:.2g} | "
              f"{100 * of['rim']:.0f} % | {100 * of['over']:.1f} % | {of['turned']:.2f} |")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
    froude = [row[0] for row in rows]
    flat = [row for row in rows if row[1]["rim"] < 0.9]
    left.errorbar([row[0] for row in flat], [row[1]["angle"] for row in flat], [row[1]["error"] for row in flat],
                  fmt="o-", ms=4, capsize=2)
    left.set(xscale="log", xlabel="Froude number", ylabel="slope of the surface (degrees)", xlim=(7e-4, 2),
             ylim=(0, 75))
    right.plot(froude, [100 * row[1]["rim"] for row in rows], "o-", ms=4, label="rim covered")
    right.plot(froude, [100 * row[1]["over"] for row in rows], "s-", ms=4, label="of a layer carried over the top")
    right.set(xscale="log", xlabel="Froude number", ylabel="%", xlim=(7e-4, 2), ylim=(-3, 104))
    right.legend(fontsize=8)
    figure.savefig(options.picture or options.out / "tumbler.png", dpi=110, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["sweep", "plot"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path)
    parser.add_argument("--froude", type=float, nargs="+", default=FROUDE)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    {"sweep": sweep, "plot": plot}[options.task](options)


if __name__ == "__main__":
    main()
