"""What goes off by itself: fuses at a place in the order, and at the beginning or the end of a turn (sr4.md 4.7)."""

from __future__ import annotations

import pytest
from table_play import Table

from fracas.encounters import audit, log
from fracas.errors import RefusedError

GRENADE = "high-explosive-grenade"
NEAR = {"victim_1": {"blast_distance": 2}}
FAR = {"victim_1": {"blast_distance": 50}}


def fight(table: Table, passes: int = 2, **hits: int) -> None:
    """Rook (8 + hits) with a grenade in the hand, and a guard (6 + hits)."""
    table.join({"use": "rook", "passes": passes}, weapons=[GRENADE])
    table.join({"use": "guard", "passes": passes})
    table.do("set", combatant="rook", items={GRENADE: {"rounds": 2}})
    table.begin(**{id: {"hits": hits.get(id, 0)} for id in ("rook", "guard")})


def throw(table: Table, action: str = "throw-fused-grenade", **situation: object) -> None:
    table.act("rook", action, item=GRENADE, situation={"distance": 10, **situation})


def over(table: Table) -> None:
    table.do("next", combatant=table.acting[0])


def due(table: Table) -> list[str]:
    return [timer["id"] for timer in table.view()["timers"] if timer["due"]]


def test_a_grenade_goes_off_at_the_score_of_whoever_threw_it_in_the_next_pass(table: Table) -> None:
    fight(table)  # Rook 8, the guard 6
    throw(table)
    assert table.one("guard").sheet["physical"] == 0
    [timer] = table.view()["timers"]
    assert (timer["turn"], timer["part"], timer["rank"], timer["who"]) == (1, 2, 8, "rook")
    over(table)
    over(table)
    assert (table.state.part, table.acting) == (2, ["rook"])
    # A tie in scores: the thing comes last.
    assert [row.get("timer") for row in table.view()["order"]] == [None, timer["id"], None]
    over(table)
    assert (table.state.phase, table.state.due, table.acting) == ("due", timer["id"], [])
    assert [code for code, _ in table.refused("act", combatant="guard", action="run")] == ["not-your-turn"]
    before = table.one("rook")
    table.act("rook", "grenade-goes-off", timer=timer["id"], others=["guard"], situation=NEAR)
    assert table.one("guard").sheet["physical"] + table.one("guard").sheet["stun"] > 0
    assert table.one("rook").spent == before.spent
    # The phase is still due, and the view shows what is: it has happened.
    view = table.view()
    assert (view["phase"], [(one["due"], one["happened"]) for one in view["timers"]]) == (
        "due",
        [(True, True)],
    )
    assert table.refused("act", combatant="rook", action="grenade-goes-off", timer=timer["id"])
    table.do("next")
    assert (table.acting, table.view()["timers"]) == (["guard"], [])


def test_of_what_players_do_not_see_they_do_not_learn_that_it_is_due(table: Table) -> None:
    fight(table)
    throw(table)
    table.do("set", combatant="rook", hidden=True)
    for _ in range(3):
        over(table)
    assert (table.view()["phase"], table.view(table.player("guard"))["phase"]) == ("due", "waiting")


def test_of_two_charges_at_the_beginning_of_a_turn_both_go_off_then(table: Table) -> None:
    fight(table, passes=1)
    for who in ("rook", "guard"):
        said = {"distance": 10, "fuse": "turn-begin"}
        table.act(who, "throw-grenade", item=GRENADE, situation=said)
        over(table)
    table.begin(rook={"hits": 0}, guard={"hits": 0})
    first, second = (timer["id"] for timer in table.view()["timers"])
    for who, timer in (("rook", first), ("guard", second)):
        assert due(table) == [timer]
        table.act(who, "grenade-goes-off", timer=timer, others=["guard"], situation=FAR)
        table.do("next")
    assert (table.state.phase, table.acting) == ("slot", ["rook"])


def test_its_thrower_may_be_down_by_then(table: Table) -> None:
    fight(table)
    throw(table)
    over(table)
    table.do("set", combatant="rook", add=["unconscious"])
    over(table)
    assert table.state.phase == "due"
    [timer] = due(table)
    table.act("rook", "grenade-goes-off", timer=timer, others=["guard"], situation=NEAR)
    table.do("next")
    assert table.acting == ["guard"]


def test_where_no_pass_follows_it_is_the_next_turn(table: Table) -> None:
    fight(table, passes=1)
    throw(table)
    over(table)
    over(table)
    assert table.state.phase == "turn-over"
    table.begin(rook={"hits": 4}, guard={"hits": 5})  # 12 and 11: its place is still 8
    over(table)
    over(table)
    assert table.state.phase == "due"
    table.do("next")  # a dud
    assert (table.state.phase, table.view()["timers"]) == ("turn-over", [])


def test_a_pass_that_never_comes_is_made_up_for(table: Table) -> None:
    fight(table)
    throw(table)
    over(table)
    table.do("set", combatant="rook", fields={"passes": 1})
    table.do("set", combatant="guard", fields={"passes": 1})
    over(table)
    assert table.state.phase == "turn-over"
    table.begin(rook={"hits": 0}, guard={"hits": 0})
    over(table)
    assert (table.state.phase, table.state.part) == ("due", 1)


@pytest.mark.parametrize("turns", [0, 1])
def test_at_the_end_of_a_turn(table: Table, turns: int) -> None:
    fight(table, passes=1)
    throw(table, "set-charge", fuse_turns=turns)
    over(table)
    over(table)
    if turns:
        assert table.state.phase == "turn-over"
        table.begin(rook={"hits": 0}, guard={"hits": 0})
        over(table)
        over(table)
    assert table.state.phase == "due"
    table.act("rook", "grenade-goes-off", timer=due(table)[0], others=["guard"], situation=NEAR)
    table.do("next")
    assert table.state.phase == "turn-over"


def test_an_extra_pass_comes_before_what_goes_off_as_the_turn_ends(table: Table) -> None:
    fight(table, passes=1)
    throw(table, "set-charge")
    over(table)
    over(table)
    [timer] = due(table)
    table.do("spend", combatant="guard", on="extra-pass")
    assert (table.state.part, table.acting, due(table)) == (2, ["guard"], [])
    over(table)
    assert due(table) == [timer]


def test_at_the_beginning_of_a_turn_before_anybody_acts(table: Table) -> None:
    fight(table, passes=1)
    table.act("rook", "throw-grenade", item=GRENADE, situation={"distance": 10, "fuse": "turn-begin"})
    over(table)
    over(table)
    table.begin(rook={"hits": 0}, guard={"hits": 0})
    assert (table.state.phase, table.acting) == ("due", [])
    table.do("next")
    assert table.acting == ["rook"]


def test_nobody_is_in_reach_while_the_fuse_burns(table: Table) -> None:
    fight(table)
    before = table.fight
    with pytest.raises(Exception, match="nobody is in reach yet"):
        table.act(
            "rook", "throw-fused-grenade", item=GRENADE, others=["guard"], situation={"distance": 10, **NEAR}
        )
    assert table.fight == before


def test_only_what_is_due_happens_and_only_the_gm_or_its_owner_lets_it_pass(table: Table) -> None:
    fight(table)
    throw(table)
    [timer] = [timer["id"] for timer in table.view()["timers"]]
    goes_off = {"action": "grenade-goes-off", "timer": timer, "situation": NEAR}
    [(code, _)] = table.refused("act", combatant="rook", others=["guard"], **goes_off)
    assert code == "not-due"
    over(table)
    over(table)
    over(table)
    [(code, _)] = table.refused("act", combatant="guard", **goes_off)
    assert code == "not-due"
    with pytest.raises(Exception, match="only the GM"):
        table.do("next", table.player("guard"))
    table.do("next", table.player("rook"))
    assert table.acting == ["guard"]


def test_undo_brings_back_what_went_off_and_a_log_of_it_is_proven(table: Table) -> None:
    fight(table)
    throw(table)
    for _ in range(3):
        over(table)
    before = table.state
    table.act("rook", "grenade-goes-off", timer=due(table)[0], others=["guard"], situation=NEAR)
    table.do("next")
    table.do("undo", steps=2)
    assert table.state == before
    table.do("redo", steps=2)
    table.do("close")
    report = audit.verify(log.log_json(table.encounters, table.id, table.gm))
    assert report.ok, report.first_difference


def test_whoever_leaves_takes_what_is_his_along(table: Table) -> None:
    fight(table)
    throw(table)
    table.do("leave", combatant="rook")
    assert table.view()["timers"] == []


def test_the_fight_waits_for_what_is_due(table: Table) -> None:
    fight(table, passes=1)
    throw(table, "set-charge")
    over(table)
    over(table)
    with pytest.raises(RefusedError, match="not over"):
        table.do("begin-turn")
    table.do("begin-turn", force=True)
    assert table.state.phase == "due"  # still unexploded, so the first thing that happens
