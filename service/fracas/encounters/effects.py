"""What effects, conditions and time do to combatants. Pure functions on states.

Effects come resolved, as events hold them: ``who`` is a combatant, an item has its slug, a condition is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fracas.encounters.state import Combatant, Condition, State, Timer, combatant_of, condition_of
from fracas.kernel.items import slug_of
from fracas.kernel.monitors import DEAD
from fracas.kernel.tracks import Track
from fracas.kernel.turns import TurnRules

Effect = Mapping[str, Any]

POINTS = ("mark", "spend", "gain")
"""Types of effects on tracks."""

SCHEDULE = "schedule"
"""The type of an effect that sets a timer."""
JOIN = "join"
"""What a combatant does brings another one into the fight; `combatant` is None where the fight was full."""
USES = "phase:with:"
"""How a combatant counts, among its limits, how often something of an item was used up in its present slot: rounds."""
TURN_USES = "turn:with:"
"""The same for the whole turn."""
MOVED = "metres:moved"
"""How a combatant counts, among its limits, after the span and a colon, the centimetres of its movement."""
GRANTED = "metres:granted"
"""The same for the centimetres that actions of moving have given."""
DID = "phase:did:"
"""The same for what it did in that slot, by the words of `ActionRules.action_tags`."""


def with_combatant(state: State, combatant: Combatant) -> State:
    return state._replace(combatants={**state.combatants, combatant.id: combatant})


def apply(rules: TurnRules, state: State, effects: Iterable[Effect]) -> State:
    """The state after effects, in order. Effects on a combatant who is not there change nothing."""
    there, timers = state.combatants, state.timers
    for effect in effects:
        combatant = there.get(effect["who"])
        if effect["type"] == SCHEDULE:
            timer = Timer(**effect["timer"])
            timers = {**_without_like(timers, timer), timer.id: timer}
        elif effect["type"] == JOIN:
            if effect["combatant"] is not None and effect["combatant"]["id"] not in there:
                joined = combatant_of(effect["combatant"])
                there = {**there, joined.id: joined}
        elif combatant is not None:
            if effect["type"] == "add-condition" and effect["condition"].get("incapacitates"):
                began = {"since": state.turn, "during": state.acting}
                effect = {**effect, "condition": {**effect["condition"], **began}}
            changed = _CHANGES[effect["type"]](rules, combatant, effect)
            there = {**there, combatant.id: changed, **_sharing(rules, there, changed, effect)}
    if there is state.combatants and timers is state.timers:
        return state
    return state._replace(combatants=there, timers=timers)


def _sharing(
    rules: TurnRules, there: Mapping[str, Combatant], one: Combatant, effect: Effect
) -> Mapping[str, Combatant]:
    """The others of a group that has points together, after one of them has spent or gained some."""
    track = rules.tracks.get(effect["what"])
    if track is None or not track.group or effect["type"] not in POINTS:
        return {}
    group, points = one.sheet.get(track.group), one.sheet.get(track.field)
    if not group or track.field not in one.sheet:
        return {}
    return {
        id: other._replace(sheet={**other.sheet, track.field: points})
        for id, other in there.items()
        if id != one.id and other.sheet.get(track.group) == group
    }


NOT = "not "
"""Before the condition of a timer that lapses when a combatant is in it."""
ALIVE = f"{NOT}{DEAD}"
"""Of a timer that is about its owner alone, whatever else takes that owner out: nothing befalls the dead."""


def _without_like(timers: Mapping[str, Timer], new: Timer) -> Mapping[str, Timer]:
    """The timers without those whose place a new one takes: what lasts as long as a condition happens once a time."""
    if not new.lasting or new.lasting.startswith(NOT):
        return timers
    like = (new.who, new.action, new.lasting)
    return {
        id: timer
        for id, timer in timers.items()
        if timer.happened or (timer.who, timer.action, timer.lasting) != like
    }


def _track(rules: TurnRules, what: str) -> Track:
    """Tracks that the ruleset does not name are fields of that name."""
    return rules.tracks.get(what) or Track(what.replace("-", "_"))


def _moved(combatant: Combatant, track: Track, points: int) -> Combatant:
    if track.key:
        return _moved_by_name(combatant, track, points)
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
    now = max(track.least, have + points)
    now = now if track.most is None or points < 0 else max(have, min(track.most, now))
    return combatant._replace(sheet={**combatant.sheet, field: now})


def _moved_by_name(combatant: Combatant, track: Track, points: int) -> Combatant:
    """One of the numbers that a field holds by name; one that falls to 0 is no longer among them."""
    numbers = dict(combatant.sheet.get(track.field) or {})
    numbers[track.key] = max(track.least, numbers.get(track.key, 0) + points)
    if not numbers[track.key]:
        del numbers[track.key]
    return combatant._replace(sheet={**combatant.sheet, track.field: numbers})


def _mark(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    track = _track(rules, effect["what"])
    marked = _moved(combatant, track, effect["amount"] * track.mark)
    return ended(rules, marked, track.moment) if track.moment and effect["amount"] > 0 else marked


def _spend(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    track = _track(rules, effect["what"])
    if track.token:
        spent = combatant.spent.get(track.token, 0) + effect["amount"]
        return combatant._replace(spent={**combatant.spent, track.token: spent})
    if track.flag:
        return combatant._replace(sheet={**combatant.sheet, track.field: False})
    combatant = _moved(combatant, track, -effect["amount"])
    return _limited(rules, combatant, track, effect["limits"]) if "limits" in effect else combatant


def _limited(rules: TurnRules, combatant: Combatant, track: Track, what: str) -> Combatant:
    """With no more points on another track than are left on this one; what is not known limits nothing."""
    field, most = _track(rules, what).field, combatant.sheet.get(track.field)
    have = combatant.sheet.get(field)
    if not isinstance(most, int) or not isinstance(have, int) or have <= most:
        return combatant
    return combatant._replace(sheet={**combatant.sheet, field: most})


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
    used = combatant.used
    if any(amount < 0 for amount in effect.get("change", {}).values()):
        spans = (USES, TURN_USES) if rules.counts_uses_of_turn else (USES,)
        keys = (f"{span}{effect['what']}" for span in spans)
        used = {**used, **{key: used.get(key, 0) + 1 for key in keys}}
    combatant = combatant._replace(items={**combatant.items, effect["what"]: state}, used=used)
    return without_unready(combatant, effect["what"])


def without_unready(combatant: Combatant, item: str) -> Combatant:
    """Without the conditions that concern an item that is no longer ready: what was done with it is lost."""
    if combatant.items.get(item, {}).get("ready") is not False:
        return combatant
    kept = tuple(one for one in combatant.conditions if one.item != item)
    return combatant._replace(conditions=kept)


def _add(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    return with_condition(combatant, condition_of(effect["condition"]))


def with_condition(combatant: Combatant, condition: Condition) -> Combatant:
    """With one more condition. One that does not stack takes the place of its like; where it concerns certain people,
    it stands beside those that concern others, or takes them in where it is the same in all else."""
    others = combatant.conditions
    if condition.towards:
        alike = [
            one
            for one in others
            if one.slug == condition.slug and one._replace(towards=condition.towards) == condition
        ]
        for one in alike:
            towards = dict.fromkeys((*one.towards, *condition.towards))
            condition = condition._replace(towards=tuple(towards))
        others = tuple(
            left
            for one in others
            if one not in alike
            for left in ([one] if one.slug != condition.slug else _less(one, condition.towards))
        )
    elif not condition.stacks:
        others = tuple(one for one in others if one.slug != condition.slug)
    return combatant._replace(conditions=(*others, condition))


def _less(one: Condition, towards: Iterable[str]) -> list[Condition]:
    """What is left of a condition that no longer concerns some people."""
    left = tuple(id for id in one.towards if id not in towards)
    return [one._replace(towards=left)] if left or not one.towards else []


def _remove(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    """``count``: only so many of those that stack, the latest ones."""
    if count := effect.get("count", 0):
        alike = [at for at, one in enumerate(combatant.conditions) if one.slug == effect["what"]][-count:]
        kept = tuple(one for at, one in enumerate(combatant.conditions) if at not in alike)
        return combatant._replace(conditions=kept)
    towards = effect.get("towards", ())
    left = tuple(
        left
        for one in combatant.conditions
        for left in (
            [one] if one.slug != effect["what"] else _less(one, towards) if towards and one.towards else []
        )
    )
    return combatant._replace(conditions=left)


_CHANGES: Mapping[str, Callable[[TurnRules, Combatant, Effect], Combatant]] = {
    "mark": _mark,
    "spend": _spend,
    "gain": _gain,
    "item": _item,
    "add-condition": _add,
    "remove-condition": _remove,
}

TYPES = (*_CHANGES, SCHEDULE, JOIN)


def moved(rules: TurnRules, combatant: Combatant, effect: Effect) -> Combatant:
    """A combatant after one of the effects on their own points, `POINTS`."""
    return _CHANGES[effect["type"]](rules, combatant, effect)


def shown(combatant: Combatant) -> Sequence[Condition]:
    """The conditions that count for those who look on: without those that another one covers."""
    covered = {slug for one in combatant.conditions for slug in one.covers}
    if not covered:
        return combatant.conditions
    return [one for one in combatant.conditions if one.slug not in covered]


def present(combatant: Combatant, item: str | None = None) -> Mapping[str, Any]:
    """The sheet with what conditions set and change; `item`: not with those that concern another item."""
    for condition in combatant.conditions:
        if condition.sets or condition.changes or condition.takes_from:
            break
    else:
        return combatant.sheet
    sheet = dict(combatant.sheet)
    for condition in combatant.conditions:
        for field in condition.takes_from if condition.item else ():
            sheet |= _without(sheet, field, condition.item)
    concerned = [one for one in combatant.conditions if item is None or one.item in ("", item)]
    counting = best_of_groups(concerned)
    for condition in counting:
        sheet.update(condition.sets)
    for condition in counting:
        for change in condition.changes:
            if "." not in change["stat"]:  # a tally; see `tally_changes`
                _change(sheet, change)
    return sheet


def _without(sheet: Mapping[str, Any], field: str, item: str) -> dict[str, Any]:
    """A list of the sheet without something, of which it may hold the id; nothing where there is no such list."""
    have = sheet.get(field)
    if not isinstance(have, (list, tuple)):
        return {}
    return {field: [one for one in have if slug_of(str(one).rpartition("/")[2]) != item]}


def tally_changes(combatant: Combatant) -> Iterator[tuple[str, str, int]]:
    """What conditions add to tallies: the tally, the condition, and how much."""
    for condition in best_of_groups(combatant.conditions):
        for change in condition.changes:
            add = change.get("add")
            if "." in change["stat"] and "while" not in change and isinstance(add, int):
                yield change["stat"], condition.label, add


def best_of_groups(conditions: Sequence[Condition]) -> Sequence[Condition]:
    """The conditions that count: of each group the one that gives or takes most, of equal ones the first."""
    if not any(one.group for one in conditions):
        return conditions
    best: dict[str, Condition] = {}
    for one in conditions:
        if one.group and (one.group not in best or _size(one) > _size(best[one.group])):
            best[one.group] = one
    return [one for one in conditions if not one.group or best[one.group] is one]


def _size(one: Condition) -> int:
    """How much a condition gives or takes, all numbers together."""
    numbers = (*one.sets.values(), *(change.get("add", 0) for change in one.changes))
    return abs(sum(number for number in numbers if isinstance(number, int)))


def _change(sheet: dict[str, Any], change: Mapping[str, Any]) -> None:
    """One number of a sheet; a change that only counts at times is for the GM to check."""
    have = sheet.get(change["stat"], 0)
    if "while" in change or isinstance(have, bool) or not isinstance(have, int):
        return
    if isinstance(add := change.get("add"), int):
        sheet[change["stat"]] = have + add
    elif isinstance(value := change.get("set"), int):
        sheet[change["stat"]] = value
    elif isinstance(least := change.get("at_least"), int):
        sheet[change["stat"]] = max(have, least)


def ended(
    rules: TurnRules,
    combatant: Combatant,
    *moments: str,
    action: str = "",
    item: str = "",
    spares: Collection[str] = (),
) -> Combatant:
    """Without the conditions that these moments, or taking an action with this item, end."""
    if not combatant.conditions:
        return combatant

    def spared(one: Condition) -> bool:
        """The action that brought it, and those that go with it, do not end it; with another item they do."""
        if one.slug in spares:
            return True
        return (one.by == action or action in one.outlasts) and (not item or one.item in ("", item))

    def ends(one: Condition) -> bool:
        return any(
            word == action
            or (
                (moment := rules.moments.get(word, "")) in moments
                and not (moment == "other-action" and spared(one))
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
        if one.leaves:
            left = {field: max(least, combatant.sheet.get(field, 0)) for field, least in one.leaves.items()}
            combatant = combatant._replace(sheet={**combatant.sheet, **left})
        for data in one.then:
            next = condition_of(data)
            until = next.until + turn if next.unit == "turn" else next.until
            combatant = with_condition(combatant, next._replace(until=until))
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
    spans, sheet, used = _LIMITS[span], combatant.sheet, combatant.used
    fresh = {field: value for field, value in _reset_by(rules, span) if field in sheet}
    if used:
        used = {key: times for key, times in used.items() if key.partition(":")[0] not in spans}
    if not fresh and len(used) == len(combatant.used):
        return combatant
    return combatant._replace(sheet={**sheet, **fresh}, used=used)


@lru_cache(maxsize=64)
def _reset_by(rules: TurnRules, span: str) -> tuple[tuple[str, int], ...]:
    """The fields that the beginning of a span resets, each with what it has then."""
    return tuple((one.field, True if one.flag else 0) for one in rules.tracks.values() if one.resets == span)


_LIMITS: Mapping[str, Sequence[str]] = {
    "slot": ("phase",),
    "part": ("pass",),
    "turn": ("phase", "pass", "turn", "round"),
}
"""The spans of limits that end when a span begins; ``scene``, ``fight`` and ``day`` last."""
