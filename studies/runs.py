"""Runs of a study: started where they are not there yet, and read back."""
import csv
import json
import pathlib
import subprocess

import numpy as np

HOME = pathlib.Path(__file__).resolve().parent.parent


def run(talus, scene, out, settings, threads):
    """Runs a scene of scenes/ with other settings, unless it has been run to its end already."""
    if result(out) is not None:
        return
    command = [talus, "run", HOME / "scenes" / scene, "-o", out, "--threads", str(threads)]
    if out.exists():
        command.append("--overwrite")
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run([str(part) for part in command], check=True)


def result(out):
    """What a run measured; nothing if it is not done, or no run at all."""
    manifest = out / "manifest.json"
    return json.loads(manifest.read_text(encoding="utf-8")).get("result") if manifest.exists() else None


def end_of(out):
    """s, how far a run has come."""
    return json.loads((out / "manifest.json").read_text(encoding="utf-8"))["time"]


def table(file):
    """A table of a run by column, without units."""
    with open(file, newline="", encoding="utf-8") as text:
        rows = list(csv.reader(text))
    names = [name.split(" [")[0] for name in rows[0]]
    values = np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]])
    return dict(zip(names, values.T))
