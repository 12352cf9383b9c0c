#!/usr/bin/env python3
"""How long a picture takes: `talus render` of many spheres in a glass box, processor and wall seconds.

usage: render_time.py [--program build/talus ...] [--source DIR] [--grains N] [--size WxH] [--threads N] [--rounds N]

With several programs these take turns, so that two versions are compared side by side; go by processor time where
other work shares the machine. Without --source a bed of N spheres is made first, which the first program runs for a
step. Reading the frame, building the tree, labels and PNG are included.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

SCENE = """title = "bed"
[time]
step = "10 us"
end = "10 us"
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 2500
[materials.glass]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 1e5
restitution = 0.7
[[walls]]
name = "floor"
shape = {{ plane = {{}} }}
material = "glass"
[[walls]]
name = "pane"
shape = {{ rectangle = {{ corner = [0, 0, 0], edge1 = [{width}, 0, 0], edge2 = [0, 0, {width}] }} }}
material = "glass"
opacity = 0.2
[[fill]]
material = "grain"
radius = "5 mm"
lattice = {{ packing = "cubic" }}
count = {grains}
box = {{ low = [0, 0, 0], high = [{width}, {width}, {height}] }}
"""


def make_bed(program, grains, folder):
    """The folder of a run with a first frame of that many spheres."""
    side = 0.01 * (round(grains ** (1 / 3)) + 2)
    scene = pathlib.Path(folder) / "bed.toml"
    scene.write_text(SCENE.format(grains=grains, width=side, height=2 * side), encoding="utf-8")
    out = pathlib.Path(folder) / "bed"
    subprocess.run([program, "run", str(scene), "--out", str(out), "--quiet"], check=True)
    return out


def measure(program, source, options, target):
    """Processor and wall seconds of one picture."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([program, "render", str(source), "--frame", "0", "--size", options.size, "--threads",
                    str(options.threads), "-o", str(target)], check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", nargs="+", default=["build/talus"])
    parser.add_argument("--source", type=pathlib.Path, help="a run folder, instead of the bed")
    parser.add_argument("--grains", type=int, default=100_000)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = options.source or make_bed(options.program[0], options.grains, folder)
        times = {program: [] for program in options.program}
        for _ in range(options.rounds):
            for program, its in times.items():
                its.append(measure(program, source, options, pathlib.Path(folder) / "picture.png"))
    for program, its in times.items():
        processor, wall = (statistics.median(column) for column in zip(*its))
        print(f"{program}: {processor:.2f} s of processor time, {wall:.2f} s by the clock "
              f"({options.threads} threads, median of {options.rounds})")


if __name__ == "__main__":
    main()
