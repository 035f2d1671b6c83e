"""The JSON Schemas under ``/schemas/``, without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from flask.testing import FlaskClient
from service_packs import refusal

from fracas.packs import schemas
from fracas.packs.entries import KINDS


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for part in node.values():
            yield from references(part)
    elif isinstance(node, list):
        for part in node:
            yield from references(part)


def test_all_schemas_are_listed(plain: FlaskClient) -> None:
    listed = plain.get("/schemas/").json
    assert listed == sorted(schemas.names())
    assert {f"{kind}.schema.json" for kind in (*KINDS, "pack", "common")} <= set(listed)


def test_every_schema_is_served_and_its_references_lead_somewhere(plain: FlaskClient) -> None:
    base = "http://localhost/schemas/"
    seen = set()
    for name in plain.get("/schemas/").json:
        answer = plain.get(f"/schemas/{name}")
        assert answer.status_code == 200
        assert answer.mimetype == "application/schema+json"
        data = json.loads(answer.data)
        assert data == schemas.schema(name)
        for reference in references(data):
            address = urlsplit(urljoin(urljoin(base + name, data["$id"]), reference))
            target = plain.get(f"{address.path}?{address.query}")
            assert target.status_code == 200, (name, reference)
            part = json.loads(target.data)
            for step in address.fragment.split("/")[1:]:
                part = part[step.replace("~1", "/").replace("~0", "~")]
            seen.add(address.path)
    assert len(seen) > 5


def test_schemas_are_cached(plain: FlaskClient) -> None:
    first = plain.get("/schemas/weapons.schema.json")
    tag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "no-cache"
    again = plain.get("/schemas/weapons.schema.json", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert plain.get("/schemas/armor.schema.json").headers["ETag"] != tag
    head = plain.head("/schemas/weapons.schema.json")
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", tag)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("weapon.schema.json", "did you mean 'weapons.schema.json'?"),
        ("WEAPONS.schema.json", "did you mean 'weapons.schema.json'?"),
        ("x", ""),
        ("x" * 500, ""),
        ("..%2Fpack.yaml", ""),
        ("..", ""),
        ("weapons.schema.json%00", ""),
    ],
)
def test_a_schema_that_does_not_exist(plain: FlaskClient, name: str, hint: str) -> None:
    error = refusal(plain.get(f"/schemas/{name}"), 404)
    assert hint in error["message"]
    assert len(error["message"]) < 300
