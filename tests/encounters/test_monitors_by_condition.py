"""Monitors that conditions make shorter or longer: who goes down by that goes down with all that follows."""

from __future__ import annotations

from pathlib import Path

from audited_logs import log_of
from sr4_phases import play
from table_play import Table
from told_changes import check_told

from fracas.encounters.audit import verify
from fracas.encounters.transcript import passages


def berserk(folder: Path, **boxes: int) -> Table:
    """Berserk takes a point of Willpower, and with it a box of Stun, and gives one of Body, and with it none."""
    table = Table(folder, "sr4")
    adept = {"use": "rook", "body": 5, "willpower": 3, "powers": ["berserk"], **boxes}
    table.join(adept, id="rook", side="ours")
    table.join({"use": "guard"}, id="guard", side="theirs")
    table.begin(rook={"score": 12}, guard={"score": 6})
    return table


def lines(table: Table) -> list[str]:
    """Of the newest event."""
    fight, events = table.fight, table.encounters.events(table.id)
    game, rules = table.encounters.game(fight), table.encounters.rules(fight)
    return list(list(passages(game, rules, fight, events, table.gm))[-1].lines())


def proven(table: Table) -> None:
    """Nothing changed without a line, and the log stands the audit."""
    fight, events = table.fight, table.encounters.events(table.id)
    check_told(table.encounters.game(fight), table.encounters.rules(fight), fight, events, table.gm)
    table.do("close")
    report = verify(log_of(table))
    assert report.ok, report.first_difference
    table.close()


def test_a_shorter_monitor_that_is_full_knocks_out(tmp_path: Path) -> None:
    table = berserk(tmp_path, stun=9)
    table.act("rook", "go-berserk")
    assert table.conditions("rook") == ["berserk", "unconscious"]
    assert not table.shown("rook")["able"]
    assert "  - Rook is now unconscious (the damage so far is enough for it)" in lines(table)
    proven(table)


def test_the_longer_monitor_wakes(tmp_path: Path) -> None:
    table = berserk(tmp_path, stun=9)
    table.act("rook", "go-berserk")
    table.do("set", combatant="rook", remove=["berserk"])
    assert (table.conditions("rook"), table.shown("rook")["able"]) == ([], True)
    proven(table)


def test_a_monitor_that_is_not_full_brings_nothing(tmp_path: Path) -> None:
    table = berserk(tmp_path, stun=8)
    assert "follows" not in table.act("rook", "go-berserk").data
    assert table.conditions("rook") == ["berserk"]
    proven(table)


def test_who_a_spell_kept_on_their_feet_falls_with_it_and_bleeds(tmp_path: Path) -> None:
    """Body 3 has 10 boxes, and 12 with the spell; without it 11 are too many."""
    table = Table(tmp_path, "sr4")
    table.join("vesper", id="vesper", side="ours", dice="hand", asks=False)
    table.join({"use": "guard", "body": 3}, id="guard", side="theirs", dice="hand", asks=False)
    table.begin(vesper={"hits": 7}, guard={"hits": 0})
    wish = {"spell": "increase-attribute", "attribute": "body"}
    table.do("set", combatant="vesper", fields={"powers": None})
    table.act("vesper", "cast-spell", "guard", situation={**wish, "force": 5})
    play(table, spell=4, caster_drain=9)
    table.do("set", combatant="guard", fields={"physical": 11})
    assert table.conditions("guard") == ["increased-body"]
    event = table.act("vesper", "drop-sustained-spell", "guard", situation=wish, force=True)
    assert [effect["type"] for effect in event.data["follows"]] == [
        "add-condition",
        "add-condition",
        "schedule",
    ]
    assert [one["slug"] for one in table.shown("guard")["conditions"]] == ["dying"]
    assert [(timer.action, timer.who) for timer in table.state.timers.values()] == [("bleed", "guard")]
    assert "  - Guard is now dying (the damage so far is enough for it)" in lines(table)
    assert "  - Guard: “Bleeds out” is due at the beginning of Combat Turn 4" in lines(table)
    proven(table)


def test_what_the_gm_leaves_out_of_a_step_stays_out(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn", {"apply": "confirm"})
    table.join("wren", id="wren", side="ours", dice="hand", asks=False)
    table.join("street-thug", id="thug", side="theirs")
    table.begin(wren={"side": 8}, thug={"side": 1})
    table.act("wren", "ranged-attack", "thug", situation={"distance": 5})
    table.dice([20])
    while table.step().outcome is None:
        table.dice(*([6] * group["count"] for group in table.question()["parts"][0]["groups"]))
    kinds = [effect["type"] for effect in table.step().effects]
    assert "add-condition" in kinds
    kept = [at for at, kind in enumerate(kinds) if kind != "add-condition"]
    event = table.do("apply", resolution=table.step().id, only=kept)
    assert "follows" not in event.data
    assert table.conditions("thug") == []
    proven(table)
