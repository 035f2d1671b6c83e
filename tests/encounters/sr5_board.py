"""People for fights of Shadowrun 5, whose dice are typed in by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from table_play import Table

from fracas.engine.game import Games
from fracas.engine.opening import open_games

SKILLS = {"automatics": 5, "blades": 5, "unarmed-combat": 3, "gymnastics": 2, "running": 2, "pistols": 4}
PERSON: dict[str, Any] = {
    "body": 4,
    "agility": 5,
    "reaction": 4,
    "strength": 3,
    "willpower": 4,
    "logic": 3,
    "intuition": 4,
    "charisma": 3,
    "edge": 3,
    "edge_points": 3,
    "skills": SKILLS,
    "physical": 0,
    "stun": 0,
    "armor": [],
}


@cache
def core_games() -> Games:
    """The games for a table that plays without the house rules."""
    return open_games((), without=["sr5-bonus-actions"])


def core_table_of(folder: Path, name: str = "sr5-core.db") -> Table:
    """An empty table with the ordinary game alone."""
    return Table(folder, "sr5", name=name, played_by=core_games())


def table_of(folder: Path, options: dict[str, Any] | None = None, name: str = "sr5.db") -> Table:
    """An empty table with the ordinary game and the house rules on top."""
    return Table(folder, "sr5", options=options, name=name)


def join(table: Table, name: str, **more: Any) -> str:
    """Somebody ordinary, with what is said otherwise."""
    fields = {
        key: more.pop(key) for key in tuple(more) if key in ("dice", "asks", "player", "weapons", "side")
    }
    return table.join({"name": name, **PERSON, **more}, id=name, **{"asks": False, "dice": "hand", **fields})


def left(table: Table, who: str) -> dict[str, int]:
    """The tokens that somebody has, without those of which there are none."""
    budget: dict[str, int] = table.shown(who)["budget"]
    return {token: count for token, count in budget.items() if count}


def codes(table: Table, who: str, action: str, target: str | None = None, **more: Any) -> list[str]:
    """Why somebody may not do it now, in a word each."""
    return [code for code, _ in table.refused("act", combatant=who, action=action, target=target, **more)]


def pools(table: Table) -> dict[str, int]:
    """How many dice each part of the roll that is asked for has."""
    question = table.question()
    assert question["kind"] == "roll", question
    return {part["label"]: sum(group["count"] for group in part["groups"]) for part in question["parts"]}


def after(table: Table, **given: Any) -> None:
    """Everybody passes until the turn is over; the next has initiative by hand."""
    while table.state.phase != "turn-over":
        table.do("next")
    table.begin(**given)


def faces(count: int, hits: int = 0) -> list[int]:
    return [5] * hits + [2] * (count - hits)


def throw(table: Table, *hits: int) -> None:
    """Dice for each part of the roll, with so many hits."""
    table.dice(*(faces(count, scored) for count, scored in zip(pools(table).values(), hits, strict=True)))
