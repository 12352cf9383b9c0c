"""Plants faults in a small tree and expects tools/house_rules.py to name each: a check that cannot fail is a defect."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import house_rules  # noqa: E402


class HouseRules(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name).resolve()
        self.write("src/talus/math/vec3.h", "// Idea.\n#pragma once\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def expect_room_fault(self, name, include, word):
        self.write(name, f"// Idea.\n#pragma once\n#include {include}\n")
        faults = house_rules.check_rooms(self.root)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(f"{name}:3:", faults[0])
        self.assertIn(word, faults[0])

    def test_a_clean_tree_has_no_faults(self):
        self.write("src/talus/laws/hooke.h", '// Idea.\n#pragma once\n#include "talus/math/vec3.h"\n#include <cmath>\n')
        self.assertEqual(house_rules.check_rooms(self.root), [])
        self.assertEqual(house_rules.check_files(self.root), [])

    def test_a_room_may_not_look_down(self):
        self.expect_room_fault("src/talus/math/bad.h", '"talus/model/system.h"', "math includes")

    def test_physics_does_not_know_the_model(self):
        self.expect_room_fault("src/talus/laws/bad.h", '"talus/model/bodies.h"', "laws includes")

    def test_engines_do_not_write_files(self):
        self.expect_room_fault("src/talus/engines/soft/bad.h", '"talus/output/frames.h"', "engines includes")

    def test_only_the_facade_reads_scenes(self):
        for room in ["search", "backends/cpu", "engines/soft", "analysis", "output"]:
            with self.subTest(room):
                name = f"src/talus/{room}/bad.h"
                self.expect_room_fault(name, '"talus/scene/scene.h"', "includes talus/scene/scene.h")
                (self.root / name).unlink()

    def test_doors_use_the_facade(self):
        self.expect_room_fault("apps/bad.cpp", '"talus/engines/soft/step.h"', "apps includes")

    def test_outside_libraries_keep_to_their_rooms(self):
        self.expect_room_fault("src/talus/model/bad.h", "<hdf5.h>", "belongs in scene, output only")

    def test_an_unknown_room_is_named(self):
        self.write("src/talus/attic/old.h", "// Idea.\n#pragma once\n")
        self.assertIn("'attic' is not in the table", house_rules.check_rooms(self.root)[0])

    def test_the_table_has_no_cycle(self):
        order = list(house_rules.ROOMS)
        for room, others in house_rules.ROOMS.items():
            for other in others:
                self.assertLess(order.index(other), order.index(room), f"{room} may include {other}")

    def expect_file_fault(self, name, text, word):
        self.write(name, text)
        faults = house_rules.check_files(self.root)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(word, faults[0])

    def test_a_long_file_is_named(self):
        self.write("tests/fits.cpp", "\n" * house_rules.LONGEST)
        self.expect_file_fault("tests/long.cpp", "\n" * (house_rules.LONGEST + 1), "801 lines")

    def test_unfinished_work_is_named(self):
        self.expect_file_fault("apps/main.cpp", "int main() {}  // TO" + "DO later\n", "unfinished")

    def test_loose_floating_point_is_named(self):
        self.expect_file_fault("cmake/Flags.cmake", "add_compile_options(-ffast" + "-math)\n", "pinned")

    def test_a_path_of_one_machine_is_named(self):
        self.expect_file_fault("tools/x.py", "open('/ho" + "me/someone/x')\n", "one machine")

    def test_a_header_says_its_idea(self):
        self.expect_file_fault("src/talus/math/mat3.h", "#pragma once\n", "opens with a comment")

    def test_compile_flags_are_read_from_the_build(self):
        commands = self.root / "compile_commands.json"

        def faults(command):
            commands.write_text(json.dumps([{"file": str(self.root / "src/talus/a.cpp"), "command": command}]))
            return house_rules.check_flags(self.root, commands)

        self.assertEqual(faults("g++ -O3 -ffp-contract=off -c a.cpp"), [])
        self.assertIn("without -ffp-contract=off", faults("g++ -O3 -c a.cpp")[0])
        self.assertIn("loose", faults("g++ -ffp-contract=off -ffast" + "-math -c a.cpp")[0])
        commands.write_text("[]")
        self.assertEqual(len(house_rules.check_flags(self.root, commands)), 1)


if __name__ == "__main__":
    unittest.main()
