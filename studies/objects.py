#!/usr/bin/env python3
"""Cubes of eight spheres among walls that go, move and turn, and pushed by objects (SOLVER Sects. 3.3, 3.4, Appendix A).

objects.py collapse OUT   Fig. 7: a heap from which walls are taken away
objects.py overturn OUT   Fig. 8: a tray that turns over
objects.py plough   OUT   Figs. 12 and 13: an object pushed through a pile, under two models of contact
objects.py trace    OUT   Fig. 14: a shape traced in sand
objects.py plot     OUT [-o FOLDER]   tells and draws what the others left in OUT

Runs that are there already are not repeated. Each takes some minutes on two cores.
"""
import argparse
import pathlib

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from runs import HOME, result, run, table

REACH = 3.732  # m, of a cube
SIDE = 6.0  # m, of a cube
REMOVED, DRAWN = 25.0, 54.1667  # s, when the slanted wall goes and the right one begins to move
TURNED = 8.3333  # s, when the tray turns
MODELS = {"damped": {}, "basic": {"contacts.0.law": '"solver_basic"', "contacts.0.k_t": 1e4}}
EIGHT = [(0, 0), (80, 80), (160, 0), (80, -80), (0, 0), (-80, 80), (-160, 0), (-80, -80), (0, 0)]  # m, way of the stylus
STYLUS = 9.0  # m, its radius


def start(options, scene, name, settings=None):
    run(options.talus, f"{scene}.toml", options.out / name, settings or {}, options.threads)


def collapse(options):
    start(options, "collapse", "collapse")


def overturn(options):
    start(options, "overturn", "overturn")


def plough(options):
    for model, settings in MODELS.items():
        start(options, "plough", f"plough_{model}", settings)


def trace(options):
    start(options, "trace", "trace")


def grains_at(out, time):
    """Time (s), positions (m) and velocities (m/s) of the grains in the stored frame nearest to a time."""
    files = sorted((out / "frames").glob("*.h5"))
    times = []
    for file in files:
        with h5py.File(file) as frame:
            times.append(frame.attrs["time"])
    nearest = int(np.argmin(np.abs(np.array(times) - time)))
    with h5py.File(files[nearest]) as frame:
        return times[nearest], frame["particles/position"][:], frame["particles/velocity"][:]


def ways(out, begin, end):
    """m, how far each grain goes between two times, and where it is at the first."""
    _, from_, _ = grains_at(out, begin)
    _, to, _ = grains_at(out, end)
    return from_, np.linalg.norm(to - from_, axis=1)


def fracture(at, way):
    """Where grains stand on the left and move on the right: x (m) by height (m), and its angle (degrees)."""
    heights, places = [], []
    for low in np.arange(0, 72, SIDE):
        layer = (at[:, 2] >= low) & (at[:, 2] < low + SIDE)
        edges = np.arange(-150, 110, SIDE)
        goes = [np.median(way[layer & (at[:, 0] >= x) & (at[:, 0] < x + SIDE)]) if
                np.any(layer & (at[:, 0] >= x) & (at[:, 0] < x + SIDE)) else np.nan for x in edges]
        still = [x for x, far in zip(edges, goes) if far < SIDE / 4]
        if still and np.nanmax(goes) > SIDE:
            heights.append(low + SIDE / 2)
            places.append(max(still) + SIDE)
    slope = np.polyfit(heights, places, 1)[0] if len(heights) > 2 else np.nan
    return np.array(places), np.array(heights), np.degrees(np.arctan2(-1, slope)) % 180


def surface(at, keep, cell):
    """Top of the grains (m) over the cells of a square grid, cells that hold none at zero."""
    edges = [np.arange(low, high + cell, cell) for low, high in keep]
    column = [np.digitize(at[:, axis], edges[axis]) - 1 for axis in range(2)]
    top = np.zeros((len(edges[0]) - 1, len(edges[1]) - 1))
    inside = np.all([(c >= 0) & (c < n) for c, n in zip(column, top.shape)], axis=0)
    np.maximum.at(top, (column[0][inside], column[1][inside]), at[inside, 2] + SIDE / 2)
    return edges, top


def tell_collapse(options):
    out = options.out / "collapse"
    series = table(out / "series.csv")
    energy = series["energy.translational"]
    with h5py.File(sorted((out / "frames").glob("*.h5"))[0]) as frame:
        weight = frame["particles/mass"][:].sum() * 9.80665 * REACH  # J, of all grains lifted by their reach

    def moving(time):
        return energy[np.argmin(np.abs(series["time"] - time))]

    print("collapse: kinetic energy (J) by frame:",
          ", ".join(f"{frame} {moving(frame / 24):.1e}" for frame in [100, 300, 600, 650, 1000, 1290, 1500, 2000]),
          f"(lifting all grains by their reach: {weight:.1e})")
    for name, begin, end in [("at rest", 300 / 24, 600 / 24), ("avalanche", REMOVED, DRAWN), ("collapse", DRAWN, 2000 / 24)]:
        at, way = ways(out, begin, end)
        print(f"  {name}: {np.mean(way < SIDE / 4):.3f} of the grains go less than a quarter of their side,"
              f" {np.mean(way > 2 * SIDE):.3f} more than two")
    for time in [DRAWN + 4, DRAWN + 8]:
        at, way = ways(out, time, time + 4)
        _, heights, angle = fracture(at, way)
        print(f"  {time - DRAWN:.0f} to {time - DRAWN + 4:.0f} s after the right wall began to move:"
              f" {np.mean(way < SIDE / 40):.3f} go less than 0.15 m, {np.mean(way > SIDE / 4):.3f} more than 1.5 m;"
              f" the boundary rises by {angle:.0f} degrees over {len(heights)} layers")


def tell_overturn(options):
    out = options.out / "overturn"
    _, at, _ = grains_at(out, TURNED)
    print(f"overturn: {np.count_nonzero(at[:, 2] < 150)} of {len(at)} grains have left the tray before it turns")
    series = table(out / "series.csv")
    energy = series["energy.translational"] + series["energy.rotational"]
    peak = int(np.argmax(energy))
    print(f"  kinetic energy when it turns {energy[np.argmin(np.abs(series['time'] - TURNED))]:.2e} J,"
          f" at most {energy[peak]:.2e} J at {series['time'][peak]:.1f} s")
    for part in [10, 100, 1000, 1e4, 1e5]:
        below = np.flatnonzero(energy[peak:] < energy[peak] / part)
        if len(below):
            print(f"  below 1/{part:g} of that {series['time'][peak + below[0]] - series['time'][peak]:.1f} s later")
    _, at, _ = grains_at(out, 1e9)
    _, top = surface(at, [(-200, 200), (-200, 200)], 2 * SIDE)
    covered = top[top > 0]
    print(f"  terrain: {covered.mean():.1f} m high on average, +- {covered.std():.1f} m, at most {covered.max():.1f} m;"
          f" {np.mean(top > SIDE * 1.5):.2f} of 400 m x 400 m lies deeper than one grain")


def across(out):
    """Top of the grains by distance from the way of the plough: m, averaged over the length of the pile."""
    _, at, _ = grains_at(out, 1e9)
    edges, top = surface(at, [(-48, 48), (-120, 120)], SIDE)
    return edges[1][:-1] + SIDE / 2, top.mean(axis=0)


def tell_plough(options):
    for model in MODELS:
        out = options.out / f"plough_{model}"
        if result(out) is None:
            continue
        _, before, _ = grains_at(out, 30)
        y, top = across(out)
        sides = [(y < -14), (y > 14)]
        _, after, velocity = grains_at(out, 1e9)
        print(f"plough, {model}: pile {np.percentile(before[:, 2], 99) + REACH:.1f} m high before; after, across the way:"
              f" {top[np.abs(y) < 10].mean():.1f} m in the middle,"
              f" {top[sides[0]].max():.1f} and {top[sides[1]].max():.1f} m on the sides;"
              f" centres {after[:, 2].mean():.2f} m high on average,"
              f" {np.mean(np.linalg.norm(velocity, axis=1) > 0.1):.3f} of them faster than 10 cm/s")


def off_the_way(x, y):
    """m, distance from the way of the stylus."""
    nearest = np.full(np.shape(x), np.inf)
    for (ax, ay), (bx, by) in zip(EIGHT, EIGHT[1:]):
        along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
        nearest = np.minimum(nearest, np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)))
    return nearest


def traced(out, time):
    edges, top = surface(grains_at(out, time)[1], [(-240, 240), (-160, 160)], SIDE)
    x, y = np.meshgrid(edges[0][:-1] + SIDE / 2, edges[1][:-1] + SIDE / 2, indexing="ij")
    return edges, top, off_the_way(x, y), (np.abs(x) < 190) & (np.abs(y) < 110)


def tell_trace(options):
    out = options.out / "trace"
    for name, time in [("before", 12), ("after", 1e9)]:
        _, top, distance, within = traced(out, time)
        print(f"trace, {name}: sand {top[within & (distance < STYLUS)].mean():.1f} m high on the way,"
              f" {top[within & (distance > 3 * STYLUS)].mean():.1f} m away from it;"
              f" bare floor on {np.mean(top[within & (distance < STYLUS)] == 0):.2f} of the way")


TELL = {"collapse": tell_collapse, "overturn": tell_overturn, "plough_damped": tell_plough, "trace": tell_trace}


def draw(options):
    folder = options.picture or options.out
    figure, axes = plt.subplots(2, 2, figsize=(9.5, 6.6), layout="constrained")
    at, way = ways(options.out / "collapse", DRAWN + 8, DRAWN + 12)
    dots = axes[0, 0].scatter(at[:, 0], at[:, 2], c=np.clip(way, 0.05, 20), s=3, norm="log", cmap="viridis")
    places, heights, _ = fracture(at, way)
    axes[0, 0].plot(places, heights, "r-", lw=1.5)
    axes[0, 0].set(xlabel="x (m)", ylabel="z (m)", aspect="equal", title="collapse: way in 4 s (m)")
    figure.colorbar(dots, ax=axes[0, 0], shrink=0.6)
    series = table(options.out / "overturn" / "series.csv")
    axes[0, 1].semilogy(series["time"], series["energy.translational"] + series["energy.rotational"])
    axes[0, 1].axvline(TURNED, color="0.6", lw=1)
    axes[0, 1].set(xlabel="time (s)", ylabel="kinetic energy (J)", title="overturn")
    for model in MODELS:
        if result(options.out / f"plough_{model}") is not None:
            axes[1, 0].plot(*across(options.out / f"plough_{model}"), "o-", ms=3, label=model)
    axes[1, 0].set(xlabel="across the way of the plough (m)", ylabel="top of the grains (m)", title="plough", ylim=(0, None))
    axes[1, 0].legend(fontsize=8)
    edges, top, _, _ = traced(options.out / "trace", 1e9)
    shade = axes[1, 1].pcolormesh(edges[0], edges[1], top.T, cmap="cividis")
    axes[1, 1].plot(*zip(*EIGHT), "w:", lw=0.8)
    axes[1, 1].set(xlabel="x (m)", ylabel="y (m)", aspect="equal", title="trace: top of the sand (m)")
    figure.colorbar(shade, ax=axes[1, 1], shrink=0.6)
    figure.savefig(folder / "objects.png", dpi=110, metadata={"Software": None})


def plot(options):
    done = [name for name in TELL if result(options.out / name) is not None]
    for name in done:
        TELL[name](options)
    if len(done) == len(TELL):
        draw(options)


def main():
    tasks = {"collapse": collapse, "overturn": overturn, "plough": plough, "trace": trace, "plot": plot}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=tasks)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path, help="folder of the picture")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    tasks[options.task](options)


if __name__ == "__main__":
    main()
