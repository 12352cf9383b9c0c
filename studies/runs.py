"""Runs of a study: started where they are not there yet, and read back."""
import csv
import json
import pathlib
import subprocess

import numpy as np

HOME = pathlib.Path(__file__).resolve().parent.parent


def run(talus, scene, out, settings, threads):
    """Runs a scene of scenes/ with other settings, unless it has been run to its end already; goes on if interrupted."""
    status = manifest(out).get("status")
    if status == "finished":
        return
    if status == "interrupted":
        subprocess.run([str(talus), "run", "--resume", str(out), "--threads", str(threads)], check=True)
        return
    command = [talus, "run", HOME / "scenes" / scene, "-o", out, "--threads", str(threads)]
    if out.exists():
        command.append("--overwrite")
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    subprocess.run([str(part) for part in command], check=True)


def manifest(out):
    """What a run tells of itself; nothing if there is no run."""
    file = out / "manifest.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def result(out):
    """What a run measured; nothing if it is not done, or no run at all."""
    return manifest(out).get("result")


def end_of(out):
    """s, how far a run has come."""
    return manifest(out)["time"]


def table(file):
    """A table of a run by column, without units."""
    with open(file, newline="", encoding="utf-8") as text:
        rows = list(csv.reader(text))
    names = [name.split(" [")[0] for name in rows[0]]
    values = np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]])
    return dict(zip(names, values.T))
