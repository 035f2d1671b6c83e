"""Two small packs that need no other: a street for sr4, and a city for cwn, which has the kinds that sr4 lacks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fracas.packs.files import PackFiles, in_memory

FOLDER = Path(__file__).parent / "complete_packs"


def texts_of(pack: str) -> dict[str, str]:
    """The files of ``street`` or ``city`` by their paths."""
    root = FOLDER / pack
    paths = sorted(root.rglob("*.yaml"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths}


def files_of(texts: Mapping[str, str], label: str) -> PackFiles:
    """Files for a check."""
    return in_memory({name: text.encode() for name, text in texts.items()}, label)
