// The hand-written opening of docs/scene.md.
#include "talus/scene/reference_intro.h"

#include "talus/scene/reference.h"

namespace talus::scene {

std::string_view scene_example() {
    return R"toml(title = "Grains poured into a cup"

[time]
end = "0.5 s"

[gravity]
uniform = [0, 0, "-1 g0"]

[materials.glass]
density = "2.5 g/cm3"
[materials.steel]                     # walls need no density

[[contacts]]
between     = ["glass", "*"]          # glass against glass and against everything else
law         = "hooke"
kn          = { max_speed = "2 m/s" } # or a number in N/m
kt          = "2/7 kn"
restitution = 0.6
friction    = { static = 0.3 }

[[walls]]
name     = "cup"
shape    = { cylinder = { from = [0, 0, 0], to = [0, 0, "6 cm"], radius = "2 cm" } }
material = "steel"
[[walls]]
name     = "bottom"
shape    = { disk = { radius = "2 cm" } }
material = "steel"

[[fill]]
material = "glass"
radius   = { uniform = { low = "1.5 mm", high = "2 mm" } }
random   = {}
count    = 200
inside   = "cup"

[[measure]]
height = {}

[output]
frames = "10 ms"
)toml";
}

std::string reference_introduction() {
    return R"md(# The scene file

<!-- Generated from the list of keys in src/talus/scene; a test compares. Do not edit by hand. -->

A scene is a [TOML](https://toml.io) file that says everything about a run: materials, walls, grains, what happens and
what is recorded. `talus check SCENE` reads it and tells what it found; `talus run SCENE --out DIR` runs it.

A complete small scene:

```toml
)md" + std::string(scene_example()) +
           R"md(```

## How values are written

- **Numbers** are in SI units: `radius = 0.01` is a centimetre.
- **Numbers with units** are texts: `"3 us"`, `"1 g/cm3"`, `"80 kN/m"`, `"9.81 m/s^2"`, `"33 rpm"`, `"1 g0"`, `"12 deg"`.
  Products are written with a space, `*` or `·`, quotients with `/`, powers as `cm3` or `cm^3`. Units: m, g, s, N, Pa, J,
  W, Hz, A, C, V, T, bar and rad with the prefixes p n u (µ) m c d k M G T; also t, l, min, h, d, deg (°), rev, rpm, %,
  and g0 = 9.80665 m/s2. The dimension is checked: a length where a time belongs is an error.
- **Vectors** are three numbers, each with a unit if wanted: `[0, 0, "-1 g0"]`. With `dimensions = 2` they are two, and
  what turns about z is one number ([two_dimensions.md](two_dimensions.md)).
- Angles are in radians unless a unit says otherwise. Where cycles are wanted (`frequency`), Hz, rev/s and rpm all work;
  where a turning rate is wanted (`rate`, `spin`), Hz is refused because it would leave a factor of 2 pi open.
- NaN and infinity are refused everywhere.

## Errors

All faults of a file are told in one go, each with file, line, column, key, what was expected and the nearest valid name:

```
hopper.toml:9:1: error: materials.grain.densty: unknown key; did you mean "density"?
hopper.toml:12:10: error: walls[0].material: there is no material "stel"; expected the name of a [materials.…] table; did you mean "steel"?
```

`talus` then exits with code 2 and has written nothing.

## Changes from the command line

`--set KEY=VALUE` changes or adds a key for one run, as often as wanted: `--set materials.grain.density=2000`,
`--set 'walls.1.shape.disk.hole=12 cm'`, `--set 'stages[2].until.duration=1'`, `--set walls.floor.behaviour=sticky`.
Entries of lists are named by index from 0, or by their name. The value is TOML; what is no TOML counts as a text. The
scene as run, changes included, is stored with the results.

## Help while writing

`docs/scene.schema.json` is a JSON Schema of this page. Editors that know one for TOML (Even Better TOML, Taplo) complete
and check keys with this first line in the scene: `#:schema PATH/scene.schema.json`.

# Every key
)md";
}

}  // namespace talus::scene
