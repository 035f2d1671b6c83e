"""Words of a log for people: numbers, dice and effects as lines of Markdown, with everybody's names made harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from fracas.encounters import sides
from fracas.encounters.by_itself import BACK, BOND, ENDS, JOB, MOVES, OUT, POINTS, SIDE_BACK, SIDE_OUT
from fracas.encounters.glossary import Glossary
from fracas.engine.requests import Request
from fracas.exports.cards.card import apart
from fracas.exports.cards.changes import change_of
from fracas.exports.cards.terms import words
from fracas.exports.readable import counted, listed
from fracas.kernel.turns import NOW, TurnRules

Data = Mapping[str, Any]
Naming = Callable[[str], str]

UNNAMED = "a combatant"
"""Stands for a combatant that the viewer does not know of."""

_SPECIAL = re.compile(r"([\\`*_\[\]<&|~#@$]|:(?=//|[\w+-]+:)|(?<=www)\.)", re.IGNORECASE)
_LEADING = re.compile(r"^(\d*)([-+>=]|[.)](?=\s|$))")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")
_COUNTING = ("applied", "capped")


def plain(value: object) -> str:
    """Any text in one line and without a meaning in Markdown or HTML."""
    text = _SPECIAL.sub(r"\\\1", " ".join(_UNSEEN.sub(" ", str(value)).split()))
    return _LEADING.sub(r"\1\\\2", text)


def _counting(tally: Data) -> list[Data]:
    return [entry for entry in tally["entries"] if entry["verdict"] in _COUNTING and entry["value"]]


def counts(tally: Data) -> bool:
    """Whether a number is worth a line: not a 0 that nothing makes."""
    return bool(tally["total"] or _counting(tally))


def tally(tally: Data) -> str:
    """A number and the entries that it is the sum of."""
    parts = ", ".join(f"{plain(entry['label'])} {entry['value']:+d}" for entry in _counting(tally))
    return f"{plain(tally['label'])} {tally['total']}" + (f" ({parts})" if parts else "")


def faces(groups: Sequence[Sequence[int]], source: str, draw: int | None, mark: str = "**") -> str:
    """The dice of one part of a roll, between marks, and where they come from, if `draw` may be known."""
    shown = " / ".join(" ".join(map(str, group)) for group in groups)
    if not shown:
        return "no dice"
    shown = f"{mark}{shown}{mark}"
    if source == "supplied":
        return f"{shown} (typed in)"
    return shown if draw is None else f"{shown} (draw {draw})"


def is_reported(effect: Data, glossary: Glossary) -> bool:
    """Whether an effect has a line: not what a fight only counts for the rest of a slot or turn, such as shots."""
    track = glossary.rules.tracks.get(str(effect["what"])) if effect["type"] in _POINTS else None
    return track is None or not track.fleeting or bool(track.noun)


def effect(
    name: Naming,
    effect: Data,
    glossary: Glossary,
    plain: Callable[[object], str] = plain,
    acting: Collection[str] = (),
) -> str:
    """What happens to a combatant, as a sentence without a full stop.

    Args:
        name: what a combatant is called, by id, as it may stand in the text.
        acting: those whose slot it is: of a time counted in their slots, the present one is not named.
        plain: makes any other text harmless where the words will stand.
    """
    now = effect["who"] in acting
    who, text = name(effect["who"]), _happening(name, effect, glossary, plain, now)
    noun = (
        effect["type"] == "schedule"
        or (effect["type"] == "item" and _handles(effect) is None)
        or (effect["type"] in _POINTS and text.startswith(words(str(effect["what"]))))
    )
    return f"{who}: {text}" if noun else f"{who} {text}"


_POINTS = ("mark", "spend", "gain")
"""Types of effects that change a number."""


def _happening(
    name: Naming, effect: Data, glossary: Glossary, plain: Callable[[object], str], acting: bool
) -> str:
    """What follows the name of the combatant."""
    kind, key, rules = effect["type"], str(effect["what"]), glossary.rules
    if kind in _POINTS:
        amount = effect["amount"]
        return plain(glossary.moved(kind, key, amount) or change_of(kind, amount, key, words(key)))
    if kind == "item" and (handling := _handles(effect)):
        return handling.format(plain(glossary.item(key)))
    if kind == "item":
        changes = [
            f"{plain(glossary.count(key, name, abs(amount)))} {'used' if amount < 0 else 'more'}"
            for name, amount in effect.get("change", {}).items()
        ]
        changes += [plain(glossary.facts({name: value})) for name, value in _news(effect.get("set", {}))]
        return f"{plain(glossary.item(key))}: {', '.join(changes)}"
    if kind == "add-condition":
        return f"is now {condition(name, effect, glossary, plain, acting)}"
    if kind == "join":
        return f"brings {plain(glossary.combatant(key))} into the fight"
    if kind == "schedule":
        timer = effect["timer"]
        if timer["when"] == "turn-end" and timer["turn"] > FAR:
            return f"“{plain(timer['label'])}” is due {_far(timer['turn'], rules)}"
        span = rules.words.turn if timer["when"] != "part" else rules.words.part
        number = (
            timer["turn"]
            if timer["when"] != "part"
            else f"{timer['part']} of {rules.words.turn} {timer['turn']}"
        )
        if timer["when"] == NOW:
            return f"“{plain(timer['label'])}” is due when this {plain(rules.words.slot)} is over"
        moment = {"turn-begin": "at the beginning of", "turn-end": "at the end of"}.get(timer["when"], "in")
        return f"“{plain(timer['label'])}” is due {moment} {plain(f'{span} {number}')}"
    return f"is no longer {plain(glossary.being(glossary.condition(key)))}"


_HANDLING: Sequence[tuple[Data, str]] = (
    ({"ready": False, "dropped": True}, "drops the {}"),
    ({"ready": False}, "no longer holds the {}"),
    ({"ready": True}, "takes the {} in hand"),
    ({"ready": True, "dropped": False}, "takes the {} in hand"),
)


def _handles(effect: Data) -> str | None:
    """What a combatant does with an item that changes hands and nothing else, with a gap for its name."""
    if effect.get("change"):
        return None
    return next((text for state, text in _HANDLING if effect.get("set") == state), None)


def _news(state: Data) -> Sequence[tuple[str, Any]]:
    """What an item becomes: one that is in hand lies on no floor, and one that lies there is in no hand."""
    idle = {"dropped": False} if state.get("ready") else {"ready": False} if state.get("dropped") else {}
    return [(name, value) for name, value in state.items() if (name, value) not in idle.items()]


def condition(
    name: Naming,
    effect: Data,
    glossary: Glossary,
    plain: Callable[[object], str] = plain,
    acting: bool = False,
) -> str:
    """What a condition makes of combatants, towards whom, what it does to their tests, and for how long."""
    condition, rules = effect["condition"], glossary.rules
    unit, until = condition["unit"], condition["until"]
    far = unit == "turn" and until > FAR
    ends = {
        "turn": _far(until, rules, "until ") if far else f"to the end of {plain(rules.words.turn)} {until}",
        "slots": _slots(until, plain(rules.words.slot), plain(rules.lasting or rules.words.slot), acting),
        "parts": f"for {plain(counted(until, rules.words.part))}",
    }.get(unit, "")
    dice = effect.get("dice")
    if dice:
        mark = "" if plain is str else "**"
        ends += f"; {plain(dice['dice'])}: {faces([dice['faces']], 'seed', dice['draw'], mark)}"
    found = [*map(plain, glossary.changed(condition)), *filter(None, [ends])]
    state = _being(condition["label"], map(name, condition["towards"]), glossary, plain)
    return state + (f" ({', '.join(found)})" if found else "")


FAR = 50
"""A turn of this number is shown as a time: nobody counts so many."""


def _slots(until: int, slot: str, several: str, acting: bool) -> str:
    """So many slots of a combatant, of which the present one may be the first; `several`: what they are counted as."""
    if acting:
        return (
            f"for {counted(until - 1, several)} after this one" if until > 1 else f"to the end of this {slot}"
        )
    return f"for {counted(until, several)}"


def _far(turn: int, rules: TurnRules, until: str = "") -> str:
    """The end of a turn that no fight reaches, as a time after its beginning."""
    minutes = round(turn * rules.seconds / 60)
    time = counted(minutes, "minute") if minutes < 90 else counted(round(minutes / 60), "hour")
    return f"{until}{time} into the fight"


def _being(label: str, whom: Iterable[str], glossary: Glossary, plain: Callable[[object], str]) -> str:
    """What combatants with a condition are, to stand after "is", with the names of those whom it concerns."""
    names, towards = listed(list(whom)), glossary.towards(label)
    if names and towards:
        return f"{plain(towards)} {names}"
    return plain(glossary.being(label)) + (f" ({names})" if names else "")


def change(change: Data, name: Naming, glossary: Glossary, quote: Callable[[object], str] = str) -> str:
    """What an event changed, see `by_itself.changes`, as a sentence without a full stop.

    Args:
        name: what a combatant is called, by id, as it may stand in the text.
        quote: makes any other text harmless where the sentence will stand.
    """
    kind, label, why = change["kind"], quote(change["label"]), quote(change["why"])
    if kind == SIDE_OUT:
        return sides.beaten(label)
    if kind == SIDE_BACK:
        return f"The {label} can fight again"
    who = name(change["who"])
    if why and change.get("of"):
        why = f"{name(change['of'])} {why}" if change["cause"] == BOND else f"{name(change['of'])}: {why}"
    because = f" ({why})" if why else ""
    if kind == MOVES:
        return f"{who} {label}{because}"
    if kind == OUT:
        return f"{who} cannot act any more: {label}"
    if kind == BACK:
        return f"{who} can act again{because}"
    if kind == POINTS:
        several = label.endswith("s") and not label.endswith("ss")  # such as hit points
        verb = ("rise" if change["now"] > change["was"] else "fall") + ("" if several else "s")
        return f"{who}: {label} {verb} from {change['was']} to {change['now']}{because}"
    if kind == JOB:
        done = f"{change['now']} of " if "goal" in change else ""
        return f"{who}: {label}, {done}{counted(change.get('goal', change['now']), 'action')}"
    whom = map(name, change.get("towards", ()))
    if kind == ENDS and change.get("now") and not change.get("towards"):
        return f"{who}: one “{label}” ends, {change['now']} left{because}"
    state = _being(change["label"], whom, glossary, quote)
    return f"{who} is {'no longer' if kind == ENDS else 'now'} {state}{because}"


def effects_of_request(request: Request, answer: Data, names: Mapping[str, str]) -> list[str]:
    """The effects of a step outside a fight, each as a sentence; of games without fights none.

    Args:
        names: what the records of the request are called.
    """
    rules = request.game.ruleset.turns
    if rules is None:
        return []
    glossary, used = Glossary(request.game, rules), request.attempt.input.used
    called = apart(names)

    def name(who: str) -> str:
        return called.get(who) or (words(who) if who[-1:].isdigit() else f"the {words(who)}")

    found = []
    for one in answer.get("effects", ()):
        if one["type"] == "item":
            state, by = one.get("state", ""), one["amount"]
            detail = {name: value for name, value in one.items() if name not in _OF_EFFECTS}
            change = {"change": {state: by}} if state and by is not None else {"set": detail}
            one = {**one, "what": used.get(one["what"], one["what"]), **change}
        if one["type"] in ("add-condition", "schedule"):
            text = f"{name(one['who'])} {_begun(one, glossary)}"
        elif is_reported(one, glossary):
            text = effect(name, one, glossary, str)
        else:
            continue
        found.append(f"{text[:1].upper()}{text[1:]}")
    return found


_OF_EFFECTS = ("type", "who", "what", "amount", "state")
"""What all effects on items have; the rest is how the item is from now on."""


def _begun(effect: Data, glossary: Glossary) -> str:
    """What begins outside a fight, where no turn says when it ends, to stand after a name."""
    what, length, unit = str(effect["what"]), effect.get("length"), str(effect.get("unit") or "")
    if effect["type"] == "schedule":
        return f"has “{glossary.action(what)}” due"
    span, called = "", glossary.rules.words
    if unit == "scene":
        span = " for this scene"
    elif isinstance(length, int):
        spans = {"turn": called.turn, "round": called.turn, "pass": called.part, "phase": called.slot}
        span = f" for {counted(length, spans.get(unit, unit))}"
    return f"is now {glossary.being(glossary.condition(what))}{span}"
