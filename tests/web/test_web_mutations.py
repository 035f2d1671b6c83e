"""A valid request, changed at random places: whatever comes of it, it is no 5xx."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from tiers import scale

from fracas.web.bench import ATTACK

CWN: dict[str, Any] = {
    "ruleset": "cwn",
    "procedure": "attack",
    "situation": {
        "attacker": {"use": "wren", "skills": {"shoot": 1}, "prone": False},
        "target": {"use": "corp-guard", "hp": 5, "cover": "half"},
        "weapon": {"use": "combat-rifle", "mods": []},
        "attack": {"burst": True},
        "distance": 30.5,
    },
    "options": {"natural_20_hits": True, "melee_reach_m": 3},
    "modifiers": [{"to": "attack.bonus", "label": "Wind", "value": -1}],
    "decisions": [],
    "mode": "auto",
    "dice": {"source": "seed", "seed": "ab" * 32},
    "attribution": True,
    "exact": False,
}
SR4: dict[str, Any] = {
    **ATTACK,
    "options": {"glitch_rule": "more_than_half", "buying_hits": True},
    "decisions": [{"decision": "edge-before", "choose": "push", "by": "attacker", "roll": "attack"}],
    "mode": "auto",
    "dice": {"source": "supplied", "faces": [[1, 2], [6]]},
    "attribution": True,
    "exact": True,
}
TEST: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "success-test",
    "situation": {
        "tester": {"use": "rook", "skills": {"pistols": 3}},
        "skill": "pistols",
        "attribute": "agility",
    },
}
REQUESTS = [SR4, CWN, TEST]

Way = tuple[str | int, ...]


def ways(data: Any, way: Way = ()) -> Iterator[Way]:
    """The ways to all parts of a request."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield (*way, name)
        yield from ways(part, (*way, name))


def at(data: Any, way: Way) -> Any:
    for name in way:
        data = data[name]
    return data


numbers = st.one_of(
    st.integers(-3, 70),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 2**63, 2**64, 10_000, 1e308, -0.0, 0.5]),
    st.floats(),
)
texts = st.one_of(
    st.text(st.characters(), max_size=12),
    st.sampled_from(
        ["", "\ud800", "\0", "x" * 3_000, "use", "sr4", "cwn", "rook", "edge-before", "attack.pool", "none"]
    ),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)
words = st.sampled_from(
    ["use", "pool", "skills", "armor", "foci", "edge", "edge_points", "body", "physical", "cover", "prone", "mods",
     "ammunition", "modes", "dv", "ap", "damage", "rounds", "hp", "soak", "trauma_die", "seed", "faces", "by", "roll"]
)  # fmt: skip


@st.composite
def changed(draw: st.DrawFn) -> Any:
    """A request with one to three parts replaced, left out, added, wrapped, or moved."""
    data = copy.deepcopy(draw(st.sampled_from(REQUESTS)))
    for _ in range(draw(st.integers(1, 3))):
        known = list(ways(data))
        if not known:
            break
        *before, last = draw(st.sampled_from(known))
        holder = at(data, tuple(before))
        how = draw(st.sampled_from(["replace", "replace", "leave out", "add", "wrap", "copy", "repeat"]))
        if how == "replace":
            holder[last] = draw(values)
        elif how == "leave out":
            del holder[last]
        elif how == "add" and isinstance(holder, dict):
            holder[draw(st.one_of(words, texts))] = draw(values)
        elif how == "wrap":
            holder[last] = draw(st.sampled_from([lambda x: [x], lambda x: {"use": x}, lambda x: [[x, x]]]))(
                holder[last]
            )
        elif how == "copy":
            holder[last] = copy.deepcopy(at(data, draw(st.sampled_from(known))))
        elif isinstance(holder, list):
            holder.extend([holder[last]] * draw(st.integers(1, 70)))
    return data


def post(client: FlaskClient, path: str, body: bytes) -> Any:
    response = client.post(path, data=body, content_type="application/json")
    assert response.status_code in (200, 400, 403, 422), (response.status_code, body[:2_000])
    answer = json.loads(response.data, parse_constant=_no_constant)
    if response.status_code != 200:
        assert set(answer) == {"code", "status", "message", "errors"}
        assert all(fault["code"] and fault["message"] for fault in answer["errors"])
    return answer


def _no_constant(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


@pytest.mark.slow
@settings(max_examples=scale(50, 600))
@given(changed())
def test_a_changed_request_never_fails_the_service(app: Flask, data: Any) -> None:
    body = json.dumps(data).encode()
    post(app.test_client(), "/v1/resolve", body)
    post(app.test_client(), "/v1/odds", body)


@settings(max_examples=scale(20, 120))
@given(changed(), st.lists(st.tuples(st.integers(0, 5_000), st.binary(max_size=3)), min_size=1, max_size=3))
def test_a_garbled_body_never_fails_the_service(app: Flask, data: Any, changes: Any) -> None:
    body = bytearray(json.dumps(data).encode())
    for place, other in changes:
        body[place % len(body) : place % len(body) + 1] = other
    post(app.test_client(), "/v1/resolve", bytes(body))


@settings(max_examples=scale(16, 100))
@given(st.data())
def test_a_changed_answer_to_a_step_never_fails_the_service(app: Flask, data: st.DataObject) -> None:
    client = app.test_client()
    request = {name: value for name, value in ATTACK.items() if name != "modifiers"} | {"mode": "step"}
    continuation = post(client, "/v1/resolve", json.dumps(request).encode())["continuation"]
    answer: dict[str, Any] = {"continuation": continuation, "choose": "push", "dice": [[1, 2], [3]]}
    name = data.draw(st.sampled_from([*answer, "other"]))
    answer[name] = data.draw(values)
    post(client, "/v1/resolve/continue", json.dumps(answer).encode())


@given(values)
def test_any_json_at_all_never_fails_the_service(app: Flask, data: Any) -> None:
    for path in ("/v1/resolve", "/v1/resolve/continue", "/v1/odds"):
        post(app.test_client(), path, json.dumps(data).encode())


# Many faults, and long ones.

LONG = "x" * 200_000
MANY = {f"phisical{number}": 1 for number in range(5_000)}
SITUATION: dict[str, Any] = SR4["situation"]
LAVISH: dict[str, Any] = {
    "a long field": {**SR4, LONG: 1},
    "a long field of a situation": {**SR4, "situation": {**SITUATION, LONG: 1}},
    "a long option": {**SR4, "options": {LONG: 1}},
    "a long value of an option": {**SR4, "options": {"glitch_rule": LONG}},
    "a long list for a flag": {**SR4, "options": {"buying_hits": [1] * 50_000}},
    "a long skill": {**SR4, "situation": {**SITUATION, "attacker": {"use": "rook", "skills": {LONG: -1}}}},
    "many fields": {**SR4, **MANY},
    "many fields of a situation": {**SR4, "situation": {**SITUATION, **MANY}},
    "many fields of a record": {**SR4, "situation": {**SITUATION, "attacker": {"use": "rook", **MANY}}},
    "many options": {**SR4, "options": MANY},
}


@pytest.mark.parametrize("data", LAVISH.values(), ids=LAVISH)
def test_a_refusal_is_shorter_than_what_was_sent(client: FlaskClient, data: Any) -> None:
    body = json.dumps(data)
    response = client.post("/v1/resolve", data=body, content_type="application/json")
    assert response.status_code == 422
    assert json.loads(response.data)["errors"]
    assert len(response.data) < len(body) / 2


# Every part of a request, with every type of value.

STRANGE: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "one": 1,
    "minus one": -1,
    "half": 1.5,
    "huge": 10**400,
    "NaN": math.nan,
    "infinity": math.inf,
    "no text": "",
    "text": "zzz",
    "number as text": "5",
    "truth as text": "yes",
    "no list": [],
    "list": ["zzz"],
    "lists": [[]],
    "no object": {},
    "object": {"zzz": 1},
}
PARTS = [
    (request["procedure"], way)
    for request in REQUESTS
    for way in ways(request)
    if way not in (("ruleset",), ("procedure",))
]


@pytest.fixture(scope="module")
def checks(document: Any) -> dict[str, Draft202012Validator]:
    """For each procedure, what the OpenAPI document says of its requests."""
    resource = Resource.from_contents(document, default_specification=DRAFT202012)
    registry = Registry().with_resource("urn:openapi", resource)
    found = {}
    for request in REQUESTS:
        name = "".join(
            part.capitalize() for part in f"{request['ruleset']}-{request['procedure']}".split("-")
        )
        reference = f"urn:openapi#/components/schemas/{name}Request"
        found[request["procedure"]] = Draft202012Validator({"$ref": reference}, registry=registry)
    return found


@pytest.mark.parametrize(
    ("procedure", "way"), PARTS, ids=lambda part: part if isinstance(part, str) else "/".join(map(str, part))
)
def test_a_value_of_the_wrong_type_is_refused_everywhere(
    client: FlaskClient, checks: dict[str, Draft202012Validator], procedure: str, way: Way
) -> None:
    """What the document forbids is refused with the field's path; nothing fails the service."""
    (request,) = [request for request in REQUESTS if request["procedure"] == procedure]
    accepted = []
    for name, value in STRANGE.items():
        data = copy.deepcopy(request)
        at(data, way[:-1])[way[-1]] = value
        response = client.post("/v1/odds", data=json.dumps(data), content_type="application/json")
        assert response.status_code in (200, 422), name
        if response.status_code == 422:
            faults = json.loads(response.data)["errors"]
            assert faults
            assert all(fault["code"] and fault["message"] for fault in faults)
        if response.status_code == 200:
            finite = not isinstance(value, float) or math.isfinite(value)
            if not finite or not checks[procedure].is_valid(data):
                accepted.append(name)
    assert accepted == []
