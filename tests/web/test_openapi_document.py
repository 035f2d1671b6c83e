"""The OpenAPI document is one from which generators make clients: named, closed, complete, small."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient
from said_situations import situation
from tiers import scale

from fracas.engine.game import Games

MOST = 600_000
SAMPLES = scale(2, 12)


@pytest.fixture(scope="module")
def games(app: Flask) -> Games:
    found: Games = app.extensions["fracas"]
    return found


@pytest.fixture(scope="module")
def schemas(document: Any) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def pascal(*names: str) -> str:
    return "".join(part[:1].upper() + part[1:] for name in names for part in name.split("-"))


def nodes(data: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield way, data
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield from nodes(part, (*way, str(name)))


def objects(schemas: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for way, node in nodes(schemas):
        if isinstance(node, dict) and way[-1:] not in (("properties",), ("mapping",), ("examples",)):
            yield way, node


def test_it_is_small_packed_and_fetched_once(client: FlaskClient) -> None:
    plain = client.get("/openapi.json")
    packed = client.get("/openapi.json", headers={"Accept-Encoding": "br, gzip"})
    assert len(plain.data) < MOST
    assert len(packed.data) < len(plain.data) / 5
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    for answer, wanted in ((plain, ""), (packed, "gzip")):
        assert "Accept-Encoding" in answer.headers["Vary"]
        tag = {"If-None-Match": answer.headers["ETag"], "Accept-Encoding": wanted}
        again = client.get("/openapi.json", headers=tag)
        assert (again.status_code, again.data) == (304, b"")
    assert plain.headers["ETag"] != packed.headers["ETag"]
    refused = client.get("/openapi.json", headers={"Accept-Encoding": "gzip;q=0"})
    assert "Content-Encoding" not in refused.headers


def test_operations_and_components_have_names_of_their_own(document: Any, schemas: dict[str, Any]) -> None:
    operations = [
        operation
        for item in document["paths"].values()
        for name, operation in item.items()
        if name != "parameters"
    ]
    ids = [operation["operationId"] for operation in operations]
    assert len(ids) == len(set(ids)) > 25
    assert all(id.isalnum() and id[0].islower() for id in ids)
    assert document["servers"]
    classes = Counter(name.replace("-", "").replace("_", "").casefold() for name in schemas)
    classes.update(
        node["title"].replace(" ", "").casefold()
        for way, node in objects(schemas)
        if isinstance(node.get("title"), str)
    )
    assert [name for name, times in classes.items() if times > 1] == []


def test_one_of_several_is_told_by_a_word(schemas: dict[str, Any]) -> None:
    told = [(way, node) for way, node in objects(schemas) if "discriminator" in node]
    assert {way[0] for way, _ in told} == {
        "Command",
        "Sr4Request",
        "Sr5Request",
        "CwnRequest",
        "ImperiumRequest",
    }
    for way, node in told:
        name, mapping = node["discriminator"]["propertyName"], node["discriminator"]["mapping"]
        assert sorted(mapping.values()) == sorted(one["$ref"] for one in node["oneOf"]), way
        for word, reference in mapping.items():
            one = schemas[reference.rpartition("/")[2]]
            assert one["properties"][name] == {"type": "string", "const": word}
            assert name in one["required"]


def test_nothing_that_may_be_left_out_has_a_default(schemas: dict[str, Any]) -> None:
    """A generator would take it for a field that must be there."""
    assert [way for way, node in objects(schemas) if "default" in node] == []


def test_what_procedures_share_is_one_component(schemas: dict[str, Any], games: Games) -> None:
    for id in games.ids():
        ruleset = games.game(id).ruleset
        for procedure in ruleset.procedures.values():
            situation = schemas[pascal(id, procedure.id) + "Situation"]
            assert situation["additionalProperties"] is False
            for record in procedure.vocabulary.records.values():
                if record.entry_kind:
                    name = pascal(id, record.entry_kind)
                    shared = situation["properties"][record.path]["$ref"]
                    assert shared == f"#/components/schemas/{name}OrName"
                    text, reference = schemas[f"{name}OrName"]["anyOf"]
                    assert text["type"] == "string"
                    assert reference == {"$ref": f"#/components/schemas/{name}"}
        request = schemas[pascal(id) + "Request"]["discriminator"]["mapping"]
        assert set(request) == set(ruleset.procedures)


def test_what_every_procedure_takes_fits_its_request(document: Any, games: Games) -> None:
    validators: dict[str, Any] = {}

    def fits(name: str, request: Any) -> bool:
        if name not in validators:
            schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
            validators[name] = jsonschema_rs.Draft202012Validator(schema)
        valid: bool = validators[name].is_valid(request)
        return valid

    for id in games.ids():
        game = games.game(id)
        other = next(one for one in games.ids() if one != id)
        for procedure in game.ruleset.procedures.values():
            for number in range(SAMPLES):
                said = situation(procedure, game.packs, random.Random(f"{procedure.id} {number}"))
                procedure.vocabulary.parse(said, game.packs)
                request = {"ruleset": id, "procedure": procedure.id, "situation": said}
                assert fits("Request", request), (id, procedure.id, said)
                assert fits(pascal(id, procedure.id) + "Request", request)
                assert not fits("Request", {**request, "ruleset": "sr9"})
                if procedure.id not in games.game(other).ruleset.procedures:
                    assert not fits("Request", {**request, "ruleset": other})
                assert not fits("Request", {**request, "situation": {**said, "no_such_field": 1}})
                assert not fits("Request", {**request, "procedure": "no-such-procedure"})
                assert not fits("Request", {**request, "options": {"no_such_rule": True}})


def test_what_a_ruleset_says_of_its_situations_is_within_the_document(
    client: FlaskClient, schemas: dict[str, Any], games: Games
) -> None:
    """The exact fields of each procedure are told by the ruleset; the document's components have all of them."""
    for id in games.ids():
        procedures = json.loads(client.get(f"/v1/rulesets/{id}").data)["procedures"]
        for procedure in procedures:
            exact = procedure["situation"]["properties"]
            known = schemas[pascal(id, procedure["id"]) + "Situation"]["properties"]
            assert exact.keys() == known.keys()
            for name, part in exact.items():
                record = part["anyOf"][1] if "anyOf" in part else part
                if "properties" in record:
                    component = schemas[known[name]["$ref"].rpartition("/")[2].removesuffix("OrName")]
                    assert record["properties"].keys() <= component["properties"].keys()


def test_house_rules_are_those_of_the_packs(schemas: dict[str, Any], games: Games) -> None:
    for id in games.ids():
        game = games.game(id)
        validator = jsonschema_rs.Draft202012Validator(schemas[pascal(id) + "Options"])
        assert validator.is_valid(game.options({}))
        for rule in game.house_rules.values():
            assert not validator.is_valid({rule.id: "no such choice"})
