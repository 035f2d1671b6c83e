"""What effects, conditions and time do to combatants. Pure functions on states.

Effects come resolved, as events hold them: ``who`` is a combatant, an item has its slug, a condition is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters.state import Combatant, Condition, State, condition_of
from fracas.kernel.turns import Track, TurnRules

Effect = Mapping[str, Any]


def with_combatant(state: State, combatant: Combatant) -> State:
    return state._replace(combatants={**state.combatants, combatant.id: combatant})


def apply(rules: TurnRules, state: State, effects: Iterable[Effect]) -> State:
    """The state after effects, in order. Effects on somebody who is not there change nothing."""
    for effect in effects:
        combatant = state.combatants.get(effect["who"])
        if combatant is not None:
            state = with_combatant(state, _CHANGES[effect["type"]](rules, combatant, effect))
    return state


def _track(rules: TurnRules, what: str) -> Track:
    """Tracks that the ruleset does not name are fields of that name."""
    return rules.tracks.get(what) or Track(what.replace("-", "_"))


def _moved(combatant: Combatant, track: Track, points: int) -> Combatant:
    field, have = track.field, combatant.sheet.get(track.field)
    if isinstance(have, bool) or not isinstance(have, int):
        if points < 0 and have is None:  # how much there was is not known: what went is kept beside it
            field, have, points = (
                f"{track.field}_lost",
                combatant.sheet.get(f"{track.field}_lost", 0),
                -points,
            )
        else:
            have = 0
    return combatant._replace(sheet={**combatant.sheet, field: max(track.least, have + points)})


def _mark(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    track = _track(rules, effect["what"])
    return _moved(combatant, track, effect["amount"] * track.mark)


def _spend(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    track = _track(rules, effect["what"])
    if track.token:
        spent = combatant.spent.get(track.token, 0) + effect["amount"]
        return combatant._replace(spent={**combatant.spent, track.token: spent})
    if track.flag:
        return combatant._replace(sheet={**combatant.sheet, track.field: False})
    return _moved(combatant, track, -effect["amount"])


def _gain(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    track = _track(rules, effect["what"])
    if track.flag:
        return combatant._replace(sheet={**combatant.sheet, track.field: True})
    return _moved(combatant, track, effect["amount"])


def _item(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    """``change`` adds to numbers, which never fall below 0; ``set`` sets."""
    state = dict(combatant.items.get(effect["what"], {}))
    for name, amount in effect.get("change", {}).items():
        have = state.get(name)
        if isinstance(have, int):  # what is not known stays unknown
            state[name] = max(0, have + amount)
    state.update(effect.get("set", {}))
    return combatant._replace(items={**combatant.items, effect["what"]: state})


def _add(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    return _with(combatant, condition_of(effect["condition"]))


def _with(combatant: Combatant, condition: Condition) -> Combatant:
    others = combatant.conditions
    if not condition.stacks:
        others = tuple(one for one in others if one.slug != condition.slug)
    return combatant._replace(conditions=(*others, condition))


def _remove(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    left = tuple(one for one in combatant.conditions if one.slug != effect["what"])
    return combatant._replace(conditions=left)


_CHANGES: Mapping[str, Callable[[TurnRules, Combatant, Effect], Combatant]] = {
    "mark": _mark,
    "spend": _spend,
    "gain": _gain,
    "item": _item,
    "add-condition": _add,
    "remove-condition": _remove,
}

TYPES = tuple(_CHANGES)


def present(combatant: Combatant) -> Mapping[str, Any]:
    """The sheet with what conditions set and change."""
    if not any(one.sets or one.changes for one in combatant.conditions):
        return combatant.sheet
    sheet = dict(combatant.sheet)
    for condition in combatant.conditions:
        sheet.update(condition.sets)
    for condition in combatant.conditions:
        for change in condition.changes:
            if "." not in change["stat"]:  # a tally; see `tally_changes`
                _change(sheet, change)
    return sheet


def tally_changes(combatant: Combatant) -> Iterator[tuple[str, str, int]]:
    """What conditions add to tallies: the tally, the condition, and how much."""
    for condition in combatant.conditions:
        for change in condition.changes:
            add = change.get("add")
            if "." in change["stat"] and "while" not in change and isinstance(add, int):
                yield change["stat"], condition.label, add


def _change(sheet: dict[str, Any], change: Mapping[str, Any]) -> None:
    """One number of a sheet; a change that only counts at times is for people to judge."""
    have = sheet.get(change["stat"], 0)
    if "while" in change or isinstance(have, bool) or not isinstance(have, int):
        return
    if isinstance(add := change.get("add"), int):
        sheet[change["stat"]] = have + add
    elif isinstance(value := change.get("set"), int):
        sheet[change["stat"]] = value
    elif isinstance(least := change.get("at_least"), int):
        sheet[change["stat"]] = max(have, least)


def ended(rules: TurnRules, combatant: Combatant, *moments: str, action: str = "") -> Combatant:
    """Without the conditions that these moments, or taking an action, end."""
    if not combatant.conditions:
        return combatant

    def ends(one: Condition) -> bool:
        return any(
            word == action
            or (
                (moment := rules.moments.get(word, "")) in moments
                and not (moment == "other-action" and one.by == action)
            )
            for word in one.ends
        )

    left = tuple(one for one in combatant.conditions if not ends(one))
    return combatant if len(left) == len(combatant.conditions) else combatant._replace(conditions=left)


def outlived(combatant: Combatant, turn: int, over: Callable[[Condition], bool]) -> Combatant:
    """Without the conditions whose time is over in this turn, and with those that follow them."""
    gone = [one for one in combatant.conditions if over(one)]
    if not gone:
        return combatant
    combatant = combatant._replace(conditions=tuple(one for one in combatant.conditions if one not in gone))
    for one in gone:
        for data in one.then:
            next = condition_of(data)
            until = next.until + turn if next.unit == "turn" else next.until
            combatant = _with(combatant, next._replace(until=until))
    return combatant


def counted_down(combatant: Combatant, unit: str, turn: int) -> Combatant:
    """After one more span of a unit (``slots``, ``parts``)."""
    if not any(one.unit == unit for one in combatant.conditions):
        return combatant
    less = tuple(
        one._replace(until=one.until - 1) if one.unit == unit else one for one in combatant.conditions
    )
    combatant = combatant._replace(conditions=less)
    return outlived(combatant, turn, lambda one: one.unit == unit and one.until < 1)


def reset(rules: TurnRules, combatant: Combatant, span: str) -> Combatant:
    """With the tracks and limits at 0 that a span's beginning resets."""
    sheet = dict(combatant.sheet)
    for track in rules.tracks.values():
        if track.resets == span and track.field in sheet:
            sheet[track.field] = True if track.flag else 0
    spans = _LIMITS[span]
    used = {key: times for key, times in combatant.used.items() if key.partition(":")[0] not in spans}
    return combatant._replace(sheet=sheet, used=used)


_LIMITS: Mapping[str, Sequence[str]] = {
    "slot": ("phase",),
    "part": ("pass",),
    "turn": ("phase", "pass", "turn", "round"),
}
"""The spans of limits that end when a span begins; ``scene``, ``fight`` and ``day`` last."""
