"""Whatever comes in: a 4xx with a stable code, the field's path and a suggestion; never a 500."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from attempts import CWN, SR4, put
from http_client import Answer, Api, check_error, head, send, send_raw

MAX_BODY = 1_000_000
JSON = {"Content-Type": "application/json"}


def situated(path: str, value: Any, request: Any = SR4) -> Any:
    return put(request, f"situation/{path}", value)


UNKNOWN: dict[str, Any] = {
    "ruleset": ({**SR4, "ruleset": "sr44"}, "ruleset", "unknown-ruleset", "did you mean 'sr4'?"),
    "ruleset, far from any": (
        {**SR4, "ruleset": "dnd"},
        "ruleset",
        "unknown-ruleset",
        "known: cwn, imperium, sr4, sr5",
    ),
    "procedure": ({**SR4, "procedure": "ranged-atack"}, "procedure", "unknown-procedure", "'ranged-attack'?"),
    "procedure of the other game": (
        {**CWN, "procedure": "ranged-attack"},
        "procedure",
        "unknown-procedure",
        "'drone-attack'?",
    ),
    "field": ({**SR4, "modus": "auto"}, "modus", "unknown-field", "'mode'?"),
    "weapon": (
        situated("weapon", "ares-predator-v"),
        "situation.weapon.use",
        "unknown-entry",
        "'ares-predator-iv'?",
    ),
    "weapon by id": (situated("weapon", "sr4-core:weapon/ares"), "situation.weapon.use", "unknown-entry", ""),
    "weapon of the other game": (
        situated("weapon", "ak-97", CWN),
        "situation.weapon.use",
        "unknown-entry",
        "",
    ),
    "ammunition": (
        situated("weapon", {"use": "ares-predator-iv", "ammunition": "adps"}),
        "situation.weapon.ammunition",
        "unknown-entry",
        "'apds'?",
    ),
    "combatant": (situated("attacker", "rok"), "situation.attacker.use", "unknown-entry", "'rook'?"),
    "field of a situation": (situated("weapn", "x"), "situation.weapn", "unknown-field", "'weapon'?"),
    "field of a record": (
        situated("attacker", {"use": "rook", "runing": True}),
        "situation.attacker.runing",
        "unknown-field",
        "'running'?",
    ),
    "choice": (situated("target/cover", "partal"), "situation.target.cover", "unknown-choice", "'partial'?"),
    "word of a list": (
        situated("visibility", ["light-fogg"]),
        "situation.visibility[0]",
        "unknown-choice",
        "'light-fog'?",
    ),
    "mode": ({**SR4, "mode": "stop"}, "mode", "unknown-choice", ""),
    "house rule": (
        {**SR4, "options": {"glitch_rul": 1}},
        "options.glitch_rul",
        "unknown-option",
        "'glitch_rule'?",
    ),
    "value of a house rule": (
        {**SR4, "options": {"glitch_rule": "half_or_mor"}},
        "options.glitch_rule",
        "unknown-choice",
        "'half_or_more'?",
    ),
    "target of a modifier": (
        {**SR4, "modifiers": [{"to": "attack.pol", "value": 1}]},
        "modifiers[0].to",
        "unknown-target",
        "'attack.pool'?",
    ),
    "field of a modifier": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 1, "lable": "x"}]},
        "modifiers[0].lable",
        "unknown-field",
        "'label'?",
    ),
    "decision": (
        {**SR4, "decisions": [{"decision": "edge-befor", "choose": "push"}]},
        "decisions[0].decision",
        "unknown-decision",
        "'edge-before'?",
    ),
    "option of a decision": (
        {**SR4, "decisions": [{"decision": "edge-before", "choose": "pusch"}]},
        "decisions[0].choose",
        "unknown-option",
        "'push'?",
    ),
    "source of dice": ({**SR4, "dice": {"source": "sed"}}, "dice.source", "unknown-choice", ""),
    "field of dice": ({**SR4, "dice": {"sead": "00"}}, "dice.sead", "unknown-field", "'seed'?"),
}

WRONG: dict[str, Any] = {
    "negative skill": (
        situated("attacker", {"use": "rook", "skills": {"pistols": -1}}),
        "situation.attacker.skills.pistols",
        "out-of-range",
    ),
    "negative distance": (situated("distance", -1), "situation.distance", "out-of-range"),
    "10,000 dice": (situated("attacker", {"pool": 10_000}), "situation.attacker.pool", "out-of-range"),
    "10,000 dice by hand": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 10_000}]},
        "modifiers[0].value",
        "out-of-range",
    ),
    "10,000 faces": ({**SR4, "dice": [[1] * 10_000]}, "dice.faces[0]", "invalid"),
    "10,000 lists of faces": ({**SR4, "dice": [[1]] * 10_000}, "dice.faces", "out-of-range"),
    "10,000 modifiers": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 1}] * 10_000},
        "modifiers",
        "out-of-range",
    ),
    "10,000 decisions": (
        {**SR4, "decisions": [{"decision": "edge-before", "choose": "push"}] * 10_000},
        "decisions",
        "out-of-range",
    ),
    "10,000 words": (situated("visibility", ["light-fog"] * 10_000), "situation.visibility", "wrong-type"),
    "a text for a number": (situated("distance", "12"), "situation.distance", "wrong-type"),
    "a truth for a number": (situated("distance", True), "situation.distance", "wrong-type"),
    "half a die": (situated("attacker", {"pool": 1.5}), "situation.attacker.pool", "wrong-type"),
    "a number for a truth": (
        situated("target", {"use": "vex", "prone": 1}),
        "situation.target.prone",
        "wrong-type",
    ),
    "a list for an object": (situated("target", ["vex"]), "situation.target", "wrong-type"),
    "a list for a situation": ({**SR4, "situation": []}, "situation", "wrong-type"),
    "a text for a situation": ({**SR4, "situation": "rook"}, "situation", "wrong-type"),
    "a number for a ruleset": ({**SR4, "ruleset": 4}, "ruleset", "wrong-type"),
    "nothing for a ruleset": ({**SR4, "ruleset": None}, "ruleset", "wrong-type"),
    "a list for options": ({**SR4, "options": []}, "options", "wrong-type"),
    "an object for modifiers": ({**SR4, "modifiers": {}}, "modifiers", "wrong-type"),
    "a text for a modifier": ({**SR4, "modifiers": ["x"]}, "modifiers[0]", "wrong-type"),
    "a truth for a value": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": True}]},
        "modifiers[0].value",
        "wrong-type",
    ),
    "half a point": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 0.5}]},
        "modifiers[0].value",
        "wrong-type",
    ),
    "a number for a choice": (situated("target/cover", 1), "situation.target.cover", "unknown-choice"),
    "a list for a house rule": (
        {**SR4, "options": {"glitch_rule": ["x"]}},
        "options.glitch_rule",
        "unknown-choice",
    ),
    "a word for a flag": ({**SR4, "options": {"buying_hits": "yes"}}, "options.buying_hits", "wrong-type"),
    "a number for a flag": ({**SR4, "options": {"buying_hits": 1}}, "options.buying_hits", "wrong-type"),
    "an object for a word": (situated("visibility", [{}]), "situation.visibility[0]", "unknown-choice"),
    "a number for dice": ({**SR4, "dice": 6}, "dice", "wrong-type"),
    "a text for faces": ({**SR4, "dice": ["123"]}, "dice.faces[0]", "invalid"),
    "a seed too short": ({**SR4, "dice": {"source": "seed", "seed": "00" * 15}}, "dice.seed", "invalid"),
    "a seed too long": ({**SR4, "dice": {"source": "seed", "seed": "00" * 65}}, "dice.seed", "invalid"),
    "a seed of other letters": (
        {**SR4, "dice": {"source": "seed", "seed": "gg" * 32}},
        "dice.seed",
        "invalid",
    ),
    "a seed without its source": ({**SR4, "dice": {"seed": "00" * 32}}, "dice.seed", "invalid"),
    "faces of another source": (
        {**SR4, "dice": {"source": "system", "faces": [[1]]}},
        "dice.faces",
        "invalid",
    ),
    "a long name": ({**SR4, "ruleset": "x" * 500_000}, "ruleset", "out-of-range"),
    "a long label": (
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 1, "label": "x" * 500_000}]},
        "modifiers[0].label",
        "out-of-range",
    ),
    "a long weapon": (situated("weapon", "x" * 500_000), "situation.weapon.use", "unknown-entry"),
    "a long word": (situated("target/cover", "x" * 500_000), "situation.target.cover", "unknown-choice"),
    "a long text": (
        situated("attacker", {"use": "rook", "name": "x" * 500_000}),
        "situation.attacker.name",
        "wrong-type",
    ),
}


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/odds"])
@pytest.mark.parametrize(("body", "field", "code", "hint"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_name_is_answered_with_the_nearest(
    api: Api, path: str, body: Any, field: str, code: str, hint: str
) -> None:
    answer = api.post(path, body)
    assert answer.status == 422
    assert answer.faults() == [(field, code)]
    assert hint in answer.hints()
    assert answer.data["code"] in ("unknown-name", "invalid-input")
    assert field in answer.data["message"]


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/odds"])
@pytest.mark.parametrize(("body", "field", "code"), WRONG.values(), ids=WRONG)
def test_a_wrong_value_is_answered_with_its_field(
    api: Api, path: str, body: Any, field: str, code: str
) -> None:
    answer = api.post(path, body)
    assert answer.status == 422
    assert answer.faults() == [(field, code)]
    assert answer.data["code"] in ("unknown-name", "invalid-input")
    assert len(answer.body) < 4_000


def test_all_faults_are_told_at_once(api: Api) -> None:
    body = copy.deepcopy(SR4)
    body["situation"] |= {"distance": -1, "weapn": 1}
    body["situation"]["target"]["cover"] = "partal"
    body["options"] = {"glitch_rul": 1}
    body["modifiers"] = [{"to": "attack.pol", "value": 1}]
    answer = api.post("/v1/resolve", body)
    assert set(answer.faults()) == {
        ("situation.distance", "out-of-range"),
        ("situation.weapn", "unknown-field"),
        ("situation.target.cover", "unknown-choice"),
        ("options.glitch_rul", "unknown-option"),
        ("modifiers[0].to", "unknown-target"),
    }
    assert "5 faults" in answer.data["message"]


# Numbers that JSON does not have, or hardly.


def with_number(path: str, literal: str) -> bytes:
    """The attack with a number as it is written, whatever it is."""
    return json.dumps(put(SR4, path, "<number>")).replace('"<number>"', literal).encode()


PLACES = [
    "situation/distance",
    "situation/target/defenses_made",
    "situation/target/cover",
    "situation/weapon/use",
    "options/glitch_rule",
    "options/buying_hits",
    "ruleset",
    "mode",
    "dice",
    "modifiers",
    "attribution",
]
NUMBERS = {
    "NaN": "NaN",
    "infinity": "Infinity",
    "minus infinity": "-Infinity",
    "1e999": "1e999",
    "10**400": "1" + "0" * 400,
    "-10**400": "-1" + "0" * 400,
    "10**5000": "1" + "0" * 5000,
    "2**64": str(2**64),
}


@pytest.mark.parametrize("literal", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("path", PLACES)
def test_no_number_is_too_strange(api: Api, path: str, literal: str) -> None:
    answer = api.call("POST", "/v1/resolve", with_number(path, literal))
    assert answer.status == (400 if len(literal) > 4300 else 422)
    if answer.status == 422:
        ((field, code),) = answer.faults()
        assert field.startswith(path.replace("/", "."))
        assert code in ("not-finite", "out-of-range", "wrong-type", "unknown-choice", "unknown-entry")


@pytest.mark.parametrize("literal", NUMBERS.values(), ids=NUMBERS)
def test_no_number_among_lists_is_too_strange(api: Api, literal: str) -> None:
    texts = [
        '{"dice": [[%s]]}',
        '{"modifiers": [{"to": "attack.pool", "value": %s}]}',
        '{"decisions": [{"decision": %s, "choose": %s}]}',
        '{"situation": {"visibility": [%s]}}',
        '{"%s": 1}',
    ]
    for text in texts:
        body = json.dumps(SR4)[:-1] + ", " + text.replace("%s", literal)[1:]
        answer = api.call("POST", "/v1/resolve", body.encode())
        assert answer.status in (400, 422)


# Text that is none.

HALF = "\ud800"
HALVES: dict[str, Any] = {
    "ruleset": {**SR4, "ruleset": HALF},
    "procedure": {**SR4, "procedure": HALF},
    "field": {**SR4, HALF: 1},
    "weapon": situated("weapon", HALF),
    "weapon by id": situated("weapon", f"{HALF}:weapon/x"),
    "field of a situation": situated(HALF, HALF),
    "field of a record": situated("attacker", {"use": "rook", HALF: 1}),
    "skill": situated("attacker", {"use": "rook", "skills": {HALF: HALF}}),
    "choice": situated("target/cover", HALF),
    "word": situated("visibility", [HALF]),
    "house rule": {**SR4, "options": {HALF: HALF}},
    "choice of a house rule": {**SR4, "options": {"glitch_rule": HALF}},
    "modifier": {**SR4, "modifiers": [{"to": HALF, "value": 1}]},
    "decision": {**SR4, "decisions": [{"decision": HALF, "choose": HALF}]},
    "seed": {**SR4, "dice": {"source": "seed", "seed": HALF}},
}


@pytest.mark.parametrize("body", HALVES.values(), ids=HALVES)
def test_half_a_character_is_refused(api: Api, body: Any) -> None:
    answer = api.post("/v1/resolve", body)
    assert 400 <= answer.status < 500
    answer.body.decode()


@pytest.mark.parametrize(
    "body",
    [
        {**SR4, "modifiers": [{"to": "attack.pool", "value": 1, "label": HALF}]},
        situated("attacker", {"use": "rook", "name": HALF}),
    ],
    ids=["label", "name"],
)
@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/odds"])
def test_half_a_character_in_free_text_fails_nothing(api: Api, path: str, body: Any) -> None:
    answer = api.post(path, body)
    assert answer.status in (200, 400, 422)
    answer.body.decode()


# Bodies that are no JSON.

VALID = json.dumps(SR4).encode()
NO_JSON: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \r\n ",
    "twice": VALID + VALID,
    "cut off": VALID[:-1],
    "nul": b"\0",
    "invalid UTF-8": VALID.replace(b"rook", b"ro\xff\xfek"),
    "overlong UTF-8": VALID.replace(b"rook", b"ro\xc0\xafk"),
    "single quotes": VALID.replace(b'"', b"'"),
    "a comment": b"// hello\n" + VALID,
    "a trailing comma": VALID[:-1] + b",}",
    "a form": b"ruleset=sr4&procedure=ranged-attack",
    "YAML": b"ruleset: sr4\n",
    "control character": VALID.replace(b"rook", b"ro\nok"),
}


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON)
def test_a_body_that_is_no_json(api: Api, path: str, body: bytes) -> None:
    answer = api.call("POST", path, body)
    assert answer.status == 400
    assert answer.data["code"] == "bad-request"
    assert "JSON" in answer.data["message"]


@pytest.mark.parametrize("body", [b"[]", b"[1]", b'"x"', b"null", b"1", b"true", json.dumps([SR4]).encode()])
@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
def test_a_body_that_is_no_object(api: Api, path: str, body: bytes) -> None:
    answer = api.call("POST", path, body)
    assert answer.status == 422
    assert answer.faults() == [("", "wrong-type")]


def deep(levels: int, value: Any = 1) -> Any:
    for _ in range(levels):
        value = {"a": value}
    return value


NESTED: dict[str, bytes] = {
    "50 objects": json.dumps(deep(50)).encode(),
    "50 objects in a situation": json.dumps({**SR4, "situation": deep(50)}).encode(),
    "50 objects in a field": json.dumps(situated("attacker", deep(50))).encode(),
    "50 objects in an option": json.dumps({**SR4, "options": deep(50)}).encode(),
    "50 lists": json.dumps({**SR4, "dice": json.loads("[" * 50 + "]" * 50)}).encode(),
    "100,000 open lists": b"[" * 100_000,
    "100,000 lists": b"[" * 100_000 + b"]" * 100_000,
    "100,000 open objects": b'{"a":' * 100_000,
    "100,000 objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "100,000 lists in a field": VALID[:-1] + b', "dice": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
}


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
@pytest.mark.parametrize("body", NESTED.values(), ids=NESTED)
def test_deep_nesting(api: Api, path: str, body: bytes) -> None:
    answer = api.call("POST", path, body)
    assert answer.status == 422
    assert [code for _, code in answer.faults()] == ["too-deep"]


KINDS = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json",
         "application/yaml", "application", "", "application/jsonp"]  # fmt: skip


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
@pytest.mark.parametrize("kind", KINDS)
def test_another_content_type(api: Api, path: str, kind: str) -> None:
    answer = api.call("POST", path, VALID, {"Content-Type": kind})
    assert answer.status == 415
    assert answer.data["code"] == "wrong-media-type"
    assert "application/json" in answer.data["message"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.api+json"]
)
def test_a_spelling_of_the_content_type(api: Api, kind: str) -> None:
    assert api.call("POST", "/v1/resolve", VALID, {"Content-Type": kind}).status == 200


def test_a_body_without_any_content_type(service: Any) -> None:
    lines = head("POST", "/v1/resolve", "Host: localhost", f"Content-Length: {len(VALID)}")
    answer = send_raw(service.port, lines + VALID)
    assert answer.status == 415
    check_error(answer)


# Bodies that are too large.


def padded(size: int) -> bytes:
    """The attack, with blanks up to a size."""
    return VALID.ljust(size)


def pieces(body: bytes) -> Iterator[bytes]:
    for at in range(0, len(body), 50_000):
        yield body[at : at + 50_000]


def check_too_large(answer: Answer) -> None:
    assert answer.status == 413
    assert answer.data["code"] == "too-large"
    check_error(answer)


def test_a_body_of_20_mb_is_refused_and_the_caller_reads_why(service: Any) -> None:
    for body in (padded(20_000_000), b"x" * 20_000_000, b"\0" * 20_000_000):
        check_too_large(send(service.port, "POST", "/v1/resolve", body, JSON))


@pytest.mark.parametrize("path", ["/v1/resolve", "/v1/resolve/continue", "/v1/odds"])
def test_a_chunked_body_of_20_mb_is_refused_and_the_caller_reads_why(service: Any, path: str) -> None:
    check_too_large(send(service.port, "POST", path, pieces(padded(20_000_000)), JSON))


@pytest.mark.parametrize(
    "headers", [{"Content-Type": "text/plain"}, {**JSON, "Origin": "http://evil.example"}]
)
def test_a_large_body_that_is_refused_for_another_reason(service: Any, headers: Any) -> None:
    answer = send(service.port, "POST", "/v1/resolve", b"x" * 20_000_000, headers)
    assert answer.status in (403, 413, 415)
    check_error(answer)


def test_the_limit_itself_is_no_fault(service: Any) -> None:
    assert send(service.port, "POST", "/v1/resolve", padded(MAX_BODY), JSON).status == 200
    check_too_large(send(service.port, "POST", "/v1/resolve", padded(MAX_BODY + 1), JSON))


def test_the_limit_counts_for_chunks_too(service: Any) -> None:
    assert send(service.port, "POST", "/v1/resolve", pieces(padded(MAX_BODY)), JSON).status == 200
    check_too_large(send(service.port, "POST", "/v1/resolve", pieces(padded(MAX_BODY + 1)), JSON))


def test_a_small_chunked_body_is_read(service: Any) -> None:
    assert send(service.port, "POST", "/v1/resolve", iter([VALID[:9], VALID[9:]]), JSON).status == 200


@pytest.mark.parametrize("length", ["abc", "-5", "1e3", "9" * 30, "0x10", ""])
def test_a_content_length_that_is_none(service: Any, length: str) -> None:
    lines = head("POST", "/v1/resolve", "Host: localhost", JSON_LINE, f"Content-Length: {length}")
    assert send_raw(service.port, lines + VALID).status == 400


JSON_LINE = "Content-Type: application/json"


def test_many_large_bodies_leave_the_service_well(api: Api, service: Any) -> None:
    for _ in range(5):
        check_too_large(send(service.port, "POST", "/v1/odds", b"[" * 5_000_000, JSON))
    assert api.resolve(SR4)["status"] == "resolved"


# Paths and queries.


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/v1",
        "/v1/",
        "/v1/resolve/",
        "/v1/resolve/continue/x",
        "/v2/resolve",
        "/%ff%fe",
        "/%00",
        "/v1/packs/%00",
        "/v1/packs/%ff",
        "/v1/packs/..%2f..",
        "/static/../settings.py",
        "/static/%2e%2e/settings.py",
        "/static/",
        "/bench/resolve",
        "/v1/entries/",
        "/" + "a" * 5_000,
        "/.env",
    ],
)
def test_a_path_that_leads_nowhere(service: Any, path: str) -> None:
    answer = send(service.port, "GET", path)
    assert answer.status == 404
    assert answer.headers["Content-Type"] == "application/json"
    check_error(answer)
    assert answer.data["code"] == "not-found"


QUERIES = {
    "limit=0": "out-of-range",
    "limit=-1": "out-of-range",
    "limit=1001": "out-of-range",
    "limit=" + "9" * 400: "out-of-range",
    "limit=x": "wrong-type",
    "limit=": "wrong-type",
    "limit=1.5": "wrong-type",
    "limit=NaN": "wrong-type",
    "limit=" + "9" * 6000: "wrong-type",
}


@pytest.mark.parametrize(("query", "code"), QUERIES.items(), ids=[query[:12] for query in QUERIES])
def test_a_query_that_makes_no_sense(api: Api, query: str, code: str) -> None:
    answer = api.get(f"/v1/packs/sr4-core/weapons?{query}")
    assert answer.status == 422
    assert answer.faults() == [("limit", code)]


def test_a_search_that_is_too_long(api: Api) -> None:
    answer = api.get("/v1/packs/sr4-core/weapons?q=" + "x" * 81)
    assert answer.status == 422
    assert answer.faults() == [("q", "out-of-range")]


@pytest.mark.parametrize("query", ["q=%ff", "q=%00", "q=%ed%a0%80", "q", "&&&", "=", "q=a&q=b"])
def test_a_strange_query_fails_nothing(api: Api, query: str) -> None:
    assert api.get(f"/v1/packs/sr4-core/weapons?{query}").status in (200, 422)
