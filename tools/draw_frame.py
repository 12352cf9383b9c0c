#!/usr/bin/env python3
"""Draws grains of one frame of a run: a slice through the middle, coloured by speed, with the walls it cuts, or all of
them seen from the front. A plane run is drawn as it is: discs to scale in x and y.

usage: draw_frame.py RUN_OR_FRAME [-o FILE] [--frame N | --part P] [--at Y | --front]
       (writes RUN/picture.png; the last frame by default, --part 0.5 is the one half way through)
"""
import argparse
import pathlib
import sys

try:
    import h5py
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection, LineCollection
except ImportError as missing:
    sys.exit(f"draw_frame.py needs Debian's python3-h5py and python3-matplotlib ({missing})")


def choose_frame(path, number, part):
    if path.is_file():
        return path
    frames = sorted((path / "frames").glob("[0-9]*.h5"))
    if not frames:
        sys.exit(f"no frames in {path}")
    if part is not None:
        number = round(part * (len(frames) - 1))
    if not -len(frames) <= number < len(frames):
        sys.exit(f"{path} has frames 0 to {len(frames) - 1}, not {number}")
    return frames[number]


def outline(kind, a, b, c):
    """Closed or open lines of a wall in its own frame, enough to see where a slice cuts it."""
    angle = np.linspace(0, 2 * np.pi, 721)
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    shift = np.array([0, 0, c / 2])
    if kind == "tube":
        return [np.stack([a * p - shift, b * p + shift]) for p in circle]
    if kind == "disk":
        return [np.stack([a * p, b * p]) for p in circle]
    if kind == "rectangle":
        return [np.array([[x, 0, 0], [x, b, 0]]) for x in np.linspace(0, a, 201)]
    if kind == "sphere":
        turn = np.linspace(0, np.pi, 181)
        return [a * np.array([[np.sin(t) * p[0], np.sin(t) * p[1], np.cos(t)] for p in circle]) for t in turn]
    return []


def cut_walls(file, at, reach):
    """Pieces of walls within `reach` of the plane y = at, as segments in x and z."""
    pieces = []
    walls = file["walls"]
    parameters = np.array([walls["a"], walls["b"], walls["c"]]).T
    for n, kind in enumerate(walls["kind"].asstr()[:] if len(walls["kind"]) else []):
        if not walls["present"][n]:
            continue
        rotation = np.array(walls["rotation"][n]).reshape(3, 3)
        for line in outline(kind, *parameters[n]):
            world = line @ rotation.T + walls["position"][n]
            for p, q in zip(world[:-1], world[1:]):
                if abs(p[1] - at) < reach and abs(q[1] - at) < reach:
                    pieces.append([(p[0], p[2]), (q[0], q[2])])
    return pieces


def flat_walls(file, low, high):
    """Walls of a plane run as lines in x and y; endless ones reach across the picture."""
    angle = np.linspace(0, 2 * np.pi, 361)
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    reach = np.linalg.norm(high - low) + np.abs([low, high]).max()
    lines = []
    walls = file["walls"]
    for n, kind in enumerate(walls["kind"].asstr()[:] if len(walls["kind"]) else []):
        if not walls["present"][n]:
            continue
        a, b, c = walls["a"][n], walls["b"][n], walls["c"][n]
        rotation = np.array(walls["rotation"][n]).reshape(3, 3)
        upright = abs(rotation[2, 2]) > 0.5  # its own axis is z
        cross = np.array([[1.0, 0, 0], [-1.0, 0, 0]])  # in the plane, across an axis that lies in it
        along = np.array([0, 0, 1.0])
        if kind in ("sphere", "ring") or (kind == "cylinder" and upright):
            parts = [a * circle] if kind != "ring" or upright else [a * p + np.outer([0, 0], along) for p in cross]
        elif kind == "cylinder":
            parts = [a * p + np.outer([-reach, reach], along) for p in cross]
        elif kind == "line" and not upright:
            parts = [np.outer([-reach, reach], along)]
        elif kind == "tube":
            parts = [np.stack([a * p - c / 2 * along, b * p + c / 2 * along]) for p in cross]
        elif kind == "disk":
            parts = [np.stack([a * p, b * p]) for p in cross]
        elif kind == "plane":
            parts = [np.array([[-reach, 0, 0], [reach, 0, 0]])]
        elif kind == "rectangle":  # stands on its first edge
            parts = [np.array([[0, 0, 0], [0, b, 0]])]
        else:
            continue
        for part in parts:
            world = part @ rotation.T + walls["position"][n]
            lines.append(world[:, :2])
    return lines


def draw_plane(file, x, radius, speed):
    low, high = (x[:, :2] - radius[:, None]).min(axis=0), (x[:, :2] + radius[:, None]).max(axis=0)
    width, height = high - low
    figure, axes = plt.subplots(figsize=(8, min(12, max(4, 7 * height / width + 1))), layout="constrained")
    grains = EllipseCollection(2 * radius, 2 * radius, np.zeros(len(x)), units="xy", offsets=x[:, :2],
                               offset_transform=axes.transData, array=speed, cmap="viridis", linewidths=0.2,
                               edgecolors="black")
    axes.add_collection(grains)
    axes.add_collection(LineCollection(flat_walls(file, low, high), colors="0.35", linewidths=1.5), autolim=False)
    axes.set_aspect("equal")
    margin = 0.05 * max(width, height)
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), xlabel="x (m)",
             ylabel="y (m)", title=f"{file.attrs['title']}\nt = {float(file.attrs['time']):.3f} s")
    figure.colorbar(grains, label="speed (m/s)", shrink=0.6)
    return figure


def draw_slice(file, x, radius, speed, at):
    segments = cut_walls(file, at, 0.6 * radius.mean())
    time, title = float(file.attrs["time"]), file.attrs["title"]
    cut = np.abs(x[:, 1] - at) < radius
    width = 2 * np.sqrt(radius[cut] ** 2 - (x[cut, 1] - at) ** 2)
    figure, axes = plt.subplots(figsize=(6, 8), layout="constrained")
    grains = EllipseCollection(width, width, np.zeros(len(width)), units="xy", offsets=x[cut][:, [0, 2]],
                               offset_transform=axes.transData, array=speed[cut], cmap="viridis", linewidths=0.2,
                               edgecolors="black")
    axes.add_collection(grains)
    axes.add_collection(LineCollection(segments, colors="0.35", linewidths=1.5))
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.margins(0.05)
    axes.set(xlabel="x (m)", ylabel="z (m)", title=f"{title}\nslice at y = {at:.3g} m, t = {time:.3f} s")
    figure.colorbar(grains, label="speed (m/s)", shrink=0.6)
    return figure


def draw_front(file, x, radius, speed):
    """All grains as seen against the y axis, far ones first and darker."""
    order = np.argsort(-x[:, 1])
    x, radius, speed = x[order], radius[order], speed[order]
    scale = plt.Normalize(0, max(speed.max(), 1e-9))
    colours = plt.get_cmap("viridis")(scale(speed))
    depth = np.linspace(0.35, 1, len(x)) if len(x) > 1 else np.ones(1)
    rims = colours.copy()
    colours[:, :3] = (0.35 + 0.65 * colours[:, :3]) * depth[:, None]
    rims[:, :3] = colours[:, :3] * 0.8
    figure, axes = plt.subplots(figsize=(9, 6), layout="constrained")
    axes.add_collection(EllipseCollection(2 * radius, 2 * radius, np.zeros(len(x)), units="xy", offsets=x[:, [0, 2]],
                                          offset_transform=axes.transData, facecolors=colours, edgecolors=rims,
                                          linewidths=0.3))
    axes.set_aspect("equal")
    low, high = (x - radius[:, None]).min(axis=0), (x + radius[:, None]).max(axis=0)
    margin = 0.03 * (high - low).max()
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[2] - margin, high[2] + margin), xlabel="x (m)", ylabel="z (m)", title=f"{file.attrs['title']}\nt = {float(file.attrs['time']):.3f} s")
    figure.colorbar(plt.cm.ScalarMappable(scale, "viridis"), ax=axes, label="speed (m/s)", shrink=0.6)
    return figure


def rows(file):
    """Places, radii and speeds of all spheres: of the grains, or of what they are made of."""
    speed = np.linalg.norm(np.array(file["particles/velocity"]), axis=1)
    if "spheres" not in file:
        return np.array(file["particles/position"]), np.array(file["particles/radius"]), speed
    grain = np.searchsorted(np.array(file["particles/id"]), np.array(file["spheres/grain"]))
    return np.array(file["spheres/position"]), np.array(file["spheres/radius"]), speed[grain]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("-o", "--out", type=pathlib.Path)
    parser.add_argument("--frame", type=int, default=-1)
    parser.add_argument("--part", type=float)
    parser.add_argument("--at", type=float, help="y of the slice in m; through the middle by default")
    parser.add_argument("--front", action="store_true", help="all grains seen from the front")
    options = parser.parse_args()
    path = choose_frame(options.source, options.frame, options.part)
    with h5py.File(path) as file:
        x, radius, speed = rows(file)
        if len(x) == 0:
            sys.exit(f"{path} holds no grains")
        if file.attrs.get("dimensions", 3) == 2:
            figure = draw_plane(file, x, radius, speed)
        elif options.front:
            figure = draw_front(file, x, radius, speed)
        else:
            at = options.at if options.at is not None else float(np.median(x[:, 1]))
            figure = draw_slice(file, x, radius, speed, at)
    folder = options.source if options.source.is_dir() else path.parent
    out = options.out or folder / "picture.png"
    figure.savefig(out, dpi=120, metadata={"Software": None})
    print(f"picture: {out}")


if __name__ == "__main__":
    main()
