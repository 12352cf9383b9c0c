"""The tables of docs/performance.md from made-up figures, and the reading of what other codes print."""
import copy
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import report  # noqa: E402
import run_peers  # noqa: E402

OURS = {"ns_per_particle_step": 30.0, "ns_per_contact_step": 12.0, "coordination": 5.0, "rebuilds": 3,
        "bytes_per_particle": 600.0, "kinetic_energy": 1e-3, "top": 0.67, "samples": [29.0, 30.0, 33.0],
        "phases": {"pairs": 20.0, "drift": 10.0}}
PEER = {"ns_per_particle_step": 150.0, "samples": [150.0], "coordination": 5.01, "kinetic_energy": 1.1e-3, "top": 0.67,
        "rebuilds": 4, "setting": "skin 1 mm", "differs": []}
RESULTS = {
    "date": "2026-01-02", "kind": "quick", "load": 0.1,
    "machine": {"processor": "Abacus", "family": "family 1 model 2", "virtual": "", "cores": 2, "memory_gib": 4.0,
                "caches": {"L1d": "1 KiB", "L2": "2 KiB", "L3": "3 KiB"}, "compiler": "cc 1", "commit": "abc"},
    "limits": {"ping_pong_ns": 30.0, "ping_pong_after_ns": 180.0, "triad_gb_per_s": [20.0, 30.0],
               "peak_gflops": {"256": 50.0}, "hooke": {"sticking": {"cheap": 140, "slow": 0}}},
    "peers": {"Slow": "Slow 1.0", "Slower": "Slower 2.0"},
    "rows": [{"case": "bed", "particles": 32000, "cores": 1, "steps": 1000, "rounds": 3, "latency_ns": [0, 0],
              "talus": OURS, "peers": {"Slow": PEER, "Slower": dict(PEER, ns_per_particle_step=300.0)}},
             {"case": "bed", "particles": 32000, "cores": 2, "steps": 1000, "rounds": 3, "latency_ns": [30.0, 31.0],
              "talus": dict(OURS, ns_per_particle_step=15.0), "peers": {}}],
    "hard": [{"case": "events", "particles": 100000, "cores": 1, "unit": "collisions", "samples": [9e5, 1.1e6],
              "speed": 1e6}],
}
LAMMPS_OUTPUT = """Loop time of 9.0 on 1 procs for 300 steps with 1000 atoms
Neighbor list builds = 7
Loop time of 0.06 on 1 procs for 300 steps with 1000 atoms
Neighbor list builds = 5
Loop time of 1e-06 on 1 procs for 0 steps with 1000 atoms
Neighbor list builds = 0
STATE ke 0.0012 coordination 5.25 top 0.5
"""


def cells(text, *starts):
    """The one line of a table that begins with these cells, as cells."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    lines = [[cell.strip() for cell in row] for row in rows]
    found = [line for line in lines if line[:len(starts)] == list(starts)]
    assert len(found) == 1, (starts, text)
    return found[0]


class Report(unittest.TestCase):
    def test_the_ratio_is_to_the_fastest_peer(self):
        text = report.speed(RESULTS)
        self.assertEqual(cells(text, "bed", "32,000", "1")[3:],
                         ["**30.0**", "29.0–33.0", "150.0 (150.0–150.0)", "300.0 (150.0–150.0)", "**5.00** (Slow)"])

    def test_two_cores_are_held_against_one(self):
        self.assertEqual(cells(report.cases(RESULTS), "bed", "32,000", "2")[-2:], ["2.00", "30, 31"])

    def test_hard_engines_have_their_own_measures(self):
        self.assertEqual(cells(report.hard(RESULTS), "events")[3:], ["1.00", "0.90–1.10", "collisions"])

    def test_limits_are_those_of_the_definition(self):
        # 2.5 contacts of 140 + 60 operations and 40: 540 at 50 Gflop/s; 192 + 2.5 * 72 bytes at 20 GB/s.
        self.assertEqual(cells(report.limits(RESULTS), "32,000", "1")[2:],
                         ["540", "10.8", "372", "18.6", "30.0", "1.6"])

    def test_text_around_the_blocks_stays(self):
        page = "before\n" + "".join(f"<!-- bench:{name} -->old<!-- /bench:{name} -->\nby hand \\1\n"
                                    for name in report.BLOCKS)
        once = report.filled(page, RESULTS)
        self.assertNotIn("old", once)
        self.assertEqual(once.count("by hand \\1\n"), len(report.BLOCKS))
        self.assertTrue(once.startswith("before\n"))
        self.assertEqual(report.filled(once, RESULTS), once)
        self.assertRaises(ValueError, report.filled, "no marks", RESULTS)

    def test_the_page_in_the_tree_has_all_marks(self):
        report.filled((ROOT / "docs" / "performance.md").read_text(encoding="utf-8"), RESULTS)

    def test_a_sitting_without_peers_has_tables_too(self):
        alone = copy.deepcopy(RESULTS)
        alone["peers"] = {}
        for row in alone["rows"]:
            row["peers"] = {}
        self.assertIn("No peer", report.as_text(alone))


class Reading(unittest.TestCase):
    def test_the_second_loop_counts(self):
        sample = run_peers.Lammps().read(LAMMPS_OUTPUT, 1000, 300)
        self.assertAlmostEqual(sample.ns_per_particle_step, 200.0)
        self.assertEqual((sample.coordination, sample.kinetic_energy, sample.top, sample.rebuilds),
                         (5.25, 0.0012, 0.5, 5))

    def test_what_cannot_be_read_is_told(self):
        self.assertRaises(run_peers.PeerError, run_peers.Lammps().read, LAMMPS_OUTPUT, 1000, 400)
        self.assertRaises(run_peers.PeerError, run_peers.Lammps().read, "ERROR: lost atoms", 1000, 300)

    def test_contacts_are_divided_by_grains(self):
        text = LAMMPS_OUTPUT.replace("STATE ke 0.0012 coordination 5.25 top 0.5\n",
                                     "    Step         KinEng       contacts            top \n"
                                     "    1000  0.0012 5250 0.5 \n")
        self.assertEqual(run_peers.Liggghts().read(text, 1000, 300).coordination, 5.25)

    def test_other_physics_is_found_out(self):
        same = run_peers.Sample(150.0, 5.01, 1.1e-3, 0.67, 0)
        self.assertEqual(run_peers.disagreements("bed", OURS, same), [])
        other = run_peers.Sample(150.0, 4.5, 9e-3, 0.60, 0)
        self.assertEqual(len(run_peers.disagreements("bed", OURS, other)), 3)


if __name__ == "__main__":
    unittest.main()
