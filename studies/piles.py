#!/usr/bin/env python3
"""Piles of eight-sphere cubes (SOLVER Sects. 3 and 4): models, friction, jamming, steps by tolerance, cost by size.

piles.py models   OUT   Fig. 5: 397 grains under the three models of contact
piles.py friction OUT   Figs. 6 and 9: 1575 grains with growing friction, and the funnel that jams
piles.py steps    OUT   Tables 4 and 5: steps of RKF45 and RK23 by tolerance
piles.py sizes    OUT   Table 6: seconds a frame for 536 to 8036 grains; keep the machine quiet
piles.py plot     OUT [-o FOLDER]   tells and draws what the others left in OUT

Runs that are there already are not repeated. All but `sizes` take minutes.
"""
import argparse
import json
import pathlib
import time

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, result, run, table

GRAINS = 397
REACH = 3.732  # m, of a cube
MODELS = {"basic": {"law": '"solver_basic"', "k_t": 1e4},
          "static": {"law": '"solver_static"', "k_t": 1e8},
          "damped": {"law": '"solver_damped"', "k_t": 0.01}}
FRICTION = [0.0, 0.05, 0.1, 0.25, 0.5, 1.0]
TOLERANCES = [0.1, 0.05, 0.01, 0.005, 0.001]
METHODS = ["rkf45", "rk23"]
SIZES = {536: (300, 2.4), 1051: (400, 5.28), 2071: (600, 13.2), 4096: (1500, 28.8), 8036: (2500, 58.2)}
PAPER_STEPS = {("rkf45", 0.1): (1509, 15, 0.016540), ("rkf45", 0.05): (1458, 22, 0.017118),
               ("rkf45", 0.01): (1709, 77, 0.014604), ("rkf45", 0.005): (2000, 140, 0.012479),
               ("rkf45", 0.001): (3412, 298, 0.007315), ("rk23", 0.1): (2445, 81, 0.010208),
               ("rk23", 0.05): (3537, 164, 0.007056), ("rk23", 0.01): (9493, 1660, 0.002629),
               ("rk23", 0.005): (15706, 3008, 0.001589), ("rk23", 0.001): (169908, 10, 0.000147)}


def sized(grains):
    """Settings that make the scene larger: all lengths but those of the grains grow with their number."""
    by = (grains / GRAINS) ** (1 / 3)
    return {"fill.0.count": grains,
            "walls.cone.shape.cylinder.radius_from": 17 * by, "walls.cone.shape.cylinder.radius_to": 32 * by,
            "walls.cone.shape.cylinder.from": f"[0, 0, {28 * by}]", "walls.cone.shape.cylinder.to": f"[0, 0, {48 * by}]",
            "walls.barrel.shape.cylinder.radius": 32 * by,
            "walls.barrel.shape.cylinder.from": f"[0, 0, {48 * by}]",
            "walls.barrel.shape.cylinder.to": f"[0, 0, {200 * by}]"}


def rubbing(model, mu):
    """Settings of the contact between grains."""
    values = MODELS[model] | {"mu_s": mu, "mu_r": mu / 2000}
    return {f"contacts.0.{key}": value for key, value in values.items()}


def start(options, name, settings):
    run(options.talus, "pile.toml", options.out / name, settings, options.threads)


def models(options):
    for model in MODELS:
        start(options, f"model_{model}", rubbing(model, 0.5) | {"time.end": 60})


def friction(options):
    for mu in FRICTION:
        start(options, f"friction_{mu:g}", sized(1575) | rubbing("damped", mu) | {"time.end": 60})
    # A narrow outlet, through which smooth grains flow.
    for name, mu, wall in [("smooth", 0.0, 0), ("rough", 1.0, 1)]:
        settings = sized(1575) | rubbing("damped", mu) | {"time.end": 60, "walls.cone.shape.cylinder.radius_from": 16}
        rough = {"mu_q": wall, "k_q": wall * 1e6, "mu_tau": wall * 0.0005, "k_s": wall, "k_tau": wall}
        start(options, f"funnel_{name}", settings | {f"contacts.2.{key}": value for key, value in rough.items()}
              | {"contacts.2.t_q": 0.1})


def steps(options):
    for method in METHODS:
        for tolerance in TOLERANCES:
            start(options, f"steps_{method}_{tolerance:g}",
                  {"integration.method": f'"{method}"', "integration.tolerance": tolerance})


def sizes(options):
    for grains, (frames, _) in SIZES.items():
        out = options.out / f"size_{grains}"
        if result(out) is not None:
            continue
        began = time.monotonic()
        start(options, out.name, sized(grains) | {"time.end": frames / 24, "output.frames": 0})
        (out / "seconds.json").write_text(json.dumps((time.monotonic() - began) / frames), encoding="utf-8")


def last_frame(out):
    with h5py.File(sorted((out / "frames").glob("*.h5"))[-1]) as frame:
        return frame["particles/position"][:]


def shape_of(out):
    """Height of the pile (m), and the radius (m) within which half of the grains lie; grains in the funnel apart."""
    at = last_frame(out)
    series = table(out / "series.csv")
    distance = np.hypot(at[:, 0], at[:, 1])
    return {"height": np.percentile(at[:, 2], 99) + REACH, "half": np.median(distance),
            "moving": series["energy.translational"][-1], "at": at}


def tell(options):
    rows = []
    for model in MODELS:
        out = options.out / f"model_{model}"
        if result(out) is not None:
            pile = shape_of(out)
            rows.append(f"| {model} | {pile['height']:.1f} | {pile['half']:.1f} |")
    if rows:
        print("| model | height, m | half of the grains within, m |\n| --- | --- | --- |", *rows, sep="\n")
    rows = []
    for mu in FRICTION:
        out = options.out / f"friction_{mu:g}"
        if result(out) is not None:
            pile = shape_of(out)
            rows.append(f"| {mu:g} | {pile['height']:.1f} | {pile['half']:.1f} |")
    if rows:
        print("| mu_s | height, m | half of the grains within, m |\n| --- | --- | --- |", *rows, sep="\n")
    for name in ["smooth", "rough"]:
        out = options.out / f"funnel_{name}"
        if result(out) is not None:
            outlet = 28 * (1575 / GRAINS) ** (1 / 3)
            print(f"narrow funnel, {name}: {np.count_nonzero(last_frame(out)[:, 2] > outlet)} of 1575 grains left in it")
    rows = []
    for (method, tolerance), (accepted, rejected, mean) in PAPER_STEPS.items():
        out = options.out / f"steps_{method}_{tolerance:g}"
        if result(out) is not None:
            series = table(out / "series.csv")
            taken, refused = series["steps.accepted"][-1], series["steps.rejected"][-1]
            rows.append(f"| {method} | {tolerance:g} | {taken:.0f} | {refused:.0f} | {1e3 * series['time'][-1] / taken:.2f}"
                        f" | {accepted} | {rejected} | {1e3 * mean:.2f} |")
    if rows:
        print("| method | tolerance | accepted | rejected | mean step, ms | paper: accepted | rejected | mean, ms |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |", *rows, sep="\n")
    rows = []
    for grains, (frames, paper) in SIZES.items():
        file = options.out / f"size_{grains}" / "seconds.json"
        if file.exists():
            seconds = json.loads(file.read_text(encoding="utf-8"))
            rows.append(f"| {grains} | {frames} | {1e3 * seconds:.1f} | {paper} | {paper / seconds:.0f} |")
    if rows:
        print("| grains | frames | ms a frame | paper, s | ratio |\n| --- | --- | --- | --- | --- |", *rows, sep="\n")


def draw(options):
    folder = options.picture or options.out
    piles = [(model, shape_of(options.out / f"model_{model}")) for model in MODELS
             if result(options.out / f"model_{model}") is not None]
    heights = [(mu, shape_of(options.out / f"friction_{mu:g}")) for mu in FRICTION
               if result(options.out / f"friction_{mu:g}") is not None]
    if not piles and not heights:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for model, pile in piles:
        distance = np.hypot(pile["at"][:, 0], pile["at"][:, 1])
        edges = np.arange(0, 72, 4)
        top = [pile["at"][(distance >= low) & (distance < low + 4), 2] for low in edges]
        axes[0].plot(edges + 2, [z.max() + REACH / 2 if len(z) else 0 for z in top], "o-", ms=3, label=model)
    axes[0].set(xlabel="distance from the middle (m)", ylabel="highest grain (m)", title="397 grains, three models")
    axes[0].legend(fontsize=8)
    axes[1].plot([mu for mu, _ in heights], [pile["height"] for _, pile in heights], "o-", ms=4, label="height")
    axes[1].plot([mu for mu, _ in heights], [pile["half"] for _, pile in heights], "s-", ms=4,
                 label="half of the grains within")
    axes[1].set(xlabel="friction between grains", ylabel="m", title="1575 grains", ylim=(0, None))
    axes[1].legend(fontsize=8)
    figure.savefig(folder / "piles.png", dpi=110, metadata={"Software": None})


def plot(options):
    tell(options)
    draw(options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["models", "friction", "steps", "sizes", "plot"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path, help="folder of the picture")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    {"models": models, "friction": friction, "steps": steps, "sizes": sizes, "plot": plot}[options.task](options)


if __name__ == "__main__":
    main()
