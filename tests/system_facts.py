"""Facts of Foundry's game systems (``integrations/foundry/systems``), with every path written out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FOLDER = Path(__file__).resolve().parents[1] / "integrations/foundry/systems"
SYSTEMS = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))
Json = dict[str, Any]


class Facts(NamedTuple):
    """A system.

    Attributes:
        raw: its file.
        documents: by ``actors`` or ``items`` and type, each field by its path below ``system``; what the system works
            out by itself has ``derived``.
    """

    raw: Json
    documents: Mapping[str, Mapping[str, Mapping[str, Json]]]

    def as_json(self) -> Json:
        """The file with every path written out, as the scripts of the tests read it."""
        return {**self.raw, "documents": self.documents}

    def field(self, kind: str, type: str, path: str) -> Json | None:
        """The field at a path; that of the object or list around it, if there it is not looked into; None for none."""
        fields = self.documents[kind].get(type, {})
        steps = path.split(".")
        for length in range(len(steps), 0, -1):
            for known in _ways(tuple(steps[:length])):
                found = fields.get(known)
                if found and (length == len(steps) or found["type"] in ("object", "any")):
                    return found if length == len(steps) or not _has_inner(fields, known) else None
        return None


def _ways(steps: tuple[str, ...]) -> Iterator[str]:
    """A path, and those in which one of its keys is any key."""
    yield ".".join(steps)
    for at in range(1, len(steps)):
        yield ".".join((*steps[:at], "*", *steps[at + 1 :]))


def _has_inner(fields: Mapping[str, Json], path: str) -> bool:
    return any(each.startswith(f"{path}.") for each in fields)


def written_out(path: str) -> list[str]:
    """``stats.{str,dex}.base`` as ``stats.str.base`` and ``stats.dex.base``."""
    parts = [part.split(",") for part in re.split(r"[{}]", path)]
    kept = [part if at % 2 else [",".join(part)] for at, part in enumerate(parts)]
    return ["".join(each) for each in itertools.product(*kept)]


@cache
def facts(system: str) -> Facts:
    raw: Json = yaml.safe_load((FOLDER / f"{system}.yaml").read_text("utf-8"))
    documents: dict[str, dict[str, dict[str, Json]]] = {}
    for kind in ("actors", "items"):
        by_type = documents[kind] = {}
        for group in raw[kind]["fields"]:
            for type in group["types"]:
                fields = {each: field for path, field in group["paths"].items() for each in written_out(path)}
                by_type.setdefault(type, {}).update(fields)
        for group in raw[kind].get("derived", ()):
            for type in group["types"]:
                for path, is_ in group["paths"].items():
                    by_type[type].update({each: {"type": is_, "derived": True} for each in written_out(path)})
    return Facts(raw, documents)
