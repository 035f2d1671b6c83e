"""Whatever is sent, the service answers as its document says, keeps nothing half done, and can read its own log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fights import Fight, begin
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.encounters.schemas import SCHEMAS

pytestmark = pytest.mark.slow

WORDS = [
    "rook",
    "vex",
    "guard",
    "guard-2",
    "nobody",
    "",
    "ghost",
    "r5",
    "q7.0.3",
    "players",
    "go-first",
    "now",
]
ACTIONS = ["fire-semi-automatic", "fire-full-burst", "take-aim", "full-dodge", "sprint", "use-skill", "melee-attack",
           "ready-weapon", "insert-clip", "drop-prone", "observe-in-detail", "nothing"]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 10**6, 2**62, 2**63, 10**400, -(2**64), 0.5, 1e308]
SHEETS = [
    "rook",
    {"use": "guard"},
    {"use": "guard", "physical": 9, "edge": 0},
    {"name": "Ghost", "body": 3, "agility": 4, "reaction": 5, "initiative": 9, "passes": 2},
    {"agility": None},
    {"body": 10**30},
    {"name": "\ud800"},
    {"use": ["guard"]},
    {},
]
SITUATIONS = [
    {"distance": 10},
    {"distance": -1},
    {"distance": 10**30},
    {"distance": 12, "target": {"cover": "good"}},
    {"attacker": "rook"},
    {"target": {"use": "vex"}},
    {"weapon": "ares-alpha", "distance": 5},
    {"threshold": 2, "pool": 6},
    {"pool": 10**6},
]
anything = st.recursive(
    st.none() | st.booleans() | st.sampled_from(NUMBERS) | st.sampled_from(WORDS) | st.text(max_size=4),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(WORDS), below, max_size=3),
    max_leaves=5,
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "combatant": st.sampled_from(WORDS[:6]),
    "action": st.sampled_from(ACTIONS),
    "target": st.sampled_from(WORDS[:6]),
    "situation": st.sampled_from(SITUATIONS),
    "fields": st.dictionaries(st.sampled_from(["physical", "stun", "edge", "body", "name", "agility", "x"]), anything),
    "given": st.dictionaries(st.sampled_from(WORDS[:5]), st.dictionaries(st.sampled_from(["hits", "x"]), anything)),
    "items": st.dictionaries(st.sampled_from(["ares-predator-iv", "x"]), st.dictionaries(st.just("ready"), anything)),
    "add": st.lists(st.sampled_from(["prone", "held", "knocked-out", "dead", "x"]), max_size=3),
    "remove": st.lists(st.sampled_from(["prone", "x"]), max_size=2),
    "rolled": st.dictionaries(st.sampled_from(["hits", "score", "x"]), anything, max_size=2),
    "weapons": st.lists(st.sampled_from(["ares-predator-iv", "katana", "ares-alpha", "x"]), max_size=3),
    "choose": st.sampled_from(["none", "push", "apply", "discard", "full-dodge", "x"]),
    "dice": st.lists(st.lists(st.integers(0, 7), max_size=9), max_size=3) | st.sampled_from(["service", "hand"]),
    "steps": st.integers(-1, 8),
    "to": st.integers(-1, 30),
    "id": st.sampled_from(["ghost", "guard-2", "rook", "A"]),
    "question": st.sampled_from(WORDS),
    "resolution": st.sampled_from(WORDS),
    "on": st.sampled_from(["go-first", "extra-pass", "x"]),
    "when": st.sampled_from(["before", "with", "after", "now", "x"]),
    "decisions": st.just([]) | st.lists(st.sampled_from([
        {"decision": "edge-before", "choose": "push"}, {"decision": "edge-before", "choose": "none", "by": "rook"},
        {"decision": "x", "choose": "y"}, {"decision": "edge-after", "choose": "reroll"},
    ]), max_size=2),
    "modifiers": st.lists(st.sampled_from([
        {"to": "attack.pool", "value": -3}, {"to": "attack.pool", "value": 100}, {"to": "x", "value": 1},
    ]), max_size=2),
    "name": st.sampled_from(["Ghost", "", "Rook", "x" * 80, "two\nlines", "<b>"]),
    "side": st.sampled_from(["players", "corp"]),
    "note": st.sampled_from(["", "well", "x" * 201]),
    "only": st.lists(st.integers(-1, 3), max_size=2),
    "skips": st.integers(0, 3),
    "item": st.sampled_from(["ares-predator-iv", "katana", "x"]),
}  # fmt: skip


@st.composite
def commands(draw: st.DrawFn) -> Any:
    word = draw(
        st.sampled_from([*SCHEMAS, "act", "act", "answer", "answer", "answer", "next", "set", "undo"])
    )
    schema = SCHEMAS[word]
    body: dict[str, Any] = {"command": word}
    for name, field in schema.fields.items():
        key = field.data_key or name
        if field.required or draw(st.integers(0, 4)) == 0:
            wild = draw(st.integers(0, 11)) == 0
            body[key] = draw(anything if wild else FIELDS.get(key, st.booleans()))
    if word == "join" and draw(st.integers(0, 9)):
        body["combatant"] = draw(st.sampled_from(SHEETS))
    return body


OK = {200, 400, 403, 404, 409, 412, 413, 415, 422, 428}


@pytest.mark.parametrize("apply", ["confirm", "at-once"])
@given(data=st.data())
@settings(max_examples=scale(2, 60), suppress_health_check=list(HealthCheck))
def test_no_command_breaks_a_fight(app: Flask, apply: str, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:  # the same draws must give the same fight
        patch.setattr("fracas.encounters.encounters.new_seed", lambda: bytes(32))
        fight = begin(app.test_client(), settings={"apply": apply, "player_undo": True})
    fight.do("join", combatant="rook", player=True, asks=True)
    fight.do("join", combatant="vex", player=True, dice="hand")
    fight.do("join", combatant="guard", hidden=data.draw(st.booleans()))
    if data.draw(st.integers(0, 4)):
        fight.do("begin-turn", given={"rook": {"hits": 2}, "vex": {"hits": 1}, "guard": {"hits": 3}})
    people = [fight, fight, fight, fight.player("rook"), fight.player("vex", "guard"), fight.observer()]
    version = fight.view()["version"]
    for _ in range(data.draw(st.integers(1, 25))):
        body = data.draw(commands())
        steps = fight.view()["steps"]
        if steps and body["command"] in ("answer", "apply", "discard") and data.draw(st.integers(0, 7)):
            body = fitting(data, body, data.draw(st.sampled_from(steps)))
        elif body["command"] == "act" and data.draw(st.integers(0, 3)):
            body = allowed(data, fight) or body
        elif body["command"] == "close" and data.draw(st.integers(0, 3)):
            body = {"command": "next"}
        by = data.draw(st.sampled_from(people))
        answer = by.send(body)
        assert answer.status_code in OK, (body, answer.text)
        version += answer.status_code == 200
        assert_readable(fight, people, version, body)


def fitting(data: st.DataObject, body: dict[str, Any], step: Any) -> dict[str, Any]:
    """A command about a step that is there."""
    if body["command"] != "answer":
        return {**body, "resolution": step["id"]}
    question = step["question"]
    made = {"command": "answer", "question": question["id"]}
    if options := [one["id"] for one in question.get("options", [])]:
        made["choose"] = data.draw(st.sampled_from(options))
    elif data.draw(st.booleans()):
        made["dice"] = [
            [data.draw(st.integers(1, 6)) for _ in range(group["count"])]
            for part in question["parts"]
            for group in part["groups"]
            if part["hand"] and part["thrown"] is None
        ]
    return made


def allowed(data: st.DataObject, fight: Fight) -> dict[str, Any] | None:
    """An action that may be taken; None while nobody acts."""
    acting = fight.view()["acting"]
    if not acting:
        return None
    who = data.draw(st.sampled_from(acting))
    offers = fight.get(f"/actions?combatant={who}").json["actions"]
    names = [
        offer["action"]
        for offer in offers
        if offer["allowed"] and (offer["targets"] or not offer["procedure"])
    ]
    if not names:
        return {"command": "next"}
    target = data.draw(st.sampled_from(["rook", "vex", "guard"]))
    made = {"command": "act", "combatant": who, "action": data.draw(st.sampled_from(names)), "target": target}
    return made | {"situation": {"distance": data.draw(st.sampled_from([1, 10, 600]))}}


def assert_readable(fight: Fight, people: list[Fight], version: int, body: Any) -> None:
    for one in people[2:]:
        shown = one.get()
        assert shown.status_code == 200, (body, shown.text)
        assert shown.json["version"] == version
        json.dumps(shown.json, allow_nan=False)
        told = one.get(f"/events?after={version - 1}")
        assert [event["version"] for event in told.json["events"]] == [version]
    for combatant in fight.view()["combatants"]:
        offers = fight.get(f"/actions?combatant={combatant['id']}")
        assert offers.status_code == (409 if combatant["gone"] else 200), (body, offers.text)
