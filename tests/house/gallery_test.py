"""docs/gallery.md shows every scene of scenes/, and every picture that a page shows or links to is there."""
import pathlib
import re
import unittest

HOME = pathlib.Path(__file__).resolve().parents[2]


def links(text):
    """Targets of pictures and links, without what lies elsewhere in the world and without the part behind a #."""
    found = re.findall(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)", text)
    return [target for target in found if "://" not in target and not target.startswith("mailto:")]


def missing_scenes(gallery, scenes):
    """Scenes that the gallery does not run, each with its own command."""
    return [name for name in scenes if f"talus run scenes/{name}" not in gallery]


class Gallery(unittest.TestCase):
    def test_every_scene_is_shown(self):
        gallery = (HOME / "docs/gallery.md").read_text(encoding="utf-8")
        scenes = sorted(path.name for path in (HOME / "scenes").glob("*.toml"))
        self.assertTrue(scenes)
        self.assertEqual(missing_scenes(gallery, scenes), [])

    def test_what_pages_link_to_is_there(self):
        pages = [*(HOME / "docs").glob("*.md"), *HOME.glob("*.md")]
        broken = [f"{page.name}: {target}" for page in pages for target in links(page.read_text(encoding="utf-8"))
                  if not (page.parent / target).exists()]
        self.assertEqual(broken, [])

    def test_every_picture_is_shown_somewhere(self):
        pages = [*(HOME / "docs").glob("*.md"), *HOME.glob("*.md")]
        shown = {(page.parent / target).resolve() for page in pages for target in links(page.read_text(encoding="utf-8"))}
        lost = [path.name for path in (HOME / "docs/images").iterdir() if path.resolve() not in shown]
        self.assertEqual(lost, [])

    def test_planted_faults_are_found(self):
        self.assertEqual(missing_scenes("talus run scenes/a.toml", ["a.toml", "b.toml"]), ["b.toml"])
        self.assertEqual(links("![x](images/a.png) [y](b.md#part) [z](https://c.org/d.png)"), ["images/a.png", "b.md"])


if __name__ == "__main__":
    unittest.main()
