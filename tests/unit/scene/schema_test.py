"""docs/scene.schema.json is a valid schema, takes the example and every scene of the gallery, and refuses slips."""

import copy
import pathlib
import re
import sys
import tomllib

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

import json

root = pathlib.Path(__file__).resolve().parents[3]
schema = json.loads((root / "docs/scene.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

page = (root / "docs/scene.md").read_text()
example = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL).group(1))
grains = tomllib.loads(re.search(r"```toml\n(.*?)```", (root / "docs/grains.md").read_text(), re.DOTALL).group(1))
scenes = {"the example of docs/scene.md": example, "the example of docs/grains.md": grains}
for path in sorted((root / "scenes").rglob("*.toml")):
    scenes[str(path.relative_to(root))] = tomllib.loads(path.read_text())

failures = 0
for name, scene in scenes.items():
    for error in validator.iter_errors(scene):
        print(f"{name}: {error.json_path}: {error.message}")
        failures += 1


def slip(change):
    """The schema must refuse the example after this change."""
    global failures
    scene = copy.deepcopy(example)
    change(scene)
    if validator.is_valid(scene):
        print(f"taken, though wrong: {scene}")
        failures += 1


slip(lambda s: s.update(titel="x"))
slip(lambda s: s["materials"]["glass"].update(density=-1))
slip(lambda s: s["materials"]["glass"].update(densty=1))
slip(lambda s: s["contacts"][0].update(law="hook"))
slip(lambda s: s["contacts"][0].update(young=1e6))
slip(lambda s: s["walls"][0]["shape"].update(point={}))
slip(lambda s: s["walls"][0].pop("name"))
slip(lambda s: s["fill"][0].update(fraction=0.1))
slip(lambda s: s["fill"][0].pop("random"))
slip(lambda s: s["gravity"].update(uniform=[0]))
slip(lambda s: s.update(engine="sof"))
print(f"{len(scenes)} scenes, {failures} failures")
sys.exit(1 if failures else 0)
