#!/usr/bin/env python3
"""Ten grains in a cavity (POLY Sect. 8): how the energy error shrinks with the step and comes back after collisions.

cavity.py OUT [-o FOLDER]   runs scenes/cavity.toml with the step divided four times and draws POLY's Fig. 2
"""
import argparse
import pathlib
import subprocess

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, table

HALVINGS = 4
STEP = 1e-6  # s, of the scene
FALL = 0.020  # m, about how far grains fall before they meet the wall
ENERGY = 0.006552 * 2040 * 9.80665 * FALL  # J, what the fall makes of it: the unit of the picture


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path, help="folder of the picture")
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    curves = options.out / "curves.csv"
    told = subprocess.run([options.talus, "measure", "order", HOME / "scenes" / "cavity.toml", "--halvings",
                           str(HALVINGS), "--samples", "400", "-o", curves], check=True, capture_output=True, text=True)
    print(told.stdout, end="")
    columns = table(curves)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    time = 1e3 * columns["time"]
    for k in range(HALVINGS + 1):
        step = STEP / 2**k
        error = columns[f"energy error at {step:g} s"]
        left.plot(time, error / ENERGY * (STEP / step) ** 2, lw=0.8, label=f"{1e6 * step:g} us")
        if k < HALVINGS:
            apart = columns[f"distance {step:g} s to {step / 2:g} s"]
            right.plot(time, np.maximum(apart, 1e-18), lw=0.8, label=f"{1e6 * step:g} us")
    left.set(xlabel="time (ms)", ylabel="energy error / energy of the fall\ntimes (1 us / step)²")
    left.legend(fontsize=7)
    right.set(xlabel="time (ms)", ylabel="distance to the run with half the step (m)", yscale="log", ylim=(1e-14, 1e-1))
    right.legend(fontsize=7)
    figure.savefig((options.picture or options.out) / "cavity.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
