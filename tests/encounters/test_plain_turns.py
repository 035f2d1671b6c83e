"""A plain game needs no turn rules of its own, and each of its tokens comes back when the packs say."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.encounters import order
from fracas.encounters.state import Combatant, State
from fracas.kernel.intents import Participant
from fracas.kernel.tracks import Track
from fracas.kernel.turns import TurnRules

SCORES = {"ann": 12, "bob": 17, "cat": 12}
COSTS = {"types": {"any": [{"action": 1}]}}


class Plain(TurnRules):
    """Initiative is rolled in each turn; 0 hit points take a combatant out."""

    tracks = {"hp": Track("hp", mark=-1), "rounds": Track("rounds")}

    def unable(self, participant: Participant) -> str:
        return "" if participant.sheet["hp"] else "down"


class Once(Plain):
    rolled_once = True


class ThreeParts(Plain):
    def parts(self, table: Any) -> int:
        return 3


def fight(rules: TurnRules, span: str = "round", **returns: str) -> State:
    """Everybody has rolled, and the first slot stands open."""
    budget = dict.fromkeys(("action", *returns), 1)
    economy = {"span": span, "budget": budget, "returns": returns, **COSTS}
    combatants = {
        id: Combatant(id, id.title(), "players", True, False, False, "service", {"hp": 3}) for id in SCORES
    }
    state = State("plain", "", {}, economy, {}, combatants=combatants)
    return opened(rules, order.begin_turn(rules, state))


def opened(rules: TurnRules, state: State) -> State:
    for roll in rules.initiative(order.table_of(rules, state)):
        rolled = rules.rolled(participant(rules, state, roll.who), {"score": SCORES[roll.who], "hits": 2})
        state = order.with_combatant(state, state.combatants[roll.who]._replace(rolled=rolled))
    return order.go_on(rules, state)


def participant(rules: TurnRules, state: State, id: str) -> Participant:
    return order.participant(rules, state.combatants[id], state.options)


def spend(state: State, id: str, *tokens: str) -> State:
    one = state.combatants[id]
    return order.with_combatant(state, one._replace(spent={**one.spent, **dict.fromkeys(tokens, 1)}))


def finished(rules: TurnRules, state: State) -> State:
    return order.finish(rules, state, state.acting)


def test_the_highest_acts_first_and_equal_ones_as_they_joined() -> None:
    rules = Plain()
    state, seen = fight(rules), []
    while state.phase == "slot":
        seen.append(state.acting)
        state = finished(rules, state)
    assert seen == [("bob",), ("ann",), ("cat",)]
    assert state.phase == "turn-over"
    table = order.table_of(rules, state)
    assert [rules.rank(table, id) for id in SCORES] == ["12", "17", "12"]
    assert rules.parts(table) == 1


def test_without_a_roll_there_is_no_place_and_whoever_is_down_has_no_slot() -> None:
    rules = Plain()
    state = fight(rules)
    new = state.combatants["ann"]._replace(id="dan", name="Dan")
    state = order.with_combatant(state, new._replace(rolled={}))
    assert rules.why_no_slot(order.table_of(rules, state), "dan") == "no place in the order yet"
    assert [roll.who for roll in rules.initiative(order.table_of(rules, state))] == ["dan"]
    down = state.combatants["ann"]._replace(sheet={"hp": 0})
    state = finished(rules, order.with_combatant(state, down))
    assert state.acting == ("cat",)


@pytest.mark.parametrize(("rules", "rolls"), [(Plain(), 3), (Once(), 0)])
def test_initiative_is_rolled_in_each_turn_or_once(rules: TurnRules, rolls: int) -> None:
    state = order.begin_turn(rules, fight(rules))
    assert len(rules.initiative(order.table_of(rules, state))) == rolls


def left(rules: TurnRules, state: State, id: str) -> dict[str, int]:
    full = rules.budget(order.table_of(rules, state), id, order.economy_in(state))
    spent = state.combatants[id].spent
    return {token: count - spent.get(token, 0) for token, count in full.items()}


@pytest.mark.parametrize("span", ["phase", "round"])
def test_a_reaction_comes_back_as_the_own_slot_begins(span: str) -> None:
    """Spent in another's slot, it is still spent when the turn begins anew, until its owner acts."""
    rules = ThreeParts()
    state = fight(rules, span, reaction="own-slot")
    state = spend(spend(state, "bob", "reaction"), "ann", "reaction")  # in Bob's slot
    assert left(rules, state, "ann")["reaction"] == 0
    state = finished(rules, state)
    assert (state.acting, left(rules, state, "ann")["reaction"]) == (("ann",), 1)
    assert left(rules, state, "bob")["reaction"] == 0
    state = spend(state, "cat", "reaction")
    state = opened(rules, order.begin_turn(rules, state))
    assert state.acting == ("bob",)
    assert [left(rules, state, id)["reaction"] for id in ("bob", "ann", "cat")] == [1, 1, 0]


@pytest.mark.parametrize(
    ("span", "when", "next_slot", "next_part", "next_turn"),
    [
        ("round", "every-slot", 1, 0, 1),
        ("phase", "every-slot", 1, 1, 1),
        ("round", "part", 0, 1, 1),
        ("phase", "part", 0, 1, 1),
        ("round", "turn", 0, 0, 1),
        ("phase", "turn", 0, 0, 1),
        ("round", "", 0, 0, 1),
        ("phase", "", 0, 1, 1),
    ],
)
def test_when_a_token_comes_back(
    span: str, when: str, next_slot: int, next_part: int, next_turn: int
) -> None:
    rules = ThreeParts()
    state = fight(rules, span, **({"special": when} if when else {}))
    token = "special" if when else "action"
    state = finished(rules, spend(state, "cat", token))
    assert left(rules, state, "cat")[token] == next_slot
    part = order.begin_part(rules, spend(state, "cat", token))
    assert left(rules, part, "cat")[token] == next_part
    turn = order.begin_turn(rules, spend(state, "cat", token))
    assert left(rules, turn, "cat")[token] == next_turn


def test_a_saved_token_lasts_to_the_end_of_the_next_slot() -> None:
    class Saving(Plain):
        def budget(self, table: Any, who: str, economy: Any) -> dict[str, int]:
            here = who in table.acting or table.participants[who].done
            return {"action": 1, "saved": int(here)}

    rules = Saving()
    state = fight(rules, saved="saved")
    state = order.begin_turn(rules, finished(rules, state))
    assert [left(rules, state, id)["saved"] for id in SCORES] == [0, 1, 0]  # the others have had no slot
    state = opened(rules, state)
    assert left(rules, state, "bob")["saved"] == 2
    assert left(rules, finished(rules, state), "bob")["saved"] == 1


def test_a_track_that_comes_back_with_every_slot_returns_to_0() -> None:
    class Steady(Plain):
        def returns(self, economy: Any, options: Any) -> dict[str, str]:
            return {"rounds": "every-slot"}

    rules = Steady()
    state = fight(rules)
    fired = state.combatants["cat"]._replace(sheet={"hp": 3, "rounds": 6})
    state = finished(rules, order.with_combatant(state, fired))
    assert state.combatants["cat"].sheet == {"hp": 3, "rounds": 0}
