"""The packs that the tests export: those that travel with Fracas, one of house rules, and two small ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from whole_packs import FOLDER

from fracas.packs.library import Library
from fracas.packs.shipped import shipped

GRITTY = Path(__file__).resolve().parents[2] / "docs" / "house-rules" / "gritty-streets"


@cache
def core() -> Library:
    return Library.read([shipped("datapacks")], None, ("examples",))


@cache
def gritty() -> Library:
    """The core packs under a layer of house rules."""
    return Library.read([shipped("datapacks"), GRITTY], None, ("examples",))


@cache
def small() -> Library:
    """Packs with every kind of entry, which somebody contributed."""
    return Library.read([FOLDER], None, ("examples",))


LIBRARIES = {"core": core, "gritty": gritty, "small": small}
_FOLDERS = {
    "core": [*shipped("datapacks").iterdir()],
    "gritty": [*shipped("datapacks").iterdir(), GRITTY],
    "small": [*FOLDER.iterdir()],
}
PACKS = [
    (library, folder.name)
    for library, folders in _FOLDERS.items()
    for folder in sorted(folders)
    if folder.is_dir()
]
"""Each pack of these libraries. A pack's folder has its name, so that none is read before a test needs it."""
