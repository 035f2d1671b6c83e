"""The conditions that an event begins and that need no line of their own: it ends them itself, or they were there.

What an event changes is compared in `by_itself`; this is about what its effects say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.encounters.by_itself import CHANGES, OUT, begins_once, effects_of
from fracas.kernel.turns import TurnRules

Data = Mapping[str, Any]

Begun = frozenset[tuple[str, str, tuple[str, ...]]]
"""Conditions that effects begin: owner, slug, and those towards whose ids they are."""


def overtaken(rules: TurnRules, data: Data) -> Begun:
    """The conditions that an event begins and that do not outlast it: a worse one covers them, or it takes their owner
    out, or the one towards which they are, such as the melee with a foe that the blow kills."""
    new = [one for one in effects_of(data) if one["type"] == "add-condition"]
    if not new:
        return frozenset()
    covered = {(one["who"], slug) for one in new for slug in one["condition"].get("covers", ())}
    out = {one["who"] for one in new if one["condition"].get("incapacitates")}
    out |= {one["who"] for one in data.get(CHANGES, ()) if one["kind"] == OUT}
    found = {begun_by(one) for one in new if (one["who"], one["what"]) in covered}
    for one in new:
        kept, towards = one["condition"], tuple(one["condition"].get("towards", ()))
        moments = {rules.moments.get(word, "") for word in kept["ends"]}
        same = kept["counterpart"] == one["what"]  # which ends for one as for the other
        if "unable" in moments and (one["who"] in out or (same and towards and out.issuperset(towards))):
            found.add(begun_by(one))
    return frozenset(found)


def removed(data: Data) -> Begun:
    """The conditions that effects of an event end."""
    ended = (one for one in effects_of(data) if one["type"] == "remove-condition")
    return frozenset((one["who"], one["what"], tuple(one.get("towards", ()))) for one in ended)


def is_overtaken(effect: Data, begun: Begun) -> bool:
    return effect["type"] == "add-condition" and bool(begun) and begun_by(effect) in begun


def begun_by(effect: Data) -> tuple[str, str, tuple[str, ...]]:
    return effect["who"], effect["what"], tuple(effect["condition"].get("towards", ()))


def begins_again(effect: Data, begun: list[Data]) -> bool:
    """Whether an effect before it began the same condition; `begun` keeps these. One that stacks begins each time."""
    again = begins_once(effect) and effect in begun
    begun.append(effect)
    return again
