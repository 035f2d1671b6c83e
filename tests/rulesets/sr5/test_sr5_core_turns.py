"""Turns of the ordinary game by itself: Initiative Passes, interrupts that cost points, wounds that count at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from late_packs import late
from sr5_table import CORE, HOUSE

from fracas.kernel.economy import economy_of
from fracas.kernel.intents import Intent, Participant, Table
from fracas.rulesets.sr5.fights.turns import CombatTurn

RULES = CombatTurn()
ECONOMY = late(lambda: economy_of(CORE.packs.economy() or {}))
OPTIONS = late(lambda: CORE.options({}))


def person(id: str, score: int, options: Mapping[str, Any] = OPTIONS, **more: Any) -> Participant:
    sheet = {"edge": 3, "reaction": 4, "intuition": 4, "edge_points": 3, "physical": 0, "stun": 0}
    rolled = {"score": score, "wounds": 0}
    return Participant(
        id, id, "all", True, sheet | more.pop("sheet", {}), rolled=rolled, options=options, **more
    )


def table_of(*people: Participant, part: int = 1, acting: tuple[str, ...] = ()) -> Table:
    return Table(1, part, {who.id: who for who in people}, acting, people[0].options)


def order(table: Table) -> list[str]:
    return [slot.actors[0] for slot in RULES.order(table)]


def test_the_options_say_which_turn_it_is() -> None:
    names = ("initiative_passes", "frozen_initiative", "saved_actions", "bonus_actions")
    assert [CORE.options({})[name] for name in names] == [True, False, False, False]
    assert [HOUSE.options({})[name] for name in names] == [False, True, True, True]


def test_a_pass_for_every_ten_points() -> None:
    ann, bob = person("ann", 22), person("bob", 8)
    assert RULES.parts(table_of(ann, bob)) == 3
    assert order(table_of(ann, bob)) == ["ann", "bob"]
    assert order(table_of(ann, bob, part=2)) == order(table_of(ann, bob, part=3)) == ["ann"]
    assert RULES.why_no_slot(table_of(ann, bob, part=2), "bob") == "no phase in pass 2"


@pytest.mark.parametrize(("score", "passes"), [(10, 1), (11, 2), (20, 2), (21, 3), (0, 1), (-3, 1)])
def test_passes_at_the_edges(score: int, passes: int) -> None:
    assert RULES.parts(table_of(person("ann", score))) == passes


def test_wounds_count_at_once() -> None:
    ann, bob = person("ann", 12, sheet={"physical": 6, "stun": 3}), person("bob", 10)
    assert order(table_of(ann, bob)) == ["bob", "ann"]  # 12 - 2 - 1
    assert RULES.parts(table_of(ann, bob)) == 1


def test_an_interrupt_takes_points_and_passes() -> None:
    ann, bob = person("ann", 12), person("bob", 9)
    assert RULES.budget(table_of(ann, bob, acting=("bob",)), "ann", ECONOMY)["initiative"] == 12
    paid = ann._replace(spent={"initiative": 5})
    assert order(table_of(paid, bob)) == ["bob", "ann"]
    assert RULES.parts(table_of(paid, bob)) == 1
    assert RULES.returns(ECONOMY, OPTIONS) == {"initiative": "turn"}


def test_tokens_only_in_one_s_own_phase() -> None:
    ann = person("ann", 12)
    assert RULES.budget(table_of(ann, acting=("ann",)), "ann", ECONOMY) == {
        "simple": 2,
        "free": 1,
        "initiative": 12,
    }
    over = RULES.budget(table_of(ann._replace(done=True)), "ann", ECONOMY)
    assert (over["simple"], over["free"]) == (0, 0)
    assert not {"simple", "free"} & RULES.returns(ECONOMY, OPTIONS).keys()


def test_only_interrupts_are_taken_out_of_turn() -> None:
    table = table_of(person("ann", 12), person("bob", 9), acting=("bob",))
    assert RULES.out_of_turn(table, "ann", {"type": "interrupt-5", "out_of_turn": True}).why_not == ""
    assert RULES.out_of_turn(table, "ann", {"type": "simple"}).why_not
    assert RULES.out_of_turn(table, "ann", {"type": "free"}).why_not


def test_one_attack_action_in_a_phase_where_attacks_are_cheap() -> None:
    action = {"procedure": "ranged-attack", "type": "simple"}
    intent = Intent(action, "", {}, {}, None, {})
    options = HOUSE.options({"attack_cost": "core"})
    ann = person("ann", 12, options, did={"attack": 1})
    assert RULES.objections(table_of(ann), "ann", intent) == ["at most 1 attack action in a phase"]
    more = HOUSE.options({"attack_cost": "core", "max_attacks": 2})
    assert RULES.objections(table_of(ann._replace(options=more)), "ann", intent) == []
    assert RULES.objections(table_of(ann._replace(options=HOUSE.options({}))), "ann", intent) == []
    assert RULES.action_tags(table_of(ann), "ann", intent) == ["attack", "shot"]
