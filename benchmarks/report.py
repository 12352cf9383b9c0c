#!/usr/bin/env python3
"""From the raw figures of a sitting to the tables of docs/performance.md.

usage: report.py RESULTS.json [PAGE]     (without PAGE the tables are printed)

A table goes between <!-- bench:NAME --> and <!-- /bench:NAME -->; everything else on the page is left alone.
"""
import json
import pathlib
import re
import sys

# Arithmetic beside the law, counted in the sources: from two records to the kinematics of a contact, and one step of a
# grain (both halves of the leapfrog, translation and rotation).
KINEMATICS_OPERATIONS = 60
GRAIN_OPERATIONS = 40
# The least that has to pass between memory and core, bytes: a grain's record (position, radius, velocity, inverse mass,
# spin) read and written; a contact's history read and written, and its two indices.
GRAIN_BYTES = 2 * 96
CONTACT_BYTES = 2 * 32 + 8


def kind_of(quick, full):
    return "quick" if quick else ("full" if full else "whole")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def spread(samples):
    return f"{min(samples):.1f}–{max(samples):.1f}"


def grains(number):
    return f"{number:,}"


def heading(results):
    """Where, when and with what."""
    machine = results["machine"]
    caches = ", ".join(f"{level} {size}" for level, size in machine["caches"].items())
    virtual = f", virtual ({machine['virtual']})" if machine["virtual"] else ""
    first = results["rows"][0]
    lines = [f"Measured on {results['date']} ({results['kind']} sitting) at commit {machine['commit']}, "
             f"{machine['compiler']}.",
             f"Machine: {machine['processor']} ({machine['family']}), {machine['cores']} cores{virtual}; {caches}; "
             f"{machine['memory_gib']} GiB.",
             f"Medians of {first['rounds']} runs of each code in turn; ns of wall time per particle-step. "
             f"Load of the machine before: {results['load']}."]
    if results["peers"]:
        lines.append("Peers: " + "; ".join(results["peers"].values()) + ".")
    return "\n".join(lines)


def fastest_peer(row):
    return min(row["peers"].items(), key=lambda item: item[1]["ns_per_particle_step"])


def speed(results):
    """Talus beside its peers."""
    names = list(results["peers"])
    rows = []
    for row in results["rows"]:
        if not row["peers"]:
            continue
        ours = row["talus"]["ns_per_particle_step"]
        name, best = fastest_peer(row)
        cells = [row["case"], grains(row["particles"]), row["cores"], f"**{ours:.1f}**",
                 spread(row["talus"]["samples"])]
        for peer in names:
            there = row["peers"].get(peer)
            cells.append(f"{there['ns_per_particle_step']:.1f} ({spread(there['samples'])})" if there else "")
        rows.append(cells + [f"**{best['ns_per_particle_step'] / ours:.2f}** ({name})"])
    if not rows:
        return "No peer was installed."
    head = ["case", "grains", "cores", "Talus", "range", *names, "Talus is faster by"]
    agree = []
    for row in results["rows"]:
        for name, peer in row["peers"].items():
            if row["cores"] == 1:
                ours = row["talus"]
                agree.append([row["case"], grains(row["particles"]), name, peer["setting"],
                              f"{peer['coordination']:.3f} ({ours['coordination']:.3f})",
                              f"{1e3 * peer['top']:.2f} ({1e3 * ours['top']:.2f})",
                              f"{peer['kinetic_energy']:.4g} ({ours['kinetic_energy']:.4g})",
                              f"{peer['rebuilds']} ({ours['rebuilds']})",
                              "; ".join(peer["differs"]) or "yes"])
    return (table(head, rows) + "\n\nThe same physics, after the timed steps (Talus in brackets):\n\n" +
            table(["case", "grains", "code", "setting", "coordination", "highest centre, mm", "kinetic energy, J",
                   "list builds", "agrees"], agree))


def cases(results):
    """All cases of Talus."""
    rows = []
    alone = {}
    for row in results["rows"]:
        ours = row["talus"]
        key = (row["case"], row["particles"])
        if row["cores"] == 1:
            alone[key] = ours["ns_per_particle_step"]
        gain = f"{alone[key] / ours['ns_per_particle_step']:.2f}" if row["cores"] > 1 and key in alone else ""
        way = f"{row['latency_ns'][0]:.0f}, {row['latency_ns'][1]:.0f}" if row["cores"] > 1 else ""
        rows.append([row["case"], grains(row["particles"]), row["cores"], f"{ours['ns_per_particle_step']:.1f}",
                     f"{ours['ns_per_contact_step']:.1f}" if ours["ns_per_contact_step"] else "",
                     f"{ours['coordination']:.2f}", f"{1000 * ours['rebuilds'] / row['steps']:.0f}",
                     f"{ours['bytes_per_particle']:.0f}", gain, way])
    return table(["case", "grains", "cores", "ns per particle-step", "ns per contact-step", "coordination",
                  "rebuilds in 1000 steps", "bytes a grain", "gain of two cores", "core to core, ns"], rows)


def hard(results):
    """The two engines of hard grains, each in its own measure of speed."""
    rows = [[run["case"], grains(run["particles"]), run["cores"], f"{run['speed'] / 1e6:.2f}",
             f"{min(run['samples']) / 1e6:.2f}–{max(run['samples']) / 1e6:.2f}", run["unit"]]
            for run in results.get("hard", [])]
    return table(["case", "grains", "cores", "million a second", "range", "of what"], rows) if rows else "Not measured."


def profile(results):
    """ns per particle-step of every phase."""
    rows = results["rows"]
    phases = sorted({phase for row in rows for phase in row["talus"]["phases"]},
                    key=lambda phase: -max(row["talus"]["phases"].get(phase, 0) for row in rows))
    return table(["case", "grains", "cores", *phases],
                 [[row["case"], grains(row["particles"]), row["cores"],
                   *(f"{row['talus']['phases'].get(phase, 0):.1f}" for phase in phases)] for row in rows])


def limits(results):
    """How fast the bed could be at best on this machine."""
    machine = results["limits"]
    triad = machine["triad_gb_per_s"]
    peak = machine["peak_gflops"]
    law = machine["hooke"]["sticking"]
    rows = [["core to core and half way back", f"{machine['ping_pong_ns']:.0f} ns before, "
             f"{machine['ping_pong_after_ns']:.0f} ns after"],
            ["memory, a = b + s c", " and ".join(f"{rate:.1f} GB/s on {n}" for n, rate in enumerate(triad, 1)) +
             " core" + "s" * (len(triad) > 1)],
            ["arithmetic of one core, not fused", ", ".join(f"{rate:.1f} Gflop/s with {bits}-bit registers"
                                                            for bits, rate in peak.items())],
            ["one contact of `hooke` that sticks", f"{law['cheap']} additions, multiplications and comparisons, "
             f"{law['slow']} roots or divisions"]]
    text = table(["limit", "measured"], rows)
    bounds = []
    for row in results["rows"]:
        if row["case"] != "bed":
            continue
        cores, ours = row["cores"], row["talus"]
        contacts = ours["coordination"] / 2
        operations = contacts * (law["cheap"] + law["slow"] + KINEMATICS_OPERATIONS) + GRAIN_OPERATIONS
        moved = GRAIN_BYTES + contacts * CONTACT_BYTES
        arithmetic = operations / max(peak.values()) / cores
        memory = moved / triad[min(cores, len(triad)) - 1]
        bounds.append([grains(row["particles"]), cores, f"{operations:.0f}", f"{arithmetic:.1f}", f"{moved:.0f}",
                       f"{memory:.1f}", f"{ours['ns_per_particle_step']:.1f}",
                       f"{ours['ns_per_particle_step'] / max(arithmetic, memory):.1f}"])
    return text + "\n\nFor the bed, per particle-step:\n\n" + table(
        ["grains", "cores", "operations", "ns by arithmetic", "bytes", "ns by memory", "ns measured",
         "times the larger limit"], bounds)


BLOCKS = {"heading": heading, "speed": speed, "cases": cases, "hard": hard, "profile": profile, "limits": limits}


def as_text(results):
    return "\n\n".join(block(results) for block in BLOCKS.values())


def filled(page, results):
    """The page with its blocks replaced; a page without one of them is refused."""
    for name, block in BLOCKS.items():
        begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
        pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.S)
        if len(pattern.findall(page)) != 1:
            raise ValueError(f"the page needs {begin} and {end} once")
        page = pattern.sub(lambda _, text=f"{begin}\n{block(results)}\n{end}": text, page)
    return page


def write_page(results, path):
    path = pathlib.Path(path)
    path.write_text(filled(path.read_text(encoding="utf-8"), results), encoding="utf-8")


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    if len(sys.argv) == 3:
        write_page(results, sys.argv[2])
    else:
        print(as_text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
