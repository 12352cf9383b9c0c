#!/usr/bin/env python3
"""What the live view costs: processor time of runs with one viewer and without, in turn, and the bytes and processor
time of a picture.

usage: view_cost.py [--program build/talus] [--grains N] [--steps N] [--rounds N]

The viewer is a plain client that asks for the next picture as soon as it has one, as a page does; it draws nothing.
Processor time is compared, not wall time, so that other work on the machine matters less.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import socket
import statistics
import struct
import subprocess
import tempfile
import threading

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


def start(options, scene, folder, view):
    command = [options.program, "run", scene, "--out", f"{folder}/out", "--overwrite", "--quiet", "--threads", "1"]
    process = subprocess.Popen(command + (["--view", "--no-browser"] if view else []), stderr=subprocess.PIPE, text=True)
    if not view:
        return process, None
    return process, int(re.search(r":(\d+)/", process.stderr.readline()).group(1))


def processor_seconds(process):
    """Until its end."""
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime


def watched(process, port):
    """Looks until the run is over; the number of pictures and the seconds of the run."""
    viewer, seen = Viewer(port), []

    def look():
        try:
            while True:
                header, size = viewer.message()
                if header["type"] == "picture":
                    seen.append(size)
                    viewer.send(type="got")
                elif header["type"] == "state" and header["status"] == "finished":
                    process.send_signal(2)  # it would stay for us
                    return
        except (ConnectionError, OSError):
            pass

    thread = threading.Thread(target=look)
    thread.start()
    seconds = processor_seconds(process)
    thread.join()
    return seconds, seen


def one_picture(options, scene, folder):
    """Bytes, and milliseconds of processor time, of a picture of a run that is paused."""
    process, port = start(options, scene, folder, True)
    viewer = Viewer(port)
    viewer.send(type="pause")
    _, size = viewer.picture()
    ticks = os.sysconf("SC_CLK_TCK")

    def used():
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    while True:  # until the pause holds
        viewer.send(type="look", field="speed")
        first, _ = viewer.picture()
        viewer.send(type="look", field="speed")
        if viewer.picture()[0]["step"] == first["step"]:
            break
    before, count = used(), 100
    for _ in range(count):
        viewer.send(type="look", field="speed")
        _, size = viewer.picture()
    cost = (used() - before) / count
    process.send_signal(2)
    process.wait()
    return size, 1e3 * cost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/talus")
    parser.add_argument("--grains", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        width = 0.0142 * round((options.grains / 40) ** 0.5)
        scene = f"{folder}/bed.toml"
        pathlib.Path(scene).write_text(SCENE.format(grains=options.grains, width=width, height=10,
                                                    end=options.steps * 1e-5), encoding="utf-8")
        size, cost = one_picture(options, scene, folder)
        print(f"{options.grains} grains: a picture is {size} bytes and {cost:.2f} ms of processor time")
        ratios, least = [], [1e300, 1e300]
        for _ in range(options.rounds):
            alone = processor_seconds(start(options, scene, folder, False)[0])
            seconds, seen = watched(*start(options, scene, folder, True))
            ratios.append(seconds / alone - 1)
            least = [min(least[0], alone), min(least[1], seconds)]
            print(f"  alone {alone:.2f} s, watched {seconds:.2f} s with {len(seen)} pictures: {100 * ratios[-1]:+.2f} %")
        print(f"cost of one viewer: {100 * statistics.median(ratios):+.2f} % in the middle of all rounds, "
              f"{100 * (least[1] / least[0] - 1):+.2f} % between the least disturbed")


if __name__ == "__main__":
    main()
