"""Initiative in fights, sentence by sentence of sections 4.2 to 4.5: what moves a score in the middle of a turn, what
passes come and go, the worlds that give an Initiative of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.errors import InputError


def join(table: Table, name: str, attribute: int = 8, **more: Any) -> None:
    """Somebody unhurt with this Initiative attribute, of which Intuition is 4."""
    sheet = {"reaction": attribute - 4, "intuition": 4, "body": 4, "willpower": 4, "physical": 0, "stun": 0}
    known = {"edge": 3, "edge_points": 3, "skills": {"dodge": 3, "pistols": 4}, "agility": 4, "armor": []}
    fields = {key: more.pop(key) for key in tuple(more) if key in ("dice", "asks", "player", "weapons")}
    table.join({"name": name, **sheet, **known, **more}, **{"asks": False, "dice": "hand", **fields})


def rank(table: Table, who: str) -> int:
    return int(table.shown(who)["rank"])


def why_not(table: Table, who: str, action: str, target: str | None = None) -> set[str]:
    """The reasons against an action."""
    return {text for _, text in table.refused("act", combatant=who, action=action, target=target)}


def to_pass(table: Table, number: int) -> None:
    """Let everybody go on until a pass begins, or the turn is over."""
    while table.state.part < number and table.state.phase != "turn-over":
        table.do("next")


def played(table: Table) -> list[str]:
    """Who acts in what is left of the turn, a word for each slot and ``|`` between passes."""
    found: list[str] = []
    part = table.state.part
    while table.state.phase != "turn-over":
        if table.state.part != part:
            part = table.state.part
            found.append("|")
        found.append("+".join(sorted(table.acting)))
        table.do("next")
    return found


# --- The test ------------------------------------------------------------------------------------------------


def test_attribute_and_hits(table: Table) -> None:
    join(table, "ann", 9)
    table.do("begin-turn")
    (part,) = table.question("ann")["parts"]
    assert part["groups"][0]["count"] == 9
    table.dice([5, 6, 5, 1, 2, 3, 4, 2, 3])
    assert rank(table, "ann") == 12


def test_edge_may_be_used_on_it(table: Table) -> None:
    join(table, "ann", 6, edge=2, asks=True)
    table.do("begin-turn")
    assert [option["id"] for option in table.question("ann")["options"]] == ["none", "push", "burn"]
    table.answer("push")
    table.dice([6, 2, 3, 4, 2, 3, 2, 2, 5])  # 6 + 2 dice; the six brings one more
    assert rank(table, "ann") == 8
    assert table.one("ann").sheet["edge_points"] == 2


def test_a_glitch_acts_after_the_same_score_and_a_critical_one_after_everybody_in_each_pass(
    table: Table,
) -> None:
    join(table, "ann", passes=2)
    join(table, "bob", passes=2)
    join(table, "cas", passes=3)
    join(table, "dan")
    table.begin(
        ann={"hits": 3, "glitch": "glitch"},
        bob={"hits": 3},
        cas={"hits": 6, "glitch": "critical"},
        dan={"hits": 1, "glitch": "critical"},
    )
    # Cas has the best score and three passes, and keeps two; Dan keeps the only one.
    assert played(table) == ["bob", "ann", "cas", "dan", "|", "bob", "ann", "cas"]


def test_a_glitch_that_edge_cancels_changes_nothing(table: Table) -> None:
    join(table, "ann", 6, asks=True)
    join(table, "bob", 6)
    table.do("begin-turn", given={"bob": {"hits": 1}})
    table.answer("none")
    table.dice([1, 1, 1, 5, 2, 3])
    table.answer("negate-glitch")
    assert sorted(table.acting) == ["ann", "bob"]


@pytest.mark.parametrize(("house_rule", "dice"), [(False, 8), (True, 7)])
def test_a_glitch_may_cost_a_die_in_the_first_phase(tmp_path: Path, house_rule: bool, dice: int) -> None:
    table = Table(tmp_path, options={"initiative_glitch_die": house_rule})
    join(table, "ann", 6, passes=2)
    join(table, "bob", 4)
    table.do("begin-turn", given={"bob": {"hits": 0}})
    table.dice([1, 1, 1, 5, 2, 3])

    def test() -> int:
        table.act("ann", "observe-in-detail", situation={"tester": {"skills": {"perception": 4}}})
        (part,) = table.question("ann")["parts"]
        count: int = part["groups"][0]["count"]
        table.dice([5] * count)
        return count

    assert (rank(table, "ann"), test()) == (7, dice)
    assert table.conditions("ann") == (["initiative-glitch"] if house_rule else [])
    to_pass(table, 2)
    assert (table.acting, test()) == (["ann"], 8)
    assert table.conditions("ann") == []
    table.close()


def test_a_critical_glitch_costs_no_die(tmp_path: Path) -> None:
    table = Table(tmp_path, options={"initiative_glitch_die": True})
    join(table, "ann", 6)
    table.do("begin-turn")
    table.dice([1, 1, 1, 4, 2, 3])
    assert table.conditions("ann") == []
    table.close()


# --- Changes in the middle of a turn -----------------------------------------------------------------------------


def test_a_wound_shows_at_once_before_the_phase_and_from_the_next_pass_on_after_it(table: Table) -> None:
    for name in ("ann", "bob", "cas"):
        join(table, name, passes=2)
    table.begin(ann={"hits": 5}, bob={"hits": 4}, cas={"hits": 3})  # 13, 12, 11
    assert table.acting == ["ann"]
    table.do("set", combatant="bob", fields={"physical": 6})  # -2: 10, after Cas
    assert [row["actors"] for row in table.view()["order"]] == [["ann"], ["cas"], ["bob"]]
    table.do("next")
    table.do("set", combatant="ann", fields={"stun": 9})  # -3, but Ann has acted in this pass
    assert rank(table, "ann") == 10
    assert played(table) == ["cas", "bob", "|", "cas", "ann+bob"]


def test_tracks_count_one_by_one(table: Table) -> None:
    join(table, "ann")
    table.begin(ann={"hits": 2})
    for boxes, score in ((2, 10), (3, 9), (5, 9), (6, 8)):
        table.do("set", combatant="ann", fields={"physical": boxes, "stun": 2})
        assert rank(table, "ann") == score


def test_a_score_of_zero_takes_every_action_of_the_turn_and_leaves_the_defense(table: Table) -> None:
    join(table, "ann", passes=2, weapons=["ares-predator-iv"])
    join(table, "bob", 5, body=8, willpower=8, passes=3)
    table.begin(ann={"hits": 3}, bob={"hits": 0})
    table.do("set", combatant="bob", fields={"physical": 9, "stun": 6})  # 5 - 3 - 2
    assert rank(table, "bob") == 0
    assert "Initiative Score of 0 or less: no action in this Combat Turn" in why_not(table, "bob", "speak")
    # On full defense: that takes the first action of the next turn.
    table.act("bob", "full-dodge")
    table.act("ann", "fire-semi-automatic", "bob", situation={"distance": 3})
    parts = {part["label"]: part["groups"] for part in table.question()["parts"]}
    assert sum(group["count"] for group in parts["defense"]) == 0  # 1 + 3 - 5
    table.dice([2] * 8)
    assert played(table) == ["ann", "|", "ann"]
    table.begin(ann={"hits": 0}, bob={"hits": 3})
    assert table.shown("bob")["skips"] == 1


def test_healing_raises_the_score_at_once(table: Table) -> None:
    join(table, "ann", physical=6)
    join(table, "bob")
    table.begin(ann={"hits": 4}, bob={"hits": 3})  # 10 and 11
    assert table.acting == ["bob"]
    table.do("set", combatant="ann", fields={"physical": 2})
    assert rank(table, "ann") == 12
    assert [row["actors"] for row in table.view()["order"]][-1] == ["ann"]


def test_initiative_8_score_11_boosted_to_10_is_13_and_back(table: Table) -> None:
    join(table, "ann")
    join(table, "bob", 9)
    table.begin(ann={"hits": 3}, bob={"hits": 3})
    assert (table.acting, rank(table, "ann")) == (["bob"], 11)
    table.do("set", combatant="ann", add=["reflexes-boosted-2"])
    assert rank(table, "ann") == 13
    assert played(table) == ["bob", "ann"]  # and no pass more
    table.begin(ann={"hits": 3}, bob={"hits": 3})
    assert table.acting == ["ann"]
    table.do("next")
    table.do("next")
    assert (table.state.part, table.acting) == (2, ["ann"])
    table.do("set", combatant="ann", remove=["reflexes-boosted-2"])
    assert rank(table, "ann") == 11
    table.do("next")
    assert table.state.phase == "turn-over"  # the third pass is gone at once


def test_no_action_and_no_free_action_in_a_pass_of_others_but_a_defense(table: Table) -> None:
    join(table, "ann", passes=2, weapons=["ares-predator-iv"])
    join(table, "bob", 6)
    table.begin(ann={"hits": 3}, bob={"hits": 3})
    to_pass(table, 2)
    assert "no action in pass 2" in why_not(table, "bob", "speak")
    table.act("ann", "fire-semi-automatic", "bob", situation={"distance": 3})
    parts = {part["label"]: part["groups"] for part in table.question()["parts"]}
    assert sum(group["count"] for group in parts["defense"]) == 2


# --- Worlds ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def magician(table: Table) -> Table:
    """Mia projects: Reaction 3, Intuition 5; one pass in the body. Bob has four passes, so that all come."""
    join(table, "mia", magic=5)
    table.do("set", combatant="mia", fields={"reaction": 3, "intuition": 5})
    join(table, "bob", passes=4)
    return table


def test_the_projector_of_the_rulebook(magician: Table) -> None:
    """One pass; projecting brings two more, from the next turn on; returning takes them at once."""
    table = magician
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    assert rank(table, "mia") == 10
    table.act("mia", "project")
    assert rank(table, "mia") == 12  # Intuition x 2: 2 more than 8
    assert played(table) == ["mia", "bob", "|", "bob", "|", "bob", "|", "bob"]

    table.begin(mia={"hits": 2}, bob={"hits": 0})
    assert rank(table, "mia") == 12
    table.do("next")
    table.do("next")
    assert (table.state.part, table.acting) == (2, ["mia"])
    table.act("mia", "return-to-body")
    assert rank(table, "mia") == 10
    assert "astral-projection" not in table.conditions("mia")
    # Going back on the same turn brings nothing back: what is gone is gone.
    assert played(table) == ["mia", "bob", "|", "bob", "|", "bob"]
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    assert rank(table, "mia") == 10
    assert played(table) == ["mia", "bob", "|", "bob", "|", "bob", "|", "bob"]


def test_passes_that_are_gone_do_not_come_back_with_another_projection(magician: Table) -> None:
    table = magician
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    table.act("mia", "project")
    played(table)
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    table.act("mia", "return-to-body")
    table.act("mia", "project", force=True)
    assert played(table) == ["mia", "bob", "|", "bob", "|", "bob", "|", "bob"]
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    assert played(table) == ["mia", "bob", "|", "mia", "bob", "|", "mia", "bob", "|", "bob"]


def test_wounds_count_in_every_world(magician: Table) -> None:
    table = magician
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    table.act("mia", "project")
    table.do("set", combatant="mia", fields={"stun": 3})
    assert rank(table, "mia") == 11


def test_who_projects_has_no_hands_and_a_body_that_does_not_defend(magician: Table) -> None:
    table = magician
    join(table, "eve", weapons=["ares-predator-iv"])
    table.begin(mia={"hits": 2}, bob={"hits": 0}, eve={"hits": 1})
    table.act("mia", "project")
    assert "not in the body (Astral projection)" in why_not(table, "mia", "melee-attack", "bob")
    assert "not in the body (Astral projection)" in why_not(table, "mia", "ready-weapon")
    assert "not in the body (Astral projection)" in why_not(table, "mia", "drop-prone")
    assert "not in the body (Astral projection)" in why_not(table, "mia", "sprint")
    assert "not while projecting astrally" in why_not(table, "mia", "kneel")
    assert "needs to be in one's body" in why_not(table, "mia", "project")
    table.do("next")
    assert table.acting == ["eve"]
    table.act("eve", "fire-semi-automatic", "mia", situation={"distance": 3})
    assert [part["label"] for part in table.question()["parts"]] == ["attack"]


def test_perceiving_keeps_the_initiative_of_the_body(magician: Table) -> None:
    table = magician
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    table.act("mia", "shift-perception")
    assert rank(table, "mia") == 10
    table.act("mia", "shift-perception-back")
    assert table.conditions("mia") == []


def test_astral_combat(magician: Table) -> None:
    """WIL 4 + Astral Combat 3 against INT 4 + Dodge 3; half of Charisma 5 is 3; Willpower 4 resists."""
    table = magician
    table.do("set", combatant="mia", fields={"skills": {"astral-combat": 3}, "charisma": 5})
    table.do("set", combatant="bob", fields={"charisma": 2})
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    table.act("mia", "project")
    played(table)
    table.do("set", combatant="bob", add=["astral-perception"])
    table.begin(mia={"hits": 2}, bob={"hits": 0})
    said = {"situation": {"damage": "physical"}}
    table.act("mia", "astral-attack", "bob", **said)
    parts = {part["label"]: sum(one["count"] for one in part["groups"]) for part in table.question()["parts"]}
    assert parts == {"attack": 7, "defense": 7}
    table.dice([5, 5, 5, 2, 2, 2, 2], [5, 2, 2, 2, 2, 2, 2])
    table.dice([5, 2, 2, 2])
    assert table.one("bob").sheet["physical"] == 4  # 3 + 2 net hits - 1
    table.do("next")
    assert "needs the skill Astral Combat" in why_not(table, "bob", "astral-attack", "mia")


@pytest.fixture
def decker(table: Table) -> Table:
    """Dex enters the Matrix: Reaction 3, Intuition 5, Response 5, Willpower 4; one pass in the body."""
    join(table, "dex", response=5)
    table.do("set", combatant="dex", fields={"reaction": 3, "intuition": 5, "vehicle_response": 3})
    join(table, "bob", passes=4)
    return table


@pytest.mark.parametrize(
    ("action", "score", "passes"),
    [
        ("enter-augmented-reality", 10, 1),
        ("enter-cold-sim", 12, 2),  # 5 + 5
        ("enter-hot-sim", 13, 3),  # one more
        ("enter-resonance", 13, 3),  # 5 x 2 + 1
        ("jump-in-cold", 12, 2),  # the Response of the commlink, not that of the vehicle
        ("jump-in-hot", 13, 3),
    ],
)
def test_each_world_has_its_initiative_and_passes(
    decker: Table, action: str, score: int, passes: int
) -> None:
    table = decker
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    table.act("dex", action)
    assert rank(table, "dex") == score
    assert played(table).count("dex") == 1
    table.do("begin-turn", given={"bob": {"hits": 0}})
    (part,) = table.question("dex")["parts"]
    assert part["groups"][0]["count"] == score - 2
    table.dice([5, 5, *([2] * (score - 4))])
    assert rank(table, "dex") == score
    assert played(table).count("dex") == passes


def test_a_hot_sim_decker_is_thrown_out(decker: Table) -> None:
    table = decker
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    table.act("dex", "enter-hot-sim")
    played(table)
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    assert table.acting == ["dex"]
    table.do("next")
    table.do("set", combatant="dex", fields={"biofeedback_filter": 2})
    table.act("dex", "dumpshock")
    (part,) = table.question()["parts"]
    assert sum(group["count"] for group in part["groups"]) == 6  # Willpower 4 + filter 2
    table.dice([5, 2, 2, 2, 2, 2])
    assert table.one("dex").sheet["physical"] == 4  # 5 - 1
    assert rank(table, "dex") == 9  # 8 + 2, and a wound
    assert played(table) == ["bob", "|", "bob", "|", "bob", "|", "bob"]  # the two other passes are gone


def test_cold_sim_dumpshock_is_stun_and_leaving_is_no_shock(decker: Table) -> None:
    table = decker
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    table.act("dex", "enter-cold-sim")
    table.act("dex", "leave-virtual-reality")
    assert (rank(table, "dex"), table.conditions("dex")) == (10, ["returned-to-body"])
    played(table)
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    assert table.conditions("dex") == []
    table.act("dex", "enter-cold-sim")
    table.act("dex", "dumpshock")
    table.dice([2, 2, 2, 2])
    assert table.one("dex").sheet["stun"] == 5


def test_no_device_no_matrix(table: Table) -> None:
    join(table, "ann")
    table.begin(ann={"hits": 2})
    assert "needs a device whose Response is known" in why_not(table, "ann", "enter-hot-sim")


def test_nobody_casts_spells_in_the_matrix(decker: Table) -> None:
    table = decker
    table.do("set", combatant="dex", fields={"magic": 5, "skills": {"spellcasting": 4}})
    table.begin(dex={"hits": 2}, bob={"hits": 0})
    table.act("dex", "enter-hot-sim")
    assert "nobody casts spells in the Matrix" in why_not(table, "dex", "cast-spell", "bob")


# --- What gives passes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passes", "boost", "score", "actions"),
    [(1, 0, 10, 1), (1, 2, 12, 3), (2, 2, 11, 3), (3, 2, 10, 3), (4, 3, 10, 4), (2, 1, 10, 2)],
)
def test_boosts_of_reflexes_are_not_cumulative(
    table: Table, passes: int, boost: int, score: int, actions: int
) -> None:
    """Wired reflexes 1 (a second pass, counted in Reaction) and a spell of 2: one more on both, not two."""
    join(table, "ann", passes=passes)
    join(table, "bob", 4, passes=4)
    table.do("set", combatant="ann", fields={"reflex_boost": boost})
    table.begin(ann={"hits": 2}, bob={"hits": 0})
    assert rank(table, "ann") == score
    assert played(table).count("ann") == actions


def test_never_more_passes_than_the_house_rule_lets(tmp_path: Path) -> None:
    table = Table(tmp_path, options={"max_passes": 2})
    join(table, "mia", magic=5)
    table.do("set", combatant="mia", add=["astral-projection"])
    table.begin(mia={"hits": 2})
    assert played(table) == ["mia", "|", "mia"]
    table.close()


def test_a_world_without_the_attribute_it_needs_says_so(table: Table) -> None:
    join(table, "ann")
    table.do("set", combatant="ann", add=["in-hot-sim"])
    with pytest.raises(InputError, match="response"):
        table.do("begin-turn")


def test_passes_that_are_given_are_those_of_the_sheet_at_most(table: Table) -> None:
    join(table, "me", 8, passes=2)
    with pytest.raises(InputError) as refused:
        table.begin(me={"hits": 1, "passes": 3})
    (problem,) = refused.value.problems
    assert (problem.path, problem.message) == (
        "given.me.passes",
        "3 passes are more than me has by the sheet: 2",
    )
    table.begin(me={"hits": 1, "passes": 1})
    table.do("next")
    assert table.state.phase == "turn-over"


def test_a_score_that_is_given_is_the_score_and_the_rest_follows(table: Table) -> None:
    join(table, "me", 8, passes=3)
    join(table, "hurt", 8)
    table.do("set", combatant="hurt", fields={"physical": 3})
    table.begin(me={"score": 13}, hurt={"score": 9})
    assert (rank(table, "me"), rank(table, "hurt")) == (13, 9)
    assert dict(table.one("me").rolled) == {"hits": 5, "glitch": "none", "passes": 3}
    assert table.acting == ["me"]
    table.do("set", combatant="me", fields={"physical": 3})
    assert rank(table, "me") == 12
