#!/usr/bin/env python3
"""Checks the format, clang-tidy's findings and the rules of the house; or, with --format, puts files into format.

usage: lint.py [--build FOLDER] [--format]

clang-tidy looks at a file again only when it, a header of ours it includes, the configuration or its compile command
has changed; what it found is kept in .cache/lint/.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import house_rules

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "lint"
INCLUDE = re.compile(r'^\s*#\s*include\s*"(talus/[^"]+)"', re.MULTILINE)


def formatted_files():
    files = []
    for folder in ["src", "apps", "tests", "benchmarks"]:
        files += [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in house_rules.SOURCE_ENDINGS]
    return [str(p.relative_to(ROOT)) for p in files]


def check_format():
    files = formatted_files()
    result = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=ROOT, text=True,
                            stderr=subprocess.PIPE)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", result.stderr, re.M)))
    for name in wrong:
        print(f"{name}:1: not in format; ./dev format puts it right")
    if result.returncode and not wrong:
        print(result.stderr)
    return result.returncode == 0


def closure(path, known):
    """The file and every header of ours it includes, however deep."""
    if path not in known:
        known[path] = set()  # stands while the walk below is under way
        found = {path}
        if path.exists():
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                found |= closure(ROOT / "src" / name, known)
        known[path] = found
    return known[path]


def fingerprint(path, command, configuration):
    state = hashlib.sha256(configuration + command.encode())
    for part in sorted(closure(path, {})):
        state.update(str(part.relative_to(ROOT)).encode())
        if part.exists():
            state.update(part.read_bytes())
    return state.hexdigest()


def tidy(path, record):
    """Findings of clang-tidy in one file, as text; empty if there are none."""
    if record.exists():
        return record.read_text(encoding="utf-8")
    # The commands are gcc's: a warning that clang lacks or understands otherwise is not its business.
    result = subprocess.run(["clang-tidy", "--quiet", "-p", str(CACHE), "--extra-arg=-Wno-unknown-warning-option",
                             "--extra-arg=-Wno-double-promotion", str(path)],
                            cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    findings = "" if result.returncode == 0 else result.stdout or result.stderr
    if result.returncode in (0, 1):  # anything else was cut short
        record.write_text(findings, encoding="utf-8")
    return findings


def compile_commands(build):
    """{file: entry} of what clang-tidy looks at. A file that several targets compile is looked at once."""
    entries = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps"):
            entries.setdefault(path, entry)
    return entries


def check_tidy(build):
    CACHE.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], text=True, stdout=subprocess.PIPE, check=True).stdout
    configuration = (ROOT / ".clang-tidy").read_bytes() + version.splitlines()[0].encode()
    entries = compile_commands(build)
    (CACHE / "compile_commands.json").write_text(json.dumps(list(entries.values())), encoding="utf-8")
    records = {path: CACHE / (fingerprint(path, entry["command"], configuration) + ".txt")
               for path, entry in sorted(entries.items())}
    for stale in set(CACHE.glob("*.txt")) - set(records.values()):
        stale.unlink()
    findings = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(tidy, records.keys(), records.values()):
            # A finding in a header comes up in every file that includes it: shown once.
            for finding in re.split(r"^(?=\S+:\d+:\d+: (?:error|warning))", text, flags=re.M):
                if finding.strip():
                    findings.setdefault(finding.strip())
    for finding in findings:
        print(finding)
    return not findings


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--format", action="store_true")
    options = parser.parse_args()
    if options.format:
        return subprocess.run(["clang-format", "-i", *formatted_files()], cwd=ROOT, check=False).returncode
    good = True
    for name, check in [("format", check_format),
                        ("house rules", lambda: house_rules.main(["rooms", "files"]) == 0),
                        ("clang-tidy", lambda: check_tidy(options.build.resolve()))]:
        passed = check()
        good = good and passed
        print(f"lint: {name}: {'ok' if passed else 'faults above'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
