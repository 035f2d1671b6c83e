"""The OpenAPI document: 3.1, sound, complete, and read by a page that needs no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from attempts import CWN, CWN_DECIDING, CWN_G01, REFUSED, SR4, SR4_EX_05, SR5, TEST, put
from http_client import Api, Document, send
from jsonschema import Draft202012Validator, ValidationError

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
PATHS = {
    "/health": {"get"},
    "/v1/rulesets": {"get"},
    "/v1/rulesets/{id}": {"get"},
    "/v1/rulesets/{id}/balance": {"get"},
    "/v1/exchange": {"post"},
    "/v1/packs": {"get"},
    "/v1/packs/{id}": {"get"},
    "/v1/packs/{id}/{kind}": {"get"},
    "/v1/entries/{id}": {"get"},
    "/v1/packs/check": {"post"},
    "/v1/packs/reload": {"post"},
    "/v1/resolve": {"post"},
    "/v1/resolve/continue": {"post"},
    "/v1/odds": {"post"},
    "/v1/forecast": {"post"},
    "/foundry/module.json": {"get"},
    "/foundry/fracas.zip": {"get"},
    "/foundry/readme": {"get"},
    "/foundry/documents": {"get"},
    "/foundry/mappings": {"get"},
    "/v1/encounters": {"get", "post"},
    "/v1/encounters/{id}": {"get", "delete"},
    "/v1/encounters/{id}/commands": {"post"},
    "/v1/encounters/{id}/actions": {"get"},
    "/v1/encounters/{id}/odds": {"post"},
    "/v1/encounters/{id}/exchange": {"post"},
    "/v1/encounters/{id}/forecast": {"post"},
    "/v1/encounters/{id}/spots": {"post"},
    "/v1/encounters/{id}/surroundings": {"get"},
    "/v1/encounters/{id}/events": {"get"},
    "/v1/encounters/{id}/log": {"get"},
    "/v1/encounters/{id}/steps/{step}": {"get"},
    "/v1/encounters/{id}/tickets": {"post"},
    "/v1/encounters/{id}/tokens": {"get", "post"},
    "/v1/encounters/{id}/tokens/{token}": {"delete"},
    "/v1/encounters/{id}/tokens/{token}/rotate": {"post"},
}
WITHOUT_BODY = {
    "/v1/packs/reload",
    "/v1/encounters/{id}/tickets",
    "/v1/encounters/{id}/tokens/{token}/rotate",
}
OTHER = {"/foundry/fracas.zip": "application/zip", "/foundry/readme": "text/plain"}
"""Answers that are no JSON."""

ALSO = {"/v1/encounters/{id}/events": "text/event-stream", "/v1/encounters/{id}/log": "text/markdown"}


def nodes(data: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield way, data
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield from nodes(part, (*way, str(name)))


def operations(document: Document) -> Iterator[tuple[str, str, Any]]:
    for path, item in document.content["paths"].items():
        for method in METHODS & set(item):
            yield path, method, item[method]


def test_the_version_and_the_operations(document: Document) -> None:
    content = document.content
    assert content["openapi"] == "3.1.0"
    assert content["info"]["title"] == "Fracas"
    assert content["info"]["version"]
    assert content["info"]["license"]["identifier"] == "MIT"
    assert {path: METHODS & set(item) for path, item in content["paths"].items()} == PATHS


def test_every_reference_leads_somewhere(document: Document) -> None:
    references = [
        node["$ref"] for way, node in nodes(document.content) if isinstance(node, dict) and "$ref" in node
    ]
    assert len(references) > 50
    for reference in references:
        at = document.content
        assert reference.startswith("#/")
        for name in reference.removeprefix("#/").split("/"):
            at = at[name.replace("~1", "/").replace("~0", "~")]


def test_every_schema_is_one(document: Document) -> None:
    schemas = [
        node for way, node in nodes(document.content)
        if way[-1:] == ("schema",) or (way[:2] == ("components", "schemas") and len(way) == 3)
    ]  # fmt: skip
    assert len(schemas) > 40
    for schema in schemas:
        Draft202012Validator.check_schema(schema)


def test_patterns_are_those_of_every_language(document: Document) -> None:
    """A pattern is an ECMA-262 expression: it knows no \\A and no \\Z."""
    patterns = [
        node["pattern"] for _, node in nodes(document.content) if isinstance(node, dict) and "pattern" in node
    ]
    assert patterns
    assert [
        pattern for pattern in patterns if isinstance(pattern, str) and re.search(r"\\[AZz]", pattern)
    ] == []


def test_nothing_of_openapi_3_0_is_left(document: Document) -> None:
    for way, node in nodes(document.content):
        if isinstance(node, dict) and "examples" not in way and "example" not in way:
            assert "nullable" not in node
            assert not isinstance(node.get("exclusiveMinimum"), bool)


def test_every_operation_is_described(document: Document) -> None:
    for path, method, operation in operations(document):
        assert operation["summary"], path
        assert operation["tags"]
        assert {"200", "201", "204"} & set(operation["responses"])
        for status, response in operation["responses"].items():
            if "$ref" in response:
                response = document.content["components"]["responses"][response["$ref"].rpartition("/")[2]]
            assert response["description"]
            if status in ("204", "304"):
                assert "content" not in response
                continue
            also = {ALSO[path]} if status == "200" and path in ALSO else set()
            usual = OTHER.get(path, "application/json") if status == "200" else "application/json"
            assert set(response["content"]) == {usual} | also
            if status not in ("200", "201"):
                name = "Stale" if status == "412" else "Error"
                schema = response["content"]["application/json"]["schema"]
                assert schema == {"$ref": f"#/components/schemas/{name}"}, (path, status)
        declared = {(each["in"], each["name"]) for each in parameters(document, path, operation)}
        named = set(re.findall(r"\{(\w+)\}", path))
        assert {name for where, name in declared if where == "path"} == named
        assert ("requestBody" in operation) == (method == "post" and path not in WITHOUT_BODY)


def parameters(document: Document, path: str, operation: Any) -> list[Any]:
    return [*operation.get("parameters", ()), *document.content["paths"][path].get("parameters", ())]


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
def test_every_way_to_refuse_a_body_is_documented(document: Document, path: str) -> None:
    responses = document.content["paths"][path]["post"]["responses"]
    assert {"200", "400", "403", "413", "415", "422"} <= set(responses)


GOOD = {
    "sr4": SR4,
    "cwn": CWN,
    "sr5": SR5,
    "test": TEST,
    "refused": REFUSED,
    "deciding": CWN_DECIDING,
    "step": {**SR4, "mode": "step"},
    "seed": {**SR4, "dice": {"source": "seed", "seed": "0f" * 32}},
    "own seed": {**SR4, "dice": {"source": "seed", "seed": None}},
    "supplied": {**SR4_EX_05, "dice": {"source": "supplied", "faces": SR4_EX_05["dice"]}},
    "everything": {
        **SR4,
        "options": {"glitch_rule": "more_than_half"},
        "modifiers": [{"to": "attack.pool", "label": "Luck", "value": 1}],
        "decisions": [{"decision": "edge-before", "choose": "push", "by": "attacker", "roll": "attack"}],
        "attribution": False,
        "exact": True,
    },
}


@pytest.mark.parametrize("request_", GOOD.values(), ids=GOOD)
def test_what_the_service_accepts_fits_the_document(document: Document, api: Api, request_: Any) -> None:
    document.validator("components", "schemas", "Request").validate(request_)
    assert api.post("/v1/resolve", request_).status == 200


@pytest.mark.parametrize("request_", [SR4_EX_05, CWN_G01], ids=["sr4", "cwn"])
def test_dice_as_a_plain_list_fit_the_document(document: Document, api: Api, request_: Any) -> None:
    assert api.post("/v1/resolve", request_).status == 200
    document.validator("components", "schemas", "Request").validate(request_)


BAD = {
    "unknown field": {**SR4, "modus": 1},
    "missing field": {name: value for name, value in SR4.items() if name != "situation"},
    "situation": {**SR4, "situation": {"weapn": 1}},
    "negative": put(SR4, "situation/distance", -1),
    "text": {**SR4, "situation": "rook"},
    "mode": {**SR4, "mode": "stop"},
    "value": {**SR4, "modifiers": [{"to": "attack.pool", "value": 101}]},
    "source": {**SR4, "dice": {"source": "x"}},
    "truth": {**SR4, "exact": "yes"},
    "faces": {**SR4, "dice": {"source": "supplied", "faces": ["x"]}},
    "face": {**SR4, "dice": {"source": "supplied", "faces": [[0]]}},
}


@pytest.mark.parametrize("request_", BAD.values(), ids=BAD)
def test_what_the_document_forbids_is_refused(document: Document, api: Api, request_: Any) -> None:
    with pytest.raises(ValidationError):
        document.validator("components", "schemas", "Request").validate(request_)
    assert api.post("/v1/resolve", request_).status == 422


def test_the_examples_of_the_document_work(document: Document, api: Api) -> None:
    for path in ("/v1/resolve", "/v1/odds"):
        content = document.content["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        assert api.post(path, content["example"]).data["status"] == "resolved"


def test_answers_with_something_wrong_would_be_noticed(document: Document, api: Api) -> None:
    """The schemas of answers are no empty promise."""
    answer = api.resolve(SR4)
    check = document.validator("components", "schemas", "Answer")
    check.validate(answer)
    for wrong in (
        {**answer, "surprise": 1},
        {**answer, "status": "done"},
        {**answer, "rolls": [{**answer["rolls"][0], "faces": ["6"]}]},
        {**answer, "modifiers": [{**answer["modifiers"][0], "total": None}]},
        {**answer, "outcome": {"hit": [1]}},
    ):
        assert not check.is_valid(wrong)


# The page.


def test_the_page_needs_nothing_but_this_service(service: Any) -> None:
    page = send(service.port, "GET", "/docs")
    assert page.status == 200
    assert page.headers["Content-Type"].startswith("text/html")
    text = page.body.decode()
    loaded = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', text)
    assert len(loaded) >= 3
    for address in loaded:
        if address.startswith("data:"):
            continue
        assert urljoin("http://here/docs", address).startswith("http://here/")
        asset = send(service.port, "GET", address)
        assert asset.status == 200
        kind = "text/css" if address.endswith(".css") else "text/javascript"
        assert asset.headers["Content-Type"].startswith(kind)
        assert asset.body
    assert "<script>" not in text


def test_the_page_asks_for_our_document(service: Any) -> None:
    assert b"/openapi.json" in send(service.port, "GET", "/static/docs.js").body


def test_the_root_leads_to_the_console(service: Any) -> None:
    answer = send(service.port, "GET", "/")
    assert answer.status in (302, 303, 307, 308)
    assert answer.headers["Location"] == "/console/"
