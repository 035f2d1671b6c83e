"""Tactics: how combatants of a forecast choose, as data of packs (``tactics.yaml``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.errors import InputError, suggestion
from fracas.packs.attached import TACTICS

SOONEST, WEAKEST, STRONGEST, ANY = "soonest", "weakest", "strongest", "any"
AIMS = (SOONEST, WEAKEST, STRONGEST, ANY)
"""Whom attacks are aimed at: whom the expected harm takes out soonest, who can bear least or most, or anybody."""


class Tactics(NamedTuple):
    """How combatants choose.

    Attributes:
        aim: one of `AIMS`.
        first: slugs of actions that are taken first, once each, as long as nothing speaks against them: cover.
        when_hurt: slugs of actions that are taken once, when `hurt_left` is left of what they can bear.
        avoids: slugs of actions that are never taken.
        prefers: slugs of attacks that go before others, whatever is expected of them.
        last: slugs of attacks that are made only where no other can be.
        tends: slugs of actions on allies who are out of the fight, which go before attacks: to stabilize the dying.
        decisions: choices taken in advance, as a request says them, such as when to spend Edge.
        flees: the share of what they can bear that is left when they flee, above 0; 0: never.
    """

    id: str
    label: str
    aim: str = SOONEST
    first: tuple[str, ...] = ()
    hurt_left: float = 0.0
    when_hurt: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    prefers: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    tends: tuple[str, ...] = ()
    decisions: tuple[Mapping[str, Any], ...] = ()
    flees: float = 0.0


PLAIN = Tactics("plain", "Attack the target that drops soonest")
"""Where packs declare none."""


class Book(NamedTuple):
    """The tactics of a game.

    Attributes:
        ignores: what all of them pass over, as sentences.
        default: the id of those that count where none are named.
    """

    tactics: Mapping[str, Tactics]
    ignores: tuple[str, ...]
    default: str

    def named(self, id: str, path: str) -> Tactics:
        """
        Raises:
            InputError: there are none of this id.
        """
        found = self.tactics.get(id)
        if found is None:
            hint = suggestion(id, self.tactics)
            raise InputError.one(path, "unknown-tactics", f"there are no tactics {id!r}", hint)
        return found


def book_of(game: Game) -> Book:
    """The tactics of all packs of a game; of those of one id the last pack's count."""
    found: dict[str, Tactics] = {}
    ignores: dict[str, None] = {}
    default = ""
    for pack in game.packs.packs:
        if TACTICS not in pack.attached:
            continue
        data: Mapping[str, Any] = pack.attached[TACTICS].data
        for id, one in data["tactics"].items():
            lists = {
                name: tuple(one[name])
                for name in ("first", "avoids", "prefers", "last", "tends", "decisions")
                if name in one
            }
            hurt = one.get("when_hurt", {"left": 0, "take": ()})
            lists |= {"when_hurt": tuple(hurt["take"])}
            shares = {"flees": one.get("flees", 0) / 100, "hurt_left": hurt["left"] / 100}
            found[id] = Tactics(**{"id": id, **one, **shares, **lists})
        ignores |= dict.fromkeys(data.get("ignores", ()))
        default = data.get("default", default)
    if not found:
        found[PLAIN.id] = PLAIN
    return Book(found, tuple(ignores), default or next(iter(found)))
