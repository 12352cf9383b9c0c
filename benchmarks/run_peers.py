#!/usr/bin/env python3
"""Runs other codes on the bench cases, from the very grains Talus starts with, and checks that the physics agrees.

usage: run_peers.py [--talus PROGRAM] [--particles N] [--steps S] [--rounds R] [--folder FOLDER] [CASE...]

Peers that are not installed are left out. Cases are bed and chute. Prints ns per particle-step on one core and on two.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

DECKS = pathlib.Path(__file__).resolve().parent / "peers"
ROOT = DECKS.parent.parent
CORES = min(2, os.cpu_count())
RELAX = 200  # steps from the common start, for every code: contact histories come back
WARM = 200  # further steps before timing, as `talus bench` has them
# How far another code may lie from Talus: coordination and height relative to Talus, energy as a ratio. The bed is at
# rest but for a breathing mode, whose tiny energy depends on the phase; the flow's energy is that of the flow.
TOLERANCE = {"bed": {"coordination": 0.02, "top": 0.005, "kinetic_energy": 1.6},
             "chute": {"coordination": 0.1, "top": 0.05, "kinetic_energy": 1.03}}


@dataclasses.dataclass
class Sample:
    """One timed run of one code; the state is that after the timed steps."""
    ns_per_particle_step: float
    coordination: float
    kinetic_energy: float  # J, of translation
    top: float  # m, the highest centre
    rebuilds: int


@dataclasses.dataclass
class Start:
    """The grains that all codes begin with."""
    case: str
    grains: int
    data: pathlib.Path


class PeerError(RuntimeError):
    pass


def run(command, folder, **settings):
    """What a command prints; settings go into its environment."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       **{key: str(value) for key, value in settings.items()})
    result = subprocess.run([str(word) for word in command], cwd=folder, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-20:])
        raise PeerError(f"{' '.join(map(str, command))}\nended with {result.returncode}:\n{tail}")
    return result.stdout


def on_cores(cores):
    return [] if cores == 1 else ["mpirun", "-np", cores, "--bind-to", "core"]


def timed_loop(text, steps):
    """Wall time (s) and list builds of the timed loop, the second of three, as LAMMPS and its kin print them."""
    loops = re.findall(r"^Loop time of (\S+) on \d+ procs for (\d+) steps", text, re.M)
    builds = re.findall(r"^Neighbor list builds = (\d+)", text, re.M)
    if len(loops) < 2 or len(builds) < 2 or int(loops[1][1]) != steps:
        raise PeerError(f"no second loop of {steps} steps in:\n{text[-2000:]}")
    return float(loops[1][0]), int(builds[1])


class Lammps:
    name = "LAMMPS"
    program = "lmp"
    ending = "lammps"
    cases = ("bed", "chute")
    skins = {"bed": (0.0003, 0.0005, 0.001), "chute": (0.0005, 0.001, 0.002, 0.003)}  # m
    once = False  # whether one sample must do

    def __init__(self):
        self.best_skin = {}

    def installed(self):
        return shutil.which(self.program) is not None

    def version(self):
        text = subprocess.run([self.program, "-h"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False).stdout
        match = re.search(r"Simulator - (.+)", text)
        return f"{self.name} {match[1].strip()}" if match else self.name

    def tune(self, start, steps, folder):
        """Finds the skin that is fastest on one core; the first size of a case decides."""
        if start.case not in self.best_skin:
            self.best_skin[start.case] = min(self.skins[start.case], key=lambda skin: self.sample(
                start, 1, steps, folder, skin).ns_per_particle_step)

    def skin(self, case):
        return self.best_skin.get(case) or self.skins[case][1]

    def sample(self, start, cores, steps, folder, skin=None):
        variables = {"decks": DECKS, "case": start.case, "data": start.data, "relax": RELAX + WARM, "steps": steps,
                     "skin": skin or self.skin(start.case)}
        command = [self.program, "-in", DECKS / f"run.{self.ending}", "-log", "none"]
        for key, value in variables.items():
            command += ["-var", key, value]
        return self.read(run(on_cores(cores) + command, folder), start.grains, steps)

    def read(self, text, grains, steps):
        state = re.search(r"^STATE ke (\S+) coordination (\S+) top (\S+)", text, re.M)
        if not state:
            raise PeerError(f"no state in:\n{text[-2000:]}")
        energy, coordination, top = (float(word) for word in state.groups())
        seconds, builds = timed_loop(text, steps)
        return Sample(seconds * 1e9 / (grains * steps), coordination, energy, top, builds)

    def setting(self, case):
        return f"skin {1e3 * self.skin(case):g} mm"


class Liggghts(Lammps):
    name = "LIGGGHTS"
    program = "liggghts"
    ending = "liggghts"
    cases = ("bed",)

    def version(self):
        packages = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "liggghts"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        return f"{self.name} {packages}".strip()

    def read(self, text, grains, steps):
        state = re.search(r"^ *Step +KinEng +contacts +top *\n *\d+ +(\S+) +(\S+) +(\S+)", text, re.M)
        if not state:
            raise PeerError(f"no state in:\n{text[-2000:]}")
        energy, contacts, top = (float(word) for word in state.groups())
        seconds, builds = timed_loop(text, steps)
        return Sample(seconds * 1e9 / (grains * steps), contacts / grains, energy, top, builds)


class Yade:
    """An order slower than the others, so it gets one short run."""
    name = "YADE"
    program = "yade"
    cases = ("bed",)
    once = True

    def installed(self):
        return shutil.which(self.program) is not None

    def version(self):
        text = subprocess.run([self.program, "--version"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False).stdout
        match = re.search(r"\d{4}\.\d\d\w*", text)
        return f"{self.name} {match[0]}" if match else self.name

    def tune(self, start, steps, folder):
        pass

    def sample(self, start, cores, steps, folder):
        timed = min(steps, 100)
        text = run([self.program, f"-j{cores}", "-n", "-x", DECKS / f"{start.case}_yade.py"], folder,
                   BENCH_DATA=start.data, BENCH_RELAX=RELAX + WARM + steps - timed, BENCH_STEPS=timed)
        return self.read(text, start.grains, timed)

    def read(self, text, grains, steps):
        state = re.search(r"^STATE seconds (\S+) ke (\S+) coordination (\S+) top (\S+)", text, re.M)
        if not state:
            raise PeerError(f"no state in:\n{text[-2000:]}")
        seconds, energy, coordination, top = (float(word) for word in state.groups())
        return Sample(seconds * 1e9 / (grains * steps), coordination, energy, top, 0)

    def setting(self, case):
        return "verletDist 1 mm"


def installed_peers():
    return [peer for peer in (Lammps(), Liggghts(), Yade()) if peer.installed()]


class Talus:
    """Our own program, from the state that it relaxed itself."""
    name = "Talus"

    def __init__(self, program, folder):
        self.program = pathlib.Path(program).resolve()
        self.folder = folder

    def bench(self, case, particles, *more):
        command = [self.program, "bench", case, "--particles", particles, *more]
        environment = dict(os.environ, GOMP_SPINCOUNT="20000")
        result = subprocess.run([str(word) for word in command], env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False)
        if result.returncode != 0:
            raise PeerError(f"{' '.join(map(str, command))}\nended with {result.returncode}:\n{result.stderr}")
        return result.stdout

    def measure(self, case, particles, threads, steps, *more):
        """The JSON object of one run with one repeat."""
        return json.loads(self.bench(case, particles, "--threads", threads, "--steps", steps, "--repeats", 1, "--relax",
                                     RELAX, "--cache", self.folder / "relaxed", "--json", *more))

    def start(self, case, particles, threads):
        """Gets a case ready, for later runs too, and writes its grains for the other codes."""
        data = self.folder / f"{case}_{particles}.data"
        run = self.measure(case, particles, threads, 1, "--write-data", data)
        return Start(case, run["particles"], data)


def disagreements(case, ours, sample):
    """What of the physics is not as in Talus, in words."""
    allowed = TOLERANCE[case]
    found = []
    for key in ("coordination", "top"):
        there, here = getattr(sample, key), ours[key]
        if abs(there - here) > allowed[key] * abs(here):
            found.append(f"{key} {there:.4g} and not {here:.4g}")
    ratio = sample.kinetic_energy / ours["kinetic_energy"]
    if max(ratio, 1 / ratio) > allowed["kinetic_energy"]:
        found.append(f"kinetic energy {sample.kinetic_energy:.4g} J and not {ours['kinetic_energy']:.4g} J")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--talus", default=ROOT / "build" / "talus")
    parser.add_argument("--particles", type=int, default=32000)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "bench")
    parser.add_argument("cases", nargs="*", default=["bed", "chute"])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    talus = Talus(options.talus, options.folder)
    agreed = True
    for case in options.cases:
        start = talus.start(case, options.particles, CORES)
        ours = talus.measure(case, options.particles, 1, options.steps)
        print(f"{case}: {ours['particles']} grains; Talus {ours['ns_per_particle_step']:.1f} ns", flush=True)
        for peer in installed_peers():
            if case not in peer.cases:
                continue
            for cores in range(1, CORES + 1):
                samples = [peer.sample(start, cores, options.steps, options.folder)
                           for _ in range(1 if peer.once else options.rounds)]
                median = statistics.median(sample.ns_per_particle_step for sample in samples)
                faults = disagreements(case, ours, samples[-1])
                agreed = agreed and not faults
                print(f"  {peer.version()}, {cores} core{'s' * (cores > 1)}, {peer.setting(case)}: {median:.1f} ns"
                      f"{': differs: ' + ', '.join(faults) if faults else ''}", flush=True)
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
