"""What a step does, as events tell it: effects on combatants and their things, with complete conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fracas.encounters import effects
from fracas.encounters.desk import Desk
from fracas.encounters.state import Resolution
from fracas.kernel.stage import Effect
from fracas.packs.entries import Entry

_SECONDS = {"minute": 60, "hour": 3600}


def resolved(desk: Desk, one: Resolution, found: Iterable[Effect]) -> list[dict[str, Any]]:
    """A step's effects as events hold them: on combatants and their things, with complete conditions."""
    effects_: list[dict[str, Any]] = []
    for effect in found:
        who = one.who.get(effect.who, effect.who)
        detail = dict(effect.detail)
        told: dict[str, Any] = {"type": effect.type, "who": who, "what": effect.what}
        if effect.type not in effects.TYPES:
            continue
        if effect.type == "item":
            if not one.item:
                continue
            told |= {"what": one.item, "change": {str(detail.get("state", "rounds")): effect.amount}}
        elif effect.type == "add-condition":
            told |= condition(desk, effect.what, detail, one.action)
        elif effect.type != "remove-condition":
            told["amount"] = effect.amount
        effects_.append(told)
    return effects_


def condition(
    desk: Desk, slug: str, detail: Mapping[str, Any], by: str, after: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A condition of the packs, complete, with the time at which it ends; and the dice of its duration, if any.

    `detail` of an effect may say ``length`` and ``unit`` in place of the pack. One that follows others (`after`)
    counts its turns from the one in which those end: the fold adds it.
    """
    entry = desk.game.shelf.entry("condition", slug)
    data: Mapping[str, Any] = entry.data if entry else {}
    lasts = dict(data.get("lasts", {}))
    if "unit" in detail:
        lasts |= {"unit": detail["unit"], "count": detail.get("length", 1)}
    if "from" in detail:
        lasts["from"] = detail["from"]
    told: dict[str, Any] = {}
    count = lasts.get("count", 0)
    if isinstance(count, str):
        count, told["dice"] = _thrown(desk, count)
    unit, until = _until(desk, count, lasts, 1 if after else max(1, desk.state.turn))
    chain = (*after, slug)
    then = [condition(desk, other, {}, "", chain) for other in data.get("then", ()) if other not in chain]
    dice = [thrown for one in then for thrown in (one.get("dice"), *one.get("then_dice", ())) if thrown]
    if dice:  # every die that is drawn is told
        told["then_dice"] = dice
    full = {
        "slug": entry.slug if isinstance(entry, Entry) else slug,
        "label": entry.label if entry else slug.replace("-", " ").capitalize(),
        "sets": data.get("sets", {}),
        "changes": list(data.get("changes", ())),
        "forbids": list(data.get("forbids", ())),
        "incapacitates": bool(data.get("incapacitates")),
        "stacks": bool(data.get("stacks")),
        "ends": list(data.get("ends", ())),
        "unit": unit,
        "until": until,
        "then": [one["condition"] for one in then],
        "by": by,
    }
    return told | {"condition": full}


_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?")


def _thrown(desk: Desk, text: str) -> tuple[int, dict[str, Any]]:
    found = _DICE.fullmatch(text)
    assert found, "the schema lets only such dice pass"
    count, sides, more = int(found[1]), int(found[2]), int(found[3] or 0)
    draw = desk.dice.draw
    faces = desk.dice.throw(count, sides)
    return max(1, sum(faces) + more), {"dice": text, "sides": sides, "faces": list(faces), "draw": draw}


def _until(desk: Desk, count: int, lasts: Mapping[str, Any], first: int) -> tuple[str, int]:
    """The unit in which the fight counts, and the last turn, or how many are left."""
    unit = lasts.get("unit", "")
    later = 1 if lasts.get("from") == "next" else 0
    if unit in _SECONDS:
        count, unit = -(-count * _SECONDS[unit] // desk.rules.seconds), "turn"
    if unit in ("turn", "round"):
        return "turn", first + count - 1 + later
    if unit == "phase":
        return "slots", count + later
    if unit == "pass":
        return "parts", count + later
    return "", 0
