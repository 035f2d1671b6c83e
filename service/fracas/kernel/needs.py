"""What most words of an action's ``needs`` ask, as functions that `intents.Need` takes; None where it is not known.

Packs declare the words that are look-ups as data (``fights.yaml``), in the forms of `FORMS` and of their ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.intents import Intent, Need, Participant, Table

__all__ = [
    "FORMS",
    "NAMED",
    "Form",
    "Holds",
    "Likely",
    "all_known",
    "anybody",
    "by_house_rule",
    "declared",
    "flagged",
    "friends_towards",
    "has_left",
    "has_value",
    "in_condition",
    "in_condition_towards",
    "is_ready",
    "maybe",
    "negated",
    "never",
    "of_actor",
    "of_data",
    "of_item",
    "of_sheet",
    "of_target",
    "one_of",
    "out_of_condition",
    "target_in_condition",
    "towards",
]

Holds = Callable[[Table, Participant, Intent], bool | None]
"""Whether the actor meets a requirement with what they are about to do; None where it is not known."""
Likely = Callable[[Table, Participant, Intent], bool]
"""Whether that may well be so where it is not known."""
Form = Callable[..., Holds]
"""Makes such a check of the words with which packs declare a need."""


def never(table: Table, actor: Participant, intent: Intent) -> bool:
    """Not likely where it is not known: a sheet, an item or a condition would show it."""
    return False


def maybe(table: Table, actor: Participant, intent: Intent) -> bool:
    """Likely where it is not known, because the fight need not be given it, such as how far away a target is."""
    return True


def anybody(suits: Callable[[Participant], bool]) -> Likely:
    """Likely where a combatant of the fight is such."""
    return lambda table, actor, intent: any(map(suits, table.participants.values()))


def of_actor(holds: Callable[[Participant], bool | None]) -> Holds:
    """What holds of the actor."""
    return lambda table, actor, intent: holds(actor)


def of_target(holds: Callable[[Participant], bool | None]) -> Holds:
    """What holds of the target; not known without one."""
    return lambda table, actor, intent: None if intent.target is None else holds(intent.target)


def of_item(holds: Callable[[Intent], bool | None]) -> Holds:
    """What holds of the item with which the action is done, by the action alone."""
    return lambda table, actor, intent: holds(intent)


def of_data(field: str, holds: Callable[[Any], bool]) -> Holds:
    """What holds of a field of the item's entry; not known where the packs do not have it."""
    return of_item(lambda intent: holds(intent.item_data[field]) if field in intent.item_data else None)


def of_sheet(field: str, holds: Callable[[Any], bool]) -> Holds:
    """What holds of a field of the actor's sheet; not known where the sheet does not have it."""
    return of_actor(lambda who: holds(who.sheet[field]) if field in who.sheet else None)


def in_condition(condition: str, field: str = "") -> Holds:
    """The actor is in a condition, or has the field of the sheet that it sets."""
    return of_actor(lambda who: condition in who.conditions or bool(field and who.sheet.get(field)))


def out_of_condition(condition: str) -> Holds:
    """The actor is not in a condition."""
    return of_actor(lambda who: condition not in who.conditions)


def target_in_condition(condition: str) -> Holds:
    """The target is in a condition; not known without one."""
    return of_target(lambda one: condition in one.conditions)


def in_condition_towards(condition: str) -> Holds:
    """The actor is in a condition that concerns the target, where one is named."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        if condition not in actor.conditions or intent.target is None:
            return condition in actor.conditions
        return intent.target.id in actor.towards.get(condition, (intent.target.id,))

    return holds


def has_left(field: str) -> Holds:
    """The actor has any left of what the sheet counts."""

    def left(who: Participant) -> bool | None:
        count = who.sheet.get(field)
        return None if count is None else count > 0

    return of_actor(left)


def is_ready(intent: Intent) -> bool | None:
    """The item is in the hand, as far as the fight knows."""
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def one_of(*needs: Holds) -> Holds:
    """One of these holds; not known if that may be."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = [need(table, actor, intent) for need in needs]
        return True if True in found else None if None in found else False

    return holds


def negated(need: Holds) -> Holds:
    """What does not hold; not known where it is not known whether it does."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = need(table, actor, intent)
        return None if found is None else not found

    return holds


def towards(holds: Callable[[Table, Participant, Participant], bool | None]) -> Holds:
    """What holds of the actor towards the target; not known without one."""
    return lambda table, actor, intent: None if intent.target is None else holds(table, actor, intent.target)


def has_value(field: str, *values: object) -> Holds:
    """A field of the actor's sheet has one of these values."""
    return of_actor(lambda who: who.sheet.get(field) in values)


def flagged(field: str) -> Holds:
    """A field of the actor's sheet is set, and neither no nor 0."""
    return of_actor(lambda who: bool(who.sheet.get(field)))


def by_house_rule(option: str) -> Holds:
    """A house rule is in use."""
    return lambda table, actor, intent: bool(table.options.get(option))


def all_known(*known: bool | None) -> bool | None:
    """Whether all of these hold, as far as they are known."""
    return False if False in known else None if None in known else True


def friends_towards(table: Table, actor: Participant, target: Participant, condition: str) -> int:
    """How many others of the actor's side are in a condition towards the target, such as in melee with them."""
    others = (who for who in table.participants.values() if who.able and who.id != actor.id)
    return sum(who.side == actor.side and target.id in who.towards.get(condition, ()) for who in others)


FORMS: Mapping[str, Form] = {
    "condition": in_condition,
    "without": out_of_condition,
    "towards": in_condition_towards,
    "target": target_in_condition,
    "left": has_left,
    "flag": flagged,
    "unset": lambda field: negated(flagged(field)),
    "known": lambda field: of_actor(lambda who: who.sheet.get(field) is not None),
    "value": has_value,
    "target_flag": lambda field: of_target(lambda one: bool(one.sheet.get(field))),
    "in_hand": lambda: of_item(is_ready),
    "option": by_house_rule,
}
"""How packs of every ruleset say what a word asks; each takes what is written behind it, of a list all parts:

- ``condition``: the actor is in a condition; ``[condition, field]``: or has this field of the sheet.
- ``without``, ``target``: the actor is not in a condition; the target is in it.
- ``towards``: the actor is in a condition that concerns the target.
- ``left``, ``flag``, ``unset``, ``known``: a field of the sheet is more than 0, is set, is not, is there at all.
- ``value``: ``[field, value, ...]``: the field has one of the values.
- ``target_flag``: a field of the target's sheet is set.
- ``in_hand``: the item is ready; it takes an empty list.
- ``option``: a house rule is in use.
"""
NAMED: Mapping[str, tuple[str, ...]] = {
    "condition": ("condition", "field"),
    **dict.fromkeys(("without", "target", "towards"), ("condition",)),
    **dict.fromkeys(("left", "flag", "unset", "known", "value", "target_flag"), ("field",)),
    "option": ("house rule",),
}
"""What the words behind each of `FORMS` name, so that a check finds what nobody has; further words are values."""
_LIKELY: Mapping[str, Likely] = {
    "never": never,
    "maybe": maybe,
    "ally": lambda table, actor, intent: intent.target is not None and intent.target.side == actor.side,
    "foe": lambda table, actor, intent: intent.target is not None and intent.target.side != actor.side,
    "helpless": lambda table, actor, intent: intent.target is not None and not intent.target.able,
}


def _likely(word: str | Mapping[str, str] | None) -> Likely | None:
    """Of a word, or of the field that a combatant of the fight has set."""
    if isinstance(word, str):
        return _LIKELY[word]
    return None if word is None else anybody(lambda one: bool(one.sheet.get(word["anybody"])))


def declared(
    words: Mapping[str, Mapping[str, Any]], forms: Mapping[str, Form], checks: Mapping[str, Holds] = {}
) -> dict[str, Need]:
    """The needs that packs declare, by their words: a ``label``, ``likely`` (`never`, `maybe`, where the target is an
    ``ally``, a ``foe`` or ``helpless``, or where anybody has a field), and forms, all of which must hold. Without a
    form the ruleset's check of this word holds; where it has none, the GM checks it.

    Args:
        forms: those of the ruleset, beside `FORMS`.
        checks: those of the ruleset, by words.

    Raises:
        InputError: every form that there is not, or that does not take what is written behind it.
    """
    known, problems = {**FORMS, **forms}, list[Problem]()
    found = {word: _declared(word, data, known, checks.get(word), problems) for word, data in words.items()}
    if problems:
        raise InputError(problems)
    return found


def _declared(
    word: str,
    data: Mapping[str, Any],
    forms: Mapping[str, Form],
    check: Holds | None,
    problems: list[Problem],
) -> Need:
    parts: list[Holds] = []
    for name, value in data.items():
        if name in ("label", "likely"):
            continue
        if name not in forms:
            message = f"no need is checked by {name!r}"
            problems.append(Problem(f"{word}.{name}", "unknown-form", message, suggestion(name, forms)))
            continue
        try:
            parts.append(forms[name](*(value if isinstance(value, list) else [value])))
        except TypeError:
            message = f"{name!r} takes another number of words"
            problems.append(Problem(f"{word}.{name}", "wrong-form", message, None))
    holds = check if not parts else parts[0] if len(parts) == 1 else partial(_each, parts)
    return Need(data["label"], holds, _likely(data.get("likely")))


def _each(parts: list[Holds], table: Table, actor: Participant, intent: Intent) -> bool | None:
    return all_known(*(holds(table, actor, intent) for holds in parts))
