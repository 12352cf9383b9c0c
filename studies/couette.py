#!/usr/bin/env python3
"""The Couette cell of AHS: a sweep of packing fractions, and of time steps; tables and plots.

couette.py sweep  OUT [--fractions 0.70 ...] [--step S] [--end S]   runs scenes/couette.toml for each fraction
                      [--full]                                     at the paper's step of 10 us
couette.py steps  OUT [--fractions 0.71 0.81] [--steps S ...]       the same for each step, windows of 50 s
couette.py plot   OUT [-o FILE]                                     draws what `sweep` left in OUT
couette.py errors OUT [-o FILE]                                     draws what `steps` left in OUT

Runs that are there already are not repeated, so a study can be stopped and gone on with.
"""
import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, end_of, result, run, table

FRACTIONS = [0.70, 0.72, 0.74, 0.76, 0.77, 0.78, 0.79, 0.80, 0.81, 0.82, 0.83, 0.84, 0.86, 0.88]
STEPS = [5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5]


def packing(profile):
    """Fraction of the whole cell that discs cover."""
    area = profile["high"] ** 2 - profile["low"] ** 2
    return float((profile["packing"] * area).sum() / area.sum())


def decay_length(profile):
    """Length over which the angular velocity falls by e near the inner wall, in mean diameters (2 m)."""
    r, w = profile["r"], profile["angular_velocity_moved"]
    rim = w[0]
    near = (w > 0.03 * rim) & (r < 60) & np.isfinite(w)
    last = np.argmax(~near) if (~near).any() else len(near)
    if last < 3:
        return float("nan")
    slope = np.polyfit(r[:last], np.log(w[:last]), 1)[0]
    return -0.5 / slope if slope < 0 else float("inf")


def sweep(options):
    for fraction in options.fractions:
        run(options.talus, "couette.toml", options.out / f"{fraction:.3f}",
            {"fill.0.pack.fraction": fraction, "time.step": f'"{options.step} s"', "time.end": f'"{options.end} s"',
             "measure.0.radial.after": f'"{options.end / 2} s"'}, options.threads)


def steps(options):
    for fraction in options.fractions or [0.71, 0.81]:
        for step in options.steps:
            run(options.talus, "couette.toml", options.out / f"{fraction:.2f}_{step:g}",
                {"fill.0.pack.fraction": fraction, "time.step": f'"{step} s"', "time.end": f'"{options.end} s"',
                 "measure": windows(options.end, options.window)}, options.threads)


def windows(end, length):
    """Measures of one window after another, the first of which is left to the start-up."""
    entries = []
    for k in range(1, int(round(end / length))):
        entries.append(f'{{ name = "w{k}", start = "{k * length} s", interval = "0.1 s", '
                       f'radial = {{ inner = "30 m", outer = "90 m", bins = 60, until = "{(k + 1) * length} s" }} }}')
    return "[ " + ", ".join(entries) + " ]"


def plot(options):
    runs = sorted(path for path in options.out.iterdir() if (path / "radial.csv").exists())
    rows = []
    for path in runs:
        profile = table(path / "radial.csv")
        stress = result(path)["radial.proxy_stress"]
        rows.append((packing(profile), stress["value"], stress.get("error") or 0.0, decay_length(profile), profile,
                     end_of(path)))
    rows.sort(key=lambda row: row[0])
    print("| packing | proxy stress a disc, N m | decay of the angular velocity, diameters | "
          "packing 1–4 m from the inner wall | 20–50 m | "
          "angular velocity beside the outer wall, rad/s: of discs | as they move | to, s |")
    print("|" + " --- |" * 8)
    for phi, stress, error, length, profile, end in rows:
        decay = f"{length:.1f}" if length < 30 else "none"  # half of the cell's width: all turns as one
        print(f"| {phi:.3f} | {stress:.3g} ± {error:.2g} | {decay} | {profile['packing'][1:4].mean():.2f} | "
              f"{profile['packing'][20:50].mean():.2f} | {profile['angular_velocity'][-10:].mean():.1e} | "
              f"{profile['angular_velocity_moved'][-10:].mean():.1e} | {end:.0f} |")
    figure, axes = plt.subplots(2, 2, figsize=(10, 8), layout="constrained")
    colours = plt.cm.viridis(np.linspace(0, 0.95, len(rows)))
    phi = [row[0] for row in rows]
    axes[0, 0].errorbar(phi, [row[1] for row in rows], [row[2] for row in rows], fmt="o-", color="tab:blue", ms=4)
    for at, name in ((0.778, "strengthening (AHS)"), (0.838, "jamming (AHS)")):
        axes[0, 0].axvline(at, color="0.6", ls="--")
        axes[0, 0].text(at, 0.98, name, rotation=90, va="top", ha="right", color="0.4", fontsize=8,
                        transform=axes[0, 0].get_xaxis_transform())
    axes[0, 0].set(xlabel="packing fraction", ylabel="proxy stress a disc (N m)", yscale="log")
    for (value, *_, profile, _), colour in zip(rows, colours):
        axes[0, 1].semilogy(profile["r"], profile["angular_velocity_moved"], color=colour, lw=1, label=f"{value:.3f}")
        axes[1, 0].plot(profile["r"] - 30, profile["packing"], color=colour, lw=1)
    axes[0, 1].set(xlabel="radius (m)", ylabel="angular velocity (rad/s)", ylim=(1e-4, 1.5))
    axes[0, 1].legend(title="packing", fontsize=7, ncol=2)
    axes[1, 0].set(xlabel="distance from the inner wall (m)", ylabel="local packing fraction", xlim=(0, 60))
    for value, *_, profile, _ in (rows[len(rows) // 3], rows[-1]):
        line = axes[1, 1].semilogy(profile["r"], np.abs(profile["angular_velocity"]), lw=1,
                                   label=f"internal, {value:.3f}")[0]
        axes[1, 1].semilogy(profile["r"], np.abs(profile["angular_velocity_moved"]), "o", ms=3, color=line.get_color(),
                            label=f"moved, {value:.3f}")
    axes[1, 1].set(xlabel="radius (m)", ylabel="angular velocity (rad/s)")
    axes[1, 1].legend(fontsize=8)
    figure.savefig(options.picture or options.out / "couette.png", dpi=110, metadata={"Software": None})


def errors(options):
    """Root mean square difference of the velocity profiles from those of the smallest step, by window."""
    runs = {}
    for path in options.out.iterdir():
        if result(path) is None:
            continue
        fraction, step = (float(part) for part in path.name.split("_"))
        runs.setdefault(fraction, {})[step] = [table(file)["angular_velocity_moved"]
                                               for file in sorted(path.glob("w*.csv"))]
    figure, axes = plt.subplots(1, len(runs), figsize=(5 * len(runs), 4), layout="constrained", squeeze=False)
    off = lambda a, b: float(np.sqrt(np.nanmean((a - b) ** 2)))
    for panel, (fraction, by_step) in zip(axes[0], sorted(runs.items())):
        least = min(by_step)
        reference = by_step[least]
        floor = [off(a, b) for k, a in enumerate(reference) for b in reference[k + 1:]]
        print(f"packing {fraction}: against a step of {least:g} s; windows of that run differ by "
              f"{min(floor):.2g} to {max(floor):.2g} rad/s")
        for step in sorted(by_step):
            values = [off(a, b) for a, b in zip(by_step[step], reference)]
            print(f"  step {step:g} s: " + "  ".join(f"{v:.3g}" for v in values))
            if step > least:
                panel.loglog([step] * len(values), values, "o", color="tab:blue", ms=4)
        panel.axhspan(min(floor), max(floor), color="0.85", label="between windows of the reference")
        panel.set(title=f"packing {fraction}", xlabel="time step (s)", ylabel="error of the profile (rad/s)")
        panel.legend(fontsize=8)
    figure.savefig(options.picture or options.out / "steps.png", dpi=110, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["sweep", "steps", "plot", "errors"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path)
    parser.add_argument("--fractions", type=float, nargs="+")
    parser.add_argument("--step", type=float, default=1e-4)
    parser.add_argument("--full", action="store_true", help="the paper's step of 1e-5 s: about an hour of a core a run")
    parser.add_argument("--steps", type=float, nargs="+", default=STEPS)
    parser.add_argument("--end", type=float, default=100)
    parser.add_argument("--window", type=float, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    if options.full:
        options.step = 1e-5
    if options.task == "sweep" and options.fractions is None:
        options.fractions = FRACTIONS
    {"sweep": sweep, "steps": steps, "plot": plot, "errors": errors}[options.task](options)


if __name__ == "__main__":
    main()
