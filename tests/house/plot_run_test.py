"""tools/plot_run.py makes a picture of any series, and says so when there is none to make. Skipped without matplotlib."""
import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import plot_run  # noqa: E402


class PlotRun(unittest.TestCase):
    def plot(self, text, *arguments):
        """Exit code and picture (empty if none) for a series.csv with that text; None for no file at all."""
        with tempfile.TemporaryDirectory() as folder:
            if text is not None:
                (pathlib.Path(folder) / "series.csv").write_text(text, encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                code = plot_run.main([folder, *arguments])
            picture = pathlib.Path(folder) / "plot.png"
            return code, picture.read_bytes() if picture.exists() else b""

    def test_a_run_with_energies_and_discharge(self):
        lines = [f"{t},{t * t},{-t},{2 * t},{100 - t}" for t in range(10)]
        text = "time,energy.translational,energy.potential,hole.mass,grains\n" + "\n".join(lines) + "\n"
        code, picture = self.plot(text)
        self.assertEqual(code, 0)
        self.assertTrue(picture.startswith(b"\x89PNG"))

    def test_each_column_goes_to_its_panel(self):
        series = {"time": [0, 1], "energy.rotational": [1, 2], "energy.lost.sliding": [0, 1], "hole.mass": [0, 3],
                  "hole.rate": [0, 3], "hole.count": [0, 1], "contacts": [5, 6], "energy.balance_error": [1, 1],
                  "wall.floor.absorbed": [0, 1], "energy.stored_normal": [0, 0]}
        panels = {title: columns for title, _, columns in plot_run.choose(series)}
        self.assertEqual(panels, {"energy": ["energy.rotational"], "energy lost": ["energy.lost.sliding"],
                                  "discharged mass": ["hole.mass"], "discharge rate": ["hole.rate"],
                                  "number": ["contacts"]})

    def test_measures_of_motion_and_surfaces_have_panels(self):
        series = {"time": [0, 1], "scale_heights.kT": [1, 2], "scale_heights.light.height": [1, 2],
                  "scale_heights.light.expected": [1, 1], "scale_heights.light.ks": [0.2, 0.3],
                  "drum.angle": [20, 21], "drum.residual": [0.3, 0.3], "displacement.msd": [0, 1],
                  "displacement.msd_x": [0, 0.3], "heights.low": [1, 2]}
        panels = {title: columns for title, _, columns in plot_run.choose(series)}
        self.assertEqual(panels, {"scale height": ["scale_heights.light.height", "scale_heights.light.expected"],
                                  "slope of the surface": ["drum.angle"],
                                  "mean-square displacement": ["displacement.msd"]})

    def test_every_measure_of_the_small_hopper_has_a_panel(self):
        series = {"time": [0, 1], "discharge.mass": [0, 1], "discharge.rate": [0, 1], "height.p99": [1, 2],
                  "height.max": [1, 2], "coordination.mean": [4, 5], "coordination.without_rattlers": [5, 5],
                  "coordination.rattlers": [0, 0.1], "packing.fraction": [0.5, 0.6]}
        panels = {title: columns for title, _, columns in plot_run.choose(series)}
        self.assertEqual(panels, {"discharged mass": ["discharge.mass"], "discharge rate": ["discharge.rate"],
                                  "height": ["height.p99", "height.max"], "packing": ["packing.fraction"],
                                  "coordination": ["coordination.mean", "coordination.without_rattlers"]})
        self.assertEqual([title for title, _, _ in plot_run.chosen_panels(series, ["heights", "coordination"])],
                         ["height", "coordination"])

    def test_unknown_columns_gaps_and_short_lines(self):
        code, picture = self.plot("# a remark\ntime,wobble,other\n0,1,\n1,nan\n2,3,x\n")
        self.assertEqual(code, 0)
        self.assertTrue(picture.startswith(b"\x89PNG"))

    def test_nothing_to_draw_is_said(self):
        for text in [None, "", "time,kinetic\n"]:
            with self.subTest(text):
                self.assertEqual(self.plot(text), (2, b""))

    def test_one_thing_can_be_asked_for(self):
        series = {"time": [0, 1], "energy.rotational": [1, 2], "hole.mass": [0, 3], "hole.rate": [0, 3],
                  "wall.floor.force.x": [1, 1], "wall.floor.force.z": [0, 0], "wall.floors.absorbed": [0, 1]}
        titles = [title for title, _, _ in plot_run.chosen_panels(series, ["discharge"])]
        self.assertEqual(titles, ["discharged mass", "discharge rate"])
        self.assertEqual(plot_run.chosen_panels(series, ["wall.floor"]),
                         [("wall.floor", "", ["wall.floor.force.x", "wall.floor.force.z"])])
        with self.assertRaisesRegex(ValueError, "did you mean 'discharge'"):
            plot_run.chosen_panels(series, ["dischrge"])
        with self.assertRaisesRegex(ValueError, "nothing to draw as 'impacts'"):
            plot_run.chosen_panels(series, ["impacts"])

    def test_files_of_each_kind_and_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "series.csv").write_text("time,energy.potential\n0,1\n1,2\n", encoding="utf-8")
            for name in ["a.svg", "b.svg", "a.png", "b.png"]:
                with contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(plot_run.main([folder, "energy", "-o", str(path / name)]), 0)
            self.assertEqual((path / "a.svg").read_bytes(), (path / "b.svg").read_bytes())
            self.assertEqual((path / "a.png").read_bytes(), (path / "b.png").read_bytes())
            self.assertIn(b"<svg", (path / "a.svg").read_bytes())
            for name in ["a.gif", "no/a.png"]:
                with contextlib.redirect_stderr(io.StringIO()):
                    self.assertEqual(plot_run.main([folder, "-o", str(path / name)]), 2)

    def folder_with_profiles(self, folder):
        path = pathlib.Path(folder)
        (path / "series.csv").write_text("time,energy.potential\n0,1\n1,2\n", encoding="utf-8")
        head = "middle [m],low [m],high [m],volume [m3],samples,speed [m/s],speed_error [m/s],packing,packing_error"
        rows = [f"{z + 0.5},{z},{z + 1},1,5,{z},0.1,0.6,0.01" for z in range(4)]
        (path / "flow.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        head = "r [m],low [m],high [m],samples,angular_velocity [rad/s],angular_velocity_error [rad/s],packing,packing_error"
        rows = [f"{r + 0.5},{r},{r + 1},7,{r},0.1,0.6,0.01" for r in range(4)]
        (path / "ring.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        (path / "speeds.csv").write_text("bin,share\n0,0.5\n1,0.5\n", encoding="utf-8")  # no profile
        return path

    def drawn(self, folder, *wanted):
        """The names in the picture."""
        target = folder / "drawn.svg"
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(plot_run.main([str(folder), *wanted, "-o", str(target)]), 0)
        text = target.read_text(encoding="utf-8")
        words = ["energy (J)", "speed (m/s)", "angular_velocity (rad/s)", "packing"]
        return [word for word in words if f"<!-- {word} -->" in text]

    def test_profiles_by_name_beside_others_and_without_being_asked(self):
        with tempfile.TemporaryDirectory() as name:
            folder = self.folder_with_profiles(name)
            self.assertEqual(self.drawn(folder, "flow"), ["speed (m/s)", "packing"])
            self.assertEqual(self.drawn(folder, "ring"), ["angular_velocity (rad/s)", "packing"])
            self.assertEqual(self.drawn(folder, "energy", "flow"), ["energy (J)", "speed (m/s)", "packing"])
            self.assertEqual(self.drawn(folder, "energy"), ["energy (J)"])
            self.assertEqual(self.drawn(folder), ["energy (J)", "speed (m/s)", "angular_velocity (rad/s)", "packing"])
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(plot_run.main([name, "speeds", "-o", f"{name}/no.svg"]), 2)
            self.assertIn("not the table of a profile", said.getvalue())
            self.assertFalse((folder / "no.svg").exists())
            self.assertEqual(list(folder.glob("*.tmp")), [])

    def test_a_file_that_cannot_be_finished_leaves_the_old_one(self):
        import plot_file

        class Broken:
            def savefig(self, target, **_):
                target.write_text("half", encoding="utf-8")
                raise OSError("disk full")

        with tempfile.TemporaryDirectory() as name:
            target = pathlib.Path(name) / "a.svg"
            target.write_text("old", encoding="utf-8")
            with self.assertRaises(OSError):
                plot_file.save(Broken(), target)
            self.assertEqual(target.read_text(encoding="utf-8"), "old")
            self.assertEqual([path.name for path in pathlib.Path(name).iterdir()], ["a.svg"])


if __name__ == "__main__":
    if importlib.util.find_spec("matplotlib") is None:
        print("skipped: no matplotlib")
        sys.exit(77)
    unittest.main()
