# The packed bed of `talus bench bed` in YADE: run as `yade -jCORES -n -x bed_yade.py`. Settings come by environment:
# BENCH_DATA (a data file of `talus bench bed --write-data`), BENCH_RELAX and BENCH_STEPS (timed).
import math
import os
import time

from yade import *  # noqa: F403 - the way YADE's scripts begin
from yade import utils

RADIUS, DENSITY = 0.01, 1000.0
KN, KT, FRICTION, GAMMA = 8e4, 2.29e4, 0.2, 875.7
MASS = 4 / 3 * math.pi * RADIUS**3 * DENSITY
FLOOR = 0.1  # m, height of the floor in the cell, whose periods YADE has along all three axes
TILE = 0.096  # m, edge of the facets that make the floor


def read_data(path):
    """The box's lengths, and the rows of the Atoms and Velocities sections by id."""
    lengths, sections, section = [], {}, None
    with open(path, encoding="utf-8") as file:
        next(file)  # a title
        for line in file:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0][0].isalpha():
                section = sections.setdefault(words[0], {})
            elif section is None:
                if words[-1].endswith("hi"):
                    lengths.append(float(words[1]) - (0 if words[-1] == "zhi" else float(words[0])))
            else:
                section[int(words[0])] = [float(word) for word in words[1:]]
    return lengths, sections["Atoms"], sections["Velocities"]


(length_x, length_y, height), atoms, velocities = read_data(os.environ["BENCH_DATA"])
O.periodic = True
O.cell.hSize = Matrix3(length_x, 0, 0, 0, length_y, 0, 0, 0, height + 2 * FLOOR)
# Two bodies act in series in this law, so that each gets twice the stiffness; damping is that of the reduced mass m/2.
material = O.materials.append(ViscElMat(density=DENSITY, frictionAngle=math.atan(FRICTION), kn=2 * KN, ks=2 * KT,
                                        cn=GAMMA * MASS, cs=GAMMA * MASS / 2))
columns, rows = (max(4, round(length / TILE)) for length in (length_x, length_y))  # none above half a period
for row in range(rows):
    for column in range(columns):
        corner = [Vector3((column + a) * length_x / columns, (row + b) * length_y / rows, FLOOR)
                  for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for a, b, c in ((0, 1, 2), (0, 2, 3)):
            O.bodies.append(utils.facet([corner[a], corner[b], corner[c]], fixed=True, material=material))
facets = len(O.bodies)
for number, (_, _, _, x, y, z) in atoms.items():
    body = utils.sphere((x, y, z + FLOOR), RADIUS, material=material)
    body.state.vel = Vector3(*velocities[number][0:3])
    body.state.angVel = Vector3(*velocities[number][3:6])
    O.bodies.append(body)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()], verletDist=1e-3),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                    [Law2_ScGeom_ViscElPhys_Basic()]),
    NewtonIntegrator(damping=0, gravity=(0, 0, -9.81)),
]
O.dt = 2e-5
O.run(int(os.environ["BENCH_RELAX"]), True)
start = time.perf_counter()
O.run(int(os.environ["BENCH_STEPS"]), True)
seconds = time.perf_counter() - start

spheres = [O.bodies[k] for k in range(facets, len(O.bodies))]
energy = sum(0.5 * MASS * body.state.vel.squaredNorm() for body in spheres)
touching = sum(1 for pair in O.interactions if pair.isReal and min(pair.id1, pair.id2) >= facets and
               pair.geom.penetrationDepth > 0)
top = max(body.state.pos[2] for body in spheres) - FLOOR
print(f"STATE seconds {seconds} ke {energy} coordination {2 * touching / len(spheres)} top {top}", flush=True)
