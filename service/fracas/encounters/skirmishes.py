"""Ready-made fights of packs: who joins one that begins as such."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.engine.game import Game
from fracas.errors import InputError, suggestion
from fracas.packs.entries import Entry


def skirmish_of(game: Game, name: str) -> Entry:
    """A skirmish by its slug or id.

    Raises:
        InputError: the ruleset has none of this name.
    """
    found = game.packs.entry("skirmish", name)
    if found is None:
        hint = suggestion(name, game.packs.names("skirmish"))
        raise InputError.one("skirmish", "unknown-entry", f"there is no skirmish {name!r}", hint)
    return found


def joins(game: Game, skirmish: Entry) -> Iterator[dict[str, Any]]:
    """The commands with which its people join, in order; several of one kind are numbered."""
    for one in skirmish.data["combatants"]:
        known = game.packs.entry("combatant", one["combatant"])
        name = one.get("name") or (known.label if known else one["combatant"])
        count = one.get("count", 1)
        for number in range(1, count + 1):
            body = {
                "command": "join",
                "combatant": one["combatant"],
                "name": f"{name} {number}" if count > 1 else name,
                "side": one["side"],
                "player": one.get("player", False),
            }
            if "weapons" in one:
                body["weapons"] = list(one["weapons"])
            yield body
