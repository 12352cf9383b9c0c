#!/usr/bin/env python3
"""What the live view costs: runs with one viewer and without, in turn, and the bytes and processor time of a picture.

usage: view_cost.py [--program build/talus] [--grains N] [--steps N] [--pairs N]

The viewer is a plain client that asks for the next picture as soon as it has one, as a page does; it draws nothing.
What is compared is the number of instructions where `perf` can count them, which other work on the machine does not
touch, and processor time elsewhere. Pairs are run in turn, every second one the other way round. The cost is the
median over the pairs, with the interval that holds the true median at 95 %; beside it stands what the runs themselves
have counted, `timings.view` of their manifests as a share of their wall time.
"""
import argparse
import base64
import json
import math
import os
import pathlib
import re
import socket
import statistics
import struct
import subprocess
import tempfile

SCENE = """title = "bed"
[time]
step = "10 us"
end = {end}
[gravity]
uniform = [0, 0, -9.81]
[materials.grain]
density = 2500
[materials.floor]
[[contacts]]
between = ["grain", "*"]
law = "hooke"
kn = 1e5
kt = "2/7 kn"
restitution = 0.7
friction = {{ static = 0.4 }}
[domain]
low = [0, 0, "open"]
high = [{width}, {width}, "open"]
periodic = ["x", "y"]
[[walls]]
name = "floor"
shape = {{ plane = {{}} }}
material = "floor"
[[fill]]
material = "grain"
radius = "5 mm"
lattice = {{ packing = "fcc" }}
count = {grains}
box = {{ low = [0, 0, 0], high = [{width}, {width}, {height}] }}
velocity_spread = 0.05
"""


class Viewer:
    """The least that speaks the stream: a handshake, short masked texts out, whole binary messages in."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]

    def take(self, count):
        parts, have = [self.rest], len(self.rest)
        while have < count:
            more = self.socket.recv(1 << 20)
            if not more:
                raise ConnectionError("closed")
            parts.append(more)
            have += len(more)
        data = b"".join(parts)
        self.rest = data[count:]
        return data[:count]

    def message(self):
        """The header and the size of the next message."""
        data, last = b"", False
        while not last:
            first, length = self.take(2)
            last, code = first & 0x80, first & 0x0F
            if length == 126:
                length, = struct.unpack(">H", self.take(2))
            elif length == 127:
                length, = struct.unpack(">Q", self.take(8))
            piece = self.take(length)
            if code < 8:
                data += piece
            else:
                last = False  # a ping or a farewell: the message goes on
        size, = struct.unpack("<I", data[:4])
        return json.loads(data[4:4 + size]), len(data)

    def send(self, **content):
        text = json.dumps(content).encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        self.socket.sendall(b"\x81" + length + b"\0\0\0\0" + text)

    def picture(self):
        while True:
            header, size = self.message()
            if header["type"] == "picture":
                self.send(type="got")
                return header, size


def perf_counts():
    """Whether this machine lets `perf` count instructions."""
    try:
        probe = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], capture_output=True, text=True)
    except OSError:
        return False
    return probe.returncode == 0 and probe.stderr.split(",")[0].isdigit()


def start(options, scene, folder, view, count=None):
    """The run, and its port if it has a view; `count`: the file for what perf counts."""
    command = [options.program, "run", scene, "--out", f"{folder}/out", "--overwrite", "--quiet", "--threads", "1"]
    command += ["--view", "--no-browser"] if view else []
    if count:
        command = ["perf", "stat", "-x,", "-o", count, "-e", "instructions:u"] + command
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    if not view:
        return process, None
    return process, int(re.search(r":(\d+)/", process.stderr.readline()).group(1))


def look_on(port):
    """Looks until the run is over; the sizes of the pictures."""
    viewer, seen = Viewer(port), []
    try:
        while True:
            header, size = viewer.message()
            if header["type"] == "picture":
                seen.append(size)
                viewer.send(type="got")
            elif header["type"] == "state" and header["status"] == "finished":
                return seen
    except (ConnectionError, OSError):
        return seen


def effort(options, scene, folder, view):
    """What a run took, in instructions or seconds of processor time; its pictures; what it says the view took."""
    count = f"{folder}/perf" if options.perf else None
    process, port = start(options, scene, folder, view, count)
    seen = look_on(port) if view else []
    if view and not count:
        process.send_signal(2)  # it would stay for us, as it does under perf until we are gone for a while
    _, _, usage = os.wait4(process.pid, 0)
    manifest = json.loads(pathlib.Path(f"{folder}/out/manifest.json").read_text(encoding="utf-8"))
    took = usage.ru_utime + usage.ru_stime
    if count:
        took = float(next(line for line in pathlib.Path(count).read_text().splitlines() if "instructions" in line).split(",")[0])
    timings = manifest["timings"]
    return took, seen, timings.get("view", 0) / timings["total"]


def median_interval(values):
    """The order statistics that hold the median at 95 % at least, whatever the distribution."""
    values, count = sorted(values), len(values)
    below, k = 0.0, 0
    while k < count // 2:
        below += math.comb(count, k) / 2 ** count
        if below > 0.025:
            break
        k += 1
    k = max(0, k - 1)
    return values[k], values[count - 1 - k]


def one_picture(options, scene, folder):
    """Bytes, and milliseconds of processor time, of a picture of a run that is paused."""
    process, port = start(options, scene, folder, True)
    viewer = Viewer(port)
    viewer.send(type="pause")
    ticks = os.sysconf("SC_CLK_TCK")

    def used():
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    def look(turn):
        viewer.send(type="look", field=("speed", "spin")[turn % 2])  # another field is another picture
        return viewer.picture()

    while look(0)[0]["step"] != look(1)[0]["step"]:  # until the pause holds
        pass
    before, count = used(), 100
    for turn in range(count):
        _, size = look(turn)
    cost = (used() - before) / count
    process.send_signal(2)
    process.wait()
    return size, 1e3 * cost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/talus")
    parser.add_argument("--grains", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--pairs", type=int, default=11)
    options = parser.parse_args()
    options.perf = perf_counts()
    unit = "instructions" if options.perf else "s of processor time"
    with tempfile.TemporaryDirectory() as folder:
        width = 0.0142 * round((options.grains / 40) ** 0.5)
        scene = f"{folder}/bed.toml"
        pathlib.Path(scene).write_text(SCENE.format(grains=options.grains, width=width, height=10,
                                                    end=options.steps * 1e-5), encoding="utf-8")
        size, cost = one_picture(options, scene, folder)
        print(f"{options.grains} grains: a picture is {size} bytes and {cost:.2f} ms of processor time")
        ratios, shares = [], []
        for pair in range(options.pairs):
            watched_first = pair % 2 == 1
            first = effort(options, scene, folder, watched_first)
            second = effort(options, scene, folder, not watched_first)
            (watched, seen, share), (alone, _, _) = (first, second) if watched_first else (second, first)
            ratios.append(100 * (watched / alone - 1))
            shares.append(100 * share)
            print(f"  alone {alone:.4g}, watched {watched:.4g} {unit} with {len(seen)} pictures: {ratios[-1]:+.2f} %, "
                  f"by its own count {shares[-1]:.2f} %", flush=True)
        low, high = median_interval(ratios)
        print(f"cost of one viewer, in {unit}: {statistics.median(ratios):+.2f} % ({low:+.2f} to {high:+.2f} %); "
              f"by the runs' own count {statistics.median(shares):.2f} % ({min(shares):.2f} to {max(shares):.2f} %)")


if __name__ == "__main__":
    main()
