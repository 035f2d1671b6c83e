"""How answers are written: strict JSON, in the order of the fields, by the fast writer where it is installed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from fracas.web import application
from fracas.web.combat import EXAMPLE

HALF = "\ud800"


class Recorder:
    """Stands in for orjson: as strict as it, and it counts."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, data: Any) -> bytes:
        self.calls += 1
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        try:
            return text.encode()
        except UnicodeEncodeError:
            raise TypeError("str is not valid UTF-8: surrogates not allowed") from None


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder()
    monkeypatch.setattr(application, "_fast_dumps", recorder)
    return recorder


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_fast_dumps", None)


@pytest.mark.parametrize("path", ["/health", "/v1/packs", "/v1/rulesets/sr4", "/v1/packs/zzz", "/nope"])
def test_the_fast_writer_is_used(client: FlaskClient, fast: Recorder, path: str) -> None:
    client.get(path)
    assert fast.calls == 1


def test_the_fast_writer_writes_answers(client: FlaskClient, fast: Recorder) -> None:
    body = json.dumps(EXAMPLE)
    assert client.post("/v1/resolve", data=body, content_type="application/json").status_code == 200
    assert fast.calls == 1


@pytest.mark.parametrize(
    "path", ["/health", "/v1/packs", "/v1/rulesets/cwn", "/v1/packs/sr4-core/weapons", "/v1/packs/zzz"]
)
def test_both_writers_write_the_same(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    answers = []
    for writer in (None, Recorder()):
        monkeypatch.setattr(application, "_fast_dumps", writer)
        answers.append(json.loads(client.get(path).data, object_pairs_hook=list))
    assert answers[0] == answers[1]


HALVES: dict[str, Any] = {
    "label": {**EXAMPLE, "modifiers": [{"to": "attack.pool", "value": 1, "label": HALF}]},
    "name": {**EXAMPLE, "situation": {**EXAMPLE["situation"], "attacker": {"use": "rook", "name": HALF}}},  # type: ignore[dict-item]
    "field": {**EXAMPLE, HALF: 1},
    "option": {**EXAMPLE, "options": {HALF: 1}},
    "ruleset": {**EXAMPLE, "ruleset": HALF},
}


@pytest.mark.parametrize("body", HALVES.values(), ids=HALVES)
@pytest.mark.parametrize("writer", ["fast", "slow"])
def test_half_a_character_fails_neither(
    client: FlaskClient, request: pytest.FixtureRequest, writer: str, body: Any
) -> None:
    request.getfixturevalue(writer)
    response = client.post("/v1/resolve", data=json.dumps(body), content_type="application/json")
    assert response.status_code in (200, 400, 422)
    json.loads(response.data)


def test_fields_keep_their_order(client: FlaskClient) -> None:
    names = list(json.loads(client.post("/v1/resolve", json=EXAMPLE).data))
    assert names[:4] == ["status", "summary", "ruleset", "procedure"]


def test_answers_are_compact(client: FlaskClient) -> None:
    assert b',"ruleset":"sr4","procedure":"ranged-attack",' in client.post("/v1/resolve", json=EXAMPLE).data
