"""What crosses several parts of the rules in a fight: surprise, blasts, debts, cut-ins, contests, departures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.encounters import audit, log
from fracas.errors import ForbiddenError, InputError

INGRAM, PREDATOR, KATANA, GRENADE = (
    "ingram-smartgun-x",
    "ares-predator-iv",
    "katana",
    "high-explosive-grenade",
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Rook against a guard and Vex; all are asked."""
    table = new(tmp_path)
    yield table
    table.close()


def new(folder: Path, name: str = "across.db", **settings: Any) -> Table:
    table = Table(folder, settings=settings, name=name)
    for id, side in (("rook", "runners"), ("guard", "corp"), ("vex", "corp")):
        table.join(id, side=side, player=True)
    table.do("set", combatant="rook", items={INGRAM: {"ready": True}, GRENADE: {"ready": True, "rounds": 2}})
    return table


def begin(table: Table, rook: int = 9, guard: int = 1, vex: int = 2) -> None:
    """Rook has 8 + hits, the guard 6 + hits, Vex 10 + hits."""
    table.begin(rook={"hits": rook}, guard={"hits": guard}, vex={"hits": vex})


def proven(table: Table) -> None:
    table.do("close")
    report = audit.verify(log.log_json(table.encounters, table.id, table.gm))
    assert report.ok, report.first_difference


def test_full_defense_while_somebody_cuts_in_takes_the_slot_that_was_cut_in_on(table: Table) -> None:
    """The action of this pass is still to come (section 10.3)."""
    begin(table)
    table.do("delay", combatant="rook")
    table.do("intervene", combatant="rook", when="before")  # before Vex, whose slot stood open
    table.act("rook", "fire-semi-automatic", "vex", situation={"distance": 4})
    table.answer("full-dodge", owner="vex")
    assert table.one("vex").skips == 1
    while table.steps():
        table.answer(table.question().get("default"))
    table.do("next")
    assert table.acting == ["guard"]
    assert (table.one("vex").skips, table.one("vex").done) == (0, True)
    table.do("next")
    proven(table)


def test_whoever_did_nothing_against_a_cut_in_acts_afterwards(table: Table) -> None:
    begin(table)
    table.do("delay", combatant="rook")
    table.do("intervene", combatant="rook", when="before")
    table.do("next")
    assert table.acting == ["vex"]


@pytest.mark.parametrize("settings", [{"apply": "at-once"}, {"apply": "confirm"}])
def test_the_last_who_has_not_thrown_may_leave_a_contest(settings: dict[str, Any], tmp_path: Path) -> None:
    table = new(tmp_path, **settings)
    for id in ("rook", "guard", "vex"):
        table.do("set", combatant=id, dice="hand", asks=False)
    table.do("contest", contest="surprise")
    table.dice([5] * 8, owner="rook")
    table.dice([2] * 6, owner="guard")
    table.do("leave", combatant="vex")
    assert table.state.contest is None
    [surprised] = table.one("guard").conditions
    assert (surprised.slug, surprised.towards) == ("surprised", ("rook",))
    proven(table)
    table.close()


def test_edge_in_a_contest_needs_no_confirmation_and_is_proven(tmp_path: Path) -> None:
    table = new(tmp_path, apply="confirm")
    table.do("contest", contest="surprise")
    while table.steps():
        choices = [option["id"] for option in table.steps()[0].question["options"]]  # type: ignore[index]
        push = "push" if "push" in choices else "none"
        table.do("answer", question=table.steps()[0].id, choose=push)
    assert table.one("rook").sheet["edge_points"] == 2
    assert table.state.contest is None
    proven(table)
    table.close()


def test_a_group_does_not_spend_its_only_point_of_edge_twice_in_one_step(table: Table) -> None:
    """Both are asked before anything is taken from them."""
    for id in ("guard", "vex"):
        table.do("set", combatant=id, fields={"edge_points": 1, "edge_group": "corp"})
    table.do("set", combatant="rook", asks=False, items={KATANA: {"ready": True}})
    begin(table)
    table.act("rook", "melee-sweep", "guard", item=KATANA, others=["vex"])
    asked = []
    while table.steps():
        question = table.question()
        [owner] = question["owners"]
        if question.get("decision") != "edge-before":
            table.answer(question["default"])
            continue
        if not question["about"]["roll"].endswith("defense"):
            table.answer("none")  # a hit is resisted besides, as the dice fall
            continue
        asked.append(owner)
        if len(asked) == 1:
            table.answer("push")
            continue
        table.refused("answer", question=question["id"], choose="push")
        table.answer("none")
    assert asked == ["guard", "vex"]
    assert {table.one(id).sheet["edge_points"] for id in asked} == {0}


SPLIT = {"distance": 4, "target_2": {"distance": 4}, "fire": {"spread": "narrow"}}
BLAST = {"distance": 10, "victim_1": {"blast_distance": 1}}


@pytest.mark.parametrize(
    ("action", "item", "target", "situation"),
    [
        ("split-full-burst", INGRAM, "guard", SPLIT),
        ("throw-grenade", GRENADE, "guard", BLAST),
        ("melee-sweep", KATANA, "guard", {}),
    ],
)
def test_nobody_acts_against_those_who_surprised_him_beside_others(
    table: Table, action: str, item: str, target: str, situation: dict[str, Any]
) -> None:
    """Section 10.4: attack, or otherwise affect."""
    table.do("set", combatant="rook", items={KATANA: {"ready": True}}, add=["surprised"], towards=["vex"])
    begin(table)
    said: dict[str, Any] = {
        "combatant": "rook",
        "action": action,
        "item": item,
        "target": target,
        "situation": situation,
    }
    assert table.refused("act", **said, others=["vex"]) == [("rules", "surprised by Vex")]
    table.do("set", combatant="rook", remove=["surprised"])
    table.do("act", **said, others=["vex"])


def test_two_steps_at_once_are_not_done_to_one_person_beside_others(tmp_path: Path) -> None:
    """Both would count with the same boxes and the same defenses."""
    table = new(tmp_path, apply="confirm")
    table.join("guard", id="friend", side="runners", asks=False)
    begin_together = {
        id: {"hits": hits} for id, hits in (("rook", 2), ("friend", 4), ("guard", 0), ("vex", -9))
    }
    for id in ("guard", "vex"):
        table.do("set", combatant=id, asks=False)
    table.do("begin-turn", given=begin_together)
    assert set(table.acting) == {"rook", "friend"}
    table.do("set", combatant="rook", asks=False)
    table.act("rook", "split-full-burst", "guard", item=INGRAM, others=["vex"], situation=SPLIT)
    shot: dict[str, Any] = {
        "combatant": "friend",
        "action": "fire-semi-automatic",
        "situation": {"distance": 4},
    }
    for target in ("guard", "vex"):
        assert [code for code, _ in table.refused("act", **shot, target=target)] == ["step-open"]
    table.act("friend", "fire-semi-automatic", "rook", situation={"distance": 4})  # who only fires himself
    table.close()


def test_two_things_dropped_at_once_are_proven(table: Table) -> None:
    begin(table)
    table.act("rook", "drop-object", item=INGRAM, second_item=PREDATOR)
    assert all(table.one("rook").items[slug]["dropped"] for slug in (INGRAM, PREDATOR))
    proven(table)


@pytest.mark.parametrize(
    "fields",
    [
        {"situation": {"distance": 4, "attacker": {"pool": 40}}},
        {"situation": {"distance": 4, "target": {"pool": 0}}},
        {"situation": {"distance": 4, "target": {"ballistic": 0}}},
        {"situation": {"distance": 4, "weapon": {"ap_half": True}}},
        {"situation": {"distance": 4, "weapon": {"element": "fire"}}},
        {"situation": {"distance": 4}, "modifiers": [{"to": "attack.pool", "value": 9}]},
        {"situation": {"distance": 4}, "modifiers": [{"to": "defense.pool", "value": -9}]},
    ],
)
def test_a_player_overrules_nothing_by_a_way_around(table: Table, fields: dict[str, Any]) -> None:
    """Whole pools, ratings and numbers by hand, in place of what the fight knows of attributes, armor and weapons."""
    begin(table)
    before = table.fight
    shot: dict[str, Any] = {"item": PREDATOR, **fields}
    with pytest.raises(ForbiddenError, match="only the GM"):
        table.act("rook", "fire-semi-automatic", "guard", by=table.player("rook"), **shot)
    assert table.fight == before
    table.act("rook", "fire-semi-automatic", "guard", **shot)


def test_a_player_does_not_choose_how_others_defend(table: Table) -> None:
    begin(table)
    with pytest.raises(ForbiddenError, match=r"situation\.target\.defense"):
        table.act(
            "rook",
            "melee-attack",
            "guard",
            by=table.player("rook"),
            item="unarmed-attack",
            situation={"target": {"defense": "block"}},
        )


def test_others_whom_a_player_does_not_know_of_are_unknown(table: Table) -> None:
    """Not refused for a reason that tells that they are there."""
    table.join("brick", id="zyx", name="Zyxomat", hidden=True)
    table.do("set", combatant="rook", add=["surprised"], towards=["zyx"])
    begin(table)
    for id in ("zyx", "nobody"):
        with pytest.raises(InputError, match="there is no combatant ") as caught:
            table.act(
                "rook",
                "throw-grenade",
                "guard",
                by=table.player("rook"),
                item=GRENADE,
                others=[id],
                situation=BLAST,
            )
        [problem] = caught.value.problems
        assert problem.path == "others[0]"


def test_no_grenade_goes_off_that_nobody_threw(table: Table) -> None:
    begin(table)
    said: dict[str, Any] = {
        "combatant": "rook",
        "action": "grenade-goes-off",
        "item": GRENADE,
        "others": ["guard"],
    }
    blast: dict[str, Any] = {"situation": {"victim_1": {"blast_distance": 0}}}
    [(code, _)] = table.refused("act", table.player("rook"), **said, **blast)
    assert code == "needs"
    event = table.do("act", **said, **blast, force=True)  # the GM may have it otherwise
    assert len(event.data["forced"]) == 1


def test_going_first_leaves_those_who_stood_first_as_they_were(table: Table) -> None:
    """It is declared at the start of a pass, so that nobody's Action Phase has begun (section 2)."""
    begin(table, rook=1, vex=9)
    table.act("vex", "full-dodge")
    while table.state.phase != "turn-over":
        table.do("next")
    table.do("set", combatant="vex", fields={"defenses_made": 2})
    begin(table, rook=1, vex=9)
    assert (table.acting, table.conditions("vex")) == (["vex"], [])
    table.do("set", combatant="vex", add=["in-melee"])
    table.do("spend", combatant="rook", on="go-first")
    assert (table.acting, table.conditions("vex")) == (["rook"], ["full-dodge", "in-melee"])
    assert table.one("vex").sheet["defenses_made"] == 2
    table.do("next")
    assert (table.acting, table.conditions("vex")) == (["vex"], ["in-melee"])
    assert table.one("vex").sheet["defenses_made"] == 0
    proven(table)


def test_edge_goes_before_what_is_timed(table: Table) -> None:
    """Whatever the score (section 2), and a timed item is last at its score (section 4.7)."""
    for id in ("rook", "guard", "vex"):
        table.do("set", combatant=id, fields={"passes": 2}, asks=False)
    begin(table)
    table.act("rook", "throw-fused-grenade", item=GRENADE, situation={"distance": 10})
    while table.state.part == 1:
        table.do("next")
    table.do("spend", combatant="guard", on="go-first")
    assert table.acting == ["guard"]
    assert [row["actors"] for row in table.view()["order"]] == [["guard"], ["rook"], [], ["vex"]]
    table.do("undo")
    table.do("spend", combatant="rook", on="go-first")
    table.do("spend", combatant="guard", on="go-first")
    assert [row["actors"] for row in table.view()["order"]] == [["rook"], ["guard"], [], ["vex"]]


@pytest.mark.parametrize("wrong", [10**30, -(10**9), "x" * 101, 1.5, [3], {"hits": 3}, None])
def test_an_initiative_by_hand_is_a_number_a_flag_or_a_word(table: Table, wrong: Any) -> None:
    before = table.fight
    with pytest.raises(InputError) as caught:
        table.do("begin-turn", given={"rook": {"hits": wrong}})
    assert [problem.path for problem in caught.value.problems] == ["given.rook.hits"]
    with pytest.raises(InputError) as caught:
        table.do("set", combatant="rook", rolled={"hits": wrong})
    assert [problem.path for problem in caught.value.problems] == ["rolled.hits"]
    assert table.fight == before


def test_the_pass_goes_on_when_the_last_who_might_cut_in_leaves(table: Table) -> None:
    for id in ("rook", "guard", "vex"):
        table.do("set", combatant=id, fields={"passes": 2})
    begin(table)
    table.do("delay", combatant="rook")
    table.do("delay", combatant="vex")
    table.do("next")
    assert table.state.phase == "waiting"
    table.do("next", table.player("rook"), combatant="rook")
    assert table.state.phase == "waiting"
    table.do("leave", combatant="vex")
    assert (table.state.part, table.acting) == (2, ["guard"])


def test_only_the_gm_says_that_somebody_is_in_the_zone(table: Table) -> None:
    for id in ("rook", "guard"):
        table.do("set", combatant=id, asks=False)
    table.begin(guard={"hits": 9}, rook={"hits": 0}, vex={"hits": 0})
    table.do("set", combatant="guard", items={"ak-97": {"ready": True}})
    table.act("guard", "suppressive-fire", item="ak-97", situation={"distance": 10})
    entering = {"item": "ak-97", "others": ["rook"], "situation": {"distance": 10}}
    with pytest.raises(ForbiddenError, match="only the GM"):
        table.act("guard", "suppress-zone", by=table.player("guard"), **entering)
    table.act("guard", "suppress-zone", **entering)


def test_whoever_falls_has_lost_the_aim(table: Table) -> None:
    table.begin(rook={"hits": 9}, guard={"hits": 0}, vex={"hits": 0})
    table.act("rook", "take-aim")
    assert "aiming" in table.conditions("rook")
    table.do("set", combatant="rook", add=["unconscious"])
    assert "aiming" not in table.conditions("rook")


def test_what_explodes_is_not_fired_as_a_single_shot(table: Table) -> None:
    table.do("set", combatant="rook", items={"ares-antioch-2": {"ready": True, "rounds": 8}})
    table.begin(rook={"hits": 9}, guard={"hits": 0}, vex={"hits": 0})
    shot = {
        "action": "fire-single-shot",
        "item": "ares-antioch-2",
        "target": "guard",
        "situation": {"distance": 60},
    }
    assert ("needs", "needs a weapon that fires nothing explosive") in table.refused(
        "act", combatant="rook", **shot
    )


def test_who_is_surprised_by_hidden_people_alone_is_told_nothing_of_it(table: Table) -> None:
    table.do("set", combatant="guard", hidden=True)
    table.do("set", combatant="rook", add=["surprised"], towards=["guard"])
    seen = [one["slug"] for one in table.shown("rook", table.player("rook"))["conditions"]]
    assert (seen, table.conditions("rook")) == ([], ["surprised"])
    table.do("set", combatant="rook", add=["surprised"], towards=["vex"])
    [told] = table.shown("rook", table.player("rook"))["conditions"]
    assert told["towards"] == ["vex"]


def test_a_grunt_who_escapes_death_lives_with_the_one_monitor_full(tmp_path: Path) -> None:
    table = Table(tmp_path, options={"npc_single_track": True}, name="grunt.db")
    grunt = {"use": "guard", "grunt": True, "edge": 2, "physical": 6, "stun": 7}
    table.join(grunt, id="grunt", asks=False)
    table.join("rook", asks=False)
    table.do("set", combatant="grunt", add=["unconscious", "dying"])
    table.begin(rook={"hits": 0}, grunt={"hits": 0})
    table.act("grunt", "escape-death")
    one = table.one("grunt")
    assert (one.sheet["physical"], one.sheet["stun"], one.sheet["edge"]) == (3, 7, 1)  # 10 boxes in all
    assert "stabilized" in table.conditions("grunt")
    assert "dying" not in table.conditions("grunt")
    table.close()
