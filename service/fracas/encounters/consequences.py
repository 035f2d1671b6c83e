"""What a step does, as events tell it: effects on combatants and their things, with complete conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fracas.encounters import effects, order
from fracas.encounters.desk import Desk
from fracas.encounters.permission import intent_of
from fracas.encounters.state import Resolution, Timer
from fracas.kernel.stage import Effect
from fracas.packs.entries import Entry

_SECONDS = {"minute": 60, "hour": 3600}


def resolved(desk: Desk, one: Resolution, found: Iterable[Effect]) -> list[dict[str, Any]]:
    """A step's effects as events hold them: on combatants and their things, with complete conditions."""
    effects_: list[dict[str, Any]] = []
    timers = 0
    for effect in found:
        told = told_of(one, effect)
        if told is None:
            continue
        detail = dict(effect.detail)
        if effect.type == "add-condition":
            towards = (
                (one.who.get(str(detail["towards"]), str(detail["towards"])),) if "towards" in detail else ()
            )
            item = one.item if told["who"] == one.actor else ""
            told |= condition(desk, effect.what, detail, one.action, towards=towards, item=item)
        elif effect.type == effects.SCHEDULE:
            timers += 1
            told["timer"] = _timer(desk, one, effect, told["who"], timers)
        effects_.append(told)
    return effects_


def told_of(one: Resolution, effect: Effect) -> dict[str, Any] | None:
    """An effect as far as the stages settle it: who and what, and how much; None for one that a fight does not keep."""
    if effect.type not in effects.TYPES:
        return None
    told: dict[str, Any] = {
        "type": effect.type,
        "who": one.who.get(effect.who, effect.who),
        "what": effect.what,
    }
    detail = dict(effect.detail)
    if effect.type == "item":
        told["what"] = one.things.get(effect.what, "" if effect.what.startswith(WEAPON) else effect.what)
        if not told["what"]:
            return None
        if effect.amount is None:
            return told | {"set": detail}
        return told | {"change": {str(detail.get("state", "rounds")): effect.amount}}
    if effect.type == "remove-condition":
        if effect.amount is not None:
            told["count"] = effect.amount
        if "towards" in detail:
            told["towards"] = [one.who.get(str(detail["towards"]), str(detail["towards"]))]
    elif effect.type not in ("add-condition", effects.SCHEDULE):
        told["amount"] = effect.amount
    return told


WEAPON = "weapon"
"""How the records of weapons begin: ``weapon``, ``weapon_2``."""


def _timer(desk: Desk, one: Resolution, effect: Effect, who: str, number: int) -> dict[str, Any]:
    """What an effect ``schedule`` sets, complete."""
    detail = dict(effect.detail)
    turns = detail.get("turns", 0)
    table = order.table_of(desk.rules, desk.state)
    when = desk.rules.moment(table, who, str(detail.get("when", "")), turns if isinstance(turns, int) else 0)
    action = desk.game.shelf.entry("action", effect.what)
    label = detail.get("label") or (action.label if action else effect.what)
    situation: dict[str, Any] = {}
    for name, value in detail.items():
        if name.startswith(_SET):
            nest(situation, name.removeprefix(_SET), value)
    timer = Timer(f"t{desk.version}.{number}", str(label), effect.what, who, one.item, situation, *when)
    timer = timer._replace(lasting=str(detail.get("while", "")))
    return timer._asdict()


_SET = "set_"


def nest(nested: dict[str, Any], path: str, value: Any) -> None:
    """Set a field of a nested situation by its path (``target.distance``)."""
    *records, name = path.split(".")
    for record in records:
        nested = nested.setdefault(record, {})
    nested[name] = value


def of_outcome(
    desk: Desk, one: Resolution, action: Entry | None, outcome: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What the packs say that an action does besides, when its procedure has ended so: its ``outcomes``."""
    found: list[dict[str, Any]] = []
    for case in action.data.get("outcomes", ()) if action is not None else ():
        if all(outcome.get(fact) == value for fact, value in case["if"].items()):
            who = one.target if case.get("who") == "target" else one.actor
            found += of_action(desk, who, case, one.action)
            what = case.get("item")
            if what and one.item and action is not None:
                found.append(handling(desk, one.actor, action, one.item, what))
    return found


def of_action(desk: Desk, who: str, data: Mapping[str, Any], by: str, item: str = "") -> list[dict[str, Any]]:
    """The conditions that an action, taken with this thing, or one case of its outcome, brings and ends."""
    removed = [{"type": "remove-condition", "who": who, "what": slug} for slug in data.get("removes", ())]
    return removed + [
        {"type": "add-condition", "who": who, "what": slug, **condition(desk, slug, {}, by, item=item)}
        for slug in data.get("conditions", ())
    ]


def handling(desk: Desk, who: str, action: Entry, item: str, what: str) -> dict[str, Any]:
    """What is done to a thing, as an effect."""
    scene = desk.scene()
    intent = intent_of(scene, desk.state.combatants[who], action, item, "", {})
    states = dict(desk.rules.handled(scene.table, who, intent, what))
    return {"type": "item", "who": who, "what": item, "set": states}


def condition(
    desk: Desk,
    slug: str,
    detail: Mapping[str, Any],
    by: str,
    after: tuple[str, ...] = (),
    towards: tuple[str, ...] = (),
    item: str = "",
) -> dict[str, Any]:
    """A condition of the packs, complete, with the time at which it ends; and the dice of its duration, if any.

    `detail` of an effect may say ``length`` and ``unit`` in place of the pack, and ``set_`` with a field of the sheet
    that the condition sets; `towards`: whom it concerns. One that follows others (`after`)
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
        "sets": {**data.get("sets", {}), **_said(detail)},
        "changes": list(data.get("changes", ())),
        "forbids": list(data.get("forbids", ())),
        "incapacitates": bool(data.get("incapacitates")),
        "enables": bool(data.get("enables")),
        "stacks": bool(data.get("stacks")),
        "ends": list(data.get("ends", ())),
        "unit": unit,
        "until": until,
        "then": [one["condition"] for one in then],
        "by": by,
        "towards": list(towards),
        "counterpart": data.get("counterpart", ""),
        "outlasts": list(data.get("outlasts", ())),
        "item": item if data.get("of_item") else "",
    }
    return told | {"condition": full}


def _said(detail: Mapping[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(_SET): value for name, value in detail.items() if name.startswith(_SET)}


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
