"""Who acts when in rounds of the Inquisitor universe: Initiative, ties, the rolled variant, surprise, groups.

imperium.md, sections 2.1 to 2.3; golden examples A1, A2 and A4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imperium_rounds import begin, everybody_in_order, join
from plain_yaml import data_of
from sr4_phases import audited
from table_play import Table
from tiers import scale

from fracas.kernel.intents import Participant
from fracas.kernel.intents import Table as Seen
from fracas.rulesets.imperium.fights.turns import TURNS

Made = Callable[..., Table]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """An empty table with some house rules."""
    tables = []

    def make(**options: Any) -> Table:
        table = Table(tmp_path, "imperium", options={"pinning": False, **options}, name=f"{len(tables)}.db")
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.close()


def ranks(table: Table) -> dict[str, str]:
    return {one["id"]: one["rank"] for one in table.view()["combatants"]}


@pytest.mark.parametrize(
    "case", data_of(Path(__file__).with_name("imperium_orders.yaml")), ids=lambda case: case["id"]
)
def test_golden_orders(case: Mapping[str, Any], made: Made) -> None:
    """A1, A2 and A4: who acts one after the other, round by round, with the dice of the rulebook."""
    table = made(**case.get("options", {}))
    groups = {id: group for group, members in case.get("groups", {}).items() for id in members}
    for id, initiative in case["people"].items():
        grouped = {"side": groups[id], "group": groups[id]} if id in groups else {}
        join(table, id, initiative, **grouped)
    for id in case.get("surprised", ()):
        table.do("set", combatant=id, add=["surprised"])
    for at, expected in enumerate(case["order"]):
        begin(table)
        if at == 0:
            for who, die in case.get("throws", ()):
                table.dice([die], owner=who)
            found = ranks(table)
            assert {id: found[id] for id in case["ranks"]} == case["ranks"]
        assert list(dict.fromkeys(everybody_in_order(table))) == expected  # a group acts together


class TestInitiative:
    def test_people_may_agree_on_the_order_of_a_tie(self, made: Made) -> None:
        table = made()
        join(table, "a", 45)
        join(table, "b", 45)
        begin(table, a={"tie": 1}, b={"tie": 2})
        assert everybody_in_order(table) == ["b", "a"]

    def test_nobody_throws_without_a_tie(self, made: Made) -> None:
        table = made()
        join(table, "slow", 30)
        join(table, "quick", 31)
        begin(table)
        assert table.steps() == []
        assert everybody_in_order(table) == ["quick", "slow"]

    def test_each_round_has_ties_of_its_own(self, made: Made) -> None:
        table = made()
        join(table, "a", 45)
        join(table, "b", 45)
        begin(table, a={"tie": 1}, b={"tie": 2})
        everybody_in_order(table)
        begin(table)
        table.dice([6], owner="a")
        table.dice([1], owner="b")
        assert everybody_in_order(table) == ["a", "b"]

    def test_equals_of_a_group_have_one_place_and_any_order(self, made: Made) -> None:
        """Three of a group throw one die against somebody as quick as they are."""
        table = made()
        for id in ("one", "two", "three"):
            join(table, id, 45, side="foes", group="cultists")
        join(table, "hero", 45)
        begin(table)
        table.dice([2], owner="one")
        table.dice([5], owner="hero")
        assert table.acting == ["hero"]
        table.do("next")
        assert table.acting == ["one", "two", "three"]
        table.act("two", "walk")
        table.do("next", combatant="two")
        assert table.acting == ["one", "three"]

    def test_a_member_whose_initiative_has_become_another_has_a_place_of_their_own(self, made: Made) -> None:
        """Two of a group are as quick as ever, and the third is no longer, from the next round on."""
        table = made()
        for id in ("one", "two", "three"):
            join(table, id, 45, side="foes", group="cultists")
        join(table, "hero", 40)
        begin(table)
        table.do("set", combatant="two", fields={"initiative": 25})
        assert list(dict.fromkeys(everybody_in_order(table))) == ["one", "two", "three", "hero"]
        begin(table)
        assert list(dict.fromkeys(everybody_in_order(table))) == ["one", "three", "hero", "two"]

    def test_who_comes_late_has_his_place_after_the_gm_asks_for_it(self, made: Made) -> None:
        table = made()
        join(table, "first", 60)
        join(table, "last", 20)
        begin(table)
        join(table, "late", 40)
        table.do("next")
        assert table.acting == ["last"]
        table.do("undo", steps=1)
        table.do("roll-initiative")
        table.do("next")
        assert table.acting == ["late"]

    def test_an_undo_brings_the_order_back(self, made: Made) -> None:
        table = made()
        join(table, "a", 45)
        join(table, "b", 45)
        begin(table, a={"tie": 1}, b={"tie": 2})
        table.do("next")
        assert table.acting == ["a"]
        table.do("undo", steps=1)
        assert table.acting == ["b"]


class TestRolled:
    def test_equal_margins_are_ties(self, made: Made) -> None:
        """60 throws 40 and 50 throws 30: both pass by 20."""
        table = made(rolled_initiative=True)
        join(table, "a", 60)
        join(table, "b", 50)
        begin(table)
        table.dice([40], owner="a")
        table.dice([30], owner="b")
        table.dice([2], owner="a")
        table.dice([4], owner="b")
        assert everybody_in_order(table) == ["b", "a"]

    def test_surprise_halves_what_is_tested(self, made: Made) -> None:
        """57 / 2 = 28.5, rounded up 29: 29 passes, 30 fails."""
        table = made(rolled_initiative=True)
        join(table, "guard", 57)
        join(table, "other", 50)
        table.do("set", combatant="guard", add=["surprised"])
        begin(table)
        table.dice([29], owner="guard")
        table.dice([50], owner="other")
        # Both pass by 0: the tie is thrown off.
        assert {one.actor for one in table.steps()} == {"guard", "other"}


class TestSurprise:
    def test_both_actions_remain(self, made: Made) -> None:
        table = made()
        join(table, "guard", 60)
        table.do("set", combatant="guard", add=["surprised"])
        begin(table)
        table.act("guard", "walk")
        table.act("guard", "walk")
        assert table.one("guard").spent == {"action": 2}

    @pytest.fixture
    def begun(self, made: Made) -> Table:
        table = made()
        join(table, "quick", 70)
        join(table, "guard", 60)
        join(table, "slow", 40)
        begin(table)
        return table

    def test_surprise_that_is_told_late_counts(self, begun: Table) -> None:
        begun.do("set", combatant="guard", add=["surprised"])
        assert everybody_in_order(begun) == ["quick", "slow", "guard"]

    def test_whoever_stands_first_and_is_surprised_gives_way(self, begun: Table) -> None:
        """70 / 2 = 35: the last. Before, the slot stood open, and the surprise was forgotten."""
        assert [row["label"] for row in begun.view()["order"]] == ["70", "60", "40"]
        begun.do("set", combatant="quick", add=["surprised"])
        assert everybody_in_order(begun) == ["guard", "slow", "quick"]
        assert begun.state.phase == "turn-over"
        begin(begun)
        assert everybody_in_order(begun) == ["quick", "guard", "slow"]
        audited(begun)

    def test_a_slot_that_is_used_stands(self, begun: Table) -> None:
        begun.act("quick", "walk")
        begun.do("set", combatant="quick", add=["surprised"])
        assert everybody_in_order(begun) == ["quick", "guard", "slow"]

    def test_late_surprise_is_rolled_for_with_rolled_initiative(self, made: Made) -> None:
        """60 / 2 = 30: 20 passes by 10, less than the 40 by which `slow` has passed."""
        table = made(rolled_initiative=True)
        join(table, "guard", 60)
        join(table, "slow", 50)
        begin(table)
        table.dice([5], owner="guard")
        table.dice([10], owner="slow")
        assert table.acting == ["guard"]
        table.do("set", combatant="guard", add=["surprised"])
        assert table.state.phase == "initiative"
        table.dice([20], owner="guard")
        assert everybody_in_order(table) == ["slow", "guard"]
        audited(table)


FACTS = st.fixed_dictionaries(
    {"success": st.booleans(), "margin": st.integers(0, 99), "tie": st.integers(1, 6)}
)


@settings(max_examples=scale(20, 60))
@given(st.lists(FACTS, min_size=1, max_size=8))
def test_passers_always_come_first_and_nobody_is_lost(rolled: list[dict[str, int]]) -> None:
    people = {
        str(at): Participant(str(at), str(at), str(at), False, {}, rolled={"initiative": 50, **facts})
        for at, facts in enumerate(rolled)
    }
    slots = TURNS.order(Seen(1, 1, people, options={"one_action_rounds": False}))
    found = [int(slot.actors[0]) for slot in slots]
    assert sorted(found) == list(range(len(rolled)))
    passed = [rolled[at]["success"] for at in found]
    assert passed == sorted(passed, reverse=True)
    margins = [rolled[at]["margin"] * (1 if rolled[at]["success"] else -1) for at in found]
    for won in (True, False):
        mine = [margin for margin, success in zip(margins, passed, strict=True) if success == won]
        assert mine == sorted(mine, reverse=True)
