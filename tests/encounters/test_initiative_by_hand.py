"""Initiative that the GM enters: every word of it counts, at the beginning of a turn and later; and surprise that comes
to light after a turn has begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from table_play import Table

from fracas.encounters.log import log_markdown
from fracas.errors import InputError

Begun = Callable[..., Table]


@pytest.fixture
def begun(tmp_path: Path) -> Begun:
    def make(ruleset: str, one: str, other: str, **given: Any) -> Table:
        table = Table(tmp_path, ruleset)
        table.join(one, id="me", side="ours")
        table.join(other, id="foe", side="theirs")
        if given:
            table.begin(**given)
        return table

    return make


@pytest.mark.parametrize(
    ("ruleset", "one", "foe", "known"),
    [
        ("sr4", "rook", "guard", "known: encumbrance, glitch, hits, passes, score"),
        (
            "sr5",
            "kestrel",
            "gate-guard",
            "known: bonus, coin, edge, intuition, reaction, score, world, wounds",
        ),
        ("cwn", "wren", "street-thug", "known: own, side, total"),
        ("imperium", "agent", "cult-fanatic", "known: initiative, margin, success, surprised, tie"),
    ],
)
def test_a_word_that_no_roll_has_is_refused(
    begun: Begun, ruleset: str, one: str, foe: str, known: str
) -> None:
    table = begun(ruleset, one, foe)
    with pytest.raises(InputError) as refused:
        table.do("begin-turn", given={"me": {"place": 12}})
    (problem,) = refused.value.problems
    assert (problem.path, problem.hint) == ("given.me.place", known)
    with pytest.raises(InputError, match=r"rolled\.place"):
        table.do("set", combatant="me", rolled={"place": 12})


def test_dice_of_further_ties_are_numbered(begun: Begun) -> None:
    table = begun("imperium", "agent", "cult-fanatic", me={"initiative": 50, "tie": 3, "tie_2": 5})
    assert table.one("me").rolled["tie_2"] == 5


def test_a_score_of_nothing_has_its_line(begun: Begun) -> None:
    table = begun("sr5", "gate-guard", "gate-guard", me={"score": 0}, foe={"score": 9})
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "Gate guard: Initiative 0, entered by hand" in text


def test_a_score_set_later_is_the_score(begun: Begun) -> None:
    """Shadowrun 4: 8 of Rook's attribute and 12 hits are 20."""
    table = begun("sr4", "rook", "guard", me={"score": 10}, foe={"score": 7})
    table.do("set", combatant="me", rolled={"score": 20})
    assert table.one("me").rolled == {"hits": 12, "glitch": "none", "passes": 1}
    assert table.shown("me")["rank"] == "20"


def test_a_score_set_later_keeps_the_bonus_actions(begun: Begun) -> None:
    table = begun("sr5", "kestrel", "gate-guard", me={"score": 15, "world": "matrix"}, foe={"score": 5})
    table.do("set", combatant="me", rolled={"score": 21})
    rolled = table.one("me").rolled
    assert (rolled["score"], rolled["world"], rolled["bonus"]) == (21, "matrix", 2)


def test_whoever_is_surprised_in_cwn_loses_a_turn_that_stands_open(begun: Begun) -> None:
    table = begun("cwn", "wren", "street-thug", me={"side": 8}, foe={"side": 2})
    assert table.acting == ["me"]
    table.do("set", combatant="me", add=["surprised"])
    assert table.acting == ["foe"]
    situation = {"distance": 5}
    why = table.refused("act", combatant="me", action="ranged-attack", target="foe", situation=situation)
    assert why == [("no-slot", "Wren, gunhand has no Turn now: surprised")]


def test_a_turn_that_has_been_used_stands(begun: Begun) -> None:
    table = begun("cwn", "wren", "street-thug", me={"side": 8}, foe={"side": 2})
    table.act("me", "run")
    table.do("set", combatant="me", add=["surprised"])
    assert table.acting == ["me"]


def test_a_part_of_a_name_leads_to_the_id(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    for one, count in (("wren", 1), ("dov", 1), ("street-thug", 12)):
        for _ in range(count):
            table.do("join", combatant=one)

    def refused(who: str) -> tuple[str, str | None]:
        with pytest.raises(InputError) as caught:
            table.do("begin-turn", given={who: {"side": 8}})
        (problem,) = caught.value.problems
        return problem.path, problem.hint

    assert refused("wren") == ("given.wren", "did you mean 'wren-gunhand'?")
    path, hint = refused("thug")
    assert hint is not None
    assert (path, hint.count(", ")) == ("given.thug", 11)
    assert hint.startswith("those of that name: unaffiliated-street-thug, ")
    assert refused("nobody") == ("given.nobody", None)
    table.begin(**{"wren-gunhand": {"side": 8}})
