"""Who is in melee with whom, as a fight of Shadowrun 4 keeps it (sr4.md, sections 8.2, 9.1, 9.5 and 10.2)."""

from __future__ import annotations

import pytest
from sr4_phases import audited, hold, join, offered, pool_of, refused, settle
from table_play import OpenTable, Table
from told_changes import check_told

from fracas.encounters import views
from fracas.encounters.log import log_markdown


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`me` and `friend` against `foe` and `other`, whom nothing hurts; everybody acts in two passes."""
    table = open_table()
    for id in ("me", "friend"):
        join(table, id, side="crew", passes=2)
    for id in ("foe", "other"):
        join(table, id, side="foes", passes=2, body=50, willpower=50)
    table.begin(me={"hits": 6}, foe={"hits": 4}, friend={"hits": 2}, other={"hits": 1})
    hold(table, "katana")
    return table


def melee(table: Table, id: str) -> set[str]:
    return {other for one in table.one(id).conditions if one.slug == "in-melee" for other in one.towards}


def strike(
    table: Table, who: str = "me", target: str = "foe", action: str = "melee-attack", **said: object
) -> None:
    table.act(who, action, target, **said)
    settle(table)


def shot(table: Table, who: str, target: str) -> dict[str, dict[str, int]]:
    hold(table, "ares-predator-iv", who=who)
    step = table.act(who, "fire-semi-automatic", target, situation={"distance": 1}).data["step"]
    return {to: pool_of(step, to) for to in ("attack.pool", "defense.pool")}


def test_an_attack_brings_both_into_melee_and_shots_count_it(table: Table) -> None:
    strike(table)
    assert (melee(table, "me"), melee(table, "foe")) == ({"foe"}, {"me"})
    table.do("next")
    counted = shot(table, "foe", "friend")  # the shooter is in melee, the target is not
    assert counted["attack.pool"]["attacker-in-melee"] == -3
    assert "target-in-melee" not in counted["defense.pool"]
    table.do("next")
    counted = shot(table, "friend", "foe")
    assert "attacker-in-melee" not in counted["attack.pool"]
    assert counted["defense.pool"]["target-in-melee"] == -3
    audited(table)


def test_friends_in_melee_with_the_target_are_counted(table: Table) -> None:
    strike(table)
    table.do("next")
    table.do("next")
    hold(table, "katana", who="friend")
    step = table.act("friend", "melee-attack", "foe").data["step"]
    assert pool_of(step, "melee-attack.pool")["melee-friends"] == 1


def test_several_at_once_and_those_who_are_held(table: Table) -> None:
    table.do("set", combatant="me", dice="service")
    strike(table, action="melee-sweep", others=["other"])
    assert melee(table, "me") == {"foe", "other"}
    table.do("next")
    strike(table, "foe", "friend", "subdue", item="unarmed-attack")
    assert melee(table, "foe") == {"me", "friend"}


@pytest.mark.parametrize("action", ["run", "leave-melee", "sprint"])
def test_whoever_runs_or_leaves_is_in_melee_with_nobody(action: str, table: Table) -> None:
    strike(table)
    table.do("next")
    table.act("foe", action)
    assert (melee(table, "me"), melee(table, "foe")) == (set(), set())
    assert table.conditions("me") == []


def test_a_walk_alone_leaves_nothing(table: Table) -> None:
    strike(table)
    table.do("next")
    table.act("foe", "walk")
    assert melee(table, "foe") == {"me"}


def test_nobody_leaves_a_melee_that_they_are_not_in(table: Table) -> None:
    assert refused(table, "leave-melee") == ["needs to be in melee"]
    assert not offered(table, "leave-melee")["allowed"]


def test_it_ends_with_whoever_goes_down_or_leaves_the_fight(table: Table) -> None:
    strike(table)
    table.do("set", combatant="foe", add=["unconscious"])
    assert melee(table, "me") == set()
    table.do("undo")
    table.do("leave", combatant="foe")
    assert melee(table, "me") == set()


def test_whoever_breaks_out_is_intercepted_and_in_melee_again(table: Table) -> None:
    strike(table)
    table.do("next")
    table.act("foe", "run")
    strike(table, action="intercept", situation={"distance": 1})
    assert melee(table, "foe") == {"me"}


def test_nobody_is_in_melee_with_a_car_or_with_the_fallen(table: Table) -> None:
    table.do("set", combatant="other", add=["unconscious"])
    strike(table, target="other", confirm=True)
    table.do("undo", steps=1)
    table.do("set", combatant="foe", fields={"vehicle": True, "vehicle_armor": 0})
    strike(table)
    assert melee(table, "me") == set()


def test_a_blow_after_a_sweep_has_its_lines(table: Table) -> None:
    strike(table, action="melee-sweep", others=["other"])
    table.do("next")
    strike(table, "foe", "me")
    game, rules = table.encounters.game(table.fight), table.encounters.rules(table.fight)
    check_told(game, rules, table.fight, table.encounters.events(table.id), table.gm)
    text = log_markdown(table.encounters, table.id, table.gm)
    strike(table, "foe", "me", force=True)
    again = log_markdown(table.encounters, table.id, table.gm)
    line = "me is now in melee with foe"
    assert (text.count(line), again.count(line)) == (2, 2)


def test_a_blow_that_kills_has_a_line_for_the_death_and_none_for_what_it_ends(table: Table) -> None:
    table.do("set", combatant="me", dice="service", asks=False, fields={"strength": 50, "agility": 30})
    table.do(
        "set", combatant="foe", dice="service", asks=False, fields={"reaction": 0, "body": 1, "skills": {}}
    )
    table.act("me", "melee-attack", "foe", ask=False)
    blow = log_markdown(table.encounters, table.id, table.gm).rpartition("- **")[2]
    last = table.encounters.events(table.id)[-1]
    shown = views.event_seen(last, table.gm, table.state, table.encounters.glossary(table.fight))
    feed = "\n".join(line["text"] for line in shown["lines"])
    for lines in (blow, feed):
        assert "foe is now dead" in lines
        for other in ("in melee", "dying", "unconscious"):
            assert f"is now {other}" not in lines
