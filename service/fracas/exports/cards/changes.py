"""What effects change of combatants and of their things, in words for a card."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from fracas.exports.cards.terms import fact, label_of, lowered, signed, words
from fracas.exports.readable import counted, plain

Names = Mapping[str, str]
"""What records of a request (``attacker``), combatants and things are called."""

POINTS = ("mark", "spend", "gain")


class Effect(NamedTuple):
    """A change of a combatant or of one of their things.

    Attributes:
        who, name: the record or combatant, and what it is called.
        what: a track, a condition, or a thing and what changes of it (``weapon/rounds``).
        text: all of it in words, but for the name.
    """

    who: str
    name: str
    type: str
    what: str
    amount: int | None
    text: str


class Points(NamedTuple):
    """What cards need to know of a ruleset's tracks, and what it calls things.

    Attributes:
        drained: those from which marking takes points, such as hit points; others fill up.
        fleeting: those that nobody keeps beyond the fight; cards leave their effects out.
        nouns: what one point of a track is called: ``box of Physical damage``.
        burdens: those whose points their owners take and lose, rather than gain and spend.
        phrases: those of `Track.phrases`.
        called: what begins and ends by effects, as it stands in a sentence; see `begun`.
        decisions: the labels of decisions.
    """

    drained: Collection[str] = ()
    fleeting: Collection[str] = ()
    nouns: Names = MappingProxyType({})
    burdens: Collection[str] = ()
    phrases: Mapping[str, Sequence[str]] = MappingProxyType({})
    called: Names = MappingProxyType({})
    decisions: Names = MappingProxyType({})


BOXES = Points()
"""Every track fills up and is kept."""


def name_of(who: str, names: Names) -> str:
    return names.get(who) or label_of(who)


def effect_of(effect: Mapping[str, Any], names: Names, points: Points) -> Effect:
    type, who, what = effect["type"], effect["who"], str(effect["what"])
    amount = effect.get("amount")
    if type == "item":
        return _item_effect(effect, names)
    label = plain((effect.get("condition") or effect.get("timer") or {}).get("label"))
    called = points.called.get(what) or lowered(label) or names.get(what) or words(what)
    if type in ("add-condition", "remove-condition"):
        text = f"is {'now' if type == 'add-condition' else 'no longer'} {called}"
    elif type == "join":
        text = f"brings {called} into the fight"
    elif type in POINTS and isinstance(amount, int):
        text = moved(type, amount, what, points) or change_of(type, amount, what, called, points)
    elif type == "schedule":
        text = f"“{label or called}” is due"
    else:
        text = f"{words(type)}: {called}" + ("" if amount is None else f" {amount}")
    return Effect(who, name_of(who, names), type, what, amount if isinstance(amount, int) else None, text)


def change_of(type: str, amount: int, what: str, called: str, points: Points = BOXES) -> str:
    """Points that have no name; what is called in the plural is counted by its own: "spends 1 service"."""
    if type != "mark" and what.endswith("s") and (text := fact(what, amount))[:1].isdigit():
        return f"{type}s {text}"
    falls = type == "spend" or (type == "mark" and what in points.drained)
    return f"{called} {signed(-amount if falls else amount)}"


def moved(type: str, amount: int, what: str, points: Points) -> str:
    """What happens to the points of a track, to stand after a name; "" where they have no name.

    >>> moved("mark", 2, "physical", Points(nouns={"physical": "box of Physical damage"}))
    'takes 2 boxes of Physical damage'
    """
    if what not in points.nouns:
        return ""
    counts = counted(abs(amount), points.nouns[what])
    if what in points.phrases:
        return points.phrases[what][type == "spend" or amount < 0].format(counts)
    if type == "mark":
        verb = "recovers" if amount < 0 else "loses" if what in points.drained else "takes"
    elif what in points.burdens:
        verb = "takes" if type == "gain" else "loses"
    else:
        verb = f"{type}s"
    return f"{verb} {counts}"


def _item_effect(effect: Mapping[str, Any], names: Names) -> Effect:
    """What a thing has more or less of, or how it is from now on."""
    who, what, amount = effect["who"], str(effect["what"]), effect.get("amount")
    changed = dict(effect.get("change") or {})
    if isinstance(amount, int):
        changed = {str(effect.get("state", "")): amount}
    state, by = next(iter(changed.items()), ("", None))
    parts = [
        f"{fact(name, abs(number)) if name else abs(number)} {'used' if number < 0 else 'more'}"
        for name, number in changed.items()
    ]
    parts += [fact(name, value) for name, value in (effect.get("set") or {}).items()]
    text = (
        f"{names.get(what) or words(what)}: {', '.join(parts)}" if parts else names.get(what) or words(what)
    )
    return Effect(who, name_of(who, names), "item", f"{what}/{state}" if state else what, by, plain(text))
