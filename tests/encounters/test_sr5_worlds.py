"""The world of the bonus actions, where a score is given by hand and where nobody chooses."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_board import join, left, pools, throw
from table_play import OpenTable, Table

from fracas.encounters.effects import present
from fracas.encounters.log import log_markdown
from fracas.encounters.offers import offers
from fracas.encounters.rehearsing import ways_of
from fracas.errors import InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


WIRED: dict[str, Any] = {"reaction": 5, "initiative_dice": 3, "interface": "ar", "dni": True}


def test_a_given_score_asks_for_the_world_as_a_roll_does(table: Table) -> None:
    join(table, "ann", asks=True, initiative_loss=5, **WIRED)
    join(table, "bob", dice="service", **WIRED)
    table.begin(ann={"score": 21, "edge": 6}, bob={"score": 20})
    question = table.question()
    assert [option["label"] for option in question["options"]] == [
        "Physical world: 2 bonus Simple actions",
        "Matrix: 2 bonus Simple actions",
    ]
    table.answer("matrix")
    rolled = table.one("ann").rolled
    assert rolled == {
        "score": 21,
        "wounds": 0,
        "world": "matrix",
        "bonus": 2,
        "edge": 6,
        "reaction": 5,
        "intuition": 4,
    }
    assert table.one("ann").sheet["initiative_loss"] == 5  # that is for the next roll
    assert left(table, "ann") == {"simple": 2, "free": 1, "bonus-matrix": 2}
    assert (table.one("bob").rolled["world"], table.one("bob").rolled["bonus"]) == ("physical", 2)


@pytest.mark.parametrize(
    ("given", "world", "bonus"),
    [
        ({"score": 21, "world": "matrix"}, "matrix", 2),
        ({"score": 21, "world": "magic"}, "magic", 0),
        ({"score": 21, "world": "none"}, "none", 0),
        ({"score": 21, "world": "magic", "bonus": 3}, "magic", 3),
    ],
)
def test_the_bonus_of_a_given_world_follows_from_the_sheet(
    table: Table, given: dict[str, Any], world: str, bonus: int
) -> None:
    join(table, "ann", asks=True, **WIRED)
    table.begin(ann=given)
    assert table.acting == ["ann"]
    assert (table.one("ann").rolled["world"], table.one("ann").rolled["bonus"]) == (world, bonus)


def test_the_only_world_is_not_asked_for(table: Table) -> None:
    join(table, "ann", asks=True, initiative_dice=2)
    join(table, "bob", asks=True)
    table.begin(ann={"score": 21}, bob={"score": 8})
    assert left(table, "ann") == {"simple": 2, "free": 1, "bonus-physical": 1}
    assert table.one("bob").rolled["world"] == "none"


def test_a_world_that_does_not_exist_is_refused(table: Table) -> None:
    join(table, "ann", **WIRED)
    with pytest.raises(InputError) as refused:
        table.begin(ann={"score": 21, "world": "matirx"})
    (problem,) = refused.value.problems
    assert (problem.path, problem.hint) == ("given.ann.world", "did you mean 'matrix'?")


@pytest.mark.parametrize(
    ("fields", "world"),
    [
        ({"interface": "ar", "dni": True}, "physical"),
        ({"interface": "cold-sim", "data_processing": 5}, "matrix"),
        ({"place": "astral", "awakened": "magician", "initiate_grade": 1}, "magic"),
        ({"awakened": "magician", "initiate_grade": 3}, "physical"),
        ({"awakened": "magician", "initiate_grade": 1, "bonus_world": "magic"}, "magic"),
        ({"bonus_world": "magic"}, "physical"),
    ],
)
def test_the_usual_world_follows_from_place_and_sheet(
    table: Table, fields: dict[str, Any], world: str
) -> None:
    """A guard with a booster is never asked; before, he had the world with the most actions, of use to him or not."""
    join(table, "guard", dice="service", initiative_dice=3, **fields)
    table.do("begin-turn")
    assert table.one("guard").rolled["world"] == world


def lines_of(table: Table) -> str:
    return log_markdown(table.encounters, table.id, table.gm)


def test_forms_have_fading_and_name_what_is_threaded(table: Table) -> None:
    online = {"interface": "hot-sim", "willpower": 4}
    join(table, "techno", resonance=5, logic=5, skills={"software": 4}, **online)
    join(table, "decker", side="theirs", firewall=4, device_rating=4, attack=4, **online)
    table.begin(techno={"score": 20, "world": "none"}, decker={"score": 1, "world": "none"})
    spike = {"act": "resonance-spike", "force": 3}
    event = table.act("techno", "thread-complex-form", "decker", situation=spike)
    tallies = {one["to"]: one for one in event.data["step"]["open"]["tallies"]}
    assert {to: one["label"] for to, one in tallies.items()} == {
        "threading.pool": "Threading pool",
        "threading.limit": "Limit",
        "power-resistance.pool": "Pool against the form",
        "drain.value": "Fading",
        "drain.pool": "Fading resistance pool",
    }
    assert [one["label"] for one in tallies["drain.value"]["entries"]] == [
        "Level",
        "Form",
        "Fading is never less than 2",
    ]
    assert "Thread a complex form: Resonance spike against decker" in lines_of(table)


@pytest.mark.parametrize(
    ("action", "condition", "back", "why_not", "why_not_back"),
    [
        (
            "run-silent",
            "running-silent",
            "stop-running-silent",
            "needs not to be running silent",
            "needs to be running silent",
        ),
        (
            "take-device-offline",
            "offline",
            "go-online",
            "needs to be online",
            "needs a device that is offline",
        ),
    ],
)
def test_nobody_goes_silent_or_offline_twice(
    action: str, condition: str, back: str, why_not: str, why_not_back: str, table: Table
) -> None:
    join(table, "decker", firewall=4, device_rating=4, **{**WIRED, "interface": "ar"})
    table.begin(decker={"score": 20, "world": "none"})
    assert ("needs", why_not_back) in table.refused("act", combatant="decker", action=back)
    table.act("decker", action)
    assert table.conditions("decker") == [condition]
    assert ("needs", why_not) in table.refused("act", combatant="decker", action=action)
    table.act("decker", back, pay={"simple": 1})
    assert table.conditions("decker") == []


class TestKillingAForm:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        """The maker has raised the Firewall of the decker from 2 to 4; the techno is a foe of both."""
        online = {"interface": "hot-sim", "willpower": 4, "logic": 5, "skills": {"software": 4}}
        join(table, "maker", resonance=4, **online)
        join(table, "techno", side="theirs", technomancer=True, resonance=5, **online)
        join(table, "decker", firewall=2, device_rating=4, **{**WIRED, "interface": "ar"})
        table.begin(
            maker={"score": 20, "world": "none"},
            techno={"score": 15, "world": "none"},
            decker={"score": 5, "world": "none"},
        )
        table.act("maker", "thread-complex-form", "decker", situation={"act": INFUSION, "force": 4})
        throw(table, 4)
        throw(table, 2)
        table.do("next")
        assert (present(table.one("decker"))["firewall"], table.conditions("maker")) == (4, ["sustaining"])
        return table

    def test_the_fight_knows_the_form_and_its_maker(self, fight: Table) -> None:
        fight.act("techno", "kill-complex-form", "decker", situation={"act": INFUSION})
        assert pools(fight) == {"dispelling": 5 + 4, "spell": 4 + 4}
        throw(fight, 3, 2)
        throw(fight, 2)
        assert (present(fight.one("decker"))["firewall"], fight.conditions("maker")) == (3, ["sustaining"])

    def test_without_hits_it_is_over(self, fight: Table) -> None:
        fight.act("techno", "kill-complex-form", "decker", situation={"act": INFUSION})
        throw(fight, 3, 1)
        throw(fight, 2)
        assert (fight.conditions("decker"), fight.conditions("maker")) == ([], [])
        assert present(fight.one("decker"))["firewall"] == 2

    def test_what_a_target_is_under_is_offered_and_nothing_else(self, fight: Table) -> None:
        context = fight.encounters.context(fight.fight, fight.gm)
        (kills,) = (one for one in offers(context, "techno")["actions"] if one["action"] == KILL)
        assert kills["missing"] == ["act"]
        action = context.game.packs.entry("action", KILL)
        assert action is not None
        ways = ways_of(context.scene(), "techno", action, "", "decker")
        assert [way.situation for way in ways] == [{"act": INFUSION}]
        given = {"act": "diffusion-of-firewall", "force": 3, "maker": {"resonance": 4}}
        refused = fight.refused("act", combatant="techno", action=KILL, target="decker", situation=given)
        assert [text for _, text in refused] == ["decker is not under the form Diffusion of firewall"]


INFUSION, KILL = "infusion-of-firewall", "kill-complex-form"


def test_a_breath_is_held_until_boxes_are_filled(table: Table) -> None:
    """Gas that is only breathed in does nothing to those who hold it; gas that works by contact hurts, and ends it."""
    join(table, "guard", willpower=3, body=3, dice="service")
    table.begin(guard={"score": 20, "world": "none"})
    table.act("guard", "hold-breath")
    assert table.conditions("guard") == ["holding-breath"]
    refused = table.refused(
        "act", combatant="guard", action="resist-toxin", situation={"toxin": "nausea-gas"}
    )
    assert [text for _, text in refused] == ["The breath is held, and nothing else takes the toxin in"]
    table.act("guard", "resist-toxin", situation={"toxin": "pepper-punch"})
    assert table.one("guard").sheet["stun"] > 0
    assert "holding-breath" not in table.conditions("guard")
