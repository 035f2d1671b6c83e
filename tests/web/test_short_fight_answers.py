"""What a command of a fight answers by default: each step in a sentence, with `hit` and `damage`, and briefly.

Held for an attack of every ruleset, asked about nothing and asked about everything, at once and after confirmation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient

MOST = 4096
"""Bytes of an answer to one attack on one target."""
ATTACKS: dict[str, tuple[str, str, str, str, dict[str, Any]]] = {
    "sr4-shot": ("rook", "guard", "fire-semi-automatic", "ares-predator-iv", {"distance": 12}),
    "sr4-melee": ("brick", "guard", "melee-attack", "combat-axe", {}),
    "sr5-shot": ("kestrel", "gate-guard", "fire-semi-automatic", "ares-predator-v", {"distance": 12}),
    "sr5-melee": ("kestrel", "gate-guard", "melee-attack", "katana", {}),
    "cwn-shot": ("wren", "street-thug", "ranged-attack", "heavy-pistol", {"distance": 8}),
    "cwn-melee": ("wren", "street-thug", "melee-attack", "knife", {}),
    "imperium-shot": (
        "agent",
        "cult-fanatic",
        "fire-weapon",
        "autogun",
        {"distance": 8, "fire": {"mode": "single"}},
    ),
    "imperium-melee": ("agent", "cult-fanatic", "attack", "power-knife", {}),
}
GIVEN: dict[str, Any] = {
    "sr4": {"one": {"hits": 9}, "other": {"hits": 0}},
    "sr5": {"one": {"score": 30, "world": "physical"}, "other": {"score": 5, "world": "physical"}},
    "cwn": {"one": {"side": 8}, "other": {"side": 1}},
}


def size(answer: Any) -> int:
    return len(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode())


class Fight:
    """A fight by the interface, with the GM's token."""

    def __init__(self, client: FlaskClient, ruleset: str, **settings: Any) -> None:
        self._client, self._keys = client, count()
        begun: Any = client.post("/v1/encounters", json={"ruleset": ruleset, "settings": settings}).json
        self.path = f"/v1/encounters/{begun['id']}"
        self.token = {"Authorization": f"Bearer {begun['tokens']['gm']['secret']}"}

    def do(self, query: str = "", **command: Any) -> Any:
        headers = {**self.token, "If-Match": "*", "Idempotency-Key": f"{next(self._keys)}"}
        answer = self._client.post(f"{self.path}/commands{query}", json=command, headers=headers)
        assert answer.status_code == 200, answer.json
        return answer.json

    def get(self, path: str = "") -> Any:
        answer = self._client.get(self.path + path, headers=self.token)
        assert answer.status_code == 200, answer.json
        return answer.json

    def settle(self, answer: Any) -> Iterator[Any]:
        """The answers to the defaults of all questions."""
        while answer["steps"]:
            question = answer["steps"][0]["question"]
            answer = self.do(command="answer", question=question["id"], choose=question.get("default"))
            yield answer


def facing(client: FlaskClient, attack: str, asks: bool, apply: str) -> tuple[Fight, dict[str, Any]]:
    """A fight in which the first has the turn, and their attack."""
    attacker, target, action, weapon, situation = ATTACKS[attack]
    ruleset = attack.partition("-")[0]
    fight = Fight(client, ruleset, apply=apply)
    fight.do(command="join", combatant=attacker, id="one", name="Ace", side="us", weapons=[weapon], asks=asks)
    fight.do(command="join", combatant=target, id="other", name="Mook", side="them", asks=asks)
    given = {"given": GIVEN[ruleset]} if ruleset in GIVEN else {}
    list(fight.settle(fight.do(command="begin-turn", **given)))
    if fight.get()["acting"] != ["one"]:
        fight.do(command="next")
    done = {"command": "act", "combatant": "one", "action": action, "target": "other", "item": weapon}
    return fight, {**done, "situation": situation}


@pytest.mark.parametrize("apply", ["at-once", "confirm"])
@pytest.mark.parametrize("asks", [False, True], ids=["quiet", "asked"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_in_a_fight(client: FlaskClient, attack: str, asks: bool, apply: str) -> None:
    fight, act = facing(client, attack, asks, apply)
    answers = [fight.do(**act)]
    answers += fight.settle(answers[0])
    assert max(map(size, answers)) <= MOST
    first = answers[0]["events"][0]["data"]["step"]["open"]["id"]
    told = [
        next((one for one in (*answer["steps"], *answer["ended"]) if one["id"] == first), None)
        for answer in answers
    ]
    assert all(one is None or one["summary"] for one in told)
    over = next(one for one in told if one is not None and one["done"])
    assert (type(over["outcome"]["hit"]), type(over["outcome"]["damage"])) == (bool, int)
    assert over["summary"].startswith("Ace ")
    assert "Mook" in over["summary"]
    assert told[0] is not None
    assert sum(bool(one and one.get("modifiers")) for one in told) == 1
    if over is not told[0]:
        assert told[0]["question"]["text"] in told[0]["summary"]
    kept = fight.get(f"/steps/{first}")
    assert {name: kept[name] for name in ("summary", "outcome")} == {
        name: over[name] for name in ("summary", "outcome")
    }


def test_what_only_the_fight_counts_and_defenses_not_taken_are_left_out(client: FlaskClient) -> None:
    fight, act = facing(client, "sr4-melee", False, "confirm")
    answer = fight.do(**act)
    [event], [step] = answer["events"], answer["steps"]
    assert not event["data"].keys() & {"action_tags", "throw"}
    assert "defenses-made" not in [effect["what"] for effect in step["effects"]]
    numbers = [one["to"] for one in step["modifiers"] if one["to"].startswith("melee-defense.")]
    assert numbers == ["melee-defense.pool", f"melee-defense.{step['outcome']['defense_method']}"]
    whole = fight.get(f"/steps/{step['id']}?explain=all")
    assert "defenses-made" in [effect["what"] for effect in whole["effects"]]
    assert {one["to"] for one in whole["modifiers"]} >= {"melee-defense.dodge", "melee-defense.block"}


def test_dice_that_are_thrown_again_are_told(client: FlaskClient) -> None:
    fight, act = facing(client, "sr4-melee", False, "confirm")
    fight.do(**act)
    fight.do(command="undo", steps=1)
    assert fight.do(**act)["events"][0]["data"]["throw"]["times"] == 2


def test_everything_is_told_to_who_asks_for_it(client: FlaskClient) -> None:
    fight, act = facing(client, "sr5-melee", False, "confirm")
    answer = fight.do("?explain=all", **act)
    [event], [step] = answer["events"], answer["steps"]
    assert {entry["verdict"] for one in step["modifiers"] for entry in one["entries"]} >= {
        "applied",
        "unknown",
    }
    assert "facts" in step
    piece = event["data"]["step"]
    assert piece["open"]["tallies"]
    assert piece["answers"]
    assert event == fight.get(f"/events?after={event['version'] - 1}")["events"][0]
    brief = fight.get(f"/steps/{step['id']}?explain=none")
    assert not brief.keys() & {"modifiers", "unknown", "facts"}
    assert brief["summary"] == step["summary"]
    conditions = [one["condition"] for one in event["data"]["effects"] if "condition" in one]
    assert all("sets" in one for one in conditions)


def test_lines_of_numbers_lead_to_their_rules_and_say_how_sure_they_are(client: FlaskClient) -> None:
    """In short where it is not the section of the answer; in full every line that comes from an entry."""
    fight, act = facing(client, "sr5-shot", False, "confirm")
    (step,) = fight.do(**act)["steps"]
    lines = {line["label"]: line for one in step["modifiers"] for line in one["entries"]}
    assert step["rule"] == "/book/sr5/8.4"
    assert lines["Environment and range"] == {"label": "Environment and range", "value": -1, "section": "9.1"}
    assert lines["Agility"].keys() == {"label", "value"}
    fight, act = facing(client, "imperium-shot", False, "confirm")
    (step,) = fight.do(**act)["steps"]
    lines = {line["label"]: line for one in step["modifiers"] for line in one["entries"]}
    assert lines["Autogun"] == {"label": "Autogun", "value": 2, "provenance": "default"}
    full = fight.get(f"/steps/{step['id']}?explain=all")
    (autogun,) = [line for one in full["modifiers"] for line in one["entries"] if line["label"] == "Autogun"]
    assert (autogun["rule"], autogun["source"]) == ("/book/imperium/11", "imperium-core:weapon/autogun")
    cards = fight.get(f"/steps/{step['id']}?cards=markdown")["cards"]
    assert "Autogun +2†" in cards["markdown"]
    assert "no source gives this number" in cards["markdown"]


def test_who_may_not_see_a_combatant_does_not_read_their_name(client: FlaskClient) -> None:
    fight, act = facing(client, "sr4-shot", False, "confirm")
    fight.do(command="set", combatant="one", hidden=True)
    fight.do(**act)
    secret: Any = client.post(f"{fight.path}/tokens", json={"role": "observer"}, headers=fight.token).json
    seen = client.get(fight.path, headers={"Authorization": f"Bearer {secret['secret']}"})
    assert "Ace" not in seen.text
    assert "Ace" in json.dumps(fight.get()["steps"])
