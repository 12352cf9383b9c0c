#!/usr/bin/env python3
"""The Couette cell of AHS: a sweep of packing fractions, and of time steps; tables and plots.

couette.py sweep  OUT [--fractions 0.70 ...] [--step S] [--end S]   runs scenes/couette.toml for each fraction
                      [--full]                                     at the paper's step of 10 us
couette.py steps  OUT [--fractions 0.71 0.81] [--steps S ...]       the same for each step, windows of 50 s
                      [--again K]                                  once more, speeds a millionth larger at first
couette.py soft   OUT [--fractions 0.81] [--stiffness KN ...]       the same cell with soft grains
                      [--friction plain|sticking|forgetful]        see SOFT below
couette.py decay  OUT                                              decay lengths of what `steps` and `soft` left
couette.py plot   OUT [-o FILE]                                     draws what `sweep` left in OUT
couette.py errors OUT [-o FILE]                                     draws what `steps` and `soft` left in OUT

Runs that are there already are not repeated, so a study can be stopped and gone on with.
"""
import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, end_of, manifest, result, run, table

FRACTIONS = [0.70, 0.72, 0.74, 0.76, 0.77, 0.78, 0.79, 0.80, 0.81, 0.82, 0.83, 0.84, 0.86, 0.88]
STEPS = [5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5]
STIFFNESS = [6e4, 6e5, 6e6, 6e7]
HOOKE = 'between = ["disc", "disc"], law = "hooke", kt = "1/3 kn", restitution = 0.9, friction = { static = 0.5 }'
SOFT = {  # how soft contacts slide and stick
    "plain": ', slip_memory = 1.0, tangential_restitution = -0.01',  # Coulomb's limit; stuck contacts end without slip
    "sticking": ', slip_memory = 1.0',  # Coulomb's limit; stuck contacts swing back
    "forgetful": '',  # SSDEM's default: a spring that slips is let go, and slides with less than Coulomb's limit
}


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
            run(options.talus, "couette.toml", options.out / f"{fraction:.2f}_{step:g}{again(options)}",
                in_windows(fraction, options) | {"time.step": f'"{step} s"'}, options.threads)


def soft(options):
    for fraction in options.fractions or [0.81]:
        for kn in options.stiffness:
            contact = f"{{ {HOOKE}, kn = {kn:g}{SOFT[options.friction]} }}"
            run(options.talus, "couette.toml",
                options.out / f"{fraction:.2f}_{options.friction}_{kn:g}{again(options)}",
                in_windows(fraction, options) | {"engine": "soft", "time.step": "auto", "contacts.0": contact},
                options.threads)


def again(options):
    return f"_again{options.again}" if options.again else ""


def in_windows(fraction, options):
    """Settings of a cell measured in windows. Run again, it has the same pack, and other chaos."""
    return {"fill.0.pack.fraction": fraction, "time.end": f'"{options.end} s"',
            "measure": windows(options.end, options.window),
            "fill.0.velocity_spread": f"{1 + 1e-6 * options.again:.7f}"}


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


def profiles(path, column="angular_velocity_moved"):
    """Profiles of a run's windows, without a last one that the run did not reach the end of."""
    files = [file for k in range(1, 100) if (file := path / f"w{k}.csv").exists()]
    tables = [table(file) for file in files]
    return [t[column] for t in tables if t["samples"].max() > 0.9 * tables[0]["samples"].max()]


def fitted_decay(r, w, low, high):
    """Length in mean diameters (2 m) over which a line through the logarithm falls by e between two radii."""
    chosen = (r > low) & (r < high) & (w > 0)
    return -0.5 / np.polyfit(r[chosen], np.log(w[chosen]), 1)[0]


def decay(options):
    """The cell's whole width is what AHS Fig. 4 shows; the shear band above the transition is a few diameters."""
    print("| run | windows | decay over the whole cell, diameters | first half of it | first 3 diameters |")
    print("| --- | --- | --- | --- | --- |")
    for path in sorted(path for path in options.out.iterdir() if (path / "w1.csv").exists()):
        r = table(path / "w1.csv")["r"]
        shapes = profiles(path)
        for name, part in (("first half", shapes[:len(shapes) // 2]), ("second half", shapes[len(shapes) // 2:])):
            if part:
                told = [with_error([fitted_decay(r, w, 30, high) for w in part]) for high in (90, 60, 36)]
                print(f"| {path.name} | {name} | " + " | ".join(told) + " |")


def with_error(values):
    error = f" ± {np.std(values, ddof=1) / np.sqrt(len(values)):.2f}" if len(values) > 1 else ""
    return f"{np.mean(values):.2f}{error}"


def errors(options):
    """Root mean square differences of velocity profiles from that of the smallest step, by window."""
    runs = {}
    for path in options.out.iterdir():
        fraction, name = path.name.split("_", 1)
        if shapes := profiles(path):
            runs.setdefault(float(fraction), {})[name] = (shapes, path)
    figure, axes = plt.subplots(len(runs), 2, figsize=(10, 4 * len(runs)), layout="constrained", squeeze=False)
    off = lambda a, b: float(np.sqrt(np.nanmean((a - b) ** 2)))
    for (left, right), (fraction, by_name) in zip(axes, sorted(runs.items())):
        step_of = {name: float(name.split("_")[0]) for name in by_name if name[0].isdigit()}
        least = min(step_of, key=step_of.get)
        reference = by_name[least][0]
        floor = [off(a, b) for k, a in enumerate(reference) for b in reference[k + 1:]]
        for name in by_name:
            if "_again" in name:
                floor += [off(a, b) for a, b in zip(by_name[name][0], by_name[name.split("_again")[0]][0])]
        print(f"packing {fraction}: against a step of {least} s; windows of that run, and runs made again, differ by "
              f"{min(floor):.4f} to {max(floor):.4f} rad/s, median {np.median(floor):.4f}")
        print("| run | windows, rad/s | all of them | proxy stress, N m | s a simulated second | threads | "
              "largest overlap ever, radii |")
        print("|" + " --- |" * 7)
        order = sorted(by_name, key=lambda name: (name not in step_of, step_of.get(name, 0), name))
        for name in order:
            shapes, path = by_name[name]
            common = min(len(shapes), len(reference), 3)
            values = [off(a, b) for a, b in zip(shapes, reference)]
            whole = off(np.mean(shapes[:common], axis=0), np.mean(reference[:common], axis=0))
            stress = [np.nansum(a * n) / np.nansum(n) for a, n in zip(profiles(path, "proxy_stress"),
                                                                       profiles(path, "grains"))]
            told = manifest(path)
            print(f"| {name} | " + " ".join(f"{v:.4f}" for v in values) + f" | {whole:.4f} | "
                  + " ".join(f"{v:.0f}" for v in stress)
                  + f" | {told['timings']['total'] / told['time']:.2f} | {told['threads']} | "
                  f"{told['result']['overlap.largest']['value']:.2g} |")
            if name in step_of and name != least:
                left.loglog([step_of[name]] * len(values), values, "o", color="tab:blue", ms=4)
            if "_again" not in name and (name in (least, "0.001") or name not in step_of):
                right.semilogy(30.5 + np.arange(60), np.mean(shapes[:common], axis=0), lw=1,
                               ls="-" if name in step_of else "--",
                               label=f"step {name} s" if name in step_of else name.replace("_", ", kn "))
        left.axhspan(min(floor), max(floor), color="0.85", label="windows of the reference, runs made again")
        left.set(title=f"packing {fraction}", xlabel="time step (s)", ylabel="error of the profile (rad/s)")
        right.set(xlabel="radius (m)", ylabel="angular velocity (rad/s)", ylim=(1e-4, 0.4), xlim=(30, 70))
        left.legend(fontsize=8)
        right.legend(fontsize=8)
    figure.savefig(options.picture or options.out / "steps.png", dpi=110, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["sweep", "steps", "soft", "plot", "errors", "decay"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path)
    parser.add_argument("--fractions", type=float, nargs="+")
    parser.add_argument("--step", type=float, default=1e-4)
    parser.add_argument("--full", action="store_true", help="the paper's step of 1e-5 s: about an hour of a core a run")
    parser.add_argument("--steps", type=float, nargs="+", default=STEPS)
    parser.add_argument("--stiffness", type=float, nargs="+", default=STIFFNESS)
    parser.add_argument("--friction", choices=SOFT, default="plain")
    parser.add_argument("--again", type=int, default=0)
    parser.add_argument("--end", type=float, default=100)
    parser.add_argument("--window", type=float, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    if options.full:
        options.step = 1e-5
    if options.task == "sweep" and options.fractions is None:
        options.fractions = FRACTIONS
    tasks = {"sweep": sweep, "steps": steps, "soft": soft, "plot": plot, "errors": errors, "decay": decay}
    tasks[options.task](options)


if __name__ == "__main__":
    main()
