"""Conditions that follow others: when they end, and rings of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from fracas.dice.sources import SeededDice
from fracas.encounters import effects
from fracas.encounters.command_context import CommandContext
from fracas.encounters.consequences import condition
from fracas.encounters.state import Combatant, condition_of

ENTRIES: dict[str, dict[str, Any]] = {
    "dazed": {"lasts": {"count": 2, "unit": "turn"}, "then": ["tired"]},
    "tired": {"lasts": {"count": 3, "unit": "turn"}, "then": ["rested"]},
    "rested": {},
    "tick": {"then": ["tock"], "lasts": {"count": 1, "unit": "turn"}},
    "tock": {"then": ["tick"], "lasts": {"count": 1, "unit": "turn"}},
}


def context(turn: int) -> CommandContext:
    """As much of a context as conditions need."""

    def entry(kind: str, slug: str) -> Any:
        assert kind == "condition"
        return SimpleNamespace(slug=slug, label=slug.capitalize(), data=ENTRIES[slug])

    game = SimpleNamespace(packs=SimpleNamespace(entry=entry))
    rules, state = SimpleNamespace(seconds=3), SimpleNamespace(turn=turn)
    return cast(
        CommandContext, SimpleNamespace(game=game, rules=rules, state=state, dice=SeededDice(bytes(32)))
    )


def in_it(slug: str, turn: int) -> Combatant:
    found = condition_of(condition(context(turn), slug, {}, "")["condition"])
    return Combatant("rook", "Rook", "", True, False, True, "service", {}, conditions=(found,))


def after_turn(one: Combatant, turn: int) -> Combatant:
    return effects.outlived(one, turn, lambda its: its.unit == "turn" and its.until <= turn)


def test_what_follows_counts_its_turns_from_the_end_of_what_it_follows() -> None:
    one, seen = in_it("dazed", 4), []
    for turn in range(4, 11):
        seen.append([its.label for its in one.conditions])
        one = after_turn(one, turn)
    assert seen == [["Dazed"]] * 2 + [["Tired"]] * 3 + [["Rested"]] * 2


def test_a_ring_of_conditions_ends() -> None:
    one = after_turn(in_it("tick", 1), 1)
    assert [its.slug for its in one.conditions] == ["tock"]
    assert after_turn(one, 2).conditions == ()
