#!/usr/bin/env python3
"""One sitting: every bench case, interleaved with the peers that are installed, into docs/performance.md.

usage: sitting.py [--quick | --full] [--rounds R] [--build FOLDER] [--no-page]

Codes take turns (Talus, LAMMPS, LIGGGHTS, Talus, ...), so that a machine that slows down slows all of them; medians
count. The way between two cores is measured before and after every set of runs: on virtual machines it changes, and
only runs in the same mode may be compared. Raw figures are left in FOLDER/bench/results.json.
"""
import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import report
import run_peers
from run_peers import CORES

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass
class Plan:
    case: str
    particles: int
    steps: int
    peers: bool


def plans(options):
    """What is measured. Longer for fewer grains: every run takes a few seconds."""
    steps = (lambda n: 200) if options.quick else (lambda n: max(60, 64_000_000 // n))
    out = [Plan("bed", 32000, steps(32000), True)]
    if not options.quick:
        out.append(Plan("bed", 256000, steps(256000), True))
    if options.full:
        out.append(Plan("bed", 1000000, steps(1000000), False))
    out.append(Plan("chute", 32000, steps(32000) // (1 if options.quick else 2), True))
    return out + [Plan(case, particles, steps(particles) // (1 if options.quick else 2), False)
                  for case, particles in (("hopper", 32000), ("polydisperse", 32000), ("drum", 32000), ("gas", 32000),
                                          ("mixer", 20000))]


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout.strip()


def describe_machine(build):
    """Names of what was measured on and with."""
    fields = dict(line.split(":", 1) for line in output_of("env", "LC_ALL=C", "lscpu").splitlines() if ":" in line)
    fields = {key.strip(): value.strip() for key, value in fields.items()}
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)
    dirty = output_of("git", "status", "--porcelain", "--untracked-files=no")
    memory = re.search(r"MemTotal: +(\d+)", pathlib.Path("/proc/meminfo").read_text())
    return {
        "processor": fields.get("Model name", "unknown"),
        "family": f"family {fields.get('CPU family', '?')} model {fields.get('Model', '?')}",
        "virtual": fields.get("Hypervisor vendor", ""),
        "cores": os.cpu_count(),
        "caches": {level: fields.get(f"{level} cache", "?") for level in ("L1d", "L2", "L3")},
        "memory_gib": round(int(memory[1]) / 2**20, 1) if memory else 0,
        "compiler": output_of(compiler[1], "--version").splitlines()[0] if compiler else "unknown",
        "commit": output_of("git", "rev-parse", "--short=12", "HEAD") + (" with changes" if dirty else ""),
    }


def limits(build, *what):
    return json.loads(output_of(str(build / "benchmarks" / "machine_limits"), *what) or "{}")


def latency(build):
    return limits(build, "latency").get("ping_pong_ns", 0)


def measure_row(plan, start, cores, talus, peers, rounds, build, folder):
    """One case at one size on so many cores: all codes in turn, round after round."""
    before = latency(build) if cores > 1 else 0
    ours, theirs = [], {peer.name: [] for peer in peers}
    for turn in range(rounds):
        ours.append(talus.measure(plan.case, plan.particles, cores, plan.steps))
        for peer in peers:
            if turn == 0 or not peer.once:
                theirs[peer.name].append(peer.sample(start, cores, plan.steps, folder))
    hashes = {run["state_hash"] for run in ours}
    if len(hashes) != 1:
        raise SystemExit(f"bench: {plan.case}: the same run ended in different states: {hashes}")
    middle = sorted(ours, key=lambda run: run["ns_per_particle_step"])[len(ours) // 2]
    row = {"case": plan.case, "particles": middle["particles"], "cores": cores, "steps": plan.steps, "rounds": rounds,
           "latency_ns": [before, latency(build) if cores > 1 else 0],
           "talus": dict(middle, samples=[run["ns_per_particle_step"] for run in ours]), "peers": {}}
    for peer in peers:
        samples = [sample.ns_per_particle_step for sample in theirs[peer.name]]
        last = theirs[peer.name][-1]
        row["peers"][peer.name] = dict(dataclasses.asdict(last), samples=samples, setting=peer.setting(plan.case),
                                       ns_per_particle_step=statistics.median(samples),
                                       differs=run_peers.disagreements(plan.case, middle, last))
        for fault in row["peers"][peer.name]["differs"]:
            say(f"{plan.case}: {peer.name} has {fault}")
    say(f"{plan.case}, {row['particles']} grains, {cores} core{'s' * (cores > 1)}: Talus "
        f"{middle['ns_per_particle_step']:.1f} ns" +
        "".join(f", {name} {peer['ns_per_particle_step']:.1f}" for name, peer in row["peers"].items()))
    return row


def measure_hard(talus, rounds, quick):
    """Events of the event-driven engine, disc-steps of the stepped one."""
    cases = [("events", 100_000, 1, "events_per_second", "collisions")]
    if not quick:
        cases.append(("events", 1_000_000, 1, "events_per_second", "collisions"))
    cases += [("couette", 5712, cores, "disc_steps_per_second", "disc-steps") for cores in range(1, CORES + 1)]
    out = []
    for case, particles, cores, figure, unit in cases:
        runs = [json.loads(talus.bench(case, particles, "--threads", cores, "--repeats", 1, "--json"))
                for _ in range(rounds)]
        if len({run["state_hash"] for run in runs}) != 1:
            raise SystemExit(f"bench: {case}: the same run ended in different states")
        samples = [run[figure] for run in runs]
        out.append({"case": case, "particles": particles, "cores": cores, "unit": unit, "samples": samples,
                    "speed": statistics.median(samples)})
        say(f"{case}, {particles} grains, {cores} core{'s' * (cores > 1)}: {out[-1]['speed'] / 1e6:.2f} million {unit}/s")
    return out


def measure(options, folder):
    build = options.build
    talus = run_peers.Talus(build / "talus", folder)
    peers = run_peers.installed_peers()
    if options.quick:
        peers = [peer for peer in peers if not peer.once]
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"others are using this machine (load {load:.1f}): the figures will not be worth much")
    say("peers: " + (", ".join(peer.version() for peer in peers) or "none is installed"))
    results = {"date": datetime.date.today().isoformat(), "kind": report.kind_of(options.quick, options.full),
               "machine": describe_machine(build), "limits": limits(build), "load": round(load, 1),
               "peers": {peer.name: peer.version() for peer in peers}, "rows": []}
    rows = results["rows"]
    for plan in plans(options):
        able = [peer for peer in peers if plan.peers and plan.case in peer.cases]
        start = talus.start(plan.case, plan.particles, CORES)
        for peer in able if not options.quick else []:
            peer.tune(start, max(100, plan.steps // 5), folder)
        for cores in range(1, CORES + 1):
            rows.append(measure_row(plan, start, cores, talus, able, options.rounds, build, folder))
        same = {row["talus"]["state_hash"] for row in rows[-CORES:]}
        if len(same) != 1:
            raise SystemExit(f"bench: {plan.case}: one thread and two ended in different states: {same}")
    results["hard"] = measure_hard(talus, options.rounds, options.quick)
    results["limits"]["ping_pong_after_ns"] = latency(build)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="32,000 grains and short runs, within three minutes")
    parser.add_argument("--full", action="store_true", help="a million grains too")
    parser.add_argument("--rounds", type=int, help="turns of every code (default 5, quick 3)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--no-page", action="store_true", help="leave docs/performance.md as it is")
    options = parser.parse_args()
    options.rounds = options.rounds or (3 if options.quick else 5)
    options.build = options.build.resolve()
    folder = options.build / "bench"
    shutil.rmtree(folder, ignore_errors=True)  # states relaxed by another version would be compared with ours
    folder.mkdir(parents=True)
    results = measure(options, folder)
    (folder / "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    for file in folder.glob("*.data"):
        file.unlink()
    shutil.rmtree(folder / "relaxed", ignore_errors=True)
    print(report.as_text(results))
    if not options.no_page:
        report.write_page(results, ROOT / "docs" / "performance.md")
        say("wrote docs/performance.md")
    differs = [row for row in results["rows"] if any(peer["differs"] for peer in row["peers"].values())]
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
