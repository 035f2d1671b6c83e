"""Everybody whom the packs have ready to fight joins one, and makes each attack (cwn.md, sections 12 and 13)."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_rounds import begin, hold, join
from late_packs import late
from sr4_phases import audited, offered, settle
from table_play import OpenTable, Table, games

from fracas.kernel.items import slug_of
from fracas.packs.entries import Entry

SHELF = late(lambda: games().game("cwn").packs)


def people() -> list[Entry]:
    return SHELF.entries("combatant")


def fighters() -> list[Entry]:
    return [entry for entry in people() if not entry.data.get("machine")]


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("cwn")


def test_there_are_those_of_the_rulebook() -> None:
    """26 of the free rules, two of the published book, nine drones and ten vehicles."""
    assert len([entry for entry in fighters() if "level" not in entry.data]) == 28
    machines = {entry.slug for entry in people() if entry.data.get("machine")}
    assert machines == set(SHELF.names("vehicle"))


def attacks_of(entry: Entry) -> list[str]:
    """What somebody attacks with, as a fight names it; the pack's list and what is carried to be thrown."""
    carried = [slug for slug in entry.data.get("carried", {}) if SHELF.entry("weapon", slug)]
    return [*entry.data["weapons"], *carried]


def attacks() -> list[Any]:
    return [
        pytest.param(entry, slug, id=f"{entry.slug} {slug}")
        for entry in fighters()
        for slug in attacks_of(entry)
    ]


@pytest.mark.each(("entry", "slug"), attacks)
def test_every_attack_can_be_made(entry: Entry, slug: str, table: Table) -> None:
    table.join(entry.slug, id="me", side="mine", asks=False)
    join(table, "foe", "others", hp=200, weapons=[])
    begin(table, "mine")
    item = next(name for name in table.one("me").items if slug_of(name) == slug)
    weapon = SHELF.entry("weapon", slug)
    assert weapon is not None
    if not table.one("me").items[item]["ready"]:
        table.act("me", "ready-stow", item=item)
        while table.acting:
            table.do("next")
        begin(table, "mine")
    if "level" not in entry.data and "attack_bonus_melee" not in entry.data:  # it blows itself up
        event = table.act("me", "suicide-charge", item=item, others=["foe"], situation={"aim": "goes-off"})
    elif weapon.data["area"]:
        said = {"others": ["foe"], "situation": {"distance": 8}}
        event = table.act("me", "throw-grenade", item=item, **said)
    elif weapon.data["type"] in ("melee", "unarmed"):
        event = table.act("me", "melee-attack", "foe", item=item)
    else:
        situation = {"distance": 5, "attack": {"rested": True}}
        event = table.act("me", "ranged-attack", "foe", item=item, situation=situation)
    settle(table)
    assert event.data["forced"] == []
    assert event.data["payment"] == {"main": 1}
    assert event.data["step"]["open"]["actor"] == "me"
    audited(table)


@pytest.mark.each("entry", people, ids=lambda entry: entry.slug)
def test_everybody_can_be_attacked_and_brought_down(entry: Entry, table: Table) -> None:
    table.join(entry.slug, id="them", side="theirs", asks=False)
    join(table, "me", "others", base_attack_bonus=30, weapons=["anti-materiel-rifle"])
    begin(table, "others")
    hold(table, "anti-materiel-rifle")
    situation = {"distance": 5, "attack": {"rested": True}}
    for _ in range(40):
        if table.shown("them")["unable"]:
            break
        if not table.acting:
            begin(table, "others")
        if "me" not in table.acting:  # they have automatic initiative
            table.do("next")
        table.do("set", combatant="me", items={"anti-materiel-rifle": {"rounds": 5}})
        table.act("me", "ranged-attack", "them", situation=situation)
        settle(table)
        while table.acting:
            table.do("next")
    assert table.shown("them")["unable"]
    assert table.one("them").sheet["hp"] == 0
    table.do("begin-turn")
    assert not offered(table, "say-something", "them")["allowed"]
