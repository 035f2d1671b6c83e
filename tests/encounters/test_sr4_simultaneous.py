"""Those who act at the same time feel what they do to each other when their Action Phase is over (section 4.1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from sr4_phases import audited, hold, join, pool_of
from table_play import Table

from fracas.errors import ForbiddenError

NEAR = {"distance": 4}


def at_once(table: Table, **hits: int) -> Table:
    """`me`, `foe` and `third` stand in a turn, whoever has the same hits at the same time."""
    for id in ("me", "foe", "third"):
        join(table, id, weapons=["ares-predator-iv"], dice="hand")
        hold(table, "ares-predator-iv", id)
    table.begin(**{id: {"hits": hits.get(id, 3)} for id in ("me", "foe", "third")})
    return table


def shot(table: Table, who: str, target: str, net: int) -> dict[str, int]:
    """Somebody shoots with so many net hits; of those none is resisted. The boxes: 5 and the net hits, or none.

    Returns: the entries of the attack pool and, by ``defense`` and their ids, of the defense pool.
    """
    step = table.act(who, "fire-semi-automatic", target, situation=NEAR).data["step"]
    while table.steps() and (table.steps()[0].question or {}).get("kind") == "roll":
        thrown = []
        for part in table.question()["parts"]:
            hits = net if part["label"] == "attack" else 0
            for group in part["groups"]:
                thrown.append([5] * hits + [2] * (group["count"] - hits))
        table.dice(*thrown)
    defense = {f"defense {name}": value for name, value in pool_of(step, "defense.pool").items()}
    return pool_of(step) | defense


def hurt(table: Table, id: str) -> tuple[int, int]:
    """The filled boxes, and those of them that are not felt."""
    sheet = table.one(id).sheet
    return sheet["physical"] + sheet["stun"], sheet.get("physical_fresh", 0) + sheet.get("stun_fresh", 0)


def test_a_wound_is_felt_after_the_phase(table: Table) -> None:
    at_once(table, third=1)
    assert table.acting == ["me", "foe"]
    shot(table, "me", "foe", 1)
    assert hurt(table, "foe") == (6, 6)
    pools = shot(table, "foe", "me", 0)
    assert "attacker-wounds" not in pools
    assert "defense target-wounds" not in shot(table, "me", "foe", 0)
    table.do("next", combatant="me")
    assert hurt(table, "foe") == (6, 6)  # it is still the same phase
    assert "attacker-wounds" not in shot(table, "foe", "me", 0)
    table.do("next", combatant="foe")
    assert (table.acting, hurt(table, "foe")) == (["third"], (6, 0))
    assert shot(table, "third", "foe", 0)["defense target-wounds"] == -2
    audited(table)


def test_the_score_and_the_monitors_take_it_at_once(table: Table) -> None:
    at_once(table, third=1)
    before = int(table.shown("foe")["rank"])
    shot(table, "me", "foe", 1)
    assert int(table.shown("foe")["rank"]) == before - 2
    shot(table, "me", "foe", 1)
    assert hurt(table, "foe") == (12, 12)
    assert not table.shown("foe")["able"]
    assert "attacker-wounds" not in shot(table, "foe", "me", 0)  # being taken out does not stop him either


def test_what_he_has_done_to_himself_and_what_others_did_is_felt(table: Table) -> None:
    at_once(table, third=1)
    table.do("set", combatant="foe", fields={"physical": 3})
    shot(table, "me", "foe", 1)
    assert hurt(table, "foe") == (9, 6)
    assert shot(table, "foe", "me", 0)["attacker-wounds"] == -1


def test_one_after_the_other_it_is_felt(table: Table) -> None:
    at_once(table, me=5, third=1)
    shot(table, "me", "foe", 1)
    assert hurt(table, "foe") == (6, 0)
    table.do("next")
    assert shot(table, "foe", "me", 0)["attacker-wounds"] == -2


def test_who_cuts_in_with_them_acts_with_them(table: Table) -> None:
    at_once(table, third=5)
    table.do("delay", combatant="third")
    shot(table, "me", "foe", 1)
    table.do("next", combatant="me")
    table.do("intervene", combatant="third", when="with")
    shot(table, "third", "foe", 1)
    assert hurt(table, "foe") == (12, 12)
    shot(table, "foe", "third", 1)
    assert hurt(table, "third") == (6, 6)
    table.do("next", combatant="third")
    table.do("next", combatant="foe")
    assert (hurt(table, "foe"), hurt(table, "third")) == ((12, 0), (6, 0))


def test_it_waits_for_the_gamemaster_and_comes_back(tmp_path: Path) -> None:
    table = at_once(Table(tmp_path, settings={"apply": "confirm"}), third=1)
    shot(table, "me", "foe", 1)
    assert hurt(table, "foe") == (0, 0)
    table.do("apply", resolution=table.step().id)
    assert hurt(table, "foe") == (6, 6)
    state = table.state
    table.do("undo")
    assert hurt(table, "foe") == (0, 0)
    table.do("redo")
    assert table.state == state
    table.do("begin-turn", force=True)
    assert hurt(table, "foe") == (6, 0)
    table.close()


def test_a_player_says_nothing_of_it(table: Table) -> None:
    at_once(table)
    table.do("set", combatant="me", fields={"physical": 6})
    with pytest.raises(ForbiddenError, match="physical_fresh"):
        table.act(
            "me",
            "fire-semi-automatic",
            "foe",
            by=table.player("me"),
            situation={**NEAR, "attacker": {"physical_fresh": 6}},
        )


def test_who_has_been_taken_out_delays_only_while_the_others_act_with_him(table: Table) -> None:
    at_once(table, third=1)
    shot(table, "me", "foe", 4)
    shot(table, "me", "foe", 4)
    assert not table.shown("foe")["able"]
    table.do("delay", combatant="foe")
    table.do("undo")
    for _ in range(2):
        table.do("next", combatant=table.acting[0])
    assert table.acting == ["third"]
    table.do("set", combatant="third", add=["unconscious"])
    assert table.refused("delay", combatant="third") == [("unable", "third cannot act: Unconscious")]
