#!/usr/bin/env python3
"""The tumbler of HSDEM Sect. 3.2: the slope of its surface against the Froude number.

tumbler.py sweep OUT [--froude 0.001 ...]   runs scenes/tumbler.toml for each Froude number
tumbler.py plot  OUT [-o FILE]              tells and draws what `sweep` left in OUT, also of runs that are not done yet
tumbler.py slow  OUT                        slow drums from below and from above, impacts elastic below several speeds
tumbler.py flat  OUT [-o FILE]              tells and draws what `slow` left in OUT
tumbler.py soft  OUT                        the same drums of soft grains with Coulomb's friction
tumbler.py table OUT                        tells what `soft` left in OUT

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
TILT_FROUDE = 0.05  # at which slow drums are tilted to begin with

# Froude number, elastic below (mm/s), tilted by (degrees), drum (mm), s of turning; half an hour of one core each at
# 2 mm/s, ten minutes at 6.32, five at 20
SLOW = [(0.001, 2, 6, 15, 0.4), (0.001, 2, 14, 15, 0.4), (0.01, 2, 10, 15, 0.3),
        (0.001, 6.32, 10, 15, 0.6), (0.001, 6.32, 24, 15, 0.4), (0.003, 6.32, 12, 15, 0.4), (0.01, 6.32, 12, 15, 0.4),
        (0.001, 20, 10, 15, 1.0), (0.001, 20, 24, 15, 1.0), (0.003, 20, 12, 15, 0.6), (0.01, 20, 14, 15, 0.6),
        (0.01, 20, 28, 15, 0.5), (0.03, 20, 14, 15, 0.4), (0.001, 63.2, 8, 15, 1.0), (0.01, 63.2, 10, 15, 0.6)]


def duration(froude):
    """s of turning: slow drums must turn far enough for the grains to flow."""
    return 1.0 if froude < 0.03 or froude >= 1 else 0.6


# Froude number, tilted by (degrees), drum (mm), s of turning; two to fifteen minutes of one core each
SOFT = [(0.001, 20, 15, 1.5), (0.003, 20, 15, 1.0), (0.01, 20, 15, 1.0), (0.05, 20, 15, 0.6), (0.1, 20, 15, 0.6),
        (0.001, 24, 30, 1.5), (0.01, 24, 30, 1.0), (0.1, 24, 30, 0.6)]
SOFT_CONTACTS = """[[contacts]]
between = ["glass", "*"]
law = "hooke"
kn = "300 N/m"
kt = "2/7 kn"
restitution = 0.64
tangential_restitution = -0.01
slip_memory = 1
friction = { static = 0.5 }
[[contacts]]
between = ["glass", "pane"]
law = "hooke"
kn = "300 N/m"
kt = 0
restitution = 1
friction = { static = 0 }
[time]
step = "5 us"

"""


def spin(froude, radius=RADIUS):
    """Motion of a drum."""
    return f'[ {{ spin = {{ rate = "{math.sqrt(froude * GRAVITY / radius):.4g} rad/s" }} }} ]'


def sweep(options):
    for froude in options.froude:
        run(options.talus, "tumbler.toml", options.out / f"{froude:g}",
            {"stages.tumble.do.0.motion": spin(froude),
             "stages.tumble.until.duration": f'"{duration(froude)} s"'}, 1)


def slow(options):
    for froude, elastic, tilt, drum, time in SLOW:
        radius = drum / 1000
        tilting = math.radians(tilt) / math.sqrt(TILT_FROUDE * GRAVITY / radius)
        settings = {"impacts.elastic_below": f'"{elastic} mm/s"', "output.series": '"5 ms"', "output.frames": 0,
                    "stages.tilt.do.0.motion": spin(TILT_FROUDE, radius),
                    "stages.tilt.until.duration": f'"{tilting:.4g} s"',
                    "stages.tumble.do.0.motion": spin(froude, radius),
                    "stages.tumble.until.duration": f'"{time} s"'}
        if elastic < 20:  # the bed is tilted anyway
            settings |= {"stages.refill.until.duration": '"0.07 s"', "stages.settle.until.duration": '"0.05 s"'}
        if radius != RADIUS:
            settings |= smaller(radius)
        run(options.talus, "tumbler.toml", options.out / f"{froude:g}_{elastic:g}_{tilt:g}_{drum:g}", settings, 1)


def soft(options):
    """Contacts that last, with friction that does not depend on how fast they slide."""
    text = (HOME / "scenes" / "tumbler.toml").read_text(encoding="utf-8")
    text = text.replace('engine = "hard"\nflight = "ballistic"\n', 'engine = "soft"\n')
    text = text[:text.index("[[contacts]]")] + SOFT_CONTACTS + text[text.index("[[walls]]"):]
    text = text.replace('[impacts]\nelastic_below = "2 cm/s"\n', "")
    options.out.mkdir(parents=True, exist_ok=True)
    scene = (options.out / "soft.toml").resolve()
    scene.write_text(text, encoding="utf-8")
    for froude, tilt, drum, time in SOFT:
        radius = drum / 1000
        tilting = math.radians(tilt) / math.sqrt(TILT_FROUDE * GRAVITY / radius)
        settings = {"output.series": '"5 ms"', "output.frames": 0,
                    "stages.tilt.do.0.motion": spin(TILT_FROUDE, radius),
                    "stages.tilt.until.duration": f'"{tilting:.4g} s"',
                    "stages.tumble.do.0.motion": spin(froude, radius),
                    "stages.tumble.until.duration": f'"{time} s"'}
        run(options.talus, scene, options.out / f"{froude:g}_{tilt:g}_{drum:g}",
            settings | (smaller(radius) if radius != RADIUS else {}), 1)


def tell_soft(options):
    rows = sorted(([float(part) for part in path.name.split("_")], steady(table(path / "series.csv")))
                  for path in options.out.iterdir() if (path / "series.csv").exists())
    print("| drum, mm | Fr | slope, degrees | spread | s of turning |")
    print("| --- | --- | --- | --- | --- |")
    for (froude, _, drum), of in sorted(rows, key=lambda row: (row[0][2], row[0][0])):
        print(f"| {drum:g} | {froude:g} | {of['angle']:.1f} ± {of['error']:.1f} | {of['spread']:.1f} | "
              f"{of['turned']:.2f} |")


def smaller(radius):
    """Settings of a narrower drum of the same length, with the same grains."""
    scale = radius / RADIUS
    mm = 1000 * radius
    return {"walls.barrel.shape.cylinder.radius": f'"{mm + 1.06:.4g} mm"',
            "walls.barrel.motion": f'[ {{ spin = {{ rate = "{120 / math.sqrt(scale):.4g} rpm" }} }} ]',
            "fill.0.cylinder.radius": f'"{mm:.4g} mm"', "fill.0.count": round(2500 * scale ** 2),
            "stages.refill.do.1.fill.cylinder.radius": f'"{mm - 1:.4g} mm"',
            "stages.refill.do.1.fill.above.z": f'"{-8 * scale:.4g} mm"',
            "stages.refill.do.1.fill.count": round(4013 * scale ** 2)}


def steady(series):
    """Slope (degrees) with its error by blocks and the spread of samples, how straight (diameters), part of the rim
    that is covered, seconds of turning."""
    turning = np.isfinite(series["surface_slope.angle"])
    time = series["time"][turning]
    chosen = time >= time[-1] - LAST_PART * (time[-1] - time[0])
    angle = np.abs(series["surface_slope.angle"][turning][chosen])
    blocks = np.array([block.mean() for block in np.array_split(angle, BLOCKS)])
    return {"first": np.abs(series["surface_slope.angle"][turning][:5]).mean(), "angle": angle.mean(),
            "error": blocks.std(ddof=1) / math.sqrt(BLOCKS), "spread": angle.std(),
            "straight": series["surface_slope.residual"][turning][chosen].mean(),
            "rim": series["surface_slope.rim"][turning][chosen].mean(), "turned": time[-1] - time[0]}


def flat(options):
    rows = sorted(([float(part) for part in path.name.split("_")], steady(table(path / "series.csv")))
                  for path in options.out.iterdir() if (path / "series.csv").exists())
    print("| Fr | elastic below, mm/s | slope at first | at last, degrees | turned by, degrees | s |")
    print("| --- | --- | --- | --- | --- | --- |")
    figure, axes = plt.subplots(figsize=(5.5, 3.8), layout="constrained")
    colours = dict(zip(sorted({row[0][0] for row in rows}), plt.cm.tab10.colors))
    for (froude, elastic, _, drum), of in rows:
        turned = math.degrees(math.sqrt(froude * GRAVITY * 1000 / drum)) * of["turned"]
        print(f"| {froude:g} | {elastic:g} | {of['first']:.0f} | {of['angle']:.1f} ± {of['error']:.1f} | "
              f"{turned:.0f} | {of['turned']:.2f} |")
        axes.errorbar(elastic * (1.2 + 0.1 * math.log10(froude)), of["angle"], of["error"], capsize=2, ms=5,
                      fmt="v" if of["first"] > of["angle"] else "^", color=colours[froude])
    for froude, colour in colours.items():
        axes.plot([], [], "s", color=colour, label=f"Fr = {froude:g}")
    axes.plot([], [], "k^", label="from below")
    axes.plot([], [], "kv", label="from above")
    axes.set(xscale="log", xlabel="impacts are elastic below (mm/s)", ylabel="slope of the surface (degrees)",
             xticks=[2, 6.3, 20, 63], xticklabels=["2", "6.3", "20", "63"])
    axes.minorticks_off()
    axes.legend(fontsize=8)
    figure.savefig(options.picture or options.out / "slow.png", dpi=110, metadata={"Software": None})


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
    parser.add_argument("task", choices=["sweep", "plot", "slow", "flat", "soft", "table"])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("-o", "--picture", type=pathlib.Path)
    parser.add_argument("--froude", type=float, nargs="+", default=FROUDE)
    parser.add_argument("--talus", default=HOME / "build" / "talus")
    options = parser.parse_args()
    {"sweep": sweep, "plot": plot, "slow": slow, "flat": flat, "soft": soft, "table": tell_soft}[options.task](options)


if __name__ == "__main__":
    main()
