"""Who acts when in rounds of the Inquisitor universe: Initiative, ties, the rolled variant, surprise, groups.

imperium.md, sections 2.1 to 2.3; golden examples A1, A2 and A4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imperium_rounds import begin, everybody_in_order, join
from table_play import Table

from fracas.kernel.turns import Participant
from fracas.kernel.turns import Table as Seen
from fracas.rulesets.imperium.fights import order

Made = Callable[..., Table]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """An empty table with some house rules."""
    tables = []

    def make(**options: Any) -> Table:
        table = Table(tmp_path, "imperium", options=options, name=f"{len(tables)}.db")
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.close()


def ranks(table: Table) -> dict[str, str]:
    return {one["id"]: one["rank"] for one in table.view()["combatants"]}


class TestInitiative:
    def test_a1_ties_are_broken_by_d6_and_again_among_those_who_still_tie(self, made: Made) -> None:
        """Cultists throw 3, 5 and 3; A and C throw again, 2 and 6: B, C, A."""
        table = made()
        for id, initiative in {
            "servitor": 20,
            "a": 45,
            "sergeant": 61,
            "b": 45,
            "assassin": 88,
            "c": 45,
        }.items():
            join(table, id, initiative)
        begin(table)
        for who, die in (("a", 3), ("b", 5), ("c", 3), ("a", 2), ("c", 6)):
            table.dice([die], owner=who)
        assert ranks(table) | {"x": ""} == {
            "assassin": "88",
            "sergeant": "61",
            "a": "45 (3, 2)",
            "b": "45 (5)",
            "c": "45 (3, 6)",
            "servitor": "20",
            "x": "",
        }
        assert everybody_in_order(table) == ["assassin", "sergeant", "b", "c", "a", "servitor"]

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
    def test_a2_passers_by_margin_and_failers_after_them(self, made: Made) -> None:
        """88 throws 90, 42 throws 7, 61 throws 58, 45 throws 45, 50 throws 55, 20 throws 64."""
        table = made(rolled_initiative=True)
        people = {
            "assassin": (88, 90),
            "juve": (42, 7),
            "sergeant": (61, 58),
            "ganger": (50, 55),
            "servitor": (20, 64),
        }
        for id, (initiative, _) in people.items():
            join(table, id, initiative)
        for id in ("mob-1", "mob-2", "mob-3"):
            join(table, id, 45, side="foes", group="mob")
        begin(table)
        for id, (_, roll) in people.items():
            table.dice([roll], owner=id)
        table.dice([45], owner="mob-1")
        assert ranks(table)["juve"] == "passes by 35"
        assert ranks(table)["assassin"] == "fails by 2"
        found = everybody_in_order(table)
        assert [id for id in found if id not in ("mob-2", "mob-3")] == [
            "juve",
            "sergeant",
            "mob-1",
            "assassin",
            "ganger",
            "servitor",
        ]
        begin(table)
        assert len(table.steps()) == 6, "rolled anew in each round, once for the mob"

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
    @pytest.mark.parametrize("rounding", ["up", "down"])
    def test_a4_half_initiative_in_the_opening_round(self, rounding: str, made: Made) -> None:
        table = made(rounding=rounding)
        for id, initiative in {"guard-60": 60, "guard-57": 57, "pc-50": 50, "pc-28": 28}.items():
            join(table, id, initiative)
        for guard in ("guard-60", "guard-57"):
            table.do("set", combatant=guard, add=["surprised"])
        begin(table)
        if rounding == "down":  # 28 ties with 28
            table.dice([1], owner="guard-57")
            table.dice([3], owner="pc-28")
            assert everybody_in_order(table) == ["pc-50", "guard-60", "pc-28", "guard-57"]
        else:
            assert ranks(table)["guard-57"] == "29"
            assert everybody_in_order(table) == ["pc-50", "guard-60", "guard-57", "pc-28"]
        begin(table)
        assert everybody_in_order(table) == ["guard-60", "guard-57", "pc-50", "pc-28"]

    def test_both_actions_remain(self, made: Made) -> None:
        table = made()
        join(table, "guard", 60)
        table.do("set", combatant="guard", add=["surprised"])
        begin(table)
        table.act("guard", "walk")
        table.act("guard", "walk")
        assert table.one("guard").spent == {"action": 2}

    def test_surprise_that_is_told_late_counts_when_the_gm_asks_again(self, made: Made) -> None:
        table = made()
        join(table, "quick", 70)
        join(table, "guard", 60)
        join(table, "slow", 40)
        begin(table)
        table.do("set", combatant="guard", add=["surprised"])
        table.do("roll-initiative")
        assert everybody_in_order(table) == ["quick", "slow", "guard"]


FACTS = st.fixed_dictionaries(
    {"success": st.booleans(), "margin": st.integers(0, 99), "tie": st.integers(1, 6)}
)


@settings(max_examples=60)
@given(st.lists(FACTS, min_size=1, max_size=8))
def test_passers_always_come_first_and_nobody_is_lost(rolled: list[dict[str, int]]) -> None:
    people = {
        str(at): Participant(str(at), str(at), str(at), False, {}, rolled={"initiative": 50, **facts})
        for at, facts in enumerate(rolled)
    }
    slots = order.slots(Seen(1, 1, people))
    found = [int(slot.actors[0]) for slot in slots]
    assert sorted(found) == list(range(len(rolled)))
    passed = [rolled[at]["success"] for at in found]
    assert passed == sorted(passed, reverse=True)
    margins = [rolled[at]["margin"] * (1 if rolled[at]["success"] else -1) for at in found]
    for won in (True, False):
        mine = [margin for margin, success in zip(margins, passed, strict=True) if success == won]
        assert mine == sorted(mine, reverse=True)
