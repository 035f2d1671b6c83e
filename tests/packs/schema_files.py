"""The schema files and the shipped files as the tests see them: as they are written, judged by plain jsonschema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from fracas.packs.attached import schema_of_attached
from fracas.packs.shipped import shipped

FOLDER = shipped("schemas")
PACKS = shipped("datapacks")
ATTACHED = {
    path: schema
    for path in sorted(PACKS.rglob("*.yaml"))
    if (schema := schema_of_attached("/".join(path.relative_to(PACKS).parts[1:])))
}
"""The files of packs for other programs, each with its schema."""

FILES = [path for path in sorted(PACKS.rglob("*.yaml")) if path not in ATTACHED]
SCHEMAS: dict[str, Any] = {
    path.name: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, DRAFT202012.create_resource(schema)) for name, schema in SCHEMAS.items()
)
_QUICK_REGISTRY = jsonschema_rs.Registry(list(SCHEMAS.items()))


@cache
def validator(reference: str) -> Draft202012Validator:
    """Of a file, or of a part of it: ``sr4.schema.json#/$defs/weapon``."""
    return Draft202012Validator({"$ref": reference}, registry=REGISTRY)


@cache
def quick_validator(reference: str) -> jsonschema_rs.Draft202012Validator:
    """The same by another library, ten times as fast: for choosing what to test with, not for the test itself."""
    return jsonschema_rs.Draft202012Validator({"$ref": reference}, registry=_QUICK_REGISTRY)


def of_kind(kind: str) -> Draft202012Validator:
    return validator(f"{kind}.schema.json")


def complaints(errors: Iterable[ValidationError]) -> list[str]:
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


def kind_of(path: Path) -> str:
    """The kind of a shipped file: its own name, or the name of the folder it lies in."""
    parts = path.relative_to(PACKS).parts
    return path.stem if len(parts) == 2 else parts[1]


def name_of(path: Path) -> str:
    return path.relative_to(PACKS).as_posix()


# --- Places in schemas ------------------------------------------------------------------------------------


class At(NamedTuple):
    """A schema by its place: ``sr4.schema.json`` and ``#/$defs/weapon``."""

    file: str
    pointer: str = "#"

    def __str__(self) -> str:
        return f"{self.file}{self.pointer}"

    def into(self, *steps: str | int) -> At:
        words = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
        return At(self.file, "/".join((self.pointer, *words)))

    @property
    def schema(self) -> Any:
        return _schema(self)

    def refers(self) -> At | None:
        """Where its ``$ref`` leads."""
        reference = self.schema.get("$ref")
        if reference is None:
            return None
        file, _, pointer = reference.partition("#")
        return At(file or self.file, f"#{pointer}")


@cache
def _schema(at: At) -> Any:
    found: Any = SCHEMAS[at.file]
    for step in at.pointer.split("/")[1:]:
        word = step.replace("~1", "/").replace("~0", "~")
        found = found[int(word)] if isinstance(found, list) else found[word]
    return found


_MAPS = ("properties", "$defs", "dependentSchemas")
_ONE = (
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "then",
    "else",
    "if",
    "not",
)
_MANY = ("prefixItems", "oneOf", "allOf", "anyOf")


def schemas_in(at: At) -> Iterator[At]:
    """Every schema in a schema, itself included."""
    if not isinstance(at.schema, Mapping):
        return
    yield at
    for word in _MAPS:
        for name in at.schema.get(word, ()):
            yield from schemas_in(at.into(word, name))
    for word in _ONE:
        if word in at.schema:
            yield from schemas_in(at.into(word))
    for word in _MANY:
        for index in range(len(at.schema.get(word, ()))):
            yield from schemas_in(at.into(word, index))


ALL = [at for name in SCHEMAS for at in schemas_in(At(name))]


def property_name(at: At) -> str | None:
    """The property that this is the schema of."""
    *_, word, name = ("", "", *at.pointer.split("/"))
    return name if word == "properties" else None


def only_asks(at: At) -> bool:
    """Whether it stands in an ``if``, which demands nothing."""
    steps = at.pointer.split("/")
    return any(step == "if" and steps[place - 1] != "properties" for place, step in enumerate(steps))


def followed(at: At) -> dict[str, Any]:
    """The schema with what its references add; what it says itself comes first."""
    target = at.refers()
    return {**followed(target), **at.schema} if target else dict(at.schema)
