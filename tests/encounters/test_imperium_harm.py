"""What a fight of the Inquisitor universe keeps of acid, of doses and of daemons (rulebook sections 22, 24 and 26)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imperium_rounds import begin, refused
from sr4_phases import offered
from table_play import Table

from fracas.encounters.offers import offers

NOT_SEEN = "needs a terrible sight that one has not faced yet"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A slaver of the packs, and a daemon."""
    table = Table(tmp_path, "imperium", options={"pinning": False})
    table.join("slaver-kresk", id="me", side="us", dice="service")
    table.join("daemon", id="foe", side="others", dice="service")
    table.join("hive-guard", id="other", side="others", dice="service", carried={"frag-grenade": 3})
    begin(table, me=90, foe=80, other=10)
    yield table
    table.close()


def suffers(table: Table, who: str, **harm: Any) -> None:
    table.act(who, "suffer-damage", situation={"injury": harm})


def test_acid_takes_a_point_off_all_armor_each_time(table: Table) -> None:
    for taken in (1, 2):
        suffers(table, "me", kind="acid", location="body")
        assert [one.slug for one in table.one("me").conditions].count("corroded") == taken
    before = table.one("me").sheet["injury_total"]
    suffers(table, "me", dice="5", location="body")  # a flak vest has 4 points, of which 2 are left
    assert table.one("me").sheet["injury_total"] == before + 3


def test_doses_are_counted_and_are_in_no_hand(table: Table) -> None:
    assert table.one("me").items["stimm"] == {"ready": False, "rounds": 1}
    assert offered(table, "take-drug", "me")["defaults"] == {"drug": "frenzy-drug"}
    table.act("me", "take-drug", situation={"drug": "frenzy-drug"})
    assert table.one("me").items["frenzy-drug"]["rounds"] == 0
    assert refused(table, "take-drug", situation={"drug": "frenzy-drug"}) == ["No dose is left"]
    assert offered(table, "take-drug", "me")["defaults"] == {"drug": "stimm"}


def test_grenades_that_are_carried_are_drawn_first_and_counted(table: Table) -> None:
    assert table.one("other").items["frag-grenade"] == {"ready": False, "rounds": 3, "thrown": True}


def test_a_daemon_holds_on_to_the_world_from_its_sixth_round_on(table: Table) -> None:
    def timers() -> list[tuple[str, int]]:
        return [
            (one["action"], one["turn"])
            for one in table.view()["timers"]
            if one["who"] == "foe" and not one["happened"]
        ]

    assert timers() == [("hold-on-the-world", 6)]
    while table.state.phase != "due":
        if table.acting:
            table.do("next")
        else:
            begin(table)
    assert (table.state.turn, table.one("foe").done) == (6, True)
    (due,) = (one["id"] for one in table.view()["timers"] if one["due"])
    table.act("foe", "hold-on-the-world", timer=due)
    assert timers() == [("hold-on-the-world", 7)]
    table.do("next")
    table.do("set", combatant="foe", remove=["of-the-warp"])
    assert timers() == []


def test_each_grade_of_fear_is_offered_at_first_sight_and_once(tmp_path: Path) -> None:
    table = Table(tmp_path, "imperium", options={"fear": True})
    for id, entry in (("brute", "mutant-brute"), ("other", "mutant-brute"), ("daemon", "daemon")):
        table.join(entry, id=id, side="others", dice="service")
    for id in ("me", "friend"):
        table.join("slaver-kresk", id=id, side="us", dice="service")
    begin(table, me=90, friend=85, daemon=80, brute=20, other=10)

    def faced(foe: str, who: str = "me") -> bool:
        return refused(table, "stand-fear", who, foe) == [NOT_SEEN]

    def usual() -> list[str]:
        found = offers(table.encounters.context(table.fight, table.gm), "me")["usual"]
        return [one["action"] for one in found]

    assert "stand-fear" in usual()
    assert faced("friend")
    table.act("me", "stand-fear", "brute")
    assert "stand-fear" in usual()
    assert all(map(faced, ("brute", "other")))
    table.act("me", "stand-fear", "daemon")
    assert all(map(faced, ("brute", "other", "daemon")))
    assert "stand-fear" not in usual()
    table.act("friend", "stand-fear", "brute")
    table.close()


def test_a_stun_ends_the_powers_that_a_psyker_holds(table: Table) -> None:
    holds = [f"holding-{power}" for power in ("lift", "haste")]
    table.do("set", combatant="me", add=holds)
    suffers(table, "me", damage=1, location="right-leg")
    assert {*holds} <= {*table.conditions("me")}
    suffers(table, "me", damage=1, location="head")
    assert "stunned" in table.conditions("me")
    assert not {*holds} & {*table.conditions("me")}


def test_a_psyker_who_was_hurt_in_the_round_uses_powers_badly(table: Table) -> None:
    table.do("set", combatant="me", fields={"powers": ["lift"], "traits": ["psyker"], "willpower": 75})
    suffers(table, "me", damage=1, location="right-leg")
    table.do("set", combatant="me", add=["concentrating"], dice="hand")
    table.act("me", "use-psychic-power", situation={"power": "lift"})
    events = table.encounters.events(table.id)
    tallies = next(one.data["step"]["open"]["tallies"] for one in reversed(events) if one.type == "acted")
    assert [one["total"] for one in tallies if one["to"] == "power.chance"] == [75 - 20 - 10]
    table.dice([98])
    while table.acting:
        table.do("next")
    begin(table)
    assert "hurt" not in table.conditions("me")


def test_who_is_gripped_breaks_free_of_the_power(table: Table) -> None:
    table.do("set", combatant="me", fields={"powers": ["grip"], "traits": ["psyker"], "willpower": 150})
    table.do("set", combatant="me", add=["concentrating"])
    table.act("me", "use-psychic-power", "foe", situation={"power": "grip", "distance": 5})
    assert ("gripped" in table.conditions("foe"), "holding-grip" in table.conditions("me")) == (True, True)
    table.do("next")
    table.do("set", combatant="foe", fields={"strength": 200})
    assert offered(table, "break-free", "foe")["allowed"]
    table.act("foe", "break-free")
    assert ("gripped" in table.conditions("foe"), "holding-grip" in table.conditions("me")) == (False, False)


def test_a_jinx_hampers_those_who_drive(table: Table) -> None:
    table.do("next")
    table.do("set", combatant="foe", fields={"initiative": 50, "handling": -10, "hull": 5}, add=["jinxed"])
    table.act("foe", "driving-test")
    events = table.encounters.events(table.id)
    tallies = next(one.data["step"]["open"]["tallies"] for one in reversed(events) if one.type == "acted")
    assert [one["total"] for one in tallies] == [50 - 10 - 30]


def test_the_pinned_move_at_a_crawl_alone(table: Table) -> None:
    table.do("set", combatant="me", add=["pinned", "prone"])
    assert refused(table, "get-up") == ["not while pinned"]
    table.act("me", "crawl")


def test_poison_works_on_those_who_are_not_conscious(table: Table) -> None:
    table.do("set", combatant="me", add=["unconscious"])
    table.act("me", "suffer-poison", situation={"poison": "choke-gas"})


def test_people_carry_as_many_grenades_as_they_are_known_for(tmp_path: Path) -> None:
    table = Table(tmp_path, "imperium")
    for id, counts in (
        ("grenadier-toll", {"frag-grenade": 4, "krak-grenade": 2}),
        ("bunker-breaker", {"melta-bomb": 2}),
    ):
        table.join(id, id=id)
        items = table.one(id).items
        assert {slug: items[slug]["rounds"] for slug in counts} == counts
    table.close()


def test_no_poison_is_left_in_a_daemon(table: Table) -> None:
    assert refused(table, "suffer-poison", "foe", situation={"poison": "nerve-gas"}) == [
        "No poison works on a daemon"
    ]
