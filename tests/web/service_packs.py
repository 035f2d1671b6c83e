"""Packs for a service that is started for a test, and what its answers must look like."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whole_packs import texts_of

STREET = texts_of("street")
TOKEN = "the-administrators-token"
HOUSE = {
    "pack.yaml": (
        "id: house\ntitle: House\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: ready\nlayer: house\n"
        "licenses: {data: CC0-1.0}\nsources: [{id: ours, title: Ours}]\nrequires: [{id: street}]\n"
    ),
    "armor.yaml": (
        "kind: armor\nruleset: sr4\nentries:\n"
        "  - {patch: street:armor/coat, set: {impact: 3}, source: {ref: ours}}\n"
        "  - {slug: vest, label: Vest, ballistic: 1, impact: 1, source: {ref: ours}}\n"
    ),
}
BROKEN_ARMOR = "kind: armor\nruleset: sr4\nentries:\n  - {slug: a, label: A, ballistic: x, impact: 1"
BROKEN_ARMOR += ", source: {ref: o}}\n"


def write(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def refusal(answer: Any, status: int) -> Any:
    """The one error body."""
    assert answer.status_code == status, answer.json
    assert set(answer.json) == {"code", "status", "message", "errors"}
    assert answer.json["status"] == status
    return answer.json
