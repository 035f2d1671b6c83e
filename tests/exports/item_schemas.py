"""The schemas of items as the tests use them: judged by plain jsonschema."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from fracas.packs.shipped import shipped

FOLDER = shipped("schemas") / "foundry"
SCHEMAS: dict[str, Any] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text("utf-8"))
    for path in sorted(FOLDER.glob("*.json"))
    if not path.name.startswith("sheet-mapping")
}
_REGISTRY: Registry[Any] = Registry().with_resources(
    (schema["$id"], DRAFT202012.create_resource(schema)) for schema in SCHEMAS.values()
)


@cache
def item_check(system: str) -> Draft202012Validator:
    """Of the items of a game system."""
    return Draft202012Validator({"$ref": f"foundry/{system}.schema.json"}, registry=_REGISTRY)


@cache
def document_check(form: str) -> Draft202012Validator:
    """Of documents that every system has: ``journal``, ``table`` or ``macro``."""
    return Draft202012Validator({"$ref": f"foundry/documents.schema.json#/$defs/{form}"}, registry=_REGISTRY)


def complaints(check: Draft202012Validator, document: Any) -> list[str]:
    return [
        f"{'.'.join(map(str, error.absolute_path))}: {(best_match([error]) or error).message[:200]}"
        for error in check.iter_errors(document)
    ]
