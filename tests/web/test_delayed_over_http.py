"""Delayed actions of Shadowrun 4 over HTTP: one ends the step that it cuts in on, and two go together."""

from __future__ import annotations

import pytest
from fights import Fight, begin, refusal
from flask.testing import FlaskClient

NEAR = {"distance": 5}
SURE = [{"to": "attack.pool", "label": "sure", "value": 80}]


@pytest.fixture
def delaying(client: FlaskClient) -> Fight:
    """Vex and Rook have delayed, and the guard, who throws by hand, acts."""
    fight = begin(client, settings={"apply": "at-once"})
    for who, side, dice in (
        ("vex", "runners", "service"),
        ("rook", "runners", "service"),
        ("guard", "corp", "hand"),
    ):
        fight.do("join", combatant=who, id=who, side=side, asks=False, dice=dice)
    fight.do("begin-turn", given={"vex": {"hits": 5}, "rook": {"hits": 4}, "guard": {"hits": 0}})
    for who in ("vex", "rook"):
        while fight.view()["acting"] != [who]:
            fight.do("next")
        fight.do("delay", combatant=who)
    while fight.view()["acting"] != ["guard"]:
        fight.do("next")
    return fight


def test_a_delayed_action_ends_the_step_that_it_cuts_in_on(delaying: Fight) -> None:
    delaying.do("act", combatant="guard", action="fire-semi-automatic", target="rook", situation=NEAR)
    [waiting] = delaying.view()["steps"]
    assert waiting["question"]["kind"] == "roll"
    delaying.do("set", combatant="guard", dice="service")
    delaying.do("intervene", combatant="vex", when="before")
    assert delaying.view()["acting"] == ["vex"]
    shot = {"situation": NEAR, "modifiers": SURE, "ask": False}
    done = delaying.do("act", combatant="vex", action="fire-semi-automatic", target="guard", **shot)
    assert [one["combatant"] for one in done["events"][0]["data"]["ended"]] == ["guard"]
    assert delaying.view()["steps"] == []
    text = "Guard: Fire semi-automatically ends unfinished, Guard cannot act any more"
    assert text in delaying.get("/log?format=markdown").text
    rook = next(one for one in delaying.view()["combatants"] if one["id"] == "rook")
    assert not any(gauge["value"] for gauge in rook["gauges"] if gauge["id"] in ("physical", "stun"))


def test_who_only_declared_goes_on_afterwards(delaying: Fight) -> None:
    delaying.do("act", combatant="guard", action="fire-semi-automatic", target="rook", situation=NEAR)
    delaying.do("intervene", combatant="vex", when="before")
    delaying.do("next", combatant="vex")
    assert delaying.view()["acting"] == ["guard"]
    [question] = [step["question"] for step in delaying.view()["steps"]]
    [part] = [part for part in question["parts"] if part["hand"]]
    faces = [[1] * group["count"] for group in part["groups"]]
    delaying.do("answer", question=question["id"], dice=faces)
    assert delaying.question() is None
    late = delaying.send({"command": "intervene", "combatant": "rook", "when": "before"})
    assert refusal(late) == (409, "no-intervention")
    assert "Guard has already acted" in late.json["message"]


def test_the_second_who_cuts_in_acts_together_with_the_first(delaying: Fight) -> None:
    for who in ("vex", "rook"):
        delaying.do("intervene", combatant=who, when="before")
    view = delaying.view()
    assert view["acting"] == ["vex", "rook"]
    assert [row["actors"] for row in view["order"]] == [["vex", "rook"], ["guard"]]
    assert "Rook uses the delayed action together with Vex" in delaying.get("/log?format=markdown").text
