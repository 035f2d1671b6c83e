"""What a step does, as events report it: effects on combatants and their things, with complete conditions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from fracas.encounters import effects, order
from fracas.encounters.arrivals import newcomer
from fracas.encounters.command_context import CommandContext
from fracas.encounters.effects import Effect as Effect_
from fracas.encounters.permission import all_known, holder_of, intent_of
from fracas.encounters.sheets import participant_roles
from fracas.encounters.state import Resolution, Timer, to_json
from fracas.kernel.intents import Intent
from fracas.kernel.items import alike
from fracas.kernel.stage import Effect
from fracas.kernel.turns import NOW
from fracas.packs.entries import Entry

_SECONDS = {"minute": 60, "hour": 3600}
NOTHING_GIVEN: Mapping[str, Any] = {}


def resolved(context: CommandContext, one: Resolution, found: Iterable[Effect]) -> list[dict[str, Any]]:
    """A step's effects as events hold them: on combatants and their things, with complete conditions."""
    effects_: list[dict[str, Any]] = []
    timers = 0
    for effect in found:
        reported = effect_data(one, effect)
        if reported is None:
            continue
        detail = dict(effect.detail)
        if effect.type == "add-condition":
            towards = towards_of(one, effect, context.state.combatants)
            item = one.item if reported["who"] == one.actor else ""
            reported |= condition(context, effect.what, detail, one.action, towards=towards, item=item)
        elif effect.type == effects.SCHEDULE:
            timers += 1
            reported["timer"] = _timer(context, one, effect, reported["who"], timers)
        elif effect.type == effects.JOIN:
            reported["combatant"] = newcomer(context, reported["who"], effect.what, detail)
        elif effect.type == "item" and effect.what not in one.items:
            reported["what"] = _one_of_its(context, reported["who"], reported["what"])
        effects_.append(reported)
    return effects_


def towards_of(one: Resolution, effect: Effect, there: Collection[str]) -> tuple[str, ...]:
    """The combatants that a condition concerns, of those that the fight has: a record of none of them is left out."""
    found = (one.who.get(str(id), str(id)) for name, id in effect.detail if name == "towards")
    return tuple(id for id in found if id in there)


def effect_data(one: Resolution, effect: Effect) -> dict[str, Any] | None:
    """An effect as far as the stages settle it: who and what, and how much; None for one that a fight does not keep."""
    if effect.type not in effects.TYPES:
        return None
    reported: dict[str, Any] = {
        "type": effect.type,
        "who": one.who.get(effect.who, effect.who),
        "what": effect.what,
    }
    detail = dict(effect.detail)
    if effect.type == "item":
        reported["what"] = one.items.get(effect.what, "" if effect.what.startswith(WEAPON) else effect.what)
        if not reported["what"]:
            return None
        if effect.what in one.items and reported["who"] == one.actor:
            reported["who"] = one.holder or one.actor
        if effect.amount is None:
            return reported | {"set": detail}
        return reported | {"change": {str(detail.get("state", "rounds")): effect.amount}}
    if effect.type == "remove-condition":
        if effect.amount is not None:
            reported["count"] = effect.amount
        if "towards" in detail:
            reported["towards"] = [one.who.get(str(detail["towards"]), str(detail["towards"]))]
    elif effect.type not in ("add-condition", effects.SCHEDULE, effects.JOIN):
        reported["amount"] = effect.amount
        if "limits" in detail:
            reported["limits"] = detail["limits"]
    return reported


def _one_of_its(context: CommandContext, who: str, slug: str) -> str:
    """Which of a combatant's things is meant by a slug: of several alike the first that is ready."""
    combatant = context.state.combatants.get(who)
    names = alike(slug, combatant.items) if combatant is not None else []
    ready = [name for name in names if combatant is not None and combatant.items[name].get("ready")]
    return next(iter((*ready, *names)), slug)


WEAPON = "weapon"
"""How the records of weapons begin: ``weapon``, ``weapon_2``."""


def _timer(context: CommandContext, one: Resolution, effect: Effect, who: str, number: int) -> dict[str, Any]:
    """What an effect ``schedule`` sets, complete."""
    detail = dict(effect.detail)
    turns = detail.get("turns", 0)
    table = order.table_of(context.rules, context.state)
    when = context.rules.moment(
        table, who, str(detail.get("when", "")), turns if isinstance(turns, int) else 0
    )
    action = context.game.packs.entry("action", effect.what)
    label = detail.get("label") or (action.label if action else effect.what)
    situation: dict[str, Any] = {}
    for name, value in detail.items():
        if name.startswith(_SET):
            nest(situation, name.removeprefix(_SET), value)
    timer = Timer(f"t{context.version}.{number}", str(label), effect.what, who, one.item, situation, *when)
    procedure = context.game.ruleset.procedures.get(action.data.get("procedure", "")) if action else None
    of_one = procedure is not None and len(participant_roles(procedure)[0]) == 1
    timer = timer._replace(lasting=str(detail.get("while", effects.ALIVE if of_one else "")))
    return dict(to_json(timer))


_SET, _ADD = "set_", "add_"


def nest(nested: dict[str, Any], path: str, value: Any) -> None:
    """Set a field of a nested situation by its path (``target.distance``)."""
    *records, name = path.split(".")
    for record in records:
        nested = nested.setdefault(record, {})
    nested[name] = value


REDIRECTED = "redirected_to"
"""A fact of outcomes: the record of the combatant that the action has met in the target's place, such as a screener."""


def of_outcome(
    context: CommandContext, one: Resolution, action: Entry | None, outcome: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What the packs say that an action does besides, when its procedure has ended so: its ``outcomes``."""
    found: list[dict[str, Any]] = []
    if action is None or "outcomes" not in action.data:
        return found
    facts = {**one.facts, **outcome}
    struck = one.who.get(str(outcome.get(REDIRECTED, "")), one.target)
    intent = intent_of(
        context.scene(), context.state.combatants[one.actor], action, one.item, struck, NOTHING_GIVEN
    )
    for case in action.data["outcomes"]:
        if all(facts.get(fact) == value for fact, value in case["if"].items()):
            who = one.target if case.get("who") == "target" else one.actor
            found += of_action(context, who, one.actor, one.action, case, intent)
            what = case.get("item")
            if what and one.item:
                found.append(handling(context, one.actor, action, one.item, what))
    return found


def of_action(
    context: CommandContext, who: str, by: str, action: str, data: Mapping[str, Any], intent: Intent
) -> list[dict[str, Any]]:
    """The points, the conditions and the ends of conditions that an action of `by`, or one case of its outcome, brings
    to `who`. Of conditions of others it ends only what concerns the actor."""
    found: list[dict[str, Any]] = [
        {
            "type": "gain" if amount > 0 else "spend",
            "who": who,
            "what": track,
            "amount": abs(amount),
        }
        for track, amount in data.get("points", {}).items()
    ]
    for slug in data.get("removes", ()):
        ended: dict[str, Any] = {"type": "remove-condition", "who": who, "what": slug}
        found.append(ended if who == by else ended | {"towards": [by]})
    for slug in data.get("conditions", ()):
        found += _begun(context, who, by, action, slug, intent)
    return found


def _begun(
    context: CommandContext, who: str, by: str, action: str, slug: str, intent: Intent
) -> list[dict[str, Any]]:
    """A condition that an action brings, with its counterparts."""
    item = intent.item if who == by else ""
    targets = context.rules.concerned(context.scene().table, who, by, intent, slug)
    if targets is not None and not targets:
        return []
    reported = condition(context, slug, {}, action, towards=tuple(targets or ()), item=item)
    found = [{"type": "add-condition", "who": who, "what": slug, **reported}]
    counterpart = reported["condition"]["counterpart"]
    for other in (targets or ()) if counterpart else ():
        reported = condition(context, counterpart, {}, action, towards=(who,))
        found.append({"type": "add-condition", "who": other, "what": counterpart, **reported})
    return found


def called_for(context: CommandContext, found: Sequence[Effect_]) -> list[dict[str, Any]]:
    """The timers of actions that are due at once: because effects bring about conditions that call for them, such as
    for those aboard a wreck, or because the rules pass effects on. Only where the fight knows all that such an action
    needs."""
    due: list[tuple[str, str, Mapping[str, Any], str]] = [
        (effect["who"], called, NOTHING_GIVEN, effect["condition"]["slug"])
        for effect in found
        if effect["type"] == "add-condition" and (called := _calls(context, effect["what"]))
    ]
    due += ((*one, "") for one in context.rules.passed_on(context.scene().table, found))
    if not due:
        return []
    scene = context.scene(effects.apply(context.rules, context.state, found))
    set_already = sum(effect["type"] == effects.SCHEDULE for effect in found)
    timers: list[dict[str, Any]] = []
    for who, slug, situation, lasting in due:
        action = context.game.packs.entry("action", slug)
        if action is None or who not in scene.table.participants:
            continue
        intent = intent_of(scene, scene.state.combatants[who], action, "", "", situation)
        if not all_known(scene, who, intent):
            continue
        number = set_already + len(timers) + 1
        id = f"t{context.version}.{number}"
        timer = Timer(id, action.label, action.slug, who, "", dict(situation), NOW, context.state.turn)
        timer = timer._replace(lasting=lasting)
        timers.append({"type": effects.SCHEDULE, "who": who, "what": action.slug, "timer": to_json(timer)})
    return timers


def _calls(context: CommandContext, condition: str) -> str:
    """The action that a condition calls for; "" for none."""
    entry = context.game.packs.entry("condition", condition)
    return str(entry.data.get("calls_for", "")) if entry is not None else ""


def handling(
    context: CommandContext,
    who: str,
    action: Entry,
    item: str,
    what: str,
    situation: Mapping[str, Any] = NOTHING_GIVEN,
) -> dict[str, Any]:
    """What is done to a thing, as an effect."""
    scene = context.scene()
    intent = intent_of(scene, context.state.combatants[who], action, item, "", situation)
    states = dict(context.rules.handled(scene.table, who, intent, what))
    return {"type": "item", "who": holder_of(scene, who, action).id, "what": item, "set": states}


def set_by_use(context: CommandContext, who: str, action: Entry, intent: Intent) -> list[dict[str, Any]]:
    """How an action leaves things that are known, as effects."""
    scene = context.scene()
    whose = holder_of(scene, who, action)
    found = context.rules.left_set(scene.table, who, intent)
    return [
        {"type": "item", "who": whose.id, "what": name, "set": dict(states)}
        for name, states in found.items()
        if name in whose.items
    ]


def condition(
    context: CommandContext,
    slug: str,
    detail: Mapping[str, Any],
    by: str,
    after: tuple[str, ...] = (),
    towards: tuple[str, ...] = (),
    item: str = "",
) -> dict[str, Any]:
    """A condition of the packs, complete, with the time at which it ends; and the dice of its duration, if any.

    `detail` of an effect may say ``length`` and ``unit`` in place of the pack, the ``item`` that it concerns, and
    ``set_`` or ``add_`` with a field of the sheet that the condition sets or adds to; `towards`: those that it
    concerns. One that follows others (`after`) counts its turns from the one in which those end: the fold adds it.
    """
    entry = context.game.packs.entry("condition", slug)
    data: Mapping[str, Any] = entry.data if entry else {}
    lasts = dict(data.get("lasts", {}))
    if "unit" in detail:
        lasts |= {"unit": detail["unit"], "count": detail.get("length", 1)}
    if "from" in detail:
        lasts["from"] = detail["from"]
    reported: dict[str, Any] = {}
    count = lasts.get("count", 0)
    if isinstance(count, str):
        count, reported["dice"] = _thrown(context, count)
    unit, until = _until(context, count, lasts, 1 if after else max(1, context.state.turn))
    chain = (*after, slug)
    then = [condition(context, other, {}, "", chain) for other in data.get("then", ()) if other not in chain]
    dice = [thrown for one in then for thrown in (one.get("dice"), *one.get("then_dice", ())) if thrown]
    if dice:  # every die that is drawn is reported
        reported["then_dice"] = dice
    full = {
        "slug": entry.slug if isinstance(entry, Entry) else slug,
        "label": entry.label if entry else slug.replace("-", " ").capitalize(),
        "sets": {**data.get("sets", {}), **_given(detail)},
        "changes": _changed(data.get("changes", ()), detail),
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
        "item": detail.get("item", item if data.get("of_item") else ""),
        "leaves": dict(data.get("leaves", {})),
        "group": data.get("group", ""),
        "takes_from": list(data.get("takes_from", ())),
    }
    if "covers" in data:
        full["covers"] = list(data["covers"])
    return reported | {"condition": full}


def _given(detail: Mapping[str, Any], how: str = _SET) -> dict[str, Any]:
    return {name.removeprefix(how): value for name, value in detail.items() if name.startswith(how)}


def _changed(changes: Iterable[Mapping[str, Any]], detail: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The changes of the pack, with what the effect adds in place of those of the same number."""
    added = _given(detail, _ADD)
    kept = [change for change in changes if change["stat"] not in added]
    return [*kept, *({"stat": stat, "add": value} for stat, value in added.items())]


_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?")


def _thrown(context: CommandContext, text: str) -> tuple[int, dict[str, Any]]:
    found = _DICE.fullmatch(text)
    assert found, "the schema lets only such dice pass"
    count, sides, more = int(found[1]), int(found[2]), int(found[3] or 0)
    draw = context.dice.draw
    faces = context.dice.throw(count, sides)
    return max(1, sum(faces) + more), {"dice": text, "sides": sides, "faces": list(faces), "draw": draw}


def _until(context: CommandContext, count: int, lasts: Mapping[str, Any], first: int) -> tuple[str, int]:
    """The unit in which the fight counts, and the last turn, or how many are left."""
    unit = lasts.get("unit", "")
    later = 1 if lasts.get("from") == "next" else 0
    if unit in _SECONDS:
        count, unit = -(-count * _SECONDS[unit] // context.rules.seconds), "turn"
    if unit in ("turn", "round"):
        return "turn", first + count - 1 + later
    if unit == "phase":
        return "slots", count + later
    if unit == "pass":
        return "parts", count + later
    return "", 0
