"""Packs written into folders, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def entries(kind: str, *lines: str) -> str:
    return f"kind: {kind}\nruleset: sr4\nentries:\n" + "".join(f"  - {{{line}}}\n" for line in lines)


def write(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
