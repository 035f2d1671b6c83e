"""What a combatant may do now: an offer holds, and a refusal gives the reasons that were told."""

from __future__ import annotations

from typing import Any

import pytest
from fights import Fight, begin, in_a_slot, refusal
from flask.testing import FlaskClient


def offers(fight: Fight, who: str) -> Any:
    answer = fight.get(f"/actions?combatant={who}")
    assert answer.status_code == 200, answer.text
    return answer.json


def tried(fight: Fight, body: Any) -> list[tuple[str, str]]:
    """The reasons against a command; it is taken back if it is carried out."""
    answer = fight.send(body)
    if answer.status_code == 200:
        fight.do("undo")
        return []
    return [(one["code"], one["message"]) for one in answer.json["errors"]]


def reasons(offer: Any) -> list[tuple[str, str]]:
    assert offer["allowed"] == (not offer["reasons"])
    return [(one["code"], one["message"]) for one in offer["reasons"]]


def of_no_target(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Reasons but for the target that a command lacks, and an offer may leave open."""
    return [reason for reason in found if not reason[1].endswith(" as target")]


@pytest.mark.parametrize("whose", ["acting", "waiting"])
@pytest.mark.parametrize("spent", [0, 1, 2])
def test_a_refusal_gives_the_reasons_of_the_offer(client: FlaskClient, whose: str, spent: int) -> None:
    fight, who = in_a_slot(client)
    for _ in range(spent):
        fight.do("act", combatant=who, action="take-aim")
    one = who if whose == "acting" else {"rook": "guard", "guard": "rook"}[who]
    told = offers(fight, one)
    assert (told["combatant"], told["acting"]) == (one, whose == "acting")
    assert any(offer["allowed"] for offer in told["actions"]) or whose == "waiting"
    assert any(not offer["allowed"] for offer in told["actions"])
    for offer in told["actions"]:
        if offer["procedure"] is None:
            body = {"command": "act", "combatant": one, "action": offer["action"]}
            found = reasons(offer)
            if offer["unlikely"]:  # what is only not known forbids nothing
                found = [reason for reason in found if not reason[1].endswith(", which is not known here")]
            assert of_no_target(tried(fight, body)) == of_no_target(found), offer["action"]
    for offer in told["purchases"]:
        body = {"command": "spend", "combatant": one, "on": offer["on"]}
        assert tried(fight, body) == reasons(offer)
    assert tried(fight, {"command": "delay", "combatant": one}) == reasons(told["delay"])
    assert tried(fight, {"command": "next", "combatant": one}) == reasons(told["next"])


def test_one_action_is_offered_as_it_is_among_all(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    told = offers(fight, who)
    for offer in told["actions"]:
        alone = offers(fight, f"{who}&action={offer['action']}")
        assert alone["actions"] == [offer]
        assert alone["budget"] == told["budget"]
    answer = fight.get(f"/actions?combatant={who}&action=take-aimm")
    (error,) = answer.json["errors"]
    assert (answer.status_code, error["code"]) == (422, "unknown-action")
    assert "take-aim" in error["hint"]


def test_an_offer_says_what_it_takes(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    actions = {offer["action"]: offer for offer in offers(fight, who)["actions"]}
    aim = actions["take-aim"]
    assert (aim["allowed"], aim["cost"], aim["payment"], aim["procedure"]) == (
        True,
        [{"simple": 1}],
        {"simple": 1},
        None,
    )
    shot = actions["fire-semi-automatic"]
    assert (shot["procedure"], shot["targets"]) == ("ranged-attack", True)
    fight.do("act", combatant=who, action="take-aim")
    told = offers(fight, who)
    assert told["budget"]["simple"] == 1
    skill = next(offer for offer in told["actions"] if offer["action"] == "use-skill")  # a Complex Action
    assert not skill["allowed"]
    assert [reason["code"] for reason in skill["reasons"]] == ["too-dear"]
    assert skill["payment"] == {}


def test_cutting_in(client: FlaskClient) -> None:
    fight, who = in_a_slot(client)
    other = {"rook": "guard", "guard": "rook"}[who]
    assert offers(fight, who)["interventions"] == []
    fight.do("delay", combatant=who)
    told = offers(fight, who)
    assert told["interventions"]
    for offer in told["interventions"]:
        body = {"command": "intervene", "combatant": who, "when": offer["when"]}
        assert tried(fight, body) == reasons(offer), offer["when"]
    assert offers(fight, other)["acting"]


def test_before_the_first_turn_and_after_the_end(client: FlaskClient) -> None:
    fight = begin(client)
    fight.do("join", combatant="rook")
    told = offers(fight, "rook")
    waiting = [offer for offer in told["actions"] if offer["action"] != "delay"]
    assert {code for offer in waiting for code, _ in reasons(offer)} == {"not-begun"}
    fight.do("leave", combatant="rook")
    assert refusal(fight.get("/actions?combatant=rook")) == (409, "gone")
    assert refusal(fight.get("/actions?combatant=vex")) == (422, "unknown-combatant")
    assert refusal(fight.get("/actions")) == (422, "missing-field")
    fight.do("join", combatant="vex")
    fight.do("close")
    told = offers(fight, "vex")
    assert {code for offer in told["actions"] for code, _ in reasons(offer)} == {"closed"}
    assert reasons(told["next"]) == [("closed", "the fight is over")]


def test_the_odds_of_a_shot(client: FlaskClient) -> None:
    fight, _ = in_a_slot(client)
    version = fight.view()["version"]
    body = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "guard",
        "situation": {"distance": 10},
    }
    answer = fight.post("/odds", body)
    assert answer.status_code == 200
    chance = {one["id"]: one["value"] for one in answer.json["measures"]}
    assert 0 < chance["hit"] < 1
    fight.do("set", combatant="guard", add=["prone"], fields={"reaction": 1})
    fight.do("set", combatant="rook", fields={"physical": 6})
    worse = fight.post("/odds", {**body, "modifiers": [{"to": "attack.pool", "value": -4}]}).json
    assert worse["measures"] != answer.json["measures"]
    assert {tally["to"]: tally["total"] for tally in worse["modifiers"]} != {
        tally["to"]: tally["total"] for tally in answer.json["modifiers"]
    }
    assert fight.view()["version"] == version + 2  # odds leave no trace


def test_the_odds_with_a_policy_and_what_the_target_may_do(client: FlaskClient) -> None:
    fight, _ = in_a_slot(client)
    fight.do("set", combatant="rook", fields={"edge": 3, "edge_points": 1})
    body = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "guard",
        "situation": {"distance": 10},
    }
    policy = {
        "decision": "edge-after",
        "choose": "reroll",
        "by": "attacker",
        "when": {"short": {"at_least": 1}},
    }
    plain, better = (fight.post("/odds", {**body, **more}).json for more in ({}, {"decisions": [policy]}))
    hits = [next(one["value"] for one in told["measures"] if one["id"] == "hit") for told in (plain, better)]
    assert hits[0] < hits[1]
    assert better["policy"] == [{**policy, "roll": ""}]
    assert {one["who"] for one in plain["reactions"]} == {"guard"}
    for one in plain["reactions"]:
        assert {measure["id"] for measure in one["measures"]} == {one["id"] for one in plain["measures"]}
    assert fight.player("rook").post("/odds", body).json["reactions"] == []
    wrong = {**policy, "when": {"shrot": 1}}
    assert refusal(fight.post("/odds", {**body, "decisions": [wrong]})) == (422, "unknown-clue")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"combatant": "nobody"}, 422, "unknown-combatant"),
        ({"action": "fire-semi"}, 422, "unknown-action"),
        ({"action": "take-aim"}, 422, "no-procedure"),
        ({"target": None}, 422, "missing-field"),
        ({"target": "nobody"}, 422, "unknown-combatant"),
        ({"item": "spoon"}, 422, "unknown-item"),
        ({"situation": {"distanc": 1}}, 422, "unknown-field"),
        ({"command": "act"}, 422, "unknown-field"),
    ],
)
def test_odds_that_cannot_be(client: FlaskClient, change: Any, status: int, code: str) -> None:
    fight, _ = in_a_slot(client)
    body = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "guard",
        "situation": {"distance": 10},
    }
    assert refusal(fight.post("/odds", {**body, **change})) == (status, code)


def test_odds_of_somebody_else(client: FlaskClient) -> None:
    fight, _ = in_a_slot(client)
    body = {"combatant": "guard", "action": "fire-semi-automatic", "target": "rook"}
    assert refusal(fight.player("rook").post("/odds", body)) == (403, "forbidden")
    assert refusal(fight.observer().post("/odds", body)) == (403, "forbidden")
