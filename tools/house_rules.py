#!/usr/bin/env python3
"""The rules of the house that no compiler checks: which room may include which, and what a file may look like.

usage: house_rules.py [--root FOLDER] [--compile-commands FILE] {rooms,files,flags}...

Prints one line a fault, as `file:line: what is wrong`, and exits with 1 if there is any.
"""
import argparse
import json
import pathlib
import re
import sys

# room: the other rooms it may include. A folder below a room (engines/soft) has its own entry or shares its parent's.
# What stands here is DESIGN's table; `scene` feeds the facade and nothing else.
ROOMS = {
    "base": [],
    "math": ["base"],
    "geometry": ["base", "math"],
    "laws": ["base", "math"],
    "model": ["base", "math", "geometry", "laws"],
    "scene": ["base", "math", "geometry", "laws", "model"],
    "search": ["base", "math", "geometry", "model"],
    "gravity": ["base", "math", "geometry", "model", "search"],
    "backends": ["base", "math", "geometry", "laws", "model", "search", "gravity"],
    "distributed": ["base", "math", "geometry", "model", "search", "backends"],
    "engines": ["base", "math", "geometry", "laws", "model", "search", "gravity", "backends", "distributed"],
    "analysis": ["base", "math", "geometry", "laws", "model"],
    "output": ["base", "math", "geometry", "laws", "model", "analysis"],
    "render": ["base", "math", "geometry", "model", "analysis", "output"],
    "server": ["base", "math", "geometry", "model", "analysis", "output"],
    "simulation": ["base", "math", "geometry", "laws", "model", "scene", "search", "gravity", "backends", "distributed",
                   "engines", "analysis", "output", "render", "server"],
    "apps": ["base", "simulation"],
}

# An outside library is used in few rooms, so that it can be replaced. Prefix of the include: where it may appear.
OUTSIDE = {
    "toml++/": ["scene"],
    "CLI/": ["apps"],
    "Eigen/": ["simulation"],
    "embree3/": ["render"],
    "png.h": ["render"],
    "ft2build.h": ["render"],
    "hdf5": ["scene", "output"],
    "H5": ["scene", "output"],
    "nlohmann/": ["scene", "output", "server", "simulation", "apps"],
    "boost/": ["server"],
    "mpi.h": ["distributed"],
    "cuda": ["backends"],
    "omp.h": ["base", "backends", "simulation"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
SOURCE_ENDINGS = {".h", ".cpp", ".cu", ".cuh"}
CODE_ENDINGS = SOURCE_ENDINGS | {".py", ".cmake", ".in", ".js", ".ts", ".css", ".toml", ".sh", ""}
FOLDERS = ["src", "apps", "tests", "tools", "cmake", "benchmarks", "scenes", "studies", "python", "viewer", ".ci"]
LONGEST = 800  # lines

# Written in pieces so that this file does not find itself.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X"]) + r")\b")
LOOSE_MATH = re.compile("|".join(["-ffast" + "-math", "-O" + "fast", "-funsafe" + "-math", "-fassociative" + "-math",
                                  "use_fast" + "_math", "ffp-contract=" + "(fast|on)", "fmad=" + "true"]))
MACHINE = re.compile("|".join(["/wo" + r"rk/(main|shared)\b", "/ro" + r"ot/", "/ho" + r"me/\w"]))


def sources(root):
    """Files of the rooms, with the room of each: {path: room}."""
    found = {}
    for path in sorted((root / "src" / "talus").rglob("*")) + sorted((root / "apps").rglob("*")):
        if path.suffix in SOURCE_ENDINGS and path.is_file():
            parts = path.relative_to(root).parts
            found[path] = "apps" if parts[0] == "apps" else parts[2]
    return found


def check_rooms(root):
    faults = []
    for path, room in sources(root).items():
        where = path.relative_to(root)
        if room not in ROOMS:
            faults.append(f"{where}:1: '{room}' is not in the table of rooms (tools/house_rules.py)")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            style, name = match.groups()
            if name.startswith("talus/"):
                other = name.split("/")[1]
                if other != room and other not in ROOMS[room]:
                    allowed = ", ".join(ROOMS[room]) or "no other room"
                    faults.append(f"{where}:{number}: {room} includes {name}, but may include only {allowed}")
                if style == "<":
                    faults.append(f"{where}:{number}: our own headers are included in quotes")
            elif style == '"' and room != "apps":
                faults.append(f'{where}:{number}: write the whole path, "talus/{room}/{name}"')
            for prefix, rooms in OUTSIDE.items():
                if style == "<" and name.startswith(prefix) and room not in rooms:
                    faults.append(f"{where}:{number}: <{name}> belongs in {', '.join(rooms)} only")
    return faults


def hand_written(root):
    """Files that people write and read; generated pages and data are left out."""
    for path in sorted(root.iterdir()):
        if path.is_file() and (path.suffix in CODE_ENDINGS or path.name == "CMakeLists.txt"):
            yield path
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and (path.suffix in CODE_ENDINGS or path.name == "CMakeLists.txt"):
                if "__pycache__" not in path.parts and "node_modules" not in path.parts:
                    yield path


def check_files(root):
    faults = []
    for path in hand_written(root):
        where = path.relative_to(root)
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        if len(lines) > LONGEST:
            faults.append(f"{where}:{LONGEST + 1}: {len(lines)} lines; none may be above {LONGEST}, so split it")
        if path.suffix == ".h":
            if not lines or not lines[0].startswith("//"):
                faults.append(f"{where}:1: a header opens with a comment that says its idea")
            if "#pragma once" not in lines:
                faults.append(f"{where}:1: no #pragma once")
        for number, line in enumerate(lines, 1):
            if UNFINISHED.search(line):
                faults.append(f"{where}:{number}: unfinished work belongs in an issue: {line.strip()}")
            if LOOSE_MATH.search(line):
                faults.append(f"{where}:{number}: floating point is pinned: {line.strip()}")
            if MACHINE.search(line):
                faults.append(f"{where}:{number}: a path of one machine: {line.strip()}")
    return faults


def check_flags(root, compile_commands):
    """Every file that can feed a trajectory is really compiled with pinned floating point."""
    faults = []
    seen = 0
    for entry in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        path = pathlib.Path(entry["file"])
        if not path.is_relative_to(root / "src"):
            continue
        seen += 1
        where = path.relative_to(root)
        if "-ffp-contract=off" not in entry["command"].split():
            faults.append(f"{where}:1: compiled without -ffp-contract=off")
        if LOOSE_MATH.search(entry["command"]):
            faults.append(f"{where}:1: compiled with loose floating point: {LOOSE_MATH.search(entry['command'])[0]}")
    if seen == 0:
        faults.append(f"{compile_commands}:1: names no file below src/")
    return faults


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--compile-commands", default="build/compile_commands.json")
    parser.add_argument("checks", nargs="+", choices=["rooms", "files", "flags"])
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    faults = []
    for check in options.checks:
        if check == "rooms":
            faults += check_rooms(root)
        elif check == "files":
            faults += check_files(root)
        else:
            faults += check_flags(root, options.compile_commands)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
