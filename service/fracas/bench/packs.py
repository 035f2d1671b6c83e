"""Checking a large pack file with the place of each fault, against a YAML library that keeps places, and jsonschema."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from fracas.bench.timing import Figure, Row, in_turn
from fracas.packs.schemas import names, schema
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_source import load

ENTRIES = 500
FAULTY_EVERY = 10
WEAPONS = Figure(
    f"{ENTRIES} weapons loaded and checked against their schema, with the location of every error",
    "ruamel.yaml and jsonschema, the same schema as written",
    "ms",
    6.0,
)
FIGURES = (WEAPONS,)


def measure() -> list[Row]:
    try:
        from ruamel.yaml import YAML
    except ImportError:
        return [WEAPONS.missing("ruamel.yaml is not installed")]
    text = weapons()
    round_trip, errors = YAML(), _by_original_schemas("weapons")

    def ours() -> list[str]:
        return [problem.path for problem in structure_problems(load(text, "weapons.yaml"), "weapons")]

    def peer() -> list[str]:
        data = round_trip.load(text)
        return [_place(data, error.absolute_path) for error in errors(data)]

    if not (ours() and peer()):
        raise RuntimeError("the faults in the generated file were not found")
    mine, theirs, ratio = in_turn(ours, peer, runs=3)
    return [WEAPONS.row(mine * 1e3, theirs * 1e3, ratio)]


def weapons() -> str:
    """A file of sr4's weapons under new names, some of them faulty."""
    import yaml

    folder = shipped("datapacks") / "sr4-core"
    files = [*folder.glob("weapons.yaml"), *sorted(folder.glob("weapons/*.yaml"))]
    shipping = [entry for path in files for entry in load(path.read_bytes(), path.name).data["entries"]]
    known = [entry for entry in shipping if "slug" in entry]
    entries = []
    for at in range(ENTRIES):
        entry = {**copy.deepcopy(known[at % len(known)]), "slug": f"weapon-{at}"}
        if at % FAULTY_EVERY == 0:
            _SPOILT[at // FAULTY_EVERY % len(_SPOILT)](entry)
        entries.append(entry)
    file = {"kind": "weapons", "ruleset": "sr4", "entries": entries}
    return yaml.safe_dump(file, sort_keys=False, default_flow_style=None, allow_unicode=True, width=110)


def _misspell(entry: dict[str, Any]) -> None:
    entry["lable"] = entry.pop("label")


_SPOILT: tuple[Callable[[dict[str, Any]], object], ...] = (
    _misspell,
    lambda entry: entry.update(cost="a lot"),
    lambda entry: entry.update(category="heavy-pistl"),
    lambda entry: entry.update(dv=1000),
    lambda entry: entry.pop("source"),
)


def _by_original_schemas(kind: str) -> Callable[[Any], Any]:
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resources = ((name, DRAFT202012.create_resource(schema(name))) for name in names())
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator({"$ref": f"{kind}.schema.json"}, registry=registry).iter_errors


def _place(data: Any, path: Any) -> str:
    """``file:line:column`` as ruamel.yaml knows it."""
    line, column = data.lc.line, data.lc.col
    for step in path:
        if isinstance(data, Mapping):
            line, column = data.lc.value(step)  # type: ignore[attr-defined]
        elif isinstance(data, list):
            line, column = data.lc.item(step)  # type: ignore[attr-defined]
        data = data[step]
    return f"weapons.yaml:{line + 1}:{column + 1}"
