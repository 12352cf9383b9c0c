"""tools/plot_profile.py draws slices, boxes and rings, and says what it cannot draw. Skipped without matplotlib."""
import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

if any(importlib.util.find_spec(name) is None for name in ("matplotlib", "numpy")):
    print("skipped: no matplotlib")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import plot_profile  # noqa: E402

QUANTITIES = "speed [m/s],speed_error [m/s],velocity_x [m/s],velocity_z [m/s],packing,packing_error"


def table(coordinates, cells):
    """A table with a row for each cell; the last one holds no grain."""
    lines = [",".join([f"{name} [m]" for name in coordinates] + ["volume [m3]", "samples", QUANTITIES])]
    for number, cell in enumerate(cells):
        motion = ["", "", "", ""] if number == len(cells) - 1 else [number, 0.1, 1, -1]
        lines.append(",".join(map(str, [*cell, 1, 5, *motion, 0.5, 0.01])))
    return "\n".join(lines) + "\n"


def boxes(nx, ny, nz):
    return table("xyz", [(x, y, z) for x in range(nx) for y in range(ny) for z in range(nz)])


class PlotProfile(unittest.TestCase):
    def plot(self, text, *arguments):
        """Exit code, picture (empty if none) and what was said on standard error."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "flow.csv"
            if text is not None:
                path.write_text(text, encoding="utf-8")
            said = io.StringIO()
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
                code = plot_profile.main([str(path), *arguments])
            picture = path.with_suffix(".png")
            return code, picture.read_bytes() if picture.exists() else b"", said.getvalue()

    def check_drawn(self, text, *arguments):
        code, picture, said = self.plot(text, *arguments)
        self.assertEqual(code, 0, said)
        self.assertTrue(picture.startswith(b"\x89PNG"))

    def test_slices(self):
        self.check_drawn(table(["middle", "low", "high"], [(z + 0.5, z, z + 1) for z in range(4)]))

    def test_maps_and_cuts(self):
        self.check_drawn(boxes(4, 1, 3))
        self.check_drawn(boxes(4, 3, 3), "speed")
        self.check_drawn(boxes(4, 3, 3), "packing", "--at", "z=1.1")
        self.check_drawn(boxes(4, 3, 3), "packing", "--at", "z=1", "--at", "x=0")

    def test_rings_and_other_files(self):
        head = "r [m],low [m],high [m],samples,angular_velocity [rad/s],angular_velocity_error [rad/s]"
        rings = "\n".join([head, *(f"{r + 0.5},{r},{r + 1},7,{r},0.1" for r in range(4))]) + "\n"
        self.check_drawn(rings)
        self.check_drawn(rings, "angular_velocity")
        with tempfile.TemporaryDirectory() as folder:
            table_path, target = pathlib.Path(folder) / "ring.csv", pathlib.Path(folder) / "ring.svg"
            table_path.write_text(rings, encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(plot_profile.main([str(table_path), "-o", str(target)]), 0)
            self.assertIn(b"<svg", target.read_bytes())

    def test_cells_keep_their_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "flow.csv"
            path.write_text(boxes(4, 3, 2), encoding="utf-8")
            coordinates, values, units = plot_profile.read_table(path)
        self.assertEqual((coordinates, units["speed"]), (["x", "y", "z"], "m/s"))
        grid = plot_profile.Grid(coordinates, values, {"y": 2})
        self.assertEqual(grid.free, ["x", "z"])
        self.assertEqual(grid.of("speed")[1][1], 1 * 6 + 2 * 2 + 1)

    def test_what_cannot_be_drawn_is_said(self):
        for text, arguments, why in [(None, [], "flow.csv"), ("time,a\n0,1\n", [], "not the table of a profile"),
                                     (boxes(2, 1, 2), ["sped"], "no quantity 'sped'"),
                                     (boxes(2, 2, 2), ["--at", "r=1"], "no coordinate 'r'"),
                                     (boxes(2, 2, 2), ["--at", "x"], "could not convert"),
                                     ("r,low,high,samples,mass\n1,0,2,3,4\n2,2,3,4,5\n", [], "say what to draw"),
                                     ("r,low,high,samples,packing,packing_error\n1,0,2,0,,\n3,2,4,0,,\n", [], "has no samples yet"),
                                     (boxes(1, 1, 1), [], "0 coordinates")]:
            with self.subTest(why):
                code, picture, said = self.plot(text, *arguments)
                self.assertEqual((code, picture), (1, b""))
                self.assertIn(why, said)


if __name__ == "__main__":
    unittest.main()
